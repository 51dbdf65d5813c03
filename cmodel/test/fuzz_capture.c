/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_capture.c: any bytes as a capture (libFuzzer): an error or frames, and messages that a
 * schedule holds.
 */
#define _GNU_SOURCE /* memfd_create() */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "egret/capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    char path[64];
    struct egret_capture *c;
    struct egret_capture_frame f;
    struct egret_schedule s;
    struct egret_capture_report report;
    struct egret_trace_error err = {""};
    if (fd < 0) {
        fd = memfd_create("capture", 0);
        if (fd < 0) {
            abort();
        }
    }
    if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size) {
        abort();
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int code = egret_capture_open(path, &c, &err);
    if (code) {
        assert(err.text[0]);
        return 0;
    }
    while ((code = egret_capture_next(c, &f, &err)) > 0) {
        assert(f.incl_len >= 14 && f.incl_len <= f.orig_len && f.orig_len <= EGRET_FRAME_MAX_BYTES);
        assert(f.parsed.bth == 0 || f.parsed.bth + 12u <= f.incl_len);
    }
    assert(code == 0 || err.text[0]);
    egret_capture_close(c);
    int result = egret_capture_schedule(path, &s, &report, &err);
    assert(code == 0 || result < 0);
    for (size_t i = 0; result == EGRET_OK && i < s.ops; i++) {
        assert(s.op[i].amount > 0 && s.op[i].src < s.ranks && s.op[i].dst < s.ranks);
    }
    if (result == EGRET_OK) {
        assert(s.ops > 0 && report.hosts == s.ranks);
        egret_schedule_free(&s);
        egret_capture_report_free(&report);
    }
    return 0;
}
