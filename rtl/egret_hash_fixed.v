// SPDX-License-Identifier: Apache-2.0
// Fixed hashes of the 41-byte record: CRC-32C, or CRC-16/ARC widened by the high half of CRC-32C
// (docs/spec/hash.md). Unselected fields count as zero in place.
//   h = crc32c(record & fields), or {crc32c[31:16], crc16}
//   result = ror32(h ^ seed, rotation)
// The network is XOR only. A CRC is the remainder of m(x) x^32, m the record as a polynomial, first
// bit to enter highest. Multiples of the generator with few terms shorten it first: where
// x^d = x^a + x^b + ... + 1, all powers from d up move down by XORs of whole vectors. That takes
// half the look-up tables of one parity per output bit. CRC-16/ARC is (x + 1)(x^15 + x + 1): the
// second factor shortens by its squares, x^30 = x^2 + 1 and so on; the first is the parity of the
// record, which survives all multiples above.
// Stages as in egret_core: record and fields at F0, algorithm, seed, rotation at S2, hash at S5;
// latency 5 clocks, one a clock, no state. Byte 0 of the record is its most significant byte.
// C twin: egret_hash_record() in cmodel/select/hash.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_hash_fixed (
  input  wire         clk_i,
  // F0
  input  wire [327:0] f0_record_i,
  input  wire [327:0] f0_select_i,
  // S2
  input  wire         s2_crc16_i,
  input  wire [31:0]  s2_seed_i,
  input  wire [4:0]   s2_rotation_i,
  // S5
  output wire [31:0]  s5_hash_o
);

  localparam [31:0] CRC32C = 32'h1edc6f41; // coefficients of x^31 .. 1

  // Multiples of x^32 + CRC32C with 6 and 8 terms, from a search; checked below.
  localparam A0 = 290, A1 = 136, A2 = 113, A3 = 107, A4 = 32;
  localparam B0 = 209, B1 = 144, B2 = 54, B3 = 39, B4 = 14;
  localparam C0 = 144, C1 = 77, C2 = 68, C3 = 63, C4 = 41, C5 = 40, C6 = 5;
  localparam D0 = 104, D1 = 57, D2 = 53, D3 = 49, D4 = 19, D5 = 14, D6 = 4;
  localparam E0 = 92, E1 = 80, E2 = 65, E3 = 24, E4 = 18, E5 = 17, E6 = 13;

  // x^n modulo x^32 + CRC32C, and its coefficient of x^which for all n below E0.
  function [31:0] power(input integer n);
    integer i;
    begin
      power = 32'd1;
      for (i = 0; i < n; i = i + 1) power = {power[30:0], 1'b0} ^ (power[31] ? CRC32C : 32'd0);
    end
  endfunction
  function [E0-1:0] coefficient(input [4:0] which);
    integer i;
    reg [31:0] p;
    begin
      p = 32'd1;
      for (i = 0; i < E0; i = i + 1) begin
        coefficient[i] = p[which];
        p = {p[30:0], 1'b0} ^ (p[31] ? CRC32C : 32'd0);
      end
    end
  endfunction

  // CRC-32C of 41 zero bytes, x^31 first: what its initial value and final XOR add.
  function [31:0] zero_crc32c(input [31:0] poly);
    integer i;
    begin
      zero_crc32c = 32'hffffffff;
      for (i = 0; i < 328; i = i + 1)
        zero_crc32c = {zero_crc32c[30:0], 1'b0} ^ (zero_crc32c[31] ? poly : 32'd0);
      zero_crc32c = ~zero_crc32c;
    end
  endfunction
  localparam [31:0] ZERO = zero_crc32c(CRC32C);

  generate
    if ((power(A0) ^ power(A1) ^ power(A2) ^ power(A3) ^ power(A4)) != 32'd1 ||
        (power(B0) ^ power(B1) ^ power(B2) ^ power(B3) ^ power(B4)) != 32'd1 ||
        (power(C0) ^ power(C1) ^ power(C2) ^ power(C3) ^ power(C4) ^ power(C5) ^ power(C6)) != 1 ||
        (power(D0) ^ power(D1) ^ power(D2) ^ power(D3) ^ power(D4) ^ power(D5) ^ power(D6)) != 1 ||
        (power(E0) ^ power(E1) ^ power(E2) ^ power(E3) ^ power(E4) ^ power(E5) ^ power(E6)) != 1)
    begin : gen_check
      no_multiple_of_the_polynomial u_bad ();
    end
  endgenerate

  // v with all powers from x^d up moved down, where x^d = x^a + x^b + ... + 1.
  function [359:0] fold4(input [359:0] v, input integer d, a, b, c, e);
    reg [359:0] hi;
    begin
      hi = v >> d;
      fold4 = (v ^ hi << d) ^ hi ^ hi << a ^ hi << b ^ hi << c ^ hi << e;
    end
  endfunction
  function [359:0] fold6(input [359:0] v, input integer d, a, b, c, e, f, g);
    reg [359:0] hi;
    begin
      hi = v >> d;
      fold6 = (v ^ hi << d) ^ hi ^ hi << a ^ hi << b ^ hi << c ^ hi << e ^ hi << f ^ hi << g;
    end
  endfunction
  function [343:0] fold1(input [343:0] v, input integer d, a);
    reg [343:0] hi;
    begin
      hi = v >> d;
      fold1 = (v ^ hi << d) ^ hi ^ hi << a;
    end
  endfunction

  // F1: m(x). Bytes enter in order, each from its least significant bit.
  wire [327:0] f0_masked = f0_record_i & f0_select_i;
  reg  [327:0] f1_m_q;

  // S2: CRC-32C below x^209, CRC-16 below x^128.
  wire [359:0] f1_long  = fold4(fold4(fold4({f1_m_q, 32'd0}, A0, A1, A2, A3, A4),
                                      B0, B1, B2, B3, B4), B0, B1, B2, B3, B4);
  wire [343:0] f1_short = fold1(fold1({f1_m_q, 16'd0}, 240, 16), 120, 8);
  reg  [208:0] s2_long_q;
  reg  [127:0] s2_short_q;

  // S3: below x^92 and x^15, each with the seed where it belongs; parity of the seed's high half.
  wire [359:0] s2_long  = fold6(fold6(fold6({151'd0, s2_long_q}, C0, C1, C2, C3, C4, C5, C6),
                                      D0, D1, D2, D3, D4, D5, D6), E0, E1, E2, E3, E4, E5, E6);
  wire [343:0] s2_short = fold1(fold1(fold1(fold1(fold1({216'd0, s2_short_q}, 120, 8), 60, 4),
                                            30, 2), 15, 1), 15, 1);
  reg  [31:0]  s2_seed;   // x^31 first
  reg  [91:0]  s3_long_q;
  reg  [15:0]  s3_short_q;
  reg          s3_parity_q, s3_crc16_q;
  reg  [4:0]   s3_rotation_q;

  // S4: remainders; what x + 1 adds to that of CRC-16: x^15 + x + 1 or nothing.
  wire [31:0]  s3_rest;
  reg  [31:0]  s4_long_q;
  reg  [15:0]  s4_short_q;
  reg          s4_adjust_q, s4_crc16_q;
  reg  [4:0]   s4_rotation_q;

  // S5: from the order of powers to that of bits, x^31 least significant; rotated.
  wire [15:0]  s4_short = s4_short_q ^ {s4_adjust_q, 13'd0, s4_adjust_q, s4_adjust_q};
  reg  [31:0]  s4_raw;
  wire [63:0]  s4_twice = {s4_raw, s4_raw} >> s4_rotation_q;
  reg  [31:0]  s5_hash_q;

  genvar g;
  generate
    for (g = 0; g < 32; g = g + 1) begin : gen_rest
      localparam [4:0] BIT = g;
      localparam [E0-1:0] MASK = coefficient(BIT);
      assign s3_rest[g] = ^(s3_long_q & MASK) ^ ZERO[g];
    end
  endgenerate

  integer i;
  always @* begin
    for (i = 0; i < 32; i = i + 1) s2_seed[i] = s2_seed_i[31-i];
    for (i = 0; i < 16; i = i + 1) begin
      s4_raw[i]      = s4_crc16_q ? s4_short[15-i] : s4_long_q[31-i];
      s4_raw[i + 16] = s4_long_q[15-i];
    end
  end

  always @(posedge clk_i) begin
    for (i = 0; i < 328; i = i + 1) f1_m_q[i] <= f0_masked[i / 8 * 8 + 7 - i % 8];
    s2_long_q     <= f1_long[208:0];
    s2_short_q    <= f1_short[127:0];
    s3_long_q     <= s2_long[91:0] ^ {60'd0, s2_seed};
    s3_short_q    <= s2_short[15:0] ^ s2_seed[31:16];
    s3_parity_q   <= ^s2_seed_i[31:16];
    s3_crc16_q    <= s2_crc16_i;
    s3_rotation_q <= s2_rotation_i;
    s4_long_q     <= s3_rest;
    s4_short_q    <= s3_short_q;
    s4_adjust_q   <= ^s3_long_q ^ ^s3_short_q ^ s3_parity_q;
    s4_crc16_q    <= s3_crc16_q;
    s4_rotation_q <= s3_rotation_q;
    s5_hash_q     <= s4_twice[31:0];
  end

  wire unused_ok = &{1'b0, s4_twice[63:32], f1_long[359:209], f1_short[343:128],
                     s2_long[359:92], s2_short[343:16]};
  assign s5_hash_o = s5_hash_q;

endmodule
`default_nettype wire
