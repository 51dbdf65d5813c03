// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_load with all that it holds. Reset in clock 0; in clock 1 its registers and
// tables get their values and a tick is at S1; a packet leaves at S14 in the tick's clock there
// (14), or in the one before. No other event until the walk is done. C side:
// cmodel/test/equiv_load.c.
// clocks 35 + NUM_PORTS
// state 1 exponent u_load.exponent_q
// state 1 past_weight u_load.past_weight_q
// state 1 future_weight u_load.future_weight_q
// state 1 threshold7,threshold6,threshold5,threshold4,threshold3,threshold2,threshold1,threshold0
//   u_load.thresholds_q
// state 1 average u_load.u_estimate.u_average.gen_async.mem[{i}]
// state 1 sum u_load.u_accumulators.u_bank0.gen_async.mem[{i}]
// state 1 =0 u_load.u_accumulators.u_bank1.gen_async.mem[{i}] for 2**PORT_W
// state 1 depth u_load.u_depths.u_cur.gen_async.mem[{i}]
// state 1 depth u_load.u_depths.u_walk.gen_async.mem[{i}]
// state 1 past u_load.u_past.u_cur.gen_async.mem[{i}]
// state 1 past u_load.u_past.u_walk.gen_async.mem[{i}]
// state 1 future u_load.u_future.u_cur.gen_async.mem[{i}]
// state 1 future u_load.u_future.u_walk.gen_async.mem[{i}]
// state 1 =0 u_load.u_depths.u_set.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_depths.u_set_walk.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_depths.u_clear.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_depths.u_clear_walk.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_past.u_set.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_past.u_set_walk.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_past.u_clear.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_past.u_clear_walk.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_future.u_set.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_future.u_set_walk.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_future.u_clear.gen_async.mem[{i}] for 2**PORT_W
// state 1 =0 u_load.u_future.u_clear_walk.gen_async.mem[{i}] for 2**PORT_W
// state 1 planes u_load.force_q
// state 1 have u_load.have_q
// state 1 nexts u_load.next_q
// state 1 next_have u_load.next_have_q
// final to_average u_load.u_estimate.u_average.gen_async.mem[{i}]
// final to_sum u_load.u_accumulators.u_bank1.gen_async.mem[{i}]
// final to_rest u_load.u_accumulators.u_bank0.gen_async.mem[{i}]
// final to_planes u_load.force_q
// final to_have u_load.have_q
// final to_nexts u_load.next_q
// final to_next_have u_load.next_have_q
`default_nettype none

module equiv_load #(
  parameter NUM_PORTS = 3,
  parameter PORT_W = 2
) (
  input  wire                    clk_i,
  input  wire [40*NUM_PORTS-1:0] growth, // sums follow it
  input  wire [3*NUM_PORTS-1:0]  band,   // planes and what is one-hot follow them
  input  wire [3*NUM_PORTS-1:0]  next,
  input  wire                    sent,
  input  wire                    late,
  input  wire [PORT_W-1:0]       port,
  input  wire [15:0]             length
);

  reg [7:0] clock_q;
  initial clock_q = 8'd0;
  always @(posedge clk_i) clock_q <= clock_q + 8'd1;

  (* anyseq *) wire [5:0]        other_addr;
  (* anyseq *) wire [31:0]       other_data, other_depth;
  (* anyseq *) wire [15:0]       other_length, other_length14;
  (* anyseq *) wire [PORT_W-1:0] other_queue1, other_port1, other_queue, other_port;
  (* anyseq *) wire [PORT_W+1:0] other_addr2;

  wire mine_s14 = sent && clock_q == (late ? 8'd14 : 8'd13);
  wire [31:0]            s2_word, s4_depth, s4_word;
  wire                   s2_small, s3_tick;
  wire [3*NUM_PORTS-1:0] s4_bands;
  wire [8*NUM_PORTS-1:0] s4_have;
  wire unused_ok = &{1'b0, growth, band, next, s2_word, s4_depth, s4_word, s2_small, s3_tick,
                     s4_bands, s4_have};

  egret_load #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_load (
    .clk_i            (clk_i),
    .rst_i            (clock_q == 8'd0),
    .clr_i            (1'b0),
    .clr_addr_i       ({PORT_W{1'b0}}),
    .s1_tick_i        (clock_q == 8'd1),
    .s1_global_write_i(1'b0),
    .s1_addr_i        (other_addr),
    .s1_data_i        (other_data),
    .s1_length_i      (other_length),
    .s2_word_o        (s2_word),
    .s2_small_o       (s2_small),
    .s1_queue_id_i    (other_queue1),
    .s1_port_i        (other_port1),
    .s2_queue_valid_i (1'b0),
    .s2_queue_id_i    (other_queue),
    .s2_queue_depth_i (other_depth),
    .s2_port_write_i  (1'b0),
    .s2_addr_i        (other_addr2),
    .s2_data_i        (other_data),
    .s3_tick_o        (s3_tick),
    .s4_bands_o       (s4_bands),
    .s4_have_o        (s4_have),
    .s4_depth_o       (s4_depth),
    .s4_word_o        (s4_word),
    .s14_sent_i       (mine_s14),
    .s14_port_i       (mine_s14 ? port : other_port),
    .s14_length_i     (mine_s14 ? length : other_length14)
  );

endmodule
`default_nettype wire
