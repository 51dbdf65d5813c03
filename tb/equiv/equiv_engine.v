// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_pointers and egret_schedule, any tables. Reset in clock 0; a packet at S1 in
// clock 1, a second on the same pointer `distance` clocks later, whose old entry is what the first
// one left; beside them slots that write nothing. C side: cmodel/test/equiv_engine.c.
// clocks 13
// state 1 pointer u_pointers.u_table.u_ram.gen_sync.mem[{i}]
// state 1 schedule u_schedule.u_rows.gen_sync.mem[{i}]
`default_nettype none

module equiv_engine #(
  parameter NUM_GROUPS = 4,
  parameter NUM_KEYS = 16,
  parameter NUM_BINS = 2,
  parameter NUM_ROWS = 8,
  parameter ROW_LEN = 8,
  parameter SLOT_W = 3,
  parameter GROUP_W = 2,
  parameter INDEX_W = 6,
  parameter SCHEDULE_W = 7,
  parameter PORT_W = 2
) (
  input  wire               clk_i,
  input  wire               rr,
  input  wire [GROUP_W-1:0] group,
  input  wire [15:0]        key,
  input  wire [7:0]         bin,
  input  wire [31:0]        seed,
  input  wire [SLOT_W-1:0]  last,
  input  wire [3:0]         limit,
  input  wire [15:0]        base,
  input  wire [15:0]        mask,
  input  wire               bank,
  input  wire [2:0]         distance,
  output wire               legal,
  output wire [7:0]         choice,
  output wire [15:0]        random,
  output wire [31:0]        before,
  output wire [31:0]        after
);

  reg [3:0] clock_q;
  initial clock_q = 4'd0;
  always @(posedge clk_i) clock_q <= clock_q + 4'd1;

  (* anyseq *) wire               other_rr, other_bank;
  (* anyseq *) wire [GROUP_W-1:0] other_group;
  (* anyseq *) wire [15:0]        other_key;
  (* anyseq *) wire [7:0]         other_bin, other_base, other_mask;
  (* anyseq *) wire [31:0]        other_seed;
  (* anyseq *) wire [SLOT_W-1:0]  other_last;
  (* anyseq *) wire [3:0]         other_limit;

  wire mine_s1 = clock_q == 4'd1 || clock_q == 4'd1 + {1'b0, distance};
  wire mine_s4 = clock_q == 4'd4 || clock_q == 4'd4 + {1'b0, distance};
  wire mine_s7 = clock_q == 4'd7;

  wire               s1_legal;
  wire [31:0]        s5_entry;
  wire [15:0]        s5_random, s7_draw;
  wire [SLOT_W-1:0]  s6_slot;
  wire [PORT_W-1:0]  s9_port;
  reg                legal_q;
  reg  [31:0]        before_q, after_q;
  reg  [15:0]        random_q;
  reg  [SLOT_W-1:0]  s7_slot_q;
  reg  [PORT_W-1:0]  port_q;
  wire [3:0]         s4_limit = mine_s4 ? limit : other_limit;

  always @(posedge clk_i) begin
    s7_slot_q <= s6_slot;
    if (clock_q == 4'd1) legal_q <= rr | s1_legal;
    if (clock_q == 4'd5) before_q <= s5_entry;
    if (clock_q == 4'd5) random_q <= s5_random;
    if (clock_q == 4'd5 + {1'b0, distance}) after_q <= s5_entry;
    if (clock_q == 4'd9) port_q <= s9_port;
  end

  egret_pointers #(
    .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS), .ROW_LEN(ROW_LEN),
    .SLOT_W(SLOT_W), .GROUP_W(GROUP_W), .INDEX_W(INDEX_W)
  ) u_pointers (
    .clk_i            (clk_i),
    .rst_i            (clock_q == 4'd0),
    .clr_i            (1'b0),
    .clr_addr_i       ({INDEX_W{1'b0}}),
    .s1_valid_i       (mine_s1),
    .s1_spray_rr_i    (mine_s1 ? rr : other_rr),
    .s1_group_i       (mine_s1 ? group : other_group),
    .s1_key_i         (mine_s1 ? key : other_key),
    .s1_bin_i         (mine_s1 ? bin : other_bin),
    .s1_seed_i        (mine_s1 ? seed : other_seed),
    .s1_dr_legal_o    (s1_legal),
    .s4_last_i        (mine_s4 ? last : other_last),
    .s4_redraw_less1_i(s4_limit - 4'd1),
    .s4_redraw_en_i   (|s4_limit),
    .s4_advance_i     (clock_q == 4'd4 && legal_q),
    .s4_write_i       (1'b0),
    .s4_fault_i       (1'b0),
    .s5_bad_o         (),
    .s4_data_i        (other_seed),
    .s5_entry_o       (s5_entry),
    .s5_random_o      (s5_random),
    .s6_slot_o        (s6_slot),
    .s7_draw_o        (s7_draw)
  );

  egret_schedule #(
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .SLOT_W(SLOT_W), .ADDR_W(SCHEDULE_W), .PORT_W(PORT_W)
  ) u_schedule (
    .clk_i     (clk_i),
    .clr_i     (1'b0),
    .clr_addr_i({SCHEDULE_W{1'b0}}),
    .s7_draw_i (s7_draw[7:0]),
    .s7_base_i (mine_s7 ? base[7:0] : other_base),
    .s7_mask_i (mine_s7 ? mask[7:0] : other_mask),
    .s7_bank_i (mine_s7 ? bank : other_bank),
    .s7_slot_i (s7_slot_q),
    .s7_write_i(1'b0),
    .s7_fault_i(1'b0),
    .s7_data_i ({PORT_W{1'b0}}),
    .s9_port_o (s9_port),
    .s9_bad_o  ()
  );

  assign legal  = legal_q;
  assign choice = legal_q ? port_q : 8'd0;
  assign random = random_q & {16{legal_q}};
  assign before = before_q & {32{legal_q}};
  assign after  = after_q & {32{legal_q}};

endmodule
`default_nettype wire
