// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_drill behind the two egret_live_repair of its samples. Reset in clock 0; a
// packet at S3 in clock 1, a second one `distance` clocks later; beside them slots that leave the
// memories alone. C side: cmodel/test/equiv_drill.c.
// clocks 20
// state 1 number number{i}_q
// state 1 valid,port u_drill.u_memory.gen_sync.mem[{i}] if PARITY == 0
// state 1 parity,valid,port u_drill.u_memory.gen_sync.mem[{i}] if PARITY
// final to_valid,to_port u_drill.u_memory.gen_sync.mem[{i}] if PARITY == 0
// final to_parity,to_valid,to_port u_drill.u_memory.gen_sync.mem[{i}] if PARITY
`default_nettype none

module equiv_drill #(
  parameter NUM_PORTS = 16,
  parameter PORT_W = 4,
  parameter PARITY = 0
) (
  input  wire                   clk_i,
  input  wire [3*NUM_PORTS-1:0] band,
  input  wire [1:0]             bad,
  input  wire [2:0]             distance,
  input  wire [1:0]             group,
  input  wire [2*NUM_PORTS-1:0] live,
  input  wire [3:0]             samples,
  input  wire [1:0]             remember,
  input  wire [63:0]            state, // numbers follow it
  output wire [15:0]            choice,
  output wire [15:0]            quick,
  output wire [1:0]             found
);

  reg [4:0]  clock_q;
  reg [31:0] number0_q, number1_q;
  initial clock_q = 5'd0;
  always @(posedge clk_i) begin
    clock_q   <= clock_q + 5'd1;
    number0_q <= number0_q;
    number1_q <= number1_q;
  end
  wire unused_ok = &{1'b0, state, bad};

  (* anyseq *) wire                 other_two, other_group, other_fault, other_valid;
  (* anyseq *) wire [NUM_PORTS-1:0] other_live;
  (* anyseq *) wire [31:0]          other_number;
  (* anyseq *) wire [PORT_W-1:0]    other_port;

  // Bit p: packet p is at that stage.
  wire [1:0] at_s3  = {clock_q == 5'd1 + distance, clock_q == 5'd1};
  wire [1:0] at_s6  = {clock_q == 5'd4 + distance, clock_q == 5'd4};
  wire [1:0] at_s9  = {clock_q == 5'd7 + distance, clock_q == 5'd7};
  wire [1:0] at_s12 = {clock_q == 5'd10 + distance, clock_q == 5'd10};
  wire [1:0] at_s13 = {clock_q == 5'd11 + distance, clock_q == 5'd11};

  wire [3*NUM_PORTS-1:0] planes;
  genvar i, b;
  generate
    for (i = 0; i < NUM_PORTS; i = i + 1) begin : gen_port
      for (b = 0; b < 3; b = b + 1) begin : gen_band
        assign planes[NUM_PORTS*b+i] = band[3*i+b];
      end
    end
  endgenerate

  wire [NUM_PORTS-1:0] live0 = live[NUM_PORTS-1:0], live1 = live[2*NUM_PORTS-1:NUM_PORTS];
  wire [NUM_PORTS-1:0] s3_live = at_s3[0] ? live0 : at_s3[1] ? live1 : other_live;
  wire [31:0]          s6_number = at_s6[0] ? number0_q : at_s6[1] ? number1_q : other_number;
  wire [PORT_W-1:0]    s9_sample1, s9_sample2, s13_port;
  wire [NUM_PORTS-1:0] s9_mask1, s9_mask2;
  wire                 s9_any1, s9_any2, s13_bad;
  wire [PORT_W:0]      s13_memory;
  wire                 unused_late = &{1'b0, s9_mask1, s9_mask2, s9_any1, s9_any2, s13_memory};

  egret_live_repair #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_sample1 (
    .clk_i(clk_i), .s3_mask_i(s3_live), .s6_r_i(s6_number[31:16]), .s6_any_o(s9_any1),
    .s9_mask_o(s9_mask1), .s9_port_o(s9_sample1));
  egret_live_repair #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_sample2 (
    .clk_i(clk_i), .s3_mask_i(s3_live), .s6_r_i(s6_number[15:0]), .s6_any_o(s9_any2),
    .s9_mask_o(s9_mask2), .s9_port_o(s9_sample2));

  wire any0 = live0 != {NUM_PORTS{1'b0}}, any1 = live1 != {NUM_PORTS{1'b0}};

  egret_drill #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W), .GROUP_W(1), .PARITY(PARITY)) u_drill (
    .clk_i       (clk_i),
    .rst_i       (clock_q == 5'd0),
    .clr_i       (1'b0),
    .clr_group_i (1'b0),
    .s9_sample1_i(s9_sample1),
    .s9_sample2_i(s9_sample2),
    .s9_group_i  (at_s9[0] ? group[0] : at_s9[1] ? group[1] : other_group),
    .s9_two_i    (at_s9[0] ? samples[1] : at_s9[1] ? samples[3] : other_two),
    .s9_memory_i ((at_s9[0] && remember[0] && any0) || (at_s9[1] && remember[1] && any1)),
    .s9_write_i  (1'b0),
    .s9_fault_i  (other_fault),
    .s9_valid_i  (other_valid),
    .s9_port_i   (other_port),
    .s10_bands_i (planes),
    .s12_mask_i  (at_s12[0] ? live0 : at_s12[1] ? live1 : other_live),
    .s12_bands_i (planes),
    .s13_port_o  (s13_port),
    .s13_memory_o(s13_memory),
    .s13_bad_o   (s13_bad)
  );

  reg [7:0] choice0_q, choice1_q;
  reg       found0_q, found1_q;
  always @(posedge clk_i) begin
    if (at_s13[0]) {found0_q, choice0_q} <= {s13_bad, {8 - PORT_W{1'b0}}, s13_port};
    if (at_s13[1]) {found1_q, choice1_q} <= {s13_bad, {8 - PORT_W{1'b0}}, s13_port};
  end
  assign choice = {choice1_q & {8{any1}}, choice0_q & {8{any0}}};
  assign quick  = choice;
  assign found  = {found1_q, found0_q};

endmodule
`default_nettype wire
