/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_steps.c: groups that change under traffic: deleted and made again, the last member gone, a
 * thousand random steps of ports, members and weights. select_groups_ref.h computes what must come
 * out of each packet; the bucket tables and all counters are checked as well.
 *
 * usage: select_steps model | select_steps FOLDER CONFIG...
 *   The second form is for the RTL: FOLDER has check_CONFIG.so.
 *
 * Faults of docs/verification.md: B15, B16, B17.
 */
#include "select_groups_test.h"

#define STEPS 1000u

static uint64_t random_members(const struct test *t)
{
    return ((uint64_t)test_random() << 32 | test_random()) & all_ports(t);
}

/* Deleted, and made again with fewer and other members; pointers, entries and memories stay. */
static void made_again(struct test *t, uint32_t scheme)
{
    uint32_t group = t->s->cfg.num_groups - 1, rounds = 40;
    uint32_t number = group < 4 ? group : 3;
    ref_forget_counts(&t->r);
    for (uint32_t i = 0; i < rounds; i++) {
        uint64_t first = i % 4 == 0 ? all_ports(t) : random_members(t);
        uint64_t second = random_members(t) & (i % 3 == 0 ? first : ~first);
        commit(t, number, scheme, first);
        packets(t, number, i % 20);
        commit(t, number, scheme, 0);
        packets(t, number, i % 3);
        if (i % 2 == 0)
            sut_event(t->s, EGRET_EV_PORT, test_below(t->s->cfg.num_ports), test_below(2));
        commit(t, number, scheme, second);
        packets(t, number, 20 - i % 20);
    }
    for (uint32_t p = 0; p < t->s->cfg.num_ports; p++)
        sut_event(t->s, EGRET_EV_PORT, p, 1);
    sut_flush(t->s);
    CHECK(t->r.by_reason[EGRET_REASON_CHOSEN] > 0 && t->r.by_reason[EGRET_REASON_DROP_EMPTY] > 0,
          "%s: scheme %u was not sent and dropped", t->s->cfg.name, scheme);
}

/* Members leave one by one, then ports go down one by one; n packets behind each step. */
static void last_member(struct test *t, uint32_t scheme)
{
    struct sut *s = t->s;
    uint32_t empty = 0, down = 0;
    uint64_t members = all_ports(t);
    commit(t, 0, scheme, members);
    sut_flush(s);
    ref_forget_counts(&t->r);
    for (uint32_t p = 0; p < s->cfg.num_ports; p++) {
        members &= ~((uint64_t)1 << p);
        packets(t, 0, 2);
        commit(t, 0, scheme, members);
        packets(t, 0, 1 + p % 4);
    }
    empty += 1 + (s->cfg.num_ports - 1) % 4;
    for (uint32_t distance = 1; distance <= 20; distance++) {
        commit(t, 0, scheme, (uint64_t)1 << test_below(s->cfg.num_ports));
        packets(t, 0, distance);
        commit(t, 0, scheme, 0);
        packets(t, 0, 2);
        empty += 2;
    }
    commit(t, 0, scheme, all_ports(t));
    for (uint32_t p = 0; p < s->cfg.num_ports; p++) {
        packets(t, 0, 2);
        sut_event(s, EGRET_EV_PORT, p, 0);
        packets(t, 0, 1 + p % 4);
    }
    down += 1 + (s->cfg.num_ports - 1) % 4;
    for (uint32_t distance = 1; distance <= 20; distance++) {
        uint32_t p = test_below(s->cfg.num_ports);
        sut_event(s, EGRET_EV_PORT, p, 1);
        packets(t, 0, distance);
        sut_event(s, EGRET_EV_PORT, p, 0);
        packets(t, 0, 2);
        down += 2;
    }
    for (uint32_t p = 0; p < s->cfg.num_ports; p++)
        sut_event(s, EGRET_EV_PORT, p, 1);
    packets(t, 0, 3);
    sut_flush(s);
    CHECK_EQ(t->r.by_reason[EGRET_REASON_DROP_EMPTY], empty, "without a member");
    CHECK_EQ(t->r.by_reason[EGRET_REASON_DROP_DOWN], down, "without a live member");
}

/* ---- a thousand steps ---- */

static bool is_live(const struct egret_buckets *b, uint32_t member)
{
    return b->live >> member & 1u;
}

/* What b->now must be, from what it was, by the rule of ecmp.md, section 4. */
static void own_step(const struct egret_buckets *b, uint8_t *now, uint32_t back)
{
    uint64_t have[64] = {0};
    if (b->live == 0)
        return;
    for (uint32_t k = 0; k < b->count; k++)
        if (back < 64 && b->home[k] == back)
            now[k] = (uint8_t)back;
    for (uint32_t k = 0; k < b->count; k++)
        have[now[k]]++;
    for (uint32_t k = 0; k < b->count; k++) {
        uint32_t best = 64;
        if (is_live(b, now[k]))
            continue;
        for (uint32_t i = 0; i < b->num_members; i++)
            if (is_live(b, i) &&
                (best == 64 || (have[i] + 1) * b->member[best].weight <
                                   (have[best] + 1) * b->member[i].weight))
                best = i;
        have[now[k]]--;
        have[best]++;
        now[k] = (uint8_t)best;
    }
}

struct walk {
    uint64_t members[4];
    uint32_t scheme[4];
};

/* One random step of one group; returns its kind. */
static uint32_t step(struct test *t, struct walk *w, uint32_t g)
{
    struct sut *s = t->s;
    struct egret_buckets *b = &t->b[g];
    uint32_t kind = test_below(8), i = test_below(b->num_members), port = b->member[i].port;
    uint8_t own[MAX_COUNT];
    memcpy(own, b->now, b->count);
    switch (kind) {
    case 0:
    case 1:
        sut_event(s, EGRET_EV_PORT, test_below(s->cfg.num_ports + 1), kind);
        return kind;
    case 2:
        w->members[g] &= ~((uint64_t)1 << port);
        commit(t, g, w->scheme[g], w->members[g]);
        packets(t, g, test_below(3)); /* live repair serves until the buckets follow */
        REQUIRE(egret_ctl_member_lost(&s->cfg, b, port, sut_emit, s) == EGRET_OK);
        own_step(b, own, 64);
        break;
    case 3:
        REQUIRE(egret_ctl_member_back(&s->cfg, b, port, sut_emit, s) == EGRET_OK);
        packets(t, g, test_below(3));
        w->members[g] |= (uint64_t)1 << port;
        commit(t, g, w->scheme[g], w->members[g]);
        own_step(b, own, i);
        break;
    case 4:
        w->members[g] = 0;
        commit(t, g, w->scheme[g], 0);
        return kind;
    case 5: {
        uint32_t most = s->cfg.num_ports < b->count ? s->cfg.num_ports : b->count;
        uint32_t from = test_below(s->cfg.num_ports);
        b->num_members = 1 + test_below(most);
        w->members[g] = 0;
        for (i = 0; i < b->num_members; i++) {
            b->member[i].port = (from + i) % s->cfg.num_ports;
            b->member[i].weight = test_chance(2) ? 1 : 1 + test_below(100);
            w->members[g] |= (uint64_t)1 << b->member[i].port;
        }
        REQUIRE(egret_ctl_buckets(&s->cfg, b, sut_emit, s) == EGRET_OK);
        commit(t, g, w->scheme[g], w->members[g]);
        own_buckets(b, own);
        break;
    }
    case 6:
        w->scheme[g] = g == 0 ? EGRET_SCHEME_ECMP : 1 + test_below(9);
        commit(t, g, w->scheme[g], w->members[g]);
        return kind;
    default:
        sut_event(s, EGRET_EV_TICK, 0, 0);
        sut_event(s, EGRET_EV_QUEUE, test_below(s->cfg.num_ports), test_below(100000));
        return kind;
    }
    CHECK(memcmp(own, b->now, b->count) == 0, "%s: buckets of group %u after a step of kind %u",
          s->cfg.name, g, kind);
    return kind;
}

/* Every counter, against those of the reference; all packets are sent or dropped, none twice. */
static void conserve(struct test *t)
{
    struct sut *s = t->s;
    uint64_t sum = 0;
    for (uint32_t p = 0; p < s->cfg.num_ports; p++) {
        uint64_t high = sut_read(s, EGRET_A_PORT_COUNTER(p, 1));
        sum += high << 32 | sut_read(s, EGRET_A_PORT_COUNTER(p, 0));
        (void)sut_read(s, EGRET_A_PORT_COUNTER(p, 2));
        (void)sut_read(s, EGRET_A_PORT_COUNTER(p, 3));
    }
    for (uint32_t g = 0; g < s->cfg.num_groups; g++) {
        sum += sut_read(s, EGRET_A_GROUP_COUNTER(g, 0));
        (void)sut_read(s, EGRET_A_GROUP_COUNTER(g, 1));
    }
    for (uint32_t i = 0; i < 4; i++)
        (void)sut_read(s, EGRET_A_WRITES_IGNORED + i);
    CHECK(t->r.sent == sum + t->r.by_reason[EGRET_REASON_DROP_INDEX],
          "%s: %llu packets, %llu counted", s->cfg.name, (unsigned long long)t->r.sent,
          (unsigned long long)sum);
}

static void thousand(struct test *t)
{
    struct walk w;
    uint32_t groups = t->s->cfg.num_groups < 4 ? 1 : 4, seen[8] = {0};
    for (uint32_t g = 0; g < groups; g++) {
        w.scheme[g] = EGRET_SCHEME_ECMP;
        t->b[g].num_members = 1;
        t->b[g].member[0] = (struct egret_member){0, 1};
        REQUIRE(egret_ctl_buckets(&t->s->cfg, &t->b[g], sut_emit, t->s) == EGRET_OK);
        w.members[g] = 1;
        commit(t, g, w.scheme[g], 1);
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        uint32_t g = test_below(groups);
        seen[step(t, &w, g)]++;
        packets(t, g, 4);
        for (g = 0; g < groups; g++)
            packet(t, g);
        if (i % 4 == 0)
            packet(t, t->s->cfg.num_groups + test_below(3));
        if (i % 200 == 199)
            conserve(t);
    }
    for (uint32_t i = 0; i < 8; i++)
        CHECK(seen[i] > STEPS / 16, "%s: kind %u: %u steps", t->s->cfg.name, i, seen[i]);
    for (uint32_t i = 0; i < 6; i++)
        CHECK(t->r.by_reason[i] > 0 || i == EGRET_REASON_REPAIRED ||
                  (i == EGRET_REASON_DROP_SCHEME && groups == 1),
              "%s: no packet with reason %u", t->s->cfg.name, i);
}

static void tests(struct test *t)
{
    random_tables(t);
    for (uint32_t scheme = 1; scheme <= 8; scheme++) {
        if (has(t, scheme)) {
            made_again(t, scheme);
            last_member(t, scheme);
        }
    }
    start(t);
    random_tables(t);
    thousand(t);
}

int main(int argc, char **argv)
{
    return run_all(argc, argv, tests);
}
