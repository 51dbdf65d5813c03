/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights that do not fit a row: examples by hand, every choice there is for small ones, bounds for
 * large ones, and switches whose rows are too short, or too few.
 */
#include "fabric_build.h"
#include "plan.h"

static struct trace_test t;
static struct egret_trace_error err;

static int becomes(const uint8_t *x, const uint8_t *want, uint32_t n, uint32_t slots, uint32_t ppm)
{
    uint8_t w[EGRET_MAX_PORTS] = {0};
    uint32_t sum = 0, got_ppm;
    memcpy(w, x, n);
    uint32_t got = egret_fab_reduce(w, n, slots, &got_ppm);
    for (uint32_t i = 0; i < n; i++) {
        sum += want[i];
    }
    return got == sum && memcmp(w, want, n) == 0 && got_ppm == ppm;
}

static void examples(void)
{
    uint8_t x[32], y[32];
    /* 2/4 * 15/7 = 15/14; all ones 1/3 * 15/4 = 5/4 */
    CHECK(&t, becomes((const uint8_t[]){3, 4, 4, 4}, (const uint8_t[]){1, 2, 2, 2}, 4, 8, 1071429));
    CHECK(&t, becomes((const uint8_t[]){0, 3, 4, 0, 4, 4}, (const uint8_t[]){0, 2, 3, 0, 3, 3}, 6,
                      14, 1022727));
    CHECK(&t, becomes((const uint8_t[]){3, 4, 4, 4}, (const uint8_t[]){1, 1, 1, 1}, 4, 6, 1250000));
    /* more members than slots: one each, and the sum says so */
    CHECK(&t, becomes((const uint8_t[]){3, 4, 4, 4}, (const uint8_t[]){1, 1, 1, 1}, 4, 3, 1250000));
    /* the last one is heavy already, 1/1 * 15/T: all slots to the others, 9 for two */
    CHECK(&t, becomes((const uint8_t[]){7, 7, 1}, (const uint8_t[]){5, 4, 1}, 3, 10, 1500000));
    CHECK(&t,
          becomes((const uint8_t[]){1, 64, 64, 64}, (const uint8_t[]){1, 3, 2, 2}, 4, 8, 24125000));
    /* k = 64: 8/32 * 1023/255; two thirds of the uplinks: 1/31 * 1014/32 */
    memset(x, 32, sizeof x);
    memset(y, 8, sizeof y);
    x[31] = 31;
    y[31] = 7;
    CHECK(&t, becomes(x, y, 32, 256, 1002941));
    memset(x + 22, 31, 10);
    memset(y, 1, sizeof y);
    CHECK(&t, becomes(x, y, 32, 256, 1022177));
}

/* The largest Y_i / X_i * S / T as a fraction. */
struct fraction {
    uint64_t over, under;
};
static struct fraction oversubscription(const uint8_t *x, const uint8_t *y, uint32_t n)
{
    struct fraction most = {0, 1};
    uint64_t s = 0, total = 0;
    for (uint32_t i = 0; i < n; i++) {
        s += x[i];
        total += y[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        struct fraction f = {y[i] * s, x[i] * total};
        if (x[i] && f.over * most.under > most.over * f.under) {
            most = f;
        }
    }
    return most;
}

/* All Y of at least 1 with at most `slots` in all: the least of their largest; of them the fewest
 * slots. */
static void every(const uint8_t *x, uint8_t *y, uint32_t n, uint32_t at, uint32_t left,
                  struct fraction *best, uint32_t *fewest, uint32_t used)
{
    if (at == n) {
        struct fraction f = oversubscription(x, y, n);
        uint64_t a = f.over * best->under, b = best->over * f.under;
        if (best->under == 0 || a < b || (a == b && used < *fewest)) {
            *best = f;
            *fewest = used;
        }
        return;
    }
    for (uint32_t v = 1; v + (n - at - 1u) <= left; v++) {
        y[at] = (uint8_t)v;
        every(x, y, n, at + 1u, left - v, best, fewest, used + v);
    }
}

static uint32_t state = 1;
static uint32_t below(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

static void against_all(void)
{
    for (uint32_t trial = 0; trial < 3000u; trial++) {
        uint8_t x[5], y[5], w[5];
        uint32_t n = 1u + below(5), slots = n + below(9), sum = 0, fewest = 0, ppm;
        struct fraction best = {0, 0};
        for (uint32_t i = 0; i < n; i++) {
            x[i] = (uint8_t)(1u + below(trial % 3u ? 32u : 4u));
            sum += x[i];
        }
        if (sum <= slots) {
            continue;
        }
        memcpy(w, x, n);
        uint32_t got = egret_fab_reduce(w, n, slots, &ppm);
        every(x, y, n, 0, slots, &best, &fewest, 0);
        struct fraction f = oversubscription(x, w, n);
        CHECK(&t, f.over * best.under == best.over * f.under && got == fewest);
        CHECK(&t, ppm == (f.over * 1000000u + f.under / 2u) / f.under);
    }
}

/* Never above max(1 + (n - 1) / slots, S / (slots min X)). */
static void bounds(void)
{
    for (uint32_t trial = 0; trial < 2000u; trial++) {
        uint8_t x[63] = {0}, w[63];
        uint32_t ups = 1u + below(63), n = 0, sum = 0, least = 64, total = 0, ppm, kept = 0;
        uint32_t low = trial % 2u ? 28u : 1u, slots = 64u << below(3);
        for (uint32_t i = 0; i < ups; i++) {
            x[i] = (uint8_t)(below(8) ? low + below(33u - low) : 0);
            n += x[i] != 0;
            sum += x[i];
            least = x[i] && x[i] < least ? x[i] : least;
        }
        if (sum <= slots) {
            continue;
        }
        memcpy(w, x, sizeof w);
        uint32_t got = egret_fab_reduce(w, ups, slots, &ppm);
        for (uint32_t i = 0; i < ups; i++) {
            kept += (w[i] != 0) == (x[i] != 0);
            total += w[i];
        }
        CHECK(&t, kept == ups && total == got && got <= slots && got >= n);
        struct fraction f = oversubscription(x, w, ups);
        CHECK(&t, f.over * slots <= (uint64_t)(slots + n - 1u) * f.under ||
                      f.over * slots * least <= (uint64_t)sum * f.under);
    }
}

/* ---- switches ---- */

/* k = 8, aggregation switch 0 has lost a core: [3, 4, 4, 4] towards other pods. */
static void short_rows(uint32_t scheme, uint32_t row_len, uint32_t num_rows, const uint8_t *want,
                       uint32_t ppm)
{
    static const struct egret_fabric_failure x = {0, 1, 0, 0};
    struct egret_fabric f;
    fabric_spec(&f, "fat-tree:8", scheme ? scheme : (uint32_t)EGRET_SCHEME_SPRAY_RR);
    f.spec.tier[0].rule = f.spec.tier[1].rule = scheme ? 0 : EGRET_RULE_SIMPLE_RR;
    f.spec.failure = &x;
    f.spec.failures = 1;
    (void)egret_cfg_named("lab", &f.spec.tier[0].cfg);
    f.spec.tier[0].cfg.row_len = row_len;
    f.spec.tier[0].cfg.num_rows = num_rows;
    int code = fabric_up(&f, &err);
    if (!CHECK(&t, code == EGRET_OK)) {
        printf("%s\n", err.text);
        egret_fab_teardown(&f);
        return;
    }
    uint32_t count[8] = {0}, sum = 0;
    for (uint32_t u = 0; u < 4u; u++) {
        sum += want[u];
    }
    for (uint32_t i = 0; i < 2u * sum; i++) {
        struct fab_packet p = fabric_packet(0, 64, i);
        count[fabric_decide(&f, &f.node[f.first_node[FAB_EDGE]], &p) & 7u]++;
    }
    for (uint32_t u = 0; u < 4u; u++) {
        CHECK(&t, count[4u + u] == 2u * want[u]);
    }
    /* edges of pod 0, to other pods; edges of the others, to pod 0: one group each */
    CHECK(&t, f.plan->rounded[FAB_EDGE] == 32 && f.plan->rounded[FAB_AGG] == 0);
    CHECK(&t, f.plan->oversub_ppm[FAB_EDGE] == ppm);
    egret_fab_teardown(&f);
}

static void switches(void)
{
    static const uint8_t some[4] = {1, 2, 2, 2}, ones[4] = {1, 1, 1, 1};
    static const struct egret_fabric_failure x[] = {{0, 1, 0, 0}, {0, 0, 1, 0}};
    struct egret_fabric f;
    for (uint32_t scheme = 0; scheme <= EGRET_SCHEME_DR; scheme++) {
        if (scheme == 0 || scheme == EGRET_SCHEME_SPRAY_RR || scheme == EGRET_SCHEME_DR) {
            short_rows(scheme, 8, 32, some, 1071429);
            short_rows(scheme, 4, 32, ones, 1250000);
            /* room for one vector only */
            short_rows(scheme, 16, 1, ones, 1250000);
        }
    }
    /* exact where it fits */
    fabric_spec(&f, "fat-tree:32", EGRET_SCHEME_DR);
    f.spec.failure = x;
    f.spec.failures = 1;
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK && fab_rounded(f.plan) == 0);
    egret_fab_teardown(&f);
    /* four uplinks need four slots; an edge that has lost one goes by a row of its own */
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_DR);
    f.spec.failure = x;
    f.spec.failures = 1;
    (void)egret_cfg_named("lab", &f.spec.tier[0].cfg);
    f.spec.tier[0].cfg.row_len = 2;
    CHECK(&t, fabric_refused(&f, "lab is too small: ROW_LEN of 4 is needed"));
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_DR);
    f.spec.failure = x;
    f.spec.failures = 2;
    (void)egret_cfg_named("lab", &f.spec.tier[0].cfg);
    f.spec.tier[0].cfg.num_rows = 1;
    CHECK(&t, fabric_refused(&f, "NUM_ROWS of 2"));
}

int main(void)
{
    examples();
    against_all();
    bounds();
    switches();
    return trace_result(&t);
}
