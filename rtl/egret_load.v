// SPDX-License-Identifier: Apache-2.0
// Load of every port (docs/spec/load.md): bytes sent and queue depth become, at every tick, a band
// from 0 (emptiest) to 7. Tick n puts in force what the walk behind tick n - 1 found.
//   registers, S1; a tick copies them for its walk, before the write of its own clock
//   queue depths and port scales, S2, and as they were at the last tick (egret_snapshot)
//   bytes, S14 (egret_accumulators); walk (egret_load_walk); bands of it (egret_load_estimate)
//   bands in force, S4: they change when a tick leaves S3
// Read words: registers at S2; bands, scales and queue depths at S4. One event of each kind a
// clock; ticks at least NUM_PORTS + 32 clocks apart. Storage of queue depths as in egret_queues,
// which a configuration with load does not have.
// State: registers, their copy, next bands and bands in force (cleared by reset); tables of depths,
// scales, bytes and averages (cleared by the sweep).
// C twin: cmodel/select/load.c. Does not: check that a write is legal (egret_write_check).
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_load #(
  // Ports, 1..64.
  parameter NUM_PORTS = 16,
  // Bits of a port number, $clog2(NUM_PORTS) or 1.
  parameter PORT_W = 4
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  // sweep
  input  wire                   clr_i,
  input  wire [PORT_W-1:0]      clr_addr_i,
  // S1: tick; legal write of a global word, address of any slot; length of a packet
  input  wire                   s1_tick_i,
  input  wire                   s1_global_write_i,
  input  wire [5:0]             s1_addr_i,
  input  wire [31:0]            s1_data_i,
  input  wire [15:0]            s1_length_i,
  // S2: the register that the slot's address names, 0 if none; the packet is below QUALITY_SMALL
  output wire [31:0]            s2_word_o,
  output wire                   s2_small_o,
  // S1: port of the queue event and of the write that may be at S2 next
  input  wire [PORT_W-1:0]      s1_queue_id_i,
  input  wire [PORT_W-1:0]      s1_port_i,
  // S2: queue event; legal write of word 0 or 1 of a port's load; address {port, word} of such a
  // write or read, or {-, port} of a read of a queue depth
  input  wire                   s2_queue_valid_i,
  input  wire [PORT_W-1:0]      s2_queue_id_i,
  input  wire [31:0]            s2_queue_depth_i,
  input  wire                   s2_port_write_i,
  input  wire [PORT_W+1:0]      s2_addr_i,
  input  wire [31:0]            s2_data_i,
  // S3: the tick, for egret_spray_quality
  output wire                   s3_tick_o,
  // S4: bands in force by planes, bit b of port p at [NUM_PORTS * b + p]; words for a read: queue
  // depth, load of a port
  output wire [3*NUM_PORTS-1:0] s4_bands_o,
  output wire [8*NUM_PORTS-1:0] s4_have_o, // one-hot: port p has band b at [NUM_PORTS * b + p]
  output wire [31:0]            s4_depth_o,
  output wire [31:0]            s4_word_o,
  // S14: a packet left by port
  input  wire                   s14_sent_i,
  input  wire [PORT_W-1:0]      s14_port_i,
  input  wire [15:0]            s14_length_i
);

  localparam [5:0] G_THRESHOLDS = `EGRET_G_THRESHOLD1 - 6'd1; // threshold i is i words behind

  // S1: registers, their copy at a tick, and what the slot names.
  reg  [3:0]   exponent_q, tick_exponent_q;
  reg  [8:0]   past_weight_q, future_weight_q, tick_past_weight_q, tick_future_weight_q;
  reg  [15:0]  small_q;
  reg  [127:0] thresholds_q; // threshold i at [16 * i +: 16]; 0 is there for the index only
  reg  [111:0] tick_thresholds_q;
  reg  [31:0]  s1_word, s2_word_q;
  reg  [15:0]  s2_threshold_q;
  reg          s2_small_q, s2_is_threshold_q;
  wire         s1_threshold = s1_addr_i[5:3] == G_THRESHOLDS[5:3] && s1_addr_i[2:0] != 3'd0;

  integer t;
  always @(posedge clk_i)
    if (rst_i) begin
      exponent_q      <= 4'd0;
      past_weight_q   <= 9'd0;
      future_weight_q <= 9'd0;
      small_q         <= 16'd0;
      thresholds_q    <= 128'd0;
    end else if (s1_global_write_i) begin
      if (s1_addr_i == `EGRET_G_LOAD_EXPONENT) exponent_q <= s1_data_i[3:0];
      if (s1_addr_i == `EGRET_G_LOAD_WEIGHTS)
        {future_weight_q, past_weight_q} <= {s1_data_i[24:16], s1_data_i[8:0]};
      if (s1_addr_i == `EGRET_G_QUALITY_SMALL) small_q <= s1_data_i[15:0];
      for (t = 1; t < 8; t = t + 1)
        if (s1_addr_i == G_THRESHOLDS + t[5:0]) thresholds_q[16*t +: 16] <= s1_data_i[15:0];
    end

  always @* begin
    case (s1_addr_i)
      `EGRET_G_LOAD_EXPONENT: s1_word = {28'd0, exponent_q};
      `EGRET_G_LOAD_WEIGHTS:  s1_word = {7'd0, future_weight_q, 7'd0, past_weight_q};
      `EGRET_G_QUALITY_SMALL: s1_word = {16'd0, small_q};
      default:                s1_word = 32'd0;
    endcase
  end

  always @(posedge clk_i) begin
    if (s1_tick_i) begin
      tick_exponent_q      <= exponent_q;
      tick_past_weight_q   <= past_weight_q;
      tick_future_weight_q <= future_weight_q;
      tick_thresholds_q    <= thresholds_q[127:16];
    end
    s2_word_q  <= s1_word;
    s2_is_threshold_q <= s1_threshold;
    s2_threshold_q <= thresholds_q[{s1_addr_i[2:0], 4'd0} +: 16];
    s2_small_q <= s1_length_i < small_q;
  end
  assign s2_word_o  = s2_word_q | {16'd0, s2_threshold_q & {16{s2_is_threshold_q}}};
  assign s2_small_o = s2_small_q;

  // The walk.
  wire              s14_tick, w0_valid, w3_valid, w5_valid, w16_valid;
  wire [PORT_W-1:0] w0_port, w0_next_port, w2_port, w3_port, w5_port, w16_port;
  egret_load_walk #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_walk (
    .clk_i(clk_i), .rst_i(rst_i), .s1_tick_i(s1_tick_i), .s3_tick_o(s3_tick_o),
    .s14_tick_o(s14_tick), .w0_valid_o(w0_valid), .w0_port_o(w0_port),
    .w0_next_port_o(w0_next_port), .w2_port_o(w2_port),
    .w3_valid_o(w3_valid), .w3_port_o(w3_port), .w5_valid_o(w5_valid), .w5_port_o(w5_port),
    .w16_valid_o(w16_valid), .w16_port_o(w16_port)
  );

  // S2: depths and scales. An event is before the tick of its clock, a write behind it: for depths
  // the tick counts one clock later. A depth is read at S3, with the event of its own clock in it.
  reg               s2_tick_q;
  reg  [PORT_W+1:0] s3_addr_q;
  wire [31:0]       w5_depth;
  wire [20:0]       w5_past, w5_future, s3_past, s3_future;
  always @(posedge clk_i)
    if (rst_i) s2_tick_q <= 1'b0;
    else s2_tick_q <= s1_tick_i;
  always @(posedge clk_i) s3_addr_q <= s2_addr_i;

  egret_snapshot #(.WIDTH(32), .ADDR_W(PORT_W)) u_depths (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i),
    .next_write_addr_i(s1_queue_id_i), .write_valid_i(s2_queue_valid_i),
    .write_addr_i(s2_queue_id_i), .write_data_i(s2_queue_depth_i), .tick_i(s3_tick_o),
    .next_tick_i(s2_tick_q),
    .next_walk_addr_i(w2_port), .walk_valid_i(w3_valid), .walk_addr_i(w3_port),
    .walk_data_o(w5_depth), .read_addr_i(s3_addr_q[PORT_W-1:0]), .read_data_o(s4_depth_o)
  );
  egret_snapshot #(.WIDTH(21), .ADDR_W(PORT_W), .READ_APART(0)) u_past (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i),
    .next_write_addr_i(s1_port_i), .write_valid_i(s2_port_write_i & ~s2_addr_i[0]),
    .write_addr_i(s2_addr_i[PORT_W+1:2]), .write_data_i(s2_data_i[20:0]), .tick_i(s2_tick_q),
    .next_tick_i(s1_tick_i),
    .next_walk_addr_i(w2_port), .walk_valid_i(w3_valid), .walk_addr_i(w3_port),
    .walk_data_o(w5_past), .read_addr_i({PORT_W{1'b0}}), .read_data_o(s3_past)
  );
  egret_snapshot #(.WIDTH(21), .ADDR_W(PORT_W), .READ_APART(0)) u_future (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i),
    .next_write_addr_i(s1_port_i), .write_valid_i(s2_port_write_i & s2_addr_i[0]),
    .write_addr_i(s2_addr_i[PORT_W+1:2]), .write_data_i(s2_data_i[20:0]), .tick_i(s2_tick_q),
    .next_tick_i(s1_tick_i),
    .next_walk_addr_i(w2_port), .walk_valid_i(w3_valid), .walk_addr_i(w3_port),
    .walk_data_o(w5_future), .read_addr_i({PORT_W{1'b0}}), .read_data_o(s3_future)
  );

  // S14 and the walk: bytes, average, metric, band.
  wire [31:0] w1_bytes;
  wire [2:0]  w16_band;
  egret_accumulators #(.PORT_W(PORT_W)) u_accumulators (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i),
    .s14_tick_i(s14_tick), .s14_sent_i(s14_sent_i), .s14_port_i(s14_port_i),
    .s14_length_i(s14_length_i), .w0_valid_i(w0_valid), .w0_port_i(w0_port),
    .w0_next_port_i(w0_next_port), .w1_bytes_o(w1_bytes)
  );
  egret_load_estimate #(.PORT_W(PORT_W)) u_estimate (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i),
    .exponent_i(tick_exponent_q), .past_weight_i(tick_past_weight_q),
    .future_weight_i(tick_future_weight_q), .thresholds_i(tick_thresholds_q),
    .w0_port_i(w0_port), .w1_bytes_i(w1_bytes), .w5_valid_i(w5_valid), .w5_port_i(w5_port),
    .w5_depth_i(w5_depth), .w5_past_shift_i(w5_past[20:16]), .w5_past_scale_i(w5_past[15:0]),
    .w5_future_shift_i(w5_future[20:16]), .w5_future_scale_i(w5_future[15:0]),
    .w16_band_o(w16_band)
  );

  // Bands: next, from the walk; in force, from S3 of a tick.
  reg  [3*NUM_PORTS-1:0] next_q, force_q;
  reg  [8*NUM_PORTS-1:0] next_have_q, have_q;
  localparam [8*NUM_PORTS-1:0] FIRST = {{7 * NUM_PORTS{1'b0}}, {NUM_PORTS{1'b1}}}; // all band 0
  integer b, p;
  always @(posedge clk_i)
    if (rst_i) begin
      next_q      <= {3 * NUM_PORTS{1'b0}};
      force_q     <= {3 * NUM_PORTS{1'b0}};
      next_have_q <= FIRST;
      have_q      <= FIRST;
    end else begin
      if (w16_valid)
        for (p = 0; p < NUM_PORTS; p = p + 1)
          if (w16_port == p[PORT_W-1:0]) begin
            for (b = 0; b < 3; b = b + 1) next_q[NUM_PORTS*b+p] <= w16_band[b];
            for (b = 0; b < 8; b = b + 1) next_have_q[NUM_PORTS*b+p] <= w16_band == b[2:0];
          end
      if (s3_tick_o) begin
        force_q <= next_q;
        have_q  <= next_have_q;
      end
    end
  assign s4_bands_o = force_q;
  assign s4_have_o  = have_q;

  // S4: the word of a port.
  reg  [PORT_W-1:0] s4_port_q;
  reg               s4_is_band_q;
  reg  [20:0]       s4_scale_q;
  wire [2:0]        s4_band;
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(3)) u_band (
    .words_i(force_q), .addr_i(s4_port_q), .data_o(s4_band));
  always @(posedge clk_i) begin
    s4_port_q    <= s3_addr_q[PORT_W+1:2];
    s4_is_band_q <= s3_addr_q[1];
    s4_scale_q   <= (s3_addr_q[0] ? s3_future : s3_past) & {21{~s3_addr_q[1]}};
  end
  assign s4_word_o = {11'd0, s4_scale_q[20:3], s4_scale_q[2:0] | (s4_band & {3{s4_is_band_q}})};

  wire unused_ok = &{1'b0, s1_data_i, s2_data_i};

`ifdef FORMAL // properties
  // One port, any: the band that a tick puts in force was found since the tick before it. Bands in
  // force change behind a tick only; a sweep finds nothing in the pipe.
  (* anyconst *) wire [PORT_W-1:0] f_port;
  (* hierconn *) wire [15:1] \u_walk.tick_q ;
  (* hierconn *) wire [16:0] \u_walk.valid_q ;
  (* hierconn *) wire        \u_walk.due_q ;
  (* hierconn *) wire [7:0]  \u_walk.f_since_q ;
  (* hierconn *) wire        \u_accumulators.s15_sent_q ;
  (* hierconn *) wire        \u_accumulators.s16_sent_q ;
  (* hierconn *) wire        \u_accumulators.s17_sent_q ;
  (* hierconn *) wire        \u_accumulators.s15_bank_q ;
  (* hierconn *) wire        \u_accumulators.s16_bank_q ;
  (* hierconn *) wire        \u_accumulators.s17_bank_q ;
  reg                   f_ticked_q, f_found_q, f_sweep_q, f_behind_q;
  reg [3*NUM_PORTS-1:0] f_bands_q;
  always @* assume (f_port < NUM_PORTS);
  always @(posedge clk_i) begin
    f_sweep_q  <= rst_i | clr_i;
    f_behind_q <= rst_i | s3_tick_o;
    f_bands_q  <= s4_bands_o;
    if (rst_i) {f_ticked_q, f_found_q} <= 2'd0;
    else begin
      f_ticked_q <= f_ticked_q | s3_tick_o;
      f_found_q  <= ~s3_tick_o & (f_found_q | (w16_valid & w16_port == f_port));
    end
  end
  reg [PORT_W-1:0] f_queue_q, f_write_q; // announced at S1
  always @(posedge clk_i) begin
    f_queue_q <= s1_queue_id_i;
    f_write_q <= s1_port_i;
  end
`ifdef PROVE_egret_load
  // Proven in egret_core.
  `EGRET_ASSUME(!s2_queue_valid_i || s2_queue_id_i == f_queue_q)
  `EGRET_ASSUME(!s2_port_write_i || s2_addr_i[PORT_W+1:2] == f_write_q)
  `EGRET_ASSUME(!s1_tick_i || \u_walk.f_since_q == NUM_PORTS + 32)
  `EGRET_ASSUME(!(clr_i && !f_sweep_q))
  `EGRET_ASSUME(!(clr_i && (s1_tick_i || s2_queue_valid_i || s2_port_write_i || s14_sent_i)))
  `EGRET_COVER(s3_tick_o && f_found_q)
  `EGRET_COVER(f_ticked_q && w16_valid && w16_port == f_port && f_port == NUM_PORTS - 1)
`endif
  `EGRET_ASSERT(!f_sweep_q || (\u_walk.tick_q == 15'd0 && \u_walk.valid_q == 17'd0 &&
                               !\u_accumulators.s15_sent_q && !\u_accumulators.s16_sent_q &&
                               !\u_accumulators.s17_sent_q && !s2_tick_q), "the sweep is alone")
  `EGRET_ASSERT(s2_tick_q == \u_walk.tick_q [1], "S2")
  genvar f_p, f_v;
  generate
    for (f_p = 0; f_p < NUM_PORTS; f_p = f_p + 1) begin : gen_f_have
      for (f_v = 0; f_v < 8; f_v = f_v + 1) begin : gen_f_band
        `EGRET_ASSERT(next_have_q[NUM_PORTS*f_v+f_p] == ({next_q[2*NUM_PORTS+f_p],
                      next_q[NUM_PORTS+f_p], next_q[f_p]} == f_v), "next, one-hot")
        `EGRET_ASSERT(have_q[NUM_PORTS*f_v+f_p] == ({force_q[2*NUM_PORTS+f_p],
                      force_q[NUM_PORTS+f_p], force_q[f_p]} == f_v), "one-hot")
      end
    end
  endgenerate
  `EGRET_ASSERT(f_behind_q || f_bands_q == s4_bands_o, "bands change behind a tick")
  `EGRET_ASSERT((\u_accumulators.s15_bank_q == \u_accumulators.s16_bank_q ) ==
                (\u_walk.f_since_q != 8'd14), "banks, S16")
  `EGRET_ASSERT((\u_accumulators.s16_bank_q == \u_accumulators.s17_bank_q ) ==
                (\u_walk.f_since_q != 8'd15), "banks, S17")
  `EGRET_ASSERT(!f_ticked_q || f_found_q ==
                (\u_walk.f_since_q < 8'd3 || \u_walk.f_since_q > 8'd32 + f_port), "found")
  `EGRET_ASSERT(!(s3_tick_o && f_ticked_q && !f_found_q), "a band of an older tick is put in force")
`endif

endmodule
`default_nettype wire
