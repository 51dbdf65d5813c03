/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_words.c: the packed form of what a bench drives and sees. tb/tb_core.v takes the same
 * fields from the same bits.
 */
#include "bench.h"

static uint32_t bit(bool value, unsigned at)
{
    return (value ? 1u : 0u) << at;
}

void egret_bench_pack(const struct egret_bench_in *in, uint32_t word[EGRET_BENCH_IN_WORDS])
{
    word[0] = bit(in->rst, 0) | bit(in->port_valid, 1) | bit(in->port_up, 2) |
              bit(in->queue_valid, 3) | bit(in->tick_valid, 4) | bit(in->req_valid, 5) |
              bit(in->rsp_ready, 6) | (uint32_t)(in->req_kind & 3u) << 8 |
              (uint32_t)(in->req_class & 15u) << 12 | (uint32_t)in->req_bin << 16;
    word[1] = in->port_id | (uint32_t)in->queue_id << 8 | (uint32_t)in->req_length << 16;
    word[2] = in->queue_depth;
    word[3] = (uint32_t)in->tick_now;
    word[4] = (uint32_t)(in->tick_now >> 32);
    word[5] = (uint32_t)in->req_now;
    word[6] = (uint32_t)(in->req_now >> 32);
    word[7] = in->req_tag;
    word[8] = in->req_group | (uint32_t)in->req_key << 16;
    word[9] = in->req_entropy;
    word[10] = in->req_addr & 0xffffffu;
    word[11] = in->req_data;
    for (unsigned i = 0; i < EGRET_RECORD_WORDS; i++)
        word[12 + i] = in->req_record[i];
    word[23] = 0;
}

void egret_bench_unpack(const uint32_t word[EGRET_BENCH_OUT_WORDS], struct egret_bench_out *out)
{
    uint32_t w = word[0];
    out->unknown = w & 1u;
    out->init_done = w >> 1 & 1u;
    out->port_ready = w >> 2 & 1u;
    out->queue_ready = w >> 3 & 1u;
    out->tick_ready = w >> 4 & 1u;
    out->req_ready = w >> 5 & 1u;
    out->rsp_valid = w >> 6 & 1u;
    out->rsp_kind = (uint8_t)(w >> 7 & 3u);
    out->rsp_scheme = (uint8_t)(w >> 9 & 15u);
    out->rsp_reason = (uint8_t)(w >> 13 & 7u);
    out->rsp_port = (uint8_t)(w >> 16);
    out->rsp_choice = (uint8_t)(w >> 24);
    out->rsp_tag = word[1];
    out->rsp_data = word[2];
}
