/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats.c: see trace_stats.h. Counters a port, a pointer and a destination; spread is the largest
 * count less the smallest over the members that are ports of the group.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "egret/regs.h"
#include "egret/trace_stats.h"
#include "placement.h"

struct counts {
    uint32_t *packets; /* elements of num_ports counters */
    uint64_t *members; /* ports that an element may use */
    uint32_t *worst;   /* largest spread so far */
    uint32_t elements;
};

struct egret_stats {
    struct egret_cfg cfg;
    uint64_t *group_members;
    uint64_t packets[EGRET_MAX_PORTS];
    uint64_t bytes[EGRET_MAX_PORTS];
    uint64_t reason[8];
    uint64_t left_out;        /* packets of groups without a choice, and drops */
    struct counts pointer_rr; /* by group */
    struct counts key_bin;    /* by key and bin: destinations, and the pointers of dr */
    struct counts key;        /* by key */
    struct placement placement;
};

static int counts_create(struct counts *c, uint32_t elements, uint32_t ports)
{
    c->elements = elements;
    c->packets = calloc((size_t)elements * ports, sizeof *c->packets);
    c->members = calloc(elements, sizeof *c->members);
    c->worst = calloc(elements, sizeof *c->worst);
    return c->packets && c->members && c->worst ? EGRET_OK : EGRET_ERR_MEMORY;
}

static void counts_free(struct counts *c)
{
    free(c->packets);
    free(c->members);
    free(c->worst);
}

int egret_stats_create(const struct egret_cfg *cfg, struct egret_stats **out)
{
    struct egret_stats *s = calloc(1, sizeof *s);
    if (!s) {
        return EGRET_ERR_MEMORY;
    }
    s->cfg = *cfg;
    s->group_members = calloc(cfg->num_groups, sizeof *s->group_members);
    if (!s->group_members || counts_create(&s->pointer_rr, cfg->num_groups, cfg->num_ports) ||
        counts_create(&s->key_bin, cfg->num_keys * cfg->num_bins, cfg->num_ports) ||
        counts_create(&s->key, cfg->num_keys, cfg->num_ports)) {
        egret_stats_destroy(s);
        return EGRET_ERR_MEMORY;
    }
    *out = s;
    return EGRET_OK;
}

void egret_stats_destroy(struct egret_stats *s)
{
    if (s) {
        counts_free(&s->pointer_rr);
        counts_free(&s->key_bin);
        counts_free(&s->key);
        egret_placement_free(&s->placement);
        free(s->group_members);
        free(s);
    }
}

static uint32_t read_word(struct egret *model, uint32_t addr)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_READ;
    ev.addr = addr;
    (void)egret_apply(model, &ev, &d);
    return d.data;
}

static void group_committed(struct egret_stats *s, struct egret *model, uint32_t group)
{
    uint64_t high = read_word(model, EGRET_A_GROUP(group, 4));
    s->group_members[group] = high << 32 | read_word(model, EGRET_A_GROUP(group, 3));
}

static void spread(const struct egret_stats *s, const struct counts *c, uint32_t element,
                   uint32_t *min, uint32_t *max, uint64_t *sum, uint32_t *ports)
{
    const uint32_t *p = c->packets + (size_t)element * s->cfg.num_ports;
    *min = UINT32_MAX;
    *max = 0;
    *sum = 0;
    *ports = 0;
    for (uint32_t i = 0; i < s->cfg.num_ports; i++) {
        if (c->members[element] >> i & 1u) {
            *min = p[i] < *min ? p[i] : *min;
            *max = p[i] > *max ? p[i] : *max;
            *sum += p[i];
            *ports += 1u;
        }
    }
}

static void count(const struct egret_stats *s, struct counts *c, uint32_t element, uint32_t port,
                  uint64_t members)
{
    uint32_t min;
    uint32_t max;
    uint64_t sum;
    uint32_t ports;
    c->members[element] |= members;
    c->packets[(size_t)element * s->cfg.num_ports + port]++;
    spread(s, c, element, &min, &max, &sum, &ports);
    if (max - min > c->worst[element]) {
        c->worst[element] = max - min;
    }
}

static void packet(struct egret_stats *s, const struct egret_event *ev,
                   const struct egret_decision *d)
{
    s->reason[d->reason & 7u]++;
    uint64_t members = ev->group < s->cfg.num_groups ? s->group_members[ev->group] : 0;
    if (d->port >= s->cfg.num_ports || (members & (members - 1u)) == 0) {
        s->left_out++;
        return;
    }
    s->packets[d->port]++;
    s->bytes[d->port] += ev->length;
    egret_placement_packet(&s->placement, ev, d->port);
    if (d->scheme == EGRET_SCHEME_SPRAY_RR) {
        count(s, &s->pointer_rr, ev->group, d->port, members);
    }
    if (ev->key < s->cfg.num_keys) {
        count(s, &s->key, ev->key, d->port, members);
        if (ev->bin < s->cfg.num_bins) {
            count(s, &s->key_bin, ev->key * s->cfg.num_bins + ev->bin, d->port, members);
        }
    }
}

void egret_stats_event(struct egret_stats *s, struct egret *model, const struct egret_event *ev,
                       const struct egret_decision *d)
{
    uint32_t group = (ev->addr & 0xfffffu) >> 3;
    if (ev->kind == EGRET_EV_PACKET) {
        packet(s, ev, d);
    } else if ((ev->kind == EGRET_EV_WRITE || ev->kind == EGRET_EV_FAULT) &&
               (ev->addr & 0xf00007u) == EGRET_A_GROUP(0, 0) && group < s->cfg.num_groups) {
        group_committed(s, model, group);
    }
}

/* a / b with six decimals. */
static void ratio(struct egret_outfile *f, uint64_t a, uint64_t b)
{
    uint64_t millionths = b ? a / b * 1000000u + a % b * 1000000u / b : 0;
    egret_outfile_printf(f, "%" PRIu64 ".%06" PRIu64, millionths / 1000000u, millionths % 1000000u);
}

static void ports_json(const struct egret_stats *s, struct egret_outfile *f)
{
    uint64_t members = 0;
    uint64_t packets = 0;
    uint64_t bytes = 0;
    uint64_t max_packets = 0;
    uint64_t max_bytes = 0;
    uint64_t n = 0;
    for (uint32_t g = 0; g < s->cfg.num_groups; g++) {
        uint64_t m = s->group_members[g];
        members |= m & (m - 1u) ? m : 0;
    }
    egret_outfile_printf(f, "  \"ports\": [");
    for (uint32_t p = 0; p < s->cfg.num_ports; p++) {
        if (members >> p & 1u) {
            egret_outfile_printf(
                f,
                "%s\n    {\"port\": %u, \"packets\": %" PRIu64 ", \"bytes\": %" PRIu64
                ", \"queue_pairs\": %" PRIu64 "}",
                n ? "," : "", p, s->packets[p], s->bytes[p], egret_placement_on(&s->placement, p));
            n++;
            packets += s->packets[p];
            bytes += s->bytes[p];
            max_packets = s->packets[p] > max_packets ? s->packets[p] : max_packets;
            max_bytes = s->bytes[p] > max_bytes ? s->bytes[p] : max_bytes;
        }
    }
    egret_outfile_printf(f,
                         "\n  ],\n  \"packets\": %" PRIu64 ",\n  \"bytes\": %" PRIu64
                         ",\n  \"max_over_mean_packets\": ",
                         packets, bytes);
    ratio(f, max_packets * n, packets);
    egret_outfile_printf(f, ",\n  \"max_over_mean_bytes\": ");
    ratio(f, max_bytes * n, bytes);
    egret_outfile_printf(f, ",\n");
}

/* The worst element: by spread at any time, and by max over mean at the end. */
static void counts_json(const struct egret_stats *s, const struct counts *c, const char *name,
                        bool with_bin, struct egret_outfile *f)
{
    uint32_t used = 0;
    uint32_t worst = 0;
    uint64_t top = 0; /* max * ports / sum of the worst, as a fraction */
    uint64_t bottom = 1;
    uint32_t final = 0;
    for (uint32_t e = 0; e < c->elements; e++) {
        uint32_t min;
        uint32_t max;
        uint64_t sum;
        uint32_t ports;
        spread(s, c, e, &min, &max, &sum, &ports);
        if (sum == 0) {
            continue;
        }
        used++;
        worst = c->worst[e] > c->worst[worst] ? e : worst;
        final = max - min > final ? max - min : final;
        if ((uint64_t)max * ports * bottom > top * sum) {
            top = (uint64_t)max * ports;
            bottom = sum;
        }
    }
    egret_outfile_printf(f, "  \"%s\": {\"used\": %u, \"worst_spread\": %u, ", name, used,
                         c->worst[worst]);
    if (with_bin) {
        egret_outfile_printf(f, "\"key\": %u, \"bin\": %u, ", worst / s->cfg.num_bins,
                             worst % s->cfg.num_bins);
    } else {
        egret_outfile_printf(f, "\"index\": %u, ", worst);
    }
    egret_outfile_printf(f, "\"worst_final_spread\": %u, \"worst_max_over_mean\": ", final);
    ratio(f, top, bottom);
    egret_outfile_printf(f, "}");
}

uint32_t egret_stats_one_path(const struct egret_stats *s, uint32_t group, uint32_t *port)
{
    uint64_t members = group < s->cfg.num_groups ? s->group_members[group] : 0;
    uint64_t ports = 0;
    bool choice = (members & (members - 1u)) != 0;
    uint32_t n = choice ? egret_placement_group(&s->placement, group, &ports) : 0;
    if (n < 2u || (ports & (ports - 1u)) != 0) {
        return 0;
    }
    for (*port = 0; !(ports >> *port & 1u); (*port)++) {
    }
    return n;
}

/* Groups with a choice whose queue pairs, two or more, all left by one port. */
static void one_path_json(const struct egret_stats *s, struct egret_outfile *f)
{
    const char *between = "";
    egret_outfile_printf(f, "  \"one_path\": [");
    for (uint32_t g = 0; g < s->cfg.num_groups; g++) {
        uint32_t port = 0;
        uint32_t n = egret_stats_one_path(s, g, &port);
        if (n) {
            egret_outfile_printf(f, "%s{\"group\": %u, \"only_port\": %u, \"queue_pairs\": %u}",
                                 between, g, port, n);
            between = ", ";
        }
    }
    egret_outfile_printf(f, "],\n");
}

void egret_stats_queue_pairs(const struct egret_stats *s, struct egret_outfile *f)
{
    egret_placement_csv(&s->placement, f);
}

bool egret_stats_complete(const struct egret_stats *s)
{
    return !s->placement.out_of_memory;
}

void egret_stats_json(const struct egret_stats *s, struct egret_outfile *f)
{
    egret_outfile_printf(f, "{\n  \"config\": \"%s\",\n  \"reasons\": {", s->cfg.name);
    for (unsigned i = 0; egret_reason_name(i); i++) {
        egret_outfile_printf(f, "%s\"%s\": %" PRIu64, i ? ", " : "", egret_reason_name(i),
                             s->reason[i]);
    }
    egret_outfile_printf(f, "},\n  \"left_out\": %" PRIu64 ",\n", s->left_out);
    ports_json(s, f);
    egret_placement_json(&s->placement, f);
    one_path_json(s, f);
    counts_json(s, &s->pointer_rr, "group_pointers", false, f);
    egret_outfile_printf(f, ",\n");
    counts_json(s, &s->key_bin, "destination_bins", true, f);
    egret_outfile_printf(f, ",\n");
    counts_json(s, &s->key, "destinations", false, f);
    egret_outfile_printf(f, "\n}\n");
}
