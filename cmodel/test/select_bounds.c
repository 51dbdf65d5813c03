/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_bounds.c: every range of the library at its last good and its first bad value, with the
 * exact code, the name of the member, and nothing emitted; defaults and published keys as they are
 * stated.
 */
#include "egret/classmap.h"
#include "select_odd.h"

/* One row a bound: a member of a configuration, good values, bad ones. */
static void configuration_bounds(void)
{
    static const struct {
        const char *param;
        size_t offset;
        uint32_t least, most, beyond;
    } row[] = {
        {"NUM_PORTS", offsetof(struct egret_cfg, num_ports), 1, 64, 65},
        {"NUM_GROUPS", offsetof(struct egret_cfg, num_groups), 1, 1024, 2048},
        {"NUM_KEYS", offsetof(struct egret_cfg, num_keys), 1, 2048, 4096},
        {"NUM_BINS", offsetof(struct egret_cfg, num_bins), 1, 16, 32},
        {"NUM_ROWS", offsetof(struct egret_cfg, num_rows), 1, 256, 512},
        {"ROW_LEN", offsetof(struct egret_cfg, row_len), 1, 256, 512},
        {"NUM_BUCKETS", offsetof(struct egret_cfg, num_buckets), 1, 65536, 131072},
        {"HASH_KIND", offsetof(struct egret_cfg, hash_kind), 0, 1, 3},
        {"RSP_DEPTH", offsetof(struct egret_cfg, rsp_depth), 16, 256, 512},
        {"SCHEMES", offsetof(struct egret_cfg, schemes), 256, 510, 512 + 256},
        {"SCHEMES", offsetof(struct egret_cfg, schemes), 256, 510, 511},
        {"NUM_FLOWLETS", offsetof(struct egret_cfg, num_flowlets), 16, 65536, 131072},
        {"NUM_FLOWLETS", offsetof(struct egret_cfg, num_flowlets), 16, 65536, 0},
        {"NUM_FLOWLETS", offsetof(struct egret_cfg, num_flowlets), 32, 64, 48},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const uint32_t value[4] = {row[i].least, row[i].most, row[i].beyond, row[i].least - 1};
        for (unsigned k = 0; k < 4; k++) {
            struct egret_cfg c = odd_cfg();
            const char *param = NULL;
            memcpy((char *)&c + row[i].offset, &value[k], sizeof value[k]);
            CHECK_EQ(egret_cfg_check(&c, NULL), k < 2 ? EGRET_OK : EGRET_ERR_CONFIG, "bound");
            CHECK_EQ(egret_cfg_check(&c, &param), k < 2 ? EGRET_OK : EGRET_ERR_CONFIG, "bound");
            if (k < 2)
                CHECK(param == NULL, "%s is named", param);
            else if (k == 2)
                CHECK(param != NULL && strcmp(param, row[i].param) == 0, "%s, not %s", param,
                      row[i].param);
        }
    }
}

/* A table of flowlets exactly with the scheme; latency, and by it the least RSP_DEPTH. */
static void configuration_of_schemes(void)
{
    static const struct {
        uint32_t schemes, kind, latency, least;
    } row[] = {
        {0, 0, 10, 16},   {126, 0, 10, 16},  {2, 1, 10, 16},   {126, 2, 36, 64}, {128, 0, 14, 16},
        {254, 1, 14, 16}, {254, 2, 40, 64},  {256, 0, 14, 16}, {382, 1, 14, 16}, {382, 2, 40, 64},
        {510, 1, 14, 16}, {510, 2, 40, 64},  {384, 0, 14, 16},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        bool flowlet = row[i].schemes >= 256;
        struct egret_cfg c = odd_cfg();
        c.schemes = row[i].schemes;
        c.hash_kind = row[i].kind;
        CHECK_EQ(egret_cfg_latency(&c), row[i].latency, "latency");
        for (uint32_t n = 0; n < 3; n++) {
            const char *param = NULL;
            c.num_flowlets = n < 2 ? n * 16 : 1;
            c.rsp_depth = 256;
            bool good = flowlet ? n == 1 : n == 0;
            CHECK_EQ(egret_cfg_check(&c, &param), good ? EGRET_OK : EGRET_ERR_CONFIG, "flowlets");
            CHECK(good || (param != NULL && strcmp(param, "NUM_FLOWLETS") == 0), "%s", param);
        }
        c.num_flowlets = flowlet ? 16 : 0;
        c.rsp_depth = row[i].least;
        CHECK_EQ(egret_cfg_check(&c, NULL), EGRET_OK, "more than the latency");
        c.rsp_depth = row[i].least / 2;
        CHECK_EQ(egret_cfg_check(&c, NULL), EGRET_ERR_CONFIG, "not more than the latency");
    }
}

/* A name of full length is cut, not left open. */
static void long_name(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    memset(cfg.name, 'n', sizeof cfg.name);
    struct egret *e = test_create(&cfg);
    const struct egret_cfg *got = egret_config(e);
    CHECK(got->name[sizeof got->name - 1] == '\0' && got->name[sizeof got->name - 2] == 'n',
          "name");
    CHECK(memcmp(&got->num_ports, &cfg.num_ports,
                 sizeof cfg - offsetof(struct egret_cfg, num_ports)) == 0,
          "the rest as given");
    egret_destroy(e);
}

static void group_bounds(void)
{
    struct egret_cfg cfg = odd_cfg();
    struct egret_cfg one = test_cfg("p1"), wide = test_cfg("tor64"), tiny = test_cfg("tiny");
    struct egret_write write[7];
    struct egret_group g, best;
    memset(&best, 0, sizeof best);
    best.scheme = 15, best.ordered = 15, best.entropy_offset = 31, best.bank = 1, best.wraps = 15;
    best.last = 63, best.row_base = 31, best.row_mask = 31, best.bucket_base = 127;
    best.bucket_mask = 127, best.members = 0x1f, best.flowlet_base = best.flowlet_mask = 255;
    best.idle = 0xffffff, best.by_quality = best.strictly_better = 1;
    best.drill_samples = 2, best.drill_memory = 1;
    uint32_t *const member[] = {&g.scheme,       &g.ordered,         &g.entropy_offset,
                                &g.bank,         &g.wraps,           &g.last,
                                &g.row_base,     &g.row_mask,        &g.bucket_base,
                                &g.bucket_mask,  &g.flowlet_base,    &g.flowlet_mask,
                                &g.idle,         &g.by_quality,      &g.strictly_better,
                                &g.drill_samples, &g.drill_memory};

    for (size_t i = 0; i <= sizeof member / sizeof member[0] + 2; i++) {
        struct egret_write_buffer buffer = {write, 7, 0};
        bool bad = i != sizeof member / sizeof member[0] + 2;
        g = best;
        if (i < sizeof member / sizeof member[0])
            ++*member[i];
        else if (i == sizeof member / sizeof member[0])
            g.members = 0x20;
        int err = egret_ctl_group(&cfg, i == sizeof member / sizeof member[0] + 1 ? 8 : 7, &g,
                                  egret_emit_buffer, &buffer);
        CHECK_EQ(err, bad ? EGRET_ERR_RANGE : EGRET_OK, "group");
        CHECK_EQ(buffer.count, bad ? 0 : 7, "writes");
    }
    CHECK_EQ(write[0].data, 31u << 16 | 31, "rows");
    CHECK_EQ(write[1].data, 127u << 16 | 127, "buckets");
    CHECK_EQ(write[2].data, 0x1f, "members");
    CHECK_EQ(write[4].addr, EGRET_A_GROUP_STAGE5, "flowlets");
    CHECK_EQ(write[4].data, 255u << 16 | 255, "flowlets");
    CHECK_EQ(write[5].addr, EGRET_A_GROUP_STAGE6, "idle, quality, DRILL");
    CHECK_EQ(write[5].data, 0x1bffffffu, "idle, quality, DRILL");
    CHECK_EQ(write[6].addr, EGRET_A_GROUP(7, 0), "commit");
    CHECK_EQ(write[6].data, 0x1f3fff1fu, "commit");
    static const uint32_t word6[4] = {1u << 24, 1u << 25, 1u << 26, 1u << 28};
    for (unsigned i = 0; i < 4; i++) {
        struct egret_write_buffer buffer = {write, 7, 0};
        memset(&g, 0, sizeof g);
        *member[13 + i] = 1;
        CHECK_EQ(egret_ctl_group(&cfg, 0, &g, egret_emit_buffer, &buffer), EGRET_OK, "word 6");
        CHECK_EQ(write[5].data, word6[i], "word 6");
    }

    /* masks of one row or bucket, and of every length */
    memset(&g, 0, sizeof g);
    struct sink sink = {100, 0};
    CHECK_EQ(egret_ctl_group(&one, 0, &g, emit_sink, &sink), EGRET_OK, "no bit");
    g.row_mask = 1;
    CHECK_EQ(egret_ctl_group(&one, 0, &g, emit_sink, &sink), EGRET_ERR_RANGE, "one row");
    g.row_mask = 0;
    g.bucket_mask = 1;
    CHECK_EQ(egret_ctl_group(&one, 0, &g, emit_sink, &sink), EGRET_ERR_RANGE, "one bucket");
    for (uint32_t mask = 0; mask < 128; mask++) {
        sink.left = 14;
        g.bucket_mask = mask;
        bool low = mask == 0 || mask == 1 || mask == 3 || mask == 7 || mask == 15 || mask == 31 ||
                   mask == 63 || mask == 127;
        CHECK_EQ(egret_ctl_group(&cfg, 0, &g, emit_sink, &sink), low ? EGRET_OK : EGRET_ERR_RANGE,
                 "mask");
        g.bucket_mask = 0;
        g.flowlet_mask = mask;
        CHECK_EQ(egret_ctl_group(&cfg, 0, &g, emit_sink, &sink), low ? EGRET_OK : EGRET_ERR_RANGE,
                 "flowlet mask");
        g.flowlet_mask = 0;
    }

    /* 64 members; an entropy offset without entropy */
    struct egret_write_buffer buffer = {write, 7, 0};
    g.members = 0x8000000180000001u;
    CHECK_EQ(egret_ctl_group(&wide, 127, &g, egret_emit_buffer, &buffer), EGRET_OK, "64 ports");
    CHECK_EQ(write[2].data, 0x80000001u, "members 31..0");
    CHECK_EQ(write[3].addr, EGRET_A_GROUP_STAGE4, "members 63..32");
    CHECK_EQ(write[3].data, 0x80000001u, "members 63..32");
    g.members = 1;
    g.entropy_offset = 1;
    sink.left = 5;
    CHECK_EQ(egret_ctl_group(&tiny, 0, &g, emit_sink, &sink), EGRET_ERR_RANGE, "no entropy");
    g.entropy_offset = 0;
    CHECK_EQ(egret_ctl_group(&tiny, 0, &g, emit_sink, &sink), EGRET_OK, "no entropy, no offset");
}

/* What flowlet and spray-quality bring to a group is all zero without them; four stage writes or
 * six. */
static void group_of_schemes(void)
{
    static const uint32_t schemes[] = {126, 126 + 128, 126 + 256, 126 + 128 + 256};
    for (unsigned k = 0; k < 4; k++) {
        bool load = k & 1u, flowlet = k & 2u;
        struct egret_cfg cfg = odd_schemes(schemes[k]);
        for (unsigned i = 0; i < 8; i++) {
            struct egret_group g = {.members = 1};
            struct sink s = {100, 0};
            uint32_t *const member[] = {&g.flowlet_base,  &g.flowlet_mask,  &g.idle,
                                        &g.by_quality,    &g.strictly_better,
                                        &g.drill_samples, &g.drill_memory};
            if (i < 7)
                *member[i] = 1;
            bool good = i == 7 || (i < 3 ? flowlet : i < 5 ? flowlet && load : load);
            CHECK_EQ(egret_ctl_group(&cfg, 0, &g, emit_sink, &s), good ? EGRET_OK : EGRET_ERR_RANGE,
                     "a part that is not there");
            CHECK_EQ(s.taken, !good ? 0 : load || flowlet ? 7 : 5, "writes");
        }
    }
}

/* Entries of the flowlet table and DRILL's memory, one word each. */
static void entry_bounds(void)
{
    struct egret_cfg cfg = odd_cfg(), none = odd_schemes(126);
    struct egret_write w[2];
    static const struct {
        uint32_t index, tag, port, last;
        bool good;
    } row[] = {
        {255, 0xfff, 4, 0xffffff, true}, {256, 0, 0, 0, false},      {0, 0x1000, 0, 0, false},
        {0, 0, 5, 0, false},             {0, 0, 0, 0x1000000, false}, {0, 0, 0, 0, true},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct egret_write_buffer b = {w, 2, 0};
        CHECK_EQ(egret_ctl_flowlet_entry(&cfg, row[i].index, row[i].tag, row[i].port, row[i].last,
                                         egret_emit_buffer, &b),
                 row[i].good ? EGRET_OK : EGRET_ERR_RANGE, "entry");
        CHECK_EQ(b.count, row[i].good ? 2 : 0, "entry");
        if (i == 0)
            CHECK(w[0].addr == EGRET_A_FLOWLET_LAST && w[0].data == 0xffffff &&
                      w[1].addr == EGRET_A_FLOWLET(255, 0) && w[1].data == 0x8fff0004u,
                  "entry");
    }
    struct sink s = {1000, 0};
    CHECK_EQ(egret_ctl_flowlet_entry(&none, 0, 0, 0, 0, emit_sink, &s), EGRET_ERR_RANGE, "none");
    CHECK_EQ(egret_ctl_flowlet_clear(&none, 0, 1, emit_sink, &s), EGRET_ERR_RANGE, "none");
    CHECK_EQ(egret_ctl_flowlet_clear(&cfg, 0, 0, emit_sink, &s), EGRET_ERR_RANGE, "no entry");
    CHECK_EQ(egret_ctl_flowlet_clear(&cfg, 256, 1, emit_sink, &s), EGRET_ERR_RANGE, "base");
    CHECK_EQ(egret_ctl_flowlet_clear(&cfg, 255, 2, emit_sink, &s), EGRET_ERR_RANGE, "entries");
    CHECK_EQ(egret_ctl_flowlet_clear(&cfg, 0, 257, emit_sink, &s), EGRET_ERR_RANGE, "entries");
    CHECK_EQ(s.taken, 0, "nothing of what is refused");
    CHECK_EQ(egret_ctl_flowlet_clear(&cfg, 0, 256, emit_sink, &s), EGRET_OK, "all");
    CHECK_EQ(egret_ctl_flowlet_clear(&cfg, 250, 6, emit_sink, &s), EGRET_OK, "the last");
    CHECK_EQ(s.taken, 262, "one write an entry");

    static const uint32_t memory[][4] = {
        {7, 1, 4, 1}, {7, 0, 4, 1}, {8, 1, 4, 0}, {7, 2, 4, 0}, {7, 1, 5, 0}, {7, 1, 255, 0},
    };
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        struct egret_write_buffer b = {w, 2, 0};
        CHECK_EQ(egret_ctl_drill_memory(&cfg, memory[i][0], memory[i][1], memory[i][2],
                                        egret_emit_buffer, &b),
                 memory[i][3] ? EGRET_OK : EGRET_ERR_RANGE, "memory");
        CHECK_EQ(b.count, memory[i][3], "memory");
        if (i == 0)
            CHECK(w[0].addr == EGRET_A_DRILL_MEMORY(7) && w[0].data == 0x80000004u, "memory");
    }
    CHECK_EQ(egret_ctl_drill_memory(&none, 0, 0, 0, emit_sink, &s), EGRET_ERR_RANGE, "none");
}

static void single_writes(void)
{
    struct egret_cfg cfg = odd_schemes(510 - 128 - 256), no_random = odd_schemes(62);
    struct egret_cfg quality = odd_schemes(128), flowlet = odd_schemes(256);
    struct egret_write w;
    static const struct {
        uint32_t which, key, bin, epoch, wraps, offset;
        bool good;
    } row[] = {
        {3, 15, 3, 4095, 4095, 63, true}, {3, 16, 3, 0, 0, 0, false},
        {3, 15, 4, 0, 0, 0, false},       {3, 15, 3, 4096, 0, 0, false},
        {3, 15, 3, 0, 4096, 0, false},    {3, 15, 3, 0, 0, 64, false},
        {2, 7, 99, 0, 0, 0, true},        {2, 8, 0, 0, 0, 0, false},
        {1, 0, 0, 0, 0, 0, false},        {4, 0, 0, 0, 0, 0, false},
        {0, 0, 0, 0, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct egret_write_buffer b = {&w, 1, 0};
        int err = egret_ctl_pointer(&cfg, row[i].which, row[i].key, row[i].bin, row[i].epoch,
                                    row[i].wraps, row[i].offset, egret_emit_buffer, &b);
        CHECK_EQ(err, row[i].good ? EGRET_OK : EGRET_ERR_RANGE, "pointer");
        CHECK_EQ(b.count, row[i].good ? 1 : 0, "pointer");
        if (i == 0)
            CHECK(w.addr == EGRET_A_POINTER_DR(15, 3) && w.data == 0xffffff3fu, "dr pointer");
        if (i == 6)
            CHECK(w.addr == EGRET_A_POINTER_RR(7) && w.data == 0, "spray-rr pointer");
    }
    struct egret_write_buffer b = {&w, 1, 0};
    CHECK_EQ(egret_ctl_draw_seed(&cfg, 0xfedcba98u, egret_emit_buffer, &b), EGRET_OK, "draw seed");
    CHECK(w.addr == EGRET_A_DRAW_SEED && w.data == 0xfedcba98u, "draw seed");
    CHECK_EQ(egret_ctl_draw_seed(&cfg, 1, egret_emit_buffer, &b), EGRET_ERR_RANGE, "full");
    b.count = 0;
    CHECK_EQ(egret_ctl_class_ordered(&cfg, 0x10000, egret_emit_buffer, &b), EGRET_ERR_RANGE,
             "class");
    CHECK_EQ(egret_ctl_class_ordered(&cfg, 0xffff, egret_emit_buffer, &b), EGRET_OK, "class");
    CHECK(w.addr == EGRET_A_CLASS_ORDERED && w.data == 0xffff, "class");
    CHECK_EQ(egret_ctl_class_ordered(&cfg, 1, egret_emit_buffer, &b), EGRET_ERR_RANGE, "full");
    b.count = 0;
    CHECK_EQ(egret_ctl_random_seed(&no_random, 5, egret_emit_buffer, &b), EGRET_ERR_RANGE,
             "random");
    CHECK_EQ(egret_ctl_random_seed(&cfg, 5, egret_emit_buffer, &b), EGRET_OK, "random");
    CHECK(w.addr == EGRET_A_RANDOM && w.data == 5, "random");
    CHECK_EQ(egret_ctl_random_seed(&cfg, 5, egret_emit_buffer, &b), EGRET_ERR_RANGE, "full");
    b.count = 0;
    CHECK_EQ(egret_ctl_random_seed(&quality, 6, egret_emit_buffer, &b), EGRET_OK, "spray-quality");
    b.count = 0;
    CHECK_EQ(egret_ctl_random_seed(&flowlet, 7, egret_emit_buffer, &b), EGRET_OK, "flowlet");
}

static void schedule_bounds(void)
{
    struct egret_cfg cfg = odd_cfg();
    static const uint8_t slot[65] = {4, 0, 1};
    static const uint8_t beyond[2] = {0, 5};
    struct egret_member m[EGRET_MAX_PORTS + 1];
    struct sink s = {100000, 0};
    uint8_t out[80];
    size_t len = 99;

    memset(m, 0, sizeof m);
    for (uint32_t i = 0; i <= EGRET_MAX_PORTS; i++)
        m[i].port = i, m[i].weight = 1;
    CHECK_EQ(egret_ctl_row(&cfg, 1, 31, slot, 64, emit_sink, &s), EGRET_OK, "row");
    CHECK_EQ(s.taken, 64, "row");
    CHECK_EQ(egret_ctl_row(&cfg, 2, 31, slot, 64, emit_sink, &s), EGRET_ERR_RANGE, "bank");
    CHECK_EQ(egret_ctl_row(&cfg, 1, 32, slot, 64, emit_sink, &s), EGRET_ERR_RANGE, "row");
    CHECK_EQ(egret_ctl_row(&cfg, 1, 31, slot, 65, emit_sink, &s), EGRET_ERR_RANGE, "length");
    CHECK_EQ(egret_ctl_row(&cfg, 1, 31, slot, 0, emit_sink, &s), EGRET_ERR_RANGE, "no slot");
    CHECK_EQ(egret_ctl_row(&cfg, 0, 0, beyond, 2, emit_sink, &s), EGRET_ERR_RANGE, "port");
    CHECK_EQ(egret_ctl_row(&cfg, 0, 0, beyond, 1, emit_sink, &s), EGRET_OK, "port");
    CHECK_EQ(s.taken, 65, "nothing of what is refused");

    CHECK_EQ(egret_ctl_schedule(&cfg, 1, 0, 32, m, 5, 7, emit_sink, &s, NULL), EGRET_OK,
             "all rows");
    CHECK_EQ(egret_ctl_schedule(&cfg, 1, 31, 1, m, 5, 7, emit_sink, &s, NULL), EGRET_OK,
             "last row");
    CHECK_EQ(s.taken, 65 + 33 * 5, "writes");
    CHECK_EQ(egret_ctl_schedule(&cfg, 2, 0, 1, m, 5, 7, emit_sink, &s, NULL), EGRET_ERR_RANGE,
             "bank");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 0, m, 5, 7, emit_sink, &s, NULL), EGRET_ERR_RANGE,
             "rows");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 33, m, 5, 7, emit_sink, &s, NULL), EGRET_ERR_RANGE,
             "rows");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 31, 2, m, 5, 7, emit_sink, &s, NULL), EGRET_ERR_RANGE,
             "base");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 32, 1, m, 5, 7, emit_sink, &s, NULL), EGRET_ERR_RANGE,
             "base");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 0, 7, emit_sink, &s, NULL), EGRET_ERR_RANGE,
             "no member");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 65, 7, emit_sink, &s, NULL), EGRET_ERR_RANGE,
             "65 members");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 6, 7, emit_sink, &s, NULL), EGRET_ERR_RANGE,
             "port");
    CHECK_EQ(s.taken, 65 + 33 * 5, "nothing of what is refused");

    CHECK_EQ(egret_iwrr(m, 64, out, 64, &len), EGRET_OK, "64 members");
    CHECK_EQ(len, 64, "64 members");
    len = 99;
    CHECK_EQ(egret_iwrr(m, 64, out, 63, &len), EGRET_ERR_RANGE, "capacity");
    CHECK_EQ(egret_iwrr(m, 65, out, sizeof out, &len), EGRET_ERR_RANGE, "65 members");
    CHECK_EQ(egret_iwrr(m, 0, out, sizeof out, &len), EGRET_ERR_RANGE, "no member");
    CHECK_EQ(egret_iwrr(m + 64, 1, out, sizeof out, &len), EGRET_ERR_RANGE, "port 64");
    CHECK_EQ(egret_iwrr(m + 63, 2, out, sizeof out, &len), EGRET_ERR_RANGE, "port 64, second");
    m[0].weight = 0;
    CHECK_EQ(egret_iwrr(m, 2, out, sizeof out, &len), EGRET_ERR_RANGE, "weight 0");
    m[0].weight = (1u << 24) + 1;
    CHECK_EQ(egret_iwrr(m, 1, out, sizeof out, &len), EGRET_ERR_RANGE, "weight beyond 2^24");
    CHECK_EQ(len, 99, "untouched");
    m[0].weight = 1u << 24;
    CHECK_EQ(egret_iwrr(m, 1, out, sizeof out, &len), EGRET_OK, "weight 2^24");
    CHECK_EQ(len, 1, "one slot");
}

static void bucket_bounds(void)
{
    struct egret_cfg cfg = odd_cfg();
    uint8_t home[2 * ODD_BUCKETS], now[2 * ODD_BUCKETS];
    struct egret_buckets good, b;
    static const struct {
        uint32_t base, count, members;
        bool good;
    } row[] = {
        {0, 128, 5, true},  {64, 64, 5, true},  {127, 1, 1, true},   {96, 32, 5, true},
        {0, 0, 0, false},   {0, 0, 1, false},   {0, 3, 3, false},    {0, 256, 5, false},
        {1, 128, 5, false}, {127, 2, 1, false}, {97, 32, 5, false},  {0, 128, 0, false},
        {0, 4, 5, false},   {0, 1, 2, false},   {0, 128, 65, false}, {128, 1, 1, false},
    };
    memset(&good, 0, sizeof good);
    good.home = home;
    good.now = now;
    for (uint32_t i = 0; i < EGRET_MAX_PORTS; i++)
        good.member[i].port = i, good.member[i].weight = 1;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct sink s = {1000, 0};
        b = good;
        b.base = row[i].base;
        b.count = row[i].count;
        b.num_members = row[i].members;
        CHECK_EQ(egret_ctl_buckets(&cfg, &b, emit_sink, &s),
                 row[i].good ? EGRET_OK : EGRET_ERR_RANGE, "buckets");
        CHECK_EQ(s.taken, row[i].good ? row[i].count : 0, "buckets");
    }
    good.count = 8;
    for (uint32_t at = 0; at < 3; at++) {
        for (unsigned k = 0; k < 6; k++) {
            struct sink s = {1000, 0};
            b = good;
            b.num_members = 3;
            b.member[at].weight = k == 1 ? 0 : k == 2 ? 1u << 24 : k == 3 ? (1u << 24) + 1 : 1;
            b.member[at].port = k == 4 ? 5 : k == 5 ? (at + 1) % 3 : at;
            int want = k == 0 || k == 2 ? EGRET_OK : EGRET_ERR_RANGE;
            CHECK_EQ(egret_ctl_buckets(&cfg, &b, emit_sink, &s), want, "member");
            CHECK_EQ(s.taken, want == EGRET_OK ? 8 : 0, "member");
            b.live = 7;
            CHECK_EQ(egret_ctl_member_back(&cfg, &b, b.member[0].port, emit_sink, &s), want,
                     "back");
        }
    }
}

static void hash_bounds(void)
{
    struct egret_hash_setup good, s;
    const char *param = NULL;
    static const struct {
        uint32_t algorithm, layout, fields, rotation, key_len;
        const char *bad;
    } row[] = {
        {7, 5, 0x7f, 31, 0, NULL},  {8, 0, 0, 0, 40, "algorithm"}, {15, 0, 0, 0, 40, "algorithm"},
        {0, 6, 0, 0, 40, "layout"}, {0, 0, 0x80, 0, 40, "fields"}, {0, 0, 0, 32, 40, "rotation"},
        {4, 0, 0, 0, 0, "key"},     {4, 0, 0, 0, 1, NULL},         {4, 0, 0, 0, 64, NULL},
        {4, 0, 0, 0, 65, "key"},    {3, 4, 0, 0, 0, NULL},         {3, 0, 0, 0, 99, NULL},
        {4, 4, 0x7f, 31, 0, "key"},
    };
    memset(&s, 0xee, sizeof s);
    egret_hash_setup_default(&s);
    CHECK(s.algorithm == EGRET_HASH_CRC32C && s.layout == EGRET_LAYOUT_RECORD && s.fields == 0x1f &&
              s.seed == 0 && s.rotation == 0 && s.key_len == 40,
          "default");
    good = s;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        uint8_t record[EGRET_RECORD_BYTES] = {1, 2, 3};
        uint32_t out = 99;
        s = good;
        s.algorithm = row[i].algorithm, s.layout = row[i].layout, s.fields = row[i].fields;
        s.rotation = row[i].rotation, s.key_len = row[i].key_len;
        int want = row[i].bad != NULL ? EGRET_ERR_RANGE : EGRET_OK;
        param = NULL;
        CHECK_EQ(egret_hash_setup_check(&s, &param), want, "setup");
        CHECK_EQ(egret_hash_setup_check(&s, NULL), want, "setup");
        CHECK_EQ(egret_hash_record(&s, record, &out), want, "setup");
        CHECK((param == NULL) == (row[i].bad == NULL) && (out == 99) == (row[i].bad != NULL),
              "setup");
        if (param != NULL && row[i].bad != NULL)
            CHECK(strcmp(param, row[i].bad) == 0, "%s, not %s", param, row[i].bad);
    }
    for (uint32_t layout = 0; layout < 8; layout++) {
        static const size_t bytes[8] = {41, 13, 12, 36, 8, 32, 0, 0};
        uint8_t record[EGRET_RECORD_BYTES], out[EGRET_RECORD_BYTES];
        CHECK_EQ(egret_hash_layout_bytes(layout), bytes[layout], "bytes of a layout");
        CHECK_EQ(egret_hash_layout_pack(layout, record, out), bytes[layout], "bytes of a layout");
    }
    CHECK(egret_hash_layout_name(6) == NULL && egret_hash_algorithm_name(8) == NULL &&
              egret_hash_algorithm_name(14) == NULL && egret_hash_algorithm_name(16) == NULL &&
              egret_hash_field_name(7) == NULL && egret_hash_field_name(8) == NULL,
          "no such names");
    CHECK(strcmp(egret_hash_algorithm_name(15), "matrix") == 0, "matrix");
}

/* The published keys, byte by byte. */
static void keys(void)
{
    static const char text[] = "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c"
                               "6a42b73bbeac01fa";
    uint8_t rss[41], symmetric[41];
    rss[40] = symmetric[40] = 0xee;
    egret_hash_rss_key(rss);
    egret_hash_symmetric_key(symmetric);
    for (unsigned i = 0; i < 40; i++) {
        char byte[3] = {text[2 * i], text[2 * i + 1], '\0'};
        CHECK_EQ(rss[i], strtoul(byte, NULL, 16), "published key");
        CHECK_EQ(symmetric[i], i % 2 == 0 ? 0x6d : 0x5a, "symmetric key");
    }
    CHECK(rss[40] == 0xee && symmetric[40] == 0xee, "40 bytes");
}

static void classmap_bounds(void)
{
    static const uint8_t ack[] = {0x11, 0x12, 0x51, 0x52, 0x81, 0xb1, 0xb2};
    struct egret_classmap map;
    const char *param = NULL;

    memset(&map, 0xff, sizeof map);
    egret_classmap_default(&map);
    for (unsigned i = 0; i < 256; i++) {
        bool is_ack = memchr(ack, (int)i, sizeof ack) != NULL;
        CHECK_EQ(map.opcode[i], is_ack ? EGRET_OPCODE_ACK : 0, "default opcodes");
        CHECK_EQ(egret_classmap_bin(&map, 9000, (int)i), is_ack ? 0 : 1, "default bins");
    }
    CHECK(map.num_thresholds == 1 && map.threshold[0] == 256 && map.ack_bin == 0, "default");
    memset(map.opcode, EGRET_OPCODE_ACK, sizeof map.opcode);
    CHECK_EQ(egret_classmap_bin(&map, 9000, 256), 1, "no opcode");
    CHECK_EQ(egret_classmap_bin(&map, 9000, -1), 1, "no opcode");
    CHECK_EQ(egret_classmap_bin(&map, 9000, 255), 0, "opcode 255");
    CHECK_EQ(egret_classmap_bin(&map, 9000, 0), 0, "opcode 0");

    for (unsigned i = 0; i < 15; i++)
        map.threshold[i] = (uint16_t)(2 * i);
    static const struct {
        uint32_t thresholds, ack_bin, bins;
        const char *bad;
    } row[] = {
        {15, 15, 16, NULL},      {15, 0, 15, "num_thresholds"}, {16, 0, 32, "num_thresholds"},
        {14, 15, 15, "ack_bin"}, {0, 16, 32, "ack_bin"},        {15, 15, 64, NULL},
        {0, 0, 1, NULL},         {1, 0, 1, "num_thresholds"},   {0, 1, 1, "ack_bin"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        map.num_thresholds = row[i].thresholds;
        map.ack_bin = (uint8_t)row[i].ack_bin;
        param = NULL;
        int want = row[i].bad != NULL ? EGRET_ERR_RANGE : EGRET_OK;
        CHECK_EQ(egret_classmap_check(&map, row[i].bins, &param), want, "classmap");
        CHECK_EQ(egret_classmap_check(&map, row[i].bins, NULL), want, "classmap");
        CHECK(row[i].bad == NULL ? param == NULL : param != NULL && strcmp(param, row[i].bad) == 0,
              "row %zu", i);
    }
    for (unsigned at = 1; at < 15; at++) {
        map.num_thresholds = 15;
        map.ack_bin = 0;
        map.threshold[at] = (uint16_t)(2 * (at - 1));
        CHECK_EQ(egret_classmap_check(&map, 16, &param), EGRET_ERR_RANGE, "not ascending");
        map.num_thresholds = at;
        CHECK_EQ(egret_classmap_check(&map, 16, &param), EGRET_OK, "beyond the last");
        map.threshold[at] = (uint16_t)(2 * at);
    }
}

int main(void)
{
    configuration_bounds();
    configuration_of_schemes();
    long_name();
    group_bounds();
    group_of_schemes();
    entry_bounds();
    single_writes();
    schedule_bounds();
    bucket_bounds();
    hash_bounds();
    keys();
    classmap_bounds();
    return test_end();
}
