// SPDX-License-Identifier: Apache-2.0
// The choice of the schemes that need neither time nor load, at S9, and whether it is
// live and from an entry with good parity:
//   the k-th live member itself (spray-random), else the bucket table (ecmp, fixed, entropy), else
//   the schedule (spray-rr, dr)
// Combinational. Ports: 0..NUM_PORTS-1; mask is members and live.
// C twin: choose() in cmodel/select/apply.c, decide() in decide.c. Does not: say what
// happens to a choice that is down (egret_result).
`timescale 1ns / 1ps
`default_nettype none

module egret_choice #(
  // Switch ports, 1..64, and bits of a port number.
  parameter NUM_PORTS = 16,
  parameter PORT_W = 4,
  // 1: entries have parity; a choice out of a bad entry is not live.
  parameter PARITY = 0
) (
  input  wire                 bucket_i, // of the bucket table, else the schedule
  input  wire                 random_i, // the k-th live member itself
  // parity of bucket, schedule, pointer is bad: the choice is not live
  input  wire                 bucket_bad_i,
  input  wire                 schedule_bad_i,
  input  wire                 pointer_bad_i,
  input  wire [PORT_W-1:0]    bucket_port_i,
  input  wire [PORT_W-1:0]    schedule_port_i,
  input  wire [PORT_W-1:0]    repair_port_i,
  input  wire [NUM_PORTS-1:0] mask_i,
  output wire [PORT_W-1:0]    port_o,
  output wire                 bad_o, // a choice of a table, out of a bad entry
  output wire                 live_o
);

  wire [PORT_W-1:0] table_port = bucket_i ? bucket_port_i : schedule_port_i;
  reg  [(1<<PORT_W)-1:0] mask;
  always @* begin
    mask = {(1 << PORT_W){1'b0}};
    mask[NUM_PORTS-1:0] = mask_i;
  end

  assign port_o = random_i ? repair_port_i : table_port;
  wire   bad    = PARITY != 0 && (bucket_i ? bucket_bad_i : schedule_bad_i | pointer_bad_i);
  wire   unused_bad = &{1'b0, bucket_bad_i, schedule_bad_i, pointer_bad_i};
  assign bad_o  = bad & ~random_i;
  assign live_o = random_i | (mask[table_port] & ~bad);

endmodule
`default_nettype wire
