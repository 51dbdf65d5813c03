/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_make.c: collectives, their timing, and the property of `dr` at both kinds of switch; what
 * is refused, and that a generator that goes wrong leaves no file.
 */
#include "egret/trace_make.h"
#include "../trace/traffic.h"
#include "egret/trace_front.h"
#include "trace_test.h"

static struct egret_make settings(const char *config, unsigned scheme, bool agg, uint32_t at)
{
    struct egret_make m;
    memset(&m, 0, sizeof m);
    (void)egret_cfg_named(config, &m.cfg);
    m.at_agg = agg;
    m.at = at;
    m.scheme = scheme;
    m.seed = 7;
    m.payload = 4096;
    m.source_port = EGRET_SOURCE_PORT_LINUX;
    egret_hash_setup_default(&m.hash);
    m.loads = scheme == EGRET_SCHEME_SPRAY_QUALITY;
    m.buffer_bytes = 800000;
    (void)egret_load_preset("htsim-ar", &m.load);
    m.drill_samples = m.loads ? 2 : 0;
    return m;
}

static void collectives(struct trace_test *t)
{
    struct egret_schedule w;
    struct egret_trace_error err;
    bool from[64] = {false};
    bool to[64] = {false};
    CHECK(t, egret_collective("permutation", 64, 1000, 0, 3, &w, &err) == 0 && w.ops == 64);
    for (size_t i = 0; i < w.ops; i++) {
        CHECK(t, w.op[i].src != w.op[i].dst && !from[w.op[i].src] && !to[w.op[i].dst]);
        from[w.op[i].src] = true;
        to[w.op[i].dst] = true;
    }
    egret_schedule_free(&w);
    /* 8 ranks, 1 MiB: 112 sends of 131072 bytes, 14680064 in all (a published ring all-reduce). */
    CHECK(t, egret_collective("ring", 8, 1048576, 0, 1, &w, &err) == 0 && w.ops == 112);
    uint64_t sum = 0;
    for (size_t i = 0; i < w.ops; i++) {
        CHECK(t, w.op[i].amount == 131072);
        sum += w.op[i].amount;
    }
    CHECK(t, sum == 14680064);
    egret_schedule_free(&w);
    CHECK(t, egret_collective("ring", 8, 13, 2, 1, &w, &err) == 0 && w.ops == 16);
    for (size_t i = 0; i < w.ops; i++) { /* chunks 0..4 have two bytes, 5..7 one */
        size_t chunk = (i % 8u + 8u - i / 8u) % 8u;
        CHECK(t, w.op[i].amount == (chunk < 5u ? 2u : 1u));
    }
    egret_schedule_free(&w);
    CHECK(t, egret_collective("alltoall", 16, 5, 0, 1, &w, &err) == 0 && w.ops == 240);
    CHECK(t, egret_schedule_place_random(&w, 9) == 0);
    uint32_t sends[16] = {0};
    for (size_t i = 0; i < w.ops; i++) {
        sends[w.op[i].src]++;
    }
    for (unsigned i = 0; i < 16u; i++) {
        CHECK(t, sends[i] == 15);
    }
    egret_schedule_free(&w);
    CHECK(t, egret_collective("ring", 8, 7, 0, 1, &w, &err) < 0);
    CHECK(t, egret_collective("star", 8, 7, 0, 1, &w, &err) < 0);
    CHECK(t, egret_collective("alltoall", 1, 7, 0, 1, &w, &err) < 0 &&
                 strstr(err.text, "at least two ranks"));
    CHECK(t, egret_collective("ring", 8, 0, 0, 1, &w, &err) < 0 && strstr(err.text, "one byte"));
    CHECK(t, egret_collective("alltoall", 65536, 7, 0, 1, &w, &err) < 0 &&
                 strstr(err.text, "--rounds"));
    CHECK(t, egret_collective("alltoall", 65536, 7, 2, 1, &w, &err) == 0);
    egret_schedule_free(&w);
}

/* Time stamps of the packets of a stimulus, in order. */
static size_t times(const char *path, uint64_t *ns, uint16_t *length, size_t max)
{
    struct egret_stimulus *s;
    struct egret_event ev;
    size_t n = 0;
    if (egret_stimulus_open(path, &s, NULL)) {
        return 0;
    }
    while (egret_stimulus_next(s, &ev, NULL) > 0) {
        if (ev.kind == EGRET_EV_PACKET && n < max) {
            ns[n] = ev.now;
            length[n++] = ev.length;
        }
    }
    egret_stimulus_close(s);
    return n;
}

/* By hand, at 800 Gb/s and 500 ns: a data packet of 4170 B takes 41,740 ps on a link (with FCS) and
 * its slot 41,940 ps; an acknowledgement 660 ps. */
static void timing(struct trace_test *t)
{
    static const uint64_t host0[] = {541, 583, 625};
    struct egret_topology topo;
    struct egret_schedule w;
    struct egret_trace_error err;
    uint64_t ns[16];
    uint16_t length[16];
    char path[256];
    trace_scratch(path, sizeof path, "timing.pcap");
    CHECK(t, egret_topology_load("fat-tree:4", &topo, &err) == 0);
    CHECK(t, egret_topology_transit(&topo, 0, 15, 4170) == 6u * 541740u);
    CHECK(t, egret_topology_transit(&topo, 0, 2, 4170) == 4u * 541740u);
    CHECK(t, egret_topology_transit(&topo, 0, 1, 62) == 2u * 500660u);
    /* Host 0 to host 15, three packets; when they have arrived, 15 answers with one byte; when that
     * is acknowledged, host 1 sends to 0. */
    static const char text[] = "Nodes 16\nConnections 3\nTriggers 2\n"
                               "0->15 id 1 start 0 size 12288 recv_done_trigger 1\n"
                               "15->0 id 2 trigger 1 size 1 send_done_trigger 2\n"
                               "1->0 id 3 trigger 2 size 2\n"
                               "trigger id 1 oneshot\ntrigger id 2 oneshot\n";
    CHECK(t, egret_cm_parse(text, sizeof text - 1u, "t.cm", 0, &w, &err) == 0);
    struct egret_make m = settings("lab", EGRET_SCHEME_DR, false, 0);
    CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == 0);
    size_t n = times(path, ns, length, 16);
    /* Three data packets, ACK of host 0 for 15's byte, data of host 1, ACK of host 0 for it. */
    CHECK(t, n == 6);
    for (unsigned i = 0; i < 3u; i++) {
        CHECK(t, ns[i] == host0[i] && length[i] == 4170);
    }
    /* Ends of sending: 2 * 41,940 ps + six links; a byte is 78 B: 820 ps a link. */
    uint64_t arrived = 2u * 41940u + 6u * 541740u;
    uint64_t answer = arrived + 6u * 500820u;
    CHECK(t, ns[3] == (answer + 500660u) / 1000u && length[3] == 62);
    uint64_t acked = answer + 6u * 500660u;
    CHECK(t, ns[4] == (acked + 500820u) / 1000u && length[4] == 78);
    CHECK(t, ns[5] == (acked + 2u * 500820u + 500660u) / 1000u && length[5] == 62);
    egret_schedule_free(&w);
}

/* Delays, joins, a start and a time not before which, at host 0, in the order of their ends. One
 * byte is 78 B: 820 ps a link, slot 1,020 ps, at the edge after 500,820 ps. */
static void delays(struct trace_test *t)
{
    struct egret_topology topo;
    struct egret_schedule s = {.ranks = 16};
    struct egret_trace_error err;
    struct egret_make m = settings("lab", EGRET_SCHEME_DR, false, 0);
    uint64_t ns[16];
    uint16_t length[16];
    char path[256];
    uint32_t op[8] = {0};
    trace_scratch(path, sizeof path, "delays.pcap");
    m.no_acks = true;
    CHECK(t, egret_topology_load("fat-tree:4", &topo, &err) == 0);
    CHECK(t, egret_schedule_delay(&s, 0, 10000000, &op[0]) == 0); /* ends at 10 us */
    CHECK(t, egret_schedule_message(&s, 0, 15, 1, &op[1]) == 0);  /* behind it */
    CHECK(t, egret_schedule_delay(&s, 0, 0, &op[2]) == 0);        /* its start ... */
    CHECK(t, egret_schedule_delay(&s, 0, 5000000, &op[3]) == 0);  /* and 5 us: 15 us */
    CHECK(t, egret_schedule_message(&s, 0, 14, 1, &op[4]) == 0);
    CHECK(t, egret_schedule_message(&s, 1, 13, 1, &op[5]) == 0); /* not before 40 us */
    CHECK(t, egret_schedule_delay(&s, 1, 1000000, &op[6]) == 0); /* its arrival + 1 us */
    CHECK(t, egret_schedule_message(&s, 1, 12, 1, &op[7]) == 0);
    s.op[op[5]].start_ps = 40000000;
    CHECK(t, egret_schedule_after(&s, op[0], EGRET_ON_DONE, op[1]) == 0);
    CHECK(t, egret_schedule_after(&s, op[1], EGRET_ON_START, op[2]) == 0);
    CHECK(t, egret_schedule_after(&s, op[2], EGRET_ON_SENT, op[3]) == 0);
    CHECK(t, egret_schedule_after(&s, op[3], EGRET_ON_SENT, op[4]) == 0);
    CHECK(t, egret_schedule_after(&s, op[4], EGRET_ON_DONE, op[5]) == 0);
    CHECK(t, egret_schedule_after(&s, op[5], EGRET_ON_DONE, op[6]) == 0);
    CHECK(t, egret_schedule_after(&s, op[6], EGRET_ON_DONE, op[7]) == 0);
    CHECK(t, egret_schedule_seal(&s, "delays", NULL, &err) == 0);
    CHECK(t, egret_make_stimulus(&topo, &s, &m, path, &err) == 0);
    CHECK(t, times(path, ns, length, 16) == 4);
    CHECK(t, ns[0] == 10500 && ns[1] == 15500 && ns[2] == 40500);
    CHECK(t, ns[3] == (40000000 + 6u * 500820u + 1000000 + 500820u) / 1000u);
    /* Time ends: twenty delays of 10^18 ps. */
    egret_schedule_free(&s);
    s.ranks = 16;
    for (uint32_t i = 0; i < 20u; i++) {
        CHECK(t, egret_schedule_delay(&s, 0, 1000000000000000000u, NULL) == 0);
        CHECK(t, i == 0 || egret_schedule_after(&s, i - 1u, EGRET_ON_DONE, i) == 0);
    }
    CHECK(t, egret_schedule_seal(&s, "late", NULL, &err) == 0);
    CHECK(t, egret_make_stimulus(&topo, &s, &m, path, &err) == EGRET_ERR_RANGE &&
                 strstr(err.text, "delay 9 (rank 0) ends beyond 2^63 ps"));
    egret_schedule_free(&s);
}

/* Opcodes, lengths, classes and stamps of 12,286 and 1 bytes, as First, Middle, Last and as Only.
 * By hand: Middle and Last have no RETH, 16 bytes less: 4154 B take 41,580 ps on a link and their
 * slot is 41,780 ps; the Last has 4094 bytes, padded to 4096. One byte is Only in both. */
static void first_last(struct trace_test *t)
{
    static const struct {
        uint16_t opcode, length, cls, ns;
    } want[2][4] = {
        {{0x0a, 4170, 0, 541}, {0x0a, 4170, 0, 583}, {0x0a, 4170, 0, 625}, {0x0a, 78, 0, 0}},
        {{0x06, 4170, 2, 541}, {0x07, 4154, 2, 583}, {0x08, 4154, 2, 625}, {0x0a, 78, 0, 0}}};
    static const char text[] = "Nodes 16\nConnections 2\n0->15 id 1 start 0 size 12286\n"
                               "1->14 id 2 start 1000000000 size 1\n";
    struct egret_topology topo;
    struct egret_schedule w;
    struct egret_trace_error err;
    char path[256];
    trace_scratch(path, sizeof path, "first_last.pcap");
    CHECK(t, egret_topology_load("fat-tree:4", &topo, &err) == 0);
    CHECK(t, egret_cm_parse(text, sizeof text - 1u, "t.cm", 0, &w, &err) == 0);
    for (unsigned k = 0; k < 2u; k++) {
        struct egret_make m = settings("lab", EGRET_SCHEME_DR, false, 0);
        struct egret_stimulus *s;
        struct egret_frame_view frame;
        struct egret_event ev;
        uint32_t ordered = 0, word0 = 0, n = 0;
        m.no_acks = true;
        m.write_first_last = m.keep_order = k == 1;
        m.ordered_scheme = EGRET_SCHEME_ECMP;
        CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == 0);
        CHECK(t, egret_stimulus_open(path, &s, &err) == 0);
        while (egret_stimulus_next(s, &ev, &err) > 0) {
            if (ev.kind == EGRET_EV_WRITE) {
                ordered = ev.addr == EGRET_A_CLASS_ORDERED ? ev.data : ordered;
                word0 = ev.addr == EGRET_A_GROUP(0, 0) ? ev.data : word0;
            } else if (ev.kind == EGRET_EV_PACKET && CHECK(t, n < 4u)) {
                egret_stimulus_frame(s, &frame);
                CHECK(t, ev.record[40] == want[k][n].opcode && ev.length == want[k][n].length);
                CHECK(t, ev.cls == want[k][n].cls && (n == 3u || ev.now == want[k][n].ns));
                CHECK(t, frame.bytes[42] == want[k][n].opcode && frame.bytes[50] == 0x80);
                CHECK(t, (frame.bytes[43] >> 4 & 3u) == (n == 2u ? 2u : n == 3u ? 3u : 0));
                if (n == 0) { /* RETH: the message's bytes in a First */
                    CHECK(t, frame.bytes[68] == (k ? 0x2f : 0x10) &&
                                 frame.bytes[69] == (k ? 0xfe : 0));
                }
                n++;
            }
        }
        egret_stimulus_close(s);
        CHECK(t, n == 4u && ordered == (k ? 0xccccu : 0) && (word0 >> 12 & 15u) == k);
    }
    egret_schedule_free(&w);
}

/* Runs a stimulus; counts packets a port, and the worst spread of a pointer (key, bin) at any time.
 */
struct tally {
    uint64_t port[EGRET_MAX_PORTS];
    uint64_t packets;
    uint64_t up;
    uint32_t spread;
    uint64_t dropped;
};

static void run(const struct egret_cfg *cfg, const char *path, uint32_t down, uint32_t ports,
                struct tally *out)
{
    static uint32_t count[2048][2][EGRET_MAX_PORTS];
    struct egret_stimulus *s;
    struct egret *e;
    struct egret_event ev;
    struct egret_decision d;
    memset(out, 0, sizeof *out);
    memset(count, 0, sizeof count);
    if (egret_create(cfg, &e) || egret_stimulus_open(path, &s, NULL)) {
        exit(2);
    }
    while (egret_stimulus_next(s, &ev, NULL) > 0) {
        if (egret_apply(e, &ev, &d)) {
            exit(2);
        }
        if (d.kind != EGRET_RES_PACKET) {
            continue;
        }
        out->packets++;
        if (d.port == EGRET_PORT_DROP) {
            out->dropped++;
            continue;
        }
        out->port[d.port]++;
        if (d.port >= down) {
            uint32_t *c = count[ev.key & 2047u][ev.bin & 1u];
            uint32_t min = UINT32_MAX;
            uint32_t max = 0;
            out->up++;
            c[d.port]++;
            for (uint32_t p = down; p < ports; p++) {
                min = c[p] < min ? c[p] : min;
                max = c[p] > max ? c[p] : max;
            }
            out->spread = max - min > out->spread ? max - min : out->spread;
        }
    }
    egret_stimulus_close(s);
    egret_destroy(e);
}

/* What all aggregation switches of a pod see adds up to what its edges sent upward, link by link.
 */
static void sums(struct trace_test *t, const char *collective, unsigned scheme)
{
    struct egret_topology topo;
    struct egret_schedule w;
    struct egret_trace_error err;
    struct tally edge[4];
    struct tally agg[4];
    char path[256];
    uint64_t seen = 0;
    uint64_t sent = 0;
    trace_scratch(path, sizeof path, "sums.pcap");
    CHECK(t, egret_topology_load("fat-tree:8", &topo, &err) == 0);
    CHECK(t, egret_collective(collective, topo.hosts, 40000, 6, 5, &w, &err) == 0);
    for (uint32_t i = 0; i < 4u; i++) { /* pod 2 */
        struct egret_make m = settings("lab", scheme, false, 8u + i);
        CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == 0);
        run(&m.cfg, path, 4, 8, &edge[i]);
        m = settings("lab", scheme, true, 8u + i);
        CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == 0);
        run(&m.cfg, path, 4, 8, &agg[i]);
        CHECK(t, edge[i].dropped == 0 && agg[i].dropped == 0 && edge[i].packets > 0);
        if (scheme == EGRET_SCHEME_DR) {
            CHECK(t, edge[i].spread <= 1 && agg[i].spread <= 1);
        }
        sent += edge[i].up;
        seen += agg[i].packets;
    }
    CHECK(t, sent == seen && seen > 0);
    for (uint32_t a = 0; a < 4u; a++) {
        uint64_t link = 0;
        for (uint32_t i = 0; i < 4u; i++) {
            link += edge[i].port[4u + a];
        }
        CHECK(t, link == agg[a].packets);
    }
    egret_schedule_free(&w);
}

static void options(struct trace_test *t)
{
    struct egret_topology topo;
    struct egret_schedule w;
    struct egret_trace_error err;
    struct tally all;
    struct tally no_acks;
    char path[256];
    trace_scratch(path, sizeof path, "options.pcap");
    CHECK(t, egret_topology_load("fat-tree:8", &topo, &err) == 0);
    CHECK(t, egret_collective("permutation", topo.hosts, 100000, 0, 5, &w, &err) == 0);
    struct egret_make m = settings("lab", EGRET_SCHEME_ECMP, false, 3);
    CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == 0);
    run(&m.cfg, path, 4, 8, &all);
    CHECK(t, all.packets == 4u * 25u * 2u); /* 4 hosts send 25 packets and acknowledge 25 */
    m.no_acks = true;
    m.limit = 60;
    CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == 0);
    run(&m.cfg, path, 4, 8, &no_acks);
    CHECK(t, no_acks.packets == 60);
    m.same_pointer = true;
    m.scheme = EGRET_SCHEME_DR;
    CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == 0);
    run(&m.cfg, path, 4, 8, &all);
    CHECK(t, all.up == 60 && all.port[4] == 15 && all.port[7] == 15);
    /* What does not fit is refused by the parameter's name. */
    struct egret_make small = settings("tiny", EGRET_SCHEME_DR, false, 0);
    CHECK(t,
          egret_make_stimulus(&topo, &w, &small, path, &err) < 0 && strstr(err.text, "NUM_PORTS"));
    small = settings("lab", EGRET_SCHEME_DR, false, 32);
    CHECK(t, egret_make_stimulus(&topo, &w, &small, path, &err) < 0 && strstr(err.text, "--at"));
    small = settings("lab_lookup3", EGRET_SCHEME_DR, false, 0);
    CHECK(t, egret_make_stimulus(&topo, &w, &small, path, &err) < 0 &&
                 strstr(err.text, "no such hash: algorithm"));
    CHECK(t, egret_topology_load("fat-tree:16", &topo, &err) == 0);
    small = settings("lab", EGRET_SCHEME_DR, false, 0);
    CHECK(t, strcmp(egret_make_exceeds(&topo, &small), "NUM_KEYS") == 0);
    egret_schedule_free(&w);
    /* What never starts ends in an error, not in silence: one more is needed than was sealed. */
    memset(&w, 0, sizeof w);
    w.ranks = 16;
    for (uint32_t i = 0; i < 3u; i++) {
        CHECK(t, egret_schedule_message(&w, i, 9, 5, NULL) == 0);
        CHECK(t, i == 0 || egret_schedule_after(&w, i - 1u, EGRET_ON_DONE, i) == 0);
    }
    CHECK(t, egret_schedule_after(&w, 0, EGRET_ON_SENT, 2) == 0);
    CHECK(t, egret_topology_load("fat-tree:4", &topo, &err) == 0);
    CHECK(t, egret_make_stimulus(&topo, &w, &small, path, &err) < 0 &&
                 strstr(err.text, "workload: the schedule is not sealed"));
    CHECK(t, egret_schedule_seal(&w, "stuck", NULL, &err) == 0);
    w.op[1].need = 2;
    CHECK(t, egret_make_stimulus(&topo, &w, &small, path, &err) < 0 &&
                 strstr(err.text, "workload: message 1 (1 -> 9) never starts"));
    egret_schedule_free(&w);
}

/* What a configuration lacks is named, of both kinds of switch. */
static void too_small(struct trace_test *t)
{
    struct egret_topology topo;
    struct egret_trace_error err;
    struct egret_schedule w;
    char path[256];
    struct egret_make fits = settings("lab", EGRET_SCHEME_ENTROPY, true, 0), m;
    trace_scratch(path, sizeof path, "small.pcap");
    (void)remove(path);
    CHECK(t, egret_topology_load("fat-tree:8", &topo, &err) == 0);
    CHECK(t, egret_collective("permutation", topo.hosts, 1, 0, 5, &w, &err) == 0);
    CHECK(t, egret_make_exceeds(&topo, &fits) == NULL);
    for (unsigned i = 0; i < 6u; i++) {
        static const char *const name[6] = {"NUM_PORTS", "NUM_GROUPS", "NUM_BINS",
                                            "ROW_LEN",   "SCHEMES",    "NUM_BUCKETS"};
        m = fits;
        m.cfg.num_ports = i == 0 ? 7 : m.cfg.num_ports;
        m.cfg.num_groups = i == 1 ? 4 : m.cfg.num_groups;
        m.cfg.num_bins = i == 2 ? 1 : m.cfg.num_bins;
        m.cfg.row_len = i == 3 ? 2 : m.cfg.row_len;
        m.cfg.schemes = i == 4 ? 94 : m.cfg.schemes;
        m.cfg.num_buckets = i == 5 ? 4 : m.cfg.num_buckets;
        CHECK(t, egret_make_exceeds(&topo, &m) && !strcmp(egret_make_exceeds(&topo, &m), name[i]));
        CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == EGRET_ERR_RANGE &&
                     strstr(err.text, "too small") && strstr(err.text, name[i]));
    }
    /* Down ports beyond the buckets that are left; an aggregation switch that is the larger. */
    m = fits;
    m.at_agg = false;
    m.cfg.num_buckets = 8;
    topo.hosts_per_edge = 5;
    CHECK(t, strcmp(egret_make_exceeds(&topo, &m), "NUM_BUCKETS") == 0);
    topo.hosts_per_edge = 4;
    topo.edges_per_pod = 14;
    CHECK(t, strcmp(egret_make_exceeds(&topo, &fits), "NUM_PORTS") == 0);
    CHECK(t, egret_make_stimulus(&topo, &w, &fits, path, &err) == EGRET_ERR_RANGE &&
                 strstr(err.text, "has 18 ports"));
    egret_schedule_free(&w);
    CHECK(t, fopen(path, "rb") == NULL);
}

static void refused(struct trace_test *t)
{
    static const char leaf[] = "Nodes 32\nTiers 2\nPodsize 32\n"
                               "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 2\n"
                               "Downlink_Latency_ns 9\n"
                               "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\n"
                               "Downlink_Latency_ns 9\n";
    struct egret_topology topo;
    struct egret_trace_error err;
    struct egret_schedule w;
    char path[256];
    struct egret_make m = settings("lab", EGRET_SCHEME_DR, false, 0);
    trace_scratch(path, sizeof path, "refused.pcap");
    (void)remove(path);
    CHECK(t, egret_topology_load("fat-tree:4", &topo, &err) == 0);
    CHECK(t, egret_collective("permutation", 16, 1, 0, 5, &w, &err) == 0);
    for (uint32_t payload = 0; payload <= 16385u; payload += 16385u) {
        m.payload = payload;
        CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == EGRET_ERR_RANGE &&
                     strstr(err.text, "--payload: 1 to 16384"));
    }
    m = settings("lab", EGRET_SCHEME_DR, true, 0);
    CHECK(t, egret_topology_parse(leaf, sizeof leaf - 1u, "leaf", &topo, &err) == 0);
    CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == EGRET_ERR_RANGE &&
                 strstr(err.text, "with two tiers only an edge"));
    egret_schedule_free(&w);
    CHECK(t, fopen(path, "rb") == NULL);
}

/* A mistake of a generator is an error at the end, and no file. */
static void generator_errors(struct trace_test *t)
{
    static const uint8_t frame[64] = {0};
    struct egret_cfg cfg;
    struct egret_topology topo;
    struct egret_trace_error err;
    struct gen g;
    char path[256];
    trace_scratch(path, sizeof path, "generator.pcap");
    (void)remove(path);
    (void)egret_cfg_named("lab", &cfg);
    CHECK(t, egret_topology_load("fat-tree:4", &topo, &err) == 0);
    for (unsigned i = 0; i < 5u; i++) {
        CHECK(t, egret_gen_open(&g, &cfg, path, true, &err) == 0);
        egret_gen_packet(&g, frame, sizeof frame, sizeof frame);
        CHECK(t, g.events == 1 && !egret_gen_full(&g));
        switch (i) {
        case 0: /* ends inside the headers */
            egret_gen_packet(&g, frame, 5, 64);
            break;
        case 1: /* captured beyond its length */
            egret_gen_packet(&g, frame, 64, 63);
            break;
        case 2: /* a second that a file cannot hold */
            g.now = (uint64_t)1 << 62;
            egret_gen_tick(&g);
            break;
        case 3: /* a bank that there is not */
            egret_switch_schedule_row(&g, &topo, false, 2, 0, 1);
            break;
        default:
            g.code = EGRET_ERR_INTERNAL;
            break;
        }
        CHECK(t, egret_gen_full(&g) && g.events == 1);
        egret_gen_packet(&g, frame, sizeof frame, sizeof frame);
        egret_gen_write(&g, EGRET_A_DRAW_SEED, 1);
        egret_gen_read(&g, EGRET_A_DRAW_SEED);
        egret_switch_schedule_row(&g, &topo, false, 2, 0, 1);
        CHECK(t, g.events == 1);
        CHECK(t, egret_gen_close(&g, &err) < 0 && strstr(err.text, "internal: the generator"));
        CHECK(t, fopen(path, "rb") == NULL);
    }
    CHECK(t, egret_gen_open(&g, &cfg, "build/none/x.pcap", false, &err) == EGRET_ERR_RANGE &&
                 strstr(err.text, "build/none/x.pcap: No such file"));
    cfg.num_ports = 0;
    CHECK(t, egret_gen_open(&g, &cfg, NULL, true, &err) == EGRET_ERR_CONFIG &&
                 strstr(err.text, "model: "));
    CHECK(t,
          egret_gen_open(&g, &cfg, path, true, &err) == EGRET_ERR_CONFIG && strstr(err.text, path));
    CHECK(t, fopen(path, "rb") == NULL);
}

int main(void)
{
    struct trace_test t = {0, 0};
    collectives(&t);
    timing(&t);
    delays(&t);
    first_last(&t);
    sums(&t, "permutation", EGRET_SCHEME_DR);
    sums(&t, "ring", EGRET_SCHEME_DR);
    sums(&t, "alltoall", EGRET_SCHEME_DR);
    sums(&t, "alltoall", EGRET_SCHEME_SPRAY_RR);
    sums(&t, "permutation", EGRET_SCHEME_ECMP);
    sums(&t, "permutation", EGRET_SCHEME_SPRAY_QUALITY);
    sums(&t, "ring", EGRET_SCHEME_SPRAY_QUALITY);
    sums(&t, "permutation", EGRET_SCHEME_ENTROPY);
    sums(&t, "ring", EGRET_SCHEME_SPRAY_RANDOM);
    options(&t);
    too_small(&t);
    refused(&t);
    generator_errors(&t);
    return trace_result(&t);
}
