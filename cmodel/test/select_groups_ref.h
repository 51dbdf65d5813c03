/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_groups_ref.h: groups, buckets, ports and counters once more, from docs/spec/events.md,
 * ecmp.md and live-repair.md, without a function of the library. It sees each event with its
 * decision. The hash is the decision's own (published vectors check it elsewhere); from there on
 * all is computed here for ecmp, fixed, entropy and spray-random. Of the other schemes it checks
 * that the port is a live member at that event, or the drop the right one.
 */
#ifndef EGRET_SELECT_GROUPS_REF_H
#define EGRET_SELECT_GROUPS_REF_H

#include "select_test.h"

#define REF_GROUPS 128u
#define REF_BUCKETS 16384u

struct ref {
    struct egret_cfg cfg;
    uint32_t stage[7];
    uint32_t word[REF_GROUPS][7];
    uint8_t bucket[REF_BUCKETS];
    uint64_t up;
    uint32_t ordered;
    /* counters */
    uint64_t packets[64], bytes[64];
    uint32_t drops[REF_GROUPS], repairs[REF_GROUPS];
    uint32_t drops_scheme, drops_index, writes_ignored, events_ignored;
    uint64_t sent; /* packets in all */
    /* of the last packet */
    uint64_t members, live;
    /* what a test wants to count: by port and by reason */
    uint32_t by_port[64], by_reason[6];
};

static inline void ref_reset(struct ref *r, const struct egret_cfg *cfg)
{
    memset(r, 0, sizeof *r);
    r->cfg = *cfg;
    r->up = UINT64_MAX;
    REQUIRE(cfg->num_groups <= REF_GROUPS && cfg->num_buckets <= REF_BUCKETS);
}

static inline void ref_forget_counts(struct ref *r)
{
    memset(r->by_port, 0, sizeof r->by_port);
    memset(r->by_reason, 0, sizeof r->by_reason);
}

static inline uint64_t ref_ports(const struct ref *r)
{
    uint64_t mask = 0;
    for (uint32_t p = 0; p < r->cfg.num_ports; p++)
        mask |= (uint64_t)1 << p;
    return mask;
}

static inline uint32_t ref_count(uint64_t mask)
{
    uint32_t n = 0;
    for (; mask != 0; mask &= mask - 1)
        n++;
    return n;
}

/* The k-th of a mask from 0, lowest port first. */
static inline uint32_t ref_kth(uint64_t mask, uint32_t k)
{
    for (uint32_t p = 0; p < 64; p++)
        if ((mask >> p & 1u) && k-- == 0)
            return p;
    return 255;
}

static inline uint32_t ref_by(uint64_t mask, uint32_t r16)
{
    return ref_kth(mask, (uint32_t)((uint64_t)r16 * ref_count(mask) / 65536));
}

static inline void ref_write(struct ref *r, uint32_t address, uint32_t data)
{
    if (address == EGRET_A_CLASS_ORDERED) {
        r->ordered = data & 0xffffu;
    } else if (address >= EGRET_A_GROUP_STAGE1 && address <= EGRET_A_GROUP_STAGE6) {
        r->stage[1 + address - EGRET_A_GROUP_STAGE1] = data;
    } else if (address >> 20 == 1) {
        uint32_t g = (address & 0xfffffu) / 8;
        if (g >= r->cfg.num_groups || address % 8 != 0) {
            r->writes_ignored++;
        } else {
            memcpy(r->word[g], r->stage, sizeof r->stage);
            r->word[g][0] = data;
        }
    } else if (address >> 20 == 2) {
        if ((address & 0xfffffu) >= r->cfg.num_buckets || data >= r->cfg.num_ports)
            r->writes_ignored++;
        else
            r->bucket[address & 0xfffffu] = (uint8_t)data;
    }
}

static inline uint32_t ref_bucket(const struct ref *r, uint32_t group, uint32_t slice)
{
    uint32_t base = r->word[group][2] & 0xffffu, mask = r->word[group][2] >> 16;
    return r->bucket[((base + (slice & mask)) & 0xffffu) % r->cfg.num_buckets];
}

static inline uint32_t ref_slice(const struct ref *r, const struct egret_event *ev)
{
    return ev->entropy >> (r->word[ev->group][0] >> 24 & 31u) & 0xffffu;
}

/* What must come out: reason in *reason, port and choice; 256: not computed here. */
static inline void ref_expect(struct ref *r, const struct egret_event *ev,
                              const struct egret_decision *d, uint32_t *reason, uint32_t *choice,
                              uint32_t *port, uint32_t *scheme)
{
    uint32_t g = ev->group;
    *choice = *port = EGRET_PORT_DROP;
    *scheme = 0;
    r->members = r->live = 0;
    if (g >= r->cfg.num_groups) {
        *reason = EGRET_REASON_DROP_INDEX;
        return;
    }
    *scheme = r->word[g][0] & 15u;
    if ((r->ordered >> (ev->cls & 15u) & 1u) && (r->word[g][0] >> 12 & 15u) != 0)
        *scheme = r->word[g][0] >> 12 & 15u;
    r->members = ((uint64_t)r->word[g][4] << 32 | r->word[g][3]) & ref_ports(r);
    r->live = r->members & r->up;
    *reason = r->members == 0 ? EGRET_REASON_DROP_EMPTY
              : *scheme == 0 || *scheme > 8 || !(r->cfg.schemes >> *scheme & 1u)
                  ? EGRET_REASON_DROP_SCHEME
              : *scheme == EGRET_SCHEME_DR &&
                      (ev->key >= r->cfg.num_keys || ev->bin >= r->cfg.num_bins)
                  ? EGRET_REASON_DROP_INDEX
              : r->live == 0 ? EGRET_REASON_DROP_DOWN
                             : EGRET_REASON_CHOSEN;
    if (*reason != EGRET_REASON_CHOSEN)
        return;
    *choice = *scheme == EGRET_SCHEME_ECMP           ? ref_bucket(r, g, d->data & 0xffffu)
              : *scheme == EGRET_SCHEME_FIXED        ? ref_bucket(r, g, 0)
              : *scheme == EGRET_SCHEME_ENTROPY      ? ref_bucket(r, g, ref_slice(r, ev))
              : *scheme == EGRET_SCHEME_SPRAY_RANDOM ? ref_by(r->live, d->data >> 16)
                                                     : 256;
    if (*choice == 256) {
        *port = 256;
        if (d->choice >= 64 || !(r->live >> d->choice & 1u))
            *reason = EGRET_REASON_REPAIRED;
        else
            *port = d->choice;
    } else if (r->live >> *choice & 1u) {
        *port = *choice;
    } else {
        *reason = EGRET_REASON_REPAIRED;
        *port = ref_by(r->live, d->data >> 16);
    }
}

static inline void ref_packet(struct ref *r, const struct egret_event *ev,
                              const struct egret_decision *d)
{
    uint32_t reason, choice, port, scheme, g = ev->group;
    ref_expect(r, ev, d, &reason, &choice, &port, &scheme);
    bool sent = reason <= EGRET_REASON_REPAIRED;
    r->sent++;
    CHECK(d->reason == reason && d->scheme == scheme, "%s, group %u: reason %u, not %u; scheme %u",
          r->cfg.name, g, d->reason, reason, d->scheme);
    CHECK(choice == 256 || d->choice == choice, "%s, group %u, data %08x: choice %u, not %u",
          r->cfg.name, g, d->data, d->choice, choice);
    CHECK(port == 256 || d->port == port, "%s, group %u, data %08x: port %u, not %u", r->cfg.name,
          g, d->data, d->port, port);
    CHECK(!sent || (d->port < 64 && (r->live >> d->port & 1u)),
          "%s, group %u: port %u is no live member", r->cfg.name, g, d->port);
    if (reason < 6)
        r->by_reason[reason]++;
    if (sent && d->port < 64) {
        r->packets[d->port]++;
        r->bytes[d->port] += ev->length;
        r->by_port[d->port]++;
    }
    if (g < r->cfg.num_groups) {
        r->drops[g] += !sent;
        r->repairs[g] += reason == EGRET_REASON_REPAIRED;
    }
    r->drops_scheme += reason == EGRET_REASON_DROP_SCHEME;
    r->drops_index += reason == EGRET_REASON_DROP_INDEX;
}

/* A counter that is read has what was counted here. */
static inline void ref_read(const struct ref *r, uint32_t address, uint32_t data)
{
    uint32_t i = address & 0xfffffu, want = data;
    if (address >> 20 == 6 && i / 4 < r->cfg.num_ports) {
        uint64_t count = i % 4 < 2 ? r->packets[i / 4] : r->bytes[i / 4];
        want = (uint32_t)(i % 2 == 0 ? count : count >> 32 & 0xffu);
    } else if (address >> 20 == 7 && i / 2 < r->cfg.num_groups) {
        want = i % 2 == 0 ? r->drops[i / 2] : r->repairs[i / 2];
    } else if (address == EGRET_A_WRITES_IGNORED) {
        want = r->writes_ignored;
    } else if (address == EGRET_A_EVENTS_IGNORED) {
        want = r->events_ignored;
    } else if (address == EGRET_A_DROPS_SCHEME) {
        want = r->drops_scheme;
    } else if (address == EGRET_A_DROPS_INDEX) {
        want = r->drops_index;
    }
    CHECK(data == want, "%s: %06x reads %u, not %u", r->cfg.name, address, data, want);
}

/* A `see` of struct sut. */
static inline void ref_see(void *ctx, const struct egret_event *ev, const struct egret_decision *d)
{
    struct ref *r = ctx;
    switch (ev->kind) {
    case EGRET_EV_PACKET:
        ref_packet(r, ev, d);
        break;
    case EGRET_EV_WRITE:
        ref_write(r, ev->addr & 0xffffffu, ev->data);
        break;
    case EGRET_EV_READ:
        ref_read(r, ev->addr & 0xffffffu, d->data);
        break;
    case EGRET_EV_PORT:
    case EGRET_EV_QUEUE:
        if (ev->port >= r->cfg.num_ports)
            r->events_ignored++;
        else if (ev->kind == EGRET_EV_PORT)
            r->up = (r->up & ~((uint64_t)1 << ev->port)) | (uint64_t)(ev->up & 1u) << ev->port;
        break;
    default:
        break;
    }
}

#endif
