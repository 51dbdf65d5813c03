// SPDX-License-Identifier: Apache-2.0
// Counters of the flowlet scheme (docs/spec/flowlet.md): five a group, 32 bits each, modulo 2^32.
//   address 8 * group + w;  w = 4 (reassignments) if the packet moved, else its outcome:
//   0 hits, 1 new, 2 evictions, 3 conflicts;  w 5..7 stay zero
// Every counter is read, changed and written back with forwarding (egret_rmw), so a packet a clock
// of one group counts right.
// Stages as in egret_core: a packet's outcome or a read's address in at S14, old value out at S17.
// State: the table; the slot of a packet that was sent changes it, a fault write inverts a parity,
// a read does nothing.
// C twin: egret_flowlet_count_of() in cmodel/select/faults.c, fast_flowlet.h.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_flowlet_counters #(
  // Bits of a group number.
  parameter GROUP_W = 5,
  // 1: a counter has parity (egret_rmw); if it is bad it counts from 0.
  parameter PARITY = 0
) (
  input  wire               clk_i,
  input  wire               rst_i,
  // sweep
  input  wire               clr_i,
  input  wire [GROUP_W+2:0] clr_addr_i,
  // S14: a flowlet packet was sent
  input  wire               s14_sent_i,
  input  wire [GROUP_W-1:0] s14_group_i,
  input  wire [1:0]         s14_outcome_i,
  input  wire               s14_moved_i,
  // S14: a read of {group, w}
  input  wire               s14_read_i,
  // S14: a fault write of {group, w}: the parity is inverted
  input  wire               s14_fault_i,
  input  wire [GROUP_W+2:0] s14_addr_i,
  // S17: the value before this slot
  output wire [31:0]        s17_count_o,
  // S17: a packet ticks a counter whose parity was bad
  output wire               s17_bad_o
);

  wire               s17_sent, forward;
  wire [31:0]        newest, merged;
  wire [GROUP_W+2:0] s14_index = (s14_read_i | s14_fault_i) ? s14_addr_i :
                                 {s14_group_i, s14_moved_i, s14_outcome_i & {2{~s14_moved_i}}};

  egret_delay #(.WIDTH(1), .CYCLES(3), .RESET(1)) u_sent (
    .clk_i (clk_i),
    .rst_i (rst_i),
    .data_i(s14_sent_i),
    .data_o(s17_sent)
  );

  wire s17_fault, s17_bad;
  generate
    if (PARITY != 0) begin : gen_faults
      egret_delay #(.WIDTH(1), .CYCLES(3), .RESET(1)) u_faults (
        .clk_i(clk_i), .rst_i(rst_i), .data_i(s14_fault_i), .data_o(s17_fault));
    end else begin : gen_no_faults
      assign s17_fault = 1'b0;
    end
  endgenerate
  assign s17_bad_o = s17_bad & s17_sent;
  wire [31:0] count = s17_count_o & {32{~s17_bad_o}};

  egret_rmw #(.WIDTH(32), .DEPTH(8 << GROUP_W), .ADDR_W(GROUP_W + 3), .PARITY(PARITY)) u_table (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .clr_i       (clr_i),
    .clr_addr_i  (clr_addr_i),
    .t1_addr_i   (s14_index),
    .t4_forward_o(forward),
    .t4_last_o   (newest),
    .t4_merged_o (merged),
    .t4_write_i  (s17_sent | s17_fault),
    .t4_flip_i   (s17_fault & ~s17_bad),
    .t4_bad_o    (s17_bad),
    .t4_new_i    (count + {31'd0, ~s17_fault})
  );

  assign s17_count_o = forward ? newest : merged;

`ifdef FORMAL // properties
  (* hierconn *) wire [2:0] \u_sent.gen_line.line_q ; // sent at S17, S16, S15
`ifdef PROVE_egret_flowlet_counters
  // One counter, any: the one that egret_rmw follows. A sent packet adds one to its own.
  (* hierconn *) wire \u_table.f_t1_valid ;
  (* hierconn *) wire \u_table.f_t2_q ;
  (* hierconn *) wire \u_table.f_t3_q ;
  (* hierconn *) wire \u_table.f_t4_q ;
  (* hierconn *) wire \u_table.f_t5_q ;
  (* hierconn *) wire \u_table.f_t4 ;
  (* hierconn *) wire \u_table.f_sweep_q ;
  (* hierconn *) wire \u_table.f_known_q ;
  (* hierconn *) wire [GROUP_W+2:0] \u_table.f_addr ;
  (* hierconn *) wire [GROUP_W+2:0] \u_table.t2_addr_q ;
  (* hierconn *) wire [GROUP_W+2:0] \u_table.t3_addr_q ;
  (* hierconn *) wire [GROUP_W+2:0] \u_table.t4_addr_q ;
  (* hierconn *) wire [31:0] \u_table.f_value_q ;
  (* hierconn *) wire \u_table.f_bad_q ;
  (* hierconn *) wire [2:0] \gen_faults.u_faults.gen_line.line_q ;
  wire               f_bad = PARITY != 0 && \u_table.f_bad_q ;
  reg                f_step_q, f_ruined_q;
  reg  [31:0]        f_next_q, f_kept_q;
  reg  [GROUP_W+2:0] f15_addr_q, f16_addr_q, f17_addr_q;
  reg  [2:0]         f_clocks_q; // since reset, one-hot tail
  always @(posedge clk_i) begin
    f_clocks_q <= rst_i ? 3'd0 : {f_clocks_q[1:0], 1'b1};
    f_step_q   <= !rst_i && s17_sent && \u_table.f_t4 ;
    f_next_q   <= (f_bad ? 32'd0 : \u_table.f_value_q ) + 32'd1;
    f_ruined_q <= !rst_i && s17_fault && !f_bad && \u_table.f_t4 ;
    f_kept_q   <= \u_table.f_value_q ;
    f15_addr_q <= (s14_read_i || s14_fault_i) ? s14_addr_i :
                  {s14_group_i, s14_moved_i ? 3'd4 : {1'b0, s14_outcome_i}};
    {f17_addr_q, f16_addr_q} <= {f16_addr_q, f15_addr_q};
  end
  `EGRET_ASSUME(!((s14_sent_i || s14_read_i) && !\u_table.f_t1_valid ))
  `EGRET_ASSUME(!(s14_sent_i && s14_read_i))
  `EGRET_ASSUME(!(s14_fault_i && (s14_sent_i || s14_read_i || !\u_table.f_t1_valid )))
  generate
    if (PARITY != 0) begin : gen_f_faults
      wire [2:0] f_faults = \gen_faults.u_faults.gen_line.line_q ;
      `EGRET_ASSERT((\u_table.f_t2_q || !f_faults[0]) && (\u_table.f_t3_q || !f_faults[1]) &&
                    (\u_table.f_t4_q || !f_faults[2]), "fault writes of slots")
      `EGRET_ASSERT((f_faults & \u_sent.gen_line.line_q ) == 3'd0, "a fault write is no packet")
    end
  endgenerate
  `EGRET_ASSERT(!(f_step_q && f_bad), "it is good again")
  `EGRET_ASSERT(!f_ruined_q || (f_bad && \u_table.f_value_q == f_kept_q),
                "a fault write keeps the value")
  `EGRET_ASSUME(!(clr_i && !\u_table.f_sweep_q ))
  `EGRET_ASSUME(!(clr_i && (\u_table.f_t1_valid || \u_table.f_t2_q || \u_table.f_t3_q ||
                            \u_table.f_t4_q || \u_table.f_t5_q )))
  `EGRET_ASSERT((\u_table.f_t2_q || !\u_sent.gen_line.line_q [0]) &&
                (\u_table.f_t3_q || !\u_sent.gen_line.line_q [1]) &&
                (\u_table.f_t4_q || !\u_sent.gen_line.line_q [2]), "flags of slots")
  `EGRET_ASSERT((f_clocks_q & (f_clocks_q + 3'd1)) == 3'd0, "clocks")
  `EGRET_ASSERT(!f_clocks_q[0] || f15_addr_q == \u_table.t2_addr_q , "address, S15")
  `EGRET_ASSERT(!f_clocks_q[1] || f16_addr_q == \u_table.t3_addr_q , "address, S16")
  `EGRET_ASSERT(!f_clocks_q[2] || f17_addr_q == \u_table.t4_addr_q , "address, S17")
  `EGRET_ASSERT(!f_step_q || \u_table.f_value_q == f_next_q, "counter + 1")
  `EGRET_ASSERT(!\u_table.f_t4 || s17_count_o == \u_table.f_value_q , "read")
  `EGRET_COVER(f_step_q && \u_table.f_value_q == 32'd3 && \u_table.f_addr [2:0] == 3'd4)
`else
  (* hierconn *) wire [2:0] \gen_faults.u_faults.gen_line.line_q ;
  `EGRET_ASSERT(!clr_i || \u_sent.gen_line.line_q == 3'd0, "slot during the sweep")
  generate
    if (PARITY != 0) begin : gen_f_faults
      `EGRET_ASSERT(!clr_i || \gen_faults.u_faults.gen_line.line_q == 3'd0, "fault in the sweep")
    end
  endgenerate
`endif
`endif

endmodule
`default_nettype wire
