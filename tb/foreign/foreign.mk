# SPDX-License-Identifier: Apache-2.0
# foreign_ecmp, a design with ports and tables of its own, checked in the ways that a user's design
# can be (docs/bring-your-own-rtl.md); included by tb/tb.mk.
#   make foreign        builds all of them, and runs tb/foreign/tests.list
# Each is built twice: NAME, and NAME_bug with a fault (-DFOREIGN_BUG) that must be found.

FOREIGN := $(BUILD)/foreign
FOREIGN_RTL := tb/foreign/foreign_ecmp.sv
foreign_define = $(if $(findstring _bug,$(1)),-DFOREIGN_BUG)
# Verilator builds into an empty folder: it would take what it finds there for up to date.
# What it builds runs for moments only.
FOREIGN_FAST := $(TB_ONE_FILE) -MAKEFLAGS OPT_FAST=-O0
# $(call foreign_log,FILE): what a tool says is shown only if it fails.
foreign_log = >$(1).log 2>&1 || { cat $(1).log; exit 1; }

FOREIGN_STIMULUS := $(FOREIGN)/ecmp.pcap
$(FOREIGN_STIMULUS): $(EGRET_BIN)
	@mkdir -p $(@D)
	@$(EGRET_BIN) trace make --topology fat-tree:8 --collective alltoall --bytes 64KiB --at edge:0 \
	    --scheme ecmp --layout ipv4-5tuple --hash-seed 1 --limit 4000 -o $@ >$@.log

# ---- as a selector: egret check --selector ----

FOREIGN_SELECTORS := $(FOREIGN)/selector.so $(FOREIGN)/selector_bug.so
$(FOREIGN_SELECTORS): $(FOREIGN)/%.so: tb/foreign/foreign_selector.cpp $(FOREIGN_RTL) $(SELECT_HDR) \
    cmodel/include/egret/design.hpp
	@mkdir -p $(@D)
	@echo verilator $(@F)
	@rm -rf $(FOREIGN)/$*
	@$(VERILATOR) -O3 --cc --exe --build -Mdir $(FOREIGN)/$* --prefix Vforeign_ecmp \
	    --top-module foreign_ecmp -Wno-fatal $(FOREIGN_FAST) $(call foreign_define,$*) \
	    -CFLAGS "-std=c++17 -fPIC -I$(CURDIR)/cmodel/include" -LDFLAGS -shared -o selector.so \
	    $(FOREIGN_RTL) $(CURDIR)/$< $(call foreign_log,$@)
	@mv $(FOREIGN)/$*/selector.so $@

# Designs that break the rules; needs no simulator.
FOREIGN_FAULTS := $(FOREIGN)/design_faults.so
$(FOREIGN_FAULTS): tb/foreign/design_faults.cpp cmodel/include/egret/design.hpp $(SELECT_HDR)
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -Wall -Wextra -Wshadow -Werror -O1 -fPIC -Icmodel/include -shared -o $@ $<

# ---- by a file: egret model --vectors ----

FOREIGN_VECTORS := $(FOREIGN)/ecmp.vectors
$(FOREIGN_VECTORS): $(FOREIGN_STIMULUS)
	@$(EGRET_BIN) model --config lab $< --vectors $@ >$@.log

FOREIGN_ICARUS := $(FOREIGN)/file.vvp $(FOREIGN)/file_bug.vvp
$(FOREIGN_ICARUS): $(FOREIGN)/%.vvp: tb/foreign/tb_file.sv $(FOREIGN_RTL)
	@mkdir -p $(@D)
	$(IVERILOG) -g2012 $(call foreign_define,$*) -s tb_file -o $@ $^

FOREIGN_VERILATOR := $(FOREIGN)/file.bench $(FOREIGN)/file_bug.bench
$(FOREIGN_VERILATOR): $(FOREIGN)/%.bench: tb/foreign/tb_file.sv $(FOREIGN_RTL)
	@mkdir -p $(@D)
	@echo verilator $(@F)
	@rm -rf $(FOREIGN)/$*_bench
	@$(VERILATOR) --binary --timing -Wno-fatal $(FOREIGN_FAST) $(call foreign_define,$*) \
	    -Mdir $(FOREIGN)/$*_bench --top-module tb_file -o bench $^ $(call foreign_log,$@)
	@mv $(FOREIGN)/$*_bench/bench $@

# ---- in lock step: egret/lockstep.h by DPI and by VPI ----

FOREIGN_LIBS := $(TRACE_LIB) $(SELECT_LIB)
FOREIGN_DPI := $(FOREIGN)/dpi.bench $(FOREIGN)/dpi_bug.bench
$(FOREIGN_DPI): $(FOREIGN)/%.bench: tb/foreign/egret_lockstep.sv tb/foreign/tb_dpi.sv $(FOREIGN_RTL) \
    $(FOREIGN_LIBS)
	@mkdir -p $(@D)
	@echo verilator $(@F)
	@rm -rf $(FOREIGN)/$*_bench
	@$(VERILATOR) --binary --timing -Wno-fatal $(FOREIGN_FAST) $(call foreign_define,$*) \
	    -Mdir $(FOREIGN)/$*_bench --top-module tb_dpi -o bench $(filter %.sv,$^) $(abspath $(FOREIGN_LIBS)) \
	    -LDFLAGS '$(TRACE_LIBS)' $(call foreign_log,$@)
	@mv $(FOREIGN)/$*_bench/bench $@

FOREIGN_VPI := $(FOREIGN)/lockstep.vpi
$(FOREIGN_VPI): tb/foreign/lockstep_vpi.c $(SELECT_HDR) $(FOREIGN_LIBS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) $(VPI_CFLAGS) -shared -o $@ $< $(FOREIGN_LIBS) $(TRACE_LIBS)

FOREIGN_VVP := $(FOREIGN)/vpi.vvp $(FOREIGN)/vpi_bug.vvp
$(FOREIGN_VVP): $(FOREIGN)/%.vvp: tb/foreign/egret_lockstep.sv tb/foreign/tb_vpi.sv $(FOREIGN_RTL) \
    $(FOREIGN_VPI)
	@mkdir -p $(@D)
	$(IVERILOG) -g2012 $(call foreign_define,$*) -L $(FOREIGN) -m lockstep -s tb_vpi -o $@ \
	    $(filter %.sv,$^)

FOREIGN_DEPS := $(EGRET_BIN) $(FOREIGN_STIMULUS) $(FOREIGN_SELECTORS) $(FOREIGN_FAULTS) \
    $(FOREIGN_VECTORS) $(FOREIGN_ICARUS) $(FOREIGN_VERILATOR) $(FOREIGN_DPI) $(FOREIGN_VVP)

# ---- tests ----

TEST_LISTS += tb/foreign/tests.list
TEST_DEPS += $(FOREIGN_DEPS)

.PHONY: foreign foreign-run
foreign:  ## a design that is not egret's, checked in each way (docs/bring-your-own-rtl.md)
	@scripts/setup base sim
	$(AGAIN) foreign-run
foreign-run: $(FOREIGN_DEPS)
	@scripts/run_tests --jobs $(JOBS) --match '^foreign_' tb/foreign/tests.list
