// SPDX-License-Identifier: Apache-2.0
// Whether a configuration write is legal (docs/spec/events.md): from what its address allows
// (egret_decode) and its data. An illegal write is ignored and counted. Combinational at S1.
//   any value;  a port below NUM_PORTS in all of the data, or in its low byte;  a hash algorithm
//   that this HASH_KIND has;  else never
// C twin: egret_ctl_check_write() in cmodel/select/control.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_regs.vh"

module egret_write_check #(
  // Switch ports, 1..64.
  parameter NUM_PORTS = 16,
  // 0 fixed, 1 matrix, 2 lookup3.
  parameter HASH_KIND = 1
) (
  input  wire        any_i,
  input  wire        port_i,
  input  wire        low_i,
  input  wire        algorithm_i,
  input  wire [31:0] data_i,
  output wire        ok_o
);

  localparam [31:0] PORTS = NUM_PORTS;

  // data < NUM_PORTS, the low seven bits as a boolean function.
  reg     less;
  integer i;
  always @* begin
    less = 1'b0;
    for (i = 0; i < 7; i = i + 1) less = (~data_i[i] & PORTS[i]) | (~(data_i[i] ^ PORTS[i]) & less);
  end
  wire low_ok  = less & ~data_i[7];
  wire port_ok = low_ok & ~(|data_i[31:8]);

  reg algorithm_ok;
  always @*
    if (HASH_KIND == 0)
      algorithm_ok = data_i == `EGRET_HASH_CRC16 || data_i == `EGRET_HASH_CRC32C;
    else if (HASH_KIND == 1) algorithm_ok = data_i == `EGRET_HASH_MATRIX;
    else algorithm_ok = data_i == `EGRET_HASH_LOOKUP3;

  assign ok_o = any_i | (port_i & port_ok) | (low_i & low_ok) | (algorithm_i & algorithm_ok);

`ifdef FORMAL // properties
  // No port number beyond the ports enters a table.
  always @* begin
    assert (port_ok == (data_i < NUM_PORTS));
    assert (low_ok == (data_i[7:0] < NUM_PORTS));
    assert (any_i || low_i || algorithm_i || !ok_o || (port_i && data_i < NUM_PORTS));
    cover (port_i && ok_o && data_i == NUM_PORTS - 1);
    cover (port_i && !ok_o);
  end
`endif

endmodule
`default_nettype wire
