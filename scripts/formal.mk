# SPDX-License-Identifier: Apache-2.0
# Proofs: `make formal` runs all of scripts/formal.list and scripts/formal_faults.list, `make test`
# the rows marked quick.
FORMAL_TARGETS += formal-proofs
TEST_LISTS += scripts/formal_tests.list
TEST_DEPS += formal-tools

.PHONY: formal-proofs formal-tools
formal-proofs:
	@scripts/formal --jobs $(JOBS)

# Solver, Yosys and the Python module of bitwuzla.
formal-tools:
	@scripts/setup formal venv
