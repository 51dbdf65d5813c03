/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_test.h: what the tests of the select library share: checks that are counted, the verdict
 * line, and a seeded generator.
 */
#ifndef EGRET_SELECT_TEST_H
#define EGRET_SELECT_TEST_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/egret.h"
#include "egret/regs.h"

#define MAX_REPORTED 20

static unsigned long test_pass;
static unsigned long test_fail;

__attribute__((format(printf, 4, 5))) static inline bool
test_check(bool good, const char *file, int line, const char *format, ...)
{
    if (good) {
        test_pass++;
    } else if (test_fail++ < MAX_REPORTED) {
        va_list args;
        va_start(args, format);
        fprintf(stderr, "%s:%d: ", file, line);
        vfprintf(stderr, format, args);
        fputc('\n', stderr);
        va_end(args);
    }
    return good;
}

/* CHECK(condition, format, ...): counts; the text is printed on failure. */
#define CHECK(cond, ...) test_check((cond), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_EQ(a, b, what)                                                              \
    test_check_eq((uint64_t)(a), (uint64_t)(b), __FILE__, __LINE__, #a " == " #b, (what))

static inline bool test_check_eq(uint64_t a, uint64_t b, const char *file, int line,
                                 const char *text, const char *what)
{
    return test_check(a == b, file, line, "%s: %s: 0x%llx != 0x%llx", what, text,
                      (unsigned long long)a, (unsigned long long)b);
}

/* For what a test cannot go on without. */
#define REQUIRE(cond)                                                    \
    do {                                                                 \
        if (!(cond)) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);   \
            exit(2);                                                     \
        }                                                                \
    } while (0)

/* The last statement of main(). */
static inline int test_end(void)
{
    printf("RESULT pass=%lu fail=%lu\n", test_pass, test_fail);
    return test_fail == 0 && test_pass > 0 ? 0 : 1;
}

/* xorshift64*, never zero. */
static uint64_t test_state = 0x853c49e6748fea9bu;

static inline void test_seed(uint64_t seed)
{
    test_state = seed * 0x9e3779b97f4a7c15u | 1u;
}

static inline uint32_t test_random(void)
{
    test_state ^= test_state >> 12;
    test_state ^= test_state << 25;
    test_state ^= test_state >> 27;
    return (uint32_t)(test_state * 0x2545f4914f6cdd1du >> 32);
}

static inline uint32_t test_below(uint32_t n)
{
    return (uint32_t)((uint64_t)test_random() * n >> 32);
}

static inline bool test_chance(uint32_t one_in)
{
    return test_below(one_in) == 0;
}

static inline void test_bytes(uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)test_random();
}

static inline struct egret_cfg test_cfg(const char *name)
{
    struct egret_cfg cfg;
    REQUIRE(egret_cfg_named(name, &cfg) == EGRET_OK);
    return cfg;
}

static inline struct egret *test_create(const struct egret_cfg *cfg)
{
    struct egret *e = NULL;
    REQUIRE(egret_create(cfg, &e) == EGRET_OK);
    return e;
}

static inline struct egret_event test_write_event(uint32_t addr, uint32_t data)
{
    struct egret_event ev;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_WRITE;
    ev.addr = addr;
    ev.data = data;
    return ev;
}

static inline void test_write(struct egret *e, uint32_t addr, uint32_t data)
{
    struct egret_event ev = test_write_event(addr, data);
    struct egret_decision d;
    REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
}

static inline uint32_t test_read(struct egret *e, uint32_t addr)
{
    struct egret_event ev = test_write_event(addr, 0);
    struct egret_decision d;
    ev.kind = EGRET_EV_READ;
    REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
    REQUIRE(d.kind == EGRET_RES_READ && d.tag == (addr & 0xffffffu));
    return d.data;
}

static inline void test_port(struct egret *e, uint32_t port, bool up)
{
    struct egret_event ev = test_write_event(port, up ? 1 : 0);
    struct egret_decision d;
    ev.kind = EGRET_EV_PORT;
    REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
}

static inline struct egret_event test_packet(uint32_t group, uint32_t key, uint32_t bin)
{
    struct egret_event ev;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_PACKET;
    ev.group = (uint16_t)group;
    ev.key = (uint16_t)key;
    ev.bin = (uint8_t)bin;
    ev.length = 1000;
    return ev;
}

static inline struct egret_decision test_decide(struct egret *e, const struct egret_event *ev)
{
    struct egret_decision d;
    REQUIRE(egret_apply(e, ev, &d) == EGRET_OK);
    REQUIRE(d.kind == EGRET_RES_PACKET);
    return d;
}

#endif
