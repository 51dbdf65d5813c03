// SPDX-License-Identifier: Apache-2.0
// DPI imports of tb/shim/shim_dpi.cpp, which includes the prototypes that Verilator makes of these.
import "DPI-C" function int egret_shim_open(
  input int num_ports, input int num_groups, input int num_keys, input int num_bins,
  input int num_rows, input int row_len, input int num_buckets, input int hash_kind,
  input int rsp_depth, input int schemes, input int num_flowlets, input int parity,
  output bit [767:0] first);
import "DPI-C" function int egret_shim_clock(input bit [95:0] seen, output bit [767:0] next);
