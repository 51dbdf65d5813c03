/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_core.c: an event of kind KIND in any state, and with EVENTS 2 one of kind KIND2 behind it,
 * DISTANCE clocks later: the results of egret_apply() and the state behind them, against
 * rtl/egret_core.v with an empty pipe. For scripts/equiv.
 *
 * What the state must be, because writes leave nothing else, is assumed; it is the same on both
 * sides behind the event, so the assumptions hold again. The record is zero: any hash comes of any
 * seed, and equiv_hash.c has the records. With CACHED 1 the draws of all pointers are in their
 * caches, so that the fast path is taken where it can be. lookup3 is too much beside all this: with
 * it the hash of a packet is any, the same on both sides. MATRIX is the number of words of the hash
 * matrix that take part, or 1: then it is zero, which is enough for packets. In a configuration
 * with spray-quality or flowlet, what these have is left out, and packets are of other schemes.
 *
 * State:
 * in   g_members    NUM_PORTS x NUM_GROUPS
 * in   g_bucket     32 x NUM_GROUPS
 * in   g_row        32 x NUM_GROUPS
 * in   g_shift      SHIFT_W x NUM_GROUPS
 * in   g_ordered    4 x NUM_GROUPS
 * in   g_last       SLOT_W x NUM_GROUPS
 * in   g_redraw     4 x NUM_GROUPS
 * in   g_bank       1 x NUM_GROUPS
 * in   g_scheme     4 x NUM_GROUPS
 * mid  g_is_rr      2 x NUM_GROUPS
 * in   bucket       PORT_W x NUM_BUCKETS
 * in   schedule     PORT_W x 2*NUM_ROWS*ROW_LEN
 * in   pointer      24+SLOT_W x NUM_KEYS*NUM_BINS+NUM_GROUPS
 * in   matrix       32 x MATRIX
 * in   queue        32 x NUM_PORTS
 * in   packets      40 x NUM_PORTS
 * in   bytes        40 x NUM_PORTS
 * in   ticks        32 x 2*NUM_GROUPS
 * in   live         NUM_PORTS
 * in   stage        32 x 4
 * in   crc16        1
 * in   fields       7
 * in   rotation     5
 * in   hash_seed    32
 * in   any_hash     32
 * mid  initial      32
 * in   draw_seed    32
 * in   class_ordered 16
 * in   generator    32
 * in   tick_count   32
 * in   tick_now     48
 * in   writes_ignored 32
 * in   events_ignored 32
 * in   drops_scheme 32
 * in   drops_index  32
 *
 * Events:
 * in   now          48 x EVENTS
 * in   tag          32 x EVENTS
 * in   group        16 x EVENTS
 * in   key          16 x EVENTS
 * in   bin          8 x EVENTS
 * in   class        4 x EVENTS
 * in   length       16 x EVENTS
 * in   entropy      32 x EVENTS
 * in   addr         24 x EVENTS
 * in   data         32 x EVENTS
 * in   port_id      8 x EVENTS
 * in   port_up      1 x EVENTS
 * in   depth        32 x EVENTS
 *
 * Results, in order, and state behind them:
 * out  result_clock 8 x EVENTS
 * out  result_tag   32 x EVENTS
 * out  result_data  32 x EVENTS
 * out  result_kind  8 x EVENTS
 * out  result_port  8 x EVENTS
 * out  result_choice 8 x EVENTS
 * out  result_scheme 8 x EVENTS
 * out  result_reason 8 x EVENTS
 * out  to_members   NUM_PORTS x NUM_GROUPS
 * out  to_bucket    32 x NUM_GROUPS
 * out  to_row       32 x NUM_GROUPS
 * out  to_shift     SHIFT_W x NUM_GROUPS
 * out  to_ordered   4 x NUM_GROUPS
 * out  to_last      SLOT_W x NUM_GROUPS
 * out  to_redraw    4 x NUM_GROUPS
 * out  to_bank      1 x NUM_GROUPS
 * out  to_scheme    4 x NUM_GROUPS
 * out  to_is_rr     2 x NUM_GROUPS
 * out  to_buckets   PORT_W x NUM_BUCKETS
 * out  to_schedule  PORT_W x 2*NUM_ROWS*ROW_LEN
 * out  to_pointer   24+SLOT_W x NUM_KEYS*NUM_BINS+NUM_GROUPS
 * out  to_matrix    32 x MATRIX
 * out  to_readback  32 x MATRIX
 * out  to_queue     32 x NUM_PORTS
 * out  to_packets   40 x NUM_PORTS
 * out  to_bytes     40 x NUM_PORTS
 * out  to_ticks     32 x 2*NUM_GROUPS
 * out  to_live      NUM_PORTS
 * out  to_stage     32 x 4
 * out  to_crc16     1
 * out  to_fields    7
 * out  to_rotation  5
 * out  to_hash_seed 32
 * out  to_initial   32
 * out  to_draw_seed 32
 * out  to_class_ordered 16
 * out  to_generator 32
 * out  to_tick_count 32
 * out  to_tick_now  48
 * out  to_writes_ignored 32
 * out  to_events_ignored 32
 * out  to_drops_scheme 32
 * out  to_drops_index 32
 */
#include <string.h>

#include "egret/timing.h"
#include "equiv_ports.h"
#include "internal.h"

#define POINTERS (NUM_KEYS * NUM_BINS + NUM_GROUPS)
#define SLOTS (2 * NUM_ROWS * ROW_LEN)
#define SHALLOW 126 /* schemes 1 to 6 */
#define NUMBERS (2 * EVENTS)
/* What HASH_KIND lookup3 keeps beside its seed. */
#define INITIAL(seed) (0xdeadbeefu + EGRET_RECORD_BYTES + (seed))

static struct egret model;
static struct egret_group_state groups[NUM_GROUPS];
static struct egret_pointer pointers[POINTERS];
static uint8_t buckets[NUM_BUCKETS], schedule[SLOTS];
static uint32_t matrix[EGRET_HASH_NIBBLES][16];

static uint32_t is_rr(uint32_t scheme, uint32_t ordered)
{
    uint32_t late = ordered != 0 ? ordered : scheme;
    return (uint32_t)(late == EGRET_SCHEME_SPRAY_RR) << 1 | (scheme == EGRET_SCHEME_SPRAY_RR);
}

/* A configuration may be deep; its packets are of other schemes. */
static bool is_shallow(uint32_t scheme)
{
    return SCHEMES == (SCHEMES & SHALLOW) ||
           (scheme != EGRET_SCHEME_SPRAY_QUALITY && scheme != EGRET_SCHEME_FLOWLET);
}

static uint32_t key_word(unsigned index)
{
    if (index < NUM_KEYS * NUM_BINS)
        return (uint32_t)(index / NUM_BINS) << 4 | (index % NUM_BINS);
    return 0x8000u | (index - NUM_KEYS * NUM_BINS);
}

static void make_configuration(struct egret *e)
{
    e->cfg.num_ports = NUM_PORTS;
    e->cfg.num_groups = NUM_GROUPS;
    e->cfg.num_keys = NUM_KEYS;
    e->cfg.num_bins = NUM_BINS;
    e->cfg.num_rows = NUM_ROWS;
    e->cfg.row_len = ROW_LEN;
    e->cfg.num_buckets = NUM_BUCKETS;
    e->cfg.hash_kind = HASH_KIND;
    e->cfg.rsp_depth = RSP_DEPTH;
    e->cfg.schemes = SCHEMES;
    e->cfg.num_flowlets = NUM_FLOWLETS;
    e->group = groups;
    e->bucket = buckets;
    e->schedule = schedule;
    e->pointer = pointers;
    e->matrix = matrix;
    e->bucket_wrap = NUM_BUCKETS - 1;
    e->row_wrap = NUM_ROWS - 1;
    e->dr_pointers = NUM_KEYS * NUM_BINS;
    e->port_mask = ~(uint64_t)0 >> (EGRET_MAX_PORTS - NUM_PORTS);
    e->mode = EGRET_MODE_LOOKUP3; /* no byte tables: they only make it faster */
    e->draw_generation = 0x1000u;
}

/* The same number, one of those that the configuration has by name: what it lacks is never run. */
static uint8_t named(uint8_t act)
{
    uint8_t same = EGRET_SCHEME_NONE;
    for (uint8_t i = 1; i <= EGRET_NUM_SCHEMES; i++)
        if ((SCHEMES & SHALLOW) >> i & 1 && act == i)
            same = i;
    if (same != act && is_shallow(act))
        __builtin_unreachable(); /* which must be proven */
    return same;
}

static void name_schemes(struct egret_group_state *g)
{
    for (unsigned i = 0; i < 2; i++) {
        g->act[i] = named(g->act[i]);
        g->fast[i] = named(g->fast[i]);
    }
}

/* Groups are written as the control side does. */
static void make_groups(struct egret *e, const struct equiv_in *in)
{
    e->live = in->live;
    for (unsigned i = 0; i < NUM_GROUPS; i++) {
        bool has_shift = egret_has(e, EGRET_SCHEME_ENTROPY);
        uint32_t last = in->g_last[i]; /* its port may be too narrow to reach ROW_LEN */
        uint32_t word0 = (uint32_t)(has_shift ? in->g_shift[i] : 0) << 24 |
                         (uint32_t)in->g_last[i] << 16 | (uint32_t)in->g_ordered[i] << 12 |
                         (uint32_t)in->g_redraw[i] << 8 | (uint32_t)in->g_bank[i] << 4 |
                         in->g_scheme[i];
        equiv_assume(last < ROW_LEN);
        equiv_assume(is_shallow(in->g_scheme[i]) && is_shallow(in->g_ordered[i]));
        egret_regs_write(e, EGRET_A_GROUP_STAGE1, in->g_row[i]);
        egret_regs_write(e, EGRET_A_GROUP_STAGE2, in->g_bucket[i]);
        egret_regs_write(e, EGRET_A_GROUP_STAGE3, (uint32_t)in->g_members[i]);
        egret_regs_write(e, EGRET_A_GROUP_STAGE4, (uint32_t)((uint64_t)in->g_members[i] >> 32));
        egret_regs_write(e, EGRET_A_GROUP(i, 0), word0);
        name_schemes(&e->group[i]);
        e->group[i].drops = in->ticks[2 * i];
        e->group[i].repairs = in->ticks[2 * i + 1];
    }
}

static void make_tables(struct egret *e, const struct equiv_in *in)
{
    for (unsigned i = 0; i < NUM_BUCKETS; i++) {
        equiv_assume(in->bucket[i] < NUM_PORTS);
        buckets[i] = in->bucket[i];
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        equiv_assume(in->schedule[i] < NUM_PORTS);
        schedule[i] = in->schedule[i];
    }
    for (unsigned i = 0; i < POINTERS; i++) {
        struct egret_pointer *p = &pointers[i];
        uint32_t offset = in->pointer[i] & ((1u << SLOT_W) - 1);
        equiv_assume(offset < ROW_LEN);
        p->entry = in->pointer[i] >> SLOT_W << 8 | offset;
        if (CACHED) {
            uint32_t pre = egret_draw_pre(in->draw_seed, key_word(i));
            p->tag = e->draw_generation | p->entry >> 20;
            p->draw = egret_draw_row(pre, p->entry >> 20);
            p->pre_y = pre >> 16;
        }
    }
    for (unsigned i = 0; i < MATRIX && MATRIX > 1; i++)
        matrix[i / 16][i % 16] = in->matrix[i];
    for (unsigned i = 0; i < NUM_PORTS; i++) {
        e->queue[i] = in->queue[i];
        e->counter[i].packets = in->packets[i];
        e->counter[i].bytes = in->bytes[i];
    }
}

static void make_registers(struct egret *e, const struct equiv_in *in)
{
    uint32_t fixed = in->crc16 != 0 ? EGRET_HASH_CRC16 : EGRET_HASH_CRC32C;

    for (unsigned i = 0; i < 4; i++)
        e->stage[i] = in->stage[i];
    e->hash_algorithm = HASH_KIND == EGRET_HASH_KIND_FIXED    ? fixed
                        : HASH_KIND == EGRET_HASH_KIND_MATRIX ? EGRET_HASH_MATRIX
                                                              : EGRET_HASH_LOOKUP3;
    e->hash_fields = in->fields;
    e->hash_rotation = in->rotation;
    e->hash_seed = in->hash_seed;
    e->draw_seed = in->draw_seed;
    e->class_ordered = in->class_ordered * 0x10001u;
    e->random[0] = in->generator; /* and numbers enough that nothing is refilled */
    for (unsigned i = 0; i < NUMBERS; i++)
        e->random[i + 1] = egret_random_step(e->random[i]);
    e->random_known = NUMBERS;
    e->tick_count = in->tick_count;
    e->tick_now = in->tick_now;
    e->writes_ignored = in->writes_ignored;
    e->events_ignored = in->events_ignored;
    e->drops_scheme = in->drops_scheme;
    e->drops_index = in->drops_index;
}

static void make_event(const struct equiv_in *in, unsigned i, uint8_t kind, struct egret_event *ev)
{
    memset(ev, 0, sizeof *ev);
    ev->kind = kind;
    ev->now = in->now[i];
    ev->group = in->group[i];
    ev->key = in->key[i];
    ev->bin = in->bin[i];
    ev->cls = in->class[i];
    ev->length = in->length[i];
    if (kind == EGRET_EV_PACKET) {
        ev->tag = in->tag[i];
        ev->entropy = in->entropy[i];
    } else if (kind == EGRET_EV_WRITE || kind == EGRET_EV_READ) {
        ev->addr = in->addr[i];
        ev->data = in->data[i];
    } else if (kind == EGRET_EV_PORT) {
        ev->port = in->port_id[i];
        ev->up = in->port_up[i];
    } else if (kind == EGRET_EV_QUEUE) {
        ev->port = in->port_id[i];
        ev->depth = in->depth[i];
    }
}

/* Cases make it easy for the solvers: the scheme of a packet, the region of a write. */
static void make_cases(const struct egret *e, const struct egret_event *ev)
{
    if (ev->kind == EGRET_EV_PACKET && ev->group < NUM_GROUPS) {
        uint32_t scheme = e->group[ev->group].scheme[egret_is_ordered(e, ev)];
        for (unsigned i = 1; i <= EGRET_NUM_SCHEMES; i++)
            equiv_case(scheme == i);
    }
    for (unsigned i = 0; i < 9 && ev->kind == EGRET_EV_WRITE; i++)
        equiv_case(ev->addr >> 20 == i);
}

/* Results are numbered as they come: not every event has one. */
static void apply(struct egret *e, const struct egret_event *ev, unsigned clock, unsigned *results,
                  struct equiv_out *out)
{
    struct egret_cfg cfg = {.hash_kind = HASH_KIND, .schemes = SCHEMES};
    uint32_t latency = egret_cfg_latency(&cfg);
    struct egret_decision d;
    unsigned i = *results;

    (void)egret_apply(e, ev, &d);
    if (d.kind == EGRET_RES_NONE)
        return;
    out->result_clock[i] = (uint8_t)(clock + latency + (d.kind == EGRET_RES_READ ? 5 : 0));
    out->result_tag[i] = d.tag;
    out->result_data[i] = d.data;
    out->result_kind[i] = d.kind;
    out->result_port[i] = d.port;
    out->result_choice[i] = d.choice;
    out->result_scheme[i] = d.scheme;
    out->result_reason[i] = d.reason;
    (*results)++;
}

static void show_tables(const struct egret *e, struct equiv_out *out)
{
    for (unsigned i = 0; i < NUM_GROUPS; i++) {
        const struct egret_group_state *g = &e->group[i];
        uint32_t word0 = egret_regs_read(e, EGRET_A_GROUP(i, 0));
        out->to_members[i] = (__typeof__(out->to_members[i]))g->members;
        out->to_row[i] = egret_regs_read(e, EGRET_A_GROUP(i, 1));
        out->to_bucket[i] = egret_regs_read(e, EGRET_A_GROUP(i, 2));
        out->to_shift[i] = (uint8_t)(word0 >> 24);
        out->to_last[i] = (uint8_t)(word0 >> 16);
        out->to_ordered[i] = (uint8_t)(word0 >> 12 & 15u);
        out->to_redraw[i] = (uint8_t)(word0 >> 8 & 15u);
        out->to_bank[i] = (uint8_t)(word0 >> 4 & 1u);
        out->to_scheme[i] = (uint8_t)(word0 & 15u);
        out->to_is_rr[i] = (uint8_t)is_rr(word0 & 15u, word0 >> 12 & 15u);
        out->to_ticks[2 * i] = g->drops;
        out->to_ticks[2 * i + 1] = g->repairs;
    }
    for (unsigned i = 0; i < NUM_BUCKETS; i++)
        out->to_buckets[i] = buckets[i];
    for (unsigned i = 0; i < SLOTS; i++)
        out->to_schedule[i] = schedule[i];
    for (unsigned i = 0; i < POINTERS; i++)
        out->to_pointer[i] = pointers[i].entry >> 8 << SLOT_W | (pointers[i].entry & 0xffu);
    for (unsigned i = 0; i < MATRIX && MATRIX > 1; i++)
        out->to_matrix[i] = out->to_readback[i] = matrix[i / 16][i % 16];
    for (unsigned i = 0; i < NUM_PORTS; i++) {
        out->to_queue[i] = SCHEMES == (SCHEMES & SHALLOW) ? e->queue[i] : 0;
        out->to_packets[i] = e->counter[i].packets & EGRET_MASK40;
        out->to_bytes[i] = e->counter[i].bytes & EGRET_MASK40;
    }
}

static void show_registers(const struct egret *e, struct equiv_out *out)
{
    for (unsigned i = 0; i < 4; i++)
        out->to_stage[i] = e->stage[i];
    out->to_live = (__typeof__(out->to_live))e->live;
    out->to_crc16 = e->hash_algorithm == EGRET_HASH_CRC16;
    out->to_hash_seed = e->hash_seed;
    if (HASH_KIND != EGRET_HASH_KIND_MATRIX) {
        out->to_fields = (uint8_t)e->hash_fields;
        out->to_rotation = (uint8_t)e->hash_rotation;
    }
    if (HASH_KIND == EGRET_HASH_KIND_LOOKUP3)
        out->to_initial = INITIAL(e->hash_seed);
    out->to_draw_seed = e->draw_seed;
    out->to_class_ordered = (uint16_t)egret_regs_read(e, EGRET_A_CLASS_ORDERED);
    if (e->random_at > NUMBERS)
        __builtin_unreachable(); /* which must be proven */
    out->to_generator = e->random[e->random_at];
    out->to_tick_count = e->tick_count;
    out->to_tick_now = e->tick_now;
    out->to_writes_ignored = e->writes_ignored;
    out->to_events_ignored = e->events_ignored;
    out->to_drops_scheme = e->drops_scheme;
    out->to_drops_index = e->drops_index;
}

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static const uint8_t kinds[2] = {KIND, KIND2};
    struct egret *e = &model;
    unsigned results = 0;

    for (unsigned i = 0; i < NUM_GROUPS; i++)
        out->g_is_rr[i] = (uint8_t)is_rr(in->g_scheme[i], in->g_ordered[i]);
    out->initial = INITIAL(in->hash_seed);
    memset(e, 0, sizeof *e);
    make_configuration(e);
    make_groups(e, in);
    make_tables(e, in);
    make_registers(e, in);
    for (unsigned i = 0; i < EVENTS; i++) {
        bool cut = kinds[i] == EGRET_EV_PACKET && HASH_KIND == EGRET_HASH_KIND_LOOKUP3;
        uint32_t seed = e->hash_seed;
        struct egret_event ev;
        make_event(in, i, kinds[i], &ev);
        make_cases(e, &ev);
        if (cut) { /* a matrix of zeros: the hash is the seed */
            e->cfg.hash_kind = EGRET_HASH_KIND_MATRIX;
            e->hash_seed = in->any_hash;
        }
        apply(e, &ev, 1 + i * DISTANCE, &results, out);
        if (cut) {
            e->cfg.hash_kind = HASH_KIND;
            e->hash_seed = seed;
        }
    }
    show_tables(e, out);
    show_registers(e, out);
}
