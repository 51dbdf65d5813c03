// SPDX-License-Identifier: Apache-2.0
// The schedule table of `dr` and `spray-rr`: rows of ports, two banks (docs/spec/dr.md).
//   row = (base + (draw & mask)) mod NUM_ROWS;  port = table[bank][row][slot]
// Stages as in egret_core: draw in at S7, table read at the end of S7, port out at S9; latency 2
// clocks, one a clock. A configuration slot comes with its own row as base, mask 0, and may write
// at S7.
// State: the table; it changes by configuration writes and the sweep only.
// C twin: egret_schedule_index() in cmodel/select/internal.h, the row in rotation.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_schedule #(
  // Rows a bank, a power of two, 1..256.
  parameter NUM_ROWS = 32,
  // Slots a row, a power of two, 1..256.
  parameter ROW_LEN = 32,
  // Bits of a slot number, $clog2(ROW_LEN) or 1.
  parameter SLOT_W = 5,
  // Bits of a table address: 1 + row bits + slot bits.
  parameter ADDR_W = 11,
  // Bits of a port number.
  parameter PORT_W = 4,
  // 1: a slot has a parity bit.
  parameter PARITY = 0
) (
  input  wire              clk_i,
  // sweep
  input  wire              clr_i,
  input  wire [ADDR_W-1:0] clr_addr_i,
  // S7
  input  wire [7:0]        s7_draw_i,
  input  wire [7:0]        s7_base_i,
  input  wire [7:0]        s7_mask_i,
  input  wire              s7_bank_i,
  input  wire [SLOT_W-1:0] s7_slot_i,
  input  wire              s7_write_i,
  input  wire              s7_fault_i, // with bad parity
  input  wire [PORT_W-1:0] s7_data_i,
  // S9
  output wire [PORT_W-1:0] s9_port_o,
  output wire              s9_bad_o
);

  localparam SLOT_BITS = $clog2(ROW_LEN);
  localparam ROW_BITS  = $clog2(NUM_ROWS);
  localparam [31:0] ROWS_LESS1 = NUM_ROWS - 1;

  // {bank, row, slot} packed without gaps.
  function [16:0] pack(input bank, input [7:0] row, input [7:0] slot);
    pack = ({16'd0, bank} << (ROW_BITS + SLOT_BITS)) | ({9'd0, row} << SLOT_BITS) | {9'd0, slot};
  endfunction

  wire [7:0]  s7_row  = (s7_base_i + (s7_draw_i & s7_mask_i)) & ROWS_LESS1[7:0];
  wire [7:0]  s7_slot;
  generate
    if (SLOT_W < 8) begin : gen_slot
      assign s7_slot = {{8 - SLOT_W{1'b0}}, s7_slot_i};
    end else begin : gen_slot8
      assign s7_slot = s7_slot_i;
    end
  endgenerate
  wire [16:0] s7_addr = pack(s7_bank_i, s7_row, s7_slot);
  localparam WIDTH = PORT_W + PARITY;
  wire [WIDTH-1:0]  s8_port;
  reg  [WIDTH-1:0]  s9_port_q;
  wire [PORT_W:0]   s7_word = {(^s7_data_i) ^ s7_fault_i, s7_data_i};
  wire              unused_fault = &{1'b0, s7_word};

  egret_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(1 << ADDR_W), .ADDR_W(ADDR_W)) u_rows (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | s7_write_i),
    .wr_addr_i(clr_i ? clr_addr_i : s7_addr[ADDR_W-1:0]),
    .wr_data_i(clr_i ? {WIDTH{1'b0}} : s7_word[WIDTH-1:0]),
    .rd_addr_i(s7_addr[ADDR_W-1:0]),
    .rd_data_o(s8_port)
  );

  always @(posedge clk_i) s9_port_q <= s8_port;
  assign s9_port_o = s9_port_q[PORT_W-1:0];
  assign s9_bad_o  = PARITY != 0 && ^s9_port_q;

  generate
    if (ADDR_W < 17) begin : gen_unused
      wire unused_ok = &{1'b0, s7_addr[16:ADDR_W]};
    end
  endgenerate

`ifdef FORMAL // properties
  // Row, slot and table address stay in range, whatever base, mask and draw.
  always @* begin
`ifdef PROVE_egret_schedule
    assume (s7_slot < ROW_LEN);
`endif
    assert (s7_row < NUM_ROWS);
    assert (s7_slot >= ROW_LEN || s7_addr == (s7_bank_i * NUM_ROWS + s7_row) * ROW_LEN + s7_slot);
    assert (s7_slot >= ROW_LEN || s7_addr < 2 * NUM_ROWS * ROW_LEN);
`ifdef PROVE_egret_schedule
    cover (s7_addr == 2 * NUM_ROWS * ROW_LEN - 1);
`endif
  end

  // Parity, of any one slot of the table: a write leaves it with what it is told, and good unless
  // it is a fault write; whatever it holds, who reads it is told whether that is good.
  (* hierconn *) wire [ADDR_W-1:0] \u_rows.f_addr ;
  (* hierconn *) wire [WIDTH-1:0]  \u_rows.f_word ;
  wire             f_here = s7_addr[ADDR_W-1:0] == \u_rows.f_addr ;
  wire             f_set  = clr_i ? clr_addr_i == \u_rows.f_addr : s7_write_i && f_here;
  reg              f_set_q, f_fault_q, f8_q, f9_q;
  reg [PORT_W-1:0] f_data_q;
  reg [WIDTH-1:0]  f8_word_q, f9_word_q;
  always @(posedge clk_i) begin
    f_set_q   <= f_set;
    f_fault_q <= PARITY != 0 && !clr_i && s7_fault_i;
    f_data_q  <= clr_i ? {PORT_W{1'b0}} : s7_data_i;
    {f9_q, f8_q} <= {f8_q, f_here && !f_set};
    {f9_word_q, f8_word_q} <= {f8_word_q, \u_rows.f_word };
  end
  always @* begin
    if ($initstate) assume ({f_set_q, f8_q, f9_q} == 3'd0); // there is no reset here
    assert (!f_set_q || \u_rows.f_word [PORT_W-1:0] == f_data_q);
    assert (!f_set_q || PARITY == 0 || ^\u_rows.f_word == f_fault_q);
    assert (!f8_q || s8_port == f8_word_q);
    assert (!f9_q || s9_port_q == f9_word_q);
    assert (!f9_q || (s9_port_o == f9_word_q[PORT_W-1:0] &&
                      s9_bad_o == (PARITY != 0 && ^f9_word_q)));
`ifdef PROVE_egret_schedule
    cover (f9_q && s9_bad_o == (PARITY != 0) && s9_port_o != {PORT_W{1'b0}});
`endif
  end
`endif

endmodule
`default_nettype wire
