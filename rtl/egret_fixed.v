// SPDX-License-Identifier: Apache-2.0
// Scheme `fixed` (docs/spec/fixed.md): `ecmp` with the bucket mask taken off, so the packet's
// bucket is the group's first one, whatever its hash. Combinational at S3.
// C twin: cmodel/select/fixed.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_fixed (
  input  wire        fixed_i,
  input  wire [15:0] mask_i,
  output wire [15:0] mask_o
);

  assign mask_o = mask_i & {16{~fixed_i}};

`ifdef FORMAL // properties
  always @* begin
    assert (mask_o == (fixed_i ? 16'd0 : mask_i));
    cover (fixed_i && mask_i == 16'h000f);
  end
`endif

endmodule
`default_nettype wire
