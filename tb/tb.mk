# SPDX-License-Identifier: Apache-2.0
# Benches, selectors and their tests; included by the top Makefile after cmodel/*.mk.
#   make selectors [CONFIG=NAME|FILE]   rtl:NAME and check:NAME, all configurations by default
#   make benches   [CONFIG=NAME|FILE]   tb_core in Icarus and Verilator, and the SystemC bench
#   make sim T=NAME                     one test of tb/tests.list, with its output; builds what the
#                                       configurations and simulators that the test names need

TB := $(BUILD)/tb

# The command of the test that `make sim` runs.
SIM_COMMAND :=
ifneq ($(filter sim,$(MAKECMDGOALS)),)
SIM_COMMAND := $(shell awk -F '\t' -v t='$(T)' '$$1 == t { print $$3 }' tb/tests.list)
$(if $(SIM_COMMAND),,$(error make sim T=NAME, a name of tb/tests.list))
endif

# CONFIG is a name of configs.mk, or a user's file of KEY=VALUE, named by its own name.
CONFIG ?=
ifneq ($(and $(wildcard $(CONFIG)),$(filter-out $(CONFIGS),$(CONFIG))),)
TB_CONFIGS := $(basename $(notdir $(CONFIG)))
ifneq ($(words $(TB_CONFIGS)),1)
$(error CONFIG=$(CONFIG): not the name of one file)
endif
ifneq ($(filter $(TB_CONFIGS),$(CONFIGS)),)
$(error CONFIG=$(CONFIG): takes the place of configuration $(TB_CONFIGS); give the file another name)
endif
CONFIG_$(TB_CONFIGS) := $(shell sed 's/\#.*//' $(CONFIG) 2>/dev/null)
TB_CHECKED := tb-config
else
TB_CONFIGS := $(or $(CONFIG),$(filter $(CONFIGS),$(SIM_COMMAND)), \
    $(if $(filter tb/configs/%,$(SIM_COMMAND)),,$(CONFIGS)))
$(foreach c,$(TB_CONFIGS),$(if $(CONFIG_$(c)),,$(error CONFIG=$(c) is neither in configs.mk nor a file)))
TB_CHECKED :=
endif

# Sets of parameters that have blocks of the RTL which no configuration of configs.mk has. Only
# Verilator's bench is built of them. A user's file of the same name goes first.
TB_PARTS := $(filter-out $(TB_CONFIGS),$(basename $(notdir $(wildcard tb/configs/*.cfg))))
$(foreach c,$(TB_PARTS),$(eval CONFIG_$(c) := $(shell sed 's/\#.*//' tb/configs/$(c).cfg)))
TB_PARTS_USED := $(if $(CONFIG),,$(if $(SIM_COMMAND),$(filter \
    $(basename $(notdir $(filter %.cfg,$(SIM_COMMAND)))),$(TB_PARTS)),$(TB_PARTS)))

# The command knows what a good configuration is, and says in one line what is wrong with this one.
.PHONY: tb-config
tb-config: $(EGRET_BIN)
	@$(EGRET_BIN) config show '$(CONFIG)' >/dev/null

# ---- the engine ----

BENCH_SRC := bench bench_words bench_options bench_drive bench_check bench_figures bench_report
BENCH_OBJ := $(BENCH_SRC:%=$(TB)/obj/%.o)
BENCH_LIB := $(BUILD)/lib/libegret_bench.a
SHIM_HDR := $(wildcard tb/shim/*.h) $(SELECT_HDR)
VPI := $(TB)/egret_shim.vpi
VPI_CFLAGS = $(shell iverilog-vpi --cflags | tr ' ' '\n' | grep '^-I')
MAKE_STIMULUS := $(TB)/make_stimulus

$(TB)/obj/%.o: tb/shim/%.c $(SHIM_HDR)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -Itb/shim -c -o $@ $<

$(TB)/obj/shim_vpi.o: tb/shim/shim_vpi.c $(SHIM_HDR)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -Itb/shim $(VPI_CFLAGS) -c -o $@ $<

$(BENCH_LIB): $(BENCH_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(BENCH_OBJ)

$(VPI): $(TB)/obj/shim_vpi.o $(BENCH_LIB) $(TRACE_LIB) $(SELECT_LIB)
	$(CC) -shared -o $@ $^ $(TRACE_LIBS)

# A model that returns zeros, for a test that must fail.
$(TB)/stub/egret_shim.vpi: $(TB)/obj/shim_vpi.o $(TB)/obj/stub_model.o $(BENCH_LIB) $(TRACE_LIB) \
    $(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) -shared -o $@ $^ $(TRACE_LIBS)

$(MAKE_STIMULUS): $(addprefix $(TB)/obj/,make_stimulus.o make_deep.o make_faults.o make_time.o \
    make_edges.o make_bands.o make_corners.o) $(TRACE_LIB) $(SELECT_LIB)
	$(CC) -o $@ $^ $(TRACE_LIBS)

$(TB)/fake_bench: $(TB)/obj/fake_bench.o $(BENCH_LIB) $(TRACE_LIB) $(SELECT_LIB)
	$(CC) -o $@ $^ $(TRACE_LIBS)

$(TB)/selector_speed $(TB)/selector_vectors: $(TB)/%: $(TB)/obj/%.o $(TRACE_LIB) $(SELECT_LIB)
	$(CC) -rdynamic -o $@ $^ $(TRACE_LIBS) -ldl

TEST_DEPS += $(TB)/port_bits
$(TB)/port_bits: $(TB)/obj/port_bits.o $(BENCH_LIB) $(TRACE_LIB) $(SELECT_LIB)
	$(CC) -rdynamic -o $@ $^ $(TRACE_LIBS) -ldl

# ---- one simulation a configuration ----

RTL_SRC := $(wildcard rtl/*.v rtl/*.vh) rtl/egret.f
TB_BASE := scripts/build_bench $(RTL_SRC) $(BENCH_LIB) $(TRACE_LIB) $(SELECT_LIB)
TB_ENV = BUILD=$(BUILD) CC='$(CC)' CXX='$(CXX)' IVERILOG='$(IVERILOG)' VERILATOR='$(VERILATOR)'

define tb_rules
# A new set of parameters makes everything of its configuration anew.
$(TB)/params/$(1): FORCE $(TB_CHECKED)
	@mkdir -p $$(@D)
	@echo '$(strip $(CONFIG_$(1)))' | cmp -s - $$@ || echo '$(strip $(CONFIG_$(1)))' >$$@
$(TB)/icarus/$(1).vvp: $(TB)/params/$(1) tb/tb_core.v tb/shim/egret_shim.vh $(TB_BASE)
	@echo build_bench icarus $(1)
	+@$(TB_ENV) scripts/build_bench icarus $(1) $$@ $(CONFIG_$(1))
$(TB)/verilator/$(1).bench: $(TB)/params/$(1) tb/tb_core.v $(wildcard tb/shim/*.vh tb/shim/*.svh) \
    tb/shim/shim_dpi.cpp $(TB_BASE)
	@echo build_bench verilator $(1)
	+@$(TB_ENV) scripts/build_bench verilator $(1) $$@ $(CONFIG_$(1))
$(TB)/systemc/$(1).bench: $(TB)/params/$(1) tb/sc/bench_sc.cpp tb/shim/built_cfg.h \
    $(TB_BASE)
	@echo build_bench systemc $(1)
	+@$(TB_ENV) scripts/build_bench systemc $(1) $$@ $(CONFIG_$(1))
$(BUILD)/selectors/rtl_$(1).so: $(TB)/params/$(1) tb/shim/selector_rtl.cpp \
    tb/shim/selector_check.c $(TB)/obj/selector_rtl_entry.o $(SHIM_HDR) $(TB_BASE)
	@echo build_bench selector $(1)
	+@$(TB_ENV) scripts/build_bench selector $(1) $$@ $(CONFIG_$(1))
endef
$(foreach c,$(TB_CONFIGS) $(TB_PARTS),$(eval $(call tb_rules,$(c))))
TB_BENCHES := $(TB_CONFIGS:%=$(TB)/icarus/%.vvp) $(TB_PARTS_USED:%=$(TB)/verilator/%.bench) \
    $(foreach s,verilator systemc,$(TB_CONFIGS:%=$(TB)/$(s)/%.bench))
SELECTOR_TARGETS += $(TB_CONFIGS:%=$(BUILD)/selectors/rtl_%.so)

.PHONY: FORCE benches sim
FORCE:

benches: $(VPI) $(TB_BENCHES)  ## benches of tb_core in three simulators

# ---- unit bench of the hash modules ----

# One C++ file instead of a dozen that read the same headers; Verilator's own not optimised.
TB_ONE_FILE := -MAKEFLAGS VM_PARALLEL_BUILDS=0 -MAKEFLAGS OPT_GLOBAL=-O0
TB_UNIT := --binary --timing $(TB_ONE_FILE)

$(TB)/tb_hash.vvp: tb/tb_hash.v $(RTL_SRC)
	@mkdir -p $(@D)
	$(IVERILOG) -g2005 -Wall -o $@ -s tb_hash -c rtl/egret.f tb/tb_hash.v

$(TB)/tb_hash.bench: tb/tb_hash.v $(RTL_SRC)
	@mkdir -p $(@D)
	@echo verilator tb_hash
	@$(VERILATOR) $(TB_UNIT) -Mdir $(TB)/tb_hash.obj --top-module tb_hash -o bench \
	    -f rtl/egret.f tb/tb_hash.v >$(TB)/tb_hash.log 2>&1 || { cat $(TB)/tb_hash.log; exit 1; }
	@mv $(TB)/tb_hash.obj/bench $@

# ---- unit bench of the flowlet table, with two sets of parameters in Verilator ----

$(TB)/tb_flowlet.vvp: tb/tb_flowlet.v $(RTL_SRC)
	@mkdir -p $(@D)
	$(IVERILOG) -g2005 -Wall -o $@ -s tb_flowlet -c rtl/egret.f tb/tb_flowlet.v

TB_FLOWLET_16 := -GNUM_FLOWLETS=16 -GFLOWLET_W=4 -GNUM_PORTS=16 -GPORT_W=4
TB_FLOWLET_64 := -GNUM_FLOWLETS=256 -GFLOWLET_W=8 -GNUM_PORTS=64 -GPORT_W=6
$(TB)/tb_flowlet_%.bench: tb/tb_flowlet.v $(RTL_SRC)
	@mkdir -p $(@D)
	@echo verilator tb_flowlet $*
	@$(VERILATOR) $(TB_UNIT) -Mdir $(TB)/tb_flowlet_$*.obj --top-module tb_flowlet -o bench \
	    $(TB_FLOWLET_$*) -f rtl/egret.f tb/tb_flowlet.v >$(TB)/tb_flowlet_$*.log 2>&1 || \
	    { cat $(TB)/tb_flowlet_$*.log; exit 1; }
	@mv $(TB)/tb_flowlet_$*.obj/bench $@

# ---- bits of memories that flip; it compiles longer than it runs ----

$(TB)/tb_parity.bench: tb/tb_parity.v $(RTL_SRC)
	@mkdir -p $(@D)
	@echo verilator tb_parity
	@$(VERILATOR) $(TB_UNIT) -MAKEFLAGS OPT_FAST=-O0 -Mdir $(TB)/tb_parity.obj \
	    --top-module tb_parity -o bench -f rtl/egret.f tb/tb_parity.v >$(TB)/tb_parity.log 2>&1 || \
	    { cat $(TB)/tb_parity.log; exit 1; }
	@mv $(TB)/tb_parity.obj/bench $@

# ---- tests ----

TEST_LISTS += tb/tests.list
TB_TOOLS := $(VPI) $(TB)/stub/egret_shim.vpi $(MAKE_STIMULUS) $(TB)/fake_bench \
    $(TB)/selector_speed $(TB)/selector_vectors $(TB)/port_bits $(EGRET_BIN)
TB_HASH := $(TB)/tb_hash.vvp $(TB)/tb_hash.bench
TB_FLOWLET := $(TB)/tb_flowlet.vvp $(TB)/tb_flowlet_16.bench $(TB)/tb_flowlet_64.bench
TEST_DEPS += benches selectors-run $(TB_TOOLS) $(TB_HASH) $(TB_FLOWLET) $(TB)/tb_parity.bench

# Without the name of a simulator: all of them, and the selectors.
SIM_KINDS := $(filter icarus verilator systemc,$(SIM_COMMAND))
SIM_DEPS := $(if $(SIM_KINDS),$(filter $(SIM_KINDS:%=$(TB)/%/%),$(TB_BENCHES)), \
    $(TB_BENCHES) $(SELECTOR_TARGETS)) $(if $(findstring hash,$(SIM_COMMAND)),$(TB_HASH)) \
    $(if $(findstring tb_flowlet,$(SIM_COMMAND)),$(TB_FLOWLET)) \
    $(filter $(TB)/tb_parity.bench,$(SIM_COMMAND)) $(filter $(BUILD)/test/%,$(SIM_COMMAND))

sim: $(TB_TOOLS) $(SIM_DEPS)  ## one test of tb/tests.list with its output: T=NAME
	@echo '$(SIM_COMMAND)'; $(SIM_COMMAND)

# ---- speed ----

BENCH_TARGETS += bench-selector
.PHONY: bench-selector
bench-selector: $(BUILD)/tb/selector_speed $(MAKE_STIMULUS) $(BUILD)/selectors/rtl_tor64.so
	@BUILD=$(BUILD) tb/bench_test speed tor64 300000 0.5 300000

# ---- mutants ----

MUTANT_TARGETS += mutants-all
.PHONY: mutants-all
mutants-all: $(TB_BENCHES) $(MAKE_STIMULUS) $(EGRET_BIN)
	@scripts/mutants $(JOBS)

# ---- designs that know nothing of egret ----

include tb/foreign/foreign.mk
