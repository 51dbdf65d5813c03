/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply_quality.c: the fast path of spray-quality; the plain one is quality.c.
 *
 * A group's pool, the ports that a packet's number chooses from, changes at ticks, port events and
 * commits only, so it is kept with its counts of bits, and a packet only picks from it.
 */
#include "fast.h"

/* Fills the pool of a group with a live member. */
static void fill_pool(const struct egret *e, struct egret_group_state *g, uint64_t live)
{
    g->pool = g->quality & EGRET_QUALITY_DRILL_D ? live : egret_least_band(e, live);
    g->pool_upto = egret_bits_upto(g->pool);
    g->pool_stamp = e->stamp;
}

/* The k-th of the pool by r. */
static ALWAYS_INLINE uint32_t pool_pick(const struct egret *e, const struct egret_group_state *g,
                                        uint32_t r)
{
    return egret_bits_pick(e->places, g->pool, g->pool_upto, r);
}

/* DRILL: the best of the samples and the remembered port; the pool is all live members. */
static ALWAYS_INLINE uint32_t drill(const struct egret *e, struct egret_group_state *g, uint32_t x)
{
    const uint8_t *band = e->load.band;
    uint32_t best = pool_pick(e, g, x >> 16);

    if (egret_drill_samples(g) > 1) {
        uint32_t second = pool_pick(e, g, x & 0xffffu);
        best = band[second] < band[best] ? second : best;
    }
    if (egret_drill_remembers(g)) {
        uint32_t kept = g->memory & EGRET_MEMORY_PORT;
        if ((g->memory & EGRET_MEMORY_KEPT) && (g->pool >> kept & 1u) && band[best] >= band[kept])
            best = kept;
        g->memory = (uint8_t)(EGRET_MEMORY_KEPT | best);
    }
    return best;
}

uint32_t egret_quality_choice(const struct egret *e, struct egret_group_state *g, uint64_t live,
                              uint32_t x)
{
    if (g->pool_stamp != e->stamp)
        fill_pool(e, g, live);
    return g->quality & EGRET_QUALITY_DRILL_D ? drill(e, g, x) : pool_pick(e, g, x >> 16);
}

/* A packet that is hashed; not counted. */
static ALWAYS_INLINE int small_case(struct egret *restrict e, const struct egret_event *ev,
                                    struct egret_decision *restrict out,
                                    const struct egret_group_state *g)
{
    uint32_t hash, choice;

    if (UNLIKELY(e->mode != EGRET_MODE_IPV4))
        return -1;
    hash = hash_ipv4(e, ev->record, false);
    choice = bucket(e, g, hash);
    if (UNLIKELY(!is_live(e, g, choice)))
        return -1;
    e->random_behind++;
    put(out, ev->tag, hash, choice, choice, EGRET_SCHEME_SPRAY_QUALITY, EGRET_REASON_CHOSEN);
    return (int)choice;
}

/* Any packet; not counted. */
static NOINLINE int any_case(struct egret *restrict e, const struct egret_event *ev,
                             struct egret_decision *restrict out, struct egret_group_state *g)
{
    uint64_t live = g->members & e->live;
    uint32_t choice, x;

    if (ev->length < e->load.small)
        return small_case(e, ev, out, g);
    if (UNLIKELY(live == 0))
        return -1;
    e->random_behind++;
    x = next_random(e);
    choice = egret_quality_choice(e, g, live, x);
    put(out, ev->tag, x, choice, choice, EGRET_SCHEME_SPRAY_QUALITY, EGRET_REASON_CHOSEN);
    return (int)choice;
}

/* Beyond so many steps behind the generator jumps. */
#define FEW_STEPS 64u

/* Is there a short path for the group's packets that are not small? */
static ALWAYS_INLINE bool is_short(const struct egret *e, const struct egret_group_state *g)
{
    return LIKELY(g->pool_stamp == e->stamp && e->random_behind <= FEW_STEPS);
}

/* The packet's random number, as next_random() but without a call. */
static ALWAYS_INLINE uint32_t short_random(struct egret *e)
{
    uint32_t x = egret_random_step(e->random);
    for (; UNLIKELY(e->random_behind != 0); e->random_behind--)
        x = egret_random_step(x);
    e->random = x;
    return x;
}

/* Any packet, counted. */
static NOINLINE int any_packet(struct egret *e, const struct egret_event *ev,
                               struct egret_decision *out, struct egret_group_state *g)
{
    int port = any_case(e, ev, out, g);
    if (UNLIKELY(port < 0))
        return egret_apply_any(e, ev, out);
    count_packet(e, ev, (uint32_t)port);
    return EGRET_OK;
}

static NOINLINE int small_packet(struct egret *restrict e, const struct egret_event *ev,
                                 struct egret_decision *restrict out, struct egret_group_state *g)
{
    int port = small_case(e, ev, out, g);
    if (UNLIKELY(port < 0))
        return egret_apply_any(e, ev, out);
    count_packet(e, ev, (uint32_t)port);
    return EGRET_OK;
}

/* Chooses by x from a filled pool with DRILL. */
static NOINLINE int drill_packet(struct egret *restrict e, const struct egret_event *ev,
                                 struct egret_decision *restrict out, struct egret_group_state *g,
                                 uint32_t x)
{
    uint32_t choice = drill(e, g, x);

    put(out, ev->tag, x, choice, choice, EGRET_SCHEME_SPRAY_QUALITY, EGRET_REASON_CHOSEN);
    count_packet(e, ev, choice);
    return EGRET_OK;
}

/* The short path calls no function and so saves no registers; the rest are functions of their
 * own. */
int egret_apply_quality(struct egret *restrict e, const struct egret_event *ev,
                        struct egret_decision *restrict out, struct egret_group_state *g)
{
    uint32_t choice, x;

    if (UNLIKELY(ev->length < e->load.small))
        return small_packet(e, ev, out, g);
    if (!is_short(e, g))
        return any_packet(e, ev, out, g);
    x = short_random(e);
    if (g->quality & EGRET_QUALITY_DRILL_D)
        return drill_packet(e, ev, out, g, x);
    choice = pool_pick(e, g, x >> 16);
    put(out, ev->tag, x, choice, choice, EGRET_SCHEME_SPRAY_QUALITY, EGRET_REASON_CHOSEN);
    count_packet(e, ev, choice);
    return EGRET_OK;
}

int egret_apply_quality_burst(struct egret *restrict e, const struct egret_event *ev,
                              struct egret_decision *restrict out, struct egret_group_state *g)
{
    uint32_t choice, x;

    if (ev->length < e->load.small || (g->quality & EGRET_QUALITY_DRILL_D) != 0 || !is_short(e, g))
        return any_case(e, ev, out, g);
    x = short_random(e);
    choice = pool_pick(e, g, x >> 16);
    put(out, ev->tag, x, choice, choice, EGRET_SCHEME_SPRAY_QUALITY, EGRET_REASON_CHOSEN);
    return (int)choice;
}
