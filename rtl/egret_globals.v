// SPDX-License-Identifier: Apache-2.0
// The global words that are not the hash's or a group's: type, version, parameters, draw seed,
// live ports, ticks, counts of what was ignored or dropped for a global reason
// (cmodel/include/egret/regs.h). Every word changes at the stage that puts the change exactly
// between two slots; reads pick it up as they pass: the seed at S2, most at S3, drops at S11.
// An event of clock t travels beside the request of clock t and counts as before it.
// C twin: cmodel/select/regs.c and other() in apply.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_globals #(
  // As in egret_core.
  parameter NUM_PORTS = 16,
  parameter NUM_GROUPS = 32,
  parameter NUM_KEYS = 64,
  parameter NUM_BINS = 2,
  parameter NUM_ROWS = 32,
  parameter ROW_LEN = 32,
  parameter NUM_BUCKETS = 1024,
  parameter HASH_KIND = 1,
  parameter SCHEMES = 126,
  parameter NUM_FLOWLETS = 0,
  parameter PARITY = 0,
  // The latency that the configuration states.
  parameter LATENCY = 10
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  // S1: legal global write
  input  wire                 s1_write_i,
  input  wire [5:0]           s1_addr_i,
  input  wire [31:0]          s1_data_i,
  output wire [31:0]          s1_draw_seed_o,
  // S2: events for ports that are there, number of others; an ignored write; the draw seed for a
  // read
  input  wire                 s2_port_valid_i,
  input  wire [7:0]           s2_port_id_i,
  input  wire                 s2_port_up_i,
  input  wire [1:0]           s2_bad_i,
  input  wire                 s2_tick_valid_i,
  input  wire [47:0]          s2_tick_now_i,
  input  wire                 s2_ignored_i,
  input  wire [5:0]           s2_addr_i,
  output wire [31:0]          s2_word_o,
  // S3
  output wire [NUM_PORTS-1:0] s3_live_o,
  output reg  [31:0]          s3_word_o,
  // S10: a drop for an unknown scheme or an index
  input  wire                 s10_drop_scheme_i,
  input  wire                 s10_drop_index_i,
  // S11
  input  wire [5:0]           s10_addr_i,
  output reg  [31:0]          s11_word_o
);

  localparam [31:0] LEN_LESS1  = ROW_LEN - 1;
  localparam [31:0] ROWS_LESS1 = NUM_ROWS - 1;
  localparam [31:0] PARAM0 = {NUM_BINS[7:0], LEN_LESS1[7:0], ROWS_LESS1[7:0], NUM_PORTS[7:0]};
  localparam [31:0] PARAM1 = {NUM_KEYS[15:0], NUM_GROUPS[15:0]};
  localparam [31:0] PARAM2 = {HASH_KIND[3:0], LATENCY[7:0], NUM_BUCKETS[19:0]};
  localparam [31:0] SIZE   = (NUM_FLOWLETS == 0) ? 0 : $clog2(NUM_FLOWLETS) + 1;
  localparam [31:0] PARAM3 = {10'd0, PARITY != 0, SIZE[4:0], SCHEMES[15:0]};

  reg [31:0]          draw_seed_q, tick_count_q, writes_ignored_q, events_ignored_q;
  reg [31:0]          drops_scheme_q, drops_index_q;
  reg [47:0]          tick_now_q;
  reg [NUM_PORTS-1:0] live_q;
  reg                 s3_ignored_q;

  integer p;
  always @(posedge clk_i)
    if (rst_i) begin
      draw_seed_q      <= 32'd0;
      tick_count_q     <= 32'd0;
      tick_now_q       <= 48'd0;
      writes_ignored_q <= 32'd0;
      s3_ignored_q     <= 1'b0;
      events_ignored_q <= 32'd0;
      drops_scheme_q   <= 32'd0;
      drops_index_q    <= 32'd0;
      live_q           <= {NUM_PORTS{1'b1}};
    end else begin
      if (s1_write_i && s1_addr_i == `EGRET_G_DRAW_SEED) draw_seed_q <= s1_data_i;
      for (p = 0; p < NUM_PORTS; p = p + 1)
        if (s2_port_valid_i && s2_port_id_i == p[7:0]) live_q[p] <= s2_port_up_i;
      events_ignored_q <= events_ignored_q + {30'd0, s2_bad_i};
      if (s2_tick_valid_i) begin
        tick_count_q <= tick_count_q + 32'd1;
        tick_now_q   <= s2_tick_now_i;
      end
      // Nothing comes to S3 before a slot behind the write, so the count may be one clock late.
      s3_ignored_q     <= s2_ignored_i;
      writes_ignored_q <= writes_ignored_q + {31'd0, s3_ignored_q};
      if (s10_drop_scheme_i) drops_scheme_q <= drops_scheme_q + 32'd1;
      if (s10_drop_index_i) drops_index_q <= drops_index_q + 32'd1;
    end

  assign s1_draw_seed_o = draw_seed_q;
  assign s3_live_o      = live_q;
  assign s2_word_o      = (s2_addr_i == `EGRET_G_DRAW_SEED) ? draw_seed_q : 32'd0;

  // A read's word, one-hot selected one stage ahead.
  reg  [12:0] s3_is_q;
  reg         s11_is_scheme_q, s11_is_index_q;
  reg  [63:0] live;
  always @(posedge clk_i)
    {s11_is_scheme_q, s11_is_index_q} <= {s10_addr_i == `EGRET_G_DROPS_SCHEME,
                                          s10_addr_i == `EGRET_G_DROPS_INDEX};
  always @(posedge clk_i)
    s3_is_q <= {s2_addr_i == `EGRET_G_PARAM3,
                s2_addr_i == `EGRET_G_EVENTS_IGNORED, s2_addr_i == `EGRET_G_WRITES_IGNORED,
                s2_addr_i == `EGRET_G_TICK_NOW1, s2_addr_i == `EGRET_G_TICK_NOW0,
                s2_addr_i == `EGRET_G_TICK_COUNT, s2_addr_i == `EGRET_G_LIVE1,
                s2_addr_i == `EGRET_G_LIVE0, s2_addr_i == `EGRET_G_PARAM2,
                s2_addr_i == `EGRET_G_PARAM1, s2_addr_i == `EGRET_G_PARAM0,
                s2_addr_i == `EGRET_G_VERSION, s2_addr_i == `EGRET_G_TYPE};
  always @* begin
    live = 64'd0;
    live[NUM_PORTS-1:0] = live_q;
    s3_word_o = (`EGRET_TYPE_WORD & {32{s3_is_q[0]}}) | (`EGRET_VERSION_WORD & {32{s3_is_q[1]}}) |
                (PARAM0 & {32{s3_is_q[2]}}) | (PARAM1 & {32{s3_is_q[3]}}) |
                (PARAM2 & {32{s3_is_q[4]}}) | (live[31:0] & {32{s3_is_q[5]}}) |
                (live[63:32] & {32{s3_is_q[6]}}) | (tick_count_q & {32{s3_is_q[7]}}) |
                (tick_now_q[31:0] & {32{s3_is_q[8]}}) |
                ({16'd0, tick_now_q[47:32]} & {32{s3_is_q[9]}}) |
                (writes_ignored_q & {32{s3_is_q[10]}}) | (events_ignored_q & {32{s3_is_q[11]}}) |
                (PARAM3 & {32{s3_is_q[12]}});
  end
  always @* begin
    s11_word_o = (drops_scheme_q & {32{s11_is_scheme_q}}) | (drops_index_q & {32{s11_is_index_q}});
  end

`ifdef FORMAL // properties
`ifdef PROVE_egret_globals
  // Every register against what the clock before did, whatever it held; every word read.
  reg                 f_run_q, f_reset_q, f_ignored_q; // the clock before was none of reset, or one
  reg [31:0]          f_seed_q, f_ticks_q, f_writes_q, f_events_q, f_scheme_q, f_index_q;
  reg [47:0]          f_now_q;
  reg [NUM_PORTS-1:0] f_live_q;
  reg [5:0]           f_addr_q, f11_addr_q;
  always @(posedge clk_i) begin
    f_run_q    <= !rst_i;
    f_reset_q  <= rst_i;
    f_addr_q   <= s2_addr_i;
    f11_addr_q <= s10_addr_i;
    f_seed_q   <= (s1_write_i && s1_addr_i == `EGRET_G_DRAW_SEED) ? s1_data_i : draw_seed_q;
    f_ticks_q  <= tick_count_q + s2_tick_valid_i;
    f_now_q    <= s2_tick_valid_i ? s2_tick_now_i : tick_now_q;
    f_ignored_q <= !rst_i && s2_ignored_i;
    f_writes_q <= writes_ignored_q + f_ignored_q;
    f_events_q <= events_ignored_q + s2_bad_i;
    f_scheme_q <= drops_scheme_q + s10_drop_scheme_i;
    f_index_q  <= drops_index_q + s10_drop_index_i;
    f_live_q   <= live_q;
    if (s2_port_valid_i && s2_port_id_i < NUM_PORTS) f_live_q[s2_port_id_i] <= s2_port_up_i;
  end
  reg [31:0] f_word;
  always @*
    case (f_addr_q)
      `EGRET_G_TYPE:           f_word = `EGRET_TYPE_WORD;
      `EGRET_G_VERSION:        f_word = `EGRET_VERSION_WORD;
      `EGRET_G_PARAM0:         f_word = PARAM0;
      `EGRET_G_PARAM1:         f_word = PARAM1;
      `EGRET_G_PARAM2:         f_word = PARAM2;
      `EGRET_G_PARAM3:         f_word = PARAM3;
      `EGRET_G_LIVE0:          f_word = live_q;
      `EGRET_G_LIVE1:          f_word = {64'd0, live_q} >> 32;
      `EGRET_G_TICK_COUNT:     f_word = tick_count_q;
      `EGRET_G_TICK_NOW0:      f_word = tick_now_q;
      `EGRET_G_TICK_NOW1:      f_word = tick_now_q[47:32];
      `EGRET_G_WRITES_IGNORED: f_word = writes_ignored_q;
      `EGRET_G_EVENTS_IGNORED: f_word = events_ignored_q;
      default:                 f_word = 32'd0;
    endcase
  `EGRET_ASSERT(!f_reset_q || {draw_seed_q, tick_count_q, writes_ignored_q, events_ignored_q,
                               drops_scheme_q, drops_index_q, tick_now_q, ~live_q} ==
                              {240'd0, {NUM_PORTS{1'b0}}}, "reset")
  `EGRET_ASSERT(!f_run_q || {draw_seed_q, tick_now_q, live_q} ==
                            {f_seed_q, f_now_q, f_live_q}, "seed, tick, live ports")
  `EGRET_ASSERT(!f_run_q || {tick_count_q, writes_ignored_q, events_ignored_q, drops_scheme_q,
                             drops_index_q} ==
                            {f_ticks_q, f_writes_q, f_events_q, f_scheme_q, f_index_q}, "counts")
  `EGRET_ASSERT(!f_run_q || s3_word_o == f_word, "read, S3")
  `EGRET_ASSERT(s2_word_o == (s2_addr_i == `EGRET_G_DRAW_SEED ? draw_seed_q : 0) &&
                s11_word_o == (f11_addr_q == `EGRET_G_DROPS_SCHEME ? drops_scheme_q :
                               f11_addr_q == `EGRET_G_DROPS_INDEX ? drops_index_q : 0) &&
                s1_draw_seed_o == draw_seed_q && s3_live_o == live_q, "read, S2 and S11; outputs")
  `EGRET_COVER(f_run_q && events_ignored_q == 32'd5 && !live_q[0])
`endif
`endif

endmodule
`default_nettype wire
