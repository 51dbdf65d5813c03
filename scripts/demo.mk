# SPDX-License-Identifier: Apache-2.0
# `make demo`: the benches that it needs, by the rules of tb/tb.mk, then scripts/demo.
DEMO_TARGETS += demo-report
TEST_LISTS += scripts/demo_tests.list

DEMO_BENCHES := $(TB)/egret_shim.vpi $(TB)/icarus/lab.vvp $(TB)/icarus/tiny.vvp \
    $(foreach sim,verilator systemc,$(foreach c,lab tor64 tiny,$(TB)/$(sim)/$(c).bench))

.PHONY: demo-report demo-benches
# CONFIG= : all named configurations have rules, whatever this make was called with.
demo-report:
	+@mkdir -p $(BUILD); if [ -t 1 ]; then echo 'building the benches'; fi; \
	$(MAKE) --no-print-directory -j$(JOBS) CONFIG= demo-benches >$(BUILD)/demo-build.log 2>&1 || \
	    { cat $(BUILD)/demo-build.log; exit 1; }
	@BUILD=$(BUILD) VVP='$(VVP)' scripts/demo --jobs $(JOBS)
demo-benches: $(EGRET_BIN) $(DEMO_BENCHES)
