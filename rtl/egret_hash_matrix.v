// SPDX-License-Identifier: Apache-2.0
// Any linear hash of the 41-byte record: one programmable GF(2) matrix (docs/spec/hash.md), held as
// 82 tables of 16 words, one for each nibble of the record.
//   hash = seed ^ T[0][nibble 0] ^ ... ^ T[81][nibble 81]
// Nibble 0 is the high half of byte 0; byte 0 is the most significant byte of the record. The
// control side folds algorithm, key, layout, fields and rotation into the tables.
// Stages as in egret_core: record or write at S1, seed at S2, hash at S5, its parity at S6; one a
// clock. A write takes effect exactly between two slots. A second copy of the tables in block RAM
// serves reads: address at S1, word at S4. State: the tables; cleared by the sweep.
// C twin: cmodel/select/hash_matrix.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_hash_matrix #(
  // 1: every word has a parity bit; those of the words that a packet uses add up to the parity of
  // its hash.
  parameter PARITY = 0
) (
  input  wire         clk_i,
  input  wire         rst_i,
  // sweep
  input  wire         clr_i,
  input  wire [10:0]  clr_addr_i,
  // S1
  input  wire [327:0] s1_record_i,
  input  wire         s1_write_i,
  input  wire [10:0]  s1_addr_i,
  input  wire [31:0]  s1_data_i,
  input  wire         s1_fault_i, // with bad parity
  input  wire         s1_parity_i, // of the data
  // S2
  input  wire [31:0]  s2_seed_i,
  // S4: read data
  output wire [31:0]  s4_word_o,
  // S5
  output wire [31:0]  s5_hash_o,
  // S6: an odd number of bad words went into the hash
  output wire         s6_bad_o
);

  localparam WIDTH   = 32 + PARITY;
  localparam NIBBLES = 82;
  localparam SIXES   = 14; // the last one has four nibbles and the seed

  reg  [327:0]        s2_record_q;
  reg  [NIBBLES-1:0]  s2_table_q; // the table that a write is for; all in the sweep
  reg                 s2_any_write_q;
  reg  [10:0]         s2_addr_q;
  reg  [31:0]         s2_data_q;
  wire [WIDTH-1:0]    s2_word, s2_seed;
  wire [WIDTH-1:0]    s2_share [0:NIBBLES-1]; // an array: Icarus is slow on parts of one vector
  wire [WIDTH*SIXES-1:0] s2_six;
  reg  [WIDTH*SIXES-1:0] s3_six_q;
  wire [WIDTH*3-1:0]    s3_five;
  reg  [WIDTH*3-1:0]    s4_five_q;
  reg  [31:0]           s4_word_q;
  reg  [WIDTH-1:0]      s5_hash_q;
  wire [31:0]           s3_word;

`ifdef FORMAL // what was at S1, at S2
`include "egret_assert.vh"
  reg         f2_write_q, f2_clear_q;
  reg [10:0]  f2_addr_q;
  reg [32:0]  f2_word_q;
  reg [327:0] f2_nibble_q;
  always @(posedge clk_i) begin
    f2_write_q  <= !rst_i && (clr_i || s1_write_i);
    f2_clear_q  <= clr_i;
    f2_addr_q   <= clr_i ? clr_addr_i : s1_addr_i;
    f2_word_q   <= clr_i ? 33'd0 : {(^s1_data_i) ^ s1_fault_i, s1_data_i};
    f2_nibble_q <= s1_record_i;
  end
`endif

  integer n;
  always @(posedge clk_i)
    for (n = 0; n < NIBBLES; n = n + 1)
      s2_table_q[n] <= clr_i || s1_addr_i[10:4] == n[6:0];

  always @(posedge clk_i)
    if (rst_i) s2_any_write_q <= 1'b0;
    else s2_any_write_q <= clr_i | s1_write_i;

  always @(posedge clk_i) begin
    s2_record_q <= s1_record_i;
    s2_addr_q   <= clr_i ? clr_addr_i : s1_addr_i;
    s2_data_q   <= clr_i ? 32'd0 : s1_data_i;
  end

  genvar i;
  generate
    for (i = 0; i < NIBBLES; i = i + 1) begin : gen_nibble
      egret_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(16), .ADDR_W(4), .ASYNC_READ(1)) u_table (
        .clk_i    (clk_i),
        .wr_en_i  (s2_table_q[i] & s2_any_write_q),
        .wr_addr_i(s2_addr_q[3:0]),
        .wr_data_i(s2_word),
        .rd_addr_i(s2_record_q[327-4*i -: 4]),
        .rd_data_o(s2_share[i])
      );
`ifdef FORMAL // properties
      // Any word of the table: a write leaves it with what it is told, and good unless it is a
      // fault write; a record takes it whole.
      (* hierconn *) wire [3:0]       \u_table.f_addr ;
      (* hierconn *) wire [WIDTH-1:0] \u_table.f_word ;
      reg              f_set_q;
      reg  [WIDTH-1:0] f_word_q;
      always @(posedge clk_i) begin
        f_set_q  <= !rst_i && f2_write_q && (f2_clear_q || f2_addr_q[10:4] == i) &&
                    f2_addr_q[3:0] == \u_table.f_addr ;
        f_word_q <= f2_word_q[WIDTH-1:0];
      end
      `EGRET_ASSERT(!f_set_q || \u_table.f_word == f_word_q, "a word is written whole")
      `EGRET_ASSERT(f2_nibble_q[4*(81-i) +: 4] != \u_table.f_addr ||
                    s2_share[i] == \u_table.f_word , "a record takes the word it names")
`endif
    end
    for (i = 0; i < SIXES - 1; i = i + 1) begin : gen_six
      assign s2_six[WIDTH*i +: WIDTH] = s2_share[6*i] ^ s2_share[6*i+1] ^ s2_share[6*i+2] ^
                                        s2_share[6*i+3] ^ s2_share[6*i+4] ^ s2_share[6*i+5];
    end
    assign s2_six[WIDTH*(SIXES-1) +: WIDTH] = s2_share[78] ^ s2_share[79] ^ s2_share[80] ^
                                              s2_share[81] ^ s2_seed;
    for (i = 0; i < 2; i = i + 1) begin : gen_five
      assign s3_five[WIDTH*i +: WIDTH] =
        s3_six_q[WIDTH*5*i +: WIDTH] ^ s3_six_q[WIDTH*(5*i+1) +: WIDTH] ^
        s3_six_q[WIDTH*(5*i+2) +: WIDTH] ^ s3_six_q[WIDTH*(5*i+3) +: WIDTH] ^
        s3_six_q[WIDTH*(5*i+4) +: WIDTH];
    end
    assign s3_five[WIDTH*2 +: WIDTH] = s3_six_q[WIDTH*10 +: WIDTH] ^ s3_six_q[WIDTH*11 +: WIDTH] ^
                                       s3_six_q[WIDTH*12 +: WIDTH] ^ s3_six_q[WIDTH*13 +: WIDTH];

    if (PARITY != 0) begin : gen_parity
      reg s2_parity_q, seed_parity_q, s6_bad_q;
      always @(posedge clk_i) begin
        s2_parity_q   <= (s1_parity_i ^ s1_fault_i) & ~clr_i;
        seed_parity_q <= ^s2_seed_i;
        s6_bad_q      <= ^s5_hash_q;
      end
      assign s2_word  = {s2_parity_q, s2_data_q};
      assign s2_seed  = {seed_parity_q, s2_seed_i};
      assign s6_bad_o = s6_bad_q;
    end else begin : gen_plain
      wire unused_fault = &{1'b0, s1_fault_i, s1_parity_i};
      assign s2_word  = s2_data_q;
      assign s2_seed  = s2_seed_i;
      assign s6_bad_o = 1'b0;
    end
  endgenerate

  egret_ram_1r1w #(.WIDTH(32), .DEPTH(2048), .ADDR_W(11)) u_readback (
    .clk_i    (clk_i),
    .wr_en_i  (s2_any_write_q),
    .wr_addr_i(s2_addr_q),
    .wr_data_i(s2_data_q),
    .rd_addr_i(s2_addr_q),
    .rd_data_o(s3_word)
  );

  always @(posedge clk_i) begin
    s3_six_q  <= s2_six;
    s4_five_q <= s3_five;
    s4_word_q <= s3_word;
    s5_hash_q <= s4_five_q[0 +: WIDTH] ^ s4_five_q[WIDTH +: WIDTH] ^ s4_five_q[2*WIDTH +: WIDTH];
  end

  assign s4_word_o = s4_word_q;
  assign s5_hash_o = s5_hash_q[31:0];

`ifdef FORMAL // properties
  // The words that the record takes and the seed, which is good, are added up whole; the hash is
  // bad if the sum is. As a parity is linear, that is: if an odd number of the words is, whatever
  // the tables hold. The seed stands still but for its own write, which is no packet.
  integer             f_k;
  reg  [WIDTH-1:0]    f3_sum, f4_sum_q, f5_sum_q;
  reg  [WIDTH*SIXES-1:0] f2_six, f3_six_q;
  reg  [31:0]         f2_seed_q;
  reg                 f2_q, f3_q, f4_q, f5_q, f6_q, f6_odd_q;
  wire [32:0]         f_seed = {^s2_seed_i, s2_seed_i};
  (* anyseq *) wire [WIDTH-1:0] f_a, f_b;
  always @* begin
    f2_six = {WIDTH * SIXES{1'b0}};
    for (f_k = 0; f_k < NIBBLES; f_k = f_k + 1)
      f2_six[WIDTH*(f_k/6) +: WIDTH] = f2_six[WIDTH*(f_k/6) +: WIDTH] ^ s2_share[f_k];
    f2_six[WIDTH*(SIXES-1) +: WIDTH] = f2_six[WIDTH*(SIXES-1) +: WIDTH] ^ f_seed[WIDTH-1:0];
    f3_sum = {WIDTH{1'b0}};
    for (f_k = 0; f_k < SIXES; f_k = f_k + 1) f3_sum = f3_sum ^ f3_six_q[WIDTH*f_k +: WIDTH];
  end
  always @(posedge clk_i) begin
    f2_seed_q <= s2_seed_i;
    f3_six_q  <= f2_six;
    {f5_sum_q, f4_sum_q} <= {f4_sum_q, f3_sum};
    f6_odd_q  <= ^f5_sum_q;
    {f6_q, f5_q, f4_q, f3_q, f2_q} <= rst_i ? 5'd0 :
      {f5_q, f4_q, f3_q, f2_q && s2_seed_i == f2_seed_q, 1'b1};
  end
  always @* assume (s1_parity_i == ^s1_data_i); // egret_front
  `EGRET_ASSERT(!s2_any_write_q || s2_word == f2_word_q[WIDTH-1:0], "written, S2")
  `EGRET_ASSERT(!f3_q || s3_six_q == f3_six_q, "sums, S3")
  `EGRET_ASSERT(!f4_q || (s4_five_q[0 +: WIDTH] ^ s4_five_q[WIDTH +: WIDTH] ^
                          s4_five_q[2*WIDTH +: WIDTH]) == f4_sum_q, "sum, S4")
  `EGRET_ASSERT(!f5_q || s5_hash_q == f5_sum_q, "sum, S5")
  `EGRET_ASSERT(^(f_a ^ f_b) == (^f_a) ^ (^f_b), "a parity is linear")
  generate
    if (PARITY != 0) begin : gen_f_parity
      `EGRET_ASSERT(!f6_q || s6_bad_o == f6_odd_q, "an odd number of bad words is seen")
      `EGRET_COVER(f6_q && s6_bad_o)
    end
  endgenerate
  `EGRET_COVER(f5_q && s5_hash_o == 32'd1)
`endif

endmodule
`default_nettype wire
