// SPDX-License-Identifier: Apache-2.0
// Known answers from outside, tb/vectors/, through the RTL's hash modules.
//   toeplitz  egret_hash_matrix; the tables are made here from the key of each line: the share of
//             input bit j is the 32 bits of the key from bit j on. Inputs of 8, 12, 32 and 36 bytes
//             (source, destination, ports) lie in the fields of the record.
//   crc16     egret_hash_fixed, low half. The module hashes 41 bytes; leading zeros do not change a
//             CRC that starts from 0, so the input stands at the end of the record.
//   crc32c    likewise, but this CRC starts from all ones: four bytes before the input bring the
//             register, run backwards here, to all ones just before the input.
// Lines of other algorithms are counted as skipped. Plusargs: +vectors=FILE +wrong (expects other
// values: every line must then differ, and the run fails).
`timescale 1ns / 1ps
`default_nettype none

module tb_hash;

  localparam [31:0] CRC32C = 32'h82f63b78; // reflected

  reg clk, rst;
  reg  [327:0] record;
  reg          matrix_write, clr;
  reg  [10:0]  matrix_addr, clr_addr;
  reg  [31:0]  matrix_data;
  reg          crc16;
  wire [31:0]  matrix_word, matrix_hash, fixed_hash;

  egret_hash_matrix u_matrix (
    .clk_i      (clk),
    .rst_i      (rst),
    .clr_i      (clr),
    .clr_addr_i (clr_addr),
    .s1_record_i(record),
    .s1_write_i (matrix_write),
    .s1_addr_i  (matrix_addr),
    .s1_data_i  (matrix_data),
    .s1_fault_i (1'b0),
    .s1_parity_i(1'b0),
    .s2_seed_i  (32'd0),
    .s4_word_o  (matrix_word),
    .s5_hash_o  (matrix_hash),
    .s6_bad_o   ()
  );

  egret_hash_fixed u_fixed (
    .clk_i        (clk),
    .f0_record_i  (record),
    .f0_select_i  ({328{1'b1}}),
    .s2_crc16_i   (crc16),
    .s2_seed_i    (32'd0),
    .s2_rotation_i(5'd0),
    .s5_hash_o    (fixed_hash)
  );

  reg [8*16-1:0]  algorithm;
  reg [8*128-1:0] parameter_text, input_text, value_text;
  reg [8*256-1:0] line, path;
  reg [511:0]     key, message, value;
  integer         key_bits, message_bits, value_bits;
  integer         file, got, n, v, j, k, passed, failed, skipped;
  reg [31:0]      back, want, crc;
  reg [31:0]      window [0:3];
  reg             wrong;

  // Hexadecimal digits, right-aligned in text, to bits, left-aligned in `bits`; 4 bits a digit.
  task parse(input [8*128-1:0] text, output [511:0] bits, output integer count);
    integer i;
    reg [7:0] c, digit;
    begin
      bits = 512'd0;
      count = 0;
      for (i = 127; i >= 0; i = i - 1) begin
        c = text[8*i +: 8];
        if (c != 8'd0) begin
          digit = (c >= "a") ? c - "a" + 8'd10 : c - "0";
          bits[508 - count +: 4] = digit[3:0];
          count = count + 4;
        end
      end
    end
  endtask

  // The bit of the packed input that lies in bit r of the record (0 is its first), or -1.
  function integer packed_bit(input integer r, input integer bits);
    integer address;
    begin
      address = (bits >= 256) ? 128 : 32;
      packed_bit = -1;
      if (r < address) packed_bit = r;
      else if (r >= 128 && r < 128 + address) packed_bit = r - 128 + address;
      else if (r >= 264 && r < 264 + bits - 2 * address) packed_bit = r - 264 + 2 * address;
    end
  endfunction

  task clock;
    begin
      #4 clk = 1'b1;
      #5 clk = 1'b0;
      #1 ;
    end
  endtask

  task load_matrix;
    begin
      for (n = 0; n < 82; n = n + 1) begin
        for (k = 0; k < 4; k = k + 1) begin
          window[k] = 32'd0;
          j = packed_bit(4*n + k, message_bits);
          if (j >= 0)
            for (v = 0; v < 32; v = v + 1) window[k][31 - v] = key[511 - (j + v) % key_bits];
        end
        for (v = 0; v < 16; v = v + 1) begin
          matrix_write = 1'b1;
          matrix_addr = {n[6:0], v[3:0]};
          matrix_data = (v[3] ? window[0] : 32'd0) ^ (v[2] ? window[1] : 32'd0) ^
                        (v[1] ? window[2] : 32'd0) ^ (v[0] ? window[3] : 32'd0);
          clock;
        end
      end
      matrix_write = 1'b0;
    end
  endtask

  task check(input [31:0] seen, input [31:0] expected);
    begin
      if (seen === expected) passed = passed + 1;
      else begin
        failed = failed + 1;
        $display("%0s of %0s: %h, not %h", algorithm, input_text, seen, expected);
      end
    end
  endtask

  task settle;
    begin
      for (k = 0; k < 6; k = k + 1) clock;
    end
  endtask

  // The record whose last bytes are the input, behind `prefix`.
  task at_end(input [31:0] prefix);
    begin
      record = 328'd0;
      for (j = 0; j < message_bits; j = j + 1)
        record[message_bits - 1 - j] = message[511 - j];
      record = record | ({296'd0, prefix} << message_bits);
    end
  endtask

  reg [511:0] loaded_key;
  integer     loaded_bits;

  task toeplitz;
    begin
      if (loaded_bits != message_bits || loaded_key != key) load_matrix;
      loaded_bits = message_bits;
      loaded_key = key;
      record = 328'd0;
      for (n = 0; n < 328; n = n + 1) begin
        j = packed_bit(n, message_bits);
        if (j >= 0) record[327 - n] = message[511 - j];
      end
      settle;
      check(matrix_hash, want);
    end
  endtask

  task fixed_crc16;
    begin
      at_end(32'd0);
      crc16 = 1'b1;
      settle;
      check({16'd0, fixed_hash[15:0]}, want);
    end
  endtask

  task fixed_crc32c;
    begin
      // Forwards over the zeros from all ones, backwards over four bytes from all ones.
      crc = 32'hffffffff;
      for (j = 0; j < 328 - message_bits - 32; j = j + 1)
        crc = {1'b0, crc[31:1]} ^ (crc[0] ? CRC32C : 32'd0);
      back = 32'hffffffff;
      for (j = 0; j < 32; j = j + 1)
        back = back[31] ? {back[30:0] ^ CRC32C[30:0], 1'b1} : {back[30:0], 1'b0};
      crc = crc ^ back;
      at_end({crc[7:0], crc[15:8], crc[23:16], crc[31:24]});
      crc16 = 1'b0;
      settle;
      check(fixed_hash, want);
    end
  endtask

  initial begin
    clk = 1'b0;
    rst = 1'b1;
    clr = 1'b0;
    record = 328'd0;
    matrix_write = 1'b0;
    matrix_addr = 11'd0;
    matrix_data = 32'd0;
    clr_addr = 11'd0;
    crc16 = 1'b0;
    passed = 0;
    failed = 0;
    skipped = 0;
    loaded_bits = 0;
    loaded_key = 512'd0;
    wrong = $test$plusargs("wrong");
    clock;
    rst = 1'b0;
    if (!$value$plusargs("vectors=%s", path)) begin
      $display("tb_hash: +vectors=FILE is missing");
      $fatal;
    end
    file = $fopen(path, "r");
    if (file == 0) begin
      $display("tb_hash: cannot open %0s", path);
      $fatal;
    end
    while (!$feof(file)) begin
      got = $fscanf(file, "%s", algorithm);
      if (got == 1 && algorithm[7:0] != "#") begin
        if ($fscanf(file, " %s %s %s", parameter_text, input_text, value_text) != 3) begin
          $display("tb_hash: a short line");
          $fatal;
        end
        parse(parameter_text, key, key_bits);
        parse(input_text, message, message_bits);
        parse(value_text, value, value_bits);
        want = (value[511:480] >> (32 - value_bits)) ^ {31'd0, wrong};
        if (algorithm == "toeplitz") toeplitz;
        else if (algorithm == "crc16") fixed_crc16;
        else if (algorithm == "crc32c") fixed_crc32c;
        else skipped = skipped + 1;
      end else if (got == 1)
        got = $fgets(line, file);
    end
    $display("tb_hash: %0s: %0d lines of other algorithms skipped", path, skipped);
    $display("RESULT pass=%0d fail=%0d", passed, failed);
    if (failed != 0 || passed == 0) $fatal;
    $finish;
  end

  wire unused_ok = &{1'b0, matrix_word};

endmodule
`default_nettype wire
