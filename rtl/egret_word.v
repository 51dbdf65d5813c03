// SPDX-License-Identifier: Apache-2.0
// The word of a slot at S6, and the repair bits of a packet: what its scheme or its address names.
//   ecmp, fixed    {hash}               r = hash[31:16]; also flowlet, and small packets of
//                                       spray-quality
//   entropy        {hash[31:16], slice} r = hash[31:16]; slice = entropy >> the group's offset
//   spray-random   {random}             r = random[31:16]; also spray-quality
//   rotation       {pointer entry}      r from egret_pointers
// The low half names the bucket (egret_ecmp). A packet dropped early has the word 0, a write keeps
// its data, a read gathers what the tables of S3, S4 and S5 hold. The generator steps at S4.
// State: the generator (egret_spray_random). C twin: any_packet() in cmodel/select/apply.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_regs.vh"

module egret_word #(
  // As in egret_core.
  parameter SCHEMES = 126
) (
  input  wire        clk_i,
  input  wire        rst_i,
  // S1, S3: entropy field of the packet, offset of its group
  input  wire [31:0] s1_entropy_i,
  input  wire [4:0]  s3_shift_i,
  // S3: the address names the generator
  input  wire        s3_is_random_i,
  // S4: kind of slot, scheme spray-random; words of the tables, taken by a read: global, group,
  // queue depth, matrix
  input  wire        s4_packet_i,
  input  wire        s4_write_i,
  input  wire        s4_read_i,
  input  wire        s4_random_i,
  input  wire [3:0]  s4_take_i,
  input  wire [31:0] s4_data_i,
  input  wire        s4_zero_i, // of a write: the data is 0
  input  wire [31:0] s4_global_i,
  input  wire [31:0] s4_group_i,
  input  wire [31:0] s4_queue_i,
  input  wire [31:0] s4_matrix_i,
  // S5: hash, pointer entry and its repair bits; what is taken (egret_scheme)
  input  wire [31:0] s5_hash_i,
  input  wire [31:0] s5_entry_i,
  input  wire [15:0] s5_entry_random_i,
  input  wire        s5_rotate_i,
  input  wire        s5_random_i,
  input  wire        s5_take_entry_i,
  input  wire        s5_take_high_i,
  input  wire        s5_take_low_i,
  input  wire        s5_take_other_i,
  // S6
  output wire [31:0] s6_data_o,
  output wire [31:0] s6_number_o, // the packet's random number
  output wire [15:0] s6_random_o
);

  localparam [15:0] HAVE = SCHEMES[15:0];

  wire [31:0] s4_state, s4_number;
  wire [15:0] s4_slice;
  reg  [31:0] s5_data_q, s5_other_q, s6_data_q, s5_number_q, s6_number_q;
  reg  [15:0] s6_random_q;
  reg         s4_is_random_q;

  generate
    if (HAVE[`EGRET_SCHEME_ENTROPY]) begin : gen_entropy
      egret_entropy u_entropy (
        .clk_i       (clk_i),
        .rst_i       (rst_i),
        .s1_entropy_i(s1_entropy_i),
        .s3_offset_i (s3_shift_i),
        .s4_slice_o  (s4_slice)
      );
    end else begin : gen_no_entropy
      wire unused_ok = &{1'b0, s1_entropy_i, s3_shift_i};
      assign s4_slice = 16'd0;
    end
    if (|HAVE[8:6]) begin : gen_random
      egret_spray_random u_spray_random (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .s4_packet_i(s4_packet_i),
        .s4_write_i (s4_write_i & s4_is_random_q),
        .s4_data_i  (s4_data_i),
        .s4_zero_i  (s4_zero_i),
        .s4_state_o (s4_state),
        .s4_random_o(s4_number)
      );
    end else begin : gen_no_random
      wire unused_ok = &{1'b0, rst_i, s4_write_i, s4_zero_i};
      assign s4_state  = 32'd0;
      assign s4_number = 32'd0;
    end
  endgenerate

  wire [31:0] s5_hash = {s5_hash_i[31:16] & {16{s5_take_high_i}},
                         s5_hash_i[15:0] & {16{s5_take_low_i}}};

  always @(posedge clk_i) begin
    s4_is_random_q <= s3_is_random_i;
    s5_other_q     <= s4_random_i ? s4_number : {16'd0, s4_slice};
    s5_data_q      <= (s4_data_i & {32{~s4_packet_i}}) |
                      (s4_state & {32{s4_read_i & s4_is_random_q}}) |
                      (s4_global_i & {32{s4_take_i[0]}}) | (s4_group_i & {32{s4_take_i[1]}}) |
                      (s4_queue_i & {32{s4_take_i[2]}}) | (s4_matrix_i & {32{s4_take_i[3]}});
    s5_number_q    <= s4_number;
    s6_number_q    <= s5_number_q;
    s6_data_q      <= s5_data_q | s5_hash | (s5_entry_i & {32{s5_take_entry_i}}) |
                      (s5_other_q & {32{s5_take_other_i}});
    s6_random_q    <= s5_rotate_i ? s5_entry_random_i :
                      s5_random_i ? s5_other_q[31:16] : s5_hash_i[31:16];
  end

  assign s6_data_o   = s6_data_q;
  assign s6_random_o = s6_random_q;
  assign s6_number_o = s6_number_q;

`ifdef FORMAL // properties
`ifdef PROVE_egret_word
`include "egret_assert.vh"
  // What a slot at S4 and S5 names is its word at S6: the data of a write; the word of a read, from
  // one of the tables or gathered before; what its scheme takes for a packet.
  reg         f4_is_random_q, f4_one, f5_one_q, f5_packet_q, f5_read_q, f5_random_q, f6_check_q;
  reg         f6_check;
  reg  [31:0] f4_word, f5_word_q, f5_number_q, f6_word, f6_word_q, f6_number_q;
  reg  [15:0] f5_slice_q, f6_random_q;
  wire [3:0]  f5_take = {s5_take_entry_i, s5_take_high_i, s5_take_low_i, s5_take_other_i};
  always @* begin
    f4_one  = s4_write_i ? s4_take_i == 4'd0 : s4_read_i && s4_data_i == 32'd0;
    f4_word = s4_data_i;
    if (s4_read_i)
      case ({f4_is_random_q, s4_take_i})
        5'b00000: f4_one  = 1'b1;
        5'b00001: f4_word = s4_global_i;
        5'b00010: f4_word = s4_group_i;
        5'b00100: f4_word = s4_queue_i;
        5'b01000: f4_word = s4_matrix_i;
        5'b10000: f4_word = s4_state;
        default:  f4_one  = 1'b0;
      endcase
    f6_check = f5_one_q && f5_take == 4'd0;
    f6_word  = f5_word_q;
    if (f5_packet_q || (f5_one_q && f5_read_q && f5_word_q == 32'd0))
      case (f5_take)
        4'b1000: {f6_check, f6_word} = {1'b1, s5_entry_i};
        4'b0110: {f6_check, f6_word} = {f5_packet_q, s5_hash_i};
        4'b0101: begin
          f6_check = f5_packet_q && !f5_random_q;
          f6_word  = {s5_hash_i[31:16], f5_slice_q};
        end
        4'b0001: {f6_check, f6_word} = {f5_packet_q && f5_random_q, f5_number_q};
        4'b0000: {f6_check, f6_word} = {1'b1, f5_packet_q ? 32'd0 : f5_word_q};
        default: f6_check = 1'b0;
      endcase
  end
  always @(posedge clk_i) begin
    f4_is_random_q <= s3_is_random_i;
    f5_one_q       <= f4_one && !rst_i;
    f5_packet_q    <= s4_packet_i && !rst_i;
    f5_read_q      <= s4_read_i;
    f5_random_q    <= s4_random_i;
    f5_word_q      <= f4_word;
    f5_number_q    <= s4_number;
    f5_slice_q     <= s4_slice;
    f6_check_q     <= f6_check && !rst_i;
    f6_word_q      <= f6_word;
    f6_number_q    <= f5_number_q;
    f6_random_q    <= s5_rotate_i ? s5_entry_random_i :
                      !s5_random_i ? s5_hash_i[31:16] :
                      f5_random_q ? f5_number_q[31:16] : 16'd0;
  end
  // One kind a slot; no table is taken but by a read. Both are egret_core's matter.
  `EGRET_ASSUME({1'b0, s4_packet_i} + {1'b0, s4_write_i} + {1'b0, s4_read_i} <= 2'd1)
  `EGRET_ASSUME(!s4_packet_i || s4_take_i == 4'd0)
  `EGRET_ASSUME(s4_zero_i == (s4_data_i == 32'd0))
  `EGRET_ASSERT(!f6_check_q || s6_data_o == f6_word_q, "word")
  `EGRET_ASSERT(!f6_check_q || (s6_number_o == f6_number_q && s6_random_o == f6_random_q),
                "number, repair bits")
  `EGRET_COVER(f6_check_q && s6_data_o != 32'd0 && s6_random_o == 16'd3)
`endif
`endif

endmodule
`default_nettype wire
