// SPDX-License-Identifier: Apache-2.0
// scripts/equiv itself: operators, memories and clocks of Verilog against the same in C. The inputs
// come in clock 0, all others are free. C side: cmodel/test/equiv_self.c.
// clocks 3
// state 1 table words[{i}]
// final moved words[{11-i}]
`default_nettype none

module equiv_self (
  input  wire         clk_i,
  input  wire [31:0]  a,
  input  wire [31:0]  b,
  input  wire [4:0]   n,
  input  wire [15:0]  signs,
  input  wire [39:0]  long_a,
  output wire [127:0] sums,
  output wire [5:0]   orders,
  output wire [127:0] shifts,
  output wire [31:0]  quotient,
  output wire [31:0]  rest,
  output wire [63:0]  product,
  output wire [17:0]  looked_up,
  output reg  [5:0]   count,
  output wire [7:0]   place,
  output wire [31:0]  called,
  output reg  [15:0]  nested,
  output wire [39:0]  copied,
  output wire [7:0]   picked
);

  reg [1:0] clock_q;
  initial clock_q = 2'd0;
  always @(posedge clk_i) clock_q <= clock_q + 2'd1;

  integer i;

  // Numbers, by way of a register.
  (* anyseq *) wire [31:0] other;
  reg  [31:0] a1_q, a2_q, a_q, b1_q, b2_q, b_q;
  always @(posedge clk_i) begin
    a1_q <= clock_q == 2'd0 ? a : other;
    b1_q <= clock_q == 2'd0 ? b : ~other;
    {a2_q, b2_q} <= {a1_q, b1_q};
    {a_q, b_q}   <= {a2_q, b2_q};
  end
  wire signed [7:0]  left  = signs[7:0];
  wire signed [7:0]  right = signs[15:8];
  wire signed [31:0] both_signs = left * right;
  assign sums[31:0]   = a_q + b_q;
  assign sums[63:32]  = a_q - b_q;
  assign sums[95:64]  = a_q ^ {32{1'b1}};
  assign sums[127:96] = both_signs;
  assign orders[0] = a_q < b_q;
  assign orders[1] = ~(a_q > b_q);
  assign orders[2] = $signed(a_q) < $signed(b_q);
  assign orders[3] = left >= right;
  assign orders[4] = &(a_q ~^ b_q) || n == 5'd3;
  assign orders[5] = |a_q && !(a_q & b_q);
  assign shifts[31:0]   = a_q << n;
  assign shifts[63:32]  = a_q >> n;
  assign shifts[95:64]  = $signed(a_q) >>> n;
  wire [63:0] twice = {a_q, a_q} << n;
  assign shifts[127:96] = twice[63:32];

  // Long division, a bit at a time.
  function [15:0] divided(input [7:0] top, input [7:0] bottom);
    integer     i;
    reg   [8:0] left_over;
    reg   [7:0] result;
    begin
      left_over = 9'd0;
      for (i = 7; i >= 0; i = i - 1) begin
        left_over = {left_over[7:0], top[i]};
        result[i] = left_over >= {1'b0, bottom};
        if (result[i]) left_over = left_over - {1'b0, bottom};
      end
      divided = {result, left_over[7:0]};
    end
  endfunction
  wire [15:0] by_b  = divided(a[7:0], b[7:0]);
  wire [15:0] by_10 = divided(a[7:0], 8'd10);
  wire [15:0] a_3   = divided(a[7:0], 8'd3);
  wire [15:0] b_12  = divided(b[7:0], 8'd12);
  wire [15:0] b_3   = divided(b[7:0], 8'd3);
  wire [15:0] n_3   = divided({3'd0, n}, 8'd3);
  assign quotient = (b[7:0] != 8'd0) ? by_b[15:8] : 32'd0;
  assign rest     = (b[7:0] != 8'd0) ? by_b[7:0] : by_10[7:0];

  // Product by shifts.
  reg [15:0] sum;
  always @* begin
    sum = 16'd0;
    for (i = 0; i < 8; i = i + 1) sum = sum + ({8'd0, a[7:0] & {8{b[i]}}} << i);
  end
  assign product = sum;

  // A memory, filled by the pair at clock 1 and written in clock 1.
  reg [5:0]  words [0:11];
  reg [5:0]  first_q, second_q, third_q;
  wire [3:0] at = (n >= 5'd24) ? n - 5'd24 : (n >= 5'd12) ? n - 5'd12 : n;
  always @(posedge clk_i) begin
    if (clock_q == 2'd1) words[at] <= b[5:0];
    if (clock_q == 2'd1) first_q <= words[at];
    if (clock_q == 2'd1)
      second_q <= (a_3[1:0] == 2'd1) ? words[{2'b01, b[1:0]}] : 6'd7;
    if (clock_q == 2'd2) third_q <= words[b_12[3:0]];
  end
  assign looked_up = {third_q, second_q, first_q};
  always @* begin
    count = 6'd0;
    for (i = 0; i < 12; i = i + 1) count = count + {5'd0, words[i][0]};
  end

  // The first one from n[2:0] on.
  reg [5:0] first;
  always @* begin
    first = 6'd32;
    for (i = 31; i >= 0; i = i - 1) if (a[i] && i >= n[2:0]) first = i[5:0];
  end
  assign place = {2'd0, first};

  assign called = (n_3[1:0] == 2'd0) ? a & b : (n_3[1:0] == 2'd1) ? a | b : a ^ b;
  wire [31:0] chosen = n[4] ? b : a;
  assign copied = n[4] ? 40'd9 : long_a;
  assign picked = {4'd0, n[4] ? 4'd4 : 4'd1} + b_3[7:0];

  // Sum of the leading words below 32, as they were before the write.
  reg       go;
  reg [5:0] word;
  always @* begin
    nested = 16'd0;
    go     = 1'b1;
    for (i = 0; i < 12; i = i + 1) begin
      word = (i[3:0] == at) ? first_q : words[i];
      go   = go & ~word[5];
      if (go) nested = nested + {10'd0, word};
    end
    case (n[1:0])
      2'd0:       nested = chosen[15:0];
      2'd1, 2'd2: nested = chosen[31:16];
      default:    ;
    endcase
  end

endmodule
`default_nettype wire
