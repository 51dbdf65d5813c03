/* SPDX-License-Identifier: Apache-2.0 */
/*
 * port_bits.c: of a port event's `up` only bit 0 counts, in selectors and in the bench engine. No
 * stimulus file holds another value than 0 and 1, so this goes through the calls.
 *
 * usage: port_bits CONFIG SELECTOR.so...
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_internal.h"
#include "egret/regs.h"
#include "selector_load.h"

#define VALUES 6u

static const uint32_t up[VALUES] = {0, 2, 1, 0x80000000u, 3, 0xfffffffeu};
static unsigned passed;
static unsigned failed;

static void expect(const char *who, uint32_t value, uint32_t got)
{
    if (got == (value & 1u)) {
        passed++;
    } else {
        failed++;
        printf("port_bits: %s: up = %" PRIx32 " made the port %s\n", who, value,
               got ? "live" : "dead");
    }
}

static int selector(const char *path, const struct egret_cfg *cfg)
{
    const struct egret_selector_ops *ops = selector_load("port_bits", path);
    void *self = NULL;
    if (ops == NULL)
        return 1;
    int err = ops->create(cfg, &self);
    for (unsigned i = 0; i < VALUES && err == EGRET_OK; i++) {
        struct egret_event ev[2];
        struct egret_decision d[2];
        memset(ev, 0, sizeof ev);
        ev[0].kind = EGRET_EV_PORT;
        ev[0].up = up[i];
        ev[1].kind = EGRET_EV_READ;
        ev[1].addr = EGRET_A_LIVE0;
        err = ops->apply_burst(self, ev, 2, d, NULL);
        if (err == EGRET_OK)
            expect(ops->name, up[i], d[1].data & 1u);
    }
    if (err != EGRET_OK)
        printf("port_bits: %s: %s: %s\n", ops->name, egret_strerror(err),
               self != NULL && ops->describe != NULL ? ops->describe(self) : "");
    if (self != NULL)
        ops->destroy(self);
    return err != EGRET_OK;
}

/* What the engine would drive for the event. */
static int engine(const struct egret_cfg *cfg)
{
    struct egret_event ev;
    struct egret_bench *b = calloc(1, sizeof *b);
    if (b == NULL)
        return 1;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_PORT;
    b->cfg = *cfg;
    b->event = &ev;
    b->num_events = 1;
    for (unsigned i = 0; i < VALUES; i++) {
        ev.up = up[i];
        egret_bench_drive_reset(b);
        egret_bench_drive(b);
        expect("bench_drive", up[i], b->now.port_valid ? b->now.port_up : 2);
    }
    free(b);
    return 0;
}

int main(int argc, char **argv)
{
    struct egret_cfg cfg;
    int bad = 0;
    if (argc < 3 || egret_cfg_named(argv[1], &cfg) != EGRET_OK) {
        fprintf(stderr, "usage: port_bits CONFIG SELECTOR.so...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        bad += selector(argv[i], &cfg);
    bad += engine(&cfg);
    failed += (unsigned)bad;
    printf("RESULT pass=%u fail=%u\n", passed, failed);
    return failed > 0 || passed != VALUES * (unsigned)(argc - 1);
}
