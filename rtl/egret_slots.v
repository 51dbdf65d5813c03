// SPDX-License-Identifier: Apache-2.0
// The slot's kind, address and regions down the pipe, S2 to S9; from S3 on a region is that of a
// legal access. A slot is a packet, a write or a read; flags are cleared by the reset, the rest is
// payload. Bit s of a flag vector is stage Ss. State: the pipe. C twin: none (pure timing).
`timescale 1ns / 1ps
`default_nettype none

module egret_slots (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        s1_packet_i,
  input  wire        s1_write_i,
  input  wire        s1_read_i,
  input  wire        s1_fault_i, // of a write: with bad parity
  input  wire [12:0] s1_hit_i, // regions by address
  input  wire        s2_ok_i,  // a write there would be legal
  input  wire [23:0] s1_addr_i,
  output wire [9:2]  packet_o,
  output wire [9:2]  write_o,
  output wire [9:2]  read_o,
  output wire [9:2]  fault_o,
  output wire [12:0] s2_hit_o,
  output wire [12:0] s3_hit_o,
  output wire [12:0] s4_hit_o,
  output wire [12:0] s6_hit_o,
  output wire [12:0] s7_hit_o,
  output wire [12:0] s9_hit_o,
  output wire [23:0] s2_addr_o,
  output wire [23:0] s3_addr_o,
  output wire [23:0] s6_addr_o
);

  reg [9:2]  packet_q, write_q, read_q, fault_q;
  reg [12:0] s2_hit_q, s3_hit_q, s4_hit_q;
  reg [23:0] s2_addr_q, s3_addr_q;
  always @(posedge clk_i)
    if (rst_i) begin
      packet_q <= 8'd0;
      write_q  <= 8'd0;
      read_q   <= 8'd0;
      fault_q  <= 8'd0;
    end else begin
      packet_q <= {packet_q[8:2], s1_packet_i};
      write_q  <= {write_q[8:2], s1_write_i};
      read_q   <= {read_q[8:2], s1_read_i};
      fault_q  <= {fault_q[8:2], s1_write_i & s1_fault_i};
    end
  always @(posedge clk_i) begin
    s2_hit_q  <= s1_hit_i;
    s3_hit_q  <= s2_hit_q & {13{read_q[2] | (write_q[2] & s2_ok_i)}};
    s4_hit_q  <= s3_hit_q;
    s2_addr_q <= s1_addr_i;
    s3_addr_q <= s2_addr_q;
  end
  egret_delay #(.WIDTH(13), .CYCLES(2)) u_hit6 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s4_hit_q), .data_o(s6_hit_o));
  egret_delay #(.WIDTH(13), .CYCLES(1)) u_hit7 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s6_hit_o), .data_o(s7_hit_o));
  egret_delay #(.WIDTH(13), .CYCLES(2)) u_hit9 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s7_hit_o), .data_o(s9_hit_o));
  egret_delay #(.WIDTH(24), .CYCLES(3)) u_addr6 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s3_addr_q), .data_o(s6_addr_o));

  assign packet_o  = packet_q;
  assign write_o   = write_q;
  assign read_o    = read_q;
  assign fault_o   = fault_q;
  assign s2_hit_o  = s2_hit_q;
  assign s3_hit_o  = s3_hit_q;
  assign s4_hit_o  = s4_hit_q;
  assign s2_addr_o = s2_addr_q;
  assign s3_addr_o = s3_addr_q;

endmodule
`default_nettype wire
