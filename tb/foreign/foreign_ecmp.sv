// SPDX-License-Identifier: Apache-2.0
// A design that knows nothing of egret, as a user brings one: ECMP by CRC-32C of the IPv4 5-tuple.
// Three clocks from lookup to answer, one lookup a clock. FOREIGN_BUG plants a fault: the mask
// loses its top bit.
module foreign_ecmp (
  input  logic         clk,
  input  logic         rst_n,
  // Tables: sel 0: member[index] = data; sel 1: group[index] = {mask 16, first 16}.
  input  logic         cfg_we,
  input  logic         cfg_sel,
  input  logic [9:0]   cfg_index,
  input  logic [31:0]  cfg_data,
  // Lookup
  input  logic         lookup,
  input  logic [4:0]   lookup_group,
  input  logic [103:0] lookup_tuple, // source, destination, protocol, source port, destination port
  // Answer
  output logic         answer,
  output logic [7:0]   answer_port,
  output logic [31:0]  answer_crc
);
  typedef struct packed {
    logic [15:0] mask;
    logic [15:0] first;
  } group_t;
  typedef struct packed {
    logic        valid;
    logic [31:0] crc;
    group_t      entry;
  } stage_t;

  logic [7:0]   member [0:1023];
  group_t       group  [0:31];
  logic         valid1;
  logic [4:0]   group1;
  logic [103:0] tuple1;
  stage_t       s2;
  logic [15:0]  bucket;

  function automatic logic [31:0] crc32c(input logic [103:0] bytes);
    logic [31:0] crc;
    crc = 32'hffffffff;
    for (int i = 12; i >= 0; i--) begin
      crc = crc ^ {24'd0, bytes[8 * i +: 8]};
      for (int b = 0; b < 8; b++) crc = crc[0] ? (crc >> 1) ^ 32'h82f63b78 : crc >> 1;
    end
    return ~crc;
  endfunction

`ifdef FOREIGN_BUG
  assign bucket = s2.entry.first + (s2.crc[15:0] & (s2.entry.mask >> 1));
`else
  assign bucket = s2.entry.first + (s2.crc[15:0] & s2.entry.mask);
`endif

  always_ff @(posedge clk) begin
    if (cfg_we && !cfg_sel) member[cfg_index] <= cfg_data[7:0];
    if (cfg_we && cfg_sel) group[cfg_index[4:0]] <= cfg_data;
    valid1 <= lookup;
    group1 <= lookup_group;
    tuple1 <= lookup_tuple;
    s2.valid <= valid1;
    s2.crc <= crc32c(tuple1);
    s2.entry <= group[group1];
    answer <= s2.valid;
    answer_port <= member[bucket[9:0]];
    answer_crc <= s2.crc;
    if (!rst_n) begin
      valid1 <= 1'b0;
      s2.valid <= 1'b0;
      answer <= 1'b0;
    end
  end
endmodule
