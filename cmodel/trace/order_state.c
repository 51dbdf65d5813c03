/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order_state.c: what a stimulus sets, and which change of it lies between two packets of a flow.
 *
 * Nothing is read from a selector: writes and port events are followed here, illegal ones left out.
 * Of a decision the port counts, and where the scheme has tables also which entry it names.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/control.h"
#include "egret/hash.h"
#include "order.h"

/* What of a group's words says where a flow that keeps order goes: schemes, entropy offset,
 * buckets, members, flowlets. Not: bank, R and rows of the rotations. */
static const uint32_t group_bits[7] = {0x1f00f00fu, 0, ~0u, ~0u, ~0u, ~0u, ~0u};

#define MEMBER_WORD 3u
#define BUCKET_WORD 2u
#define IDLE_WORD 6u
#define IDLE_BITS 0xffffffu
/* Words of the hash: algorithm, fields, seed, rotation, then the matrix. */
#define HASH_REGISTERS 4u
#define HASH_WORDS (HASH_REGISTERS + 16u * EGRET_HASH_NIBBLES)

/* A change of one word changes the sum of these, and taking it back restores it. */
static uint64_t print_of(uint32_t i, uint32_t word)
{
    uint64_t x = ((uint64_t)i << 32 | word) + 0x9e3779b97f4a7c15u; /* the mixer of SplitMix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void hash_write(struct order_state *s, uint32_t i, uint32_t word)
{
    static const uint32_t bits[HASH_REGISTERS] = {~0u, EGRET_FIELDS_ALL, ~0u, 31u};
    word &= i < HASH_REGISTERS ? bits[i] : ~0u;
    s->hash += print_of(i, word) - print_of(i, s->hash_word[i]);
    s->hash_word[i] = word;
}

static void hash_reset(struct order_state *s)
{
    static const uint32_t algorithm[] = {EGRET_HASH_CRC32C, EGRET_HASH_MATRIX, EGRET_HASH_LOOKUP3};
    hash_write(s, 0, algorithm[s->cfg.hash_kind]);
    hash_write(s, 1, EGRET_FIELDS_5TUPLE);
}

int egret_order_state_open(struct order_state *s, const struct egret_cfg *cfg)
{
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    s->group = calloc(cfg->num_groups, sizeof *s->group);
    s->bucket = calloc(cfg->num_buckets, sizeof *s->bucket);
    s->bucket_written = calloc(cfg->num_buckets, sizeof *s->bucket_written);
    s->entry_written = calloc(cfg->num_flowlets + 1u, sizeof *s->entry_written);
    s->entry_owner = calloc(cfg->num_flowlets + 1u, sizeof *s->entry_owner);
    s->hash_word = calloc(HASH_WORDS, sizeof *s->hash_word);
    s->up = UINT64_MAX;
    if (!s->group || !s->bucket || !s->bucket_written || !s->entry_written || !s->entry_owner ||
        !s->hash_word) {
        return EGRET_ERR_MEMORY;
    }
    hash_reset(s);
    return EGRET_OK;
}

void egret_order_state_close(struct order_state *s)
{
    free(s->group);
    free(s->bucket);
    free(s->bucket_written);
    free(s->entry_written);
    free(s->entry_owner);
    free(s->hash_word);
}

static void commit(struct order_state *s, uint32_t g, uint32_t word0)
{
    uint32_t word[7];
    for (unsigned w = 0; w < 7u; w++) {
        word[w] = (w == 0 ? word0 : s->stage[w - 1u]) & group_bits[w];
    }
    if (memcmp(word, s->group[g].word, sizeof word) != 0) {
        memcpy(s->group[g].word, word, sizeof word);
        s->group[g].written = s->event;
    }
}

static void legal_write(struct order_state *s, uint32_t addr, uint32_t data)
{
    if (addr >= EGRET_A_GROUP_STAGE1 && addr <= EGRET_A_GROUP_STAGE6) {
        s->stage[addr - EGRET_A_GROUP_STAGE1] = data;
    } else if (addr >= EGRET_A_HASH_ALGORITHM && addr <= EGRET_A_HASH_ROTATION) {
        hash_write(s, addr - EGRET_A_HASH_ALGORITHM, data);
    } else if (addr == EGRET_A_QUALITY_SMALL) {
        s->small = data & 0xffffu;
    } else if (addr == EGRET_A_CLASS_ORDERED) {
        if (s->class_ordered != (data & 0xffffu)) {
            s->class_written = s->event;
        }
        s->class_ordered = data & 0xffffu;
    } else if (addr >> 20 == EGRET_A_GROUP(0, 0) >> 20) {
        commit(s, (addr & 0xfffffu) >> 3, data);
    } else if (addr >> 20 == EGRET_A_BUCKET(0) >> 20) {
        uint32_t i = addr & 0xfffffu;
        if (s->bucket[i] != (uint8_t)data) {
            s->bucket_written[i] = s->event;
        }
        s->bucket[i] = (uint8_t)data;
    } else if (addr >> 20 == EGRET_A_MATRIX(0, 0) >> 20) {
        hash_write(s, HASH_REGISTERS + (addr & 0xfffffu), data);
    } else if (addr >> 20 == EGRET_A_FLOWLET(0, 0) >> 20) {
        s->entry_written[(addr & 0xfffffu) >> 1] = s->event;
        s->entry_owner[(addr & 0xfffffu) >> 1] = 0;
    }
}

/* A bad bucket is repaired until it is written again, with whatever port: no port number. */
static void fault_write(struct order_state *s, uint32_t addr, uint32_t data)
{
    legal_write(s, addr, data);
    if (addr >> 20 == EGRET_A_BUCKET(0) >> 20) {
        s->bucket_written[addr & 0xfffffu] = s->event;
        s->bucket[addr & 0xfffffu] = UINT8_MAX;
    }
}

void egret_order_state_event(struct order_state *s, const struct egret_event *ev)
{
    s->event++;
    if (ev->kind == EGRET_EV_WRITE) {
        if (egret_ctl_check_write(&s->cfg, ev->addr, ev->data, NULL) == EGRET_OK) {
            legal_write(s, ev->addr & 0xffffffu, ev->data);
        }
    } else if (ev->kind == EGRET_EV_FAULT) {
        if (egret_ctl_check_fault(&s->cfg, ev->addr, ev->data, NULL) == EGRET_OK) {
            fault_write(s, ev->addr & 0xffffffu, ev->data);
        }
    } else if (ev->kind == EGRET_EV_PORT) {
        uint32_t port = ev->port & 0xffu;
        if (port < s->cfg.num_ports && (s->up >> port & 1u) != (ev->up & 1u)) {
            s->up ^= 1ull << port;
            s->port_changed[port] = s->event;
        }
    } else if (ev->kind == EGRET_EV_PACKET) {
        if (ev->now < s->last_now) {
            s->stepped_back = s->event;
        }
        s->last_now = ev->now;
        s->time = ev->now > s->time ? ev->now : s->time;
    }
}

uint64_t egret_order_members(const struct order_state *s, uint32_t group)
{
    if (group >= s->cfg.num_groups) {
        return 0;
    }
    const uint32_t *w = s->group[group].word + MEMBER_WORD;
    uint64_t all = UINT64_MAX >> (64u - s->cfg.num_ports);
    return ((uint64_t)w[1] << 32 | w[0]) & all;
}

/* Did a bucket change since `event`? i is a bucket of the group's slice, or -1 for any of them. */
static bool bucket_changed(const struct order_state *s, uint32_t group, int64_t i, uint64_t event)
{
    uint32_t base = s->group[group].word[BUCKET_WORD] & 0xffffu;
    uint32_t mask = s->group[group].word[BUCKET_WORD] >> 16;
    uint32_t first = i < 0 ? 0 : (uint32_t)i & mask;
    uint32_t last = i < 0 ? mask : first;
    for (uint32_t n = first; n <= last; n++) {
        uint32_t bucket = ((base + (n & mask)) & 0xffffu) & (s->cfg.num_buckets - 1u);
        if (s->bucket_written[bucket] > event) {
            return true;
        }
    }
    return false;
}

static uint32_t flowlet_why(const struct order_state *s, uint32_t flow, uint32_t skew_ns,
                            const struct order_last *last, const struct egret_event *ev,
                            const struct egret_decision *d)
{
    uint32_t bits = 0;
    uint32_t outcome = d->data >> 30;
    uint32_t index = d->data & 0xffffu & (s->cfg.num_flowlets - 1u);
    uint32_t owner = s->entry_owner[index];
    uint64_t idle = s->group[ev->group].word[IDLE_WORD] & IDLE_BITS;
    int64_t pause = (int64_t)(ev->now >> 4) - (int64_t)(last->now >> 4);
    bool foreign = owner != 0 && owner != flow;
    if (foreign && outcome == EGRET_FLOWLET_CONFLICT) {
        bits |= 1u << EGRET_ORDER_CONFLICT;
    } else if (foreign &&
               (outcome == EGRET_FLOWLET_EVICT || last->data >> 30 == EGRET_FLOWLET_CONFLICT)) {
        /* by this packet, or by one of another queue pair that hashes alike */
        bits |= 1u << EGRET_ORDER_EVICTED;
    }
    if (outcome == EGRET_FLOWLET_CONFLICT && bucket_changed(s, ev->group, -1, last->event)) {
        bits |= 1u << EGRET_ORDER_BUCKET;
    }
    if (s->entry_written[index] > last->event) {
        bits |= 1u << EGRET_ORDER_ENTRY;
    }
    if (pause > (int64_t)idle) {
        bits |= idle * 16u < skew_ns ? 1u << EGRET_ORDER_EXPIRED : ORDER_SAFE;
    }
    /* behind a step back, stamps run and the time of sending stands still */
    bool still = ev->now > last->now && s->time - last->time < ev->now - last->now;
    if (s->stepped_back > last->event || still) {
        bits |= 1u << EGRET_ORDER_TIME;
    }
    return bits;
}

bool egret_order_hashed(const struct order_state *s, const struct egret_event *ev,
                        const struct egret_decision *d)
{
    switch (d->scheme) {
    case EGRET_SCHEME_ECMP:
    case EGRET_SCHEME_FLOWLET:
        return true;
    case EGRET_SCHEME_FIXED:
    case EGRET_SCHEME_ENTROPY:
        return d->reason == EGRET_REASON_REPAIRED;
    case EGRET_SCHEME_SPRAY_QUALITY:
        return ev->length < s->small;
    default:
        return false;
    }
}

uint32_t egret_order_why(const struct order_state *s, uint32_t flow, uint32_t skew_ns,
                         const struct order_last *last, const struct egret_event *ev,
                         const struct egret_decision *d)
{
    uint32_t bits = 0;
    if (last->event == 0 || last->port == d->port) {
        return 0;
    }
    if (ev->group >= s->cfg.num_groups) {
        return ORDER_MOVED;
    }
    if (last->group != ev->group) {
        return ORDER_MOVED | 1u << EGRET_ORDER_ROUTE;
    }
    uint64_t members = egret_order_members(s, ev->group);
    for (uint32_t p = 0; p < s->cfg.num_ports; p++) {
        if ((members >> p & 1u) && s->port_changed[p] > last->event) {
            bits |= 1u << EGRET_ORDER_PORT;
        }
    }
    if (s->group[ev->group].written > last->event) {
        bits |= 1u << EGRET_ORDER_GROUP;
    }
    bool hashed = last->hashed && egret_order_hashed(s, ev, d);
    if (hashed && s->hash != last->hash) {
        bits |= 1u << EGRET_ORDER_HASH;
    }
    if (s->class_written > last->event) {
        bits |= 1u << EGRET_ORDER_CLASS;
    }
    if (d->scheme != last->scheme) { /* only what is above sends a flow by another scheme */
        return ORDER_MOVED | bits;
    }
    if (d->scheme == EGRET_SCHEME_FLOWLET && s->cfg.num_flowlets != 0) {
        bits |= flowlet_why(s, flow, skew_ns, last, ev, d);
    } else if (d->scheme == EGRET_SCHEME_ECMP || d->scheme == EGRET_SCHEME_ENTROPY ||
               (d->scheme == EGRET_SCHEME_SPRAY_QUALITY && hashed)) {
        int64_t i = d->data & 0xffffu;
        bits |= (uint32_t)bucket_changed(s, ev->group, i, last->event) << EGRET_ORDER_BUCKET;
    } else if (d->scheme == EGRET_SCHEME_FIXED) {
        bits |= (uint32_t)bucket_changed(s, ev->group, 0, last->event) << EGRET_ORDER_BUCKET;
    }
    return ORDER_MOVED | bits;
}

void egret_order_own(struct order_state *s, uint32_t flow, const struct egret_decision *d)
{
    if (d->scheme == EGRET_SCHEME_FLOWLET && s->cfg.num_flowlets != 0 &&
        d->data >> 30 != EGRET_FLOWLET_CONFLICT) {
        s->entry_owner[d->data & 0xffffu & (s->cfg.num_flowlets - 1u)] = flow;
    }
}
