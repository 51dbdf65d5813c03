// SPDX-License-Identifier: Apache-2.0
// The back of egret_core: the choice and whether it is live (S9), the result (S10), the counters
// (S10..S13) and the data of a read, which returns as a result at S15.
//   port = choice if it is a live member, else the k-th live member (egret_live_repair)
// The last of it, live or repaired, lies behind the result register. One result a clock: a read
// leaves 5 clocks late, and egret_intake keeps the 5 slots behind it empty.
// State: counters (egret_counters), what was found bad (egret_faults). C twin:
// cmodel/select/decide.c and apply.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_result #(
  // Switch ports, 1..64, bits of a port number and of a group number.
  parameter NUM_PORTS = 16,
  parameter PORT_W = 4,
  parameter GROUP_W = 5,
  // 1: faults are counted, and fault writes of counters done.
  parameter PARITY = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  // sweep
  input  wire                 clr_i,
  input  wire [PORT_W-1:0]    clr_port_i,
  input  wire [GROUP_W:0]     clr_group_i,
  // S9: the slot; early is a reason to drop that no choice can change, 0 if none
  input  wire                 s9_packet_i,
  input  wire                 s9_read_i,
  input  wire                 s9_fault_i, // a legal fault write
  input  wire [12:0]          s9_hit_i,
  input  wire [2:0]           s9_early_i,
  input  wire                 s9_down_i,
  input  wire [3:0]           s9_scheme_i,
  input  wire [31:0]          s9_data_i,
  input  wire [31:0]          s9_read_data_i, // the same, of a read
  input  wire [PORT_W-1:0]    s9_word_i,   // bucket or schedule entry for a read
  input  wire [PORT_W-1:0]    s9_choice_i,
  input  wire                 s9_live_i,   // the choice is a live member
  input  wire [PORT_W-1:0]    s9_repair_port_i,
  input  wire [NUM_PORTS-1:0] s9_mask_i,   // for the assertions only
  // S9: what the packet found bad: drill, flowlet, pointer, schedule, bucket, matrix, group
  input  wire [6:0]           s9_bad_i,
  // S10
  input  wire [23:0]          s10_addr_i,
  input  wire [15:0]          s10_length_i,
  input  wire [GROUP_W-1:0]   s10_group_i,
  input  wire                 s10_group_ok_i,
  output wire                 s10_drop_scheme_o,
  output wire                 s10_drop_index_o,
  output wire                 s10_sent_o, // a packet leaves by a port
  output wire                 s10_read_o,
  output wire                 s10_fault_flowcnt_o, // a fault write of a flowlet counter
  // S11: a global word for a read that names one; a flowlet entry or 0
  input  wire [31:0]          s11_global_word_i,
  input  wire [31:0]          s11_word_i,
  // S13: flowlet counters for a read, 0 if it names none
  input  wire [31:0]          s13_word_i,
  input  wire                 s13_bad_i, // a flowlet counter was bad
  // S10 of a packet, S15 of a read
  output wire                 res_valid_o,
  output wire                 res_read_o,
  output wire                 res_drop_o,
  output wire [PORT_W-1:0]    res_port_o,
  output wire [PORT_W-1:0]    res_choice_o,
  output wire [3:0]           res_scheme_o,
  output wire [2:0]           res_reason_o,
  output wire [31:0]          res_data_o
);

  wire       s9_drop = s9_down_i | (s9_early_i != 3'd0);
  reg [31:0] s9_read_word;
  always @* begin
    s9_read_word = 32'd0;
    s9_read_word[PORT_W-1:0] = s9_word_i;
  end
  wire       unused_mask = &{1'b0, s9_mask_i};

  // S10: the result. A read passes on to the counters and returns at S15; nothing is close behind
  // it, so its word waits in one register and each stage adds what it finds.
  reg               res_valid_q, res_read_q, res_drop_q, res_live_q;
  reg  [PORT_W-1:0] res_repair_q, res_choice_q;
  reg  [3:0]        res_scheme_q;
  reg  [2:0]        res_reason_q;
  reg  [31:0]       res_data_q;
  wire [31:0]       s14_data;
  wire              s14_read;
  reg               s10_read_q;
  reg  [31:0]       read_q;

  always @(posedge clk_i)
    if (rst_i) begin
      res_valid_q <= 1'b0;
      res_read_q  <= 1'b0;
      s10_read_q  <= 1'b0;
    end else begin
      res_valid_q <= s9_packet_i | s14_read;
      res_read_q  <= s14_read;
      s10_read_q  <= s9_read_i;
    end

  always @(posedge clk_i) begin
    res_drop_q   <= s9_packet_i & s9_drop;
    res_live_q   <= s9_live_i;
    res_repair_q <= s9_repair_port_i & {PORT_W{s9_packet_i}};
    res_choice_q <= s9_choice_i & {PORT_W{s9_packet_i}};
    res_scheme_q <= s9_scheme_i & {4{s9_packet_i}};
    res_reason_q <= !s9_packet_i ? 3'd0 :
                    (s9_early_i != 3'd0) ? s9_early_i :
                    s9_down_i ? `EGRET_REASON_DROP_DOWN : `EGRET_REASON_REPAIRED;
    res_data_q   <= s14_read ? s14_data : s9_data_i;
  end

  // Live or repaired: the last choice stays behind the register.
  wire              res_chosen = res_live_q && res_reason_q == `EGRET_REASON_REPAIRED;
  wire [PORT_W-1:0] res_port   = res_live_q ? res_choice_q : res_repair_q;
  wire [2:0]        res_reason = res_chosen ? `EGRET_REASON_CHOSEN : res_reason_q;

  // S10..S14: counters ----------------------------------------------------------------------------
  wire        s10_packet = res_valid_q & ~res_read_q;
  wire [39:0] s13_packets, s13_bytes;
  wire [31:0] s13_group;
  reg  [31:0] s13_ports, s14_ports_q, s14_counter_q;
  reg         read_global_q, read_portcnt_q, read_groupcnt_q, read_flowcnt_q;
  reg  [5:0]  read_addr_q;

  wire [1:0] s11_take;
  egret_delay #(.WIDTH(2), .CYCLES(1), .RESET(1)) u_read11 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i({s10_read_q, s10_read_q & read_global_q}),
    .data_o(s11_take));
  egret_delay #(.WIDTH(1), .CYCLES(3), .RESET(1)) u_read14 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s11_take[1]), .data_o(s14_read));
  assign s10_sent_o = s10_packet & ~res_drop_q;
  assign s10_read_o = s10_read_q;

  assign s10_drop_scheme_o = s10_packet && res_reason_q == `EGRET_REASON_DROP_SCHEME;
  assign s10_drop_index_o  = s10_packet && res_reason_q == `EGRET_REASON_DROP_INDEX;

  // Faults.
  wire [2:0]  s10_fault; // of a counter: flowlet, group, port
  wire [1:0]  s13_bad;
  wire [31:0] s13_faults;
  generate
    if (PARITY != 0) begin : gen_faults
      egret_faults u_faults (
        .clk_i(clk_i), .rst_i(rst_i), .s9_fault_i(s9_fault_i), .s9_hit_i(s9_hit_i),
        .s9_bad_i(s9_bad_i), .s10_fault_o(s10_fault), .s13_bad_i({s13_bad_i, s13_bad}),
        .addr_i(read_addr_q), .s13_word_o(s13_faults)
      );
    end else begin : gen_no_faults
      wire unused_fault = &{1'b0, s9_fault_i, s9_bad_i, s13_bad_i, s13_bad, read_addr_q};
      assign s10_fault  = 3'd0;
      assign s13_faults = 32'd0;
    end
  endgenerate
  assign s10_fault_flowcnt_o = s10_fault[2];

  egret_counters #(.PORT_W(PORT_W), .GROUP_W(GROUP_W), .PARITY(PARITY)) u_counters (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .clr_i        (clr_i),
    .clr_port_i   (clr_port_i),
    .clr_group_i  (clr_group_i),
    .s10_sent_i   (s10_sent_o),
    .s10_port_i   ((s10_read_q | s10_fault[0]) ? s10_addr_i[2 +: PORT_W] : res_port),
    .s10_length_i (s10_length_i),
    .s10_tick_i   (s10_packet & s10_group_ok_i & ~res_chosen),
    .s10_index_i  ((s10_read_q | s10_fault[1]) ? s10_addr_i[GROUP_W:0]
                                               : {s10_group_i, ~res_drop_q}),
    .s10_fault_port_i (s10_fault[0]),
    .s10_fault_group_i(s10_fault[1]),
    .s13_packets_o(s13_packets),
    .s13_bytes_o  (s13_bytes),
    .s13_group_o  (s13_group),
    .s13_bad_o    (s13_bad)
  );

  always @(posedge clk_i) begin
    if (s9_read_i) begin
      read_global_q   <= s9_hit_i[`EGRET_HIT_GLOBAL];
      read_portcnt_q  <= s9_hit_i[`EGRET_HIT_PORTCNT];
      read_groupcnt_q <= s9_hit_i[`EGRET_HIT_GROUPCNT];
      read_flowcnt_q  <= s9_hit_i[`EGRET_HIT_FLOWCNT];
    end
    if (s10_read_q) read_addr_q <= s10_addr_i[5:0];
    if (s9_read_i) read_q <= s9_read_data_i | s9_read_word;
    else if (s11_take[1])
      read_q <= read_q | (s11_global_word_i & {32{s11_take[0]}}) | s11_word_i;
    s14_ports_q   <= s13_ports;
    s14_counter_q <= (s13_group & {32{read_groupcnt_q}}) | (s13_word_i & {32{read_flowcnt_q}}) |
                     (s13_faults & {32{read_global_q}});
  end
  always @* begin
    case (read_addr_q[1:0])
      2'd0:    s13_ports = s13_packets[31:0];
      2'd1:    s13_ports = {24'd0, s13_packets[39:32]};
      2'd2:    s13_ports = s13_bytes[31:0];
      default: s13_ports = {24'd0, s13_bytes[39:32]};
    endcase
  end
  assign s14_data = read_q | s14_counter_q | (s14_ports_q & {32{read_portcnt_q}});
  wire unused_late = &{1'b0, s10_addr_i, s9_hit_i};

  assign res_valid_o  = res_valid_q;
  assign res_read_o   = res_read_q;
  assign res_drop_o   = res_drop_q;
  assign res_port_o   = res_port;
  assign res_choice_o = res_choice_q;
  assign res_scheme_o = res_scheme_q;
  assign res_reason_o = res_reason;
  assign res_data_o   = res_data_q;

  `EGRET_ASSERT(!(s9_packet_i && s14_read), "a read and a packet leave at once")
`ifndef SYNTHESIS
  reg [(1<<PORT_W)-1:0] live_mask;
  always @* begin
    live_mask = {(1 << PORT_W){1'b0}};
    live_mask[NUM_PORTS-1:0] = s9_mask_i;
  end
  `EGRET_ASSERT(!(s9_packet_i && !s9_drop) || live_mask[s9_live_i ? s9_choice_i : s9_repair_port_i],
                "the port is no live member")
  `EGRET_ASSERT(!(s9_packet_i && !s9_drop) || s9_live_i == live_mask[s9_choice_i] ||
                (PARITY != 0 && !s9_live_i && s9_bad_i[4:2] != 3'd0), "live")
`endif

`ifdef FORMAL // properties
  // The mask of the packet whose result is at S10.
  reg [(1<<PORT_W)-1:0] f10_mask_q;
  always @(posedge clk_i) f10_mask_q <= live_mask;
`ifdef PROVE_egret_result
  // What egret_live_repair and the rest of egret_core are proven to give.
  (* hierconn *) wire \u_counters.u_ports.f_t1_valid ;
  (* hierconn *) wire \u_counters.u_groups.f_t1_valid ;
  always @* assume (\u_counters.u_ports.f_t1_valid && \u_counters.u_groups.f_t1_valid );
  `EGRET_ASSUME(!clr_i && !(s9_packet_i && s14_read))
  `EGRET_ASSUME(!s9_packet_i || s9_down_i == (s9_mask_i == {NUM_PORTS{1'b0}}))
  `EGRET_ASSUME(!s9_packet_i || s9_down_i || live_mask[s9_repair_port_i])
  `EGRET_ASSUME(!s9_packet_i || s9_down_i || s9_live_i == live_mask[s9_choice_i] ||
                (PARITY != 0 && !s9_live_i && s9_bad_i[4:2] != 3'd0))
  `EGRET_ASSUME(!s9_packet_i || s9_early_i == 3'd0 || s9_early_i > `EGRET_REASON_REPAIRED)
  `EGRET_COVER(s10_packet && res_reason_o == `EGRET_REASON_CHOSEN && res_port_o == NUM_PORTS - 1)
  `EGRET_COVER(NUM_PORTS == 1 || (s10_packet && res_reason_o == `EGRET_REASON_REPAIRED &&
                                  res_port_o == NUM_PORTS - 1))
  `EGRET_COVER(s10_packet && res_reason_o == `EGRET_REASON_DROP_DOWN)
`endif
  `EGRET_ASSERT(!s10_packet || res_drop_o || f10_mask_q[res_port_o], "a live member or a drop, S10")
  `EGRET_ASSERT(!s10_packet || res_drop_o == (res_reason_o > `EGRET_REASON_REPAIRED),
                "drop and reason")
  reg f10_bad_q; // the choice came out of a bad entry
  always @(posedge clk_i) f10_bad_q <= PARITY != 0 && s9_bad_i[4:2] != 3'd0;
  `EGRET_ASSERT(!s10_packet || f10_bad_q || (res_reason_o == `EGRET_REASON_CHOSEN) ==
                               (!res_drop_o && f10_mask_q[res_choice_o]), "chosen")
  `EGRET_ASSERT(!s10_packet || res_reason_o != `EGRET_REASON_CHOSEN || res_port_o == res_choice_o,
                "chosen is the choice")
  // A read of a counter gives what the counter is, all bits of it.
  (* hierconn *) wire [39:0] \u_counters.s13_packets_o ;
  (* hierconn *) wire [39:0] \u_counters.s13_bytes_o ;
  (* hierconn *) wire [31:0] \u_counters.s13_group_o ;
  reg [31:0] f14_word_q, f14_ports_q;
  always @(posedge clk_i) begin
    f14_word_q  <= (\u_counters.s13_group_o & {32{read_groupcnt_q}}) |
                   (s13_word_i & {32{read_flowcnt_q}}) | (s13_faults & {32{read_global_q}});
    f14_ports_q <= (read_addr_q[1] ? \u_counters.s13_bytes_o : \u_counters.s13_packets_o ) >>
                   (read_addr_q[0] ? 32 : 0);
  end
  `EGRET_ASSERT(s14_counter_q == f14_word_q && s14_ports_q == f14_ports_q, "word of a counter")
  `EGRET_ASSERT(s14_data == (read_q | f14_word_q | (read_portcnt_q ? f14_ports_q : 32'd0)),
                "data of a read")
`ifdef PROVE_egret_result
  // What a read gathers, word for word, in a pipe of its own: what S9 found, at S11 a global word
  // and what the deep stages found, at S13 one counter; it is the result of S15. egret_core is
  // proven to keep the 5 slots behind a read empty.
  reg  [15:10] f_read_q; // bit n: a read is at Sn
  reg  [31:0]  f10_word_q, f11_word_q, f12_word_q, f13_word_q, f14_all_q, f15_all_q;
  reg  [3:0]   f10_kind_q, f11_kind_q, f12_kind_q, f13_kind_q; // flowcnt, groupcnt, portcnt, global
  reg  [1:0]   f11_half_q, f12_half_q, f13_half_q;
  wire [79:0]  f13_counter = {\u_counters.s13_bytes_o , \u_counters.s13_packets_o };
  wire [39:0]  f13_number  = f13_counter[40*f13_half_q[1] +: 40];
  wire [31:0]  f13_port    = f13_half_q[0] ? {24'd0, f13_number[39:32]} : f13_number[31:0];
  always @(posedge clk_i) begin
    f_read_q   <= rst_i ? 6'd0 : {f_read_q[14:10], s9_read_i};
    f10_word_q <= s9_read_data_i | {{32 - PORT_W{1'b0}}, s9_word_i};
    f11_word_q <= f10_word_q;
    f12_word_q <= f11_word_q | s11_word_i | (f11_kind_q[0] ? s11_global_word_i : 32'd0);
    f13_word_q <= f12_word_q;
    f14_all_q  <= f13_word_q | (f13_kind_q[0] ? s13_faults : 32'd0) |
                  (f13_kind_q[1] ? f13_port : 32'd0) |
                  (f13_kind_q[2] ? \u_counters.s13_group_o : 32'd0) |
                  (f13_kind_q[3] ? s13_word_i : 32'd0);
    f15_all_q  <= f14_all_q;
    f10_kind_q <= {s9_hit_i[`EGRET_HIT_FLOWCNT], s9_hit_i[`EGRET_HIT_GROUPCNT],
                   s9_hit_i[`EGRET_HIT_PORTCNT], s9_hit_i[`EGRET_HIT_GLOBAL]};
    f11_kind_q <= f10_kind_q;
    f12_kind_q <= f11_kind_q;
    f13_kind_q <= f12_kind_q;
    f11_half_q <= s10_addr_i[1:0];
    f12_half_q <= f11_half_q;
    f13_half_q <= f12_half_q;
  end
  `EGRET_ASSUME(!((s9_read_i || s9_packet_i) && f_read_q[14:10] != 5'd0))
  `EGRET_ASSERT(res_read_o == f_read_q[15] && (!res_read_o || res_valid_o), "a read leaves at S15")
  `EGRET_ASSERT(!f_read_q[15] || res_data_o == f15_all_q, "what a read gathers")
  `EGRET_COVER(f_read_q[15] && res_data_o == 32'h01234567)
`endif
`endif

endmodule
`default_nettype wire
