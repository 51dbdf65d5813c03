/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_cm.c: connection matrices and topology files: own samples, every fault by line, and the
 * public files where EGRET_DATA has them.
 */
#include "egret/trace_make.h"
#include "trace_test.h"

static int parse(const char *text, uint64_t zero, struct egret_schedule *w,
                 struct egret_trace_error *err)
{
    err->text[0] = '\0';
    return egret_cm_parse(text, strlen(text), "f.cm", zero, w, err);
}

static void refuse(struct trace_test *t, const char *text, const char *reason)
{
    struct egret_schedule w;
    struct egret_trace_error err;
    int code = parse(text, 0, &w, &err);
    if (!CHECK(t, code < 0 && strstr(err.text, reason) == err.text)) {
        printf("  wanted '%s', got %d '%s'\n", reason, code, err.text);
    }
}

#define HEAD "Nodes 8\nConnections 1\n"
#define TEN "1 1 1 1 1 1 1 1 1 1 "

static void bad_matrices(struct trace_test *t)
{
    static const char *const cases[][2] = {
        {"", "f.cm:0: end of file: Nodes is missing"},
        {"Nodes 8\n", "f.cm:1: no flow"},
        {"Nodes 1\n", "f.cm:1: Nodes needs a number, 2 to"},
        {"Nodes 8\nNodes 8\n", "f.cm:2: Nodes is given twice"},
        {"Nodes 8 9\n", "f.cm:1: unknown word '9'"},
        {"Knots 8\n", "f.cm:1: unknown word 'Knots'"},
        {"0->1 size 5 start 0\n", "f.cm:1: Nodes is missing"},
        {"Nodes 8\nConnections 2\n0->1 size 5 start 0\n",
         "f.cm:2: Connections 2, but the file has 1"},
        {"Nodes 8\n0->1 size 5 start 0\n", "f.cm:2: Connections 0, but the file has 1"},
        {HEAD "Triggers 1\n0->1 size 5 start 0\n", "f.cm:3: Triggers 1, but the file has 0"},
        {HEAD "Failures 1\n0->1 size 5 start 0\n", "f.cm:3: Failures 1, but the file has 0"},
        {HEAD "0-1 size 5 start 0\n", "f.cm:3: a flow starts with SRC->DST"},
        {HEAD "0-> size 5 start 0\n", "f.cm:3: a flow starts with SRC->DST"},
        {HEAD "0->8 size 5 start 0\n", "f.cm:3: node 8 of 8 nodes"},
        {HEAD "3->3 size 5 start 0\n", "f.cm:3: a flow from a node to itself"},
        {HEAD "0->1 size 5\n", "f.cm:3: a flow has either a start or a trigger"},
        {HEAD "0->1 size 5 start 0 trigger 1\n", "f.cm:3: a flow has either a start or a trigger"},
        {HEAD "0->1 start 0\n", "f.cm:3: a flow needs a size"},
        {HEAD "0->1 start 0 size\n", "f.cm:3: size needs a number"},
        {HEAD "0->1 start 0 size -5\n", "f.cm:3: size needs a number"},
        {HEAD "0->1 start 0 size 0\n", "f.cm:3: size 0 means without end"},
        {HEAD "0->1 start x size 5\n", "f.cm:3: start needs picoseconds"},
        {HEAD "0->1 start\n", "f.cm:3: start needs picoseconds"},
        {HEAD "0->1 start 0 size 5 size 6\n", "f.cm:3: size is given twice"},
        {HEAD "0->1 id 0 start 0 size 5\n", "f.cm:3: id needs a number, 1 to"},
        {HEAD "0->1 start 0 size 5 colour 3\n", "f.cm:3: unknown word 'colour'"},
        {HEAD "0->1 trigger 9 size 5\n", "f.cm:3: trigger 9 is not defined"},
        {HEAD "0->1 start 0 size 5 send_done_trigger 9\n", "f.cm:3: trigger 9 is not defined"},
        {HEAD "Triggers 1\n0->1 trigger 9 size 5\ntrigger id 9 oneshot\n",
         "f.cm:4: trigger 9 can never fire"},
        {HEAD "Triggers 1\n0->1 start 0 size 5\ntrigger id 9\n", "f.cm:5: a trigger needs an id"},
        {HEAD "Triggers 1\n0->1 start 0 size 5\ntrigger oneshot\n",
         "f.cm:5: a trigger needs an id"},
        {HEAD "Triggers 1\n0->1 start 0 size 5\ntrigger id 9 barrier\n",
         "f.cm:5: a barrier needs a count"},
        {HEAD "Triggers 1\n0->1 start 0 size 5\ntrigger id 9 oneshot barrier\n",
         "f.cm:5: barrier is given twice"},
        {HEAD "Triggers 2\n0->1 start 0 size 5\ntrigger id 9 oneshot\ntrigger id 9 oneshot\n",
         "f.cm:6: trigger 9 is defined twice"},
        {HEAD "Failures 1\n0->1 start 0 size 5\nfailure switch_type TOP switch_id 0 link_id 1\n",
         "f.cm:5: switch_type is TOR, AGG or CORE"},
        {HEAD "Failures 1\n0->1 start 0 size 5\nfailure switch_type TOR switch_id 0\n",
         "f.cm:5: a failure needs"},
        {HEAD "0->1 start 0 size 5\nNodes 8\n", "f.cm:4: unknown word 'Nodes'"},
        {"Nodes 8\nConnections 2\n0->1 id 3 start 0 size 5\n1->2 id 3 start 0 size 5\n",
         "f.cm:4: id 3 is used twice without msg, at line 3"},
        {"Nodes 8\nConnections 2\n0->1 id 3 msg start 0 size 5\n1->0 id 3 msg start 0 size 5\n",
         "f.cm:4: id 3 is between other nodes at line 3"},
        {"Nodes 8\nConnections 3\n0->1 id 3 msg 1 start 0 size 5\n"
         "0->1 id 3 msg 2 start 0 size 5\n0->1 id 3 msg 1 start 0 size 5\n",
         "f.cm:5: msg 1 of this id is at line 3 too"},
        {HEAD "0->1 id 3 msg 1 msg 2 start 0 size 5\n", "f.cm:3: msg is given twice"},
        {HEAD "0->1 start 1e19 size 5\n", "f.cm:3: start needs picoseconds, 0 to 10000000"},
        {HEAD "Triggers 1\n0->1 start 0 size 5 send_done_trigger 9\ntrigger id 9 oneshot\n",
         "f.cm:5: trigger 9 starts no flow"},
        {HEAD "Triggers 1\n0->1 start 0 size 5\ntrigger id 9 oneshot\n",
         "f.cm:5: trigger 9 starts no flow"},
        {"Nodes 8\nConnections 3\nTriggers 2\n0->1 start 0 size 5\n"
         "1->2 trigger 1 size 5 recv_done_trigger 2\n2->3 trigger 2 size 5 send_done_trigger 1\n"
         "trigger id 1 oneshot\ntrigger id 2 oneshot\n",
         "f.cm:5: trigger 1 can never fire: it is activated 0 times"},
        {"Nodes 8\nConnections 2\nTriggers 1\n0->1 start 0 size 5 send_done_trigger 1\n"
         "1->2 trigger 1 size 5\ntrigger id 1 barrier count 2\n",
         "f.cm:5: trigger 1 can never fire: it is activated once"},
        {"Nodes 8\nConnections 3\nTriggers 1\n0->1 start 0 size 5 send_done_trigger 1\n"
         "1->2 trigger 1 size 5\n1->3 trigger 1 size 5\ntrigger id 1 multishot\n",
         "f.cm:6: trigger 1 fires only once, never for this flow"},
        {HEAD "Triggers 1\n0->1 start 0 size 5\ntrigger id 9 oneshot colour 3\n",
         "f.cm:5: unknown word 'colour'"},
        {HEAD "Failures 1\n0->1 start 0 size 5\nfailure switch_id 0 colour 3\n",
         "f.cm:5: unknown word 'colour'"},
        {HEAD "Failures 1\n0->1 start 0 size 5\nfailure switch_id 0 switch_id 1\n",
         "f.cm:5: switch_id is given twice"},
        {HEAD TEN TEN TEN TEN TEN TEN "1 1 1 1 1\n", "f.cm:3: not a line of text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        refuse(t, cases[i][0], cases[i][1]);
    }
}

/* Is this the only edge that leaves `from`? */
static int leads(const struct egret_schedule *s, uint32_t from, unsigned event, uint32_t to)
{
    return s->first[from + 1u] == s->first[from] + 1u &&
           egret_edge_to(s->edge[s->first[from]]) == to &&
           egret_edge_event(s->edge[s->first[from]]) == event;
}

/* A barrier needs its count, of however many activations; a multishot is a turnstile. */
static void triggers(struct trace_test *t)
{
    struct egret_schedule w;
    struct egret_trace_error err;
    CHECK(t, parse("Nodes 4\nConnections 5\nTriggers 2\n"
                   "0->1 start 0 size 5 send_done_trigger 8\n"
                   "0->2 start 0 size 5 recv_done_trigger 8 send_done_trigger 7\n"
                   "1->2 trigger 8 size 5 recv_done_trigger 7\n"
                   "2->3 trigger 7 size 5\n1->3 trigger 7 size 5\n"
                   "trigger id 7 multishot\ntrigger id 8 barrier count 2\n",
                   0, &w, &err) == 0);
    CHECK(t, w.ops == 7 && w.op[5].kind == EGRET_OP_TURNSTILE && w.op[5].need == 0);
    CHECK(t, w.op[6].kind == EGRET_OP_DELAY && w.op[6].amount == 0 && w.op[6].need == 2);
    CHECK(t, leads(&w, 0, EGRET_ON_SENT, 6) && leads(&w, 6, EGRET_ON_DONE, 2));
    CHECK(t, leads(&w, 2, EGRET_ON_DONE, 5) && w.first[6] == w.first[5] + 2u);
    CHECK(t, egret_edge_to(w.edge[w.first[5]]) == 3 && egret_edge_to(w.edge[w.first[5] + 1u]) == 4);
    egret_schedule_free(&w);
}

static void good_matrices(struct trace_test *t)
{
    struct egret_schedule w;
    struct egret_trace_error err;
    CHECK(t, parse("# first\r\nConnections 3\r\nNodes 8\r\nTriggers 2\r\nFailures 1\r\n\r\n"
                   "0->1 id 1 start 1500.75 size 5 send_done_trigger 9 prio 3 addon\r\n"
                   "2->3 id 2 trigger 9 size 6 recv_done_trigger 4 msg 1\r\n"
                   "failure switch_type AGG switch_id 0 link_id 7\r\n"
                   "2->3 id 2 msg trigger 4 size 0\r\n"
                   "trigger id 9 oneshot\r\ntrigger id 4 barrier count 1",
                   77, &w, &err) == 0);
    if (err.text[0]) {
        printf("%s\n", err.text);
        return;
    }
    /* flows, then the triggers: 3 is an oneshot, 4 a barrier of 1; edges in the order of the flows
     */
    CHECK(t, w.ranks == 8 && w.ops == 5 && w.edges == 4 && w.failures == 1);
    CHECK(t, w.op[0].start_ps == 1500 && w.op[0].amount == 5 && w.op[0].need == 0);
    CHECK(t, w.op[0].priority == 3 && w.op[1].priority == 2000000 && w.op[2].tag == 2);
    CHECK(t, w.op[0].where == 7 && w.op[2].where == 10 && w.op[4].where == 12);
    CHECK(t, leads(&w, 0, EGRET_ON_SENT, 3) && leads(&w, 3, EGRET_ON_DONE, 1));
    CHECK(t, leads(&w, 1, EGRET_ON_DONE, 4) && leads(&w, 4, EGRET_ON_DONE, 2));
    CHECK(t, w.op[1].need == 1 && w.op[2].need == 1 && w.op[2].amount == 77);
    for (uint32_t i = 3; i < 5; i++) {
        CHECK(t, w.op[i].kind == EGRET_OP_DELAY && w.op[i].amount == 0 && w.op[i].need == 1);
    }
    CHECK(t, w.failure[0].switch_type == EGRET_SWITCH_AGG && w.failure[0].link_id == 7);
    egret_schedule_free(&w);
    CHECK(t, parse("Nodes 4\nConnections 1\n0->1 start 2.5e3 size 5\n", 0, &w, &err) == 0 &&
                 w.op[0].start_ps == 2500);
    egret_schedule_free(&w);
}

/* Start times: rounded down, exact wherever the point and the exponent are. */
static void start_times(struct trace_test *t)
{
    static const struct {
        const char *text;
        uint64_t ps; /* UINT64_MAX: refused */
    } row[] = {
        {"0", 0},
        {"0.999999", 0},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"15e-1", 1},
        {"15e-40", 0},
        {"0.15e2", 15},
        {"12.3456789012345678901234567890", 12},
        {"0.0000000000000000000000123e25", 123},
        {"000000000000000000000000000000000000000000000000012", 12},
        {"1000000000000000000", 1000000000000000000u},
        {"1e18", 1000000000000000000u},
        {"10000000000000000000e-1", 1000000000000000000u},
        {"1000000000000000001", UINT64_MAX},
        {"1e19", UINT64_MAX},
        {"1e20", UINT64_MAX},
        {"1e40", UINT64_MAX},
        {"1e41", UINT64_MAX},
        {"1e", UINT64_MAX},
        {"1e+", UINT64_MAX},
        {"1e--1", UINT64_MAX},
        {"e5", UINT64_MAX},
        {".", UINT64_MAX},
        {"1.2.3", UINT64_MAX},
        {"-1", UINT64_MAX},
        {"99999999999999999999999999999999999999999", UINT64_MAX},
        {"99999999999999999999999", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct egret_schedule w;
        struct egret_trace_error err;
        char text[128];
        (void)snprintf(text, sizeof text, HEAD "0->1 start %s size 5\n", row[i].text);
        int code = parse(text, 0, &w, &err);
        bool as_wanted = row[i].ps == UINT64_MAX
                             ? code < 0 && strstr(err.text, "f.cm:3: start needs") == err.text
                             : code == 0 && w.op[0].start_ps == row[i].ps;
        if (!CHECK(t, as_wanted)) {
            printf("  start %s: %d '%s'\n", row[i].text, code, err.text);
        }
        if (code == 0) {
            egret_schedule_free(&w);
        }
    }
}

static void topology(struct trace_test *t, const char *text, const char *reason)
{
    struct egret_topology out;
    struct egret_trace_error err;
    err.text[0] = '\0';
    int code = egret_topology_parse(text, strlen(text), "f.topo", &out, &err);
    if (!CHECK(t, (code == 0) == (reason[0] == '\0') && strstr(err.text, reason) == err.text)) {
        printf("  wanted '%s', got %d '%s'\n", reason, code, err.text);
    }
}

#define T0(down, up)                                                                               \
    "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down " down "\nRadix_Up " up "\nDownlink_Latency_ns "  \
    "9\n"
#define T1(down) "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down " down "\nDownlink_Latency_ns 9\n"
#define LEAF "Nodes 32\nTiers 2\nPodsize 32\n"
#define TREE "Nodes 16\nTiers 3\nPodsize 4\n"
#define T1UP "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\nDownlink_Latency_ns 9\n"
#define T2(down) "Tier 2\nDownlink_speed_Gbps 100\nRadix_Down " down "\nDownlink_Latency_ns 9\n"

static void topologies(struct trace_test *t)
{
    struct egret_topology out;
    struct egret_trace_error err;
    topology(t, LEAF T0("8", "2") T1("4"), "");
    topology(t, LEAF T0("8", "2") "Oversubscribed 4\n" T1("4"), "");
    topology(t, LEAF T0("8", "2") "Oversubscribed 2\n" T1("4"), "f.topo:9: Oversubscribed contra");
    topology(t, LEAF T0("8", "2") "Bundle 2\n" T1("4"), "f.topo:9: a bundle of links");
    topology(t, LEAF T0("8", "2") T1("5"), "f.topo:11: Radix_Down of Tier 1 is not");
    topology(t, LEAF T0("7", "2") T1("4"), "f.topo:6: Nodes, Podsize and Radix_Down");
    topology(t, LEAF T0("8", "0") T1("4"), "f.topo:7: Radix_Up of 0");
    topology(t, LEAF T0("8", "2") T1("4") "Radix_Up 3\n", "f.topo:13: Radix_Up at the top");
    topology(t, LEAF T0("8", "2"), "f.topo:8: end of file: Tier 1 is missing");
    topology(t, LEAF T0("8", "2") "Tier 0\n", "f.topo:9: Tier 0 is given twice");
    topology(t, LEAF "Radix_Down 8\n", "f.topo:4: Radix_Down before the first Tier");
    topology(t, LEAF "Tier 3\n", "f.topo:4: Tier needs a number");
    topology(t, "Nodes 32\nTiers 4\n", "f.topo:2: Tiers needs a number, 2 to 3");
    topology(t, "Tiers 2\n", "f.topo:1: end of file: Nodes is missing");
    topology(t, LEAF "Weather 3\n", "f.topo:4: unknown word 'Weather'");
    topology(t, LEAF T0("8", "2") "Radix_Up 2\n", "f.topo:9: Radix_Up is given twice for Tier 0");
    topology(t, "Nodes 64\nTiers 2\nPodsize 32\n" T0("8", "2") T1("4"),
             "f.topo:6: with two tiers Podsize");
    topology(t, "# a comment\n\n" LEAF T0("8", "2") T1("4") "Switch_Latency_ns 0\n", "");
    topology(t, TREE T0("2", "2") T1UP T2("4"), "");
    topology(t, TREE T0("2", "2") T1UP T2("3"), "f.topo:16: Radix_Down of Tier 2 is not");
    topology(t, LEAF T0("8", "2") T1("4") T2("1"), "f.topo:13: Tier 2 with Tiers 2");
    topology(t, LEAF T0("8", "2") T1("x"), "f.topo:11: Radix_Down needs a number, at most 65536");
    topology(t, LEAF T0("8", "2") T1("65537"), "f.topo:11: Radix_Down needs a number");
    topology(t, LEAF "Tier 0\nRadix_Down 8 9\n", "f.topo:5: Radix_Down needs a number");
    topology(t, LEAF "Nodes 32\n", "f.topo:4: Nodes is given twice");
    topology(t, "Nodes 1\n", "f.topo:1: Nodes needs a number, 2 to");
    topology(t, "Nodes 2\n", "f.topo:1: end of file: Tiers is missing");
    topology(t, "Nodes 2\nTiers 2\n", "f.topo:2: end of file: Podsize is missing");
    topology(t, LEAF T0("8", "2") "Tier 1\n", "f.topo:9: Downlink_speed_Gbps is missing");
    topology(t, LEAF T0("8", "2") "Tier 1\nDownlink_speed_Gbps 100\n",
             "f.topo:9: Radix_Down is missing");
    topology(t, LEAF T0("8", "2") "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\n",
             "f.topo:9: Downlink_Latency_ns is missing");
    topology(t, LEAF "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\n" T1("4"),
             "f.topo:4: Radix_Up is missing");
    topology(t, "Nodes 32\nTiers 2\nPodsize 30\n" T0("8", "2") T1("4"),
             "f.topo:6: Nodes, Podsize and Radix_Down");
    topology(t, "Nodes 33\nTiers 2\nPodsize 32\n" T0("8", "2") T1("4"),
             "f.topo:6: Nodes, Podsize and Radix_Down");
    topology(
        t,
        "Nodes 257\nTiers 3\nPodsize 1\n" T0(
            "1",
            "1") "Tier 1\n"
                 "Downlink_speed_Gbps 100\nRadix_Down 1\nRadix_Up 1\nDownlink_Latency_ns 9\n" T2(
                     "257"),
        "f.topo:6: beyond 256 pods");
    topology(t, "Nodes 257\nTiers 2\nPodsize 257\n" T0("1", "1") T1("257"),
             "f.topo:6: beyond 256 pods, 256 edges");
    topology(t, "Nodes 251\nTiers 2\nPodsize 251\n" T0("251", "1") T1("1"), "f.topo:6: beyond");
    topology(t, "Nodes 2\nTiers 2\nPodsize 2\n" T0("2", "251") T1("1"), "f.topo:6: beyond");
    CHECK(t, egret_topology_parse("Nodes 4\0", 8, "f.topo", &out, &err) < 0 &&
                 strstr(err.text, "f.topo:1: not a line of text"));
    CHECK(t, egret_topology_load("fat-tree:8", &out, &err) == 0 && out.hosts == 128 &&
                 egret_topology_edges(&out) == 32 && out.agg_uplinks == 4);
    static const char *const bad[] = {"fat-tree:",    "fat-tree:7",  "fat-tree:0",
                                      "fat-tree:130", "fat-tree:8x", "fat-tree:-8"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(t, egret_topology_load(bad[i], &out, &err) < 0 && strstr(err.text, "even"));
    }
    CHECK(t, egret_topology_load("build/test/none.topo", &out, &err) < 0);
}

struct known {
    const char *name;
    uint32_t ranks;
    size_t messages;
    size_t triggers;
    uint64_t bytes;
};

/* Counts out of the public files' own headers. */
static int public_files(struct trace_test *t)
{
    static const struct known known[] = {
        {"alltoall_serial_16n.cm", 16, 240, 224, 2000000},
        {"bidir.cm", 16, 2, 0, 2000000},
        {"incast.cm", 16, 15, 0, 2000000},
        {"one.cm", 16, 1, 0, 2000000},
        {"outcast_incast.cm", 128, 21, 0, 2000000},
        {"perm_1024n_1024c_0u_2000000b.cm", 1024, 1024, 0, 2000000},
        {"perm_32n_32c_2MB.cm", 32, 32, 0, 2000000},
        {"test_cr_1f10m10p.cm", 2, 10, 0, 40860},
    };
    static const struct known topos[] = {
        {"fat_tree_1024_1os.topo", 1024, 128, 8, 0}, {"fat_tree_128_1os.topo", 128, 32, 4, 0},
        {"fat_tree_128_4os.topo", 128, 32, 1, 0},    {"leaf_spine_1024.topo", 1024, 32, 0, 0},
        {"leaf_spine_tiny.topo", 32, 4, 0, 0},
    };
    const char *data = getenv("EGRET_DATA");
    char path[512];
    struct egret_trace_error err;
    (void)snprintf(path, sizeof path, "%s/cm/one.cm", data ? data : "../shared/data");
    FILE *f = fopen(path, "rb");
    if (!f) {
        return 0;
    }
    (void)fclose(f);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct egret_schedule w;
        (void)snprintf(path, sizeof path, "%s/cm/%s", data ? data : "../shared/data",
                       known[i].name);
        if (!CHECK(t, egret_cm_load(path, 0, &w, &err) == 0)) {
            printf("  %s\n", err.text);
            continue;
        }
        CHECK(t, w.ranks == known[i].ranks && w.ops == known[i].messages + known[i].triggers &&
                     w.op[0].amount == known[i].bytes);
        egret_schedule_free(&w);
    }
    for (size_t i = 0; i < sizeof topos / sizeof topos[0]; i++) {
        struct egret_topology out;
        (void)snprintf(path, sizeof path, "%s/cm/%s", data ? data : "../shared/data",
                       topos[i].name);
        CHECK(t, egret_topology_load(path, &out, &err) == 0 && out.hosts == topos[i].ranks &&
                     egret_topology_edges(&out) == topos[i].messages &&
                     out.agg_uplinks == topos[i].triggers);
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct trace_test t = {0, 0};
    if (argc > 1 && strcmp(argv[1], "data") == 0) {
        if (!public_files(&t)) {
            printf("SKIP: EGRET_DATA has no cm folder\n");
            return 77;
        }
        return trace_result(&t);
    }
    bad_matrices(&t);
    good_matrices(&t);
    triggers(&t);
    start_times(&t);
    topologies(&t);
    return trace_result(&t);
}
