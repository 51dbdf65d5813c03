// SPDX-License-Identifier: Apache-2.0
// Simulation models of the ECP5 cells that synth_ecp5 makes, for netlist runs: look-up tables, wide
// multiplexers, carry cells, flip-flop, LUT RAM, block RAM, multiplier. Written from their
// function, without delays; registers start at 0, RAM unknown.
//
// Block RAM: both halves read and write, or with DATA_WIDTH_A 36 there is one 36-bit write port
// (clock A) and one read port (clock B). Data widths 36, 18, 9, 4, 2, 1. A port with an output
// register (REGMODE OUTREG) shows read data one clock later. A port that writes, or whose word the
// other port writes at the same edge, reads the complement of the old word: nothing may rely on it.
// Not modelled: the multiplier's other registers and signed operands, block RAM resets, chip
// selects, GSR, asynchronous set and reset.
`timescale 1ns / 1ps
`default_nettype none

module LUT4 #(parameter [15:0] INIT = 16'h0) (input wire A, B, C, D, output wire Z);
  assign Z = INIT[{D, C, B, A}];
endmodule

module PFUMX (input wire ALUT, BLUT, C0, output wire Z);
  assign Z = C0 ? ALUT : BLUT;
endmodule

module L6MUX21 (input wire D0, D1, SD, output wire Z);
  assign Z = SD ? D1 : D0;
endmodule

// Two look-up tables and their carries: the full table propagates, its low four bits generate.
module CCU2C #(
  parameter [15:0] INIT0 = 16'h0,
  parameter [15:0] INIT1 = 16'h0,
  parameter INJECT1_0 = "YES",
  parameter INJECT1_1 = "YES"
) (
  input  wire CIN, A0, B0, C0, D0, A1, B1, C1, D1,
  output wire S0, S1, COUT
);
  wire propagate0 = INIT0[{D0, C0, B0, A0}];
  wire propagate1 = INIT1[{D1, C1, B1, A1}];
  wire generate0 = (INJECT1_0 == "YES") ? 1'b0 : INIT0[{2'b00, B0, A0}];
  wire generate1 = (INJECT1_1 == "YES") ? 1'b0 : INIT1[{2'b00, B1, A1}];
  wire carry = propagate0 ? CIN : generate0;
  assign S0 = propagate0 ^ ((INJECT1_0 == "YES") ? 1'b0 : CIN);
  assign S1 = propagate1 ^ ((INJECT1_1 == "YES") ? 1'b0 : carry);
  assign COUT = propagate1 ? carry : generate1;
endmodule

module TRELLIS_FF #(
  parameter GSR = "ENABLED",
  parameter CEMUX = "1",
  parameter CLKMUX = "CLK",
  parameter LSRMUX = "LSR",
  parameter REGSET = "RESET",
  parameter SRMODE = "LSR_OVER_CE"
) (
  input wire CLK, LSR, CE, DI, output reg Q
);
  wire clock = (CLKMUX == "INV") ? ~CLK : CLK;
  wire enable = (CEMUX == "1" || CEMUX == "1 ") ? 1'b1 : (CEMUX == "INV") ? ~CE : CE;
  wire reset = (LSRMUX == "INV") ? ~LSR : LSR;
  wire value = (REGSET == "SET");
  initial Q = value;
  always @(posedge clock)
    if (reset === 1'b1) Q <= value;
    else if (enable) Q <= DI;
  initial
    if (SRMODE == "ASYNC") begin
      $display("%m: asynchronous reset");
      $stop;
    end
endmodule

module TRELLIS_DPR16X4 #(
  parameter WCKMUX = "WCK",
  parameter WREMUX = "WRE",
  parameter [63:0] INITVAL = 64'h0
) (
  input wire [3:0] DI, WAD, RAD, input wire WRE, WCK, output wire [3:0] DO
);
  reg [3:0] mem [0:15];
  wire clock = (WCKMUX == "INV") ? ~WCK : WCK;
  wire enable = (WREMUX == "INV") ? ~WRE : (WREMUX == "1") ? 1'b1 : WRE;
  always @(posedge clock) if (enable) mem[WAD] <= DI;
  assign DO = mem[RAD];
endmodule

module DP16KD #(
  parameter DATA_WIDTH_A = 18,
  parameter DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC",
  parameter ASYNC_RESET_RELEASE = "SYNC",
  parameter WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL",
  parameter CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000",
  parameter CLKAMUX = "CLKA",
  parameter CLKBMUX = "CLKB",
  parameter GSR = "ENABLED"
) (
  input wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5,
  input wire DIA4, DIA3, DIA2, DIA1, DIA0,
  input wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
  input wire CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
  output wire DOA4, DOA3, DOA2, DOA1, DOA0,
  input wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5,
  input wire DIB4, DIB3, DIB2, DIB1, DIB0,
  input wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
  input wire CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
  output wire DOB4, DOB3, DOB2, DOB1, DOB0
);

  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7,
                     DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7,
                     DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2,
                     ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2,
                     ADB1, ADB0};
  localparam WIDE = (DATA_WIDTH_A == 36);

  // One bit of address is one bit of storage: 14 bits of place, 9-bit bytes as {byte, parity}.
  // Storage is by 18-bit words; place maps a port's bit to {word, bit}.
  reg [17:0] mem [0:1023];
  reg [35:0] read_a, read_b, out_a, out_b;
  initial begin
    read_a = 36'd0;
    read_b = 36'd0;
    out_a = 36'd0;
    out_b = 36'd0;
  end

  // Lowest storage bit of an address within its word.
  function [4:0] low(input integer width, input [3:0] address);
    case (width)
      9: low = address[3] ? 5'd9 : 5'd0;
      4: low = (address[3] ? 5'd9 : 5'd0) + {2'd0, address[2], 2'd0};
      2: low = (address[3] ? 5'd9 : 5'd0) + {2'd0, address[2:1], 1'd0};
      1: low = (address[3] ? 5'd9 : 5'd0) + {2'd0, address[2:0]};
      default: low = 5'd0;
    endcase
  endfunction

  function [17:0] mask(input integer width, input [13:0] address);
    case (width)
      18: mask = {{9{address[1]}}, {9{address[0]}}};
      9: mask = 18'h1ff << low(9, address[3:0]);
      4: mask = 18'hf << low(4, address[3:0]);
      2: mask = 18'h3 << low(2, address[3:0]);
      default: mask = 18'h1 << low(1, address[3:0]);
    endcase
  endfunction

  function [17:0] select(input integer width, input [13:0] address, input [17:0] word);
    select = (word >> low(width, address[3:0])) & ((19'd1 << width) - 19'd1);
  endfunction

  wire clock_a = (CLKAMUX == "INV") ? ~CLKA : CLKA;
  wire clock_b = (CLKBMUX == "INV") ? ~CLKB : CLKB;
  // Wide words have byte enables in their lowest address bits.
  wire bytes_a = WIDE ? |ada[3:0] : (DATA_WIDTH_A == 18) ? |ada[1:0] : 1'b1;
  wire bytes_b = (DATA_WIDTH_B == 18) ? |adb[1:0] : 1'b1;
  wire write_a = CEA & WEA & bytes_a;
  wire write_b = CEB & WEB & bytes_b & !WIDE;
  wire [17:0] mask_a = mask(DATA_WIDTH_A, ada);
  wire [17:0] mask_b = mask(DATA_WIDTH_B, adb);

  // Both ports share a clock edge here; a word that the other port writes at it is not readable.
  wire hit_b = WIDE ? (write_a && ada[13:5] == adb[13:5]) : (write_a && ada[13:4] == adb[13:4]);
  wire hit_a = write_b && ada[13:4] == adb[13:4];

  wire [17:0] word_b = select(DATA_WIDTH_B, adb, mem[adb[13:4]] ^ {18{write_b | hit_b}});

  always @(posedge clock_a) begin
    out_a <= read_a;
    if (CEA && !WIDE)
      read_a <= {18'd0, select(DATA_WIDTH_A, ada,
                               mem[ada[13:4]] ^ {18{write_a | hit_a}})};
    if (write_a && WIDE) begin
      mem[{ada[13:5], 1'b0}] <= (mem[{ada[13:5], 1'b0}] & ~{{9{ada[1]}}, {9{ada[0]}}})
                                | (dia & {{9{ada[1]}}, {9{ada[0]}}});
      mem[{ada[13:5], 1'b1}] <= (mem[{ada[13:5], 1'b1}] & ~{{9{ada[3]}}, {9{ada[2]}}})
                                | (dib & {{9{ada[3]}}, {9{ada[2]}}});
    end else if (write_a)
      mem[ada[13:4]] <= (mem[ada[13:4]] & ~mask_a)
                        | ((dia << low(DATA_WIDTH_A, ada[3:0])) & mask_a);
  end

  always @(posedge clock_b) begin
    out_b <= read_b;
    if (CEB) begin
      if (DATA_WIDTH_B == 36)
        read_b <= {mem[{adb[13:5], 1'b1}], mem[{adb[13:5], 1'b0}]} ^ {36{hit_b}};
      else if (WIDE) read_b <= {word_b, 18'd0};
      else read_b <= {18'd0, word_b};
    end
    if (write_b)
      mem[adb[13:4]] <= (mem[adb[13:4]] & ~mask_b)
                        | ((dib << low(DATA_WIDTH_B, adb[3:0])) & mask_b);
  end

  wire [35:0] data_a = (REGMODE_A == "OUTREG") ? out_a : read_a;
  wire [35:0] data_b = (REGMODE_B == "OUTREG") ? out_b : read_b;
  wire [17:0] doa = WIDE ? data_b[17:0] : data_a[17:0];
  wire [17:0] dob = WIDE ? data_b[35:18] : data_b[17:0];
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
          DOA4, DOA3, DOA2, DOA1, DOA0} = doa;
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
          DOB4, DOB3, DOB2, DOB1, DOB0} = dob;

  initial
    if (WIDE && REGMODE_A != REGMODE_B) begin
      $display("%m: halves of a wide port have different REGMODE");
      $stop;
    end

endmodule

// 18 by 18 bits, unsigned; no register, or one behind the product that is never held or cleared.
module MULT18X18D #(
  parameter REG_OUTPUT_CLK = "NONE"
) (
  input  wire A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
  input  wire B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
  input  wire C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
  input  wire SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CE0, RST0,
  output wire P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20,
  P19, P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);

  wire [17:0] a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0
  };
  wire [17:0] b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0
  };
  wire [35:0] p = a * b;
  reg  [35:0] p_q;
  always @(posedge CLK0) p_q <= p;
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
    P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
  } = (REG_OUTPUT_CLK == "NONE") ? p : p_q;

  initial
    if (SIGNEDA || SIGNEDB || SOURCEA || SOURCEB ||
        (REG_OUTPUT_CLK != "NONE" && (REG_OUTPUT_CLK != "CLK0" || !CE0 || RST0))) begin
      $display("%m: a multiplier with signed or cascaded operands, or another register");
      $stop;
    end

endmodule
`default_nettype wire
