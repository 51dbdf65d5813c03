// SPDX-License-Identifier: Apache-2.0
// The handshake of egret_core: the sweep after reset, the order of the four channels, credits for
// results, the gap behind a read or fault write, the walk behind a tick (docs/spec/timing.md).
//   port_ready = queue_ready = up
//   tick_ready = up, and NUM_PORTS + TICK_WALK clocks since the last tick
//   req_ready  = up, a credit is left, no read or fault write in the last READ_GAP
//                clocks, and no tick waits
// So nothing behind this module ever stalls. A waiting tick holds req back, which keeps the order
// port, queue, tick, req within a clock. Ready depends on other channels' valid, never on its own.
// State advances on transfers only, but for the sweep and the two counts of clocks.
// C twin: cmodel/select/timing.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_intake #(
  // Switch ports, 1..64.
  parameter NUM_PORTS = 16,
  // Bits of the sweep address: the sweep takes 2^SWEEP_W clocks.
  parameter SWEEP_W = 4,
  // Results in flight or waiting, a power of two.
  parameter RSP_DEPTH = 16,
  // Clocks from a tick to the next one, less NUM_PORTS, 4..63.
  parameter TICK_WALK = 4,
  // Clocks without a request behind a read or a fault write, 1..7.
  parameter READ_GAP = 5
) (
  input  wire               clk_i,
  input  wire               rst_i,
  // sweep
  output wire               sweep_o,
  output wire [SWEEP_W-1:0] sweep_addr_o,
  output wire               init_done_o,
  // port, queue, tick
  output wire               port_ready_o,
  output wire               queue_ready_o,
  input  wire               tick_valid_i,
  output wire               tick_ready_o,
  // req
  input  wire               req_valid_i,
  input  wire [1:0]         req_kind_i,
  output wire               req_ready_o,
  // a result leaves
  input  wire               rsp_take_i
);

  localparam CREDIT_W = $clog2(RSP_DEPTH) + 1;
  localparam [CREDIT_W-1:0] TWO = 2;
  localparam [31:0] WALK = NUM_PORTS + TICK_WALK - 1;

  reg                up_q;
  reg [SWEEP_W-1:0]  sweep_q;
  reg [CREDIT_W-1:0] credits_q;
  reg                have_credit_q; // up and a credit is left
  reg                one_credit_q;  // exactly one is left
  reg [2:0]          gap_q;
  reg [6:0]          walk_q;
  reg                walk_done_q, gap_done_q;

  wire tick_take = tick_valid_i & tick_ready_o;
  wire req_take  = req_valid_i & req_ready_o;
  wire spend = req_take & ~req_kind_i[0]; // packets and reads have a result

  // Credits behind this clock, without and with a request: it is late, and only chooses.
  wire one_free   = rsp_take_i ? credits_q == {CREDIT_W{1'b0}} : one_credit_q;
  wire one_spent  = rsp_take_i ? one_credit_q : credits_q == TWO;
  wire have_free  = rsp_take_i | have_credit_q;
  wire have_spent = rsp_take_i | ~one_credit_q;
  wire [CREDIT_W-1:0] credits_free  = credits_q + {{CREDIT_W - 1{1'b0}}, rsp_take_i};
  wire [CREDIT_W-1:0] credits_spent = credits_q - {{CREDIT_W - 1{1'b0}}, ~rsp_take_i};

  assign sweep_o       = ~up_q;
  assign sweep_addr_o  = sweep_q;
  assign init_done_o   = up_q;
  assign port_ready_o  = up_q;
  assign queue_ready_o = up_q;
  assign tick_ready_o  = up_q & walk_done_q;
  assign req_ready_o   = have_credit_q & gap_done_q & ~(tick_valid_i & ~walk_done_q);

  always @(posedge clk_i)
    if (rst_i) begin
      up_q          <= 1'b0;
      sweep_q       <= {SWEEP_W{1'b0}};
      credits_q     <= RSP_DEPTH[CREDIT_W-1:0];
      have_credit_q <= 1'b0;
      one_credit_q  <= 1'b0;
      gap_q         <= READ_GAP[2:0];
      gap_done_q    <= 1'b1;
      walk_q        <= WALK[6:0];
      walk_done_q   <= 1'b1;
    end else begin
      if (!up_q) begin
        sweep_q <= sweep_q + {{SWEEP_W - 1{1'b0}}, 1'b1};
        up_q    <= &sweep_q;
      end
      credits_q     <= spend ? credits_spent : credits_free;
      have_credit_q <= spend ? have_spent : have_free | (~up_q & (&sweep_q));
      one_credit_q  <= spend ? one_spent : one_free;

      // The counters go back to their start when nothing runs, so that a transfer reaches one flag.
      gap_q      <= gap_done_q ? READ_GAP[2:0] : gap_q - 3'd1;
      gap_done_q <= gap_done_q ? !(req_take & req_kind_i[1]) : gap_q == 3'd1;

      walk_q      <= walk_done_q ? WALK[6:0] : walk_q - 7'd1;
      walk_done_q <= walk_done_q ? !tick_take : walk_q == 7'd1;
    end

  `EGRET_ASSERT(one_credit_q == (credits_q == {{CREDIT_W - 1{1'b0}}, 1'b1}), "one credit")
  `EGRET_ASSERT(credits_q <= RSP_DEPTH[CREDIT_W-1:0], "credits beyond the depth")
  `EGRET_ASSERT(have_credit_q == (up_q && credits_q != {CREDIT_W{1'b0}}), "credit flag")
  `EGRET_ASSERT(gap_done_q ? gap_q == READ_GAP[2:0] || gap_q == 3'd0 : gap_q != 3'd0, "gap flag")
  `EGRET_ASSERT(walk_done_q ? walk_q == WALK[6:0] || walk_q == 7'd0 : walk_q != 7'd0, "walk flag")
  `EGRET_ASSERT(!(req_take && tick_valid_i && !tick_take), "a request passed a waiting tick")

`ifdef FORMAL // properties
  // docs/spec/timing.md by plain counts: clocks since the reset, since a read or a fault write,
  // since a tick (each stops counting at its limit), and results owed.
  localparam [7:0] F_WALK = NUM_PORTS + TICK_WALK;
  reg [SWEEP_W:0]    f_clock_q;
  reg [3:0]          f_read_q;
  reg [7:0]          f_tick_q;
  reg [CREDIT_W-1:0] f_owed_q;
  wire f_up   = f_clock_q[SWEEP_W];
  wire f_tick = f_up && f_tick_q == F_WALK;
  wire f_req  = f_up && f_owed_q != RSP_DEPTH && f_read_q == READ_GAP + 1 &&
                !(tick_valid_i && !f_tick);

  always @(posedge clk_i)
    if (rst_i) begin
      f_clock_q <= {SWEEP_W + 1{1'b0}};
      f_read_q  <= READ_GAP + 1;
      f_tick_q  <= F_WALK;
      f_owed_q  <= {CREDIT_W{1'b0}};
    end else begin
      if (!f_up) f_clock_q <= f_clock_q + 1;
      if (req_take && req_kind_i[1]) f_read_q <= 4'd1;
      else if (f_read_q != READ_GAP + 1) f_read_q <= f_read_q + 4'd1;
      if (tick_take) f_tick_q <= 8'd1;
      else if (f_tick_q != F_WALK) f_tick_q <= f_tick_q + 8'd1;
      f_owed_q <= f_owed_q + (req_take && !req_kind_i[0]) - rsp_take_i;
    end

`ifdef PROVE_egret_intake
  `EGRET_ASSUME(!(rsp_take_i && f_owed_q == 0))
`else
  `EGRET_ASSERT(!(rsp_take_i && f_owed_q == 0), "a result that nobody asked for")
`endif
  `EGRET_ASSERT(init_done_o == f_up && sweep_o == !f_up, "the sweep ends")
  `EGRET_ASSERT(sweep_addr_o == f_clock_q[SWEEP_W-1:0], "the sweep meets every address once")
  `EGRET_ASSERT(f_owed_q <= RSP_DEPTH && credits_q == RSP_DEPTH - f_owed_q, "credits")
  `EGRET_ASSERT(f_up || f_owed_q == 0, "nothing is owed before the first request")
  `EGRET_ASSERT(f_read_q >= 1 && f_read_q <= READ_GAP + 1 &&
                gap_done_q == (f_read_q == READ_GAP + 1) &&
                (gap_done_q || gap_q == READ_GAP + 1 - f_read_q), "gap")
  `EGRET_ASSERT(f_tick_q >= 1 && f_tick_q <= F_WALK && walk_done_q == (f_tick_q == F_WALK) &&
                (walk_done_q || walk_q == F_WALK - f_tick_q), "walk")
  `EGRET_ASSERT(f_up || (f_tick_q == F_WALK && f_read_q == READ_GAP + 1), "no event in the sweep")
  `EGRET_ASSERT(port_ready_o == f_up && queue_ready_o == f_up, "port, queue")
  `EGRET_ASSERT(tick_ready_o == f_tick && req_ready_o == f_req, "tick, req")
`ifdef PROVE_egret_intake
  // Deep ones are covered with few results owed: a trace of 64 requests is slow to find.
  localparam F_MANY = (RSP_DEPTH > 16) ? 8 : RSP_DEPTH;
  `EGRET_COVER(f_up && f_owed_q == F_MANY && req_valid_i)
  `EGRET_COVER(req_take && f_read_q == READ_GAP + 1 && f_owed_q == F_MANY - 1 && tick_take)
  `EGRET_COVER(f_up && tick_valid_i && req_valid_i && !tick_ready_o)
`endif
`endif

endmodule
`default_nettype wire
