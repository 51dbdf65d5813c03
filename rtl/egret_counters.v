// SPDX-License-Identifier: Apache-2.0
// Counters of decisions (docs/spec/events.md): per port packets and bytes, 40 bits each; per group
// drops and repairs, 32 bits each; modulo their width. Every counter is read, changed and written
// back with forwarding (egret_rmw), so a packet a clock on one port counts right.
// Stages as in egret_core: a packet's result or a read's address in at S10, old values out at S13.
// State: two tables; a packet's slot changes them, a fault write inverts a parity, a read does
// nothing.
// C twin: the counters of cmodel/select/apply.c, and of faults.c while an entry has bad parity.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_counters #(
  // Bits of a port number.
  parameter PORT_W = 4,
  // Bits of a group number.
  parameter GROUP_W = 5,
  // 1: a port's counters and a group's have parity (egret_rmw); if it is bad they count from 0.
  parameter PARITY = 0
) (
  input  wire               clk_i,
  input  wire               rst_i,
  // sweep
  input  wire               clr_i,
  input  wire [PORT_W-1:0]  clr_port_i,
  input  wire [GROUP_W:0]   clr_group_i,
  // S10: a packet left by port
  input  wire               s10_sent_i,
  input  wire [PORT_W-1:0]  s10_port_i,
  input  wire [15:0]        s10_length_i,
  // S10: a group counter ticks; index {group, repair}
  input  wire               s10_tick_i,
  input  wire [GROUP_W:0]   s10_index_i,
  // S10: a fault write of the port's or of the group counter: its parity is inverted
  input  wire               s10_fault_port_i,
  input  wire               s10_fault_group_i,
  // S13: the values before this slot
  output wire [39:0]        s13_packets_o,
  output wire [39:0]        s13_bytes_o,
  output wire [31:0]        s13_group_o,
  // S13: a packet ticks a counter whose parity was bad {group, port}
  output wire [1:0]         s13_bad_o
);

  wire        s13_sent, s13_tick, s13_fault_port, s13_fault_group, s13_port_bad, s13_group_bad;
  wire [15:0] s13_length;

  egret_delay #(.WIDTH(2), .CYCLES(3), .RESET(1)) u_flags (
    .clk_i (clk_i),
    .rst_i (rst_i),
    .data_i({s10_sent_i, s10_tick_i}),
    .data_o({s13_sent, s13_tick})
  );

  generate
    if (PARITY != 0) begin : gen_faults
      egret_delay #(.WIDTH(2), .CYCLES(3), .RESET(1)) u_faults (
        .clk_i(clk_i), .rst_i(rst_i), .data_i({s10_fault_port_i, s10_fault_group_i}),
        .data_o({s13_fault_port, s13_fault_group}));
    end else begin : gen_no_faults
      wire unused_fault = &{1'b0, s10_fault_port_i, s10_fault_group_i};
      assign {s13_fault_port, s13_fault_group} = 2'd0;
    end
  endgenerate
  assign s13_bad_o = {s13_group_bad & s13_tick, s13_port_bad & s13_sent};

  egret_delay #(.WIDTH(16), .CYCLES(3)) u_length (
    .clk_i (clk_i),
    .rst_i (rst_i),
    .data_i(s10_length_i),
    .data_o(s13_length)
  );

  wire        port_forward, group_forward;
  wire [79:0] port_last, port_merged;
  wire [31:0] group_last, group_merged;
  assign {s13_packets_o, s13_bytes_o} = port_forward ? port_last : port_merged;
  assign s13_group_o = group_forward ? group_last : group_merged;

  // A fault write leaves the value; a packet counts from 0 if the parity was bad.
  wire [39:0] packets = s13_packets_o & {40{~s13_bad_o[0]}};
  wire [39:0] bytes   = s13_bytes_o & {40{~s13_bad_o[0]}};
  wire [31:0] count   = s13_group_o & {32{~s13_bad_o[1]}};
  wire [15:0] length  = s13_length & {16{~s13_fault_port}};

  egret_rmw #(.WIDTH(80), .DEPTH(1 << PORT_W), .ADDR_W(PORT_W), .PARITY(PARITY)) u_ports (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .clr_i       (clr_i),
    .clr_addr_i  (clr_port_i),
    .t1_addr_i   (s10_port_i),
    .t4_forward_o(port_forward),
    .t4_last_o   (port_last),
    .t4_merged_o (port_merged),
    .t4_write_i  (s13_sent | s13_fault_port),
    .t4_flip_i   (s13_fault_port & ~s13_port_bad),
    .t4_bad_o    (s13_port_bad),
    .t4_new_i    ({packets + {39'd0, ~s13_fault_port}, bytes + {24'd0, length}})
  );

  egret_rmw #(.WIDTH(32), .DEPTH(2 << GROUP_W), .ADDR_W(GROUP_W + 1), .PARITY(PARITY)) u_groups (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .clr_i       (clr_i),
    .clr_addr_i  (clr_group_i),
    .t1_addr_i   (s10_index_i),
    .t4_forward_o(group_forward),
    .t4_last_o   (group_last),
    .t4_merged_o (group_merged),
    .t4_write_i  (s13_tick | s13_fault_group),
    .t4_flip_i   (s13_fault_group & ~s13_group_bad),
    .t4_bad_o    (s13_group_bad),
    .t4_new_i    (count + {31'd0, ~s13_fault_group})
  );

`ifdef FORMAL // properties
  (* hierconn *) wire [5:0] \u_flags.gen_line.line_q ; // {sent, tick} at S13, S12, S11
`ifdef PROVE_egret_counters
  // Two counters, any: the one that each egret_rmw follows. A packet adds one and its length.
  (* hierconn *) wire \u_ports.f_t1_valid ;
  (* hierconn *) wire \u_ports.f_t2_q ;
  (* hierconn *) wire \u_ports.f_t3_q ;
  (* hierconn *) wire \u_ports.f_t4_q ;
  (* hierconn *) wire \u_ports.f_t5_q ;
  (* hierconn *) wire \u_ports.f_t4 ;
  (* hierconn *) wire \u_ports.f_sweep_q ;
  (* hierconn *) wire [79:0] \u_ports.f_value_q ;
  (* hierconn *) wire \u_groups.f_t1_valid ;
  (* hierconn *) wire \u_groups.f_t2_q ;
  (* hierconn *) wire \u_groups.f_t3_q ;
  (* hierconn *) wire \u_groups.f_t4_q ;
  (* hierconn *) wire \u_groups.f_t5_q ;
  (* hierconn *) wire \u_groups.f_t4 ;
  (* hierconn *) wire [31:0] \u_groups.f_value_q ;
  (* hierconn *) wire \u_ports.f_bad_q ;
  (* hierconn *) wire \u_groups.f_bad_q ;
  reg         f_sent_q, f_tick_q, f_ruined_q;
  reg  [79:0] f_port_q, f_kept_q;
  reg  [31:0] f_group_q;
  wire        f_bad_port  = PARITY != 0 && \u_ports.f_bad_q ;
  wire        f_bad_group = PARITY != 0 && \u_groups.f_bad_q ;
  wire [79:0] f_port  = f_bad_port ? 80'd0 : \u_ports.f_value_q ;
  wire [31:0] f_group = f_bad_group ? 32'd0 : \u_groups.f_value_q ;
  always @(posedge clk_i) begin
    f_sent_q  <= !rst_i && s13_sent && \u_ports.f_t4 ;
    f_tick_q  <= !rst_i && s13_tick && \u_groups.f_t4 ;
    f_port_q  <= {f_port[79:40] + 40'd1, f_port[39:0] + s13_length};
    f_group_q <= f_group + 32'd1;
    f_ruined_q <= !rst_i && s13_fault_port && !f_bad_port && \u_ports.f_t4 ;
    f_kept_q   <= \u_ports.f_value_q ;
  end
  (* hierconn *) wire [5:0] \gen_faults.u_faults.gen_line.line_q ;
  // A fault write is no packet.
  `EGRET_ASSUME(!((s10_fault_port_i || s10_fault_group_i) &&
                  (s10_sent_i || s10_tick_i || !\u_ports.f_t1_valid )))
  generate
    if (PARITY != 0) begin : gen_f_faults
      wire [5:0] f_faults = \gen_faults.u_faults.gen_line.line_q ;
      `EGRET_ASSERT((\u_ports.f_t2_q || f_faults[1:0] == 2'd0) &&
                    (\u_ports.f_t3_q || f_faults[3:2] == 2'd0) &&
                    (\u_ports.f_t4_q || f_faults[5:4] == 2'd0), "fault writes of slots")
      `EGRET_ASSERT((f_faults[1:0] == 2'd0 || \u_flags.gen_line.line_q [1:0] == 2'd0) &&
                    (f_faults[3:2] == 2'd0 || \u_flags.gen_line.line_q [3:2] == 2'd0) &&
                    (f_faults[5:4] == 2'd0 || \u_flags.gen_line.line_q [5:4] == 2'd0),
                    "a fault write is no packet")
      `EGRET_COVER(f_sent_q && f_port_q[79:40] == 40'd1 && f_kept_q[79:40] == 40'd2)
    end
  endgenerate
  always @* assume (\u_ports.f_t1_valid == \u_groups.f_t1_valid );
  `EGRET_ASSUME(!((s10_sent_i || s10_tick_i) && !\u_ports.f_t1_valid ))
  `EGRET_ASSUME(!(clr_i && !\u_ports.f_sweep_q ))
  `EGRET_ASSUME(!(clr_i && (\u_ports.f_t1_valid || \u_ports.f_t2_q || \u_ports.f_t3_q ||
                            \u_ports.f_t4_q || \u_ports.f_t5_q )))
  `EGRET_ASSERT({\u_ports.f_t2_q , \u_ports.f_t3_q , \u_ports.f_t4_q , \u_ports.f_t5_q } ==
                {\u_groups.f_t2_q , \u_groups.f_t3_q , \u_groups.f_t4_q , \u_groups.f_t5_q },
                "the tables move together")
  `EGRET_ASSERT((\u_ports.f_t2_q || \u_flags.gen_line.line_q [1:0] == 2'd0) &&
                (\u_ports.f_t3_q || \u_flags.gen_line.line_q [3:2] == 2'd0) &&
                (\u_ports.f_t4_q || \u_flags.gen_line.line_q [5:4] == 2'd0), "flags of slots")
  `EGRET_ASSERT(!f_sent_q || \u_ports.f_value_q == f_port_q, "packets + 1, bytes + length")
  `EGRET_ASSERT(!f_tick_q || \u_groups.f_value_q == f_group_q, "group counter + 1")
  `EGRET_ASSERT(!(f_sent_q && f_bad_port) && !(f_tick_q && f_bad_group), "it is good again")
  `EGRET_ASSERT(!f_ruined_q || (f_bad_port && \u_ports.f_value_q == f_kept_q),
                "a fault write keeps the value")
  `EGRET_ASSERT(!\u_ports.f_t4 || {s13_packets_o, s13_bytes_o} == \u_ports.f_value_q , "read, port")
  `EGRET_ASSERT(!\u_groups.f_t4 || s13_group_o == \u_groups.f_value_q , "read, group")
  `EGRET_COVER(f_sent_q && f_tick_q && \u_ports.f_value_q [79:40] == 40'd3)
`else
  (* hierconn *) wire [5:0] \gen_faults.u_faults.gen_line.line_q ;
  `EGRET_ASSERT(!clr_i || \u_flags.gen_line.line_q == 6'd0, "slot during the sweep")
  generate
    if (PARITY != 0) begin : gen_f_faults
      `EGRET_ASSERT(!clr_i || \gen_faults.u_faults.gen_line.line_q == 6'd0, "fault in the sweep")
    end
  endgenerate
`endif
`endif

endmodule
`default_nettype wire
