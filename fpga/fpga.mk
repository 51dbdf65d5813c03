# SPDX-License-Identifier: Apache-2.0
# FPGA flows. `make synth` is in the top Makefile; docs/fpga.md describes it.

# Place-and-route runs of each build; Fmax is their median.
SYNTH_SEEDS ?= 5

.PHONY: synth-doc
synth-doc:  ## writes the table of docs/fpga.md from the last make synth
	@scripts/synth --doc
