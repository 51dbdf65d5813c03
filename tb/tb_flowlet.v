// SPDX-License-Identifier: Apache-2.0
// Random slots through egret_flowlet and egret_flowlet_counters, a slot a clock, against the rules
// of docs/spec/flowlet.md executed one slot at a time: few entries, so that slots of one entry
// follow each other at every distance; times around expiry and around a step back; packets that may
// not write, configuration writes and reads, and resets of one clock and more.
// Plusargs: +slots=N (default 20000) +seed=N +wrong (expects other ports: the run must fail).
// Every kind of event must occur in 20,000 slots or more, else the run fails.
`timescale 1ns / 1ps
`default_nettype none

module tb_flowlet #(
  parameter NUM_FLOWLETS = 16,
  parameter FLOWLET_W = 4,
  parameter NUM_PORTS = 16,
  parameter PORT_W = 4
);

  localparam GROUP_W = 2;
  localparam [31:0] SWEEP = (NUM_FLOWLETS > 32) ? NUM_FLOWLETS : 32;
  localparam [31:0] PORTS = NUM_PORTS;
  localparam EVENTS = 20;

  // A slot and what is expected of it.
  localparam BUBBLE = 3'd0, PACKET = 3'd1, WRITE = 3'd2, READ = 3'd3, READ_COUNT = 3'd4;
  reg  [2:0]           kind   [6:17];
  reg                  step   [6:17];
  reg  [31:0]          hash   [6:17];
  reg  [31:0]          data   [6:17];
  reg  [15:0]          base   [6:17];
  reg  [15:0]          mask   [6:17];
  reg  [16:0]          addr   [6:17];
  reg  [23:0]          when_  [6:17];
  reg  [23:0]          idle   [6:17];
  reg                  stay   [6:17];
  reg  [63:0]          tie    [6:17];
  reg  [PORT_W-1:0]    fresh  [6:17];
  reg  [GROUP_W-1:0]   group  [6:17];
  reg  [PORT_W-1:0]    x_port [6:17];
  reg  [15:0]          x_index[6:17];
  reg  [1:0]           x_outcome[6:17];
  reg                  x_kept [6:17];
  reg                  x_moved[6:17];
  reg  [31:0]          x_word [6:17];
  reg  [31:0]          x_count[6:17];

  reg                  clk, rst, clr;
  reg  [31:0]          clr_addr;
  wire [PORT_W-1:0]    s13_port;
  wire                 s13_conflict, s13_kept, s14_moved;
  wire [1:0]           s13_outcome;
  wire [15:0]          s13_index;
  wire [31:0]          s15_word, s17_count;
  reg  [1:0]           s14_outcome, s14_next;

  egret_flowlet #(
    .NUM_FLOWLETS(NUM_FLOWLETS), .FLOWLET_W(FLOWLET_W), .NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)
  ) u_flowlet (
    .clk_i(clk), .rst_i(rst), .clr_i(clr), .clr_addr_i(clr_addr[FLOWLET_W-1:0]),
    .s6_hash_i(hash[6]), .s6_base_i(base[6]), .s6_mask_i(mask[6]),
    .s6_write_i(kind[6] == WRITE), .s6_read_i(kind[6] == READ), .s6_fault_i(1'b0), .s13_bad_o(),
    .s6_addr_i(addr[6][FLOWLET_W:0]), .s6_data_i(data[6]),
    .s9_time_i(when_[9]), .s10_idle_i(idle[10]), .s11_step_i(step[11]),
    .s12_stay_i(stay[12]), .s12_tie_i(tie[12][NUM_PORTS-1:0]), .s13_new_i(fresh[13]),
    .s13_port_o(s13_port), .s13_entry_port_o(), .s13_conflict_o(s13_conflict),
    .s13_kept_o(s13_kept), .s13_outcome_o(s13_outcome), .s13_index_o(s13_index),
    .s14_moved_o(s14_moved),
    .s15_word_o(s15_word)
  );

  egret_flowlet_counters #(.GROUP_W(GROUP_W)) u_counters (
    .clk_i(clk), .rst_i(rst), .clr_i(clr), .clr_addr_i(clr_addr[GROUP_W+2:0]),
    .s14_sent_i(step[14]), .s14_group_i(group[14]), .s14_outcome_i(s14_outcome),
    .s14_moved_i(s14_moved), .s14_read_i(kind[14] == READ_COUNT),
    .s14_addr_i(addr[14][GROUP_W+2:0]), .s17_count_o(s17_count),
    .s14_fault_i(1'b0), .s17_bad_o()
  );

  // The model: entries and counters, changed in place.
  reg                  m_valid [0:NUM_FLOWLETS-1];
  reg  [11:0]          m_tag   [0:NUM_FLOWLETS-1];
  reg  [23:0]          m_last  [0:NUM_FLOWLETS-1];
  reg  [PORT_W-1:0]    m_port  [0:NUM_FLOWLETS-1];
  reg  [31:0]          m_count [0:(8<<GROUP_W)-1];
  integer              writer  [0:NUM_FLOWLETS-1]; // the slot that wrote it last
  integer              seen    [0:EVENTS-1];

  reg  [63:0]          state;
  reg  [31:0]          r, entries, region, tag_bit, busy, gap, sweep_left, e, w;
  integer              slots, seed, slot, passed, failed, i, distance;
  reg  [23:0]          age;
  reg                  same, expired, keep, wrong;

  task random; // xorshift64, 32 bits to r
    begin
      state = state ^ (state << 13);
      state = state ^ (state >> 7);
      state = state ^ (state << 17);
      r = state[47:16];
    end
  endtask

  function [31:0] below(input [31:0] bits, input [31:0] count);
    reg [63:0] product;
    begin
      product = {32'd0, bits} * {32'd0, count};
      below = product[63:32];
    end
  endfunction

  task clear_model;
    begin
      for (i = 0; i < NUM_FLOWLETS; i = i + 1) begin
        m_valid[i] = 1'b0;
        m_tag[i] = 12'd0;
        m_last[i] = 24'd0;
        m_port[i] = {PORT_W{1'b0}};
        writer[i] = -100;
      end
      for (i = 0; i < (8 << GROUP_W); i = i + 1) m_count[i] = 32'd0;
      for (i = 6; i < 18; i = i + 1) begin
        kind[i] = BUBBLE;
        step[i] = 1'b0;
        x_word[i] = 32'd0;
      end
    end
  endtask

  // A new slot at S6, and its effect on the model.
  task make_slot;
    begin
      step[6] = 1'b0;
      x_word[6] = 32'd0;
      random; hash[6] = r;
      random; mask[6] = r[31:16]; base[6] = r[15:0];
      random; data[6] = r & 32'hffff_ff00;
      random; w = below(r, PORTS); data[6][7:0] = w[7:0];
      random; tie[6][31:0] = r;
      random; tie[6][63:32] = r;
      random; if (r[0]) tie[6] = tie[6] & {tie[6][30:0], tie[6][63:31]};
      stay[6] = r[1] | r[2];
      group[6] = r[3 +: GROUP_W];
      w = below({r[24:9], 16'd0}, PORTS); fresh[6] = w[PORT_W-1:0];
      // Two tags, which differ in one bit, or one.
      hash[6][31:20] = 12'h5a5 ^ (r[25] ? 12'd1 << tag_bit : 12'd0);
      random; e = below(r, entries) + region;
      addr[6] = {e[15:0], r[20]};
      case (r[7:4])
        4'd0, 4'd1: idle[6] = 24'd0;
        4'd2, 4'd3: idle[6] = 24'd1;
        4'd4, 4'd5: idle[6] = 24'hfeffff;
        4'd6:       idle[6] = 24'hff0000;
        4'd7:       idle[6] = 24'hffffff;
        4'd8, 4'd9: idle[6] = r[31:8];
        default:    idle[6] = 24'd40;
      endcase
      age = m_last[e[FLOWLET_W-1:0]];
      case (r[11:8])
        4'd0, 4'd1, 4'd2, 4'd3: when_[6] = age + idle[6] + 24'd1;
        4'd4, 4'd5: when_[6] = age + idle[6];
        4'd6: when_[6] = age - 24'h010000;
        4'd7: when_[6] = age - 24'h010001;
        4'd8: when_[6] = age - 24'd1;
        4'd9: when_[6] = r[31:8];
        default: when_[6] = when_[7] + {22'd0, r[13:12]};
      endcase
      random;
      kind[6] = (gap != 0 || r[7:0] > busy[7:0]) ? BUBBLE :
                (r[15:8] < 8'd6) ? READ : (r[15:8] < 8'd12) ? READ_COUNT :
                (r[15:8] < 8'd24) ? WRITE : PACKET;
      if (kind[6] == READ_COUNT) addr[6][GROUP_W+2:0] = r[16 +: GROUP_W + 3];
      gap = (kind[6] == READ) ? 32'd5 : (gap == 0) ? 32'd0 : gap - 32'd1;
      if (kind[6] == WRITE) begin
        addr[6][0] = 1'b0;
        if (r[16]) data[6][27:16] = hash[6][31:20];
      end
      // index = (base + (h[15:0] & mask)) mod NUM_FLOWLETS
      if (kind[6] == PACKET) begin
        base[6] = (e[15:0] & (NUM_FLOWLETS[15:0] - 16'd1)) - (hash[6][15:0] & mask[6]);
        random; base[6] = base[6] + ((r[15:0] << FLOWLET_W) & 16'hffff);
        step[6] = r[31:30] != 2'd0;
      end
      run_model;
    end
  endtask

  task run_model;
    begin
      e = e & (NUM_FLOWLETS - 1);
      x_index[6] = e[15:0];
      same = hash[6][31:20] == m_tag[e[FLOWLET_W-1:0]];
      age = when_[6] - m_last[e[FLOWLET_W-1:0]];
      expired = !(age >= 24'hff0000) && age > idle[6];
      keep = m_valid[e[FLOWLET_W-1:0]] && same &&
             (!expired || (stay[6] && tie[6][{{6 - PORT_W{1'b0}}, m_port[e[FLOWLET_W-1:0]]}]));
      x_outcome[6] = (!m_valid[e[FLOWLET_W-1:0]] || (same && expired)) ? 2'd1 :
                     same ? 2'd0 : expired ? 2'd2 : 2'd3;
      x_port[6] = keep ? m_port[e[FLOWLET_W-1:0]] : fresh[6];
      x_kept[6] = keep;
      x_moved[6] = m_valid[e[FLOWLET_W-1:0]] && same && expired &&
                   x_port[6] != m_port[e[FLOWLET_W-1:0]];
      x_count[6] = 32'd0;
      if (kind[6] == PACKET) begin
        distance = slot - writer[e[FLOWLET_W-1:0]];
        if (distance > 8) distance = 8;
        seen[distance - 1] = seen[distance - 1] + 1;
        seen[{30'd0, x_outcome[6]} + 8] = seen[{30'd0, x_outcome[6]} + 8] + 1;
        if (age >= 24'hff0000) seen[12] = seen[12] + 1;
        if (keep && expired) seen[13] = seen[13] + 1;
        if (x_moved[6]) seen[14] = seen[14] + 1;
        if (!step[6]) seen[15] = seen[15] + 1;
      end
      if (kind[6] == READ) begin
        x_word[6] = addr[6][0] ? {8'd0, m_last[e[FLOWLET_W-1:0]]} :
          {m_valid[e[FLOWLET_W-1:0]], 3'd0, m_tag[e[FLOWLET_W-1:0]], {16 - PORT_W{1'b0}},
           m_port[e[FLOWLET_W-1:0]]};
        seen[16] = seen[16] + 1;
      end
      if (kind[6] == READ_COUNT) begin
        x_count[6] = m_count[addr[6][GROUP_W+2:0]];
        seen[17] = seen[17] + 1;
      end
      if (step[6]) begin
        w = {{29 - GROUP_W{1'b0}}, group[6], x_moved[6] ? 3'd4 : {1'b0, x_outcome[6]}};
        m_count[w[GROUP_W+2:0]] = m_count[w[GROUP_W+2:0]] + 32'd1;
      end
      if (kind[6] == WRITE) begin
        m_valid[e[FLOWLET_W-1:0]] = data[6][31];
        m_tag[e[FLOWLET_W-1:0]] = data[6][27:16];
        m_last[e[FLOWLET_W-1:0]] = when_[6];
        m_port[e[FLOWLET_W-1:0]] = data[6][PORT_W-1:0];
        writer[e[FLOWLET_W-1:0]] = slot;
        seen[18] = seen[18] + 1;
      end else if (step[6] && x_outcome[6] != 2'd3) begin
        m_valid[e[FLOWLET_W-1:0]] = 1'b1;
        m_tag[e[FLOWLET_W-1:0]] = hash[6][31:20];
        m_last[e[FLOWLET_W-1:0]] = when_[6];
        m_port[e[FLOWLET_W-1:0]] = x_port[6];
        writer[e[FLOWLET_W-1:0]] = slot;
      end
    end
  endtask

  task check(input good, input [8*8-1:0] what);
    if (good === 1'b1) passed = passed + 1;
    else begin
      failed = failed + 1;
      if (failed <= 10) $display("slot %0d or before: %0s", slot, what);
    end
  endtask

  task check_outputs;
    begin
      if (kind[13] == PACKET) begin
        check(s13_index == x_index[13], "index");
        check(s13_outcome == x_outcome[13], "outcome");
        check(s13_conflict == (x_outcome[13] == 2'd3), "conflict");
        if (x_outcome[13] != 2'd3) begin
          check(s13_kept == x_kept[13], "kept");
          check(s13_port == (x_port[13] ^ {PORT_W{wrong}}), "port");
        end
      end
      if (kind[14] == PACKET) check(s14_moved == x_moved[14], "moved");
      if (!rst) check(s15_word == x_word[15], "word");
      if (kind[17] == READ_COUNT) check(s17_count == x_count[17], "count");
    end
  endtask

  task shift;
    for (i = 17; i > 6; i = i - 1) begin
      kind[i] = kind[i-1];
      step[i] = step[i-1];
      hash[i] = hash[i-1];
      data[i] = data[i-1];
      base[i] = base[i-1];
      mask[i] = mask[i-1];
      addr[i] = addr[i-1];
      when_[i] = when_[i-1];
      idle[i] = idle[i-1];
      stay[i] = stay[i-1];
      tie[i] = tie[i-1];
      fresh[i] = fresh[i-1];
      group[i] = group[i-1];
      x_port[i] = x_port[i-1];
      x_index[i] = x_index[i-1];
      x_outcome[i] = x_outcome[i-1];
      x_kept[i] = x_kept[i-1];
      x_moved[i] = x_moved[i-1];
      x_word[i] = x_word[i-1];
      x_count[i] = x_count[i-1];
    end
  endtask

  task finish;
    begin
      for (i = 0; i < EVENTS; i = i + 1) begin
        $display("tb_flowlet: event %0d: %0d", i, seen[i]);
        if (seen[i] == 0 && slots >= 20000 && (i != 14 || NUM_PORTS != 1)) failed = failed + 1;
      end
      $display("RESULT pass=%0d fail=%0d", passed, failed);
      if (failed != 0 || passed == 0) $fatal;
      $finish;
    end
  endtask

  // What the next clock brings: sweep, reset, and now and then another mix of slots.
  task control;
    begin
      random;
      if (rst) begin
        rst = r[1:0] == 2'd0 && slot > 1; // one clock, seldom more
        clr = !rst;
        clr_addr = 32'd0;
        sweep_left = SWEEP + {30'd0, r[3:2]};
      end else if (sweep_left != 0) begin
        sweep_left = sweep_left - 32'd1;
        clr_addr = clr_addr + 32'd1;
        clr = clr_addr < SWEEP;
      end else if (r[15:0] < 16'd20) begin
        rst = 1'b1;
        gap = 32'd0;
        seen[19] = seen[19] + 1;
        clear_model;
      end
      if (r[31:26] == 6'd0) begin
        entries = {30'd0, r[17:16]} + 32'd1;
        region = {r[7:0], r[15:8], 16'd0} >> 16 & (NUM_FLOWLETS - 16);
        tag_bit = below(r << 6, 32'd14); // 12, 13: one tag
        busy = r[20] ? 32'd255 : {24'd0, r[15:8]};
      end
    end
  endtask

  initial begin
    if (!$value$plusargs("slots=%d", slots)) slots = 20000;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    wrong = $test$plusargs("wrong");
    state = {32'h9e3779b9, seed};
    passed = 0;
    failed = 0;
    slot = 0;
    gap = 32'd0;
    entries = 32'd1;
    tag_bit = 32'd0;
    region = 32'd0;
    busy = 32'd255;
    rst = 1'b1;
    clr = 1'b0;
    clr_addr = 32'd0;
    sweep_left = 32'd0;
    for (i = 0; i < EVENTS; i = i + 1) seen[i] = 0;
    clear_model;
    clk = 1'b1;
  end

  always #5 clk = ~clk;

  always @(posedge clk) begin
    check_outputs;
    s14_outcome <= s13_outcome;
  end

  always @(negedge clk) begin
    control;
    shift;
    if (sweep_left != 0 || rst) begin
      kind[6] = BUBBLE;
      step[6] = 1'b0;
      x_word[6] = 32'd0;
    end else make_slot;
    slot = slot + 1;
    if (slot == slots) finish;
  end

endmodule
`default_nettype wire
