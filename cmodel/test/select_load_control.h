/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_load_control.h: the control side's part of select_load.c: scales from speeds and buffers,
 * thresholds, weights, presets, refusals.
 */
#ifndef EGRET_SELECT_LOAD_CONTROL_H
#define EGRET_SELECT_LOAD_CONTROL_H

#include "egret/control.h"
#include "select_test.h"

/* Averages of full ports, with the numbers worked out by hand. */
static void full_bytes(void)
{
    static const struct {
        uint64_t speed;
        uint32_t period_ns, exponent, bytes;
        const char *refused;
    } row[] = {
        {100000000000u, 16000, 2, 800000, NULL}, /* 12.5 GB/s * 16 us * 4 */
        {40000000000u, 20000, 3, 800000, NULL},  /* 5 GB/s * 160 us */
        {10000000000u, 16000, 0, 20000, NULL},
        {800000000000u, 100, 0, 10000, NULL},
        {1, 1000000000, 3, 1, NULL}, /* one bit a second, 8 s */
        {7, 1000000000, 0, 0, "period"},
        {9, 1000000000, 0, 1, NULL},
        {15, 1000000000, 1, 3, NULL}, /* 3.75 */
        {3333333333u, 3, 3, 9, NULL}, /* 9.99 */
        {1999999999u, 1, 4, 3, NULL}, /* 3.99 */
        {10000000000000u, 3435973, 0, 4294966250u, NULL},
        {10000000000000u, 3435974, 0, 0, "exponent"}, /* 4294967500 */
        {10000000000000u, 1000000000, 15, 0, "exponent"},
        {0, 16000, 2, 0, "speed"},
        {10000000000001u, 16000, 2, 0, "speed"},
        {100000000000u, 0, 2, 0, "period"},
        {100000000000u, 1000000001, 2, 0, "period"},
        {100000000000u, 16000, 16, 0, "exponent"},
        {100000000000u, 16000, 15, 0, "exponent"}, /* 6.5 GB */
        {100000000000u, 10485, 15, 4294656000u, NULL},
        {100000000000u, 10486, 15, 0, "exponent"},
        {34359738360u, 1000000000, 0, 4294967295u, NULL}, /* a second of 8 (2^32 - 1) bit/s */
        {34359738368u, 1000000000, 0, 0, "exponent"},
        {1, 1000000000, 15, 4096, NULL},
        {1, 1000000000, 16, 0, "exponent"}, /* its own range, not the result's */
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        uint32_t bytes = 0;
        const char *param = NULL;
        int err = egret_load_full_bytes(row[i].speed, row[i].period_ns, row[i].exponent, &bytes,
                                        &param);
        CHECK(err == (row[i].refused != NULL ? EGRET_ERR_RANGE : EGRET_OK) &&
                  bytes == row[i].bytes,
              "row %zu: %d, %u bytes", i, err, bytes);
        CHECK(row[i].refused == NULL
                  ? param == NULL
                  : param != NULL && strcmp(param, row[i].refused) == 0,
              "row %zu: %s", i, param != NULL ? param : "null");
    }
    CHECK_EQ(egret_load_full_bytes(1, 1, 1, NULL, NULL), EGRET_ERR_NULL, "null");
}

/* Shift and scale of any full scale: the top 16 bits, and 16384 for it. */
static void scale_words(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret_write write[2];

    for (unsigned i = 0; i < 2000; i++) {
        struct egret_write_buffer b = {write, 2, 0};
        struct egret_load load = {.period_ns = 1000000000, .weight_past = 1, .weight_future = 1};
        uint32_t full = i < 32 ? (uint32_t)1 << i : i < 63 ? ((uint32_t)2 << (i - 32)) - 1
                                                           : test_random() >> test_below(32);
        full = full < 1 ? 1 : full;
        /* one byte a second is 8 bit/s */
        REQUIRE(egret_ctl_port_load(&cfg, 7, 8 * (uint64_t)full, full, &load, egret_emit_buffer, &b,
                                    NULL) == EGRET_OK);
        REQUIRE(b.count == 2);
        for (unsigned w = 0; w < 2; w++) {
            uint32_t scale = write[w].data & 0xffffu, shift = write[w].data >> 16;
            uint32_t top = full >> shift;
            double exact = 1073741824.0 / top;
            CHECK_EQ(write[w].addr, EGRET_A_PORT_LOAD(7, w), "address");
            CHECK(top <= 0xffff && (shift == 0 || top >= 0x8000), "%u: shift %u", full, shift);
            CHECK(exact > 65535 ? scale == 65535 : scale - exact <= 0.5 && exact - scale <= 0.5,
                  "%u: scale %u, not %f", full, scale, exact);
            if (full > 16384) {
                uint32_t metric = top * scale >> 16;
                CHECK(metric == 16384 || metric == 16383, "%u is %u", full, metric);
            }
        }
    }
}

static int nothing(void *ctx, uint32_t addr, uint32_t data)
{
    (void)addr;
    (void)data;
    *(unsigned *)ctx += 1;
    return EGRET_OK;
}

static unsigned writes;

/* An error that names `want`, before the first write. */
static void refused(int err, const char **param, const char *want)
{
    CHECK_EQ(err, EGRET_ERR_RANGE, want);
    CHECK(*param != NULL && strcmp(*param, want) == 0, "%s, not %s",
          *param != NULL ? *param : "null", want);
    CHECK_EQ(writes, 0, want);
    *param = NULL;
}

static void refusals(void)
{
    struct egret_cfg cfg = test_cfg("lab"), tiny = test_cfg("tiny");
    struct egret_load good, l;
    const char *param = NULL;

    REQUIRE(egret_load_preset("sai", &good) == EGRET_OK);
#define LOAD(change, want)                                                              \
    do {                                                                                \
        l = good;                                                                       \
        change;                                                                         \
        refused(egret_ctl_load(&cfg, &l, nothing, &writes, &param), &param, want);      \
    } while (0)
    LOAD(l.exponent = 16, "exponent");
    LOAD(l.weight_past = 512, "weight");
    LOAD(l.weight_future = 512, "weight");
    LOAD(l.small = 65536, "small");
    LOAD(l.threshold[0] = 65536, "threshold");
    LOAD(l.threshold[6] = 65536, "threshold");
    refused(egret_ctl_load(&tiny, &good, nothing, &writes, &param), &param, "SCHEMES");
#define PORT(cfg, port, speed, buffer, want)                                                    \
    refused(egret_ctl_port_load(cfg, port, speed, buffer, &l, nothing, &writes, &param), &param, \
            want)
    l = good;
    PORT(&tiny, 0, 100000000000u, 1000000, "SCHEMES");
    PORT(&cfg, 16, 100000000000u, 1000000, "port");
    PORT(&cfg, 0, 0, 1000000, "speed");
    PORT(&cfg, 0, 100000000000u, 0, "buffer");
    PORT(&cfg, 0, 100000000000u, 0x100000000u, "buffer");
    l.period_ns = 0;
    PORT(&cfg, 0, 100000000000u, 1000000, "period");
    l = good;
    l.exponent = 16;
    PORT(&cfg, 0, 100000000000u, 1000000, "exponent");
    l = good;
    l.weight_future = 0;
    CHECK_EQ(egret_ctl_port_load(&cfg, 15, 100000000000u, 0, &l, nothing, &writes, NULL), EGRET_OK,
             "no queue where it weighs nothing");
    CHECK_EQ(writes, 2, "writes");
    l.exponent = 15;
    l.weight_past = l.weight_future = 511;
    for (unsigned i = 0; i < 7; i++)
        l.threshold[i] = 65535;
    l.small = 65535;
    CHECK_EQ(egret_ctl_load(&cfg, &l, nothing, &writes, NULL), EGRET_OK, "the largest");
    CHECK_EQ(writes, 12, "writes");
    CHECK_EQ(egret_ctl_drill_memory(&cfg, 31, 1, 15, nothing, &writes), EGRET_OK, "memory");
    CHECK_EQ(egret_ctl_drill_memory(&cfg, 32, 1, 15, nothing, &writes), EGRET_ERR_RANGE, "group");
    CHECK_EQ(egret_ctl_drill_memory(&cfg, 31, 2, 15, nothing, &writes), EGRET_ERR_RANGE, "valid");
    CHECK_EQ(egret_ctl_drill_memory(&cfg, 31, 1, 16, nothing, &writes), EGRET_ERR_RANGE, "port");
    CHECK_EQ(egret_ctl_drill_memory(&tiny, 0, 1, 0, nothing, &writes), EGRET_ERR_RANGE, "tiny");
    CHECK_EQ(writes, 13, "writes");
    CHECK_EQ(egret_ctl_load(NULL, &l, nothing, &writes, NULL), EGRET_ERR_NULL, "null");
    CHECK_EQ(egret_ctl_load(&cfg, NULL, nothing, &writes, NULL), EGRET_ERR_NULL, "null");
    CHECK_EQ(egret_ctl_load(&cfg, &l, NULL, &writes, NULL), EGRET_ERR_NULL, "null");
    CHECK_EQ(egret_ctl_port_load(NULL, 0, 1, 1, &l, nothing, &writes, NULL), EGRET_ERR_NULL,
             "null");
    CHECK_EQ(egret_ctl_drill_memory(&cfg, 0, 0, 0, NULL, NULL), EGRET_ERR_NULL, "null");
}

/* Percentages and rates: a threshold is the least metric that is not below them. */
static void levels(void)
{
    static const uint32_t flat[7] = {0, 1, 33, 50, 50, 99, 100};
    static const uint32_t want[7] = {0, 164, 5407, 8192, 8192, 16221, 16384};
    static const uint32_t rate[8] = {1000, 50000, 100000, 100000, 100000, 100000, 100000, 100000};
    static const uint32_t seven[7] = {0, 1000, 33000, 50000, 50000, 99000, 100000};
    struct egret_load l = {.threshold = {9, 9, 9, 9, 9, 9, 9}}, before = l;
    uint32_t bad[8] = {10, 20, 30, 40, 50, 60, 70, 80};

    CHECK_EQ(egret_load_percent(&l, bad, 8, false), EGRET_ERR_RANGE, "eight");
    bad[6] = 59;
    CHECK_EQ(egret_load_percent(&l, bad, 7, false), EGRET_ERR_RANGE, "a fall");
    bad[6] = 101;
    CHECK_EQ(egret_load_percent(&l, bad, 7, false), EGRET_ERR_RANGE, "beyond 100");
    CHECK_EQ(egret_load_percent(&l, bad, 5, true), EGRET_ERR_RANGE, "more than 100 in all");
    CHECK_EQ(egret_load_mbps(&l, rate, 3, 99999999999u), EGRET_ERR_RANGE, "beyond the speed");
    CHECK_EQ(egret_load_mbps(&l, rate, 3, 0), EGRET_ERR_RANGE, "no speed");
    CHECK_EQ(egret_load_mbps(&l, rate, 8, 100000000000u), EGRET_ERR_RANGE, "eight");
    CHECK(memcmp(&l, &before, sizeof l) == 0, "nothing is set");
    CHECK_EQ(egret_load_percent(NULL, flat, 7, false), EGRET_ERR_NULL, "null");
    CHECK_EQ(egret_load_mbps(NULL, rate, 3, 1), EGRET_ERR_NULL, "null");
    CHECK_EQ(egret_load_percent(&l, flat, 7, false), EGRET_OK, "percentages");
    CHECK(memcmp(l.threshold, want, sizeof want) == 0, "percentages");
    CHECK_EQ(egret_load_percent(&l, bad, 4, true), EGRET_OK, "steps"); /* 10 30 60 100 */
    CHECK(l.threshold[0] == 1639 && l.threshold[1] == 4916 && l.threshold[2] == 9831 &&
              l.threshold[3] == 16384 && l.threshold[4] == 65535 && l.threshold[6] == 65535,
          "steps, and nothing beyond them");
    CHECK_EQ(egret_load_mbps(&l, rate, 3, 100000000000u), EGRET_OK, "rates");
    CHECK(l.threshold[0] == 164 && l.threshold[1] == 8192 && l.threshold[2] == 16384 &&
              l.threshold[3] == 65535,
          "rates");
    CHECK_EQ(egret_load_mbps(&l, seven, 7, 100000000000u), EGRET_OK, "seven rates");
    CHECK(memcmp(l.threshold, want, sizeof want) == 0, "seven rates");
    CHECK_EQ(egret_load_mbps(&l, rate, 3, 10000000000001u), EGRET_ERR_RANGE, "beyond the range");
    CHECK_EQ(egret_load_mbps(&l, rate, 3, 10000000000000u), EGRET_OK, "the quickest port");
    CHECK(l.threshold[0] == 2 && l.threshold[1] == 82 && l.threshold[2] == 164, "its rates");
    CHECK_EQ(egret_load_percent(&l, NULL, 0, false), EGRET_OK, "none");
    CHECK(l.threshold[0] == 65535, "one band");
    CHECK_EQ(egret_load_weights(&l, 16, 16), EGRET_OK, "SAI");
    CHECK(l.weight_past == 128 && l.weight_future == 128, "SAI");
    CHECK_EQ(egret_load_weights(&l, 70, 30), EGRET_OK, "percent");
    CHECK(l.weight_past == 179 && l.weight_future == 77, "percent");
    CHECK_EQ(egret_load_weights(&l, 0xffffffffu, 1), EGRET_OK, "past alone");
    CHECK(l.weight_past == 256 && l.weight_future == 0, "past alone");
    CHECK_EQ(egret_load_weights(&l, 0, 5), EGRET_OK, "future alone");
    CHECK(l.weight_past == 0 && l.weight_future == 256, "future alone");
    CHECK_EQ(egret_load_weights(&l, 0, 0), EGRET_ERR_RANGE, "neither");
    CHECK_EQ(egret_load_weights(NULL, 1, 1), EGRET_ERR_NULL, "null");
}

/* Published: SAI's defaults (16 us, exponent 2, weights 16 and 16); Cisco's dre-thresholds, whose
 * seven steps add up to 100, and decay-factor 2; CONGA's 160 us and 3 bits; htsim's 5, 10 and 20 %
 * of the buffer, 100 ns, hashing below 100 bytes. */
static void presets(void)
{
    static const struct {
        const char *name;
        uint32_t period_ns, exponent, past, future, small;
        double percent[7]; /* negative: no such threshold */
    } row[] = {
        {"sai", 16000, 2, 128, 128, 0, {12.5, 25, 37.5, 50, 62.5, 75, 87.5}},
        {"cisco-aci", 16000, 2, 256, 0, 0, {5, 10, 20, 35, 50, 75, 100}},
        {"cisco-nxos", 16000, 2, 256, 0, 0, {15, 35, 65, 80, 90, 95, 100}},
        {"conga", 20000, 3, 256, 0, 0, {12.5, 25, 37.5, 50, 62.5, 75, 87.5}},
        {"htsim-ar", 100, 0, 0, 256, 100, {5, 10, 20, -1, -1, -1, -1}},
    };
    size_t n = sizeof row / sizeof row[0];
    struct egret_load l, before;

    for (size_t i = 0; i < n; i++) {
        CHECK(egret_load_preset_name(i) != NULL &&
                  strcmp(egret_load_preset_name(i), row[i].name) == 0,
              "preset %zu", i);
        memset(&l, 0xff, sizeof l);
        CHECK_EQ(egret_load_preset(row[i].name, &l), EGRET_OK, row[i].name);
        CHECK_EQ(l.period_ns, row[i].period_ns, row[i].name);
        CHECK_EQ(l.exponent, row[i].exponent, row[i].name);
        CHECK_EQ(l.weight_past, row[i].past, row[i].name);
        CHECK_EQ(l.weight_future, row[i].future, row[i].name);
        CHECK_EQ(l.small, row[i].small, row[i].name);
        for (unsigned k = 0; k < 7; k++)
            CHECK_EQ(l.threshold[k],
                     row[i].percent[k] < 0 ? 65535 : ceil(row[i].percent[k] * 163.84 - 1e-9),
                     row[i].name);
    }
    CHECK(egret_load_preset_name(n) == NULL, "no more presets");
    CHECK_EQ(l.period_ns << l.exponent, 100, "htsim has no average");
    REQUIRE(egret_load_preset("conga", &l) == EGRET_OK);
    CHECK_EQ(l.period_ns << l.exponent, 160000, "tau is 160 us");
    before = l;
    CHECK_EQ(egret_load_preset("none", &l), EGRET_ERR_RANGE, "unknown");
    CHECK(memcmp(&l, &before, sizeof l) == 0, "untouched");
    CHECK_EQ(egret_load_preset(NULL, &l), EGRET_ERR_NULL, "null");
    CHECK_EQ(egret_load_preset("sai", NULL), EGRET_ERR_NULL, "null");
}

static void control(void)
{
    full_bytes();
    scale_words();
    refusals();
    levels();
    presets();
}

#endif
