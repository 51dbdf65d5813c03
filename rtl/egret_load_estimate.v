// SPDX-License-Identifier: Apache-2.0
// From bytes and queue depth to a band, one port a clock (docs/spec/load.md):
//   X      := min(X - (X >> exponent) + bytes, 2^32 - 1)
//   past    = (min(X >> past shift, 65535) * past scale) >> 16
//   future  = (min(depth >> future shift, 65535) * future scale) >> 16
//   metric  = min((past * past weight + future * future weight) >> 8, 65535)
//   band    = number of i in 1..7 with metric >= THRESHOLD_i
//
//   W0 X read           W1 X >> exponent, bytes in   W2 difference      W3 sum
//   W4 saturated        W5 X written; depth and scales in; shifts by 8, 16, 24
//   W6 shifts by 1..7   W7 saturated     W9 times scale    W11 times weight   W12 past + future
//   W13 metric          W14 thresholds   W15 count         W16 band out
// Latency 16 clocks. Exponent, weights and thresholds stand still while a port is at W1 to W14.
// State: X of every port, changed at W5 of a valid port, cleared by the sweep. A port comes in
// again only when it has left W5. Products are 16 x 16 and 16 x 9 bits between registers.
// C twin: egret_load_tick() in cmodel/select/load.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_load_estimate #(
  // Bits of a port number.
  parameter PORT_W = 4
) (
  input  wire              clk_i,
  input  wire              rst_i, // for the assertions only
  // sweep
  input  wire              clr_i,
  input  wire [PORT_W-1:0] clr_addr_i,
  // as the last tick found them; threshold i is [16 * (i - 1) +: 16]
  input  wire [3:0]        exponent_i,
  input  wire [8:0]        past_weight_i,
  input  wire [8:0]        future_weight_i,
  input  wire [111:0]      thresholds_i,
  // W0
  input  wire [PORT_W-1:0] w0_port_i,
  // W1
  input  wire [31:0]       w1_bytes_i,
  // W5
  input  wire              w5_valid_i,
  input  wire [PORT_W-1:0] w5_port_i,
  input  wire [31:0]       w5_depth_i,
  input  wire [4:0]        w5_past_shift_i,
  input  wire [15:0]       w5_past_scale_i,
  input  wire [4:0]        w5_future_shift_i,
  input  wire [15:0]       w5_future_scale_i,
  // W16
  output wire [2:0]        w16_band_o
);

  // W0..W5: the average.
  wire [31:0] w0_average;
  reg  [31:0] w1_average_q, w2_average_q, w2_decay_q, w2_bytes_q, w3_rest_q, w3_bytes_q;
  reg  [31:0] w5_average_q;
  reg  [32:0] w4_sum_q;

  egret_ram_1r1w #(.WIDTH(32), .DEPTH(1 << PORT_W), .ADDR_W(PORT_W), .ASYNC_READ(1)) u_average (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | w5_valid_i),
    .wr_addr_i(clr_i ? clr_addr_i : w5_port_i),
    .wr_data_i(w5_average_q & {32{~clr_i}}),
    .rd_addr_i(w0_port_i),
    .rd_data_o(w0_average)
  );

  always @(posedge clk_i) begin
    w1_average_q <= w0_average;
    w2_average_q <= w1_average_q;
    w2_decay_q   <= w1_average_q >> exponent_i;
    w2_bytes_q   <= w1_bytes_i;
    w3_rest_q    <= w2_average_q - w2_decay_q;
    w3_bytes_q   <= w2_bytes_q;
    w4_sum_q     <= {1'b0, w3_rest_q} + {1'b0, w3_bytes_q};
    w5_average_q <= w4_sum_q[31:0] | {32{w4_sum_q[32]}};
  end

  // W5..W8: to 16 bits. What the second shift leaves beyond bit 15 is bits 31..23 of its operand
  // and, of 22..16, those at 16 + shift or above.
  function over(input [31:0] value, input [2:0] shift);
    integer i;
    begin
      over = |value[31:23];
      for (i = 0; i < 7; i = i + 1) over = over | (value[16+i] & (shift <= i[2:0]));
    end
  endfunction

  reg  [31:0] w6_past_q, w6_future_q;
  reg  [2:0]  w6_past_shift_q, w6_future_shift_q;
  reg  [15:0] w6_past_scale_q, w7_past_scale_q, w8_past_scale_q;
  reg  [15:0] w6_future_scale_q, w7_future_scale_q, w8_future_scale_q;
  reg  [15:0] w7_past_q, w7_future_q, w8_past_q, w8_future_q;
  reg         w7_past_over_q, w7_future_over_q;
  wire [31:0] w6_past = w6_past_q >> w6_past_shift_q;
  wire [31:0] w6_future = w6_future_q >> w6_future_shift_q;
  wire        unused_shifted = &{1'b0, w6_past[31:16], w6_future[31:16]};

  always @(posedge clk_i) begin
    w6_past_q         <= w5_average_q >> {w5_past_shift_i[4:3], 3'd0};
    w6_future_q       <= w5_depth_i >> {w5_future_shift_i[4:3], 3'd0};
    w6_past_shift_q   <= w5_past_shift_i[2:0];
    w6_future_shift_q <= w5_future_shift_i[2:0];
    w7_past_q         <= w6_past[15:0];
    w7_future_q       <= w6_future[15:0];
    w7_past_over_q    <= over(w6_past_q, w6_past_shift_q);
    w7_future_over_q  <= over(w6_future_q, w6_future_shift_q);
    w8_past_q         <= w7_past_q | {16{w7_past_over_q}};
    w8_future_q       <= w7_future_q | {16{w7_future_over_q}};
    {w6_past_scale_q, w7_past_scale_q, w8_past_scale_q} <=
      {w5_past_scale_i, w6_past_scale_q, w7_past_scale_q};
    {w6_future_scale_q, w7_future_scale_q, w8_future_scale_q} <=
      {w5_future_scale_i, w6_future_scale_q, w7_future_scale_q};
  end

  // W8..W14: the metric. Each factor of a multiplier has a register of its own: it lies far off.
  reg  [15:0] w9_past_q, w9_future_q, w9_past_scale_q, w9_future_scale_q;
  reg  [31:0] w10_past_q, w10_future_q;
  reg  [15:0] w11_past_q, w11_future_q;
  reg  [24:0] w12_past_q, w12_future_q;
  reg  [25:0] w13_sum_q;
  reg  [15:0] w14_metric_q;
  wire        unused_low = &{1'b0, w10_past_q[15:0], w10_future_q[15:0], w13_sum_q[7:0]};

  always @(posedge clk_i) begin
    w9_past_q    <= w8_past_q;
    w9_future_q  <= w8_future_q;
    w9_past_scale_q   <= w8_past_scale_q;
    w9_future_scale_q <= w8_future_scale_q;
    w10_past_q   <= {16'd0, w9_past_q} * {16'd0, w9_past_scale_q};
    w10_future_q <= {16'd0, w9_future_q} * {16'd0, w9_future_scale_q};
    w11_past_q   <= w10_past_q[31:16];
    w11_future_q <= w10_future_q[31:16];
    w12_past_q   <= {9'd0, w11_past_q} * {16'd0, past_weight_i};
    w12_future_q <= {9'd0, w11_future_q} * {16'd0, future_weight_i};
    w13_sum_q    <= {1'b0, w12_past_q} + {1'b0, w12_future_q};
    w14_metric_q <= w13_sum_q[23:8] | {16{|w13_sum_q[25:24]}};
  end

  // W14..W16: the band, the number of ones of seven bits.
  function [2:0] ones7(input [6:0] b);
    reg s0, s1, c0, c1, c2;
    begin
      s0 = b[0] ^ b[1] ^ b[2];
      c0 = (b[0] & b[1]) | (b[2] & (b[0] ^ b[1]));
      s1 = b[3] ^ b[4] ^ b[5];
      c1 = (b[3] & b[4]) | (b[5] & (b[3] ^ b[4]));
      c2 = (s0 & s1) | (b[6] & (s0 ^ s1));
      ones7 = {(c0 & c1) | (c2 & (c0 ^ c1)), c0 ^ c1 ^ c2, s0 ^ s1 ^ b[6]};
    end
  endfunction

  integer    t;
  reg  [6:0] w15_reached_q;
  reg  [2:0] w16_band_q;
  always @(posedge clk_i) begin
    for (t = 0; t < 7; t = t + 1)
      w15_reached_q[t] <= w14_metric_q >= thresholds_i[16*t +: 16];
    w16_band_q <= ones7(w15_reached_q);
  end
  assign w16_band_o = w16_band_q;

  wire unused_ok = &{1'b0, rst_i};
`ifndef PROVE_egret_load_estimate
  `EGRET_ASSERT(!(clr_i && w5_valid_i), "a walk during the sweep")
`endif

`ifdef FORMAL // properties
  // Cut at the registers: every value is that of the formula, computed from what came in.
  function [15:0] f_sat16(input [31:0] value);
    f_sat16 = (value > 32'd65535) ? 16'd65535 : value[15:0];
  endfunction
  function [2:0] f_count(input [6:0] b);
    integer i;
    begin
      f_count = 3'd0;
      for (i = 0; i < 7; i = i + 1) f_count = f_count + {2'd0, b[i]};
    end
  endfunction

  reg  [31:0] f2_x_q, f3_x_q, f4_x_q, f5_x_q, f2_b_q, f3_b_q, f4_b_q, f5_b_q;
  reg  [31:0] f6_past_q, f7_past_q, f8_past_q, f6_future_q, f7_future_q, f8_future_q;
  reg  [4:0]  f6_ps_q, f7_ps_q, f8_ps_q, f6_fs_q, f7_fs_q, f8_fs_q;
  reg  [3:0]  f_exponent_q, f2_e_q, f3_e_q, f4_e_q, f5_e_q;
  reg  [14:0] f_clocks_q; // bit n: what is at W(n + 2) came in after the reset
  reg  [31:0] f13_q, f14_q;
  wire [32:0] f5_sum = {1'b0, f5_x_q - (f5_x_q >> f5_e_q)} + {1'b0, f5_b_q};
  always @(posedge clk_i) begin
    f_clocks_q <= rst_i ? 15'd0 : {f_clocks_q[13:0], 1'b1};
    {f5_x_q, f4_x_q, f3_x_q, f2_x_q} <= {f4_x_q, f3_x_q, f2_x_q, w1_average_q};
    {f5_b_q, f4_b_q, f3_b_q, f2_b_q} <= {f4_b_q, f3_b_q, f2_b_q, w1_bytes_i};
    {f5_e_q, f4_e_q, f3_e_q, f2_e_q} <= {f4_e_q, f3_e_q, f2_e_q, exponent_i};
    {f8_past_q, f7_past_q, f6_past_q} <= {f7_past_q, f6_past_q, w5_average_q};
    {f8_future_q, f7_future_q, f6_future_q} <= {f7_future_q, f6_future_q, w5_depth_i};
    {f8_ps_q, f7_ps_q, f6_ps_q} <= {f7_ps_q, f6_ps_q, w5_past_shift_i};
    {f8_fs_q, f7_fs_q, f6_fs_q} <= {f7_fs_q, f6_fs_q, w5_future_shift_i};
    f13_q <= {7'd0, w12_past_q} + {7'd0, w12_future_q};
    f14_q <= f13_q;
  end
  `EGRET_ASSERT((f_clocks_q & (f_clocks_q + 15'd1)) == 15'd0, "clocks since the reset")
  `EGRET_ASSERT(!f_clocks_q[0] || (w2_average_q == f2_x_q && w2_decay_q == f2_x_q >> f2_e_q &&
                                   w2_bytes_q == f2_b_q), "W2")
  `EGRET_ASSERT(!f_clocks_q[1] || (w3_rest_q == f3_x_q - (f3_x_q >> f3_e_q) &&
                                   w3_bytes_q == f3_b_q), "W3")
  `EGRET_ASSERT(!f_clocks_q[2] || w4_sum_q == {1'b0, f4_x_q - (f4_x_q >> f4_e_q)} +
                                              {1'b0, f4_b_q}, "W4")
  `EGRET_ASSERT(!f_clocks_q[3] || w5_average_q == (f5_sum[32] ? 32'hffffffff : f5_sum[31:0]), "X")
  `EGRET_ASSERT(!f_clocks_q[4] || (w6_past_shift_q == f6_ps_q[2:0] &&
                                   w6_past_q == f6_past_q >> (f6_ps_q & 5'd24)), "past, W6")
  `EGRET_ASSERT(!f_clocks_q[4] || (w6_future_shift_q == f6_fs_q[2:0] &&
                                   w6_future_q == f6_future_q >> (f6_fs_q & 5'd24)), "future, W6")
  `EGRET_ASSERT(!f_clocks_q[5] || (w7_past_over_q ? f7_past_q >> f7_ps_q > 32'd65535
                                                  : f7_past_q >> f7_ps_q == w7_past_q), "past, W7")
  `EGRET_ASSERT(!f_clocks_q[5] || (w7_future_over_q ? f7_future_q >> f7_fs_q > 32'd65535 :
                                   f7_future_q >> f7_fs_q == w7_future_q), "future, W7")
  `EGRET_ASSERT(!f_clocks_q[6] || w8_past_q == f_sat16(f8_past_q >> f8_ps_q), "past, W8")
  `EGRET_ASSERT(!f_clocks_q[6] || w8_future_q == f_sat16(f8_future_q >> f8_fs_q), "future, W8")
  `EGRET_ASSERT(!f_clocks_q[11] || w13_sum_q == f13_q, "sum")
  `EGRET_ASSERT(!f_clocks_q[12] || w14_metric_q == f_sat16(f14_q >> 8), "metric")
  `EGRET_ASSERT(ones7(w15_reached_q) == f_count(w15_reached_q), "band")
`ifdef PROVE_egret_load_estimate
  `EGRET_COVER(f_clocks_q[14] && w16_band_o == 3'd5)
  `EGRET_COVER(f_clocks_q[12] && w14_metric_q == 16'd16384)
  `EGRET_COVER(w4_sum_q[32] && f_clocks_q[2])
`endif
`endif

endmodule
`default_nettype wire
