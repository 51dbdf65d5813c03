// SPDX-License-Identifier: Apache-2.0
// The queue depth of every port, in bytes (docs/spec/events.md): written by queue events, read by
// configuration reads. Both happen at S2, and the event of a clock comes before the read of that
// clock; the word is out at S4. One of each a clock. An event for a port beyond NUM_PORTS does not
// come here: egret_globals counts it. State: the table; cleared by the sweep.
// C twin: the queue event of cmodel/select/apply.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_queues #(
  // Bits of a port number.
  parameter PORT_W = 4
) (
  input  wire              clk_i,
  // sweep
  input  wire              clr_i,
  input  wire [PORT_W-1:0] clr_addr_i,
  // S2: queue event, depth 0 during the sweep; address of a read
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
    .wr_data_i(s2_depth_i),
    .rd_addr_i(s2_addr_i),
    .rd_data_o(s3_ram)
  );

  always @(posedge clk_i) begin
    s3_same_q  <= s2_valid_i && s2_id_i == s2_addr_i;
    s3_new_q   <= s2_depth_i;
    s4_depth_q <= s3_same_q ? s3_new_q : s3_ram;
  end

  assign s4_depth_o = s4_depth_q;

endmodule
`default_nettype wire
