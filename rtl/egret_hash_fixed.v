// SPDX-License-Identifier: Apache-2.0
// Fixed hashes of the 41-byte record: CRC-32C, or CRC-16/ARC widened by the high half of CRC-32C
// (docs/spec/hash.md). Unselected fields count as zero in place.
//   h = crc32c(record & fields), or {crc32c[31:16], crc16}
//   result = ror32(h ^ seed, rotation)
// Each output bit is the parity of the record under a constant mask, so the network is XOR only.
// Stages as in egret_core: record and fields at S1, algorithm, seed, rotation at S2, hash at S5;
// latency 4 clocks, one a clock, no state. Byte 0 of the record is its most significant byte.
// C twin: egret_hash_record() in cmodel/select/hash.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_hash_fixed (
  input  wire         clk_i,
  // S1
  input  wire [327:0] s1_record_i,
  input  wire [327:0] s1_select_i,
  // S2
  input  wire         s2_crc16_i,
  input  wire [31:0]  s2_seed_i,
  input  wire [4:0]   s2_rotation_i,
  // S5
  output wire [31:0]  s5_hash_o
);

  localparam [31:0] POLY_CRC32C = 32'h82f63b78; // reflected
  localparam [31:0] POLY_CRC16  = 32'h0000a001; // reflected

  // The record bits whose parity is bit `which` of a reflected CRC without initial value. The last
  // bit to enter is bit 7 of byte 40; a bit that enters one step earlier is shifted once more.
  function [327:0] parity_mask(input [31:0] poly, input [4:0] which);
    integer t;
    reg [31:0] s;
    begin
      s = poly;
      for (t = 327; t >= 0; t = t - 1) begin
        parity_mask[(40 - t / 8) * 8 + t % 8] = s[which];
        s = {1'b0, s[31:1]} ^ (s[0] ? poly : 32'd0);
      end
    end
  endfunction

  // CRC-32C of 41 zero bytes: what its initial value and final XOR add.
  function [31:0] zero_crc32c(input [31:0] poly);
    integer t;
    begin
      zero_crc32c = 32'hffffffff;
      for (t = 0; t < 328; t = t + 1)
        zero_crc32c = {1'b0, zero_crc32c[31:1]} ^ (zero_crc32c[0] ? poly : 32'd0);
      zero_crc32c = ~zero_crc32c;
    end
  endfunction

  localparam [31:0] ZERO = zero_crc32c(POLY_CRC32C);

  reg  [327:0] s2_masked_q;
  // Parities of four quarters of the record, CRC-32C in bits 31..0, CRC-16 in 47..32.
  wire [47:0]  s2_q0, s2_q1, s2_q2, s2_q3;
  reg  [47:0]  s3_q0_q, s3_q1_q, s3_q2_q, s3_q3_q;
  reg          s3_crc16_q;
  reg  [31:0]  s3_seed_q, s4_raw_q, s5_hash_q;
  reg  [4:0]   s3_rotation_q, s4_rotation_q;

  genvar i;
  generate
    for (i = 0; i < 48; i = i + 1) begin : gen_bit
      localparam [5:0] I = i;
      localparam [4:0] BIT = I[4:0];
      localparam [327:0] MASK = (i < 32) ? parity_mask(POLY_CRC32C, BIT)
                                         : parity_mask(POLY_CRC16, BIT);
      assign s2_q0[i] = ^(s2_masked_q[81:0] & MASK[81:0]);
      assign s2_q1[i] = ^(s2_masked_q[163:82] & MASK[163:82]);
      assign s2_q2[i] = ^(s2_masked_q[245:164] & MASK[245:164]);
      assign s2_q3[i] = ^(s2_masked_q[327:246] & MASK[327:246]);
    end
  endgenerate

  wire [47:0] s3_crc  = s3_q0_q ^ s3_q1_q ^ s3_q2_q ^ s3_q3_q;
  wire [31:0] s3_long = s3_crc[31:0] ^ ZERO;
  wire [63:0] s4_twice = {s4_raw_q, s4_raw_q} >> s4_rotation_q;
  wire        unused_ok = &{1'b0, s4_twice[63:32]};

  always @(posedge clk_i) begin
    s2_masked_q   <= s1_record_i & s1_select_i;
    s3_q0_q       <= s2_q0;
    s3_q1_q       <= s2_q1;
    s3_q2_q       <= s2_q2;
    s3_q3_q       <= s2_q3;
    s3_crc16_q    <= s2_crc16_i;
    s3_seed_q     <= s2_seed_i;
    s3_rotation_q <= s2_rotation_i;
    s4_raw_q      <= {s3_long[31:16], s3_crc16_q ? s3_crc[47:32] : s3_long[15:0]} ^ s3_seed_q;
    s4_rotation_q <= s3_rotation_q;
    s5_hash_q     <= s4_twice[31:0];
  end

  assign s5_hash_o = s5_hash_q;

endmodule
`default_nettype wire
