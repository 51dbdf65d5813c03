// SPDX-License-Identifier: Apache-2.0
// Jenkins lookup3 (hashlittle) of the 41-byte record (docs/spec/hash.md).
//   result = ror32(hashlittle(record & fields, initial value), rotation)
// One step of additions a stage: 4 stages add the words, 18 mix, 7 finish, 1 rotates.
// Record, fields and initial value (with 0xdeadbeef + 41 added) at F1, rotation at F2, hash at F31;
// latency 30 clocks, one a clock, no state. Byte 0 is the most significant byte of the record.
// C twin: cmodel/select/hash_lookup3.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_hash_lookup3 (
  input  wire         clk_i,
  input  wire         rst_i,
  // F1
  input  wire [327:0] f1_record_i,
  input  wire [327:0] f1_select_i,
  input  wire [31:0]  f1_initial_i,
  // F2
  input  wire [4:0]   f2_rotation_i,
  // F31
  output wire [31:0]  f31_hash_o
);

  wire [327:0] f1_masked = f1_record_i & f1_select_i;

  // Word n of the record, little-endian: its first byte is the least significant.
  wire [32*9-1:0] f1_word;
  genvar i;
  generate
    for (i = 0; i < 9; i = i + 1) begin : gen_word
      wire [31:0] bytes = f1_masked[327-32*i -: 32];
      assign f1_word[32*i +: 32] = {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24]};
    end
  endgenerate
  // The last five bytes: four for a, one for b.
  wire [39:0] f1_tail = {f1_masked[7:0], f1_masked[15:8], f1_masked[23:16], f1_masked[31:24],
                         f1_masked[39:32]};

  wire [95:0] f8_word, f15_word;
  wire [39:0] f22_tail;
  wire [4:0]  f30_rotation;
  egret_delay #(.WIDTH(96), .CYCLES(7)) u_words1 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(f1_word[191:96]), .data_o(f8_word));
  egret_delay #(.WIDTH(96), .CYCLES(14)) u_words2 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(f1_word[287:192]), .data_o(f15_word));
  egret_delay #(.WIDTH(40), .CYCLES(21)) u_tail (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(f1_tail), .data_o(f22_tail));
  egret_delay #(.WIDTH(5), .CYCLES(28)) u_rotation (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(f2_rotation_i), .data_o(f30_rotation));

  function [31:0] rol(input [31:0] v, input [4:0] n);
    rol = (v << n) | (v >> (6'd32 - {1'b0, n}));
  endfunction

  // Rotation amounts of the six mix steps and the seven final steps.
  localparam [5*6-1:0] MIX   = {5'd4, 5'd19, 5'd16, 5'd8, 5'd6, 5'd4};
  localparam [5*7-1:0] FINAL = {5'd24, 5'd14, 5'd4, 5'd16, 5'd25, 5'd11, 5'd14};

  // State {a, b, c} at the output register of each stage: state n enters stage F(n+2).
  // Blocks of seven stages: one adds words, six mix. A mix step works on (p, q, s) = (a, c, b):
  //   p = (p - q) ^ rol(q, n);  q = q + s;  and the next step sees (s, p, q).
  // A final step works on (c, b, a): p = (p ^ q) - rol(q, n); the next step sees (s, p, q).
  reg [96*29-1:0] state_q;
  wire [31:0] init = f1_initial_i;
  reg  [31:0] f31_hash_q;

  // Stage F1: words 0..2, stored in the order (p, q, s) = (a, c, b).
  always @(posedge clk_i)
    state_q[95:0] <= {init + f1_word[31:0], init + f1_word[95:64], init + f1_word[63:32]};

  generate
    for (i = 1; i < 29; i = i + 1) begin : gen_stage
      wire [31:0] p = state_q[96*(i-1)+64 +: 32];
      wire [31:0] q = state_q[96*(i-1)+32 +: 32];
      wire [31:0] s = state_q[96*(i-1) +: 32];
      if (i == 7) begin : gen_add1
        always @(posedge clk_i)
          state_q[96*i +: 96] <= {p + f8_word[31:0], q + f8_word[95:64], s + f8_word[63:32]};
      end else if (i == 14) begin : gen_add2
        always @(posedge clk_i)
          state_q[96*i +: 96] <= {p + f15_word[31:0], q + f15_word[95:64], s + f15_word[63:32]};
      end else if (i == 21) begin : gen_tail
        // Leaves the order (c, b, a) for the final steps.
        always @(posedge clk_i)
          state_q[96*i +: 96] <= {q, s + {24'd0, f22_tail[39:32]}, p + f22_tail[31:0]};
      end else if (i < 21) begin : gen_mix
        localparam [4:0] N = MIX[5*((i - 1) % 7) +: 5];
        always @(posedge clk_i) state_q[96*i +: 96] <= {s, (p - q) ^ rol(q, N), q + s};
      end else begin : gen_final
        localparam [4:0] N = FINAL[5*(i-22) +: 5];
        always @(posedge clk_i) state_q[96*i +: 96] <= {s, (p ^ q) - rol(q, N), q};
      end
    end
  endgenerate

  // After the last step the changed word is the middle one.
  wire [63:0] f30_twice = {state_q[96*28+32 +: 32], state_q[96*28+32 +: 32]} >> f30_rotation;
  wire        unused_ok = &{1'b0, f30_twice[63:32], state_q[96*28+64 +: 32], state_q[96*28 +: 32]};
  always @(posedge clk_i) f31_hash_q <= f30_twice[31:0];
  assign f31_hash_o = f31_hash_q;

endmodule
`default_nettype wire
