// SPDX-License-Identifier: Apache-2.0
// Results in order. A request with a result takes a slot when it is accepted (its tag waits there);
// the pipe fills the slots in the same order; rsp_valid_o shows the oldest filled one. A result
// that finds nothing waiting passes through in the clock in which it arrives and is stored in case
// that the sink is not ready, so that payload is stable until taken. Never overflows: egret_intake
// gives DEPTH credits. Latency 0 clocks when empty, one result a clock. State: pointers and count.
// BLOCK_RAM 1 keeps both tables in block RAM, for a device without LUT RAM: the slot that will be
// the oldest is read one clock ahead, and a result that is written then is forwarded. A result must
// come 2 clocks or more after its request (the pipe is far longer).
// C twin: the result queue of cmodel/select/timing.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_rsp_fifo #(
  // Bits of a tag.
  parameter TAG_W = 32,
  // Bits of a result.
  parameter WIDTH = 8,
  // Slots, a power of two, 2 or more.
  parameter DEPTH = 16,
  // 0: LUT RAM, 1: block RAM.
  parameter BLOCK_RAM = 0
) (
  input  wire             clk_i,
  input  wire             rst_i,
  // allocate a slot; the request was accepted a clock before (egret_front)
  input  wire             alloc_i,
  input  wire [TAG_W-1:0] tag_i,
  // result from the pipe
  input  wire             fill_i,
  input  wire [WIDTH-1:0] data_i,
  // rsp
  output wire             rsp_valid_o,
  input  wire             rsp_ready_i,
  output wire [TAG_W-1:0] rsp_tag_o,
  output wire [WIDTH-1:0] rsp_data_o
);

  localparam ADDR_W = $clog2(DEPTH);
  localparam [ADDR_W-1:0] ONE = {{ADDR_W - 1{1'b0}}, 1'b1};

  reg  [ADDR_W-1:0] alloc_q, fill_q, take_q;
  reg  [ADDR_W:0]   waiting_q;
  reg               empty_q;
  wire              take = rsp_valid_o & rsp_ready_i;
  wire [ADDR_W-1:0] head_addr; // read address of the oldest slot
  wire [WIDTH-1:0]  read, stored;

  egret_ram_1r1w #(
    .WIDTH(TAG_W), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(BLOCK_RAM == 0)
  ) u_tags (
    .clk_i    (clk_i),
    .wr_en_i  (alloc_i),
    .wr_addr_i(alloc_q),
    .wr_data_i(tag_i),
    .rd_addr_i(head_addr),
    .rd_data_o(rsp_tag_o)
  );

  egret_ram_1r1w #(
    .WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(BLOCK_RAM == 0)
  ) u_results (
    .clk_i    (clk_i),
    .wr_en_i  (fill_i),
    .wr_addr_i(fill_q),
    .wr_data_i(data_i),
    .rd_addr_i(head_addr),
    .rd_data_o(read)
  );

  generate
    if (BLOCK_RAM != 0) begin : gen_block
      reg             same_q;
      reg [WIDTH-1:0] last_q;
      assign head_addr = take_q + (take ? ONE : {ADDR_W{1'b0}});
      assign stored    = same_q ? last_q : read;
      always @(posedge clk_i) begin
        same_q <= fill_i && fill_q == head_addr;
        last_q <= data_i;
      end
    end else begin : gen_lut
      assign head_addr = take_q;
      assign stored    = read;
    end
  endgenerate

  assign rsp_valid_o = fill_i | ~empty_q;
  assign rsp_data_o  = empty_q ? data_i : stored;

  always @(posedge clk_i)
    if (rst_i) begin
      alloc_q   <= {ADDR_W{1'b0}};
      fill_q    <= {ADDR_W{1'b0}};
      take_q    <= {ADDR_W{1'b0}};
      waiting_q <= {ADDR_W + 1{1'b0}};
      empty_q   <= 1'b1;
    end else begin
      if (alloc_i) alloc_q <= alloc_q + ONE;
      if (fill_i) fill_q <= fill_q + ONE;
      if (take) take_q <= take_q + ONE;
      if (fill_i & ~take) begin
        waiting_q <= waiting_q + {1'b0, ONE};
        empty_q   <= 1'b0;
      end else if (~fill_i & take) begin
        waiting_q <= waiting_q - {1'b0, ONE};
        empty_q   <= waiting_q == {1'b0, ONE};
      end
    end

  `EGRET_ASSERT(empty_q == (waiting_q == {ADDR_W + 1{1'b0}}), "empty flag")
  `EGRET_ASSERT(!(fill_i && waiting_q[ADDR_W]), "result without a slot")
  `EGRET_ASSERT(fill_q - take_q == waiting_q[ADDR_W-1:0], "pointers and count")

`ifdef FORMAL // properties
  // Requests, results and takes since the reset are numbered, modulo 2^16. One number, any: its tag
  // and its result are kept, and what leaves under that number must carry them.
  (* anyconst *) wire [15:0] f_n;
  (* hierconn *) wire [ADDR_W-1:0] \u_tags.f_addr ;
  (* hierconn *) wire [TAG_W-1:0]  \u_tags.f_word ;
  (* hierconn *) wire [ADDR_W-1:0] \u_results.f_addr ;
  (* hierconn *) wire [WIDTH-1:0]  \u_results.f_word ;
  reg [15:0]      f_allocs_q, f_old_q, f_fills_q, f_takes_q; // old: a clock ago
  reg [TAG_W-1:0] f_tag_q, f_tag_was_q;
  reg [WIDTH-1:0] f_data_q, f_data_was_q;
  reg             f_stall_q;
  wire [15:0]     f_inside = f_allocs_q - f_takes_q;
  wire [15:0]     f_filled = f_fills_q - f_takes_q;
  wire [15:0]     f_ahead  = f_n - f_takes_q;

  always @(posedge clk_i) begin
    if (alloc_i && f_allocs_q == f_n) f_tag_q <= tag_i;
    if (fill_i && f_fills_q == f_n) f_data_q <= data_i;
    f_tag_was_q  <= rsp_tag_o;
    f_data_was_q <= rsp_data_o;
    if (rst_i) begin
      {f_allocs_q, f_old_q, f_fills_q, f_takes_q} <= 64'd0;
      f_stall_q <= 1'b0;
    end else begin
      f_allocs_q <= f_allocs_q + {15'd0, alloc_i};
      f_old_q    <= f_allocs_q;
      f_fills_q  <= f_fills_q + {15'd0, fill_i};
      f_takes_q  <= f_takes_q + {15'd0, take};
      f_stall_q  <= rsp_valid_o & ~rsp_ready_i;
    end
  end

  `EGRET_ASSUME(\u_tags.f_addr == f_n[ADDR_W-1:0] && \u_results.f_addr == f_n[ADDR_W-1:0])
`ifdef PROVE_egret_rsp_fifo
  `EGRET_ASSUME(!(alloc_i && f_inside == DEPTH))
  `EGRET_ASSUME(!(fill_i && f_fills_q == f_old_q))
`else
  `EGRET_ASSERT(!(alloc_i && f_inside == DEPTH), "a request without a slot")
  `EGRET_ASSERT(!(fill_i && f_fills_q == f_old_q), "a result without a request")
`endif
  `EGRET_ASSERT(f_inside <= DEPTH && f_filled <= f_old_q - f_takes_q &&
                f_allocs_q - f_old_q <= 16'd1, "numbers in order")
  `EGRET_ASSERT(f_allocs_q[ADDR_W-1:0] == alloc_q && f_fills_q[ADDR_W-1:0] == fill_q &&
                f_takes_q[ADDR_W-1:0] == take_q && f_filled[ADDR_W:0] == waiting_q, "pointers")
  `EGRET_ASSERT(!(f_ahead < f_inside) || \u_tags.f_word == f_tag_q, "the tag waits")
  `EGRET_ASSERT(!(f_ahead < f_filled) || \u_results.f_word == f_data_q, "the result waits")
  `EGRET_ASSERT(!(rsp_valid_o && f_takes_q == f_n) ||
                (rsp_tag_o == f_tag_q && rsp_data_o == (f_filled != 16'd0 ? f_data_q : data_i)),
                "the n-th request and the n-th result leave n-th")
  `EGRET_ASSERT(!rsp_valid_o || f_inside != 16'd0, "nothing leaves without a request")
  `EGRET_ASSERT(!f_stall_q || (rsp_valid_o && rsp_tag_o == f_tag_was_q &&
                               rsp_data_o == f_data_was_q), "payload stable until taken")
`ifdef PROVE_egret_rsp_fifo
  `EGRET_COVER(f_filled == DEPTH)
  `EGRET_COVER(take && empty_q && f_inside == DEPTH)
  `EGRET_COVER(take && f_takes_q == f_n && f_n == DEPTH && !fill_i)
`endif
`endif

endmodule
`default_nettype wire
