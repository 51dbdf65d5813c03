// SPDX-License-Identifier: Apache-2.0
// Which table a configuration address names, and whether the access is legal (docs/spec/events.md,
// cmodel/include/egret/regs.h). Combinational, before the first register. An illegal write is ignored and counted, an
// illegal read returns 0. C twin: egret_regs_* in cmodel/select/regs.c.
//   *_hit_o  the address exists in that region of this configuration
//   write_ok_o  a write of data_i there is legal; the front-end region takes any
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
  parameter HASH_KIND = 1
) (
  input  wire [23:0] addr_i,
  input  wire [31:0] data_i,
  output wire        global_hit_o,
  output wire        group_hit_o,
  output wire        bucket_hit_o,
  output wire        schedule_hit_o,
  output wire        pointer_hit_o,
  output wire        queue_hit_o,
  output wire        portcnt_hit_o,
  output wire        groupcnt_hit_o,
  output wire        matrix_hit_o,
  output reg         write_ok_o
);

  wire [3:0]  region = addr_i[23:20];
  wire [31:0] index  = {12'd0, addr_i[19:0]};
  // Ranges are powers of two but for NUM_PORTS: in range means no bit above.
  wire port_in_range = data_i < NUM_PORTS;
  wire hash_regs = HASH_KIND != 1;

  // 82 nibbles: 0..81 = 7'b1010001, as a boolean function.
  wire nibble_ok = ~addr_i[10] | (~addr_i[9] & (~addr_i[8] | ~(|addr_i[7:5])));

  reg global_rw;
  always @* begin
    global_rw = 1'b0;
    case (addr_i[5:0])
      `EGRET_G_HASH_ALGORITHM:
        if (HASH_KIND == 0) global_rw = data_i == `EGRET_HASH_CRC16 || data_i == `EGRET_HASH_CRC32C;
        else if (HASH_KIND == 1) global_rw = data_i == `EGRET_HASH_MATRIX;
        else global_rw = data_i == `EGRET_HASH_LOOKUP3;
      `EGRET_G_HASH_FIELDS, `EGRET_G_HASH_ROTATION: global_rw = hash_regs;
      `EGRET_G_HASH_SEED, `EGRET_G_DRAW_SEED, `EGRET_G_GROUP_STAGE1, `EGRET_G_GROUP_STAGE2,
      `EGRET_G_GROUP_STAGE3, `EGRET_G_GROUP_STAGE4: global_rw = 1'b1;
      default: global_rw = 1'b0;
    endcase
  end

  assign global_hit_o   = region == `EGRET_REGION_GLOBAL && addr_i[19:6] == 14'd0;
  assign group_hit_o    = region == `EGRET_REGION_GROUP && (index >> 3) < NUM_GROUPS &&
                          addr_i[2:0] <= 3'd4;
  assign bucket_hit_o   = region == `EGRET_REGION_BUCKET && index < NUM_BUCKETS;
  assign schedule_hit_o = region == `EGRET_REGION_SCHEDULE && addr_i[19:17] == 3'd0 &&
                          {24'd0, addr_i[15:8]} < NUM_ROWS && {24'd0, addr_i[7:0]} < ROW_LEN;
  assign pointer_hit_o  = region == `EGRET_REGION_POINTER &&
                          (addr_i[19] ? {13'd0, addr_i[18:0]} < NUM_GROUPS
                                      : ({17'd0, addr_i[18:4]} < NUM_KEYS &&
                                         {28'd0, addr_i[3:0]} < NUM_BINS));
  assign queue_hit_o    = region == `EGRET_REGION_QUEUE && index < NUM_PORTS;
  assign portcnt_hit_o  = region == `EGRET_REGION_PORTCNT && (index >> 2) < NUM_PORTS;
  assign groupcnt_hit_o = region == `EGRET_REGION_GROUPCNT && (index >> 1) < NUM_GROUPS;
  assign matrix_hit_o   = region == `EGRET_REGION_MATRIX && HASH_KIND == 1 && addr_i[19:11] == 9'd0 && nibble_ok;

  always @* begin
    case (region)
      `EGRET_REGION_GLOBAL:   write_ok_o = global_hit_o && global_rw;
      `EGRET_REGION_GROUP:    write_ok_o = group_hit_o && addr_i[2:0] == 3'd0;
      `EGRET_REGION_BUCKET:   write_ok_o = bucket_hit_o && port_in_range;
      `EGRET_REGION_SCHEDULE: write_ok_o = schedule_hit_o && port_in_range;
      `EGRET_REGION_POINTER:  write_ok_o = pointer_hit_o;
      `EGRET_REGION_MATRIX:   write_ok_o = matrix_hit_o;
      `EGRET_REGION_FRONT:    write_ok_o = 1'b1;
      default:                write_ok_o = 1'b0;
    endcase
  end

endmodule
`default_nettype wire
