# SPDX-License-Identifier: Apache-2.0
# C against RTL for all inputs: `make equiv` runs all of scripts/equiv.list and
# scripts/equiv_faults.list, `make test` the rows marked quick.
EQUIV_TARGETS += equiv-proofs
TEST_LISTS += scripts/equiv_tests.list
TEST_DEPS += equiv-tools

.PHONY: equiv-proofs equiv-tools
equiv-proofs:
	@scripts/equiv

# Compiler, LLVM, Yosys, Icarus and the Python module of bitwuzla.
equiv-tools:
	@scripts/setup equiv venv
