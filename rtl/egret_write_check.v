// SPDX-License-Identifier: Apache-2.0
// Whether a configuration write is legal (docs/spec/events.md): from what its address allows
// (egret_decode) and its data. An illegal write is ignored and counted. In at S1, out at
// S2, one a clock; state: none but the pipe.
//   any value;  a port below NUM_PORTS in all of the data, or in its low byte;  a hash algorithm
//   that this HASH_KIND has;  a fault write of a counter;  else never
// C twin: egret_ctl_check_write() and egret_ctl_check_fault() in cmodel/select/control.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_write_check #(
  // Switch ports, 1..64.
  parameter NUM_PORTS = 16,
  // 0 fixed, 1 matrix, 2 lookup3.
  parameter HASH_KIND = 1
) (
  input  wire        clk_i,
  // S1: what the address allows {algorithm, low byte a port, a port, anything}; the data
  input  wire [3:0]  s1_may_i,
  input  wire [31:0] s1_data_i,
  input  wire        s1_fault_i,    // a fault write
  input  wire [2:0]  s1_counters_i, // the address is one of a counter: flowlet, group, port
  // S2
  output wire        s2_ok_o
);

  localparam [31:0] PORTS = NUM_PORTS;

  // data < NUM_PORTS, the low seven bits as a boolean function.
  reg     less;
  integer i;
  always @* begin
    less = 1'b0;
    for (i = 0; i < 7; i = i + 1)
      less = (~s1_data_i[i] & PORTS[i]) | (~(s1_data_i[i] ^ PORTS[i]) & less);
  end

  // The low byte a port; bytes that are zero; the low byte an algorithm.
  localparam [7:0] ALGORITHM = (HASH_KIND == 0) ? 8'd0 : (HASH_KIND == 1) ? 8'd15 : 8'd5;
  localparam [7:0] ANOTHER   = (HASH_KIND == 0) ? 8'd3 : ALGORITHM;
  reg [3:0] s2_may_q;
  reg [2:0] s2_zero_q;
  reg       s2_low_q, s2_algorithm_q;
  always @(posedge clk_i) begin
    s2_may_q       <= {s1_may_i[3:1], s1_may_i[0] | (s1_fault_i & (|s1_counters_i))};
    s2_low_q       <= less & ~s1_data_i[7];
    s2_zero_q      <= {s1_data_i[31:24] == 8'd0, s1_data_i[23:16] == 8'd0, s1_data_i[15:8] == 8'd0};
    s2_algorithm_q <= s1_data_i[7:0] == ALGORITHM || s1_data_i[7:0] == ANOTHER;
  end

  wire high_zero = &s2_zero_q;
  assign s2_ok_o = s2_may_q[0] | (s2_may_q[1] & s2_low_q & high_zero) | (s2_may_q[2] & s2_low_q) |
                   (s2_may_q[3] & s2_algorithm_q & high_zero);

`ifdef FORMAL // properties
`ifdef PROVE_egret_write_check
  // No port number beyond the ports enters a table. The module has no reset; this one only says
  // when to look.
  (* anyseq *) wire rst_i;
  reg        f_known_q;
  reg [31:0] f_data_q;
  reg [3:0]  f_may_q;
  always @(posedge clk_i) begin
    f_known_q <= !rst_i;
    f_data_q  <= s1_data_i;
    f_may_q   <= {s1_may_i[3:1], s1_may_i[0] | (s1_fault_i && s1_counters_i != 3'd0)};
  end
  wire f_fixed = f_data_q == `EGRET_HASH_CRC16 || f_data_q == `EGRET_HASH_CRC32C;
  wire f_one   = f_data_q == ((HASH_KIND == 1) ? `EGRET_HASH_MATRIX : `EGRET_HASH_LOOKUP3);
  `EGRET_ASSERT(!f_known_q || s2_ok_o ==
                (f_may_q[0] || (f_may_q[1] && f_data_q < NUM_PORTS) ||
                 (f_may_q[2] && f_data_q[7:0] < NUM_PORTS) ||
                 (f_may_q[3] && ((HASH_KIND == 0) ? f_fixed : f_one))), "legal, S2")
  `EGRET_COVER(f_known_q && f_may_q == 4'd2 && s2_ok_o && f_data_q == NUM_PORTS - 1)
  `EGRET_COVER(f_known_q && f_may_q == 4'd2 && !s2_ok_o)
`endif
`endif

endmodule
`default_nettype wire
