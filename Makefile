# SPDX-License-Identifier: Apache-2.0
# egret: `make` prints the targets, of this file and its fragments. Everything built goes to build/;
# sources are never written.
#
# Fragments (cmodel/*.mk, tb/tb.mk, fpga/fpga.mk, scripts/*.mk) bring the rules. A fragment adds to
#   EGRET_TARGETS     what `make egret` builds: C compiler, make, libyaml-dev and libjansson-dev
#   SELECTOR_TARGETS  what `make selectors` builds: needs Verilator
#   TEST_LISTS        test lists of scripts/run_tests
#   TEST_DEPS         what these tests need built
#   BENCH_TARGETS, FORMAL_TARGETS, EQUIV_TARGETS, MUTANT_TARGETS, DEMO_TARGETS   phony targets that do the work
# `make TARGET` sets up what it needs first, then calls make again for the work itself, so that
# fragments see the tools that were just installed.

BUILD := build
SHELL := /bin/bash
.SHELLFLAGS := -eo pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
# Commands are shown with V=1 only.
V ?=
ifeq ($(V),)
.SILENT:
endif
.DEFAULT_GOAL := help

CC ?= cc
CXX ?= g++
PYTHON ?= python3
IVERILOG ?= iverilog
VVP ?= vvp
VERILATOR ?= verilator
YOSYS ?= yosys
SMTBMC ?= yosys-smtbmc
NEXTPNR_ICE40 ?= nextpnr-ice40

# Commands, tests, place-and-route runs at once.
JOBS ?= 2
# Only the tests whose name matches: make test T=^hash
T ?=

EGRET_TARGETS :=
SELECTOR_TARGETS :=
TEST_LISTS := scripts/tests.list
TEST_DEPS :=
BENCH_TARGETS :=
FORMAL_TARGETS :=
EQUIV_TARGETS :=
MUTANT_TARGETS :=
DEMO_TARGETS :=

include configs.mk
-include cmodel/select.mk
-include cmodel/trace.mk
-include cmodel/fabric.mk
-include cmodel/install.mk
-include tb/tb.mk
-include fpga/fpga.mk
-include scripts/formal.mk
-include scripts/equiv.mk
-include docs/docs.mk
-include scripts/demo.mk
-include scripts/coverage.mk

# Scripts import their neighbours; nothing may be written beside them.
export PYTHONDONTWRITEBYTECODE := 1

AGAIN = +@$(MAKE) --no-print-directory
# JOBS commands at once, unless make was called with a number of its own.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

# A target that does nothing must not look like success: $(call some,NAME,TARGETS)
some = $(if $(strip $(2)),,@echo '$(1): no fragment gives it anything to do' >&2; exit 1)

.PHONY: help egret selectors demo test lint bench formal equiv synth mutants fuzz coverage clean distclean
.PHONY: selectors-run demo-run test-build test-run bench-run formal-run equiv-run mutants-run

help:  ## this list
	@echo 'egret: switch egress selection in Verilog and C'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'Configurations: $(CONFIGS)'
	@echo 'Variables: JOBS=$(JOBS)  T=REGEX (tests)  CONFIG=NAME|FILE (selectors, benches)  SYNTH_SEEDS=N'
	@echo '           V=1 (show commands)  CC CXX PYTHON IVERILOG VVP VERILATOR YOSYS SMTBMC'

egret: $(EGRET_TARGETS)  ## libraries and command (C compiler, make, libyaml, jansson)

selectors:  ## rtl:CONFIG and check:CONFIG selectors (Verilator)
	@scripts/setup base sim
	$(AGAIN) $(PARALLEL) selectors-run
selectors-run: $(SELECTOR_TARGETS)
	$(call some,selectors,$(SELECTOR_TARGETS))

demo:  ## every scheme on every collective, a trace of each format, RTL against model; build/report/index.html
	@scripts/setup base sim demo
	$(AGAIN) demo-run
demo-run: $(DEMO_TARGETS)
	$(call some,demo,$(DEMO_TARGETS))

test:  ## all tests; ends with `N passed, N failed, N skipped`
	@scripts/setup base sim synth test
	@scripts/check_tools -q base sim synth test
	$(AGAIN) $(PARALLEL) test-build
	$(AGAIN) test-run
test-build: $(TEST_DEPS)
# A make of its own, without a job server: tests call make too.
test-run: $(TEST_DEPS)
	@scripts/run_tests --jobs $(JOBS) --match '$(T)' $(TEST_LISTS)

lint:  ## three tools on every configuration, style rules of the tree
	@scripts/setup sim synth
	@scripts/lint
	@scripts/check_tree

bench:  ## speed of the C model against DPDK, of the fabric, of readers, and of lock step
	@scripts/setup base bench sim
	$(AGAIN) bench-run
bench-run: $(BENCH_TARGETS)
	$(call some,bench,$(BENCH_TARGETS))

formal:  ## proofs
	@scripts/setup formal venv
	$(AGAIN) formal-run
formal-run: $(FORMAL_TARGETS)
	$(call some,formal,$(FORMAL_TARGETS))

equiv:  ## C functions and RTL modules compute the same, for all inputs
	@scripts/setup base sim equiv venv
	$(AGAIN) equiv-run
equiv-run: $(EQUIV_TARGETS)
	$(call some,equiv,$(EQUIV_TARGETS))

synth:  ## LUT, FF, RAM, Fmax and critical path on iCE40, ECP5, UltraScale+
	@scripts/setup synth venv sim
	@scripts/synth --jobs $(JOBS) --seeds $(SYNTH_SEEDS)

mutants:  ## planted faults in RTL and C model: each must be found or shown to be none
	@scripts/setup base sim synth formal test venv
	$(AGAIN) mutants-run
mutants-run: $(MUTANT_TARGETS)
	$(call some,mutants,$(MUTANT_TARGETS))

fuzz:  ## every parser on FUZZ_RUNS mutated inputs, under the sanitizers (clang-14)
	@scripts/setup base test
	$(AGAIN) fuzz-run

coverage:  ## lines and branches that the tests reach, of the RTL and of the C model
	@scripts/setup base sim test
	$(AGAIN) coverage-run

clean:  ## removes what was built, keeps the Python packages
	@if [ -d $(BUILD) ]; then find $(BUILD) -mindepth 1 -maxdepth 1 ! -name venv -exec rm -rf {} +; fi

distclean:  ## removes all of build/
	@rm -rf $(BUILD)
