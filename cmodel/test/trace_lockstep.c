/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_lockstep.c: the columns of vectors against lines written by hand, and every way in which a
 * bench in lock step can go wrong: the verdict must say so.
 */
#include "egret/lockstep.h"
#include "egret/regs.h"
#include "trace_test.h"

static const char *path(const char *name)
{
    static char out[2][512];
    static unsigned turn;
    turn ^= 1u;
    return trace_scratch(out[turn], sizeof out[0], name);
}

/* RoCE: 10.0.0.1 10.0.1.2 17 0xc123 4791, queue pair 0x123456, opcode 0x0a; 54 bytes. */
static const uint8_t roce[54] = {2,    0,    0,    0,    0,    2,    2,    0, 0,    0,    0,
                                 1,    8,    0,    0x45, 2,    0,    0x2c, 0, 0,    0x40, 0,
                                 0x40, 0x11, 0,    0,    0x0a, 0,    0,    1, 0x0a, 0,    1,
                                 2,    0xc1, 0x23, 0x12, 0xb7, 0,    0x18, 0, 0,    0x0a, 0x40,
                                 0xff, 0xff, 0,    0x12, 0x34, 0x56, 0x80, 0, 0,    1};

static void event(struct trace_test *t, struct egret_stimulus_writer *w, uint8_t kind, uint32_t a,
                  uint32_t b)
{
    struct egret_event ev = {.now = 0x123456789a, .kind = kind, .addr = a, .data = b};
    CHECK(t, egret_writer_event(w, &ev) == EGRET_OK);
}

/* Group 0 is port 5 alone; a packet, the port fails, a packet more. `more` packets before it. */
static const char *stimulus(struct trace_test *t, const char *name, unsigned more)
{
    struct egret_stimulus_writer *w = NULL;
    struct egret_trace_error err;
    const char *file = path(name);
    if (!CHECK(t, egret_writer_open(file, &w, &err) == EGRET_OK)) {
        exit(trace_result(t));
    }
    event(t, w, EGRET_EV_WRITE, EGRET_A_BUCKET(0), 5);
    event(t, w, EGRET_EV_WRITE, EGRET_A_GROUP_STAGE3, 1u << 5);
    event(t, w, EGRET_EV_WRITE, EGRET_A_GROUP(0, 0), EGRET_SCHEME_FIXED);
    for (unsigned i = 0; i <= more; i++) {
        CHECK(t, egret_writer_packet(w, 0x123456789b, roce, sizeof roce, 4170) == EGRET_OK);
    }
    event(t, w, EGRET_EV_READ, EGRET_A_BUCKET(0), 0);
    event(t, w, EGRET_EV_QUEUE, 7, 0x00c0ffee);
    event(t, w, EGRET_EV_TICK, 0, 0);
    event(t, w, EGRET_EV_PORT, 5, 0);
    CHECK(t, egret_writer_packet(w, 0x123456789c, roce, sizeof roce, sizeof roce) == EGRET_OK);
    CHECK(t, egret_writer_commit(w, &err) == EGRET_OK);
    return file;
}

#define Z32 " 00000000000000000000000000000000"
#define NONE Z32 Z32 " 00 0000 0000 000000 00 00000000 0000 00123456789a "
#define ROCE                                                                                       \
    " 0a000001000000000000000000000000 0a000102000000000000000000000000 11 c123 12b7 123456 0a "   \
    "0000c123 "
/* What model --vectors must write of it (docs/trace.md, section 3). */
static const char *const wanted[] = {
    "1 0 00 00200000 00000005" NONE "00 00000000\n",
    "1 0 00 00000023 00000020" NONE "00 00000000\n",
    "1 0 00 00100000 00000004" NONE "00 00000000\n",
    "0 0 00 00000000 00000000" ROCE "104a 00123456789b 05 00000000\n",
    "2 0 00 00200000 00000000" NONE "00 00000005\n",
    "4 0 00 00000007 00c0ffee" NONE "00 00000000\n",
    "5 0 00 00000000 00000000" NONE "00 00000000\n",
    "3 0 00 00000005 00000000" NONE "00 00000000\n",
    "0 0 00 00000000 00000000" ROCE "0036 00123456789c ff 00000000\n",
    "f 0 00 00000002 00000000" Z32 Z32
    " 00 0000 0000 000000 00 00000000 0000 000000000000 00 00000000\n"};
#define LINES (sizeof wanted / sizeof wanted[0])

static void columns(struct trace_test *t, const char *file)
{
    struct egret_trace_error err;
    struct egret_stimulus *in = NULL;
    struct egret_outfile *out = NULL;
    struct egret *model = NULL;
    struct egret_cfg cfg;
    struct egret_event ev;
    struct egret_decision d;
    char line[512];
    CHECK(t, egret_cfg_named("lab", &cfg) == EGRET_OK && egret_create(&cfg, &model) == EGRET_OK);
    CHECK(t, egret_stimulus_open(file, &in, &err) == EGRET_OK);
    CHECK(t, egret_outfile_open(path("lockstep.vectors"), &out, &err) == EGRET_OK);
    while (egret_stimulus_next(in, &ev, &err) > 0) {
        CHECK(t, egret_apply(model, &ev, &d) == EGRET_OK);
        egret_vectors_row(out, &ev, &d);
    }
    egret_vectors_end(out, egret_stimulus_packets(in));
    CHECK(t, egret_outfile_commit(out, &err) == EGRET_OK);
    egret_stimulus_close(in);
    egret_destroy(model);
    FILE *f = fopen(path("lockstep.vectors"), "r");
    unsigned n = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (!CHECK(t, n < LINES && strcmp(line, wanted[n]) == 0)) {
            printf("line %u: %s", n + 1u, line);
        }
        n++;
    }
    CHECK(t, n == LINES);
    if (f) {
        (void)fclose(f);
    }
}

/* A vector is a line's digits, the last eight of them word 0. */
static void vector_is(struct trace_test *t, const uint32_t *vector, const char *line)
{
    char digits[8u * EGRET_LOCKSTEP_WORDS + 1u];
    size_t n = 0;
    for (; *line; line++) {
        if (*line > ' ' && n < sizeof digits - 1u) {
            digits[n++] = *line;
        }
    }
    digits[n] = '\0';
    CHECK(t, n == 8u * EGRET_LOCKSTEP_WORDS);
    for (unsigned w = EGRET_LOCKSTEP_WORDS; n > 0 && w-- > 0;) {
        char word[9];
        (void)snprintf(word, sizeof word, "%08x", vector[w]);
        CHECK(t, memcmp(word, digits + 8u * (EGRET_LOCKSTEP_WORDS - 1u - w), 8) == 0);
    }
}

static bool says(void *h, int verdict, const char *text)
{
    bool good = egret_lockstep_verdict(h) == verdict && strstr(egret_lockstep_text(h), text);
    if (!good) {
        printf("wanted %d '%s', found: %s\n", verdict, text, egret_lockstep_text(h));
    }
    return good;
}

/* Reads all events; answers the two packets with ports a and b. The handle. */
static void *run(struct trace_test *t, const char *file, int a, int b)
{
    uint32_t v[EGRET_LOCKSTEP_WORDS];
    void *h = egret_lockstep_open("lab", file);
    unsigned n = 0;
    while (egret_lockstep_next(h, v)) {
        vector_is(t, v, n < LINES ? wanted[n] : "");
        if (n == 3 || n == 8) {
            CHECK(t, egret_lockstep_busy(h) == 1);
            (void)egret_lockstep_port(h, n == 3 ? a : b);
        }
        CHECK(t, egret_lockstep_busy(h) == 0);
        n++;
    }
    CHECK(t, n == LINES - 1u && egret_lockstep_next(h, v) == 0);
    return h;
}

static void verdicts(struct trace_test *t, const char *file)
{
    uint32_t v[EGRET_LOCKSTEP_WORDS];
    void *h = run(t, file, 5, 255);
    CHECK(t, says(h, 0, "RESULT pass=2 fail=0"));
    CHECK(t, egret_lockstep_port(h, 5) == 0);
    CHECK(t, says(h, 1, "answers that no packet asked for: 1\nRESULT pass=2 fail=1"));
    egret_lockstep_close(h);

    h = run(t, file, 5, 5);
    CHECK(t, says(h, 1,
                  "DIFFERENT at event 8, packet 1: port 5, the model has 255 (drop-down)\n"
                  "RESULT pass=1 fail=1"));
    egret_lockstep_close(h);
    h = run(t, file, -1, 7); /* the first difference is told, both count */
    CHECK(t, says(h, 1,
                  "DIFFERENT at event 3, packet 0: port -1, the model has 5 (chosen)\n"
                  "RESULT pass=0 fail=2"));
    egret_lockstep_close(h);

    h = egret_lockstep_open("lab", file);
    CHECK(t, says(h, 1, "the stimulus was not read to its end\nRESULT pass=0 fail=1"));
    while (egret_lockstep_next(h, v)) {
    }
    CHECK(t, says(h, 1, "packets without an answer: 2\nRESULT pass=0 fail=2"));
    for (unsigned i = 0; i < EGRET_LOCKSTEP_PATIENCE; i++) {
        CHECK(t, egret_lockstep_busy(h) == 1);
    }
    CHECK(t, egret_lockstep_busy(h) == 0 && says(h, 1, "the design does not answer"));
    egret_lockstep_close(h);
}

static void refusals(struct trace_test *t, const char *file)
{
    uint32_t v[EGRET_LOCKSTEP_WORDS];
    unsigned n = 0;
    void *h = egret_lockstep_open("nothing", file);
    CHECK(t, egret_lockstep_next(h, v) == 0 && egret_lockstep_busy(h) == 0 &&
                 says(h, 1, "nothing is no configuration\nRESULT pass=0 fail=1"));
    egret_lockstep_close(h);
    h = egret_lockstep_open("lab", path("none.pcap"));
    CHECK(t, egret_lockstep_next(h, v) == 0 && says(h, 1, "none.pcap: "));
    egret_lockstep_close(h);
    h = egret_lockstep_open(NULL, NULL);
    CHECK(t, egret_lockstep_next(h, v) == 0 && says(h, 1, "RESULT pass=0 fail=1"));
    egret_lockstep_close(h);
    CHECK(t, egret_lockstep_next(NULL, v) == 0 && egret_lockstep_busy(NULL) == 0 &&
                 egret_lockstep_port(NULL, 0) == 0 && says(NULL, 1, "RESULT pass=0 fail=1"));
    egret_lockstep_close(NULL);

    h = egret_lockstep_open("lab", stimulus(t, "lockstep_long.pcap", EGRET_LOCKSTEP_WAITING));
    while (egret_lockstep_next(h, v)) {
        n++;
    }
    CHECK(t, n == 3u + EGRET_LOCKSTEP_WAITING && says(h, 1, "too many packets wait"));
    egret_lockstep_close(h);

    /* A file that is cut inside its last record, after good answers. */
    FILE *f = fopen(file, "rb");
    FILE *cut = fopen(path("lockstep_cut.pcap"), "wb");
    uint8_t bytes[2048];
    size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    CHECK(t, cut && size > 10 && size < sizeof bytes && fwrite(bytes, 1, size - 10, cut) > 0);
    if (f && cut) {
        (void)fclose(f);
        (void)fclose(cut);
    }
    h = egret_lockstep_open("lab", path("lockstep_cut.pcap"));
    for (n = 0; egret_lockstep_next(h, v); n++) {
        if (n == 3) {
            CHECK(t, egret_lockstep_port(h, 5) == 1);
        }
    }
    CHECK(t, n == 8 && says(h, 1, "record 8") && says(h, 1, "RESULT pass=1 fail=1"));
    egret_lockstep_close(h);
}

int main(void)
{
    struct trace_test t = {0, 0};
    char file[512];
    (void)snprintf(file, sizeof file, "%s", stimulus(&t, "lockstep.pcap", 0));
    columns(&t, file);
    verdicts(&t, file);
    refusals(&t, file);
    return trace_result(&t);
}
