// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_counters with parity, any counters, any of them bad. Reset in clock 0; a
// packet at S10 in clock 1; slots beside it count nothing. C side: cmodel/test/equiv_counters.c.
// clocks 8
// state 1 parity,packets,bytes u_counters.u_ports.u_ram.gen_sync.mem[{i}]
// state 1 parity_tick,ticks u_counters.u_groups.u_ram.gen_sync.mem[{i}]
// state 1 sent sent_q
// state 1 port port_q
// state 1 tick tick_q
// state 1 repair repair_q
// final to_parity,to_packets,to_bytes u_counters.u_ports.u_ram.gen_sync.mem[{i}]
// final to_parity_tick,to_ticks u_counters.u_groups.u_ram.gen_sync.mem[{i}]
`default_nettype none

module equiv_counters #(
  parameter NUM_PORTS = 3,
  parameter PORT_W = 2
) (
  input  wire                 clk_i,
  input  wire [NUM_PORTS-1:0] bad,      // parities follow these
  input  wire [3:0]           bad_tick,
  input  wire                 group,
  input  wire [NUM_PORTS-1:0] members,  // what was decided follows these
  input  wire [NUM_PORTS-1:0] live,
  input  wire [PORT_W-1:0]    bucket,
  input  wire [15:0]          length,
  output wire [1:0]           found
);

  reg [3:0]        clock_q;
  reg              sent_q, tick_q, repair_q;
  reg [PORT_W-1:0] port_q;
  reg [1:0]        found_q;
  wire [1:0]       s13_bad;
  initial clock_q = 4'd0;
  always @(posedge clk_i) begin
    clock_q  <= clock_q + 4'd1;
    sent_q   <= sent_q;
    tick_q   <= tick_q;
    repair_q <= repair_q;
    port_q   <= port_q;
    if (clock_q == 4'd4) found_q <= s13_bad;
  end

  (* anyseq *) wire [PORT_W-1:0] other_port;
  (* anyseq *) wire [1:0]        other_index;
  (* anyseq *) wire [15:0]       other_length;
  wire        mine = clock_q == 4'd1;
  wire [39:0] s13_packets, s13_bytes;
  wire [31:0] s13_group;
  wire        unused_ok = &{1'b0, bad, bad_tick, members, live, bucket, s13_packets, s13_bytes,
                            s13_group};

  egret_counters #(.PORT_W(PORT_W), .GROUP_W(1), .PARITY(1)) u_counters (
    .clk_i            (clk_i),
    .rst_i            (clock_q == 4'd0),
    .clr_i            (1'b0),
    .clr_port_i       ({PORT_W{1'b0}}),
    .clr_group_i      (2'd0),
    .s10_sent_i       (mine & sent_q),
    .s10_port_i       (mine ? port_q : other_port),
    .s10_length_i     (mine ? length : other_length),
    .s10_tick_i       (mine & tick_q),
    .s10_index_i      (mine ? {group, repair_q} : other_index),
    .s10_fault_port_i (1'b0),
    .s10_fault_group_i(1'b0),
    .s13_packets_o    (s13_packets),
    .s13_bytes_o      (s13_bytes),
    .s13_group_o      (s13_group),
    .s13_bad_o        (s13_bad)
  );

  assign found = found_q;

endmodule
`default_nettype wire
