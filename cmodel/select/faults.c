/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.c: parity (docs/spec/faults.md): which entries of tables and counters are bad, fault
 * writes, and packets while an entry is bad. Mirrors the parity bits of the RTL's memories.
 *
 * The fast path (apply.c) knows nothing of it: while any entry is bad, no group has a common case,
 * and a packet is what egret_explain() says of it.
 */
#include "internal.h"

#define REGION(addr) ((addr) >> 20 & 0xfu)
#define NO_BIT UINT32_MAX

/* Marks of the regions in a row; those without parity take none. */
static uint32_t region_marks(const struct egret_cfg *c, uint32_t region)
{
    switch (region) {
    case 0x1:
    case 0xa:
        return c->num_groups;
    case 0x2:
        return c->num_buckets;
    case 0x3:
        return 2 * c->num_rows * c->row_len;
    case 0x4:
        return c->num_keys * c->num_bins + c->num_groups;
    case 0x6:
        return c->num_ports;
    case 0x7:
        return 2 * c->num_groups;
    case 0x8:
        return 16 * EGRET_HASH_NIBBLES;
    case 0xb:
        return 8 * c->num_groups;
    case 0xc:
        return c->num_flowlets;
    default:
        return 0;
    }
}

size_t egret_marks_bytes(const struct egret_cfg *cfg)
{
    size_t marks = 0;

    if (cfg->parity == 0)
        return 0;
    for (uint32_t region = 0; region < 16; region++)
        marks += region_marks(cfg, region);
    return (marks + 7) / 8;
}

/* The mark of the entry that an existing word belongs to, or NO_BIT. */
static uint32_t mark_of(const struct egret *e, uint32_t addr)
{
    uint32_t offset = addr & 0xfffffu;
    uint32_t region = REGION(addr);
    uint32_t first = 0;

    if (region_marks(&e->cfg, region) == 0)
        return NO_BIT;
    for (uint32_t r = 0; r < region; r++)
        first += region_marks(&e->cfg, r);
    switch (region) {
    case 0x1:
        return first + (offset >> 3);
    case 0x3:
        return first + egret_schedule_index(e, offset);
    case 0x4:
        return first + egret_pointer_index(e, offset);
    case 0x6:
        return first + (offset >> 2);
    case 0xc:
        return first + (offset >> 1);
    default:
        return first + offset;
    }
}

bool egret_is_bad(const struct egret *e, uint32_t addr)
{
    uint32_t mark;

    if (e->num_bad == 0)
        return false;
    mark = mark_of(e, addr);
    return mark != NO_BIT && ((uint32_t)e->bad[mark / 8] >> mark % 8 & 1u) != 0;
}

void egret_set_bad(struct egret *e, uint32_t addr, bool bad)
{
    uint32_t mark;

    if (egret_is_bad(e, addr) == bad)
        return;
    mark = mark_of(e, addr);
    e->bad[mark / 8] = (uint8_t)((uint32_t)e->bad[mark / 8] ^ 1u << mark % 8);
    e->num_bad += bad ? 1u : ~0u;
    if (e->num_bad == (bad ? 1u : 0u))
        egret_fast_groups(e);
}

/* The entries of these have one word that is written, and a mark. */
static bool has_table(uint32_t region)
{
    return (0x151eu >> region & 1u) != 0; /* 1..4, 8, a, c */
}

void egret_regs_fault(struct egret *e, uint32_t addr, uint32_t data)
{
    uint32_t region = REGION(addr);

    if (egret_ctl_check_fault(&e->cfg, addr, data, NULL) != EGRET_OK) {
        e->writes_ignored++;
    } else if (egret_is_counter(addr)) {
        egret_set_bad(e, addr, !egret_is_bad(e, addr));
    } else {
        egret_regs_write(e, addr, data);
        if (has_table(region))
            egret_set_bad(e, addr, true);
    }
}

bool egret_hash_is_bad(const struct egret *e, const uint8_t record[EGRET_RECORD_BYTES])
{
    unsigned bad = 0;

    if (e->num_bad == 0 || e->cfg.hash_kind != EGRET_HASH_KIND_MATRIX)
        return false;
    for (unsigned n = 0; n < EGRET_HASH_NIBBLES; n++) {
        unsigned byte = record[n / 2];
        bad += egret_is_bad(e, EGRET_A_MATRIX(n, n % 2 == 0 ? byte >> 4 : byte & 15u));
    }
    return bad % 2 != 0;
}

uint32_t egret_flowlet_count_of(const struct egret_why *w)
{
    uint32_t port = w->old_entry & 0xffu;
    bool was = w->old_entry >> 31 && (w->faults >> EGRET_FAULT_FLOWLET & 1u) == 0 &&
               (w->old_entry >> 16 & 0xfffu) == w->flow_tag;

    if (w->outcome == EGRET_FLOWLET_NEW && was && port != w->choice)
        return EGRET_FLOWLET_REASSIGNED;
    return w->outcome;
}

/* A counter of 32 bits of which `addr` is the word. */
static void tick(struct egret *e, uint32_t addr, uint32_t *counter)
{
    *counter = egret_is_bad(e, addr) ? 1 : *counter + 1;
    egret_set_bad(e, addr, false);
}

static void count_sent(struct egret *e, const struct egret_event *ev, uint32_t port)
{
    struct egret_port_counter *c = &e->counter[port];

    if (egret_is_bad(e, EGRET_A_PORT_COUNTER(port, 0))) {
        e->load.port[port].bytes -= c->bytes; /* what the load has not seen yet stays */
        c->packets = 0;
        c->bytes = 0;
        egret_set_bad(e, EGRET_A_PORT_COUNTER(port, 0), false);
    }
    c->packets++;
    c->bytes += ev->length;
}

static void change_entries(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    struct egret_group_state *g = &e->group[ev->group];
    bool sent = w->decision.port != EGRET_PORT_DROP;

    switch (w->pointer != 0 ? w->scheme : EGRET_SCHEME_NONE) {
    case EGRET_SCHEME_SPRAY_RR:
    case EGRET_SCHEME_DR:
        e->pointer[egret_pointer_index(e, w->pointer & 0xfffffu)].entry = w->new_entry;
        egret_set_bad(e, w->pointer, false);
        break;
    case EGRET_SCHEME_SPRAY_QUALITY:
        if (sent && egret_drill_samples(g) != 0 && egret_drill_remembers(g)) {
            g->memory = (uint8_t)(EGRET_MEMORY_KEPT | (w->new_entry & EGRET_MEMORY_PORT));
            egret_set_bad(e, w->pointer, false);
        }
        break;
    case EGRET_SCHEME_FLOWLET:
        if (sent) {
            e->flowlet[w->flowlet].flow = egret_flowlet_flow(w->new_entry);
            e->flowlet[w->flowlet].last = w->new_last;
            egret_set_bad(e, w->pointer, false);
        }
        break;
    default:
        break;
    }
}

static void count(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    struct egret_group_state *g = &e->group[ev->group];

    if (w->decision.reason == EGRET_REASON_DROP_SCHEME)
        e->drops_scheme++;
    if (w->decision.reason == EGRET_REASON_DROP_INDEX)
        e->drops_index++;
    if (w->decision.port == EGRET_PORT_DROP) {
        tick(e, EGRET_A_GROUP_COUNTER(ev->group, 0), &g->drops);
        return;
    }
    count_sent(e, ev, w->decision.port);
    if (w->decision.reason == EGRET_REASON_REPAIRED)
        tick(e, EGRET_A_GROUP_COUNTER(ev->group, 1), &g->repairs);
    if (w->scheme == EGRET_SCHEME_FLOWLET) {
        uint32_t which = egret_flowlet_count_of(w);
        tick(e, EGRET_A_FLOWLET_COUNTER(ev->group, which), &g->flowlets[which]);
    }
}

int egret_faulty_packet(struct egret *e, const struct egret_event *ev, struct egret_decision *out)
{
    struct egret_why w;

    (void)egret_explain(e, ev, &w);
    *out = w.decision;
    e->random_at++;
    if (e->random_at > e->random_known)
        egret_random_refill(e);
    if (ev->group >= e->cfg.num_groups) {
        e->drops_index++;
        return EGRET_OK;
    }
    if (w.faults != 0) {
        e->faults++;
        e->fault_tables |= w.faults;
    }
    change_entries(e, ev, &w);
    count(e, ev, &w);
    return EGRET_OK;
}
