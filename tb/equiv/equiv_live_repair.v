// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_live_repair, mask at S3, random bits at S6, port at S9; any slots before
// and behind. C side: cmodel/test/equiv_live_repair.c.
// clocks 6
`default_nettype none

module equiv_live_repair #(
  parameter NUM_PORTS = 16,
  parameter PORT_W = 4
) (
  input  wire                 clk_i,
  input  wire [NUM_PORTS-1:0] mask,
  input  wire [15:0]          random,
  output wire                 any,
  output wire [7:0]           port
);

  reg [2:0] clock_q;
  initial clock_q = 3'd0;
  always @(posedge clk_i) clock_q <= clock_q + 3'd1;

  (* anyseq *) wire [NUM_PORTS-1:0] other_mask;
  (* anyseq *) wire [15:0]          other_random;
  wire                 s6_any;
  wire [NUM_PORTS-1:0] s9_mask;
  wire [PORT_W-1:0]    s9_port;
  reg                  s7_any_q, s8_any_q, s9_any_q;

  always @(posedge clk_i) {s9_any_q, s8_any_q, s7_any_q} <= {s8_any_q, s7_any_q, s6_any};

  egret_live_repair #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_live_repair (
    .clk_i    (clk_i),
    .s3_mask_i(clock_q == 3'd0 ? mask : other_mask),
    .s6_r_i   (clock_q == 3'd3 ? random : other_random),
    .s6_any_o (s6_any),
    .s9_mask_o(s9_mask),
    .s9_port_o(s9_port)
  );

  assign any  = s9_any_q && s9_mask == mask;
  assign port = (mask != {NUM_PORTS{1'b0}}) ? s9_port : 8'd0;

endmodule
`default_nettype wire
