/* SPDX-License-Identifier: Apache-2.0 */
/*
 * placement.c: see placement.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "placement.h"

/* The element of a key; null without memory. */
static struct placed *element(struct placement_table *t, const uint8_t *key)
{
    uint32_t number = egret_qp_number(&t->number, key);
    if (number > t->capacity) {
        size_t capacity = t->capacity ? 2u * t->capacity : 8u;
        struct placed *placed = realloc(t->placed, capacity * sizeof *placed);
        if (!placed) {
            return NULL;
        }
        memset(placed + t->capacity, 0, (capacity - t->capacity) * sizeof *placed);
        t->placed = placed;
        t->capacity = capacity;
    }
    return number ? &t->placed[number - 1u] : NULL;
}

static size_t used(const struct placement_table *t)
{
    return t->number.used < t->capacity ? t->number.used : t->capacity;
}

static void add(struct placed *p, const struct egret_event *ev, uint32_t port)
{
    p->packets++;
    p->bytes += ev->length;
    p->ports |= 1ull << port;
}

void egret_placement_packet(struct placement *p, const struct egret_event *ev, uint32_t port)
{
    uint8_t key[QP_KEY];
    if (!egret_qp_of(ev->record, ev->group, key)) {
        return;
    }
    struct placed *own = element(&p->queue_pairs, key);
    memset(key + 32, 0, 3); /* of all queue pairs of the two hosts */
    struct placed *hosts = element(&p->hosts, key);
    if (!own || !hosts) {
        p->out_of_memory = true;
        return;
    }
    hosts->queue_pairs += own->packets == 0;
    own->queue_pairs = 1;
    add(own, ev, port);
    add(hosts, ev, port);
}

void egret_placement_free(struct placement *p)
{
    egret_qp_free(&p->queue_pairs.number);
    egret_qp_free(&p->hosts.number);
    free(p->queue_pairs.placed);
    free(p->hosts.placed);
}

static uint32_t ports_of(const struct placed *p)
{
    uint32_t n = 0;
    for (uint64_t left = p->ports; left; left &= left - 1u) {
        n++;
    }
    return n;
}

uint64_t egret_placement_on(const struct placement *p, uint32_t port)
{
    uint64_t n = 0;
    for (size_t i = 0; i < used(&p->queue_pairs); i++) {
        n += p->queue_pairs.placed[i].ports >> port & 1u;
    }
    return n;
}

uint32_t egret_placement_group(const struct placement *p, uint32_t group, uint64_t *ports)
{
    uint32_t n = 0;
    *ports = 0;
    for (size_t i = 0; i < used(&p->queue_pairs); i++) {
        const uint8_t *key = p->queue_pairs.number.key[i];
        if (((uint32_t)key[QP_BYTES] << 8 | key[QP_BYTES + 1u]) == group) {
            *ports |= p->queue_pairs.placed[i].ports;
            n++;
        }
    }
    return n;
}

void egret_placement_json(const struct placement *p, struct egret_outfile *f)
{
    const struct placement_table *qp = &p->queue_pairs;
    uint32_t min = 0;
    uint32_t max = 0;
    uint64_t one = 0;
    uint64_t several = 0;
    uint64_t one_path = 0;
    for (size_t i = 0; i < used(qp); i++) {
        uint32_t n = ports_of(&qp->placed[i]);
        min = i == 0 || n < min ? n : min;
        max = n > max ? n : max;
        one += n == 1u;
    }
    for (size_t i = 0; i < used(&p->hosts); i++) {
        bool more = p->hosts.placed[i].queue_pairs > 1u;
        several += more;
        one_path += more && ports_of(&p->hosts.placed[i]) == 1u;
    }
    egret_outfile_printf(f,
                         "  \"queue_pairs\": {\"used\": %zu, \"min_ports\": %u, "
                         "\"max_ports\": %u, \"on_one_port\": %" PRIu64 "},\n",
                         used(qp), min, max, one);
    egret_outfile_printf(f,
                         "  \"host_pairs\": {\"used\": %zu, \"with_several_queue_pairs\": %" PRIu64
                         ", \"on_one_path\": %" PRIu64 "},\n",
                         used(&p->hosts), several, one_path);
}

void egret_placement_csv(const struct placement *p, struct egret_outfile *f)
{
    egret_outfile_printf(f, "source,destination,qp,group,packets,bytes,num_ports,ports\n");
    for (size_t i = 0; i < used(&p->queue_pairs); i++) {
        const struct placed *one = &p->queue_pairs.placed[i];
        const uint8_t *key = p->queue_pairs.number.key[i];
        char source[48];
        char destination[48];
        const char *between = "";
        egret_qp_address(key, 0, source, sizeof source);
        egret_qp_address(key, 1, destination, sizeof destination);
        egret_outfile_printf(f, "%s,%s,0x%02x%02x%02x,%u,%" PRIu64 ",%" PRIu64 ",%u,", source,
                             destination, key[32], key[33], key[34],
                             (unsigned)key[QP_BYTES] << 8 | key[QP_BYTES + 1u], one->packets,
                             one->bytes, ports_of(one));
        for (unsigned port = 0; port < EGRET_MAX_PORTS; port++) {
            if (one->ports >> port & 1u) {
                egret_outfile_printf(f, "%s%u", between, port);
                between = " ";
            }
        }
        egret_outfile_printf(f, "\n");
    }
}
