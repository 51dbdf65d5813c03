// SPDX-License-Identifier: Apache-2.0
// The clocks of load (docs/spec/load.md): where a tick is in the pipe, and the walk over all ports
// behind it, one port a clock.
//   tick at S1 in clock 0, S3 in 2, S14 in 13; all bytes before it are in the tables in clock 16
//   port p at W0 in clock 16 + p, its average written at W5, its next band at W16: clock 32 + p
// So the last band is stored at the end of clock NUM_PORTS + 31. The next tick is at S1 not before
// clock NUM_PORTS + 32 and takes the next bands at S3 in clock NUM_PORTS + 34: two to spare. The
// registers of egret_load that a tick copies at S1 are used up to W14, clock NUM_PORTS + 29.
// State: the tick's and the walk's places; cleared by reset.
// C twin: none (the model walks at once). Does not: hold a tick back; egret_intake does.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_load_walk #(
  // Ports, 1..64.
  parameter NUM_PORTS = 16,
  // Bits of a port number, $clog2(NUM_PORTS) or 1.
  parameter PORT_W = 4
) (
  input  wire              clk_i,
  input  wire              rst_i,
  // the tick, from S1 on
  input  wire              s1_tick_i,
  output wire              s3_tick_o,
  output wire              s14_tick_o,
  // the port at W0 (bytes and average are read) and that of the next clock, W2 (that at W3 next),
  // W3 (depth, scales), W5 (the average is written) and W16 (the next band is written)
  output wire              w0_valid_o,
  output wire [PORT_W-1:0] w0_port_o,
  output wire [PORT_W-1:0] w0_next_port_o,
  output wire [PORT_W-1:0] w2_port_o,
  output wire              w3_valid_o,
  output wire [PORT_W-1:0] w3_port_o,
  output wire              w5_valid_o,
  output wire [PORT_W-1:0] w5_port_o,
  output wire              w16_valid_o,
  output wire [PORT_W-1:0] w16_port_o
);

  localparam [31:0]       LAST32 = NUM_PORTS - 1;
  localparam [PORT_W-1:0] LAST   = LAST32[PORT_W-1:0];

  reg  [15:1]       tick_q;  // bit n: a tick is at S(n + 1)
  reg  [16:0]       valid_q; // bit n: a port is at Wn
  reg  [PORT_W-1:0] port_q;
  wire [PORT_W-1:0] port_next;

  // port + 1 as a boolean function: a short carry chain is slow.
  genvar b;
  generate
    for (b = 0; b < PORT_W; b = b + 1) begin : gen_next
      if (b == 0) begin : gen_low
        assign port_next[0] = ~port_q[0];
      end else begin : gen_high
        assign port_next[b] = port_q[b] ^ (&port_q[b-1:0]);
      end
    end
  endgenerate

  always @(posedge clk_i)
    if (rst_i) begin
      tick_q  <= 15'd0;
      valid_q <= 17'd0;
    end else begin
      tick_q  <= {tick_q[14:1], s1_tick_i};
      valid_q <= {valid_q[15:0], tick_q[15] | (valid_q[0] & port_q != LAST)};
    end
  assign w0_next_port_o = valid_q[0] ? port_next : {PORT_W{1'b0}};
  always @(posedge clk_i) port_q <= w0_next_port_o;

  assign s3_tick_o   = tick_q[2];
  assign s14_tick_o  = tick_q[13];
  assign w0_valid_o  = valid_q[0];
  assign w0_port_o   = port_q;
  assign w3_valid_o  = valid_q[3];
  assign w5_valid_o  = valid_q[5];
  assign w16_valid_o = valid_q[16];

  egret_delay #(.WIDTH(PORT_W), .CYCLES(2)) u_port2 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(port_q), .data_o(w2_port_o));
  egret_delay #(.WIDTH(PORT_W), .CYCLES(1)) u_port3 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(w2_port_o), .data_o(w3_port_o));
  egret_delay #(.WIDTH(PORT_W), .CYCLES(2)) u_port5 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(w3_port_o), .data_o(w5_port_o));
  egret_delay #(.WIDTH(PORT_W), .CYCLES(11)) u_port16 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(w5_port_o), .data_o(w16_port_o));

`ifndef SYNTHESIS
  // Between a tick at S3 and the last band of its walk the next bands are not whole.
  reg due_q;
  always @(posedge clk_i)
    if (rst_i) due_q <= 1'b0;
    else due_q <= s3_tick_o | (due_q & ~(w16_valid_o & w16_port_o == LAST));
  `EGRET_ASSERT(!(s3_tick_o && due_q), "a tick at S3 before the last band of the one before")
  `EGRET_ASSERT(!(s1_tick_i && (tick_q != 15'd0 || valid_q[13:0] != 14'd0)),
                "a tick changes the registers of a walk")
`endif

`ifdef FORMAL // properties
  // Every place is a function of the clocks since the last tick was at S1; FAR: none was.
  localparam [7:0] F_FAR = NUM_PORTS + 32;
  reg  [7:0] f_since_q;
  always @(posedge clk_i)
    if (rst_i) f_since_q <= F_FAR;
    else if (s1_tick_i) f_since_q <= 8'd1;
    else if (f_since_q != F_FAR) f_since_q <= f_since_q + 8'd1;

`ifdef PROVE_egret_load_walk
  `EGRET_ASSUME(!s1_tick_i || f_since_q == F_FAR)
  `EGRET_COVER(w16_valid_o && w16_port_o == LAST)
`endif
  (* hierconn *) wire [2*PORT_W-1:0] \u_port2.gen_line.line_q ;
  (* hierconn *) wire [PORT_W-1:0]   \u_port3.gen_line.line_q ;
  (* hierconn *) wire [2*PORT_W-1:0] \u_port5.gen_line.line_q ;
  (* hierconn *) wire [11*PORT_W-1:0] \u_port16.gen_line.line_q ;
  wire [17*PORT_W-1:0] f_ports = {\u_port16.gen_line.line_q , \u_port5.gen_line.line_q ,
                                  \u_port3.gen_line.line_q , \u_port2.gen_line.line_q ,
                                  port_q};
  genvar f_n;
  generate
    for (f_n = 1; f_n < 16; f_n = f_n + 1) begin : gen_f_tick
      `EGRET_ASSERT(tick_q[f_n] == (f_since_q == f_n), "place of the tick")
    end
    for (f_n = 0; f_n < 17; f_n = f_n + 1) begin : gen_f_walk
      `EGRET_ASSERT(valid_q[f_n] == (f_since_q >= 8'd16 + f_n &&
                                     f_since_q < 8'd16 + f_n + NUM_PORTS), "place of the walk")
      `EGRET_ASSERT(!valid_q[f_n] || f_ports[f_n*PORT_W +: PORT_W] == f_since_q - 8'd16 - f_n,
                    "port of the walk")
    end
  endgenerate
  `EGRET_ASSERT(due_q == (f_since_q >= 8'd3 && f_since_q < 8'd32 + NUM_PORTS), "bands are due")
  `EGRET_ASSERT(f_since_q >= 8'd1 && f_since_q <= F_FAR, "clocks since the tick")
`endif

endmodule
`default_nettype wire
