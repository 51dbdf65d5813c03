/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.c: the events of one switch as a stimulus (docs/trace.md), which any bench replays.
 *
 * First the writes that set the switch up, then those of the front end; then every event as the
 * selector was given it. A packet becomes a frame whose headers say what request.h filled in. The
 * recorder keeps a front end of its own and resolves each frame as a reader of the file will: a
 * route that has changed is written anew before the frame, and any other difference is an error, so
 * what the file says is what the selector was asked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/classmap.h"
#include "egret/trace_front.h"
#include "frame.h"
#include "plan.h"
#include "request.h"

#define BTH_END 54u /* Ethernet, IPv4, UDP, BTH: what the parser needs of a frame */

struct fab_recorder {
    struct egret_stimulus_writer *writer;
    struct egret_front *front;
    uint32_t node;
    uint64_t now; /* time stamp of the next write */
    int code;     /* the first error of a write */
};

/* ---- set-up ---- */

static int emit(void *ctx, uint32_t addr, uint32_t data)
{
    struct fab_recorder *r = ctx;
    struct egret_event ev;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_WRITE;
    ev.now = r->now;
    ev.addr = addr;
    ev.data = data;
    int code = egret_writer_event(r->writer, &ev);
    if (code == EGRET_OK && addr >= EGRET_A_FRONT) {
        code = egret_front_write(r->front, addr, data) ? EGRET_OK : EGRET_ERR_RANGE;
    }
    r->code = r->code ? r->code : code;
    return code;
}

/* The places that one route of a switch leads to: [first, first + n). Routes are numbered in the
 * order of their places: of an edge its hosts and the other edges; of an aggregation switch the
 * edges of its pod and the other pods; of a core the pods. */
struct reach {
    uint32_t route;
    uint32_t first;
    uint32_t n;
};

static struct reach reach_of(const struct egret_fabric *f, const struct fab_node *n, uint32_t place)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t hosts = t->hosts_per_edge;
    uint32_t pod_hosts = hosts * t->edges_per_pod;
    uint32_t edge = place / hosts;
    uint32_t pod = place / pod_hosts;
    struct reach r;
    if (n->kind == FAB_EDGE && edge == n->index) {
        r = (struct reach){edge + place % hosts, place, 1};
    } else if (n->kind == FAB_EDGE) {
        r = (struct reach){edge > n->index ? edge - 1u + hosts : edge, edge * hosts, hosts};
    } else if (n->kind == FAB_AGG && (t->tiers == 2u || pod == n->index / t->aggs_per_pod)) {
        r = (struct reach){pod + edge % t->edges_per_pod, edge * hosts, hosts};
    } else if (n->kind == FAB_AGG) {
        uint32_t own = n->index / t->aggs_per_pod;
        r = (struct reach){pod > own ? pod - 1u + t->edges_per_pod : pod, pod * pod_hosts,
                           pod_hosts};
    } else {
        r = (struct reach){pod, pod * pod_hosts, pod_hosts};
    }
    return r;
}

/* A route to all places of a reach: the bits that their addresses have in common. */
static void write_route(const struct egret_fabric *f, struct fab_recorder *r,
                        const struct reach *reach, uint32_t group, uint32_t key)
{
    uint32_t value = f->address[reach->first];
    uint32_t differ = 0;
    for (uint32_t i = 0; i < reach->n; i++) {
        differ |= value ^ f->address[reach->first + i];
    }
    for (uint32_t shift = 1; shift < 32u; shift *= 2u) {
        differ |= differ >> shift;
    }
    (void)emit(r, EGRET_A_FRONT_ROUTE_VALUE(0), value & ~differ);
    (void)emit(r, EGRET_A_FRONT_ROUTE_MASK(0), ~differ);
    (void)emit(r, EGRET_A_FRONT_ROUTE(reach->route), key << 16 | group);
}

static void front_writes(const struct egret_fabric *f, const struct fab_node *n,
                         struct fab_recorder *r)
{
    struct egret_classmap map;
    egret_classmap_default(&map);
    (void)emit(r, EGRET_A_FRONT_ENTROPY, EGRET_ENTROPY_SOURCE_PORT);
    (void)emit(r, EGRET_A_FRONT_THRESHOLD(0), 0); /* what is no ACK is data, however short */
    (void)emit(r, EGRET_A_FRONT_THRESHOLDS, 1);
    (void)emit(r, EGRET_A_FRONT_ACK_BIN, 0);
    for (uint32_t op = 0; op < 256u; op++) {
        if (map.opcode[op]) {
            (void)emit(r, EGRET_A_FRONT_OPCODE(op), map.opcode[op]);
        }
    }
    (void)emit(r, EGRET_A_FRONT_DEFAULT, 0);
    (void)emit(r, EGRET_A_FRONT_ROUTE_FAMILY, 4);
    for (uint32_t place = 0; place < f->spec.topology.hosts && !r->code;) {
        struct reach reach = reach_of(f, n, place);
        uint16_t group;
        uint16_t key;
        fab_request(f, n, place, &group, &key);
        write_route(f, r, &reach, group, key);
        place = reach.first + reach.n;
    }
}

/* What the switch can be named by. */
static void name_of(const struct fab_node *n, char *out, size_t size)
{
    static const char *const kind[] = {"hosts", "edge", "agg", "core"};
    (void)snprintf(out, size, "%s:%u", kind[n->kind & 3u], n->index);
}

static int check(const struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_fabric_spec *s = &f->spec;
    uint64_t switches = f->nodes - f->first_node[FAB_EDGE];
    if ((uint64_t)s->record >= switches || !s->record_path) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "record: no such switch, of %llu",
                                (unsigned long long)switches);
    }
    const struct fab_node *n = &f->node[f->first_node[FAB_EDGE] + (uint32_t)s->record];
    if (!n->ops) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "record: jsq has no selector to replay it");
    }
    if (s->header_bytes < BTH_END + FAB_FCS_BYTES || s->ack_bytes < BTH_END + FAB_FCS_BYTES) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "record: packets and ACKs need %u bytes for their headers",
                                BTH_END + FAB_FCS_BYTES);
    }
    /* An edge has most: to its hosts and the other edges. */
    _Static_assert(FAB_MAX_KEYS + EGRET_MAX_PORTS <= EGRET_FRONT_ROUTES, "routes of a switch");
    return EGRET_OK;
}

int egret_fab_record_open(struct egret_fabric *f, struct egret_trace_error *err)
{
    if (f->spec.record < 0) {
        return EGRET_OK;
    }
    int code = check(f, err);
    if (code) {
        return code;
    }
    uint32_t node = f->first_node[FAB_EDGE] + (uint32_t)f->spec.record;
    struct fab_recorder *r = calloc(1, sizeof *r);
    if (!r) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    f->node[node].recorder = r;
    r->node = node;
    if (egret_front_create(&r->front)) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    code = egret_writer_open(f->spec.record_path, &r->writer, err);
    if (code == EGRET_OK) {
        code = egret_fab_switch_writes(f, node, emit, r, err);
    }
    if (code == EGRET_OK) {
        front_writes(f, &f->node[node], r);
        code = r->code ? egret_trace_fail(err, r->code, "record: a set-up write failed: %s",
                                          egret_strerror(r->code))
                       : EGRET_OK;
    }
    return code;
}

/* ---- events ---- */

static void fail(struct fab_worker *w, int code, const char *what)
{
    if (!w->code) {
        w->code = code;
        (void)snprintf(w->text, sizeof w->text, "record: %s", what);
    }
}

static void address(uint32_t host_order, struct frame_address *out)
{
    memset(out, 0, sizeof *out);
    fab_put_be32(out->bytes, host_order);
}

/* The frame's headers; the number of bytes of them that lie within the frame. */
static uint32_t build(const struct egret_fabric *f, const struct fab_packet *p,
                      uint8_t bytes[FRAME_MAX_HEADERS])
{
    struct frame_spec s;
    uint32_t length = p->length - FAB_FCS_BYTES;
    uint32_t on_wire;
    bool ack = p->flags & FAB_ACK;
    memset(&s, 0, sizeof s);
    address(f->address[p->src], &s.src);
    address(f->address[p->dst], &s.dst);
    s.protocol = 17;
    s.source_port = fab_source_port(p->entropy);
    s.dest_port = EGRET_UDP_PORT_ROCE;
    s.opcode = ack ? BTH_ACK : BTH_WRITE_ONLY;
    s.ask_ack = !ack;
    s.dest_qp = p->flow & 0xffffffu;
    s.psn = p->sequence & 0xffffffu;
    s.dma_length = ack || p->length < f->spec.header_bytes ? 0 : p->length - f->spec.header_bytes;
    s.length = length;
    uint32_t n = egret_frame_build(&s, bytes, &on_wire);
    return n < length ? n : length; /* a trimmed packet may end within its RETH */
}

static bool same_request(const struct egret_event *a, const struct egret_event *b)
{
    return a->group == b->group && a->key == b->key && a->length == b->length && a->bin == b->bin &&
           a->cls == b->cls && a->entropy == b->entropy &&
           memcmp(a->record, b->record, sizeof a->record) == 0;
}

static void record_packet(struct fab_worker *w, struct fab_node *n, const struct egret_event *ev,
                          const struct fab_packet *p)
{
    const struct egret_fabric *f = w->fabric;
    struct fab_recorder *r = n->recorder;
    uint8_t bytes[FRAME_MAX_HEADERS];
    struct egret_parsed parsed;
    struct egret_event seen;
    uint32_t length = p->length - FAB_FCS_BYTES;
    uint32_t headers = build(f, p, bytes);
    memset(&seen, 0, sizeof seen);
    if (egret_parse(bytes, headers, length, &parsed) == EGRET_OK) {
        (void)egret_front_resolve(r->front, &parsed, length, &seen);
        if (seen.group != ev->group || seen.key != ev->key) { /* routing has changed */
            struct reach reach = reach_of(f, n, p->dst);
            write_route(f, r, &reach, ev->group, ev->key);
            (void)egret_front_resolve(r->front, &parsed, length, &seen);
        }
    }
    if (!same_request(&seen, ev)) {
        fail(w, EGRET_ERR_INTERNAL, "a packet's frame does not give the packet's request");
        return;
    }
    int code = egret_writer_packet(r->writer, ev->now, bytes, headers, length);
    if (code || r->code) {
        fail(w, code ? code : r->code, "a packet cannot be written");
    }
}

void egret_fab_record(struct fab_worker *w, struct fab_node *n, const struct egret_event *ev,
                      const struct fab_packet *packet)
{
    struct fab_recorder *r = n->recorder;
    if (w->code) {
        return;
    }
    r->now = ev->now;
    if (ev->kind == EGRET_EV_PACKET) {
        record_packet(w, n, ev, packet);
        return;
    }
    int code = egret_writer_event(r->writer, ev);
    if (code) {
        fail(w, code, "an event cannot be written");
    } else if (egret_writer_failed(r->writer)) {
        fail(w, EGRET_ERR_RANGE, "the file cannot be written");
    }
}

static void drop(struct egret_fabric *f, struct fab_recorder *r)
{
    f->node[r->node].recorder = NULL;
    egret_front_destroy(r->front);
    free(r);
}

void egret_fab_record_abort(struct egret_fabric *f)
{
    for (uint32_t i = f->node ? f->first_node[FAB_EDGE] : f->nodes; i < f->nodes; i++) {
        struct fab_recorder *r = f->node[i].recorder;
        if (r) {
            egret_writer_abort(r->writer);
            drop(f, r);
        }
    }
}

int egret_fab_record_close(struct egret_fabric *f, struct egret_trace_error *err)
{
    if (f->spec.record < 0) {
        return EGRET_OK;
    }
    struct fab_node *n = &f->node[f->first_node[FAB_EDGE] + (uint32_t)f->spec.record];
    struct fab_recorder *r = n->recorder;
    if (!r) {
        return EGRET_OK;
    }
    int code = EGRET_OK;
    if (egret_writer_packets(r->writer) == 0) {
        char name[32];
        name_of(n, name, sizeof name);
        code = egret_trace_fail(err, EGRET_ERR_RANGE, "record: %s saw no packet", name);
        egret_writer_abort(r->writer);
    } else {
        code = egret_writer_commit(r->writer, err);
    }
    drop(f, r);
    return code;
}

int egret_fabric_switch_config(const struct egret_fabric *f, uint32_t number, struct egret_cfg *out)
{
    if (!f->plan || number >= f->nodes - f->first_node[FAB_EDGE]) {
        return EGRET_ERR_RANGE;
    }
    const struct fab_node *n = &f->node[f->first_node[FAB_EDGE] + number];
    if (!n->ops) {
        return EGRET_ERR_RANGE;
    }
    *out = f->plan->cfg[n->kind];
    return EGRET_OK;
}
