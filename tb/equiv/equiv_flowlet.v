// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_flowlet and the egret_live_repair of its new path, as in egret_deep. Reset
// in clock 0; a packet at S6 in clock 1, with PACKETS 2 another one `distance` clocks later; beside
// them slots that leave the table alone. C side: cmodel/test/equiv_flowlet.c.
// clocks 17
// state 1 number number{i}_q
// state 1 ties ties{i}_q
// state 1 valid,tag,last,port u_flowlet.u_ram.gen_sync.mem[{i}] if PARITY == 0
// state 1 parity,valid,tag,last,port u_flowlet.u_ram.gen_sync.mem[{i}] if PARITY
// final to_valid,to_tag,to_last,to_port u_flowlet.u_ram.gen_sync.mem[{i}] if PARITY == 0
// final to_parity,to_valid,to_tag,to_last,to_port u_flowlet.u_ram.gen_sync.mem[{i}] if PARITY
`default_nettype none

module equiv_flowlet #(
  parameter NUM_FLOWLETS = 16,
  parameter FLOWLET_W = 4,
  parameter NUM_PORTS = 16,
  parameter PORT_W = 4,
  parameter PARITY = 0,
  parameter PACKETS = 2
) (
  input  wire                    clk_i,
  input  wire [NUM_FLOWLETS-1:0] bad, // parity_0 and so on follow it
  input  wire [2:0]              distance,
  input  wire [63:0]             hash,
  input  wire [31:0]             base,
  input  wire [31:0]             mask,
  input  wire [47:0]             now,
  input  wire [47:0]             idle,
  input  wire [3:0]              quality,
  input  wire [2*NUM_PORTS-1:0]  live,
  input  wire [2*NUM_PORTS-1:0]  least, // ties follow it
  input  wire [63:0]             state, // numbers follow it
  output wire [3:0]              outcome,
  output wire [31:0]             index,
  output wire [15:0]             choice,
  output wire [1:0]              moved,
  output wire [1:0]              found,
  output wire [15:0]             quick
);

  reg [4:0]           clock_q;
  reg [31:0]          number0_q, number1_q;
  reg [NUM_PORTS-1:0] ties0_q, ties1_q;
  initial clock_q = 5'd0;
  always @(posedge clk_i) begin
    clock_q   <= clock_q + 5'd1;
    number0_q <= number0_q;
    number1_q <= number1_q;
    ties0_q   <= ties0_q;
    ties1_q   <= ties1_q;
  end
  wire unused_ok = &{1'b0, bad, least, state};

  (* anyseq *) wire [31:0]          other_hash, other_data;
  (* anyseq *) wire [15:0]          other_base, other_mask, other_rank;
  (* anyseq *) wire [23:0]          other_now, other_idle;
  (* anyseq *) wire [NUM_PORTS-1:0] other_live;
  (* anyseq *) wire [FLOWLET_W:0]   other_addr;
  (* anyseq *) wire                 other_stay, other_fault;

  // Bit p: packet p is at that stage.
  wire [1:0] at_s6  = {PACKETS == 2 && clock_q == 5'd1 + distance, clock_q == 5'd1};
  wire [1:0] at_s9  = {PACKETS == 2 && clock_q == 5'd4 + distance, clock_q == 5'd4};
  wire [1:0] at_s10 = {PACKETS == 2 && clock_q == 5'd5 + distance, clock_q == 5'd5};
  wire [1:0] at_s11 = {PACKETS == 2 && clock_q == 5'd6 + distance, clock_q == 5'd6};
  wire [1:0] at_s12 = {PACKETS == 2 && clock_q == 5'd7 + distance, clock_q == 5'd7};
  wire [1:0] at_s13 = {PACKETS == 2 && clock_q == 5'd8 + distance, clock_q == 5'd8};
  wire [1:0] at_s14 = {PACKETS == 2 && clock_q == 5'd9 + distance, clock_q == 5'd9};

  // The new path: among the ties if by quality, else among the live members.
  wire [NUM_PORTS-1:0] live0 = live[NUM_PORTS-1:0], live1 = live[2*NUM_PORTS-1:NUM_PORTS];
  wire [NUM_PORTS-1:0] path0 = quality[0] ? ties0_q : live0, path1 = quality[2] ? ties1_q : live1;
  wire                 any0 = live0 != {NUM_PORTS{1'b0}}, any1 = live1 != {NUM_PORTS{1'b0}};
  wire [NUM_PORTS-1:0] s12_tie;
  wire [PORT_W-1:0]    s12_new, s13_port;
  reg  [PORT_W-1:0]    s13_new_q;
  wire                 s9_any, s13_conflict, s13_kept, s13_bad, s14_moved;
  wire [1:0]           s13_outcome;
  wire [15:0]          s13_index;
  wire [31:0]          s15_word;
  wire                 unused_late = &{1'b0, s9_any, s13_kept, s15_word};
  always @(posedge clk_i) s13_new_q <= s12_new;

  egret_live_repair #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_new_path (
    .clk_i    (clk_i),
    .s3_mask_i(at_s6[0] ? path0 : at_s6[1] ? path1 : other_live),
    .s6_r_i   (at_s9[0] ? number0_q[31:16] : at_s9[1] ? number1_q[31:16] : other_rank),
    .s6_any_o (s9_any),
    .s9_mask_o(s12_tie),
    .s9_port_o(s12_new)
  );

  egret_flowlet #(
    .NUM_FLOWLETS(NUM_FLOWLETS), .FLOWLET_W(FLOWLET_W), .NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W),
    .PARITY(PARITY)
  ) u_flowlet (
    .clk_i         (clk_i),
    .rst_i         (clock_q == 5'd0),
    .clr_i         (1'b0),
    .clr_addr_i    ({FLOWLET_W{1'b0}}),
    .s6_hash_i     (at_s6[0] ? hash[31:0] : at_s6[1] ? hash[63:32] : other_hash),
    .s6_base_i     (at_s6[0] ? base[15:0] : at_s6[1] ? base[31:16] : other_base),
    .s6_mask_i     (at_s6[0] ? mask[15:0] : at_s6[1] ? mask[31:16] : other_mask),
    .s6_write_i    (1'b0),
    .s6_fault_i    (other_fault),
    .s6_read_i     (1'b0),
    .s6_addr_i     (other_addr),
    .s6_data_i     (other_data),
    .s9_time_i     (at_s9[0] ? now[23:0] : at_s9[1] ? now[47:24] : other_now),
    .s10_idle_i    (at_s10[0] ? idle[23:0] : at_s10[1] ? idle[47:24] : other_idle),
    .s11_step_i    ((at_s11[0] && any0) || (at_s11[1] && any1)),
    .s12_stay_i    (at_s12[0] ? &quality[1:0] : at_s12[1] ? &quality[3:2] : other_stay),
    .s12_tie_i     (s12_tie),
    .s13_new_i     (s13_new_q),
    .s13_port_o    (s13_port),
    .s13_entry_port_o(),
    .s13_conflict_o(s13_conflict),
    .s13_kept_o    (s13_kept),
    .s13_outcome_o (s13_outcome),
    .s13_index_o   (s13_index),
    .s13_bad_o     (s13_bad),
    .s14_moved_o   (s14_moved),
    .s15_word_o    (s15_word)
  );

  // {index, outcome, bad, port}
  wire [26:0] s13 = {s13_index, s13_outcome, s13_bad, {8 - PORT_W{1'b0}},
                     s13_port & {PORT_W{~s13_conflict}}};
  reg  [26:0] packet0_q, packet1_q;
  reg         moved0_q, moved1_q;
  always @(posedge clk_i) begin
    if (at_s13[0]) packet0_q <= s13;
    if (at_s13[1] || clock_q == 5'd0) packet1_q <= s13 & {27{at_s13[1]}};
    if (at_s14[0]) moved0_q <= s14_moved;
    if (at_s14[1] || clock_q == 5'd0) moved1_q <= s14_moved & at_s14[1];
  end
  assign index   = {packet1_q[26:11], packet0_q[26:11]};
  assign outcome = {packet1_q[10:9], packet0_q[10:9]};
  assign found   = {packet1_q[8], packet0_q[8]};
  assign choice  = {packet1_q[7:0] & {8{any1}}, packet0_q[7:0] & {8{any0}}};
  assign moved   = {moved1_q & any1, moved0_q & any0};
  assign quick   = choice;

endmodule
`default_nettype wire
