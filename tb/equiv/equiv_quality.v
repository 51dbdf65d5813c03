// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_spray_quality, then egret_live_repair as in egret_deep: live members at S3
// in clock 0, bands in force at S4, the number at S9, the choice at S12; any slots beside.
// C side: cmodel/test/equiv_quality.c.
// clocks 9
// state 0 number number_q
`default_nettype none

module equiv_quality #(
  parameter NUM_PORTS = 16,
  parameter PORT_W = 4
) (
  input  wire                   clk_i,
  input  wire [3*NUM_PORTS-1:0] band,
  input  wire [NUM_PORTS-1:0]   live,
  input  wire [31:0]            state, // number_q follows it
  output wire [NUM_PORTS-1:0]   ties,
  output wire [7:0]             choice,
  output wire [7:0]             quick,
  output wire [2:0]             of_band
);

  reg [3:0]  clock_q;
  reg [31:0] number_q;
  initial clock_q = 4'd0;
  always @(posedge clk_i) begin
    clock_q  <= clock_q + 4'd1;
    number_q <= number_q;
  end

  (* anyseq *) wire                   other_rst, other_tick;
  (* anyseq *) wire [3*NUM_PORTS-1:0] other_band;
  (* anyseq *) wire [NUM_PORTS-1:0]   other_live;
  (* anyseq *) wire [15:0]            other_number;

  wire                   mine_s4 = clock_q == 4'd1;
  wire [3*NUM_PORTS-1:0] bands, planes, s10_bands, s12_bands;
  wire [8*NUM_PORTS-1:0] have;
  wire [NUM_PORTS-1:0]   s6_ties, s12_ties;
  wire [PORT_W-1:0]      s12_port;
  wire                   s9_any;
  wire                   unused_ok = &{1'b0, s10_bands, s12_bands, s9_any, state};
  assign bands = mine_s4 ? band : other_band;
  genvar i, b;
  generate
    for (i = 0; i < NUM_PORTS; i = i + 1) begin : gen_port
      for (b = 0; b < 8; b = b + 1) begin : gen_band
        if (b < 3) begin : gen_plane
          assign planes[NUM_PORTS*b+i] = bands[3*i+b];
        end
        assign have[NUM_PORTS*b+i] = bands[3*i +: 3] == b;
      end
    end
  endgenerate

  egret_spray_quality #(.NUM_PORTS(NUM_PORTS)) u_quality (
    .clk_i      (clk_i),
    .rst_i      (clock_q != 4'd1 && clock_q != 4'd2 && other_rst),
    .s3_mask_i  (clock_q == 4'd0 ? live : other_live),
    .s3_tick_i  (other_tick),
    .s4_bands_i (planes),
    .s4_have_i  (have),
    .s6_ties_o  (s6_ties),
    .s10_bands_o(s10_bands),
    .s12_bands_o(s12_bands)
  );

  egret_live_repair #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_live_repair (
    .clk_i    (clk_i),
    .s3_mask_i(s6_ties),
    .s6_r_i   (clock_q == 4'd6 ? number_q[31:16] : other_number),
    .s6_any_o (s9_any),
    .s9_mask_o(s12_ties),
    .s9_port_o(s12_port)
  );

  wire [3*NUM_PORTS-1:0] rest = band >> (3 * s12_port);
  wire                   any = live != {NUM_PORTS{1'b0}};
  assign ties    = s12_ties;
  assign choice  = any ? s12_port : 8'd0;
  assign quick   = choice;
  assign of_band = rest[2:0] & {3{any}};

endmodule
`default_nettype wire
