// SPDX-License-Identifier: Apache-2.0
// The properties of egret_flowlet, included by it under `ifdef FORMAL and nowhere else; in a file
// of their own for length only. scripts/formal proves them by induction.
  // One entry, any (f_addr), against the table executed one slot at a time: the word of the table,
  // f_entry, is what all slots that have left S13 made of it, and each stage of the pipe knows it
  // as left by the slots 5, 4, 3, 2 and 1 ahead. An entry counts from its first write after a
  // reset.
  (* anyseq *) wire f6_slot;
  (* hierconn *) wire [FLOWLET_W-1:0] \u_ram.f_addr ;
  (* hierconn *) wire [STORED-1:0]    \u_ram.f_word ;
  (* hierconn *) wire [11:0]          \u_read12.gen_line.line_q ;
  (* hierconn *) wire [5:0]           \u_read15.gen_line.line_q ;
  (* hierconn *) wire [23:0]          \u_age.t2_age_q ;
  (* hierconn *) wire [23:0]          \u_age1.t2_age_q ;
  (* hierconn *) wire [23:0]          \u_age2.t2_age_q ;
  wire [FLOWLET_W-1:0] f_addr = \u_ram.f_addr ;
  reg [(1<<PORT_W)-1:0] f_tie;
  always @* begin
    f_tie = {(1 << PORT_W){1'b0}};
    f_tie[NUM_PORTS-1:0] = s12_tie_i;
  end
  wire [WIDTH-1:0]     f_entry = \u_ram.f_word [WIDTH-1:0];
  // One with bad parity reads as not valid.
  wire                 f_bad   = PARITY != 0 && ^\u_ram.f_word ;
  wire                 f_valid = f_entry[PORT_W+36] && !f_bad;
  wire [11:0]          f_tag   = f_entry[PORT_W+24 +: 12];
  wire [23:0]          f_last  = f_entry[PORT_W +: 24];
  wire [PORT_W-1:0]    f_port  = f_entry[PORT_W-1:0];

  // docs/spec/flowlet.md in its own words.
  function f_expired(input [23:0] t, input [23:0] last, input [23:0] idle);
    reg [23:0] d;
    begin
      d = t - last;
      f_expired = !(d >= 24'hff0000) && d > idle;
    end
  endfunction

  // Slots from S7 to S13, and what came in with them.
  reg  [13:7] f_slot_q, f_write_q, f_read_q, f_step_q; // steps from S12 on
  reg  [7*FLOWLET_W-1:0] f_index_q;
  reg  [7*13-1:0]        f_mark_q;  // {valid, tag}
  reg  [7*PORT_W-1:0]    f_wport_q;
  reg  [4*24-1:0]        f_time_q;  // from S10
  reg  [3*24-1:0]        f_idle_q;  // from S11
  reg                    f13_stay_q;
  reg  [(1<<PORT_W)-1:0] f13_tie_q;
  reg  [FLOWLET_W-1:0]   f14_index_q, f_swept_addr_q;
  reg                    f_swept_q, f_swept2_q, f_sweep_q, f_known_q;
  wire [15:0] f6_sum = s6_base_i + (s6_hash_i[15:0] & s6_mask_i);
  wire [31:0] f6_mod = {16'd0, f6_sum} % NUM_FLOWLETS;
  always @(posedge clk_i) begin
    f_index_q <= {f_index_q, s6_cfg ? s6_addr_i[FLOWLET_W:1] : f6_mod[FLOWLET_W-1:0]};
    f_mark_q  <= {f_mark_q, s6_write_i ? {s6_data_i[31], s6_data_i[27:16]} :
                            {1'b1, s6_hash_i[31:20]}};
    f_wport_q <= {f_wport_q, s6_data_i[PORT_W-1:0]};
    f_time_q  <= {f_time_q, s9_time_i};
    f_idle_q  <= {f_idle_q, s10_idle_i};
    f13_stay_q <= s12_stay_i;
    f13_tie_q  <= f_tie;
    f14_index_q <= s13_index_q;
    f_swept_addr_q <= clr_addr_i;
    f_sweep_q  <= rst_i | clr_i;
    if (rst_i) begin
      f_slot_q  <= 7'd0;
      f_write_q <= 7'd0;
      f_read_q  <= 7'd0;
      f_step_q  <= 7'd0;
      {f_swept_q, f_swept2_q, f_known_q} <= 3'd0;
    end else begin
      f_slot_q  <= {f_slot_q[12:7], f6_slot};
      f_write_q <= {f_write_q[12:7], s6_write_i};
      f_read_q  <= {f_read_q[12:7], s6_read_i};
      f_step_q  <= {f_step_q[12], s11_step_i, 5'd0};
      f_swept_q  <= clr_i;
      f_swept2_q <= f_swept_q;
      if (s13_wrote_q && s13_index_q == f_addr) f_known_q <= 1'b1;
    end
  end

  // Fault writes, S7 to S14.
  wire [14:7] f_fault;
  reg         f14_fault_q;
  integer     f_p;
  reg         f_fault_gap; // no slot in the 5 places behind one
  reg         f_gap; // no slot in the 5 places behind a read
  wire [15:2] f_slots = {2'd0, f_slot_q, 5'd0};
  wire [15:7] f_reads = {|\u_read15.gen_line.line_q [5:4], |\u_read15.gen_line.line_q [3:2],
                         f_read_q};
  always @* begin
    f_gap = 1'b1;
    for (f_p = 7; f_p <= 15; f_p = f_p + 1)
      if (f_reads[f_p] && f_slots[f_p-5 +: 5] != 5'd0) f_gap = 1'b0;
    f_fault_gap = 1'b1;
    for (f_p = 7; f_p <= 14; f_p = f_p + 1)
      if (f_fault[f_p] && f_slots[f_p-5 +: 5] != 5'd0) f_fault_gap = 1'b0;
  end
`ifdef PROVE_egret_flowlet
  `EGRET_ASSUME(!((s6_write_i || s6_read_i) && !f6_slot) && !(s6_write_i && s6_read_i))
  `EGRET_ASSUME(!(f6_slot && (f_read_q[11:7] | f_fault[11:7]) != 5'd0))
  `EGRET_ASSUME(!s11_step_i || (f_slot_q[11] && !f_write_q[11] && !f_read_q[11]))
  `EGRET_ASSUME(!clr_i || (f_sweep_q && !f6_slot && f_slot_q == 7'd0))
`endif
  `EGRET_ASSERT(f_gap, "slots close behind a read")
  `EGRET_ASSERT(((f_write_q | f_read_q | f_step_q) & ~f_slot_q) == 7'd0, "kinds are those of slots")
  `EGRET_ASSERT((f_write_q & f_read_q) == 7'd0 && (f_step_q & (f_write_q | f_read_q)) == 7'd0,
                "one kind a slot")
  `EGRET_ASSERT(f_write_q[11:7] == {s11_write_q, s10_write_q, s9_write_q, s8_write_q, s7_write_q},
                "writes")
  `EGRET_ASSERT(s12_may_q == (f_write_q[12] | f_step_q[12]), "may write")
  `EGRET_ASSERT(!f_swept_q || f_slot_q == 7'd0, "no slot in the sweep, S7")
  `EGRET_ASSERT(!f_swept2_q || f_slot_q[13:8] == 6'd0, "no slot in the sweep, S8")
  `EGRET_ASSERT(!f_swept_q || (s13_index_q == f_swept_addr_q && s13_wrote_q &&
                {s13_valid_q, s13_tag_q, s13_time_q, s13_port} == {WIDTH{1'b0}}), "swept to zero")

  // What a slot brings, at each stage.
  wire [7*FLOWLET_W-1:0] f_index = {s13_index_q, s12_index_q, s11_index_q, s10_index_q, s9_index_q,
                                    s8_index_q, s7_index_q};
  wire [7*13-1:0] f_mark = {s13_valid_q, s13_tag_q, s12_valid_q, s12_tag_q, s11_valid_q, s11_tag_q,
                            s10_valid_q, s10_tag_q, s9_valid_q, s9_tag_q, s8_valid_q, s8_tag_q,
                            s7_valid_q, s7_tag_q};
  wire [4*24-1:0] f_time = {s13_time_q, s12_time_q, s11_time_q, s10_time_q};
  genvar f_g;
  generate
    for (f_g = 0; f_g < 7; f_g = f_g + 1) begin : gen_f_stage
      `EGRET_ASSERT(!f_slot_q[f_g+7] ||
                    (f_index[FLOWLET_W*f_g +: FLOWLET_W] == f_index_q[FLOWLET_W*f_g +: FLOWLET_W] &&
                     f_mark[13*f_g +: 13] == f_mark_q[13*f_g +: 13]), "index and tag")
      `EGRET_ASSERT(!f_slot_q[f_g+7] || f_write_q[f_g+7] || f_mark[13*f_g+12], "packets: valid")
      if (f_g >= 3) begin : gen_f_time
        `EGRET_ASSERT(!f_slot_q[f_g+7] || f_time[24*(f_g-3) +: 24] == f_time_q[24*(f_g-3) +: 24],
                      "time")
      end
    end
  endgenerate
  `EGRET_ASSERT(!f_slot_q[7] || s7_port_q == f_wport_q[0 +: PORT_W], "port, S7")
  `EGRET_ASSERT(!f_slot_q[8] || s8_port_q == f_wport_q[PORT_W +: PORT_W], "port, S8")
  `EGRET_ASSERT(!f_slot_q[9] || s9_port_q == f_wport_q[2*PORT_W +: PORT_W], "port, S9")
  `EGRET_ASSERT(!f_slot_q[10] || s10_port_q == f_wport_q[3*PORT_W +: PORT_W], "port, S10")
  `EGRET_ASSERT(!f_slot_q[11] || s11_idle_q == f_idle_q[23:0], "idle")

  // Compares with the slots ahead.
  `EGRET_ASSERT(!f_slot_q[9] || (s9_same4_q == (s9_index_q == s13_index_q) &&
                                 s9_same5_q == (s9_index_q == f14_index_q)), "same index, S9")
  `EGRET_ASSERT(!f_slot_q[10] || (s10_same3_q == (s10_index_q == s13_index_q) &&
                                  \u_age2.t2_age_q == s10_time_q - s12_time_q), "3 ahead, S10")
  `EGRET_ASSERT(!f_slot_q[11] || (s11_same2_q == (s11_index_q == s13_index_q && !f_write_q[11]) &&
                                  s11_tag2_q == (s11_tag_q == s13_tag_q) &&
                                  s11_expired2_q == f_expired(s11_time_q, s13_time_q, s11_idle_q)),
                "2 ahead, S11")
  `EGRET_ASSERT(!f_slot_q[11] || \u_age1.t2_age_q == s11_time_q - s12_time_q, "1 ahead, S11")
  `EGRET_ASSERT(!f_slot_q[12] || (s12_same1_q == (s12_index_q == s13_index_q && !f_write_q[12]) &&
                                  s12_tag1_q == (s12_tag_q == s13_tag_q) &&
                                  s12_expired1_q == f_expired(s12_time_q, s13_time_q,
                                                              f_idle_q[47:24])), "1 ahead, S12")

  // The entry, at each stage, as left by the slots that have left S13.
  wire [13:7] f_mine = f_slot_q & {7{f_known_q}} &
                       {s13_index_q == f_addr, s12_index_q == f_addr, s11_index_q == f_addr,
                        s10_index_q == f_addr, s9_index_q == f_addr, s8_index_q == f_addr,
                        s7_index_q == f_addr};
  wire [11:0] f11_differ = f_tag ^ s11_tag_q;
  `EGRET_ASSERT(!f_mine[9] || f_entry == ((s9_same5_q && s14_wrote_q) ?
                {s14_valid_q, s14_tag_q, s14_time_q, s14_port_q} : s9_ram[WIDTH-1:0]), "entry, S9")
  `EGRET_ASSERT(!f_mine[10] || f_entry == s10_older, "entry, S10")
  `EGRET_ASSERT(!f_mine[11] || f_write_q[11] ||
                (s11_entry_valid_q == f_entry[PORT_W+36] &&
                 \u_age.t2_age_q == s11_time_q - f_last &&
                 f_port == (s11_use3_q ? s14_port_q : s11_port_q) &&
                 s11_differ_q == {|f11_differ[11:10], |f11_differ[9:8], |f11_differ[7:6],
                                  |f11_differ[5:4], |f11_differ[3:2], |f11_differ[1:0]}),
                "entry, S11")
  `EGRET_ASSERT(!f_write_q[11] || (!s11_use3_q && s11_port_q == f_wport_q[4*PORT_W +: PORT_W]),
                "write, S11")
  `EGRET_ASSERT(!f_mine[12] || f_write_q[12] ||
                (s12_entry_valid_q == f_valid && s12_port_q == f_port &&
                 s12_same_q == (f_tag == s12_tag_q) &&
                 s12_expired_q == f_expired(s12_time_q, f_last, f_idle_q[47:24])), "entry, S12")
  `EGRET_ASSERT(!f_write_q[12] || (s12_entry_valid_q && s12_same_q && !s12_expired_q &&
                                   s12_port_q == f_wport_q[5*PORT_W +: PORT_W]), "write, S12")

  // S13: outcome, port and what becomes of the entry.
  wire f_same = f_tag == f_mark_q[78 +: 12];
  wire f_old  = f_expired(f_time_q[72 +: 24], f_last, f_idle_q[48 +: 24]);
  wire f_keep = f_valid && f_same && (!f_old || (f13_stay_q && f13_tie_q[f_port]));
  wire [1:0] f_outcome = (f_valid && f_same && !f_old) ? 2'd0 :
                         (!f_valid || (f_same && f_old)) ? 2'd1 : f_old ? 2'd2 : 2'd3;
  wire f_packet = f_mine[13] && !f_write_q[13] && !f_read_q[13];
  wire f_writes = f_packet && f_step_q[13] && f_outcome != 2'd3;
  reg  f_check_q, f14_packet_q, f14_moved_q;
  reg  [WIDTH-1:0] f_next_q, f14_entry_q, f15_entry_q;
  reg  [1:0] f14_mine_q, f15_mine_q; // a read of word 1, 0
  always @(posedge clk_i) begin
    f_check_q <= f_known_q && !rst_i;
    f_next_q  <= (f_swept_q && f_swept_addr_q == f_addr) ? {WIDTH{1'b0}} :
                 (f_mine[13] && f_write_q[13]) ?
                   {f_mark_q[78 +: 13], f_time_q[72 +: 24], f_wport_q[6*PORT_W +: PORT_W]} :
                 f_writes ? {1'b1, f_mark_q[78 +: 12], f_time_q[72 +: 24],
                             f_keep ? f_port : s13_new_i} : f_entry;
    f14_packet_q <= f_packet && !rst_i;
    f14_moved_q  <= f_valid && f_same && f_old && (f_keep ? f_port : s13_new_i) != f_port;
    f14_entry_q  <= f_entry;
    f15_entry_q  <= f14_entry_q;
    {f15_mine_q, f14_mine_q} <= rst_i ? 4'd0 :
      {f14_mine_q, {2{f_mine[13]}} & \u_read15.gen_line.line_q [1:0]};
  end
  `EGRET_ASSERT(!f_packet || (s13_outcome_o == f_outcome &&
                              s13_conflict_o == (f_outcome == 2'd3)), "outcome")
  `EGRET_ASSERT(!f_packet || s13_index_o == {{16 - FLOWLET_W{1'b0}}, f_index_q[6*FLOWLET_W +:
                                             FLOWLET_W]}, "index")
  `EGRET_ASSERT(!f_packet || (s13_entry_port_q == f_port && s13_kept_q == f_keep &&
                              s13_again_q == (f_valid && f_same && f_old)), "entry, S13")
  `EGRET_ASSERT(!f_packet || f_outcome == 2'd3 ||
                (s13_kept_o == f_keep && s13_port_o == (f_keep ? f_port : s13_new_i)), "port")
  `EGRET_ASSERT(!(f_slot_q[13] && f_write_q[13]) || (s13_wrote_q && s13_kept_q &&
                s13_entry_port_q == f_wport_q[6*PORT_W +: PORT_W]), "configuration write, S13")
  `EGRET_ASSERT(f_slot_q[13] || f_swept_q || !s13_wrote_q, "writes are those of slots")
  `EGRET_ASSERT(!(f_mine[13] && !f_write_q[13]) || s13_wrote_q == f_writes, "wrote")
  `EGRET_ASSERT(!f_read_q[13] || !s13_wrote_q, "a read writes nothing")
  `EGRET_ASSERT(!f14_packet_q || s14_moved_o == f14_moved_q, "moved")
  `EGRET_ASSERT(!f_check_q || f_entry == f_next_q, "an entry changes by its own slots only")

  // Parity: what is stored is good but for fault writes, and each stage knows of a bad entry.
  generate
    if (PARITY != 0) begin : gen_f_parity
      reg f_next_bad_q;
      // A reset leaves the flag where there is no slot any more.
      wire [13:7] f_flags = {\gen_parity.s13_fault_q , \gen_parity.fault_q };
      assign f_fault = {f14_fault_q, f_flags & f_write_q};
      always @(posedge clk_i) begin
        f14_fault_q  <= f_fault[13] && !rst_i;
        f_next_bad_q <= !(f_swept_q && f_swept_addr_q == f_addr) &&
                        ((f_mine[13] && f_write_q[13]) ? f_fault[13] : !f_writes && f_bad);
      end
      `EGRET_ASSERT(f_fault_gap, "slots close behind a fault write")
      `EGRET_ASSERT((f_flags & f_slot_q & ~f_write_q) == 7'd0 && !(f_swept_q && f_flags[13]),
                    "fault writes are writes")
      `EGRET_ASSERT(!s13_wrote_q || \gen_parity.s13_parity_q ==
                                    ^{s13_valid_q, s13_tag_q, s13_time_q}, "parity, S13")
      `EGRET_ASSERT(!f_mine[9] || f_bad == (!(s9_same5_q && s14_wrote_q) && ^s9_ram), "bad, S9")
      `EGRET_ASSERT(!f_mine[10] || f_bad == (!s10_near_q &&
                    (\gen_parity.s10_parity_q ^ (^s10_ram_q))), "bad, S10")
      `EGRET_ASSERT(!f_mine[11] || f_bad == s11_bad, "bad, S11")
      `EGRET_ASSERT(!f_mine[12] || f_write_q[12] || f_bad == \gen_parity.s12_bad_q , "bad, S12")
      `EGRET_ASSERT(!f_packet || s13_bad_o == (f_bad && f_step_q[13]), "a bad entry is seen")
      `EGRET_ASSERT(!f_check_q || f_bad == f_next_bad_q, "an entry goes bad by fault writes only")
`ifdef PROVE_egret_flowlet
      `EGRET_COVER(f_packet && s13_bad_o && f_outcome == 2'd1)
`endif
    end else begin : gen_f_plain
      assign f_fault = 8'd0;
      always @* f14_fault_q = 1'b0;
      wire f_unused = &{1'b0, f_fault_gap, f14_fault_q};
    end
  endgenerate

  // Reads.
  genvar f_r;
  generate
    for (f_r = 0; f_r < 6; f_r = f_r + 1) begin : gen_f_read
      `EGRET_ASSERT(f_read_q[f_r+7] == |\u_read12.gen_line.line_q [2*f_r +: 2] &&
                    \u_read12.gen_line.line_q [2*f_r +: 2] != 2'd3, "reads, S7 to S12")
    end
  endgenerate
  `EGRET_ASSERT(f_read_q[13] == |\u_read15.gen_line.line_q [1:0] &&
                (f14_mine_q & ~\u_read15.gen_line.line_q [3:2]) == 2'd0 &&
                (f15_mine_q & ~\u_read15.gen_line.line_q [5:4]) == 2'd0 &&
                \u_read15.gen_line.line_q [1:0] != 2'd3 &&
                \u_read15.gen_line.line_q [3:2] != 2'd3 &&
                \u_read15.gen_line.line_q [5:4] != 2'd3, "reads, S13 to S15")
  `EGRET_ASSERT(!f_read_q[13] || s8_index_q == s13_index_q, "address of a read")
  `EGRET_ASSERT(f14_mine_q == 2'd0 || s9_ram[WIDTH-1:0] == f14_entry_q, "read, S14")
  `EGRET_ASSERT(f15_mine_q == 2'd0 || s10_ram_q == f15_entry_q, "read, S15")
  `EGRET_ASSERT(!f15_mine_q[0] || s15_word_o == {f15_entry_q[PORT_W+36], 3'd0,
                f15_entry_q[PORT_W+24 +: 12], {16 - PORT_W{1'b0}}, f15_entry_q[PORT_W-1:0]},
                "word 0")
  `EGRET_ASSERT(!f15_mine_q[1] || s15_word_o == {8'd0, f15_entry_q[PORT_W +: 24]}, "word 1")
  `EGRET_ASSERT(\u_read15.gen_line.line_q [5:4] != 2'd0 || s15_word_o == 32'd0, "no word")

`ifdef PROVE_egret_flowlet
  `EGRET_COVER(f_packet && f_outcome == 2'd0 && f_time_q[72 +: 24] == f_last - 24'd2)
  `EGRET_COVER(f_packet && f_outcome == 2'd2)
  `EGRET_COVER(f_packet && f_outcome == 2'd3)
  `EGRET_COVER(f_packet && f_outcome == 2'd1 && f_keep)
  `EGRET_COVER(NUM_PORTS == 1 || (f14_packet_q && s14_moved_o))
  `EGRET_COVER(f_mine[12] && f_step_q[12] && s12_use1 && s12_near[1:0] == 2'd0 && f_step_q[13])
  `EGRET_COVER(f_mine[11] && s11_use2 && !s11_write_q && f_step_q[13])
  `EGRET_COVER(f_mine[10] && s10_use3 && f_step_q[13])
  `EGRET_COVER(f_mine[9] && s9_use4 && f_step_q[13])
  `EGRET_COVER(f_mine[9] && s9_same5_q && s14_wrote_q && s14_port_q != {PORT_W{1'b0}})
  `EGRET_COVER(f15_mine_q[0] && s15_word_o[31] && s15_word_o[27:16] == 12'habc)
`endif
