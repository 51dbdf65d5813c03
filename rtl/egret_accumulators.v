// SPDX-License-Identifier: Apache-2.0
// The bytes that every port sent since the last tick (docs/spec/load.md), and since the one before
// it until the walk has taken them: two banks, switched by the tick.
//   sent packet:  acc[bank][port] := min(acc + length, 2^32 - 1)
//   tick:         bank := 1 - bank (before the packet of its own clock)
//   walk:         bytes := acc[1 - bank][port];  acc[1 - bank][port] := 0
// A word is {beyond, sum of 32 bits}: once beyond, always beyond, so that nothing saturates in the
// loop, and the walk reads beyond as 2^32 - 1.
//   S14 tick and packet in    S15 table read, addresses compared    S16 sum    S17 write
// One packet a clock, one port of the walk a clock (latency 1); sums still in the pipe are
// forwarded. A walk may begin 3 clocks behind the tick at S14, and no tick may come before its end.
// State: the bank, changed by ticks; two tables, changed by packets and walks, cleared by the
// sweep.
// C twin: the byte counters' growth between two ticks, egret_load_tick() in cmodel/select/load.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_accumulators #(
  // Bits of a port number.
  parameter PORT_W = 4
) (
  input  wire              clk_i,
  input  wire              rst_i,
  // sweep
  input  wire              clr_i,
  input  wire [PORT_W-1:0] clr_addr_i,
  // S14: tick; a packet left by port
  input  wire              s14_tick_i,
  input  wire              s14_sent_i,
  input  wire [PORT_W-1:0] s14_port_i,
  input  wire [15:0]       s14_length_i,
  // walk: port, that of the next clock, and its bytes one clock later
  input  wire              w0_valid_i,
  input  wire [PORT_W-1:0] w0_port_i,
  input  wire [PORT_W-1:0] w0_next_port_i,
  output wire [31:0]       w1_bytes_o
);

  reg               s15_bank_q, s16_bank_q, s17_bank_q; // s15: the bank of packets
  reg               s15_sent_q, s16_sent_q, s17_sent_q;
  reg  [PORT_W-1:0] s15_port_q, s16_port_q, s17_port_q;
  reg  [15:0]       s15_length_q, s16_length_q;
  reg               s16_forward_q; // the slot before has the same word
  reg  [32:0]       s16_old_q, s17_new_q, w1_word_q;
  wire [32:0]       word0, word1;

  always @(posedge clk_i)
    if (rst_i) begin
      {s15_bank_q, s16_bank_q, s17_bank_q} <= 3'd0;
      {s15_sent_q, s16_sent_q, s17_sent_q} <= 3'd0;
    end else begin
      {s15_bank_q, s16_bank_q, s17_bank_q} <= {s15_bank_q ^ s14_tick_i, s15_bank_q, s16_bank_q};
      {s15_sent_q, s16_sent_q, s17_sent_q} <= {s14_sent_i, s15_sent_q, s16_sent_q};
    end

  // S15: the word, as packets up to the one before last left it.
  wire s15_same1 = s16_sent_q && {s16_bank_q, s16_port_q} == {s15_bank_q, s15_port_q};
  wire s15_same2 = s17_sent_q && {s17_bank_q, s17_port_q} == {s15_bank_q, s15_port_q};

  // S16: the sum.
  wire [32:0] s16_old = s16_forward_q ? s17_new_q : s16_old_q;
  wire [32:0] s16_sum = {1'b0, s16_old[31:0]} + {17'd0, s16_length_q};

  always @(posedge clk_i) begin
    {s15_port_q, s16_port_q, s17_port_q} <= {s14_port_i, s15_port_q, s16_port_q};
    {s15_length_q, s16_length_q} <= {s14_length_i, s15_length_q};
    s16_forward_q <= s15_same1;
    s16_old_q     <= s15_same2 ? s17_new_q : s15_bank_q ? word1 : word0;
    s17_new_q     <= {s16_sum[32] | s16_old[32], s16_sum[31:0]};
    w1_word_q     <= s15_bank_q ? word0 : word1;
  end
  assign w1_bytes_o = w1_word_q[31:0] | {32{w1_word_q[32]}};

  // A table is the packets' or the walk's.
  // The address to read is chosen a clock ahead.
  wire             s14_bank = s15_bank_q ^ s14_tick_i;
  reg [PORT_W-1:0] read0_addr_q, read1_addr_q;
  always @(posedge clk_i) begin
    read0_addr_q <= s14_bank ? w0_next_port_i : s14_port_i;
    read1_addr_q <= s14_bank ? s14_port_i : w0_next_port_i;
  end
  wire write0 = ~s17_bank_q;
  wire write1 = s17_bank_q;
  egret_ram_1r1w #(.WIDTH(33), .DEPTH(1 << PORT_W), .ADDR_W(PORT_W), .ASYNC_READ(1)) u_bank0 (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | (write0 ? s17_sent_q : w0_valid_i)),
    .wr_addr_i(clr_i ? clr_addr_i : write0 ? s17_port_q : w0_port_i),
    .wr_data_i(s17_new_q & {33{write0 & ~clr_i}}),
    .rd_addr_i(read0_addr_q),
    .rd_data_o(word0)
  );
  egret_ram_1r1w #(.WIDTH(33), .DEPTH(1 << PORT_W), .ADDR_W(PORT_W), .ASYNC_READ(1)) u_bank1 (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | (write1 ? s17_sent_q : w0_valid_i)),
    .wr_addr_i(clr_i ? clr_addr_i : write1 ? s17_port_q : w0_port_i),
    .wr_data_i(s17_new_q & {33{write1 & ~clr_i}}),
    .rd_addr_i(read1_addr_q),
    .rd_data_o(word1)
  );

  `EGRET_ASSERT(!w0_valid_i || s15_bank_q == s17_bank_q, "walk before the last bytes are there")
  `EGRET_ASSERT(!clr_i || !(s15_sent_q || s16_sent_q || s17_sent_q || w0_valid_i),
                "packet or walk during the sweep")

`ifdef FORMAL // properties
  // One port, any, in both banks, against saturated sums that are changed at S14, in the order of
  // events; what is in the pipe is what is missing in the table.
  (* hierconn *) wire [PORT_W-1:0] \u_bank0.f_addr ;
  (* hierconn *) wire [PORT_W-1:0] \u_bank1.f_addr ;
  (* hierconn *) wire [32:0] \u_bank0.f_word ;
  (* hierconn *) wire [32:0] \u_bank1.f_word ;
  wire [PORT_W-1:0] f_port = \u_bank0.f_addr ;
  always @* assume (\u_bank1.f_addr == f_port);

  // The word behind one more packet.
  function [32:0] f_add(input [32:0] word, input valid, input [15:0] length);
    reg [32:0] sum;
    begin
      sum = {1'b0, word[31:0]} + {17'd0, length};
      f_add = valid ? {word[32] | sum[32], sum[31:0]} : word;
    end
  endfunction

  reg         f_known_q, f_w1_q;
  reg  [31:0] f_acc0_q, f_acc1_q, f_w1_bytes_q; // saturated, as the specification says
  wire        f_bank = s15_bank_q ^ s14_tick_i;
  wire        f_sent = s14_sent_i && s14_port_i == f_port;
  wire        f_walk = w0_valid_i && w0_port_i == f_port;
  wire [31:0] f_acc = f_bank ? f_acc1_q : f_acc0_q;
  wire [32:0] f_sum = {1'b0, f_acc} + {17'd0, s14_length_i};
  wire [31:0] f_next = f_sum[32] ? 32'hffffffff : f_sum[31:0];
  always @(posedge clk_i) begin
    f_w1_q       <= !rst_i && f_walk && f_known_q;
    f_w1_bytes_q <= s15_bank_q ? f_acc0_q : f_acc1_q;
    if (rst_i) f_known_q <= 1'b0;
    else if (clr_i && clr_addr_i == f_port) f_known_q <= 1'b1;
    if (clr_i && clr_addr_i == f_port) {f_acc0_q, f_acc1_q} <= 64'd0;
    else begin
      if (f_sent && !f_bank) f_acc0_q <= f_next;
      if (f_sent && f_bank) f_acc1_q <= f_next;
      if (f_walk && s15_bank_q) f_acc0_q <= 32'd0;
      if (f_walk && !s15_bank_q) f_acc1_q <= 32'd0;
    end
  end
  // Which slots of the pipe belong to a bank's word, and what that makes of the table's.
  wire f15 = s15_sent_q && s15_port_q == f_port;
  wire f16 = s16_sent_q && s16_port_q == f_port;
  wire f17 = s17_sent_q && s17_port_q == f_port;
  wire [32:0] f0_17 = (f17 && !s17_bank_q) ? s17_new_q : \u_bank0.f_word ;
  wire [32:0] f1_17 = (f17 && s17_bank_q) ? s17_new_q : \u_bank1.f_word ;
  wire [32:0] f0_16 = f_add(f0_17, f16 && !s16_bank_q, s16_length_q);
  wire [32:0] f1_16 = f_add(f1_17, f16 && s16_bank_q, s16_length_q);
  wire [32:0] f0_15 = f_add(f0_16, f15 && !s15_bank_q, s15_length_q);
  wire [32:0] f1_15 = f_add(f1_16, f15 && s15_bank_q, s15_length_q);
`ifdef PROVE_egret_accumulators
  reg [PORT_W-1:0] f_next_port_q;
  always @(posedge clk_i) f_next_port_q <= w0_next_port_i;
  `EGRET_ASSUME(!w0_valid_i || w0_port_i == f_next_port_q)
  `EGRET_ASSUME(!w0_valid_i || s15_bank_q == s17_bank_q)
  `EGRET_ASSUME(!w0_valid_i || (s15_bank_q == s16_bank_q && !s14_tick_i))
  `EGRET_ASSUME(!clr_i || !(s14_sent_i || s15_sent_q || s16_sent_q || s17_sent_q || w0_valid_i ||
                            s14_tick_i))
  `EGRET_ASSUME(!(f_sent && !f_known_q))
  `EGRET_COVER(f_w1_q && w1_bytes_o == 32'd9 && f_acc0_q == 32'd5)
  `EGRET_COVER(f_w1_q && s17_bank_q && w1_bytes_o == 32'd9 && f_acc1_q == 32'd0)
`else
  `EGRET_ASSERT(!(w0_valid_i && s14_tick_i), "a tick during the walk")
`endif
  `EGRET_ASSERT(!f_known_q || f_acc0_q == (f0_15[31:0] | {32{f0_15[32]}}), "bank 0")
  `EGRET_ASSERT(!f_known_q || f_acc1_q == (f1_15[31:0] | {32{f1_15[32]}}), "bank 1")
  `EGRET_ASSERT(!s16_sent_q || s16_forward_q == (s17_sent_q && {s17_bank_q, s17_port_q} ==
                                                               {s16_bank_q, s16_port_q}), "same")
  `EGRET_ASSERT(!(f16 && f_known_q) || s16_old == (s16_bank_q ? f1_17 : f0_17), "the old word, S16")
  `EGRET_ASSERT(!f_w1_q || w1_bytes_o == f_w1_bytes_q, "all bytes before the tick")
`endif

endmodule
`default_nettype wire
