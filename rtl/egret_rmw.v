// SPDX-License-Identifier: Apache-2.0
// A table whose entries are read, changed and written back, one entry a clock, with every entry
// still in the pipe forwarded: the result equals one-at-a-time execution in slot order.
//
//   T1 address in    T2 RAM output    T3 merge writes two to four slots old
//   T4 old value out, new value in    T5 write
//
// The old value is what the last slot before this one with the same address wrote, else the memory.
// It comes in two parts: t4_last_o (what the slot just before left) if t4_forward_o, else
// t4_merged_o. An owner with a slow change applies it to both and chooses last, which keeps the
// choice off the front of the loop T4 -> T4.
// Latency 3 clocks from address to old value; one slot a clock; never stalls. State: the memory;
// it advances at T5 of a slot with write_i. clr_i writes zero to clr_addr_i (sweep: from the clock
// behind rst_i on, without a gap; no slot may be in flight then; nothing from DEPTH on).
// C twin: an array element changed in place (cmodel/select/rotation.c, apply.c counters).
// Does not: range checks; addresses of slots must be below DEPTH.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_rmw #(
  // Bits an entry.
  parameter WIDTH = 8,
  // Entries.
  parameter DEPTH = 16,
  // Address bits, $clog2(DEPTH) or 1.
  parameter ADDR_W = 4,
  // 1: what the sweep writes is a register that it holds at zero, fewest cells; 0: a multiplexer
  // behind the register, which leaves the loop T4 -> T4 free of a reset.
  parameter ZERO_BY_RESET = 1,
  // 1: entries have parity. A slot with t4_flip_i writes that inverted; none of the four
  // slots behind may come to the same entry.
  parameter PARITY = 0,
  // 1: whether any part of the parity is wrong is asked at T4, so that T3 holds the XORs alone: for
  // few parts, and where a slot does little behind it.
  parameter LATE_BAD = 0
) (
  input  wire              clk_i,
  input  wire              rst_i,
  // sweep
  input  wire              clr_i,
  input  wire [ADDR_W-1:0] clr_addr_i,
  // slot, stage T1
  input  wire [ADDR_W-1:0] t1_addr_i,
  // slot, stage T4
  output wire              t4_forward_o,
  output wire [WIDTH-1:0]  t4_last_o,
  output wire [WIDTH-1:0]  t4_merged_o,
  input  wire              t4_write_i,
  input  wire              t4_flip_i,
  output wire              t4_bad_o, // the memory gave the old value, and its parity is wrong
  input  wire [WIDTH-1:0]  t4_new_i
);

  reg [ADDR_W-1:0] t2_addr_q, t3_addr_q, t4_addr_q, t5_addr_q, t6_addr_q;
  reg [WIDTH-1:0]  t5_new_q, t6_new_q, t7_new_q;
  reg              t5_write_q, t6_write_q, t7_write_q;
  // At T3: does this slot's address equal that of the slot 1, 2, 3, 4 before it?
  reg              t3_same1_q, t3_same2_q, t3_same3_q, t3_same4_q, t4_forward_q;
  reg [WIDTH-1:0]  t3_ram_q, t4_merged_q;
  wire [WIDTH-1:0] t2_ram;
  wire             t3_use2 = t3_same2_q & t5_write_q;
  wire             t3_use3 = t3_same3_q & t6_write_q;
  wire             t3_use4 = t3_same4_q & t7_write_q;

  // Parity bits: one for every 15 bits of data. One over 80 would be too deep for a clock.
  localparam PART   = 15;
  localparam PARTS  = (PARITY != 0) ? (WIDTH + PART - 1) / PART : 0;
  localparam STORED = WIDTH + PARTS;
  wire clr_inside = clr_i && {{32 - ADDR_W{1'b0}}, clr_addr_i} < DEPTH;

  wire [WIDTH-1:0] t5_word = (clr_i && ZERO_BY_RESET == 0) ? {WIDTH{1'b0}} : t5_new_q;
  wire [STORED-1:0] t5_stored, t2_stored;
  wire              t5_flip; // the write is inverted

  egret_ram_1r1w #(.WIDTH(STORED), .DEPTH(DEPTH), .ADDR_W(ADDR_W)) u_ram (
    .clk_i    (clk_i),
    .wr_en_i  (clr_inside | t5_write_q),
    .wr_addr_i(clr_i ? clr_addr_i : t5_addr_q),
    .wr_data_i(t5_stored),
    .rd_addr_i(t1_addr_i),
    .rd_data_o(t2_stored)
  );
  assign t2_ram = t2_stored[WIDTH-1:0];

  generate
    if (PARITY != 0) begin : gen_parity
      reg              t5_flip_q;
      reg  [PARTS-1:0] t3_parity_q;
      wire [PARTS-1:0] t3_parity, t5_parity;
      wire [PARTS-1:0] t3_wrong = t3_parity_q ^ t3_parity;
      wire             t3_used  = t3_use2 | t3_use3 | t3_use4; // a result ahead takes its place
      genvar i;
      for (i = 0; i < PARTS; i = i + 1) begin : gen_part
        localparam BITS = (WIDTH - i * PART < PART) ? WIDTH - i * PART : PART;
        assign t3_parity[i] = ^t3_ram_q[i*PART +: BITS];
        assign t5_parity[i] = ^t5_word[i*PART +: BITS];
      end
      always @(posedge clk_i) begin
        t5_flip_q   <= t4_flip_i & ~(rst_i | clr_i);
        t3_parity_q <= t2_stored[STORED-1:WIDTH];
      end
      // Is any part wrong?
      wire t4_wrong;
      if (LATE_BAD != 0) begin : gen_late
        reg  [PARTS-1:0] wrong_q;
        reg              used_q;
        always @(posedge clk_i) begin
          wrong_q <= t3_wrong;
          used_q  <= t3_used;
        end
        assign t4_wrong = (|wrong_q) & ~used_q;
      end else begin : gen_early
        reg bad_q;
        always @(posedge clk_i) bad_q <= (|t3_wrong) & ~t3_used;
        assign t4_wrong = bad_q;
      end
      assign t5_flip   = t5_flip_q;
      assign t5_stored = {t5_parity ^ {PARTS{t5_flip}}, t5_word};
      assign t4_bad_o  = t4_wrong & ~t4_forward_q;
    end else begin : gen_plain
      wire unused_ok = &{1'b0, t4_flip_i, t5_flip};
      assign t5_flip   = 1'b0;
      assign t5_stored = t5_word;
      assign t4_bad_o  = 1'b0;
    end
  endgenerate

  // The slot 4 before one at T3 is at T7 then; its T6 address was compared at T2.
  always @(posedge clk_i) begin
    t2_addr_q   <= t1_addr_i;
    t3_addr_q   <= t2_addr_q;
    t4_addr_q   <= t3_addr_q;
    t5_addr_q   <= t4_addr_q;
    t6_addr_q   <= t5_addr_q;
    t3_same1_q  <= t2_addr_q == t3_addr_q;
    t3_same2_q  <= t2_addr_q == t4_addr_q;
    t3_same3_q  <= t2_addr_q == t5_addr_q;
    t3_same4_q  <= t2_addr_q == t6_addr_q;
    t4_forward_q <= t3_same1_q & t4_write_i;
    t3_ram_q    <= t2_ram;
    t4_merged_q <= t3_use2 ? t5_new_q : t3_use3 ? t6_new_q : t3_use4 ? t7_new_q : t3_ram_q;
    t5_new_q    <= (ZERO_BY_RESET != 0 && (rst_i | clr_i)) ? {WIDTH{1'b0}} : t4_new_i;
    t6_new_q    <= t5_new_q;
    t7_new_q    <= t6_new_q;
  end

  always @(posedge clk_i)
    if (rst_i) begin
      t5_write_q <= 1'b0;
      t6_write_q <= 1'b0;
      t7_write_q <= 1'b0;
    end else begin
      t5_write_q <= t4_write_i;
      t6_write_q <= t5_write_q;
      t7_write_q <= t6_write_q;
    end

  assign t4_forward_o = t4_forward_q;
  assign t4_last_o    = t5_new_q;
  assign t4_merged_o  = t4_merged_q;

  `EGRET_ASSERT(!clr_i || (!t5_write_q && (ZERO_BY_RESET == 0 || t5_new_q == {WIDTH{1'b0}})),
                "sweep while a slot is written back, or not behind a reset")

`ifdef FORMAL
`ifndef PROVE_egret_core
  // One entry, any (f_addr), against an array that is changed at T4 of each slot in turn. What the
  // pipe will deliver for it is what the array holds: at T2, at T3, and at T4 the old value.
  // An entry counts from its first sweep or write after a reset.
  (* anyseq *) wire f_t1_valid;
  (* hierconn *) wire [ADDR_W-1:0] \u_ram.f_addr ;
  (* hierconn *) wire [STORED-1:0] \u_ram.f_word ;
  wire [WIDTH-1:0]  f_word = \u_ram.f_word [WIDTH-1:0];
  wire [ADDR_W-1:0] f_addr = \u_ram.f_addr ;
  reg               f_t2_q, f_t3_q, f_t4_q, f_t5_q, f_known_q, f_sweep_q, f_bad_q;
  reg  [2:0]        f_shadow_q; // 4, 3, 2, 1: an inverted write at T5, T6, T7, beyond
  wire              f_flip = PARITY != 0 && t4_write_i && t4_flip_i;
  reg  [ADDR_W-1:0] f_t7_addr_q;
  reg  [WIDTH-1:0]  f_value_q;

  always @(posedge clk_i) begin
    f_t7_addr_q <= t6_addr_q;
    f_sweep_q   <= rst_i | clr_i;
    if (clr_inside && clr_addr_i == f_addr) {f_bad_q, f_value_q} <= {WIDTH + 1{1'b0}};
    else if (t4_write_i && t4_addr_q == f_addr) {f_bad_q, f_value_q} <= {f_flip, t4_new_i};
    f_shadow_q <= f_flip ? 3'd4 : (f_shadow_q != 3'd0) ? f_shadow_q - 3'd1 : 3'd0;
    if (rst_i) f_shadow_q <= 3'd0;
    if (rst_i) {f_t2_q, f_t3_q, f_t4_q, f_t5_q, f_known_q} <= 5'd0;
    else begin
      {f_t2_q, f_t3_q, f_t4_q, f_t5_q} <= {f_t1_valid, f_t2_q, f_t3_q, f_t4_q};
      if (clr_i ? clr_inside && clr_addr_i == f_addr : t4_write_i && t4_addr_q == f_addr)
        f_known_q <= 1'b1;
    end
  end

  wire f_t2 = f_t2_q && f_known_q && t2_addr_q == f_addr;
  wire f_t3 = f_t3_q && f_known_q && t3_addr_q == f_addr;
  wire f_t4 = f_t4_q && f_known_q && t4_addr_q == f_addr;
  wire f_use2 = t3_same2_q && t5_write_q;
  wire f_use3 = !f_use2 && t3_same3_q && t6_write_q;
  wire f_use4 = !f_use2 && !f_use3 && t3_same4_q && t7_write_q;

`ifdef PROVE_egret_rmw
  `EGRET_ASSUME(!(t4_write_i && !f_t4_q))
  `EGRET_ASSUME(!(clr_i && (f_t1_valid || f_t2_q || f_t3_q || f_t4_q || f_t5_q)))
  `EGRET_ASSUME(!clr_i || f_sweep_q)
`else
  `EGRET_ASSERT(!(t4_write_i && !f_t4_q), "write without a slot")
  `EGRET_ASSERT(!(clr_i && (f_t1_valid || f_t2_q || f_t3_q || f_t4_q || f_t5_q)),
                "slot during the sweep")
  `EGRET_ASSERT(!clr_i || f_sweep_q, "sweep behind a reset")
`endif
  `EGRET_ASSUME(!(f_flip && (f_t1_valid || f_t2_q || f_t3_q)))
  `EGRET_ASSUME(!(f_shadow_q == 3'd4 && f_t1_valid))
  `EGRET_ASSERT(!(t5_write_q && !f_t5_q), "writes are those of slots")
  `EGRET_ASSERT(!f_known_q || f_value_q == ((t5_write_q && t5_addr_q == f_addr) ?
                                            t5_new_q : f_word), "memory, T5")
  `EGRET_ASSERT(!f_t2 || f_value_q == ((t5_write_q && t5_addr_q == f_addr) ? t5_new_q :
                                       (t6_write_q && t6_addr_q == f_addr) ? t6_new_q : t2_ram),
                "T2")
  `EGRET_ASSERT(!f_t3_q || (t3_same1_q == (t3_addr_q == t4_addr_q) &&
                            t3_same2_q == (t3_addr_q == t5_addr_q) &&
                            t3_same3_q == (t3_addr_q == t6_addr_q) &&
                            t3_same4_q == (t3_addr_q == f_t7_addr_q)), "compared addresses")
  `EGRET_ASSERT(!f_t3 || f_value_q == (f_use2 ? t5_new_q : f_use3 ? t6_new_q :
                                       f_use4 ? t7_new_q : t3_ram_q), "T3")
  `EGRET_ASSERT(!f_t4 || f_value_q == (t4_forward_o ? t4_last_o : t4_merged_o),
                "the old value is that of one-at-a-time execution")
  // Parity: the memory's is right but for the entry whose last write was inverted, and any entry
  // that is read with a wrong one is seen. It covers the whole word, so any one bit counts.
  wire f_at5 = t5_write_q && t5_addr_q == f_addr;
  wire f_at6 = t6_write_q && t6_addr_q == f_addr;
  wire f_at7 = t7_write_q && f_t7_addr_q == f_addr;
  genvar f_i;
  generate
    if (PARITY != 0) begin : gen_f_parity
      // {a wrong part of the memory's word, of what is read}
      wire [PARTS-1:0] f_wrong, f_wrong2;
      for (f_i = 0; f_i < PARTS; f_i = f_i + 1) begin : gen_f_part
        localparam BITS = (WIDTH - f_i * PART < PART) ? WIDTH - f_i * PART : PART;
        assign f_wrong[f_i]  = (^\u_ram.f_word [f_i*PART +: BITS]) ^ \u_ram.f_word [WIDTH+f_i];
        assign f_wrong2[f_i] = (^t2_stored[f_i*PART +: BITS]) ^ t2_stored[WIDTH+f_i];
      end
      `EGRET_ASSERT(f_shadow_q <= 3'd4 &&
                    (!t5_write_q || t5_flip == (f_shadow_q == 3'd4)) &&
                    (f_shadow_q < 3'd3 || !(f_t2_q || f_t3_q || f_t4_q)) &&
                    (f_shadow_q < 3'd2 || !(f_t3_q || f_t4_q)) && (f_shadow_q == 3'd0 || !f_t4_q) &&
                    (f_shadow_q != 3'd4 || t5_write_q) && (f_shadow_q != 3'd3 || t6_write_q) &&
                    (f_shadow_q != 3'd2 || t7_write_q), "nobody close behind an inverted write")
      `EGRET_ASSERT(!f_known_q || (f_at5 ? f_bad_q == \gen_parity.t5_flip_q
                                         : f_bad_q == |f_wrong), "stored parity")
      `EGRET_ASSERT(!f_known_q || f_at5 || !f_at6 || f_bad_q == (f_shadow_q == 3'd3), "T6")
      `EGRET_ASSERT(!f_known_q || f_at5 || f_at6 || !f_at7 || f_bad_q == (f_shadow_q == 3'd2), "T7")
      `EGRET_ASSERT(!f_t2 || f_bad_q == (!f_at5 && !f_at6 && |f_wrong2), "parity, T2")
      `EGRET_ASSERT(!f_t3 || f_bad_q == (!f_use2 && !f_use3 && !f_use4 &&
                                         |\gen_parity.t3_wrong ), "parity, T3")
      `EGRET_ASSERT(!f_t4 || f_bad_q == t4_bad_o, "a bad entry is seen, and no other")
`ifdef PROVE_egret_rmw
      `EGRET_COVER(f_t4 && t4_bad_o)
`endif
    end
  endgenerate
  `EGRET_COVER(f_t4 && t4_forward_o && f_value_q != {WIDTH{1'b0}})
  `EGRET_COVER(f_t3 && f_use2 && f_value_q != {WIDTH{1'b0}})
  `EGRET_COVER(f_t3 && f_use3 && f_value_q != {WIDTH{1'b0}})
  `EGRET_COVER(f_t3 && f_use4 && f_value_q != {WIDTH{1'b0}})
  `EGRET_COVER(f_t4 && !t4_forward_o && !t6_write_q && !t7_write_q && f_value_q != {WIDTH{1'b0}})
`endif
`endif

endmodule
`default_nettype wire
