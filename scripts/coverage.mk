# SPDX-License-Identifier: Apache-2.0
# Coverage of RTL and C model; included by the top Makefile after tb/tb.mk and docs/docs.mk.
#   make coverage   measures in copies of the tree, build/coverage/c and build/coverage/rtl, where
#                   scripts/coverage calls make for the two targets below

.PHONY: coverage-run coverage-c-build coverage-rtl-build

coverage-run:
	@scripts/coverage --jobs $(JOBS) $(TEST_LISTS)

# What the C tests run, but for builds with sanitizers and fuzzers.
coverage-c-build: $(filter-out $(BUILD)/test/asan/% $(BUILD)/test/fuzz_%, \
    $(filter $(BUILD)/test/% $(BUILD)/bin/%,$(TEST_DEPS)))

# Benches that count, and an elaboration of each configuration that tells which blocks it has.
COVERAGE_VVP := $(patsubst %,$(BUILD)/coverage/%.vvp,$(CONFIGS) $(TB_PARTS))
coverage-rtl-build: $(filter $(TB)/verilator/%,$(TB_BENCHES)) $(MAKE_STIMULUS) $(EGRET_BIN) \
    $(COVERAGE_VVP)

$(COVERAGE_VVP): $(BUILD)/coverage/%.vvp: configs.mk $(wildcard tb/configs/*.cfg) $(RTL_SRC)
	@mkdir -p $(@D)
	$(IVERILOG) -g2005 -o $@ -s egret_core $(addprefix -Pegret_core.,$(CONFIG_$*)) -c rtl/egret.f
