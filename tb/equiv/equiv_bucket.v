// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_ecmp behind egret_fixed, any table. A packet is at S6 in clock 0; other
// slots may write the table before it and behind it, and name other buckets. C side:
// cmodel/test/equiv_bucket.c.
// clocks 3
// state 1 bucket u_ecmp.u_buckets.gen_sync.mem[{i}] if PARITY == 0
// state 1 parity,bucket u_ecmp.u_buckets.gen_sync.mem[{i}] if PARITY
`default_nettype none

module equiv_bucket #(
  parameter NUM_BUCKETS = 64,
  parameter BUCKET_W = 6,
  parameter PORT_W = 2,
  parameter PARITY = 0
) (
  input  wire        clk_i,
  input  wire        fixed,
  input  wire [31:0] hash,
  input  wire [15:0] base,
  input  wire [15:0] mask,
  input  wire [NUM_BUCKETS-1:0] bad, // parity follows it
  output wire [7:0]  choice,
  output wire        found
);

  reg [1:0] clock_q;
  initial clock_q = 2'd0;
  always @(posedge clk_i) clock_q <= clock_q + 2'd1;

  (* anyseq *) wire                other_cfg, other_write;
  (* anyseq *) wire [15:0]         other_hash, other_base, other_mask;
  (* anyseq *) wire [BUCKET_W-1:0] other_addr;
  (* anyseq *) wire [PORT_W-1:0]   other_data;
  wire              mine = clock_q == 2'd0;
  wire [15:0]       packet_mask;
  wire [PORT_W-1:0] port;

  egret_fixed u_fixed (.fixed_i(fixed), .mask_i(mask), .mask_o(packet_mask));

  egret_ecmp #(
    .NUM_BUCKETS(NUM_BUCKETS), .BUCKET_W(BUCKET_W), .PORT_W(PORT_W), .PARITY(PARITY)
  ) u_ecmp (
    .clk_i        (clk_i),
    .clr_i        (1'b0),
    .clr_addr_i   ({BUCKET_W{1'b0}}),
    .s6_hash_i    (mine ? hash[15:0] : other_hash),
    .s6_base_i    (mine ? base : other_base),
    .s6_mask_i    (mine ? packet_mask : other_mask),
    .s6_cfg_i     (!mine && other_cfg),
    .s6_cfg_addr_i(other_addr),
    .s7_write_i   (clock_q != 2'd1 && other_write),
    .s7_fault_i   (1'b0),
    .s7_data_i    (other_data),
    .s9_port_o    (port),
    .s9_bad_o     (found)
  );

  assign choice = port;
  wire unused_ok = &{1'b0, bad};

endmodule
`default_nettype wire
