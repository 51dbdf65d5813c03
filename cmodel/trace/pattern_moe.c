/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern_moe.c: a mixture of experts: tokens go to experts and come back.
 */
#include <stdlib.h>

#include "pattern.h"
#include "rng.h"

#define TOKEN_BYTES 4096u
#define HOT_PART 8u /* one expert of so many is hot */

struct moe {
    struct egret_schedule *s;
    const struct egret_pattern *p;
    struct rng rng;
    uint32_t *order;  /* experts, the hot ones first */
    uint32_t *tokens; /* of the sender at hand, for each expert */
    uint32_t *chosen; /* the number of the token, plus one, that chose the expert last */
    uint32_t *reply;  /* joins: all tokens for expert e are there */
};

/* One expert that the token has not got yet. */
static uint32_t draw(struct moe *m, uint32_t token)
{
    uint32_t n = m->p->ranks;
    uint32_t hot = (n + HOT_PART - 1u) / HOT_PART;
    uint32_t expert = m->order[rng_below(&m->rng, 100) < m->p->skew ? rng_below(&m->rng, hot)
                                                                    : rng_below(&m->rng, n)];
    while (m->chosen[expert] == token + 1u) {
        expert = (expert + 1u) % n;
    }
    m->chosen[expert] = token + 1u;
    return expert;
}

/* The tokens of one rank, each to its experts; those for its own stay. */
static int dispatch(struct moe *m, uint32_t rank, uint32_t tokens, uint64_t token_bytes)
{
    uint32_t n = m->p->ranks;
    int code = EGRET_OK;
    for (uint32_t e = 0; e < n; e++) {
        m->tokens[e] = 0;
        m->chosen[e] = 0;
    }
    for (uint32_t t = 0; t < tokens; t++) {
        for (uint32_t i = 0; i < m->p->experts; i++) {
            m->tokens[draw(m, t)]++;
        }
    }
    for (uint32_t d = 1; code == EGRET_OK && d < n; d++) {
        uint32_t e = (uint32_t)(((uint64_t)rank + d) % n);
        uint32_t there;
        uint32_t back;
        if (m->tokens[e] == 0) {
            continue;
        }
        code = egret_schedule_message(m->s, rank, e, m->tokens[e] * token_bytes, &there);
        code = code ? code : egret_schedule_after(m->s, there, EGRET_ON_DONE, m->reply[e]);
        code =
            code ? code : egret_schedule_message(m->s, e, rank, m->tokens[e] * token_bytes, &back);
        code = code ? code : egret_schedule_after(m->s, m->reply[e], EGRET_ON_DONE, back);
    }
    return code;
}

static int run(struct moe *m)
{
    uint32_t n = m->p->ranks;
    uint64_t token_bytes = m->p->chunk ? m->p->chunk : TOKEN_BYTES;
    uint64_t tokens = (m->p->bytes + token_bytes - 1u) / token_bytes;
    int code = EGRET_OK;
    if (tokens > UINT32_MAX / m->p->experts - 1u || tokens * m->p->experts > (1u << 24) ||
        pattern_too_many(m->s, n, 2u * (uint64_t)n + 1u)) {
        return EGRET_ERR_RANGE;
    }
    pattern_permute(m->order, n, &m->rng);
    for (uint32_t e = 0; code == EGRET_OK && e < n; e++) {
        code = egret_schedule_delay(m->s, e, 0, &m->reply[e]);
    }
    for (uint32_t r = 0; code == EGRET_OK && r < n; r++) {
        code = dispatch(m, r, (uint32_t)tokens, token_bytes);
    }
    return code;
}

int pattern_moe(struct egret_schedule *w, const struct egret_pattern *p)
{
    struct moe m = {.s = w, .p = p, .rng = {(uint64_t)p->seed ^ 0x6d6f65u}};
    m.order = calloc(p->ranks, sizeof *m.order);
    m.tokens = calloc(p->ranks, sizeof *m.tokens);
    m.chosen = calloc(p->ranks, sizeof *m.chosen);
    m.reply = calloc(p->ranks, sizeof *m.reply);
    int code = m.order && m.tokens && m.chosen && m.reply ? run(&m) : EGRET_ERR_MEMORY;
    free(m.order);
    free(m.tokens);
    free(m.chosen);
    free(m.reply);
    return code;
}
