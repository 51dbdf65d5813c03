# SPDX-License-Identifier: Apache-2.0
# foreign_ecmp, a design with ports and tables of its own, checked in the ways that a user's design
# can be (docs/bring-your-own-rtl.md); included by tb/tb.mk.
#   make foreign        builds all of them, and runs tb/foreign/tests.list
# Each is built twice: NAME, and NAME_bug with a fault (-DFOREIGN_BUG) that must be found.

FOREIGN := $(BUILD)/foreign
FOREIGN_RTL := tb/foreign/foreign_ecmp.sv
foreign_define = $(if $(findstring _bug,$(1)),-DFOREIGN_BUG)
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
	@$(VERILATOR) -O3 --cc --exe --build -Mdir $(FOREIGN)/$* --prefix Vforeign_ecmp \
	    --top-module foreign_ecmp -Wno-fatal $(call foreign_define,$*) \
	    -CFLAGS "-std=c++17 -fPIC -I$(CURDIR)/cmodel/include" -LDFLAGS -shared -o selector.so \
	    $(FOREIGN_RTL) $(CURDIR)/$< $(call foreign_log,$@)
	@mv $(FOREIGN)/$*/selector.so $@

FOREIGN_DEPS := $(EGRET_BIN) $(FOREIGN_STIMULUS) $(FOREIGN_SELECTORS)

# ---- tests ----

TEST_LISTS += tb/foreign/tests.list
TEST_DEPS += $(FOREIGN_DEPS)

.PHONY: foreign foreign-run
foreign:  ## a design that is not egret's, checked in each way (docs/bring-your-own-rtl.md)
	@scripts/setup base sim
	$(AGAIN) foreign-run
foreign-run: $(FOREIGN_DEPS)
	@scripts/run_tests --jobs $(JOBS) --match '^foreign_' tb/foreign/tests.list
