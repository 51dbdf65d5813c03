/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_sut.h: the selector under test: the model, or the Verilated RTL that is compared with the
 * model event by event (check_CONFIG.so), behind one queue of events. Events are given in bursts,
 * so the RTL takes one a clock; then a test sees each of them with its decision, in order.
 */
#ifndef EGRET_SELECT_SUT_H
#define EGRET_SELECT_SUT_H

#include <dlfcn.h>

#include "egret/control.h"
#include "egret/selector.h"
#include "select_test.h"

#define SUT_ROOM 4096u

struct sut {
    struct egret_cfg cfg;
    const struct egret_selector_ops *ops;
    void *self;
    /* Called for each event of a burst; ctx is the test's. May be null. */
    void (*see)(void *ctx, const struct egret_event *ev, const struct egret_decision *d);
    void *ctx;
    bool differs; /* said once */
    size_t n;
    struct egret_event ev[SUT_ROOM];
    struct egret_decision d[SUT_ROOM];
};

static inline bool sut_is_model(const char *which)
{
    return strcmp(which, "model") == 0;
}

/* which: "model", or the folder of the selectors. */
static inline struct sut *sut_open(const char *which, const char *config)
{
    struct sut *s = calloc(1, sizeof *s);
    REQUIRE(s != NULL);
    s->cfg = test_cfg(config);
    s->ops = egret_model_selector();
    if (!sut_is_model(which)) {
        char path[512];
        egret_selector_fn get = NULL;
        (void)snprintf(path, sizeof path, "%s/check_%s.so", which, config);
        void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        void *symbol = object != NULL ? dlsym(object, EGRET_SELECTOR_SYMBOL) : NULL;
        if (symbol == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            exit(2);
        }
        memcpy(&get, &symbol, sizeof get);
        s->ops = get();
    }
    REQUIRE(s->ops->create(&s->cfg, &s->self) == EGRET_OK);
    return s;
}

/* Applies what is queued. */
static inline void sut_flush(struct sut *s)
{
    size_t done = 0;
    int err = s->ops->apply_burst(s->self, s->ev, s->n, s->d, &done);
    if (err != EGRET_OK && !s->differs) {
        s->differs = true;
        CHECK(false, "%s: %s: %s", s->ops->name, egret_strerror(err),
              s->ops->describe != NULL ? s->ops->describe(s->self) : "");
    }
    REQUIRE(err == EGRET_OK || err == EGRET_ERR_DIFFER);
    for (size_t i = 0; i < s->n && s->see != NULL; i++)
        s->see(s->ctx, &s->ev[i], &s->d[i]);
    s->n = 0;
}

static inline void sut_close(struct sut *s)
{
    sut_flush(s);
    s->ops->destroy(s->self);
    free(s);
}

static inline void sut_reset(struct sut *s)
{
    sut_flush(s);
    REQUIRE(s->ops->reset(s->self) == EGRET_OK);
}

static inline void sut_give(struct sut *s, const struct egret_event *ev)
{
    if (s->n == SUT_ROOM)
        sut_flush(s);
    s->ev[s->n++] = *ev;
}

static inline void sut_event(struct sut *s, uint8_t kind, uint32_t address, uint32_t data)
{
    struct egret_event ev = test_write_event(address, data);
    ev.kind = kind;
    sut_give(s, &ev);
}

/* An egret_emit_fn whose ctx is a struct sut. */
static inline int sut_emit(void *ctx, uint32_t address, uint32_t data)
{
    sut_event(ctx, EGRET_EV_WRITE, address, data);
    return EGRET_OK;
}

/* Everything so far, then a read. */
static inline uint32_t sut_read(struct sut *s, uint32_t address)
{
    sut_event(s, EGRET_EV_READ, address, 0);
    size_t at = s->n - 1;
    sut_flush(s);
    REQUIRE(s->d[at].kind == EGRET_RES_READ && s->d[at].tag == (address & 0xffffffu));
    return s->d[at].data;
}

/* Everything so far, then a packet. */
static inline struct egret_decision sut_decide(struct sut *s, const struct egret_event *ev)
{
    sut_give(s, ev);
    size_t at = s->n - 1;
    sut_flush(s);
    REQUIRE(s->d[at].kind == EGRET_RES_PACKET);
    return s->d[at];
}

/* The main function of a test NAME: model [CONFIG...], all configurations without one, or FOLDER
 * CONFIG... */
static inline int sut_main(int argc, char **argv, const char *name,
                           void (*run)(const char *which, const char *config))
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s model [CONFIG...] | %s FOLDER CONFIG...\n", name, name);
        return 2;
    }
    if (sut_is_model(argv[1]) && argc == 2) {
        for (size_t i = 0; egret_cfg_name(i) != NULL; i++)
            run(argv[1], egret_cfg_name(i));
    }
    for (int i = 2; i < argc; i++)
        run(argv[1], argv[i]);
    return test_end();
}

#endif
