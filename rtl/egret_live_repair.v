// SPDX-License-Identifier: Apache-2.0
// Live repair (docs/spec/live-repair.md): the k-th live member, k = (r * L) >> 16.
//   L = number of ones in mask;  k-th one of mask, counted from port 0 up, k from 0
// Stages as in egret_core: mask in at S3, r in at S6, port out at S9 (combinational there);
// latency 6 clocks, one a clock, no state. L = 0 gives an unused result.
// Counts and ranks are boolean functions: carry chains are slow at 3 to 7 bits.
// C twin: egret_live_repair() in cmodel/select/live_repair.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_live_repair #(
  // Ports, 1..64.
  parameter NUM_PORTS = 16,
  // Bits of a port number, $clog2(NUM_PORTS) or 1.
  parameter PORT_W = 4
) (
  input  wire                 clk_i,
  // S3: members that are live
  input  wire [NUM_PORTS-1:0] s3_mask_i,
  // S6: 16 random bits; some member is live
  input  wire [15:0]          s6_r_i,
  output wire                 s6_any_o,
  // S9
  output wire [NUM_PORTS-1:0] s9_mask_o,
  output wire [PORT_W-1:0]    s9_port_o
);

  // Ports are counted in lanes: of 4 up to 16 ports, of 8 beyond. Always 4 or 8 lanes.
  localparam LANE     = (NUM_PORTS > 16) ? 8 : 4;
  localparam LANE_W   = (NUM_PORTS > 16) ? 3 : 2;
  localparam LANES    = (NUM_PORTS > 32) ? 8 : 4;
  localparam LANES_W  = (NUM_PORTS > 32) ? 3 : 2;
  localparam PADDED   = LANE * LANES;
  localparam K_W      = LANE_W + LANES_W;
  localparam HALF     = K_W / 2;

  // Ones of 8 bits, by full adders.
  function [3:0] ones8(input [7:0] b);
    reg s0, s1, s2, c0, c1, c2, c3;
    begin
      s0 = b[0] ^ b[1] ^ b[2];
      c0 = (b[0] & b[1]) | (b[2] & (b[0] ^ b[1]));
      s1 = b[3] ^ b[4] ^ b[5];
      c1 = (b[3] & b[4]) | (b[5] & (b[3] ^ b[4]));
      s2 = b[6] ^ b[7];
      c2 = b[6] & b[7];
      c3 = (s0 & s1) | (s2 & (s0 ^ s1));
      ones8[0] = s0 ^ s1 ^ s2;
      ones8[1] = c0 ^ c1 ^ c2 ^ c3;
      // c0 + c1 + c2 + c3 is 0..4
      ones8[3] = c0 & c1 & c2 & c3;
      ones8[2] = ((c0 & c1) | (c2 & c3) | ((c0 | c1) & (c2 | c3))) & ~ones8[3];
    end
  endfunction

  // a + b by a ripple of boolean functions.
  function [6:0] add7(input [6:0] a, input [6:0] b);
    integer i;
    reg c;
    begin
      c = 1'b0;
      for (i = 0; i < 7; i = i + 1) begin
        add7[i] = a[i] ^ b[i] ^ c;
        c = (a[i] & b[i]) | (c & (a[i] ^ b[i]));
      end
    end
  endfunction

  // a >= b, halves compared first: two LUT levels and a select instead of a ripple.
  function ge(input [K_W-1:0] a, input [K_W-1:0] b);
    integer i;
    reg hi_gt, hi_eq, lo_ge;
    begin
      hi_gt = 1'b0;
      lo_ge = 1'b1;
      for (i = 0; i < HALF; i = i + 1) lo_ge = (a[i] & ~b[i]) | (~(a[i] ^ b[i]) & lo_ge);
      for (i = HALF; i < K_W; i = i + 1) hi_gt = (a[i] & ~b[i]) | (~(a[i] ^ b[i]) & hi_gt);
      hi_eq = a[K_W-1:HALF] == b[K_W-1:HALF];
      ge = hi_gt | (hi_eq & lo_ge);
    end
  endfunction

  // S3: ones of each lane.
  wire [PADDED-1:0]  s3_mask;
  reg  [PADDED-1:0]  s4_mask_q, s5_mask_q, s6_mask_q, s7_mask_q, s8_mask_q, s9_mask_q;
  reg  [4*LANES-1:0] s4_ones_q;
  generate
    if (PADDED > NUM_PORTS) begin : gen_pad
      assign s3_mask = {{PADDED - NUM_PORTS{1'b0}}, s3_mask_i};
    end else begin : gen_full
      assign s3_mask = s3_mask_i;
    end
  endgenerate

  integer g;
  always @(posedge clk_i) begin
    s4_mask_q <= s3_mask;
    s5_mask_q <= s4_mask_q;
    s6_mask_q <= s5_mask_q;
    s7_mask_q <= s6_mask_q;
    s8_mask_q <= s7_mask_q;
    s9_mask_q <= s8_mask_q;
    for (g = 0; g < LANES; g = g + 1)
      s4_ones_q[4*g +: 4] <= ones8({{8 - LANE{1'b0}}, s3_mask[LANE*g +: LANE]});
  end

  // S4: of every four lanes, the ones before each lane and the total.
  //   {n0 + n1 + n2 + n3, n0 + n1 + n2, n0 + n1, n0}
  function [27:0] sums(input [15:0] n);
    reg [6:0] n01, n23;
    begin
      n01  = add7({3'd0, n[3:0]}, {3'd0, n[7:4]});
      n23  = add7({3'd0, n[11:8]}, {3'd0, n[15:12]});
      sums = {add7(n01, n23), add7(n01, {3'd0, n[11:8]}), n01, {3'd0, n[3:0]}};
    end
  endfunction
  reg [27:0] s5_sums0_q;
  always @(posedge clk_i) s5_sums0_q <= sums(s4_ones_q[15:0]);

  // S5: L, and the ones before each lane within its four.
  reg [7*LANES-1:0] s6_part_q;
  reg [6:0]         s6_quad0_q, s6_total_q;
  generate
    if (LANES == 8) begin : gen_eight
      reg [27:0] s5_sums1_q;
      always @(posedge clk_i) begin
        s5_sums1_q <= sums(s4_ones_q[31:16]);
        s6_part_q  <= {s5_sums1_q[20:0], 7'd0, s5_sums0_q[20:0], 7'd0};
        s6_total_q <= add7(s5_sums0_q[27:21], s5_sums1_q[27:21]);
      end
    end else begin : gen_four
      always @(posedge clk_i) begin
        s6_part_q  <= {s5_sums0_q[20:0], 7'd0};
        s6_total_q <= s5_sums0_q[27:21];
      end
    end
  endgenerate
  always @(posedge clk_i) s6_quad0_q <= s5_sums0_q[27:21];
  assign s6_any_o = |s6_total_q;

  // S6: ones before each lane, and the partial products of r * L. L = 64 (or any single top bit)
  // is a shift of its own, so three pairs of bits remain.
  reg [7*LANES-1:0] s7_before_q, s8_before_q;
  reg [17:0] s7_p0_q, s7_p1_q, s7_p2_q;
  reg        s7_full_q;
  reg [5:0]  s7_top_q;
  function [17:0] times(input [15:0] r, input [1:0] n);
    times = ({2'b00, r} & {18{n[0]}}) + ({1'b0, r, 1'b0} & {18{n[1]}});
  endfunction
  always @(posedge clk_i) begin
    for (g = 0; g < LANES; g = g + 1)
      s7_before_q[7*g +: 7] <= (g < 4) ? s6_part_q[7*g +: 7]
                                       : add7(s6_part_q[7*g +: 7], s6_quad0_q);
    s8_before_q <= s7_before_q;
    s7_p0_q   <= times(s6_r_i, s6_total_q[1:0]);
    s7_p1_q   <= times(s6_r_i, s6_total_q[3:2]);
    s7_p2_q   <= times(s6_r_i, s6_total_q[5:4]);
    s7_full_q <= s6_total_q[6];
    s7_top_q  <= s6_r_i[15:10];
  end

  // S7: k.
  wire [21:0] s7_sum = {4'd0, s7_p0_q} + {2'd0, s7_p1_q, 2'd0} + {s7_p2_q, 4'd0};
  reg  [K_W-1:0] s8_k_q;
  wire [5:0]  s7_k = s7_full_q ? s7_top_q : s7_sum[21:16];
  wire        unused_ok = &{1'b0, s7_sum[15:0], s7_k};
  always @(posedge clk_i) s8_k_q <= s7_k[K_W-1:0];

  // S8: in each lane, the port that would be it; and which lane it is, one-hot.
  function [LANE_W-1:0] minus(input [LANE_W-1:0] a, input [LANE_W-1:0] b);
    integer i;
    reg c;
    begin
      c = 1'b0;
      for (i = 0; i < LANE_W; i = i + 1) begin
        minus[i] = a[i] ^ b[i] ^ c;
        c = (~a[i] & b[i]) | (c & ~(a[i] ^ b[i]));
      end
    end
  endfunction

  // S7: how many ones of its lane lie before each port.
  function [3:0] rank(input [LANE-1:0] lane, input integer port);
    integer j;
    reg [7:0] lower;
    begin
      lower = 8'd0;
      for (j = 0; j < LANE; j = j + 1) lower[j] = lane[j] & (j < port);
      rank = ones8(lower);
    end
  endfunction
  reg [4*PADDED-1:0] s8_ranks_q;
  always @(posedge clk_i)
    for (g = 0; g < PADDED; g = g + 1)
      s8_ranks_q[4*g +: 4] <= rank(s7_mask_q[LANE*(g/LANE) +: LANE], g % LANE);

  reg [LANES-1:0]        from; // k lies in this lane or a later one
  reg [LANE_W-1:0]       inside_lane; // k less the ones before the lane
  integer                i, n;
  reg [LANE-1:0]         pick;
  reg [LANE_W*LANES-1:0] ports;
  reg [LANE-1:0]         hit;    // one-hot: the port of the lane with that rank
  reg [LANES-1:0]        s9_here_q;
  reg [LANE_W*LANES-1:0] s9_ports_q;
  always @* begin
    from[0] = 1'b1;
    for (g = 1; g < LANES; g = g + 1) from[g] = ge(s8_k_q, s8_before_q[7*g +: K_W]);
    for (g = 0; g < LANES; g = g + 1) begin
      inside_lane = minus(s8_k_q[LANE_W-1:0], s8_before_q[7*g +: LANE_W]);
      for (i = 0; i < LANE; i = i + 1)
        hit[i] = s8_mask_q[LANE*g+i] &&
                 s8_ranks_q[4*(LANE*g+i) +: 4] == {{4 - LANE_W{1'b0}}, inside_lane};
      for (n = 0; n < LANE_W; n = n + 1) begin
        for (i = 0; i < LANE; i = i + 1) pick[i] = hit[i] & i[n];
        ports[LANE_W*g+n] = |pick;
      end
    end
  end
  always @(posedge clk_i) begin
    s9_here_q  <= from & ~{1'b0, from[LANES-1:1]};
    s9_ports_q <= ports;
  end

  // S9: the port.
  reg [LANES-1:0] term; // one bit from each lane
  reg [K_W-1:0]   s9_port;
  always @* begin
    term = {LANES{1'b0}};
    for (n = 0; n < LANE_W; n = n + 1) begin
      for (g = 0; g < LANES; g = g + 1) term[g] = s9_here_q[g] & s9_ports_q[LANE_W*g+n];
      s9_port[n] = |term;
    end
    for (n = 0; n < LANES_W; n = n + 1) begin
      for (g = 0; g < LANES; g = g + 1) term[g] = s9_here_q[g] & g[n];
      s9_port[LANE_W+n] = |term;
    end
  end
  assign s9_port_o = s9_port[PORT_W-1:0];
  assign s9_mask_o = s9_mask_q[NUM_PORTS-1:0];
  generate
    if (PADDED > NUM_PORTS) begin : gen_unused_mask
      wire unused_mask = &{1'b0, s9_mask_q[PADDED-1:NUM_PORTS]};
    end
    if (K_W > PORT_W) begin : gen_unused_port
      wire unused_port = &{1'b0, s9_port[K_W-1:PORT_W]};
    end
  endgenerate

`ifdef FORMAL // properties
  // Against counting up, cut at the registers of every stage: the ones before each port, L, k, and
  // the port. The module has no reset; this one only says when to look.
  (* anyseq *) wire rst_i;

  // How many ones lie before port p, in 7 bits at 7 * p; the last is the number of all ones.
  function [7*(PADDED+1)-1:0] f_met(input [PADDED-1:0] mask);
    integer p;
    begin
      f_met[6:0] = 7'd0;
      for (p = 0; p < PADDED; p = p + 1)
        f_met[7*(p+1) +: 7] = f_met[7*p +: 7] + {6'd0, mask[p]};
    end
  endfunction

  // Port of the k-th one, counting up.
  function [PORT_W-1:0] f_kth(input [NUM_PORTS-1:0] mask, input [6:0] k);
    integer p;
    reg [6:0] met;
    begin
      f_kth = {PORT_W{1'b0}};
      met = 7'd0;
      for (p = 0; p < NUM_PORTS; p = p + 1)
        if (mask[p]) begin
          if (met == k) f_kth = p;
          met = met + 7'd1;
        end
    end
  endfunction

  reg [NUM_PORTS-1:0] f4_mask_q, f5_mask_q, f6_mask_q, f7_mask_q, f8_mask_q, f9_mask_q;
  reg [22:0]          f7_product_q;
  reg [6:0]           f8_k_q, f9_k_q;
  reg [5:0]           f_clocks_q; // bit n - 4: what is at stage n entered after the reset
  always @(posedge clk_i) begin
    f_clocks_q <= rst_i ? 6'd0 : {f_clocks_q[4:0], 1'b1};
    f4_mask_q <= s3_mask_i;
    {f9_mask_q, f8_mask_q, f7_mask_q} <= {f8_mask_q, f7_mask_q, f6_mask_q};
    {f6_mask_q, f5_mask_q} <= {f5_mask_q, f4_mask_q};
    f7_product_q <= s6_r_i * f6_l;
    f8_k_q <= f7_product_q[22:16];
    f9_k_q <= f8_k_q;
  end
  `EGRET_ASSERT((f_clocks_q & (f_clocks_q + 6'd1)) == 6'd0, "clocks since the reset")
  `EGRET_ASSERT(!f_clocks_q[0] || s4_mask_q == f4_mask_q, "mask, S4")
  `EGRET_ASSERT(!f_clocks_q[1] || s5_mask_q == f5_mask_q, "mask, S5")
  `EGRET_ASSERT(!f_clocks_q[2] || s6_mask_q == f6_mask_q, "mask, S6")
  `EGRET_ASSERT(!f_clocks_q[3] || s7_mask_q == f7_mask_q, "mask, S7")
  `EGRET_ASSERT(!f_clocks_q[4] || s8_mask_q == f8_mask_q, "mask, S8")
  `EGRET_ASSERT(!f_clocks_q[5] || s9_mask_q == f9_mask_q, "mask, S9")

  wire [7*(PADDED+1)-1:0] f4_met = f_met(s4_mask_q);
  wire [7*(PADDED+1)-1:0] f5_met = f_met(s5_mask_q);
  wire [7*(PADDED+1)-1:0] f6_met = f_met(s6_mask_q);
  wire [7*(PADDED+1)-1:0] f7_met = f_met(s7_mask_q);
  wire [7*(PADDED+1)-1:0] f8_met = f_met(s8_mask_q);
  wire [6:0]              f6_l   = f6_met[7*PADDED +: 7];
  wire [6:0]              f7_l   = f7_met[7*PADDED +: 7];
  wire [6:0]              f8_l   = f8_met[7*PADDED +: 7];
  genvar f_g, f_i;
  generate
    for (f_g = 0; f_g < LANES; f_g = f_g + 1) begin : gen_f_lane
      localparam AT = 7 * LANE * f_g, QUAD = 7 * LANE * (f_g - f_g % 4);
      `EGRET_ASSERT(!f_clocks_q[0] || {3'd0, s4_ones_q[4*f_g +: 4]} ==
                                      f4_met[AT+7*LANE +: 7] - f4_met[AT +: 7], "ones of a lane")
      `EGRET_ASSERT(!f_clocks_q[2] || s6_part_q[7*f_g +: 7] ==
                                      f6_met[AT +: 7] - f6_met[QUAD +: 7], "before it in its four")
      `EGRET_ASSERT(!f_clocks_q[3] || s7_before_q[7*f_g +: 7] == f7_met[AT +: 7], "before, S7")
      `EGRET_ASSERT(!f_clocks_q[4] || s8_before_q[7*f_g +: 7] == f8_met[AT +: 7], "before, S8")
      for (f_i = 0; f_i < LANE; f_i = f_i + 1) begin : gen_f_port
        `EGRET_ASSERT(!f_clocks_q[4] || {3'd0, s8_ranks_q[4*(LANE*f_g+f_i) +: 4]} ==
                                        f8_met[AT+7*f_i +: 7] - f8_met[AT +: 7], "rank")
      end
    end
    for (f_g = 1; f_g <= 4; f_g = f_g + 1) begin : gen_f_sum
      `EGRET_ASSERT(!f_clocks_q[1] || s5_sums0_q[7*(f_g-1) +: 7] == f5_met[7*LANE*f_g +: 7], "sum")
      if (LANES == 8) begin : gen_f_high
        `EGRET_ASSERT(!f_clocks_q[1] || gen_eight.s5_sums1_q[7*(f_g-1) +: 7] ==
                                        f5_met[7*LANE*(f_g+4) +: 7] - f5_met[7*LANE*4 +: 7], "sum")
      end
    end
  endgenerate
  `EGRET_ASSERT(!f_clocks_q[2] || (s6_quad0_q == f6_met[7*LANE*4 +: 7] && s6_total_q == f6_l), "L")
  `EGRET_ASSERT(!f_clocks_q[2] || s6_any_o == (f6_mask_q != {NUM_PORTS{1'b0}}), "any")
  `EGRET_ASSERT(!f_clocks_q[3] ||
                (s7_full_q ? f7_product_q[22] == 1'b0 && f7_product_q[21:16] == s7_top_q
                           : f7_product_q == {1'b0, s7_sum}), "r * L")
  `EGRET_ASSERT(!f_clocks_q[3] || f7_l == 7'd0 || f7_product_q[22:16] < f7_l, "k is below L, S7")
  `EGRET_ASSERT(!f_clocks_q[4] || f8_l == 7'd0 ||
                ({{7 - K_W{1'b0}}, s8_k_q} == f8_k_q && f8_k_q < f8_l), "k = (r * L) >> 16")

  reg [(1<<PORT_W)-1:0] f9_mask;
  always @* begin
    f9_mask = {(1 << PORT_W){1'b0}};
    f9_mask[NUM_PORTS-1:0] = f9_mask_q;
  end
  wire f9_any = f9_mask_q != {NUM_PORTS{1'b0}};
  `EGRET_ASSERT(!f_clocks_q[5] || s9_mask_o == f9_mask_q, "mask out")
  `EGRET_ASSERT(!f_clocks_q[5] || !f9_any || s9_port_o == f_kth(f9_mask_q, f9_k_q), "k-th port")
  `EGRET_ASSERT(!f_clocks_q[5] || !f9_any || f9_mask[s9_port_o], "a live member")
`ifdef PROVE_egret_live_repair
  `EGRET_COVER(f_clocks_q[5] && f9_mask_q == {NUM_PORTS{1'b1}} && s9_port_o == NUM_PORTS - 1)
  `EGRET_COVER(f_clocks_q[5] && !f9_any)
  `EGRET_COVER(NUM_PORTS < 3 || (f_clocks_q[5] && s9_port_o == 2 && f9_k_q == 1))
`endif
`endif

endmodule
`default_nettype wire
