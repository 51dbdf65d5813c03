// SPDX-License-Identifier: Apache-2.0
// The flowlet table (docs/spec/flowlet.md): entries {valid, tag, last, port}, one for many flows.
//   index = (base + (hash[15:0] & mask)) mod NUM_FLOWLETS;  tag = hash[31:20];  t = time
//   valid, same tag, not expired   hit       the entry's port, last := t
//   other tag, not expired         conflict  the bucket table's port, entry unchanged
//   not valid, or same tag and expired: new; other tag and expired: evict
//                                  new path, entry := {1, tag, t, new path}; but with `stay` a new
//                                  one of the same tag keeps the entry's port while it is in tie
// Only a packet that steps (a flowlet packet with a live member, not dropped early) writes.
//
//   S6 index added       S7 index register   S8 table address   S9 RAM output   S10 plain register
//   S9 writes 4 and 5 slots old merged       S10 write 3 slots old and table merged, tag compared
//   S10, S11 age         S11 write 2 slots old merged           S12 write 1 slot old merged
//   S13 port and outcome out, table written at the end of it
// A slot at S8 reads what slots 6 and more ahead wrote. Time and tag of a write are inputs, so age
// and tag are compared with those of the writes 1 and 2 slots old before it is known whether they
// were: the loop, S12 -> S13, carries {wrote, port} only.
// Latency 7 clocks from hash to port; a slot a clock; never stalls. State: the table; it changes
// at the end of S13 of a packet that steps, or of a configuration write. A configuration read has
// its word at S15 and borrows the table's address: the 5 slots behind it must be empty.
// clr_i writes zero to clr_addr_i (sweep: from the clock behind rst_i on, without a gap; no slot
// may be in flight then).
// C twin: cmodel/select/flowlet.c. Does not: choose the new path, look whether a port is live.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_flowlet #(
  // Entries, a power of two, 16..65536.
  parameter NUM_FLOWLETS = 1024,
  // Bits of an index, $clog2(NUM_FLOWLETS).
  parameter FLOWLET_W = 10,
  // Switch ports, 1..64.
  parameter NUM_PORTS = 16,
  // Bits of a port number, $clog2(NUM_PORTS) or 1.
  parameter PORT_W = 4,
  // 1: an entry has a parity bit; one with bad parity reads as not valid.
  parameter PARITY = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  // sweep
  input  wire                 clr_i,
  input  wire [FLOWLET_W-1:0] clr_addr_i,
  // S6: a packet's hash and its group's base and mask; or a legal write or read of word addr_i,
  // {entry, word}, and the data of a write
  input  wire [31:0]          s6_hash_i,
  input  wire [15:0]          s6_base_i,
  input  wire [15:0]          s6_mask_i,
  input  wire                 s6_write_i,
  input  wire                 s6_fault_i, // of a write: with bad parity
  input  wire                 s6_read_i,
  input  wire [FLOWLET_W:0]   s6_addr_i,
  input  wire [31:0]          s6_data_i,
  // S9: time of a packet in units of 16 ns; for a write what becomes the entry's last
  input  wire [23:0]          s9_time_i,
  // S10: idle time of the group in units of 16 ns
  input  wire [23:0]          s10_idle_i,
  // S11: a flowlet packet with a live member that is not dropped early
  input  wire                 s11_step_i,
  // S12: by quality and move only if strictly better; members of the least band
  input  wire                 s12_stay_i,
  input  wire [NUM_PORTS-1:0] s12_tie_i,
  // S13: port of a new path, a register
  input  wire [PORT_W-1:0]    s13_new_i,
  // S13: the choice unless conflict; kept: it is the entry's port, which may be no live member
  output wire [PORT_W-1:0]    s13_port_o,
  output wire [PORT_W-1:0]    s13_entry_port_o, // of the entry, kept or not
  output wire                 s13_conflict_o,
  output wire                 s13_kept_o,
  // S13: 0 hit, 1 new, 2 evict, 3 conflict
  output wire [1:0]           s13_outcome_o,
  output wire [15:0]          s13_index_o,
  // S13: a packet that steps found bad parity
  output wire                 s13_bad_o,
  // S14: new, of a valid expired entry of the same tag with another port
  output wire                 s14_moved_o,
  // S15: word of a read, else 0
  output wire [31:0]          s15_word_o
);

  localparam WIDTH  = 37 + PORT_W;
  localparam STORED = WIDTH + PARITY;

  generate
    if (NUM_FLOWLETS != (1 << FLOWLET_W)) begin : gen_check
      NUM_FLOWLETS_must_be_two_to_the_FLOWLET_W u_bad ();
    end
  endgenerate

  // What a slot finds by {valid, same tag, expired}: {same tag and expired, outcome}.
  function [2:0] found(input valid, input same, input expired);
    found = {valid & same & expired, valid & ~same, ~valid | (same == expired)};
  endfunction

  // S6..S13: index; what the slot may write: {valid, tag, time}; the port of a configuration write.
  wire                 s6_cfg = s6_write_i | s6_read_i;
  reg  [FLOWLET_W-1:0] s7_index_q, s8_index_q, s9_index_q, s10_index_q, s11_index_q, s12_index_q;
  reg  [FLOWLET_W-1:0] s13_index_q;
  reg                  s7_valid_q, s8_valid_q, s9_valid_q, s10_valid_q, s11_valid_q, s12_valid_q;
  reg                  s13_valid_q, s14_valid_q;
  reg  [11:0]          s7_tag_q, s8_tag_q, s9_tag_q, s10_tag_q, s11_tag_q, s12_tag_q, s13_tag_q;
  reg  [11:0]          s14_tag_q;
  reg  [23:0]          s10_time_q, s11_time_q, s12_time_q, s13_time_q, s14_time_q, s11_idle_q;
  reg  [PORT_W-1:0]    s7_port_q, s8_port_q, s9_port_q, s10_port_q;
  reg                  s7_write_q, s8_write_q, s9_write_q, s10_write_q, s11_write_q;
  // Does the index equal that of the slot n ahead, and if so, did that slot write?
  reg                  s9_same4_q, s9_same5_q, s10_same3_q, s11_same2_q, s12_same1_q;
  reg                  s13_wrote_q, s14_wrote_q;
  wire [PORT_W-1:0]    s13_port;
  reg  [PORT_W-1:0]    s14_port_q;
  wire [1:0]           s12_read, s15_read;
  wire                 unused_ok = &{1'b0, s6_hash_i, s6_base_i, s6_mask_i, s6_data_i};

  egret_delay #(.WIDTH(2), .CYCLES(6), .RESET(1)) u_read12 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i({2{s6_read_i}} & {s6_addr_i[0], ~s6_addr_i[0]}),
    .data_o(s12_read));
  egret_delay #(.WIDTH(2), .CYCLES(3), .RESET(1)) u_read15 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s12_read), .data_o(s15_read));

  always @(posedge clk_i) begin
    s7_index_q  <= (s6_cfg ? s6_addr_i[FLOWLET_W:1] : s6_base_i[FLOWLET_W-1:0]) +
                   (s6_hash_i[FLOWLET_W-1:0] & s6_mask_i[FLOWLET_W-1:0] & {FLOWLET_W{~s6_cfg}});
    s8_index_q  <= (|s12_read) ? s12_index_q : s7_index_q;
    s9_index_q  <= s8_index_q;
    s10_index_q <= s9_index_q;
    s11_index_q <= s10_index_q;
    s12_index_q <= s11_index_q;
    s13_index_q <= clr_i ? clr_addr_i : s12_index_q;
    s9_same4_q  <= s8_index_q == s12_index_q;
    s9_same5_q  <= s8_index_q == s13_index_q;
    s10_same3_q <= s9_index_q == s12_index_q;
    s11_same2_q <= s10_index_q == s12_index_q && !s10_write_q;
    s12_same1_q <= s11_index_q == s12_index_q && !s11_write_q;

    // What the sweep writes is held at zero.
    s7_valid_q  <= ~s6_write_i | s6_data_i[31];
    s8_valid_q  <= s7_valid_q;
    s9_valid_q  <= s8_valid_q;
    s10_valid_q <= s9_valid_q;
    s11_valid_q <= s10_valid_q;
    s12_valid_q <= s11_valid_q;
    s13_valid_q <= s12_valid_q & ~(rst_i | clr_i);
    s14_valid_q <= s13_valid_q;
    s7_tag_q    <= s6_write_i ? s6_data_i[27:16] : s6_hash_i[31:20];
    s8_tag_q    <= s7_tag_q;
    s9_tag_q    <= s8_tag_q;
    s10_tag_q   <= s9_tag_q;
    s11_tag_q   <= s10_tag_q;
    s12_tag_q   <= s11_tag_q;
    s13_tag_q   <= (rst_i | clr_i) ? 12'd0 : s12_tag_q;
    s14_tag_q   <= s13_tag_q;
    s10_time_q  <= s9_time_i;
    s11_time_q  <= s10_time_q;
    s12_time_q  <= s11_time_q;
    s13_time_q  <= (rst_i | clr_i) ? 24'd0 : s12_time_q;
    s14_time_q  <= s13_time_q;
    s11_idle_q  <= s10_idle_i;
    s7_port_q   <= s6_data_i[PORT_W-1:0];
    s8_port_q   <= s7_port_q;
    s9_port_q   <= s8_port_q;
    s10_port_q  <= s9_port_q;
    s14_port_q  <= s13_port;
  end

  wire [STORED-1:0] s9_ram, s13_stored;
  egret_ram_1r1w #(.WIDTH(STORED), .DEPTH(NUM_FLOWLETS), .ADDR_W(FLOWLET_W)) u_ram (
    .clk_i    (clk_i),
    .wr_en_i  (s13_wrote_q),
    .wr_addr_i(s13_index_q),
    .wr_data_i(s13_stored),
    .rd_addr_i(s8_index_q),
    .rd_data_o(s9_ram)
  );

  // Parity: of what will be written but its port, one stage ahead; of what was read, at S10. What a
  // slot ahead still carries is good: none of the five behind a fault write comes to its entry.
  wire s10_use3, s11_use2, s12_use1, s11_bad;
  reg  s12_may_q, s10_near_q;
  reg  [WIDTH-1:0] s10_ram_q;
  generate
    if (PARITY != 0) begin : gen_parity
      reg [12:7] fault_q; // S7..S12
      reg        s13_fault_q, s13_parity_q, s10_parity_q, s11_bad_q, s12_bad_q, s13_bad_q;
      always @(posedge clk_i) begin
        fault_q      <= {fault_q[11:7], s6_write_i & s6_fault_i};
        s13_fault_q  <= fault_q[12] & ~(rst_i | clr_i);
        s13_parity_q <= ^{s12_valid_q, s12_tag_q, s12_time_q} & ~(rst_i | clr_i);
        s10_parity_q <= s9_ram[WIDTH];
        s11_bad_q    <= (s10_parity_q ^ (^s10_ram_q)) & ~s10_use3 & ~s10_near_q;
        s12_bad_q    <= s11_bad_q & ~s11_use2 & ~s11_write_q;
        s13_bad_q    <= s12_bad_q & ~s12_use1 & s12_may_q & ~rst_i;
      end
      assign s11_bad    = s11_bad_q;
      assign s13_bad_o  = s13_bad_q;
      assign s13_stored = {s13_parity_q ^ s13_fault_q ^ (^s13_port), s13_valid_q, s13_tag_q,
                           s13_time_q, s13_port};
    end else begin : gen_plain
      wire unused_fault = &{1'b0, s6_fault_i};
      assign s11_bad    = 1'b0;
      assign s13_bad_o  = 1'b0;
      assign s13_stored = {s13_valid_q, s13_tag_q, s13_time_q, s13_port};
    end
  endgenerate

  // S9: the writes 4 and 5 slots old, which the table may not have given.
  wire             s9_use4 = s9_same4_q & s13_wrote_q;
  reg  [WIDTH-1:0] s10_near_entry_q;
  always @(posedge clk_i) begin
    s10_ram_q        <= s9_ram[WIDTH-1:0];
    s10_near_q       <= s9_use4 | (s9_same5_q & s14_wrote_q);
    s10_near_entry_q <= s9_use4 ? {s13_valid_q, s13_tag_q, s13_time_q, s13_port}
                                : {s14_valid_q, s14_tag_q, s14_time_q, s14_port_q};
  end

  // S10: the entry as left 3 slots before this one. Its port, which may still be in the loop,
  // follows at S11. Tags are compared by pairs of bits, the pairs together at S11.
  assign            s10_use3 = s10_same3_q & s13_wrote_q;
  wire [WIDTH-1:0]  s10_older = s10_near_q ? s10_near_entry_q : s10_ram_q;
  wire              s10_valid = s10_use3 ? s13_valid_q : s10_older[PORT_W+36];
  wire [11:0]       s10_tag   = s10_use3 ? s13_tag_q : s10_older[PORT_W+24 +: 12];
  wire [23:0]       s10_last  = s10_use3 ? s13_time_q : s10_older[PORT_W +: 24];
  wire [11:0]       s10_differ = s10_tag ^ s10_tag_q;
  wire              s10_expired2, s11_expired, s11_expired1;
  reg               s11_use3_q, s11_entry_valid_q, s11_tag2_q, s11_expired2_q;
  reg  [5:0]        s11_differ_q;
  reg  [PORT_W-1:0] s11_port_q;
  always @(posedge clk_i) begin
    s11_entry_valid_q <= s10_valid;
    s11_differ_q      <= {|s10_differ[11:10], |s10_differ[9:8], |s10_differ[7:6],
                          |s10_differ[5:4], |s10_differ[3:2], |s10_differ[1:0]};
    s11_use3_q        <= s10_use3 & ~s10_write_q;
    s11_port_q        <= s10_write_q ? s10_port_q : s10_older[PORT_W-1:0];
    s11_tag2_q        <= s10_tag_q == s12_tag_q;
    s11_expired2_q    <= s10_expired2;
  end

  // Ages: of that entry, and of the writes 2 slots and 1 slot old.
  egret_flowlet_age u_age (
    .clk_i(clk_i), .rst_i(rst_i), .t1_time_i(s10_time_q), .t1_last_i(s10_last),
    .t2_idle_i(s11_idle_q), .t2_expired_o(s11_expired));
  egret_flowlet_age u_age2 (
    .clk_i(clk_i), .rst_i(rst_i), .t1_time_i(s9_time_i), .t1_last_i(s11_time_q),
    .t2_idle_i(s10_idle_i), .t2_expired_o(s10_expired2));
  egret_flowlet_age u_age1 (
    .clk_i(clk_i), .rst_i(rst_i), .t1_time_i(s10_time_q), .t1_last_i(s11_time_q),
    .t2_idle_i(s11_idle_q), .t2_expired_o(s11_expired1));

  // S11: the entry as left 2 slots before this one. A configuration write is a hit of an entry with
  // its own port.
  assign            s11_use2 = s11_same2_q & s13_wrote_q;
  reg               s12_entry_valid_q, s12_same_q, s12_expired_q, s12_tag1_q, s12_expired1_q;
  reg  [PORT_W-1:0] s12_port_q;
  always @(posedge clk_i) begin
    s12_entry_valid_q <= (s11_use2 ? s13_valid_q : s11_entry_valid_q & ~s11_bad) | s11_write_q;
    s12_same_q        <= (s11_use2 ? s11_tag2_q : s11_differ_q == 6'd0) | s11_write_q;
    s12_expired_q     <= (s11_use2 ? s11_expired2_q : s11_expired) & ~s11_write_q;
    s12_port_q        <= s11_use2 ? s13_port : s11_use3_q ? s14_port_q : s11_port_q;
    s12_tag1_q        <= s11_tag_q == s12_tag_q;
    s12_expired1_q    <= s11_expired1;
  end

  // S12: the entry as left 1 slot before this one, and what this slot makes of it. Is its port, one
  // of three, in tie?
  reg  [PORT_W-1:0] s13_entry_port_q;
  wire              s12_tie_entry, s12_tie_new, s12_tie_older;
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(1)) u_tie_entry (
    .words_i(s12_tie_i), .addr_i(s13_entry_port_q), .data_o(s12_tie_entry));
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(1)) u_tie_new (
    .words_i(s12_tie_i), .addr_i(s13_new_i), .data_o(s12_tie_new));
  egret_pick #(.NUM_WORDS(NUM_PORTS), .ADDR_W(PORT_W), .WIDTH(1)) u_tie_older (
    .words_i(s12_tie_i), .addr_i(s12_port_q), .data_o(s12_tie_older));
  reg               s13_kept_q, s13_again_q;
  reg  [1:0]        s13_outcome_q;
  assign            s12_use1  = s12_same1_q & s13_wrote_q;
  wire [2:0]        s12_near  = found(s13_valid_q, s12_tag1_q, s12_expired1_q);
  wire [2:0]        s12_older = found(s12_entry_valid_q, s12_same_q, s12_expired_q);
  // ANDs and ORs: of multiplexers behind the look-ups Yosys makes one look-up behind multiplexers,
  // which is slower.
  wire              s12_hit   = (s12_use1 ? s12_near[1:0] : s12_older[1:0]) == 2'd0;
  wire              s12_again_near = s12_use1 & s12_near[2] & s12_stay_i;
  wire              s12_keep  = s12_hit |
                                (s12_tie_entry & s12_again_near & s13_kept_q) |
                                (s12_tie_new & s12_again_near & ~s13_kept_q) |
                                (s12_tie_older & ~s12_use1 & s12_older[2] & s12_stay_i);
  always @(posedge clk_i) begin
    {s13_again_q, s13_outcome_q} <= s12_use1 ? s12_near : s12_older;
    s13_kept_q       <= s12_keep | rst_i | clr_i;
    s13_entry_port_q <= (rst_i | clr_i) ? {PORT_W{1'b0}} : s12_use1 ? s13_port : s12_port_q;
  end

  always @(posedge clk_i)
    if (rst_i) begin
      {s7_write_q, s8_write_q, s9_write_q, s10_write_q, s11_write_q} <= 5'd0;
      s12_may_q   <= 1'b0;
      s13_wrote_q <= 1'b0;
      s14_wrote_q <= 1'b0;
    end else begin
      {s7_write_q, s8_write_q, s9_write_q, s10_write_q, s11_write_q} <=
        {s6_write_i, s7_write_q, s8_write_q, s9_write_q, s10_write_q};
      s12_may_q   <= s11_step_i | s11_write_q;
      s13_wrote_q <= clr_i | (s12_may_q && (s12_use1 ? s12_near[1:0] : s12_older[1:0]) != 2'd3);
      s14_wrote_q <= s13_wrote_q;
    end

  // S13: the port.
  reg s14_moved_q;
  always @(posedge clk_i)
    s14_moved_q <= s13_again_q && !s13_kept_q && s13_new_i != s13_entry_port_q;

  assign s13_port       = s13_kept_q ? s13_entry_port_q : s13_new_i;
  assign s13_port_o     = s13_port;
  assign s13_entry_port_o = s13_entry_port_q;
  assign s13_kept_o     = s13_kept_q;
  assign s13_outcome_o  = s13_outcome_q;
  assign s13_conflict_o = s13_outcome_q == 2'd3;
  assign s14_moved_o    = s14_moved_q;

  reg [31:0] s15_word;
  reg [15:0] s13_index;
  always @* begin
    s13_index = 16'd0;
    s13_index[FLOWLET_W-1:0] = s13_index_q;
    s15_word = {8'd0, s10_ram_q[PORT_W +: 24] & {24{s15_read[1]}}};
    if (s15_read[0]) begin
      s15_word[31]         = s10_ram_q[PORT_W+36];
      s15_word[27:16]      = s10_ram_q[PORT_W+24 +: 12];
      s15_word[PORT_W-1:0] = s10_ram_q[PORT_W-1:0];
    end
  end
  assign s13_index_o = s13_index;
  assign s15_word_o  = s15_word;

  `EGRET_ASSERT(!(clr_i && (s11_step_i || s11_write_q || s12_may_q)), "slot during the sweep")
  `EGRET_ASSERT(!((s11_step_i || s11_write_q) && (|s12_read || |s15_read)),
                "slot close behind a read")

`ifdef FORMAL // properties
`ifndef PROVE_egret_core
`include "egret_flowlet_formal.vh"
`endif
`endif

endmodule
`default_nettype wire
