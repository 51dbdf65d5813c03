// SPDX-License-Identifier: Apache-2.0
// DRILL (docs/spec/spray-quality.md): the emptiest of one or two random live members and of the
// port that the group remembers.
//   best   = sample 1; sample 2 instead if two and band(sample 2) < band(sample 1)
//   memory = what the group's last such packet chose; {dead, band} is its quality, dead if it is
//            not valid or no live member of this packet
//   choice = best if {0, band(best)} < quality(memory), else memory;  memory := {valid, choice}
//
//   S9 samples; memory read   S10 bands of the samples; groups compared   S11 best; writes two to
//   five slots old merged     S12 qualities of what may be the memory      S13 choice  S14 written
//
// The loop S13 -> S13 is one compare and one select: what the packet at S13 may leave, its best or
// its old memory, is looked up for the packet at S12 beside the compare that decides between them.
// A packet without memory (m = 0) takes its best sample and leaves the memory alone; a
// configuration write passes as a packet whose best sample is the data; a read sees s13_memory_o.
// Latency 4 clocks, one slot a clock. State: the memory of every group, changed at S13 of a slot
// that writes; cleared by the sweep.
// C twin: drill() in cmodel/select/spray_quality.c.
// Does not: draw the samples (egret_live_repair); the owner gives S9 flags of slots that count.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_drill #(
  // Ports, 1..64.
  parameter NUM_PORTS = 16,
  // Bits of a port number, $clog2(NUM_PORTS) or 1.
  parameter PORT_W = 4,
  // Bits of a group number.
  parameter GROUP_W = 5,
  // 1: a memory has a parity bit; one with bad parity reads as not valid.
  parameter PARITY = 0
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  // sweep
  input  wire                   clr_i,
  input  wire [GROUP_W-1:0]     clr_group_i,
  // S9: samples, live members of the packet; group of a packet or of a configuration slot
  input  wire [PORT_W-1:0]      s9_sample1_i,
  input  wire [PORT_W-1:0]      s9_sample2_i,
  input  wire [GROUP_W-1:0]     s9_group_i,
  input  wire                   s9_two_i,    // d is 2: the second sample counts
  input  wire                   s9_memory_i, // a packet that is sent by DRILL with m = 1
  input  wire                   s9_write_i,  // a legal write of the group's memory, and its data
  input  wire                   s9_fault_i,  // of a write: with bad parity
  input  wire                   s9_valid_i,
  input  wire [PORT_W-1:0]      s9_port_i,
  // S10: bands of the packet (egret_spray_quality), by planes: bit b of port p at
  // [NUM_PORTS * b + p]
  input  wire [3*NUM_PORTS-1:0] s10_bands_i,
  // S12: the packet's live members and bands
  input  wire [NUM_PORTS-1:0]   s12_mask_i,
  input  wire [3*NUM_PORTS-1:0] s12_bands_i,
  // S13: choice of a packet; memory {valid, port} before this slot
  output wire [PORT_W-1:0]      s13_port_o,
  output wire [PORT_W:0]        s13_memory_o,
  // S13: a packet with memory found bad parity
  output wire                   s13_bad_o
);

  localparam [3:0] DEAD = 4'd8;

  // a < b, 3 bits, as a boolean function.
  function less(input [2:0] a, input [2:0] b);
    less = (~a[2] & b[2]) | (~(a[2] ^ b[2]) & ((~a[1] & b[1]) | (~(a[1] ^ b[1]) & ~a[0] & b[0])));
  endfunction

  // S9: the memory of the group; it comes out at S10 and is registered at S11.
  localparam STORED = PORT_W + 1 + PARITY;
  wire [STORED-1:0]  s10_ram, s14_stored;
  wire [PORT_W:0]    s13_left; // what the slot at S13 leaves, if it writes
  reg  [PORT_W:0]    s14_left_q, s15_left_q, s16_left_q;
  reg  [GROUP_W-1:0] s10_group_q, s11_group_q, s12_group_q, s13_group_q, s14_group_q, s15_group_q;
  reg                s10_memory_q, s11_memory_q, s12_memory_q;
  reg                s10_writes_q, s11_writes_q, s12_writes_q, s13_writes_q, s14_writes_q;
  reg                s15_writes_q;

  egret_ram_1r1w #(.WIDTH(STORED), .DEPTH(1 << GROUP_W), .ADDR_W(GROUP_W)) u_memory (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | s14_writes_q),
    .wr_addr_i(clr_i ? clr_group_i : s14_group_q),
    .wr_data_i(s14_stored & {STORED{~clr_i}}),
    .rd_addr_i(s9_group_i),
    .rd_data_o(s10_ram)
  );

  always @(posedge clk_i)
    if (rst_i) begin
      {s10_writes_q, s11_writes_q, s12_writes_q} <= 3'd0;
      {s13_writes_q, s14_writes_q, s15_writes_q} <= 3'd0;
    end else begin
      {s10_writes_q, s11_writes_q, s12_writes_q} <=
        {s9_memory_i | s9_write_i, s10_writes_q, s11_writes_q};
      {s13_writes_q, s14_writes_q, s15_writes_q} <= {s12_writes_q, s13_writes_q, s14_writes_q};
    end

  // S10: does the slot 1, 2, 3, 4, 5 before this one write the same group?
  reg [5:1] s11_same_q;
  reg       s12_same1_q;
  always @(posedge clk_i) begin
    s10_memory_q <= s9_memory_i;
    s11_memory_q <= s10_memory_q;
    s12_memory_q <= s11_memory_q;
    {s10_group_q, s11_group_q, s12_group_q} <= {s9_group_i, s10_group_q, s11_group_q};
    {s13_group_q, s14_group_q, s15_group_q} <= {s12_group_q, s13_group_q, s14_group_q};
    s11_same_q <= {s15_writes_q && s15_group_q == s10_group_q,
                   s14_writes_q && s14_group_q == s10_group_q,
                   s13_writes_q && s13_group_q == s10_group_q,
                   s12_writes_q && s12_group_q == s10_group_q,
                   s11_writes_q && s11_group_q == s10_group_q};
    s12_same1_q <= s11_same_q[1];
  end

  // S10..S12: the best sample.
  reg  [PORT_W-1:0] s10_sample1_q, s10_sample2_q, s11_sample1_q, s11_sample2_q;
  reg  [PORT_W:0]   s12_best_q, s13_best_q;
  reg  [2:0]        s11_band1_q, s11_band2_q, s12_band_q, s13_band_q;
  reg               s10_two_q, s11_two_q, s10_valid_q, s11_valid_q;
  wire [2:0]        s10_band1, s10_band2;
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(3)) u_band1 (
    .words_i(s10_bands_i), .addr_i(s10_sample1_q), .data_o(s10_band1));
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(3)) u_band2 (
    .words_i(s10_bands_i), .addr_i(s10_sample2_q), .data_o(s10_band2));
  wire              s11_second = s11_two_q & less(s11_band2_q, s11_band1_q);
  always @(posedge clk_i) begin
    s10_sample1_q <= s9_write_i ? s9_port_i : s9_sample1_i;
    s10_sample2_q <= s9_sample2_i;
    s10_valid_q   <= s9_valid_i | ~s9_write_i;
    s10_two_q     <= s9_two_i & ~s9_write_i;
    s11_sample1_q <= s10_sample1_q;
    s11_sample2_q <= s10_sample2_q;
    s11_valid_q   <= s10_valid_q;
    s11_two_q     <= s10_two_q;
    s11_band1_q   <= s10_band1;
    s11_band2_q   <= s10_band2;
    s12_best_q    <= {s11_valid_q, s11_second ? s11_sample2_q : s11_sample1_q};
    s12_band_q    <= s11_second ? s11_band2_q : s11_band1_q;
    s13_best_q    <= s12_best_q;
    s13_band_q    <= s12_band_q;
  end

  // S11: the memory, as slots two and more before this one leave it. S12: as all leave it.
  reg  [PORT_W:0] s11_ram_q, s12_merged_q, s13_old_q;
  wire            s12_bad;
  reg  [3:0]      s13_quality_q;
  wire            s13_take   = s13_quality_q[3] | less(s13_band_q, s13_quality_q[2:0]);

  // S12: {live, band} of every port of this packet; {dead, band} of what may be its memory.
  wire [4*NUM_PORTS-1:0] s12_ports = {s12_mask_i, s12_bands_i};
  wire [3:0]             s12_merged, s12_best, s12_old;
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(4)) u_merged (
    .words_i(s12_ports), .addr_i(s12_merged_q[PORT_W-1:0]), .data_o(s12_merged));
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(4)) u_best (
    .words_i(s12_ports), .addr_i(s13_best_q[PORT_W-1:0]), .data_o(s12_best));
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(4)) u_old (
    .words_i(s12_ports), .addr_i(s13_old_q[PORT_W-1:0]), .data_o(s12_old));
  wire [3:0] s12_q_merged = {~(s12_merged[3] & s12_merged_q[PORT_W] & ~s12_bad), s12_merged[2:0]};
  wire [3:0] s12_q_best   = {~(s12_best[3] & s13_best_q[PORT_W]), s12_best[2:0]};
  wire [3:0] s12_q_old    = {~s12_old[3], s12_old[2:0]}; // it stays only if it is valid

  assign s13_left = s13_take ? s13_best_q : s13_old_q;
  always @(posedge clk_i) begin
    s11_ram_q     <= s10_ram[PORT_W:0];
    s12_merged_q  <= s11_same_q[2] ? s13_left :
                     s11_same_q[3] ? s14_left_q : s11_same_q[4] ? s15_left_q :
                     s11_same_q[5] ? s16_left_q : s11_ram_q;
    s13_old_q     <= s12_same1_q ? s13_left : s12_merged_q;
    s13_quality_q <= (s12_q_merged & {4{s12_memory_q & ~s12_same1_q}}) |
                     (s12_q_best & {4{s12_memory_q & s12_same1_q & s13_take}}) |
                     (s12_q_old & {4{s12_memory_q & s12_same1_q & ~s13_take}}) |
                     (DEAD & {4{~s12_memory_q}});
    s14_left_q    <= s13_left;
    s15_left_q    <= s14_left_q;
    s16_left_q    <= s15_left_q;
  end
  // Parity. What a slot ahead still carries is good: none of the five behind a fault write comes to
  // its memory.
  generate
    if (PARITY != 0) begin : gen_parity
      reg [14:10] fault_q;
      reg         s11_parity_q, s12_bad_q, s13_bad_q;
      always @(posedge clk_i) begin
        fault_q      <= {fault_q[13:10], s9_write_i & s9_fault_i};
        s11_parity_q <= s10_ram[PORT_W+1];
        s12_bad_q    <= (s11_parity_q ^ (^s11_ram_q)) & ~(|s11_same_q[5:2]);
        s13_bad_q    <= s12_bad_q & ~s12_same1_q & s12_memory_q & s12_writes_q &
                        ~rst_i;
      end
      assign s12_bad    = s12_bad_q;
      assign s13_bad_o  = s13_bad_q;
      assign s14_stored = {(^s14_left_q) ^ fault_q[14], s14_left_q};
    end else begin : gen_plain
      wire unused_fault = &{1'b0, s9_fault_i};
      assign s12_bad    = 1'b0;
      assign s13_bad_o  = 1'b0;
      assign s14_stored = s14_left_q;
    end
  endgenerate

  assign s13_port_o   = s13_left[PORT_W-1:0];
  assign s13_memory_o = s13_old_q;

  `EGRET_ASSERT(!clr_i || !s14_writes_q, "a memory is written during the sweep")

`ifdef FORMAL // properties
  // One group, any, against a memory that is changed at S13 of each slot in turn; it counts from a
  // reset, whatever the table holds then. What the pipe will deliver for it is what that memory
  // holds, at every stage; f_bad_q: with bad parity.
  (* hierconn *) wire [GROUP_W-1:0] \u_memory.f_addr ;
  (* hierconn *) wire [STORED-1:0]  \u_memory.f_word ;
  wire [GROUP_W-1:0] f_group = \u_memory.f_addr ;
  reg                f_known_q, f10_q, f11_q, f12_q, f13_q, f16_writes_q, f_sweep_q;
  reg  [GROUP_W-1:0] f16_group_q;
  reg  [PORT_W:0]    f_value_q;
  reg                f_bad_q;
  wire               f_word_bad, f14_fault, f13_fault;
  wire               f_clear = clr_i && clr_group_i == f_group;
  always @(posedge clk_i) begin
    f16_group_q  <= s15_group_q;
    f_sweep_q    <= rst_i | clr_i;
    if (f_clear) {f_bad_q, f_value_q} <= {PORT_W + 2{1'b0}};
    else if (rst_i) {f_bad_q, f_value_q} <= (f14_left && !clr_i) ?
      {f14_fault, s14_left_q} : {f_word_bad, \u_memory.f_word [PORT_W:0]};
    else if (s13_writes_q && s13_group_q == f_group) {f_bad_q, f_value_q} <= {f13_fault, s13_left};
    if (rst_i) f_known_q <= 1'b1;
    if (rst_i) {f10_q, f11_q, f12_q, f13_q, f16_writes_q} <= 5'd0;
    else begin
      {f10_q, f11_q, f12_q, f13_q} <= {f_known_q & ~clr_i, f10_q, f11_q, f12_q};
      f16_writes_q <= s15_writes_q;
    end
  end
  wire f10 = f10_q && s10_group_q == f_group;
  wire f11 = f11_q && s11_group_q == f_group;
  wire f12 = f12_q && s12_group_q == f_group;
  wire f13 = f13_q && s13_group_q == f_group;
  wire f14_left = s14_writes_q && s14_group_q == f_group;
  wire f15_left = s15_writes_q && s15_group_q == f_group;
  wire f_writes = s10_writes_q | s11_writes_q | s12_writes_q | s13_writes_q | s14_writes_q |
                  s15_writes_q | f16_writes_q;

  // The slot on its way: bands (as at S10), live members, samples and flags.
  localparam F_PADDED = 1 << PORT_W;
  reg  [3*F_PADDED-1:0] f10_bands, f11_bands_q, f12_bands_q, f13_bands_q;
  reg  [3*NUM_PORTS-1:0] f11_planes_q, f12_planes_q;
  integer f_p;
  reg  [F_PADDED-1:0]   f12_mask, f13_mask_q;
  reg  [2*PORT_W+2:0]   f10_slot_q, f11_slot_q, f12_slot_q, f13_slot_q;
  reg  [3:0]            f_clocks_q; // bit n: the slot at S(n + 10) was at S9 after the reset
  always @* begin
    f10_bands = {3 * F_PADDED{1'b0}};
    for (f_p = 0; f_p < NUM_PORTS; f_p = f_p + 1)
      f10_bands[3*f_p +: 3] = {s10_bands_i[2*NUM_PORTS+f_p], s10_bands_i[NUM_PORTS+f_p],
                               s10_bands_i[f_p]};
    f12_mask = {F_PADDED{1'b0}};
    f12_mask[NUM_PORTS-1:0] = s12_mask_i;
  end
  always @(posedge clk_i) begin
    {f11_planes_q, f12_planes_q} <= {s10_bands_i, f11_planes_q};
    {f11_bands_q, f12_bands_q, f13_bands_q} <= {f10_bands, f11_bands_q, f12_bands_q};
    f13_mask_q <= f12_mask;
    f10_slot_q <= {s9_memory_i, s9_two_i && !s9_write_i, s9_valid_i || !s9_write_i, s9_sample2_i,
                   s9_write_i ? s9_port_i : s9_sample1_i};
    {f11_slot_q, f12_slot_q, f13_slot_q} <= {f10_slot_q, f11_slot_q, f12_slot_q};
    f_clocks_q <= rst_i ? 4'd0 : {f_clocks_q[2:0], 1'b1};
  end
  function [2:0] f_band(input [3*F_PADDED-1:0] bands, input [PORT_W-1:0] port);
    reg [3*F_PADDED-1:0] rest;
    begin
      rest = bands >> (3 * port);
      f_band = rest[2:0];
    end
  endfunction
  // {band, entry} of the better sample.
  function [PORT_W+3:0] f_best(input [2*PORT_W+2:0] slot, input [3*F_PADDED-1:0] bands);
    reg [PORT_W-1:0] one, two;
    begin
      {two, one} = slot[2*PORT_W-1:0];
      f_best = (slot[2*PORT_W+1] && f_band(bands, two) < f_band(bands, one)) ?
               {f_band(bands, two), slot[2*PORT_W], two} :
               {f_band(bands, one), slot[2*PORT_W], one};
    end
  endfunction
  wire              f13_memory = f13_slot_q[2*PORT_W+2];
  wire              f13_valid;
  wire [PORT_W-1:0] f13_port, f13_first;
  wire [2:0]        f13_band;
  wire              f13_first_valid;
  assign f13_valid = s13_old_q[PORT_W] && !s13_bad_o;
  assign f13_port  = s13_old_q[PORT_W-1:0];
  assign {f13_band, f13_first_valid, f13_first} = f_best(f13_slot_q, f13_bands_q);
  wire f13_stays = f13_memory && f13_valid && f13_mask_q[f13_port] &&
                   !(f13_band < f_band(f13_bands_q, f13_port));

`ifdef PROVE_egret_drill
  `EGRET_ASSUME(!clr_i || f_sweep_q)
  `EGRET_ASSUME(!clr_i || !(s9_memory_i || s9_write_i))
  `EGRET_ASSUME(!(s9_memory_i && s9_write_i))
  always @* assume (s12_bands_i == f12_planes_q); // egret_spray_quality
  `EGRET_COVER(f13 && f13_stays && s12_same1_q && f13_port != s13_best_q[PORT_W-1:0])
  `EGRET_COVER(f13 && f13_memory && f13_valid && !f13_stays && f13_mask_q[f13_port])
  `EGRET_COVER(f13 && f13_memory && f13_valid && !f13_mask_q[f13_port] && !f13_stays)
`else
  `EGRET_ASSERT(!clr_i || f_sweep_q, "sweep behind a reset")
  `EGRET_ASSERT(!clr_i || !(s9_memory_i || s9_write_i), "slot during the sweep")
`endif
  `EGRET_ASSERT(!f_sweep_q || !(f_writes || f10_q || f11_q || f12_q || f13_q), "empty in the sweep")
  genvar f_k;
  generate
    for (f_k = 1; f_k <= 5; f_k = f_k + 1) begin : gen_f_same
      wire [GROUP_W-1:0] f_g = (f_k == 1) ? s12_group_q : (f_k == 2) ? s13_group_q :
                               (f_k == 3) ? s14_group_q : (f_k == 4) ? s15_group_q : f16_group_q;
      wire f_w = (f_k == 1) ? s12_writes_q : (f_k == 2) ? s13_writes_q :
                 (f_k == 3) ? s14_writes_q : (f_k == 4) ? s15_writes_q : f16_writes_q;
      `EGRET_ASSERT(!f_clocks_q[1] || s11_same_q[f_k] == (f_w && f_g == s11_group_q), "same, S11")
    end
  endgenerate
  `EGRET_ASSERT(!f_clocks_q[2] || s12_same1_q == (s13_writes_q && s13_group_q == s12_group_q),
                "same group, S12")
  `EGRET_ASSERT((!f_clocks_q[0] || !s10_memory_q || s10_writes_q) &&
                (!f_clocks_q[1] || !s11_memory_q || s11_writes_q) &&
                (!f_clocks_q[2] || !s12_memory_q || s12_writes_q), "a packet with memory writes it")
  `EGRET_ASSERT((!f10_q || f_clocks_q[0]) && (!f11_q || f_clocks_q[1]) &&
                (!f12_q || f_clocks_q[2]) && (!s13_writes_q || f_clocks_q[3]) &&
                (!s12_writes_q || f_clocks_q[2]) && (!s11_writes_q || f_clocks_q[1]) &&
                (!s10_writes_q || f_clocks_q[0]), "slots that count came in after the reset")
  `EGRET_ASSERT(!f_known_q || f_value_q == (f14_left ? s14_left_q : \u_memory.f_word [PORT_W:0]),
                "memory")
  `EGRET_ASSERT(!f10 || f_value_q == (f14_left ? s14_left_q : f15_left ? s15_left_q :
                                                                            s10_ram[PORT_W:0]),
                "S10")
  `EGRET_ASSERT(!f11 || f_value_q == (s11_same_q[3] ? s14_left_q : s11_same_q[4] ? s15_left_q :
                                      s11_same_q[5] ? s16_left_q : s11_ram_q), "S11")
  `EGRET_ASSERT(!f12 || f_value_q == s12_merged_q, "S12")
  `EGRET_ASSERT(!f13 || f_value_q == s13_memory_o, "the memory is that of one-at-a-time execution")
  `EGRET_ASSERT((f_clocks_q & (f_clocks_q + 4'd1)) == 4'd0, "clocks since the reset")
  `EGRET_ASSERT(!f_clocks_q[0] || f10_slot_q == {s10_memory_q, s10_two_q, s10_valid_q,
                                                 s10_sample2_q, s10_sample1_q}, "slot, S10")
  `EGRET_ASSERT(!f_clocks_q[1] || f11_slot_q == {s11_memory_q, s11_two_q, s11_valid_q,
                                                 s11_sample2_q, s11_sample1_q}, "slot, S11")
  `EGRET_ASSERT(!f_clocks_q[1] || s11_band1_q == f_band(f11_bands_q, s11_sample1_q), "band 1")
  `EGRET_ASSERT(!f_clocks_q[1] || s11_band2_q == f_band(f11_bands_q, s11_sample2_q), "band 2")
  `EGRET_ASSERT(!f_clocks_q[2] || {s12_band_q, s12_best_q} == f_best(f12_slot_q, f12_bands_q) &&
                                  s12_memory_q == f12_slot_q[2*PORT_W+2], "S12")
  `EGRET_ASSERT(!f_clocks_q[3] || {s13_band_q, s13_best_q} == f_best(f13_slot_q, f13_bands_q),
                "the best sample")
  `EGRET_ASSERT(!f_clocks_q[3] || s13_quality_q == (f13_memory ?
                {!(f13_valid && f13_mask_q[f13_port]), f_band(f13_bands_q, f13_port)} : DEAD),
                "quality of the memory")
  `EGRET_ASSERT(!f_clocks_q[3] ||
                s13_left == (f13_stays ? s13_old_q : {f13_first_valid, f13_first}), "the choice")

  // Parity: what is stored is good but for fault writes, and a packet with memory is told of any
  // word that is not. Nobody comes to the memories close behind a fault write.
  generate
    if (PARITY != 0) begin : gen_f_parity
      wire [14:10] f_fault = \gen_parity.fault_q ;
      wire [14:10] f_w     = {s14_writes_q, s13_writes_q, s12_writes_q, s11_writes_q, s10_writes_q};
      reg          f15_fault_q;
      always @(posedge clk_i) f15_fault_q <= f_fault[14];
      assign f_word_bad = ^\u_memory.f_word ;
      assign f14_fault  = f_fault[14];
      assign f13_fault  = f_fault[13];
`ifdef PROVE_egret_drill
      `EGRET_ASSUME(!((s9_memory_i || s9_write_i) && f_fault != 5'd0))
      `EGRET_COVER(f13 && f_bad_q && s13_bad_o && s13_old_q[PORT_W])
`endif
      `EGRET_ASSERT(!(f_fault[11] && f_w[10]) && !(f_fault[12] && f_w[11:10] != 2'd0) &&
                    !(f_fault[13] && f_w[12:10] != 3'd0) && !(f_fault[14] && f_w[13:10] != 4'd0) &&
                    !(f15_fault_q && f_w != 5'd0), "slots close behind a fault write")
      `EGRET_ASSERT(!f_known_q || f_bad_q == (f14_left ? f14_fault : f_word_bad), "stored parity")
      `EGRET_ASSERT(!f10 || !s10_memory_q || f_bad_q == (!f14_left && !f15_left && ^s10_ram),
                    "bad, S10")
      `EGRET_ASSERT(!f11 || !s11_memory_q ||
                    f_bad_q == (s11_same_q[5:3] == 3'd0 && \gen_parity.s11_parity_q ^ (^s11_ram_q)),
                    "bad, S11")
      `EGRET_ASSERT(!f12 || !s12_memory_q || f_bad_q == s12_bad, "bad, S12")
      `EGRET_ASSERT(!f13 || s13_bad_o == (f_bad_q && f13_memory), "a bad memory is seen")
    end else begin : gen_f_plain
      assign {f_word_bad, f14_fault, f13_fault} = 3'd0;
    end
  endgenerate
`endif

endmodule
`default_nettype wire
