// SPDX-License-Identifier: Apache-2.0
// One read port, one write port: the only place where memory is inferred.
// ASYNC_READ 0: rd_data_o is the word at rd_addr_i of the previous rising edge (latency 1); put a
//   plain register behind it, which block RAM absorbs. A read of the word that is written at the
//   same edge is undefined: simulation gives X, a proof gives any value, so nobody can rely on it.
// ASYNC_READ 1: rd_data_o follows rd_addr_i; a write shows after its rising edge.
// Not reset; owners clear it with a sweep after reset.
// C twin: none (a plain array there). Does not: check parity (an owner keeps the
// bit in the word), byte enables.
`timescale 1ns / 1ps
`default_nettype none

module egret_ram_1r1w #(
  // Bits a word, 1 or more.
  parameter WIDTH = 8,
  // Words, 1 or more; the owner keeps addresses below it.
  parameter DEPTH = 16,
  // Address bits, $clog2(DEPTH) or 1.
  parameter ADDR_W = 4,
  // 1: asynchronous read (distributed), 0: synchronous read (block).
  parameter ASYNC_READ = 0
) (
  input  wire              clk_i,
  // write
  input  wire              wr_en_i,
  input  wire [ADDR_W-1:0] wr_addr_i,
  input  wire [WIDTH-1:0]  wr_data_i,
  // read
  input  wire [ADDR_W-1:0] rd_addr_i,
  output wire [WIDTH-1:0]  rd_data_o
);

`ifdef FORMAL
  // One word, any but always the same, is open to the properties of the owner.
  (* anyconst *) wire [ADDR_W-1:0] f_addr;
  wire [WIDTH-1:0] f_word;
`endif

  generate
    if (DEPTH > (1 << ADDR_W)) begin : gen_check
      ADDR_W_must_reach_DEPTH u_bad ();
    end

    if (ASYNC_READ != 0) begin : gen_async
      (* ram_style = "distributed" *)
      reg [WIDTH-1:0] mem [0:DEPTH-1];

      always @(posedge clk_i)
        if (wr_en_i) mem[wr_addr_i] <= wr_data_i;

      assign rd_data_o = mem[rd_addr_i];
`ifdef FORMAL
      assign f_word = mem[f_addr];
`endif
    end else begin : gen_sync
      (* no_rw_check *)
      reg [WIDTH-1:0] mem [0:DEPTH-1];
      reg [WIDTH-1:0] rd_q;

      always @(posedge clk_i)
        if (wr_en_i) mem[wr_addr_i] <= wr_data_i;

`ifdef FORMAL
      assign f_word = mem[f_addr];
      (* anyseq *) wire [WIDTH-1:0] any;
      always @(posedge clk_i)
        rd_q <= (wr_en_i && wr_addr_i == rd_addr_i) ? any : mem[rd_addr_i];
`else
`ifdef SYNTHESIS
      always @(posedge clk_i) rd_q <= mem[rd_addr_i];
`else
      always @(posedge clk_i)
        rd_q <= (wr_en_i && wr_addr_i == rd_addr_i) ? {WIDTH{1'bx}} : mem[rd_addr_i];
`endif
`endif
      assign rd_data_o = rd_q;
    end
  endgenerate

`ifdef FORMAL // properties
`ifdef PROVE_egret_ram_1r1w
  // The word that is followed holds what was written last, and a read of it gives that: in this
  // clock, or the next one unless it was written at the same edge. Nothing else changes it.
  reg             f_run_q = 1'b0, f_read_q;
  reg [WIDTH-1:0] f_next_q, f_word_q;
  wire            f_write = wr_en_i && wr_addr_i == f_addr;
  always @* assume (f_addr < DEPTH && wr_addr_i < DEPTH && rd_addr_i < DEPTH);
  always @(posedge clk_i) begin
    f_run_q  <= 1'b1;
    f_next_q <= f_write ? wr_data_i : f_word;
    f_word_q <= f_word;
    f_read_q <= rd_addr_i == f_addr && !f_write;
  end
  always @* begin
    assert (!f_run_q || f_word == f_next_q);
    if (ASYNC_READ != 0) assert (rd_addr_i != f_addr || rd_data_o == f_word);
    else assert (!f_run_q || !f_read_q || rd_data_o == f_word_q);
  end
  always @(posedge clk_i)
    cover (f_run_q && rd_addr_i == f_addr && f_word == {WIDTH{1'b1}} && !f_write);
`endif
`endif

endmodule
`default_nettype wire
