/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_model_faults.h: fault writes of select_model.c: where, how often, and what came of them.
 */
#ifndef EGRET_SELECT_MODEL_FAULTS_H
#define EGRET_SELECT_MODEL_FAULTS_H

#include "select_ref_model.h"

/* Fault writes of a chunk, to be healed at its end. */
#define MAX_FAULTS 24
static uint32_t fault_at[MAX_FAULTS];
static size_t num_faults;

/* A word of what the packet `p` would use now; any word if it has none of that table. */
static uint32_t used_address(const struct egret *e, const struct egret_event *p)
{
    struct egret_why why;
    uint32_t group = p->group, n = test_below(82), port;

    REQUIRE(egret_explain(e, p, &why) == EGRET_OK);
    port = why.decision.port;
    switch (test_below(13)) {
    case 0:
        return test_chance(4) ? EGRET_A_GROUP(group, 0) : why.pointer;
    case 1:
        return EGRET_A_MATRIX(n, n % 2 ? p->record[n / 2] % 16 : p->record[n / 2] / 16);
    case 2:
    case 3:
        return EGRET_A_BUCKET(why.bucket);
    case 4:
        return EGRET_A_SCHEDULE(test_below(2), why.row, why.slot);
    case 5:
    case 6:
        return why.pointer;
    case 7:
        return EGRET_A_PORT_COUNTER(port, test_below(4));
    case 8:
        return EGRET_A_GROUP_COUNTER(group, test_below(2));
    default:
        return EGRET_A_FLOWLET_COUNTER(group, test_below(5));
    }
}

/* A value that the entry takes: its own with a bit flipped, or its own. */
static uint32_t flipped(const struct ref *r, uint32_t a)
{
    uint32_t v = a < REF_WORDS ? r->word[a] : 0;
    uint32_t ports = a / 0x100000u == 2 || a / 0x100000u == 3 ? r->c.num_ports : 0;
    uint32_t bit = ports != 0 ? test_below(6) : test_below(32);

    if (test_chance(3) || (ports != 0 && (v ^ 1u << bit) >= ports))
        return v;
    return v ^ 1u << bit;
}

/* Now and then makes a fault write of *ev, or, within the last `left` events of a chunk, a write
 * that heals one of those before. */
static void faulty_event(struct egret_event *ev, const struct egret *e, const struct ref *r,
                         const struct egret_event *packet, size_t left)
{
    if (left <= num_faults) {
        uint32_t a = fault_at[--num_faults];
        if (r->bad[ref_entry(a)] == 0)
            return;
        ev->kind = ref_is_counter(a) ? EGRET_EV_FAULT : EGRET_EV_WRITE;
        ev->addr = a;
        ev->data = r->word[a];
    } else if (ev->kind == EGRET_EV_WRITE && test_chance(4)) {
        ev->kind = EGRET_EV_FAULT;
        if (!test_chance(4)) {
            ev->addr = used_address(e, packet);
            ev->data = flipped(r, ev->addr);
        }
        if (num_faults < MAX_FAULTS && (ev->addr & 0xffffffu) < REF_WORDS)
            fault_at[num_faults++] = ev->addr & 0xffffffu;
    }
}

static unsigned long met[10], met_several;

static void see_faults(const struct egret_why *w)
{
    for (unsigned i = 0; i < 10; i++)
        met[i] += w->faults >> i & 1u;
    met_several += (w->faults & (w->faults - 1)) != 0;
}

static void check_seen_faults(void)
{
    printf("faults met by table:");
    for (unsigned i = 0; i < 10; i++) {
        printf(" %lu", met[i]);
        CHECK(met[i] >= 20, "table %u: %lu packets met a bad entry", i, met[i]);
    }
    printf("; %lu met several\n", met_several);
    CHECK(met_several >= 20, "%lu packets met several", met_several);
}

#endif
