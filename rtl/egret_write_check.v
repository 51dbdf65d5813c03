// SPDX-License-Identifier: Apache-2.0
// Whether a configuration write is legal (docs/spec/events.md): from what its address names
// (egret_decode) and its data. An illegal write is ignored and counted. Combinational at S1.
//   globals: only the writable words of this HASH_KIND, and a hash algorithm that it has
//   groups: word 0 only;  buckets and schedules: a port below NUM_PORTS
//   load scales: words 0 and 1;  DRILL memory, flowlet entries (word 0): low byte a port
//   pointers, matrix, front end: any value;  queues and counters: never
// C twin: egret_regs_write() in cmodel/select/regs.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_regs.vh"

module egret_write_check #(
  // Switch ports, 1..64.
  parameter NUM_PORTS = 16,
  // 0 fixed, 1 matrix, 2 lookup3.
  parameter HASH_KIND = 1,
  // Bit c: the configuration has scheme c.
  parameter SCHEMES = 126
) (
  // What the address names.
  input  wire        global_hit_i,
  input  wire        group_hit_i,
  input  wire        port_table_hit_i, // bucket or schedule
  input  wire        any_hit_i,        // pointer, matrix or front end
  input  wire        load_hit_i,
  input  wire        drill_hit_i,
  input  wire        flowlet_hit_i,
  input  wire [5:0]  addr_i,
  input  wire [31:0] data_i,
  output wire        ok_o
);

  localparam [31:0] PORTS = NUM_PORTS;
  localparam [15:0] HAVE = SCHEMES[15:0];

  // data < NUM_PORTS, the low seven bits as a boolean function.
  reg     less;
  integer i;
  always @* begin
    less = 1'b0;
    for (i = 0; i < 7; i = i + 1) less = (~data_i[i] & PORTS[i]) | (~(data_i[i] ^ PORTS[i]) & less);
  end
  wire low_ok  = less & ~data_i[7];
  wire port_ok = low_ok & ~(|data_i[31:8]);

  reg algorithm_ok, global_ok;
  always @* begin
    if (HASH_KIND == 0)
      algorithm_ok = data_i == `EGRET_HASH_CRC16 || data_i == `EGRET_HASH_CRC32C;
    else if (HASH_KIND == 1) algorithm_ok = data_i == `EGRET_HASH_MATRIX;
    else algorithm_ok = data_i == `EGRET_HASH_LOOKUP3;
    case (addr_i)
      `EGRET_G_HASH_ALGORITHM: global_ok = algorithm_ok;
      `EGRET_G_HASH_FIELDS, `EGRET_G_HASH_ROTATION: global_ok = HASH_KIND != 1;
      `EGRET_G_RANDOM: global_ok = |HAVE[8:6];
      `EGRET_G_FLOWLET_LAST: global_ok = HAVE[`EGRET_SCHEME_FLOWLET];
      `EGRET_G_LOAD_EXPONENT, `EGRET_G_LOAD_WEIGHTS, `EGRET_G_QUALITY_SMALL:
        global_ok = HAVE[`EGRET_SCHEME_SPRAY_QUALITY];
      6'h31, 6'h32, 6'h33, 6'h34, 6'h35, 6'h36, 6'h37: // LOAD_THRESHOLD1..7
        global_ok = HAVE[`EGRET_SCHEME_SPRAY_QUALITY];
      `EGRET_G_HASH_SEED, `EGRET_G_DRAW_SEED, `EGRET_G_CLASS_ORDERED, `EGRET_G_GROUP_STAGE1,
      `EGRET_G_GROUP_STAGE2, `EGRET_G_GROUP_STAGE3, `EGRET_G_GROUP_STAGE4: global_ok = 1'b1;
      `EGRET_G_GROUP_STAGE5, `EGRET_G_GROUP_STAGE6: global_ok = |HAVE[8:7];
      default: global_ok = 1'b0;
    endcase
  end

  assign ok_o = (global_hit_i & global_ok) | (group_hit_i & addr_i[2:0] == 3'd0) |
                (port_table_hit_i & port_ok) | (load_hit_i & ~addr_i[1]) |
                (drill_hit_i & low_ok) | (flowlet_hit_i & low_ok & ~addr_i[0]) | any_hit_i;

`ifdef FORMAL // properties
  // No port number beyond the ports enters a table.
  always @* begin
    assert (port_ok == (data_i < NUM_PORTS));
    assert (low_ok == (data_i[7:0] < NUM_PORTS));
    assert (!(port_table_hit_i && !global_hit_i && !group_hit_i && !any_hit_i &&
              !load_hit_i && !drill_hit_i && !flowlet_hit_i && ok_o) ||
            data_i < NUM_PORTS);
    cover (port_table_hit_i && ok_o && data_i == NUM_PORTS - 1);
    cover (port_table_hit_i && !ok_o);
  end
`endif

endmodule
`default_nettype wire
