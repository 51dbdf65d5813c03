// SPDX-License-Identifier: Apache-2.0
// foreign_ecmp beside the model, in a simulator with DPI: +stimulus=FILE.
module tb_dpi;
  import egret_lockstep::*;
  logic clk = 0, rst_n = 0, we = 0, sel = 0, lookup = 0, answer;
  logic [9:0] index;
  logic [31:0] data, range, crc;
  logic [103:0] tuple;
  logic [7:0] port;
  egret_vector_t ev;
  bit [543:0] vector;
  chandle egret;
  string path = "";

  foreign_ecmp dut (clk, rst_n, we, sel, index, data, lookup, ev.a[4:0], tuple, answer, port, crc);
  always #5 clk = !clk;
  always @(posedge clk) if (answer) void'(egret_lockstep_port(egret, {24'd0, port}));

  initial begin
    void'($value$plusargs("stimulus=%s", path));
    egret = egret_lockstep_open("lab", path);
    repeat (3) @(negedge clk);
    rst_n = 1;
    while (egret_lockstep_next(egret, vector) != 0) begin
      ev = vector;
      while (ev.kind != 0 && egret_lockstep_busy(egret) != 0) @(negedge clk);
      tuple = {ev.src[127:96], ev.dst[127:96], ev.proto, ev.sport, ev.dport};
      lookup = ev.kind == 0;
      if (ev.kind == 1 && ev.a == 32'h22) range = ev.b; // waits for the group's commit
      sel = ev.a[23:20] == 1;
      we = ev.kind == 1 && (sel && ev.a[2:0] == 0 || ev.a[23:20] == 2);
      index = sel ? ev.a[12:3] : ev.a[9:0];
      data = sel ? range : ev.b;
      if (lookup || we) @(negedge clk);
      {lookup, we} = 0;
    end
    while (egret_lockstep_busy(egret) != 0) @(negedge clk);
    $display("%s", egret_lockstep_text(egret));
    if (egret_lockstep_verdict(egret) != 0) $fatal(1, "the design differs from the model");
    $finish;
  end
endmodule
