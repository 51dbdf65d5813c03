/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_capture_read.h: a capture that is refused with a text, or how many frames it holds.
 */
#ifndef EGRET_TRACE_CAPTURE_READ_TEST_H
#define EGRET_TRACE_CAPTURE_READ_TEST_H

#include "trace_capture.h"

static struct trace_test t;
static char path[256];
static struct image f;
static uint8_t frame[2048]; /* RC WRITE Only of 64 bytes, 10.0.0.1 to 10.0.0.2 */
static uint32_t length;

/* Reads all: frames, or the code of the error; what was counted. */
static inline int read_all(struct egret_capture_counts *n, struct egret_trace_error *err)
{
    struct egret_capture_frame g;
    struct egret_capture *c;
    int frames = 0;
    int got = egret_capture_open(path, &c, err);
    if (got) {
        return got;
    }
    while ((got = egret_capture_next(c, &g, err)) > 0) {
        frames++;
    }
    *n = *egret_capture_counts(c);
    egret_capture_close(c);
    return got ? got : frames;
}

static inline int read_image(struct egret_capture_counts *n, struct egret_trace_error *err)
{
    err->text[0] = '\0';
    image_save(&f, f.size, path);
    return read_all(n, err);
}

static inline void refuses(const char *text)
{
    struct egret_trace_error err;
    struct egret_capture_counts n;
    int code = read_image(&n, &err);
    if (!CHECK(&t, code == EGRET_ERR_EVENT && strstr(err.text, text) && !strchr(err.text, '\n'))) {
        printf("  wanted '%s', got %d '%s'\n", text, code, err.text);
    }
}

/* So many frames, and so many records that make none. */
static inline void holds(const char *what, int frames, uint64_t no_frame, uint64_t too_long)
{
    struct egret_trace_error err;
    struct egret_capture_counts n = {0};
    int code = read_image(&n, &err);
    if (!CHECK(&t, code == frames && n.no_frame == no_frame && n.too_long == too_long)) {
        printf("  %s: %d frames, wanted %d; %u without, %u too long: %s\n", what, code, frames,
               (unsigned)n.no_frame, (unsigned)n.too_long, err.text);
    }
}

#endif
