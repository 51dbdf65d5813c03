// SPDX-License-Identifier: Apache-2.0
// Which table a configuration address names (docs/spec/events.md, cmodel/include/egret/regs.h).
// Combinational, before the first register. An illegal write is ignored and counted, an illegal
// read returns 0. C twin: egret_regs_* in cmodel/select/regs.c.
//   *_hit_o  the address exists in that region of this configuration
//   front_hit_o  the address belongs to the frame front end
// egret_write_check says whether a write there is legal.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_regs.vh"

module egret_decode #(
  // As in egret_core.
  parameter NUM_PORTS = 16,
  parameter NUM_GROUPS = 32,
  parameter NUM_KEYS = 64,
  parameter NUM_BINS = 2,
  parameter NUM_ROWS = 32,
  parameter ROW_LEN = 32,
  parameter NUM_BUCKETS = 1024,
  parameter HASH_KIND = 1,
  parameter NUM_FLOWLETS = 0,
  parameter SCHEMES = 126
) (
  input  wire [23:0] addr_i,
  output wire        global_hit_o,
  output wire        group_hit_o,
  output wire        bucket_hit_o,
  output wire        schedule_hit_o,
  output wire        pointer_hit_o,
  output wire        queue_hit_o,
  output wire        portcnt_hit_o,
  output wire        groupcnt_hit_o,
  output wire        matrix_hit_o,
  output wire        load_hit_o,
  output wire        drill_hit_o,
  output wire        flowcnt_hit_o,
  output wire        flowlet_hit_o,
  output wire        front_hit_o,
  // a write there is legal: with any data; if the data, or its low byte, is a port; if it names a
  // hash algorithm that is there
  output wire        write_any_o,
  output wire        write_port_o,
  output wire        write_low_o,
  output wire        write_algorithm_o
);

  wire [3:0]  region = addr_i[23:20];
  wire [31:0] index  = {12'd0, addr_i[19:0]};
  // Ranges are powers of two but for NUM_PORTS: in range means no bit above.
  localparam [31:0] GROUPS_LESS1 = NUM_GROUPS - 1, BUCKETS_LESS1 = NUM_BUCKETS - 1;
  localparam [31:0] ROWS_LESS1 = NUM_ROWS - 1, LEN_LESS1 = ROW_LEN - 1;
  localparam [31:0] KEYS_LESS1 = NUM_KEYS - 1, BINS_LESS1 = NUM_BINS - 1;
  localparam [31:0] ENTRIES_LESS1 = NUM_FLOWLETS - 1;
  localparam [15:0] HAVE = SCHEMES[15:0];
  // 82 nibbles: 0..81 = 7'b1010001, as a boolean function.
  wire nibble_ok = ~addr_i[10] | (~addr_i[9] & (~addr_i[8] | ~(|addr_i[7:5])));

  assign global_hit_o   = region == `EGRET_REGION_GLOBAL && addr_i[19:6] == 14'd0;
  assign group_hit_o    = region == `EGRET_REGION_GROUP &&
                          ((index >> 3) & ~GROUPS_LESS1) == 32'd0 &&
                          addr_i[2:0] != 3'd7;
  assign bucket_hit_o   = region == `EGRET_REGION_BUCKET && (index & ~BUCKETS_LESS1) == 32'd0;
  assign schedule_hit_o = region == `EGRET_REGION_SCHEDULE && addr_i[19:17] == 3'd0 &&
                          (addr_i[15:8] & ~ROWS_LESS1[7:0]) == 8'd0 &&
                          (addr_i[7:0] & ~LEN_LESS1[7:0]) == 8'd0;
  assign pointer_hit_o  = region == `EGRET_REGION_POINTER &&
                          (addr_i[19] ? (addr_i[18:0] & ~GROUPS_LESS1[18:0]) == 19'd0
                                      : ((addr_i[18:4] & ~KEYS_LESS1[14:0]) == 15'd0 &&
                                         (addr_i[3:0] & ~BINS_LESS1[3:0]) == 4'd0));
  assign queue_hit_o    = region == `EGRET_REGION_QUEUE && index < NUM_PORTS;
  assign portcnt_hit_o  = region == `EGRET_REGION_PORTCNT && (index >> 2) < NUM_PORTS;
  assign groupcnt_hit_o = region == `EGRET_REGION_GROUPCNT &&
                          ((index >> 1) & ~GROUPS_LESS1) == 32'd0;
  assign matrix_hit_o   = region == `EGRET_REGION_MATRIX && HASH_KIND == 1 &&
                          addr_i[19:11] == 9'd0 && nibble_ok;

  assign load_hit_o     = HAVE[`EGRET_SCHEME_SPRAY_QUALITY] && region == `EGRET_REGION_LOAD &&
                          (index >> 2) < NUM_PORTS && addr_i[1:0] != 2'd3;
  assign drill_hit_o    = HAVE[`EGRET_SCHEME_SPRAY_QUALITY] && region == `EGRET_REGION_DRILL &&
                          (index & ~GROUPS_LESS1) == 32'd0;
  assign flowcnt_hit_o  = HAVE[`EGRET_SCHEME_FLOWLET] && region == `EGRET_REGION_FLOWCNT &&
                          ((index >> 3) & ~GROUPS_LESS1) == 32'd0 &&
                          (~addr_i[2] | addr_i[1:0] == 2'd0);
  assign flowlet_hit_o  = HAVE[`EGRET_SCHEME_FLOWLET] && region == `EGRET_REGION_FLOWLET &&
                          ((index >> 1) & ~ENTRIES_LESS1) == 32'd0;

  reg global_ok;
  always @*
    case (addr_i[5:0])
      `EGRET_G_HASH_FIELDS, `EGRET_G_HASH_ROTATION: global_ok = HASH_KIND != 1;
      `EGRET_G_HASH_SEED, `EGRET_G_DRAW_SEED, `EGRET_G_CLASS_ORDERED, `EGRET_G_GROUP_STAGE1,
      `EGRET_G_GROUP_STAGE2, `EGRET_G_GROUP_STAGE3, `EGRET_G_GROUP_STAGE4: global_ok = 1'b1;
      `EGRET_G_RANDOM: global_ok = |HAVE[8:6];
      `EGRET_G_GROUP_STAGE5, `EGRET_G_GROUP_STAGE6: global_ok = |HAVE[8:7];
      `EGRET_G_FLOWLET_LAST: global_ok = HAVE[`EGRET_SCHEME_FLOWLET];
      `EGRET_G_LOAD_EXPONENT, `EGRET_G_LOAD_WEIGHTS, `EGRET_G_QUALITY_SMALL,
      6'h31, 6'h32, 6'h33, 6'h34, 6'h35, 6'h36, 6'h37: // LOAD_THRESHOLD1..7
        global_ok = HAVE[`EGRET_SCHEME_SPRAY_QUALITY];
      default: global_ok = 1'b0;
    endcase
  assign write_any_o       = (global_hit_o & global_ok) | (group_hit_o & addr_i[2:0] == 3'd0) |
                             (load_hit_o & ~addr_i[1]) | pointer_hit_o | matrix_hit_o | front_hit_o;
  assign write_port_o      = bucket_hit_o | schedule_hit_o;
  assign write_low_o       = drill_hit_o | (flowlet_hit_o & ~addr_i[0]);
  assign write_algorithm_o = global_hit_o && addr_i[5:0] == `EGRET_G_HASH_ALGORITHM;
  wire unused_have = &{1'b0, HAVE};
  assign front_hit_o    = region == `EGRET_REGION_FRONT;

`ifdef FORMAL // properties
  // What is hit exists: the index that the tables take from the address is in range.
  wire [13:0] f_hits = {front_hit_o, flowlet_hit_o, flowcnt_hit_o, drill_hit_o, load_hit_o,
                       matrix_hit_o, groupcnt_hit_o, portcnt_hit_o, queue_hit_o, pointer_hit_o,
                       schedule_hit_o, bucket_hit_o, group_hit_o, global_hit_o};
  always @* begin
    assert ((f_hits & (f_hits - 14'd1)) == 14'd0);
    assert (group_hit_o == (region == 4'h1 && addr_i[19:3] < NUM_GROUPS && addr_i[2:0] <= 3'd6));
    assert (bucket_hit_o == (region == 4'h2 && addr_i[19:0] < NUM_BUCKETS));
    assert (schedule_hit_o == (region == 4'h3 && addr_i[19:17] == 3'd0 &&
                               addr_i[15:8] < NUM_ROWS && addr_i[7:0] < ROW_LEN));
    assert (pointer_hit_o == (region == 4'h4 && (addr_i[19] ? addr_i[18:0] < NUM_GROUPS :
                              addr_i[18:4] < NUM_KEYS && addr_i[3:0] < NUM_BINS)));
    assert (queue_hit_o == (region == 4'h5 && addr_i[19:0] < NUM_PORTS));
    assert (portcnt_hit_o == (region == 4'h6 && addr_i[19:2] < NUM_PORTS));
    assert (groupcnt_hit_o == (region == 4'h7 && addr_i[19:1] < NUM_GROUPS));
    assert (matrix_hit_o == (HASH_KIND == 1 && region == 4'h8 && addr_i[19:4] < 82));
    assert (load_hit_o == (HAVE[7] && region == 4'h9 && addr_i[19:2] < NUM_PORTS &&
                           addr_i[1:0] <= 2'd2));
    assert (drill_hit_o == (HAVE[7] && region == 4'ha && addr_i[19:0] < NUM_GROUPS));
    assert (flowcnt_hit_o == (HAVE[8] && region == 4'hb && addr_i[19:3] < NUM_GROUPS &&
                              addr_i[2:0] <= 3'd4));
    assert (flowlet_hit_o == (HAVE[8] && region == 4'hc && addr_i[19:1] < NUM_FLOWLETS));
    cover (schedule_hit_o && addr_i[15:8] == NUM_ROWS - 1 && addr_i[7:0] == ROW_LEN - 1);
    cover (queue_hit_o && addr_i[19:0] == NUM_PORTS - 1);
    cover (pointer_hit_o && addr_i[18:4] == NUM_KEYS - 1 && !addr_i[19]);
    cover (f_hits == 14'd0 && region < 4'h8);
  end
`endif

endmodule
`default_nettype wire
