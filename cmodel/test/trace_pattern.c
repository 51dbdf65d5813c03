/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_pattern.c: traffic patterns by name: who sends what to whom, by hand and by the sources.
 */
#include "egret/collective.h"
#include "trace_test.h"

static struct egret_schedule pattern(struct egret_pattern p, struct egret_schedule_summary *sum)
{
    struct egret_schedule s;
    struct egret_trace_error err;
    if (egret_pattern_make(&p, &s, &err) || egret_schedule_summary(&s, sum)) {
        printf("%s\n", err.text);
        exit(2);
    }
    return s;
}

/* The flows of FSDP, in packets of 4096 bytes: 104, 418 and 1570 (facts of the paper); a layer on 8
 * ranks is a ring all-gather and a ring reduce-scatter: 2 * 7 * 8 flows, 14 deep. */
static void fsdp(struct trace_test *t)
{
    static const struct {
        const char *name;
        uint64_t packets;
    } row[3] = {{"fsdp-7b", 104}, {"fsdp-70b", 418}, {"fsdp-405b", 1570}};
    struct egret_schedule_summary sum;
    for (unsigned i = 0; i < 3u; i++) {
        struct egret_schedule s =
            pattern((struct egret_pattern){.name = row[i].name, .ranks = 8}, &sum);
        CHECK(t, sum.smallest == row[i].packets * 4096u && sum.largest == sum.smallest);
        CHECK(t, sum.messages == 112 && sum.depth == 14);
        egret_schedule_free(&s);
        s = pattern((struct egret_pattern){.name = row[i].name, .ranks = 8, .rounds = 3}, &sum);
        CHECK(t, sum.messages == 336 && sum.depth == 28); /* three gathers, then a scatter */
        egret_schedule_free(&s);
    }
}

/* The 21 flows of htsim's outcast_incast.cm; tornado; incast; the window. */
static void patterns(struct trace_test *t)
{
    struct egret_schedule_summary sum;
    struct egret_schedule s = pattern(
        (struct egret_pattern){.name = "outcast-incast", .ranks = 22, .bytes = 5, .group_size = 3},
        &sum);
    CHECK(t, s.ops == 21);
    for (uint32_t i = 0; i < 21u; i++) {
        uint32_t src = i == 0 ? 1u : i < 11u ? 2u : 3u;
        uint32_t dst = i < 2u || i == 11u ? 0 : i < 11u ? i + 2u : i + 1u;
        CHECK(t, s.op[i].src == src && s.op[i].dst == dst && s.op[i].need == 0);
    }
    egret_schedule_free(&s);
    s = pattern((struct egret_pattern){.name = "tornado", .ranks = 16, .bytes = 9}, &sum);
    for (uint32_t i = 0; i < 16u; i++) {
        CHECK(t, s.op[i].src == i && s.op[i].dst == (i + 8u) % 16u);
    }
    egret_schedule_free(&s);
    s = pattern(
        (struct egret_pattern){
            .name = "incast", .ranks = 16, .bytes = 9, .root = 14, .group_size = 4},
        &sum);
    for (uint32_t i = 0; i < 4u; i++) {
        CHECK(t, s.ops == 4 && s.op[i].src == (15u + i) % 16u && s.op[i].dst == 14);
    }
    egret_schedule_free(&s);
    s = pattern((struct egret_pattern){.name = "alltoall", .ranks = 16, .bytes = 9, .window = 4},
                &sum);
    CHECK(t, sum.messages == 240 && sum.roots == 64 && sum.depth == 4 && sum.edges == 176);
    for (uint32_t i = 0; i < 176u; i++) { /* to r + s frees that to r + s + 4 */
        struct egret_edge e = s.edge[s.first[i]];
        CHECK(t, egret_edge_event(e) == EGRET_ON_SENT && egret_edge_to(e) == i + 64u &&
                     s.op[i].src == s.op[i + 64u].src);
    }
    egret_schedule_free(&s);
}

/* Tokens to experts and back: as many bytes each way; an expert answers when all are there; skew
 * fills an eighth of them. */
static void moe(struct trace_test *t)
{
    struct egret_schedule_summary sum;
    uint64_t in[2] = {0, 0}; /* of the fullest expert, without and with skew */
    for (uint32_t skewed = 0; skewed < 2u; skewed++) {
        struct egret_schedule s = pattern((struct egret_pattern){.name = "moe",
                                                                 .ranks = 32,
                                                                 .bytes = 64u * 1000u,
                                                                 .chunk = 1000,
                                                                 .seed = 3,
                                                                 .experts = 4,
                                                                 .skew = skewed * 90u},
                                          &sum);
        uint64_t there[32] = {0};
        uint64_t back[32] = {0};
        uint64_t sent[32] = {0};
        for (size_t i = 0; i < s.ops; i++) {
            const struct egret_op *op = &s.op[i];
            if (op->kind == EGRET_OP_MESSAGE && op->need == 0) {
                struct egret_edge e = s.edge[s.first[i]]; /* its arrival, to the expert's join */
                CHECK(t, s.first[i + 1u] == s.first[i] + 1u &&
                             egret_edge_event(e) == EGRET_ON_DONE &&
                             s.op[egret_edge_to(e)].src == op->dst &&
                             s.op[egret_edge_to(e)].kind == EGRET_OP_DELAY);
                there[op->dst] += op->amount;
                sent[op->src] += op->amount;
            } else if (op->kind == EGRET_OP_MESSAGE) {
                back[op->src] += op->amount;
            }
        }
        for (uint32_t r = 0; r < 32u; r++) {
            CHECK(t, there[r] == back[r] && sent[r] <= 4u * 64u * 1000u && sent[r] > 0);
            in[skewed] = there[r] > in[skewed] ? there[r] : in[skewed];
        }
        CHECK(t, sum.depth == 2 && sum.bytes <= 2u * 32u * 256u * 1000u);
        CHECK(t, sum.bytes > 2u * 32u * 224u * 1000u); /* one in 32 stays; twice that with skew */
        egret_schedule_free(&s);
    }
    CHECK(t, in[1] > 2u * in[0]);
}

static void bad_patterns(struct trace_test *t)
{
    static const struct {
        struct egret_pattern p;
        const char *reason;
    } bad[] = {
        {{.name = "star", .ranks = 4, .bytes = 5}, "unknown collective 'star': permutation, "},
        {{.name = "tornado", .ranks = 1, .bytes = 5}, "tornado: at least two ranks and one byte"},
        {{.name = "tornado", .ranks = 4}, "tornado: at least two ranks and one byte"},
        {{.name = "tornado", .ranks = 4, .bytes = 5, .rounds = 1}, "tornado: --rounds is not for"},
        {{.name = "tornado", .ranks = 4, .bytes = 5, .chunk = 1}, "tornado: --chunk is not for it"},
        {{.name = "incast", .ranks = 4, .bytes = 5, .window = 1}, "incast: --window is not for it"},
        {{.name = "incast", .ranks = 4, .bytes = 5, .root = 4}, "incast: --root 4 of 4 ranks"},
        {{.name = "ring", .ranks = 4, .bytes = 5, .channels = 2}, "ring: --channels is not for it"},
        {{.name = "ring", .ranks = 4, .bytes = 5, .root = 2}, "ring: --root is not for it"},
        {{.name = "alltoall", .ranks = 4, .bytes = 5, .algorithm = EGRET_ALGO_PAIRWISE},
         "alltoall: --algorithm is not for it"},
        {{.name = "all-to-all", .ranks = 4, .bytes = 5, .skew = 2},
         "all-to-all: --experts, --skew is not for it"},
        {{.name = "moe", .ranks = 4, .bytes = 5, .group_size = 2}, "moe: --group-size is not for"},
        {{.name = "moe", .ranks = 4, .bytes = 5, .experts = 5}, "moe: --experts is at most 4"},
        {{.name = "moe", .ranks = 4, .bytes = 5, .skew = 101}, "moe: --experts is at most 4, --sk"},
        {{.name = "moe", .ranks = 4, .bytes = (uint64_t)1 << 48}, "moe: too many messages"},
        {{.name = "fsdp-7b", .ranks = 4, .rounds = 1u << 30}, "fsdp-7b: too many messages"},
        {{.name = "all-reduce", .ranks = 6, .bytes = 5, .algorithm = EGRET_ALGO_BINOMIAL},
         "all-reduce, binomial: for broadcast, reduce, gather and scatter alone"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct egret_schedule s;
        struct egret_trace_error err = {""};
        int code = egret_pattern_make(&bad[i].p, &s, &err);
        if (!CHECK(t, code == EGRET_ERR_RANGE && strstr(err.text, bad[i].reason) == err.text)) {
            printf("  wanted '%s', got %d '%s'\n", bad[i].reason, code, err.text);
        }
    }
    for (size_t i = 0; egret_pattern_name(i); i++) { /* each name makes something */
        struct egret_schedule_summary sum;
        struct egret_schedule s = pattern(
            (struct egret_pattern){.name = egret_pattern_name(i), .ranks = 6, .bytes = 60}, &sum);
        CHECK(t, sum.messages > 0);
        egret_schedule_free(&s);
    }
}

int main(void)
{
    struct trace_test t = {0, 0};
    fsdp(&t);
    patterns(&t);
    moe(&t);
    bad_patterns(&t);
    return trace_result(&t);
}
