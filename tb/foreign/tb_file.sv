// SPDX-License-Identifier: Apache-2.0
// foreign_ecmp against the file that egret model --vectors wrote: +vectors=FILE.
module tb_file;
  logic clk = 0, rst_n = 0, we = 0, sel = 0, lookup = 0, answer;
  logic [9:0] index;
  logic [31:0] data, range, crc, a, b, entropy, value;
  logic [103:0] tuple;
  logic [127:0] src, dst, now, qp; // wide enough
  logic [15:0] sport, dport, len;
  logic [7:0] port, bin, proto, op, wanted, first, want[$];
  logic [3:0] kind = 0, cls;
  string path;
  int file = 0, pass = 0, fail = 0, waited = 0;

  foreign_ecmp dut (clk, rst_n, we, sel, index, data, lookup, a[4:0], tuple, answer, port, crc);
  always #5 clk = !clk;

  always @(posedge clk) begin // answers come in the order of the packets
    waited = answer === 1 || want.size() == 0 ? 0 : waited + 1;
    if (waited == 1000) $fatal(1, "the design does not answer");
    if (answer && want.size() == 0) $fatal(1, "an answer that no packet asked for");
    if (answer) begin
      first = want.pop_front();
      if (port !== first && fail == 0) $display("packet %0d: %0d, not %0d", pass, port, first);
      if (port === first) pass = pass + 1; else fail = fail + 1;
    end
  end

  initial begin
    if ($value$plusargs("vectors=%s", path)) file = $fopen(path, "r");
    if (file == 0) $fatal(1, "no +vectors=FILE, or it cannot be opened");
    repeat (3) @(negedge clk);
    rst_n = 1;
    while (kind != 15) begin // the last line
      if ($fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h", kind, cls, bin, a, b,
          src, dst, proto, sport, dport, qp, op, entropy, len, now, wanted, value) != 17)
        $fatal(1, "%s: not a whole line", path);
      while (kind != 0 && want.size() != 0) @(negedge clk);
      tuple = {src[127:96], dst[127:96], proto, sport, dport};
      lookup = kind == 0;
      if (lookup) want.push_back(wanted);
      if (kind == 1 && a == 32'h22) range = b; // waits for the group's commit
      sel = a[23:20] == 1;
      we = kind == 1 && (sel && a[2:0] == 0 || a[23:20] == 2);
      index = sel ? a[12:3] : a[9:0];
      data = sel ? range : b;
      if (lookup || we) @(negedge clk);
      {lookup, we} = 0;
    end
    $display("RESULT pass=%0d fail=%0d", pass, fail);
    if (fail != 0 || pass != a || pass == 0) $fatal(1, "the design differs from the model");
    else $finish;
  end
endmodule
