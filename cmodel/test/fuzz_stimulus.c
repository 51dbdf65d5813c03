/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_stimulus.c: any bytes as a stimulus (libFuzzer): an error or events, never more. What is
 * read goes through the model, with all writes.
 */
#define _GNU_SOURCE /* memfd_create() */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "egret/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static struct egret *model;
    char path[64];
    struct egret_stimulus *s;
    struct egret_event ev;
    struct egret_decision d;
    struct egret_trace_error err;
    if (fd < 0) {
        struct egret_cfg cfg;
        fd = memfd_create("stimulus", 0);
        if (fd < 0 || egret_cfg_named("p2", &cfg) || egret_create(&cfg, &model)) {
            abort();
        }
    }
    if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size) {
        abort();
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (egret_stimulus_open(path, &s, &err)) {
        assert(err.text[0]);
        return 0;
    }
    (void)egret_reset(model);
    int code;
    while ((code = egret_stimulus_next(s, &ev, &err)) > 0) {
        assert(ev.kind <= EGRET_EV_FAULT);
        code = egret_apply(model, &ev, &d);
        assert(code == EGRET_OK);
    }
    assert(code == 0 ? egret_stimulus_packets(s) > 0 : err.text[0] != '\0');
    egret_stimulus_close(s);
    return 0;
}
