// SPDX-License-Identifier: Apache-2.0
// The properties of egret_core, included by it under `ifdef FORMAL and nowhere else; in a file of
// their own for length only. scripts/formal proves them by induction.
  // Order and count: every slot with a result (packet or read) stands at one position of the pipe;
  // position 1 is F1, F_AT + n is stage Sn. A packet leaves at S10, a read at S15 (EXTRA later if
  // deep). One result, any (the number that egret_rsp_fifo follows), is watched on its way.
  localparam F_AT = DELAY;
  localparam F_LEN = DELAY + 15 + EXTRA;
  localparam F_OUT = DELAY + 10 + EXTRA; // a packet's result
  (* hierconn *) wire [5:0]  \u_front.f1_flags_q ;
  (* hierconn *) wire        \u_result.s10_read_q ;
  (* hierconn *) wire [1:0]  \u_result.u_read11.gen_line.line_q ;
  (* hierconn *) wire [2:0]  \u_result.u_read14.gen_line.line_q ;
  (* hierconn *) wire [2:0]  \u_intake.gap_q ;
  (* hierconn *) wire        \u_intake.gap_done_q ;
  (* hierconn *) wire [$clog2(RSP_DEPTH):0] \u_intake.f_owed_q ;
  (* hierconn *) wire [15:0] \u_results.f_n ;
  (* hierconn *) wire [15:0] \u_results.f_allocs_q ;
  (* hierconn *) wire [15:0] \u_results.f_fills_q ;
  (* hierconn *) wire [15:0] \u_results.f_inside ;
  (* hierconn *) wire [15:0] \u_results.f_filled ;
  (* hierconn *) wire [15:0] \u_results.f_takes_q ;
  (* hierconn *) wire [40+2*PORT_W:0] \u_results.f_data_q ;

  reg  [F_LEN:1] f_packets, f_reads, f_writes;
  wire [6*(DELAY+1)-1:0] f_front;
  (* hierconn *) wire [6*(DELAY+(DELAY==0))-1:0] \u_front.u_flags.gen_line.line_q ;
  generate
    if (DELAY == 0) begin : gen_f_front
      assign f_front = \u_front.f1_flags_q ;
    end else begin : gen_f_front_line
      assign f_front = {\u_front.u_flags.gen_line.line_q , \u_front.f1_flags_q };
    end
  endgenerate
  wire [2*EXTRA+1:0] f_deep; // {packet, read} of S10..S13
  (* hierconn *) wire [2*(EXTRA+(EXTRA==0))-1:0] \u_deep.gen_deep.u_flags.gen_line.line_q ;
  generate
    if (EXTRA == 0) begin : gen_f_plain
      assign f_deep = 2'd0;
    end else begin : gen_f_deep
      assign f_deep = {2'd0, \u_deep.gen_deep.u_flags.gen_line.line_q };
    end
  endgenerate
  integer f_i;
  always @* begin
    f_packets = {F_LEN{1'b0}};
    f_reads   = {F_LEN{1'b0}};
    f_writes  = {F_LEN{1'b0}};
    for (f_i = 0; f_i <= DELAY; f_i = f_i + 1) begin
      f_packets[f_i+1] = f_front[6*f_i];
      f_writes[f_i+1]  = f_front[6*f_i+1];
      f_reads[f_i+1]   = f_front[6*f_i+2];
    end
    f_packets[F_AT+2 +: 8] = packet;
    f_writes[F_AT+2 +: 8]  = write;
    f_reads[F_AT+2 +: 8]   = read;
    for (f_i = 0; f_i < EXTRA; f_i = f_i + 1) begin
      f_packets[F_AT+10+f_i] = f_deep[2*f_i+1];
      f_reads[F_AT+10+f_i]   = f_deep[2*f_i];
    end
    f_packets[F_OUT] = res_valid && !res_read;
    f_reads[F_OUT +: 6] = {res_valid && res_read, \u_result.u_read14.gen_line.line_q ,
                           \u_result.u_read11.gen_line.line_q [1], \u_result.s10_read_q };
  end
  wire [F_LEN:1] f_slots = f_packets | f_reads;
  wire           f_alloc = req_take && !req_kind_i[0];
  // Results get their place one clock behind the request.
  wire [15:0]    f_allocs = \u_results.f_allocs_q + {15'd0, f1_result};

  reg  [F_LEN:1] f_token_q;
  reg            f_token_read_q, f_idle_q;
  reg  [NUM_PORTS-1:0] f10_mask_q, f_mask_q;
  reg  [15:0]    f_count, f_ahead;
  reg            f_clear; // no slot in the READ_GAP positions behind a read
  always @* begin
    f_count = 16'd0;
    f_ahead = 16'd0;
    f_clear = 1'b1;
    for (f_i = 1; f_i <= F_LEN; f_i = f_i + 1) begin
      f_count = f_count + {15'd0, f_slots[f_i]};
      f_ahead = f_ahead + {15'd0, f_slots[f_i] && (f_token_q & ((1 << (f_i - 1)) - 1)) != 0};
      if (f_reads[f_i] && f_i > 5) f_clear = f_clear && ((f_slots >> (f_i - 6)) & 5'd31) == 0;
      else if (f_reads[f_i])
        f_clear = f_clear && \u_intake.gap_q == 6 - f_i && !\u_intake.gap_done_q &&
                  (f_slots & ((1 << (f_i - 1)) - 1)) == {F_LEN{1'b0}};
    end
  end

  always @(posedge clk_i) begin
    f10_mask_q <= f_sr_mask;
    if (f_alloc && f_allocs == \u_results.f_n )
      f_token_read_q <= req_kind_i == `EGRET_KIND_READ;
    if (res_valid && \u_results.f_fills_q == \u_results.f_n ) f_mask_q <= f10_mask_q;
    f_idle_q <= !rst_i && !(req_take || (port_valid_i && port_ready_o) ||
                            (queue_valid_i && queue_ready_o) || (tick_valid_i && tick_ready_o));
    if (rst_i) f_token_q <= {F_LEN{1'b0}};
    else begin
      f_token_q <= {f_token_q[F_LEN-1:1],
                    f_alloc && f_allocs == \u_results.f_n };
      if (f_packets[F_OUT]) f_token_q[F_OUT+1] <= 1'b0;
    end
  end

  `EGRET_ASSERT(!write[4] || s4_zero_q == (s4_data_q == 32'd0), "zero, S4")
  `EGRET_ASSERT((f_packets & f_reads) == {F_LEN{1'b0}} &&
                (f_packets & f_writes) == {F_LEN{1'b0}} &&
                (f_reads & f_writes) == {F_LEN{1'b0}}, "one kind a slot")
  `EGRET_ASSERT(f_packets >> F_OUT == {F_LEN{1'b0}}, "packets have left")
  `EGRET_ASSERT(f_clear, "nothing close behind a read")
  `EGRET_ASSERT(f_count == f_allocs - \u_results.f_fills_q ,
                "a result for each request and no other")
  `EGRET_ASSERT({15'd0, \u_intake.f_owed_q } == {15'd0, \u_results.f_inside } + f1_result,
                "credits and results")
  `EGRET_ASSERT((f_token_q & ~f_slots) == {F_LEN{1'b0}} &&
                (f_token_q & (f_token_q - 1'b1)) == {F_LEN{1'b0}}, "the token is a slot")
  `EGRET_ASSERT((f_token_q != {F_LEN{1'b0}}) ==
                (\u_results.f_n - \u_results.f_fills_q < f_allocs - \u_results.f_fills_q ),
                "token in the pipe")
  `EGRET_ASSERT(f_token_q == {F_LEN{1'b0}} || \u_results.f_n - \u_results.f_fills_q == f_ahead,
                "nobody overtakes")
  `EGRET_ASSERT(f_token_q == {F_LEN{1'b0}} ||
                f_token_read_q == ((f_token_q & f_reads) != {F_LEN{1'b0}}), "kind of the token")
  `EGRET_ASSERT(!(res_valid && \u_results.f_fills_q == \u_results.f_n ) ||
                (f_token_q[res_read ? F_OUT + 5 : F_OUT] && res_read == f_token_read_q),
                "the n-th result is that of the n-th request, after the fixed latency")
  `EGRET_ASSERT(init_done_o || (f_slots == {F_LEN{1'b0}} && f_writes == {F_LEN{1'b0}} &&
                                f_front == {6 * (DELAY + 1){1'b0}} && s2_event_q == 3'd0),
                "nothing moves before the sweep is done")
  // Fault writes are writes; none is on its way to a counter in the sweep.
  `EGRET_ASSERT((fault & ~write) == 8'd0, "a fault write is a write")
  (* hierconn *) wire [2:0] \u_result.gen_faults.u_faults.s10_fault_q ;
  (* hierconn *)
  wire [6*(EXTRA+(EXTRA==0))-1:0] \u_deep.gen_deep.gen_faults.u_faults.gen_line.line_q ;
  generate
    if (PARITY != 0) begin : gen_f_faults
      `EGRET_ASSERT(init_done_o || \u_result.gen_faults.u_faults.s10_fault_q == 3'd0,
                    "no fault write in the sweep, S10")
      if (EXTRA != 0) begin : gen_f_deep
        `EGRET_ASSERT(init_done_o || (\u_deep.gen_deep.gen_faults.u_faults.gen_line.line_q &
                                      {EXTRA{6'h20}}) == {6 * EXTRA{1'b0}},
                      "no fault write in the sweep, S9 to S13")
      end
    end
  endgenerate
  `EGRET_ASSERT(!f_idle_q || \u_front.f1_flags_q == 6'd0, "no transfer, no change")

  // The port: a result that is no drop is one of the mask that its packet found at S3 (members and
  // live). What egret_live_repair is proven to give stands here as assumption; scripts/formal cuts
  // it out. f_up_q bit n - 4: what is at stage Sn entered after the reset.
  reg  [NUM_PORTS-1:0] f4_mask_q, f5_mask_q, f6_mask_q, f7_mask_q, f8_mask_q, f9_mask_q;
  reg  [5+EXTRA:0]     f_up_q;
  always @(posedge clk_i) begin
    {f9_mask_q, f8_mask_q, f7_mask_q} <= {f8_mask_q, f7_mask_q, f6_mask_q};
    {f6_mask_q, f5_mask_q, f4_mask_q} <= {f5_mask_q, f4_mask_q, s3_members & s3_live};
    f_up_q <= rst_i ? {6 + EXTRA{1'b0}} : {f_up_q[4+EXTRA:0], 1'b1};
  end
  `EGRET_ASSUME(!f_up_q[2] || s6_any == (f6_mask_q != {NUM_PORTS{1'b0}}))
  `EGRET_ASSUME(!f_up_q[5] || s9_mask == f9_mask_q)
  `EGRET_ASSUME(!f_up_q[5] || f9_mask_q == {NUM_PORTS{1'b0}} ||
                f_port_ok(f9_mask_q, 1'b0, s9_repair_port))
  `EGRET_ASSERT((~f_up_q[5:0] & packet[9:4]) == 6'd0, "masks of packets")
  `EGRET_ASSERT((!packet[7] || s7_down_q == (f7_mask_q == {NUM_PORTS{1'b0}})) &&
                (!packet[8] || s8_down_q == (f8_mask_q == {NUM_PORTS{1'b0}})) &&
                (!packet[9] || s9_down_q == (f9_mask_q == {NUM_PORTS{1'b0}})), "down")
  `EGRET_ASSERT((!packet[5] || s5_early != `EGRET_REASON_REPAIRED) &&
                (!packet[6] || s6_early_q != `EGRET_REASON_REPAIRED) &&
                (!packet[7] || s7_early_q != `EGRET_REASON_REPAIRED) &&
                (!packet[8] || s8_early_q != `EGRET_REASON_REPAIRED) &&
                (!packet[9] || s9_early_q != `EGRET_REASON_REPAIRED), "early reasons drop")
  // Deep: what waits from S9 to S13 (egret_delay is proven to do just that), and the choice of
  // egret_deep, whose tables are cut out.
  localparam F_WAIT = 4 + NUM_PORTS + PORT_W; // {early, down, repair port, mask}
  reg  [F_WAIT*(EXTRA+1)-1:0] f_wait_q;
  wire [F_WAIT*(EXTRA+1)-1:0] f_wait = {f_wait_q, s9_early_q, s9_down_q, s9_repair_port, f9_mask_q};
  wire [F_WAIT-1:0]           f_sr = f_wait[F_WAIT*EXTRA +: F_WAIT];
  wire [NUM_PORTS-1:0]        f_sr_mask = f_sr[NUM_PORTS-1:0];
  always @(posedge clk_i) f_wait_q <= f_wait;
  generate
    if (EXTRA != 0) begin : gen_f_wait
      genvar f_g;
      `EGRET_ASSUME(!f_up_q[5+EXTRA] ||
                    {sr_early, sr_down, sr_repair_port, sr_mask} == f_sr)
      `EGRET_ASSUME(!sr_packet || sr_down || sr_early != 3'd0 ||
                    sr_live == f_port_ok(f_sr_mask, 1'b0, sr_choice) ||
                    (PARITY != 0 && !sr_live && sr_bad[4:2] != 3'd0))
      for (f_g = 0; f_g < EXTRA; f_g = f_g + 1) begin : gen_f_stage
        wire [F_WAIT-1:0] f_w = f_wait_q[F_WAIT*f_g +: F_WAIT];
        `EGRET_ASSERT(!f_deep[2*f_g+1] || f_up_q[6+f_g], "masks of packets that wait")
        `EGRET_ASSERT(!f_deep[2*f_g+1] ||
                      (f_w[NUM_PORTS+PORT_W] == (f_w[NUM_PORTS-1:0] == {NUM_PORTS{1'b0}}) &&
                       f_w[NUM_PORTS+PORT_W+1 +: 3] != `EGRET_REASON_REPAIRED &&
                       (f_w[NUM_PORTS+PORT_W] ||
                        f_port_ok(f_w[NUM_PORTS-1:0], 1'b0, f_w[NUM_PORTS +: PORT_W]))), "wait")
      end
    end
  endgenerate
  function f_port_ok(input [NUM_PORTS-1:0] mask, input drop, input [PORT_W-1:0] port);
    reg [(1<<PORT_W)-1:0] bits;
    begin
      bits = {(1 << PORT_W){1'b0}};
      bits[NUM_PORTS-1:0] = mask;
      f_port_ok = drop || bits[port];
    end
  endfunction
  wire              f_kept      = \u_results.f_n - \u_results.f_takes_q < \u_results.f_filled ;
  wire              f_kept_read = \u_results.f_data_q [40+2*PORT_W];
  wire              f_kept_drop = \u_results.f_data_q [39+2*PORT_W];
  wire [PORT_W-1:0] f_kept_port = \u_results.f_data_q [39+PORT_W +: PORT_W];
  `EGRET_ASSERT(!(res_valid && !res_read) || f_port_ok(f10_mask_q, res_drop, res_port),
                "a live member or a drop, S10")
  `EGRET_ASSERT(!f_kept || f_kept_read || f_port_ok(f_mask_q, f_kept_drop, f_kept_port),
                "a live member or a drop, waiting")
  `EGRET_ASSERT(!(rsp_valid_o && \u_results.f_takes_q == \u_results.f_n && rsp_kind_o == 2'd1) ||
                (rsp_port_o == 8'hff && rsp_choice_o == 8'hff) ||
                (rsp_port_o < NUM_PORTS &&
                 f_port_ok(f_kept ? f_mask_q : f10_mask_q, 1'b0, rsp_port_o[PORT_W-1:0])),
                "a live member or a drop, out")
  // What egret_load is told one clock ahead: the ports of the queue event and of the write at S2.
  reg [PORT_W-1:0] f2_queue_q, f2_port_q;
  always @(posedge clk_i) begin
    f2_queue_q <= s1_event[9 +: PORT_W];
    f2_port_q  <= s1_addr[2 +: PORT_W];
  end
  `EGRET_ASSERT(s2_events_q[9 +: PORT_W] == f2_queue_q && s2_addr[2 +: PORT_W] == f2_port_q,
                "announced to egret_load")
  wire f_token_out = rsp_valid_o && rsp_ready_i && \u_results.f_takes_q == \u_results.f_n ;
  `EGRET_COVER(f_token_out && rsp_kind_o == 2'd1 && rsp_port_o == 8'hff && !f_kept)
  `EGRET_COVER(f_token_out && rsp_kind_o == 2'd2 && \u_results.f_n == 16'd1)
  `EGRET_COVER(f_token_out && rsp_reason_o == `EGRET_REASON_REPAIRED && rsp_port_o == 8'd1 &&
               f_kept)
