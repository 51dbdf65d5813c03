// SPDX-License-Identifier: Apache-2.0
// The queue depth of every port, in bytes (docs/spec/events.md): written by queue events, read by
// configuration reads. Both happen at S2, and the event of a clock comes before the read of that
// clock; the word is out at S4. One of each a clock. An event for a port beyond NUM_PORTS does not
// come here: egret_globals counts it. State: the table; cleared by the sweep.
// C twin: the queue event of cmodel/select/apply.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_queues #(
  // Bits of a port number.
  parameter PORT_W = 4
) (
  input  wire              clk_i,
  input  wire              rst_i, // for the assertion only
  // sweep
  input  wire              clr_i,
  input  wire [PORT_W-1:0] clr_addr_i,
  // S2: queue event; address of a read
  input  wire              s2_valid_i,
  input  wire [PORT_W-1:0] s2_id_i,
  input  wire [31:0]       s2_depth_i,
  input  wire [PORT_W-1:0] s2_addr_i,
  // S4
  output wire [31:0]       s4_depth_o
);

  wire [31:0] s3_ram;
  reg         s3_same_q;
  reg  [31:0] s3_new_q, s4_depth_q;

  egret_ram_1r1w #(.WIDTH(32), .DEPTH(1 << PORT_W), .ADDR_W(PORT_W)) u_depths (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | s2_valid_i),
    .wr_addr_i(clr_i ? clr_addr_i : s2_id_i),
    .wr_data_i(s2_depth_i & {32{~clr_i}}),
    .rd_addr_i(s2_addr_i),
    .rd_data_o(s3_ram)
  );

  always @(posedge clk_i) begin
    s3_same_q  <= s2_valid_i && s2_id_i == s2_addr_i;
    s3_new_q   <= s2_depth_i;
    s4_depth_q <= s3_same_q ? s3_new_q : s3_ram;
  end

  assign s4_depth_o = s4_depth_q;

  wire unused_ok = &{1'b0, rst_i};

`ifdef FORMAL // properties
  // One port, any: what is read is what the last event of that port or the sweep wrote, the event
  // of the read's own clock included.
  (* hierconn *) wire [PORT_W-1:0] \u_depths.f_addr ;
  (* hierconn *) wire [31:0] \u_depths.f_word ;
  reg        f_known_q, f3_q, f4_q;
  reg [31:0] f_depth_q, f3_depth_q, f4_depth_q;
  wire [31:0] f_new = clr_i ? 32'd0 : s2_depth_i;
  wire       f_write = clr_i ? clr_addr_i == \u_depths.f_addr
                             : s2_valid_i && s2_id_i == \u_depths.f_addr ;
  always @(posedge clk_i) begin
    if (f_write) f_depth_q <= f_new;
    f3_depth_q <= f_write ? f_new : f_depth_q;
    f4_depth_q <= f3_depth_q;
    if (rst_i) {f_known_q, f3_q, f4_q} <= 3'd0;
    else begin
      f_known_q <= f_known_q | f_write;
      f3_q <= !clr_i && (f_known_q | f_write) && s2_addr_i == \u_depths.f_addr ;
      f4_q <= f3_q;
    end
  end
`ifdef PROVE_egret_queues
  `EGRET_COVER(f4_q && f4_depth_q == 32'd7)
`endif
  `EGRET_ASSERT(!f_known_q || \u_depths.f_word == f_depth_q, "memory")
  `EGRET_ASSERT(!f3_q || (s3_same_q ? s3_new_q : s3_ram) == f3_depth_q, "S3")
  `EGRET_ASSERT(!f4_q || s4_depth_o == f4_depth_q, "the depth of the last event")
`endif

endmodule
`default_nettype wire
