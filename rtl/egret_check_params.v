// SPDX-License-Identifier: Apache-2.0
// Stops elaboration, in every tool, when a parameter of egret_core is out of range: an instance of
// a module that does not exist, whose name says what is wrong. No logic.
// C twin: egret_cfg_check() in cmodel/select/config.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_check_params #(
  // As in egret_core; LATENCY is the one that it states.
  parameter NUM_PORTS = 16,
  parameter NUM_GROUPS = 32,
  parameter NUM_KEYS = 64,
  parameter NUM_BINS = 2,
  parameter NUM_ROWS = 32,
  parameter ROW_LEN = 32,
  parameter NUM_BUCKETS = 1024,
  parameter HASH_KIND = 1,
  parameter RSP_DEPTH = 16,
  parameter SCHEMES = 126,
  parameter NUM_FLOWLETS = 0,
  parameter PARITY = 0,
  parameter LATENCY = 10
) ();

  generate
    if (NUM_PORTS < 1 || NUM_PORTS > 64) begin : gen_bad_ports
      NUM_PORTS_must_be_1_to_64 u_bad ();
    end
    if (NUM_GROUPS < 1 || NUM_GROUPS > 1024 || (NUM_GROUPS & (NUM_GROUPS - 1)) != 0)
    begin : gen_bad_groups
      NUM_GROUPS_must_be_a_power_of_two_1_to_1024 u_bad ();
    end
    if (NUM_KEYS < 1 || NUM_KEYS > 2048 || (NUM_KEYS & (NUM_KEYS - 1)) != 0)
    begin : gen_bad_keys
      NUM_KEYS_must_be_a_power_of_two_1_to_2048 u_bad ();
    end
    if (NUM_BINS < 1 || NUM_BINS > 16 || (NUM_BINS & (NUM_BINS - 1)) != 0)
    begin : gen_bad_bins
      NUM_BINS_must_be_a_power_of_two_1_to_16 u_bad ();
    end
    if (NUM_ROWS < 1 || NUM_ROWS > 256 || (NUM_ROWS & (NUM_ROWS - 1)) != 0)
    begin : gen_bad_rows
      NUM_ROWS_must_be_a_power_of_two_1_to_256 u_bad ();
    end
    if (ROW_LEN < 1 || ROW_LEN > 256 || (ROW_LEN & (ROW_LEN - 1)) != 0) begin : gen_bad_len
      ROW_LEN_must_be_a_power_of_two_1_to_256 u_bad ();
    end
    if (NUM_BUCKETS < 1 || NUM_BUCKETS > 65536 || (NUM_BUCKETS & (NUM_BUCKETS - 1)) != 0)
    begin : gen_bad_buckets
      NUM_BUCKETS_must_be_a_power_of_two_1_to_65536 u_bad ();
    end
    if (HASH_KIND < 0 || HASH_KIND > 2) begin : gen_bad_hash
      HASH_KIND_must_be_0_to_2 u_bad ();
    end
    if (SCHEMES < 0 || SCHEMES > 510 || SCHEMES % 2 != 0) begin : gen_bad_schemes
      SCHEMES_must_name_schemes_1_to_8 u_bad ();
    end
    if (NUM_FLOWLETS != 0 && (NUM_FLOWLETS < 16 || NUM_FLOWLETS > 65536 ||
                              (NUM_FLOWLETS & (NUM_FLOWLETS - 1)) != 0)) begin : gen_bad_flowlets
      NUM_FLOWLETS_must_be_0_or_a_power_of_two_16_to_65536 u_bad ();
    end
    if ((NUM_FLOWLETS != 0) != (SCHEMES / 256 % 2 != 0)) begin : gen_bad_flowlet
      NUM_FLOWLETS_and_scheme_8_must_be_there_together u_bad ();
    end
    if (PARITY != 0 && PARITY != 1) begin : gen_bad_parity
      PARITY_must_be_0_or_1 u_bad ();
    end
    if (RSP_DEPTH <= LATENCY || RSP_DEPTH > 256 || (RSP_DEPTH & (RSP_DEPTH - 1)) != 0)
    begin : gen_bad_depth
      RSP_DEPTH_must_be_a_power_of_two_above_the_latency u_bad ();
    end
  endgenerate

endmodule
`default_nettype wire
