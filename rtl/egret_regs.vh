// SPDX-License-Identifier: Apache-2.0
// The address map of configuration writes and reads; the same map as
// cmodel/include/egret/regs.h, where each word is described. Regions are addr[23:20].
`ifndef EGRET_REGS_VH
`define EGRET_REGS_VH
`define EGRET_REGION_GLOBAL   4'h0
`define EGRET_REGION_GROUP    4'h1
`define EGRET_REGION_BUCKET   4'h2
`define EGRET_REGION_SCHEDULE 4'h3
`define EGRET_REGION_POINTER  4'h4
`define EGRET_REGION_QUEUE    4'h5
`define EGRET_REGION_PORTCNT  4'h6
`define EGRET_REGION_GROUPCNT 4'h7
`define EGRET_REGION_MATRIX   4'h8
`define EGRET_REGION_LOAD     4'h9
`define EGRET_REGION_DRILL    4'ha
`define EGRET_REGION_FLOWCNT  4'hb
`define EGRET_REGION_FLOWLET  4'hc
`define EGRET_REGION_FRONT    4'hf

// Bits of the legal accesses of a configuration slot, by region (egret_decode).
`define EGRET_HIT_GLOBAL   0
`define EGRET_HIT_GROUP    1
`define EGRET_HIT_BUCKET   2
`define EGRET_HIT_SCHEDULE 3
`define EGRET_HIT_POINTER  4
`define EGRET_HIT_QUEUE    5
`define EGRET_HIT_PORTCNT  6
`define EGRET_HIT_GROUPCNT 7
`define EGRET_HIT_MATRIX   8
`define EGRET_HIT_LOAD     9
`define EGRET_HIT_DRILL    10
`define EGRET_HIT_FLOWCNT  11
`define EGRET_HIT_FLOWLET  12
`define EGRET_HIT_FRONT    13

`define EGRET_G_TYPE           6'h00
`define EGRET_G_VERSION        6'h01
`define EGRET_G_PARAM0         6'h02
`define EGRET_G_PARAM1         6'h03
`define EGRET_G_PARAM2         6'h04
`define EGRET_G_PARAM3         6'h05
`define EGRET_G_HASH_ALGORITHM 6'h08
`define EGRET_G_HASH_FIELDS    6'h09
`define EGRET_G_HASH_SEED      6'h0a
`define EGRET_G_HASH_ROTATION  6'h0b
`define EGRET_G_DRAW_SEED      6'h0c
`define EGRET_G_CLASS_ORDERED  6'h0d
`define EGRET_G_RANDOM         6'h0e
`define EGRET_G_LIVE0          6'h10
`define EGRET_G_LIVE1          6'h11
`define EGRET_G_TICK_COUNT     6'h12
`define EGRET_G_TICK_NOW0      6'h13
`define EGRET_G_TICK_NOW1      6'h14
`define EGRET_G_WRITES_IGNORED 6'h18
`define EGRET_G_EVENTS_IGNORED 6'h19
`define EGRET_G_DROPS_SCHEME   6'h1a
`define EGRET_G_DROPS_INDEX    6'h1b
`define EGRET_G_GROUP_STAGE1   6'h21
`define EGRET_G_GROUP_STAGE2   6'h22
`define EGRET_G_GROUP_STAGE3   6'h23
`define EGRET_G_GROUP_STAGE4   6'h24
`define EGRET_G_GROUP_STAGE5   6'h25
`define EGRET_G_GROUP_STAGE6   6'h26
`define EGRET_G_FLOWLET_LAST   6'h27
`define EGRET_G_LOAD_EXPONENT  6'h28
`define EGRET_G_LOAD_WEIGHTS   6'h29
`define EGRET_G_QUALITY_SMALL  6'h2a
`define EGRET_G_FAULTS         6'h2b
`define EGRET_G_FAULT_TABLES   6'h2c
`define EGRET_G_THRESHOLD1     6'h31
`define EGRET_G_THRESHOLD7     6'h37

`define EGRET_TYPE_WORD    32'h45475254
`define EGRET_VERSION_WORD 32'h00010000

`define EGRET_KIND_PACKET 2'd0
`define EGRET_KIND_WRITE  2'd1
`define EGRET_KIND_READ   2'd2
`define EGRET_KIND_FAULT  2'd3

`define EGRET_SCHEME_ECMP          4'd1
`define EGRET_SCHEME_SPRAY_RR      4'd2
`define EGRET_SCHEME_DR            4'd3
`define EGRET_SCHEME_FIXED         4'd4
`define EGRET_SCHEME_ENTROPY       4'd5
`define EGRET_SCHEME_SPRAY_RANDOM  4'd6
`define EGRET_SCHEME_SPRAY_QUALITY 4'd7
`define EGRET_SCHEME_FLOWLET       4'd8

`define EGRET_REASON_CHOSEN      3'd0
`define EGRET_REASON_REPAIRED    3'd1
`define EGRET_REASON_DROP_EMPTY  3'd2
`define EGRET_REASON_DROP_DOWN   3'd3
`define EGRET_REASON_DROP_SCHEME 3'd4
`define EGRET_REASON_DROP_INDEX  3'd5
`define EGRET_REASON_DROP_FAULT  3'd6

`define EGRET_HASH_CRC16   32'd0
`define EGRET_HASH_CRC32C  32'd3
`define EGRET_HASH_LOOKUP3 32'd5
`define EGRET_HASH_MATRIX  32'd15
`endif
