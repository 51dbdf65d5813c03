// SPDX-License-Identifier: Apache-2.0
// egret_lockstep: egret/lockstep.h in SystemVerilog. The functions are there in simulators with
// DPI; in Icarus the system functions of lockstep_vpi.c take their place.
package egret_lockstep;
  // An event: the columns of egret model --vectors (docs/trace.md), all in one vector.
  typedef struct packed {
    logic [3:0]   kind; // 0 packet, 1 write, 2 read, 3 port, 4 queue, 5 tick, 6 fault
    logic [3:0]   cls;
    logic [7:0]   size_bin;
    logic [31:0]  a; // group; address; port
    logic [31:0]  b; // key; data; port state; queue depth
    logic [127:0] src; // IPv4: the upper 32 bits
    logic [127:0] dst;
    logic [7:0]   proto;
    logic [15:0]  sport;
    logic [15:0]  dport;
    logic [23:0]  qp;
    logic [7:0]   opcode;
    logic [31:0]  entropy;
    logic [15:0]  length;
    logic [47:0]  now;
    logic [7:0]   port; // what the model decides
    logic [31:0]  data;
  } egret_vector_t;

`ifndef __ICARUS__
  import "DPI-C" function chandle egret_lockstep_open(input string configuration,
                                                      input string stimulus);
  import "DPI-C" function int egret_lockstep_next(input chandle lockstep,
                                                  output bit [543:0] vector);
  import "DPI-C" function int egret_lockstep_busy(input chandle lockstep);
  import "DPI-C" function int egret_lockstep_port(input chandle lockstep, input int port);
  import "DPI-C" function int egret_lockstep_verdict(input chandle lockstep);
  import "DPI-C" function string egret_lockstep_text(input chandle lockstep);
  import "DPI-C" function void egret_lockstep_close(input chandle lockstep);
`endif
endpackage
