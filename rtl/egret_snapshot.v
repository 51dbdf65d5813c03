// SPDX-License-Identifier: Apache-2.0
// A table that is written by events and seen by a walker as it was at the last tick
// (docs/spec/load.md): queue depths and port scales of load.
//   write:  if the walker has still to come here and flag[addr] is 0: old[addr] := cur[addr],
//           flag[addr] := 1;  cur[addr] := data
//   walker: flag[addr] ? old[addr] : cur[addr];  flag[addr] := 0
// Between a tick and the end of its walk the walker has still to come to the words beyond the one
// that it reads; so all flags are 0 when the next tick comes. A flag is the XOR of two bits, one
// written by each side.
// A tick is before the write of its own clock, and it comes after the walk over the snapshot that
// it replaces; a read of either kind is before the write of its own clock. The walker reads from
// word 0 on, one word a clock, once behind each tick.
// Walker: latency 2, configuration read: latency 1, from address to registered data; one of each a
// clock.
// State: cur and both bits of the flags, cleared by the sweep; old, written before it is read.
// C twin: the order of events in egret_load_tick() (cmodel/select/load.c), which needs no copy.
// Does not: check that a tick waits for the walk; egret_load_walk does.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_snapshot #(
  // Bits a word.
  parameter WIDTH = 32,
  // Address bits; the table has 2^ADDR_W words.
  parameter ADDR_W = 4,
  // 1: configuration reads have an address of their own; 0: they share that of the writes.
  parameter READ_APART = 1
) (
  input  wire              clk_i,
  input  wire              rst_i,
  // sweep
  input  wire              clr_i,
  input  wire [ADDR_W-1:0] clr_addr_i,
  // the address of the write that may come in the next clock
  input  wire [ADDR_W-1:0] next_write_addr_i,
  // write
  input  wire              write_valid_i,
  input  wire [ADDR_W-1:0] write_addr_i,
  input  wire [WIDTH-1:0]  write_data_i,
  // tick, and that of the next clock
  input  wire              tick_i,
  input  wire              next_tick_i,
  // walker; its address of the next clock, and of this one
  input  wire [ADDR_W-1:0] next_walk_addr_i,
  input  wire              walk_valid_i,
  input  wire [ADDR_W-1:0] walk_addr_i,
  output wire [WIDTH-1:0]  walk_data_o,
  // configuration read; read_addr_i with READ_APART 1 only
  input  wire [ADDR_W-1:0] read_addr_i,
  output wire [WIDTH-1:0]  read_data_o
);

  localparam DEPTH = 1 << ADDR_W;

  reg               due_q; // a tick came, and the walk has not begun
  reg               walk_written_q;
  wire              set_at_write, set_at_walk, clr_at_write, clr_at_walk;
  reg  [WIDTH-1:0]  walk_cur_q, walk_old_q, walk_q, read_q;
  wire [WIDTH-1:0]  at_write, at_walk, at_walk_old, at_read;

  wire              cur_en   = clr_i | write_valid_i;
  wire [ADDR_W-1:0] cur_addr = clr_i ? clr_addr_i : write_addr_i;
  wire [WIDTH-1:0]  cur_data = write_data_i & {WIDTH{~clr_i}};

  // Has the walker still to come to the word that is written? Greater, as a boolean function, found
  // one clock ahead.
  function greater(input [ADDR_W-1:0] x, input [ADDR_W-1:0] y);
    integer k;
    begin
      greater = 1'b0;
      for (k = 0; k < ADDR_W; k = k + 1)
        greater = (x[k] & ~y[k]) | (~(x[k] ^ y[k]) & greater);
    end
  endfunction
  reg  greater_q;
  reg  open_q; // tick_i or due_q: a register of its own, since ticks come from afar
  wire unread = walk_valid_i ? greater_q : open_q;
  // Set for a second time a flag stays as it is; a word may be kept only once.
  wire set    = write_valid_i & unread;
  wire keep   = set & ~(set_at_write ^ clr_at_write);

  always @(posedge clk_i) greater_q <= greater(next_write_addr_i, next_walk_addr_i);
  always @(posedge clk_i)
    if (rst_i) {due_q, open_q} <= 2'd0;
    else begin
      due_q  <= tick_i | (due_q & ~walk_valid_i);
      open_q <= next_tick_i | tick_i | (due_q & ~walk_valid_i);
    end

  // cur, once for each of its readers.
  egret_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(1)) u_cur (
    .clk_i(clk_i), .wr_en_i(cur_en), .wr_addr_i(cur_addr), .wr_data_i(cur_data),
    .rd_addr_i(write_addr_i), .rd_data_o(at_write)
  );
  egret_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(1)) u_walk (
    .clk_i(clk_i), .wr_en_i(cur_en), .wr_addr_i(cur_addr), .wr_data_i(cur_data),
    .rd_addr_i(walk_addr_i), .rd_data_o(at_walk)
  );
  egret_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(1)) u_old (
    .clk_i(clk_i), .wr_en_i(keep),
    .wr_addr_i(write_addr_i), .wr_data_i(at_write),
    .rd_addr_i(walk_addr_i), .rd_data_o(at_walk_old)
  );

  generate
    if (READ_APART != 0) begin : gen_read
      egret_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(1)) u_read (
        .clk_i(clk_i), .wr_en_i(cur_en), .wr_addr_i(cur_addr), .wr_data_i(cur_data),
        .rd_addr_i(read_addr_i), .rd_data_o(at_read)
      );
    end else begin : gen_shared
      wire unused_ok = &{1'b0, read_addr_i};
      assign at_read = at_write;
    end
  endgenerate

  // The two bits of a flag, each once for each of its readers.
  egret_ram_1r1w #(.WIDTH(1), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(1)) u_set (
    .clk_i(clk_i), .wr_en_i(clr_i | set), .wr_addr_i(cur_addr),
    .wr_data_i(~clr_i & ~clr_at_write), .rd_addr_i(write_addr_i), .rd_data_o(set_at_write)
  );
  egret_ram_1r1w #(.WIDTH(1), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(1)) u_set_walk (
    .clk_i(clk_i), .wr_en_i(clr_i | set), .wr_addr_i(cur_addr),
    .wr_data_i(~clr_i & ~clr_at_write), .rd_addr_i(walk_addr_i), .rd_data_o(set_at_walk)
  );
  wire              back_en   = clr_i | walk_valid_i;
  wire [ADDR_W-1:0] back_addr = clr_i ? clr_addr_i : walk_addr_i;
  egret_ram_1r1w #(.WIDTH(1), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(1)) u_clear (
    .clk_i(clk_i), .wr_en_i(back_en), .wr_addr_i(back_addr), .wr_data_i(~clr_i & set_at_walk),
    .rd_addr_i(write_addr_i), .rd_data_o(clr_at_write)
  );
  egret_ram_1r1w #(.WIDTH(1), .DEPTH(DEPTH), .ADDR_W(ADDR_W), .ASYNC_READ(1)) u_clear_walk (
    .clk_i(clk_i), .wr_en_i(back_en), .wr_addr_i(back_addr), .wr_data_i(~clr_i & set_at_walk),
    .rd_addr_i(walk_addr_i), .rd_data_o(clr_at_walk)
  );

  always @(posedge clk_i) begin
    walk_written_q <= set_at_walk ^ clr_at_walk;
    walk_cur_q     <= at_walk;
    walk_old_q     <= at_walk_old;
    walk_q         <= walk_written_q ? walk_old_q : walk_cur_q;
    read_q         <= at_read;
  end

  assign walk_data_o = walk_q;
  assign read_data_o = read_q;

  `EGRET_ASSERT(!(clr_i && (write_valid_i || tick_i)), "an event during the sweep")

`ifdef FORMAL // properties
  // One word, any. What the walker reads is what the word held at the last tick, whatever was
  // written since; what a configuration read gives is what the word holds.
  (* hierconn *) wire [ADDR_W-1:0] \u_cur.f_addr ;
  (* hierconn *) wire [ADDR_W-1:0] \u_walk.f_addr ;
  (* hierconn *) wire [ADDR_W-1:0] \u_old.f_addr ;
  (* hierconn *) wire [WIDTH-1:0]  \u_cur.f_word ;
  (* hierconn *) wire [WIDTH-1:0]  \u_walk.f_word ;
  (* hierconn *) wire [WIDTH-1:0]  \u_old.f_word ;
  (* hierconn *) wire [ADDR_W-1:0] \gen_read.u_read.f_addr ;
  (* hierconn *) wire [WIDTH-1:0]  \gen_read.u_read.f_word ;
  wire [ADDR_W-1:0] f_addr = \u_cur.f_addr ;
  wire [WIDTH-1:0]  f_word = (READ_APART != 0) ? \gen_read.u_read.f_word : \u_cur.f_word ;
  (* hierconn *) wire [ADDR_W-1:0] \u_set.f_addr ;
  (* hierconn *) wire [ADDR_W-1:0] \u_set_walk.f_addr ;
  (* hierconn *) wire [ADDR_W-1:0] \u_clear.f_addr ;
  (* hierconn *) wire [ADDR_W-1:0] \u_clear_walk.f_addr ;
  (* hierconn *) wire \u_set.f_word ;
  (* hierconn *) wire \u_set_walk.f_word ;
  (* hierconn *) wire \u_clear.f_word ;
  (* hierconn *) wire \u_clear_walk.f_word ;
  // What is announced comes: proven in egret_load of the walk, in egret_core of what is written.
  reg              f_next_tick_q;
  reg [ADDR_W-1:0] f_next_write_q, f_next_walk_q;
  always @(posedge clk_i) begin
    f_next_tick_q  <= next_tick_i & ~rst_i;
    f_next_write_q <= next_write_addr_i;
    f_next_walk_q  <= next_walk_addr_i;
  end
`ifdef PROVE_egret_snapshot
  `EGRET_ASSUME(tick_i == f_next_tick_q)
  `EGRET_ASSUME(!write_valid_i || write_addr_i == f_next_write_q)
  `EGRET_ASSUME(!walk_valid_i || walk_addr_i == f_next_walk_q)
`else
  `EGRET_ASSERT(tick_i == f_next_tick_q, "the tick is not announced")
  `EGRET_ASSERT(!write_valid_i || write_addr_i == f_next_write_q, "the write is not announced")
  `EGRET_ASSERT(!walk_valid_i || walk_addr_i == f_next_walk_q, "the walk is not announced")
`endif
  `EGRET_ASSERT(greater_q == (f_next_write_q > f_next_walk_q), "greater")
  wire f_flag = \u_set.f_word ^ \u_clear.f_word ;
  always @* assume (\u_set.f_addr == f_addr && \u_set_walk.f_addr == f_addr &&
                    \u_clear.f_addr == f_addr && \u_clear_walk.f_addr == f_addr);
  // What egret_load_walk is proven to give: behind a tick one walk from word 0 on, without a pause,
  // past the word that is followed before the next tick.
  reg              f_unread_q, f_walked_q;
  reg [ADDR_W-1:0] f_walk_addr_q;
  always @(posedge clk_i) begin
    f_walk_addr_q <= walk_addr_i;
    if (rst_i) {f_unread_q, f_walked_q} <= 2'd0;
    else begin
      f_unread_q <= tick_i | (f_unread_q & ~(walk_valid_i && walk_addr_i == f_addr));
      f_walked_q <= walk_valid_i;
    end
  end
  `EGRET_ASSUME(!(tick_i && (due_q || f_unread_q || walk_valid_i)))
  `EGRET_ASSERT(open_q == (tick_i | due_q), "open")
  `EGRET_ASSUME(!walk_valid_i || (due_q ? walk_addr_i == {ADDR_W{1'b0}} : f_walked_q &&
                                  f_walk_addr_q != {ADDR_W{1'b1}} &&
                                  walk_addr_i == f_walk_addr_q + 1'b1))
  `EGRET_ASSUME(!(f_unread_q && f_walked_q && !walk_valid_i) && !(clr_i && walk_valid_i))
  always @* assume (\u_walk.f_addr == f_addr && \u_old.f_addr == f_addr &&
                    (READ_APART == 0 || \gen_read.u_read.f_addr == f_addr));

  reg               f_sweep_q, f_known_q, f_ticked_q, f_walk1_q, f_walk_q, f_read_q;
  reg [WIDTH-1:0]   f_now_q, f_last_q, f_walk1_word_q, f_walk_word_q, f_read_word_q;
  wire              f_write = cur_en && cur_addr == f_addr;
  wire [ADDR_W-1:0] f_read_addr = (READ_APART != 0) ? read_addr_i : write_addr_i;
  always @(posedge clk_i) begin
    if (f_write) f_now_q <= clr_i ? {WIDTH{1'b0}} : write_data_i;
    if (tick_i) f_last_q <= f_now_q;
    {f_walk1_word_q, f_walk_word_q} <= {f_last_q, f_walk1_word_q};
    f_read_word_q <= f_now_q;
    f_sweep_q     <= rst_i | clr_i;
    if (rst_i) {f_known_q, f_ticked_q, f_walk1_q, f_walk_q, f_read_q} <= 5'd0;
    else begin
      f_known_q  <= f_known_q | (f_write & clr_i);
      f_ticked_q <= f_ticked_q | (tick_i & f_known_q);
      f_walk_q   <= f_walk1_q;
      f_walk1_q  <= f_ticked_q && walk_valid_i && walk_addr_i == f_addr;
      f_read_q   <= f_known_q && f_read_addr == f_addr;
    end
  end
`ifdef PROVE_egret_snapshot
  `EGRET_ASSUME(!(clr_i && (write_valid_i || tick_i)))
  `EGRET_ASSUME(!(clr_i && !f_sweep_q))
  `EGRET_COVER(f_walk_q && walk_data_o == 1 && f_now_q == 2)
  `EGRET_COVER(f_walk_q && walk_data_o == 1 && f_now_q == 1)
`else
  `EGRET_ASSERT(!(clr_i && !f_sweep_q), "sweep behind a reset")
`endif
  `EGRET_ASSERT(!(f_sweep_q && f_ticked_q), "no tick in the sweep")
  `EGRET_ASSERT(!f_ticked_q || f_known_q, "known before a tick")
  `EGRET_ASSERT(!f_known_q || (\u_cur.f_word == f_now_q && \u_walk.f_word == f_now_q), "cur")
  `EGRET_ASSERT(!f_known_q || f_word == f_now_q, "the copy for configuration reads")
  `EGRET_ASSERT(\u_set.f_word == \u_set_walk.f_word || !f_known_q, "copies")
  `EGRET_ASSERT(\u_clear.f_word == \u_clear_walk.f_word || !f_known_q, "copies")
  `EGRET_ASSERT(!f_known_q || f_unread_q || !f_flag, "no flag behind the walker")
  `EGRET_ASSERT(!due_q || f_unread_q, "due")
  `EGRET_ASSERT(!f_unread_q || due_q || (f_walked_q && f_walk_addr_q < f_addr), "still to come")
  `EGRET_ASSERT(!(f_walked_q && !due_q && f_walk_addr_q < f_addr) || f_unread_q, "still to come")
  `EGRET_ASSERT(!(due_q && f_walked_q), "a walk ends before a tick")
  `EGRET_ASSERT(!f_unread_q || f_known_q || !f_ticked_q, "known")
  `EGRET_ASSERT(!(f_ticked_q && f_unread_q) || (f_flag ? \u_old.f_word : f_now_q) == f_last_q,
                "old")
  `EGRET_ASSERT(!f_walk1_q || (walk_written_q ? walk_old_q : walk_cur_q) == f_walk1_word_q, "walk")
  `EGRET_ASSERT(!f_walk_q || walk_data_o == f_walk_word_q, "the walker sees the last tick")
  `EGRET_ASSERT(!f_read_q || read_data_o == f_read_word_q, "a configuration read")
`endif

endmodule
`default_nettype wire
