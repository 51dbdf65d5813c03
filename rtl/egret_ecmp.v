// SPDX-License-Identifier: Apache-2.0
// `ecmp`: a hash bucket table (docs/spec/ecmp.md). A weight is a share of the buckets; who owns a
// bucket is the control side's matter.
//   bucket = (base + (hash & mask)) mod NUM_BUCKETS;  port = table[bucket]
// Stages as in egret_core: hash in at S6, table read at S7, port out at S9; latency 3 clocks, one a
// clock. A configuration slot uses its own address instead and may write the table at S7.
// State: the table; it changes by configuration writes and the sweep only.
// C twin: cmodel/select/ecmp.c. Does not: look at members or liveness (egret_live_repair).
`timescale 1ns / 1ps
`default_nettype none

module egret_ecmp #(
  // Buckets, a power of two, 1..65536.
  parameter NUM_BUCKETS = 1024,
  // Bits of a bucket index, $clog2(NUM_BUCKETS) or 1.
  parameter BUCKET_W = 10,
  // Bits of a port number.
  parameter PORT_W = 4,
  // 1: a bucket has a parity bit.
  parameter PARITY = 0
) (
  input  wire                clk_i,
  // sweep
  input  wire                clr_i,
  input  wire [BUCKET_W-1:0] clr_addr_i,
  // S6
  input  wire [15:0]         s6_hash_i,
  input  wire [15:0]         s6_base_i,
  input  wire [15:0]         s6_mask_i,
  input  wire                s6_cfg_i,
  input  wire [BUCKET_W-1:0] s6_cfg_addr_i,
  // S7: configuration write
  input  wire                s7_write_i,
  input  wire                s7_fault_i, // with bad parity
  input  wire [PORT_W-1:0]   s7_data_i,
  // S9
  output wire [PORT_W-1:0]   s9_port_o,
  output wire                s9_bad_o
);

  localparam [31:0] BUCKETS_LESS1 = NUM_BUCKETS - 1;

  wire [15:0] s6_bucket = (s6_base_i + (s6_hash_i & s6_mask_i)) & BUCKETS_LESS1[15:0];
  wire        unused_ok = &{1'b0, s6_bucket};
  reg  [BUCKET_W-1:0] s7_bucket_q;
  localparam WIDTH = PORT_W + PARITY;
  wire [WIDTH-1:0]    s8_port;
  reg  [WIDTH-1:0]    s9_port_q;
  wire [PORT_W:0]     s7_word = {(^s7_data_i) ^ s7_fault_i, s7_data_i};
  wire                unused_fault = &{1'b0, s7_word};

  always @(posedge clk_i) begin
    s7_bucket_q <= s6_cfg_i ? s6_cfg_addr_i : s6_bucket[BUCKET_W-1:0];
    s9_port_q   <= s8_port;
  end

  egret_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(1 << BUCKET_W), .ADDR_W(BUCKET_W)) u_buckets (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | s7_write_i),
    .wr_addr_i(clr_i ? clr_addr_i : s7_bucket_q),
    .wr_data_i(clr_i ? {WIDTH{1'b0}} : s7_word[WIDTH-1:0]),
    .rd_addr_i(s7_bucket_q),
    .rd_data_o(s8_port)
  );

  assign s9_port_o = s9_port_q[PORT_W-1:0];
  assign s9_bad_o  = PARITY != 0 && ^s9_port_q;

`ifdef FORMAL // properties
  // The bucket is one of the table, whatever base, mask and hash.
  always @* begin
    assert (s6_bucket < NUM_BUCKETS);
    assert (s6_bucket == (s6_base_i + (s6_hash_i & s6_mask_i)) % (NUM_BUCKETS + 17'd0));
`ifdef PROVE_egret_ecmp
    cover (s6_bucket == NUM_BUCKETS - 1 && s6_base_i > NUM_BUCKETS);
`endif
  end

  // Any one bucket, found by its number: a write leaves it with what it is told, and good unless it
  // is a fault write; whatever it holds, who reads it is told that and whether it is good.
  (* hierconn *) wire [BUCKET_W-1:0] \u_buckets.f_addr ;
  (* hierconn *) wire [WIDTH-1:0]    \u_buckets.f_word ;
  reg  [BUCKET_W-1:0] f7_bucket_q; // what the slot at S7 asked for
  wire             f_here = f7_bucket_q == \u_buckets.f_addr ;
  wire             f_set  = clr_i ? clr_addr_i == \u_buckets.f_addr : s7_write_i && f_here;
  reg              f_set_q, f_fault_q, f8_q, f9_q;
  reg [PORT_W-1:0] f_data_q;
  reg [WIDTH-1:0]  f8_word_q, f9_word_q;
  always @(posedge clk_i) begin
    f7_bucket_q <= s6_cfg_i ? s6_cfg_addr_i
                            : (s6_base_i + (s6_hash_i & s6_mask_i)) % (NUM_BUCKETS + 17'd0);
    f_set_q   <= f_set;
    f_fault_q <= PARITY != 0 && !clr_i && s7_fault_i;
    f_data_q  <= clr_i ? {PORT_W{1'b0}} : s7_data_i;
    {f9_q, f8_q} <= {f8_q, f_here && !f_set};
    {f9_word_q, f8_word_q} <= {f8_word_q, \u_buckets.f_word };
  end
  always @* begin
    if ($initstate) // there is no reset here
      assume ({f_set_q, f8_q, f9_q} == 3'd0 && f7_bucket_q == s7_bucket_q);
    assert (!f_set_q || \u_buckets.f_word [PORT_W-1:0] == f_data_q);
    assert (!f_set_q || PARITY == 0 || ^\u_buckets.f_word == f_fault_q);
    assert (!f8_q || s8_port == f8_word_q);
    assert (!f9_q || s9_port_q == f9_word_q);
    assert (!f9_q || (s9_port_o == f9_word_q[PORT_W-1:0] &&
                      s9_bad_o == (PARITY != 0 && ^f9_word_q)));
`ifdef PROVE_egret_ecmp
    cover (f9_q && s9_bad_o == (PARITY != 0) && s9_port_o != {PORT_W{1'b0}});
`endif
  end
`endif

endmodule
`default_nettype wire
