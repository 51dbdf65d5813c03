/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec_examples.c: plays the worked examples of docs/spec/ (events.md, section 9, has their form)
 * through a selector: one event at a time, then all events of an example as one burst; for the
 * model also egret_explain(), and the clocks by both forms of the timing model.
 *
 * usage: spec_examples model FILE.md...
 *        spec_examples rtl DIR FILE.md...        DIR/rtl_CONFIG.so where there is one
 *        spec_examples stimulus DIR FILE.md...   examples with clocks: DIR/NAME_LINE.pcap, .csv
 * Exit code 77 if `rtl` finds no selector for any example.
 */
#include <dlfcn.h>

#include "egret/control.h"
#include "egret/selector.h"
#include "egret/timing.h"
#include "egret/trace.h"
#include "spec_examples.h"
#include "spec_examples_load.h"

#define MAX_EVENTS 20000
#define MAX_BUCKETS 64
#define MAX_STALLS 8

/* An event of the example at hand; `wanted` are the words behind ->, "" if none. */
struct step {
    struct egret_event ev;
    struct egret_decision got;
    unsigned line;
    char wanted[MAX_LINE];
};

static struct step *steps;
static size_t num_steps;
static const char *mode;
static const char *dir;
static unsigned long played, unplayed;

/* The selector of the example; ops is null while none plays. */
static const struct egret_selector_ops *ops;
static void *self;
static struct egret_cfg cfg;
static bool timed;
static uint64_t stall_from[MAX_STALLS], stall_to[MAX_STALLS];
static unsigned num_stalls;
static struct egret_buckets buckets;
static uint8_t home[MAX_BUCKETS], now[MAX_BUCKETS];

/* ---- events ---- */

static struct step *add_step(const struct egret_event *ev, const char *wanted)
{
    REQUIRE(num_steps < MAX_EVENTS);
    struct step *s = &steps[num_steps++];
    memset(s, 0, sizeof *s);
    s->ev = *ev;
    s->line = line_number;
    snprintf(s->wanted, sizeof s->wanted, "%s", wanted);
    return s;
}

static void apply(struct step *s)
{
    if (ops->apply(self, &s->ev, &s->got) != EGRET_OK)
        fail("selector refuses", ops->describe != NULL ? ops->describe(self) : "");
}

static int emit(void *ctx, uint32_t addr, uint32_t data)
{
    struct egret_event ev = test_write_event(addr, data);
    (void)ctx;
    apply(add_step(&ev, ""));
    return EGRET_OK;
}

static const char *port_name(uint8_t port, char text[8])
{
    snprintf(text, 8, port == EGRET_PORT_DROP ? "drop" : "%u", port);
    return text;
}

/* One wanted word of a packet; false if it is none that a decision has. */
static bool decision_word(const char *wanted, const struct egret_decision *d)
{
    char text[8];
    const char *scheme = egret_scheme_name(d->scheme);
    if (strncmp(wanted, "port=", 5) == 0)
        compare(wanted, "port", port_name(d->port, text));
    else if (strncmp(wanted, "choice=", 7) == 0)
        compare(wanted, "choice", port_name(d->choice, text));
    else if (strncmp(wanted, "scheme=", 7) == 0)
        compare(wanted, "scheme", scheme != NULL ? scheme : port_name(d->scheme, text));
    else if (strncmp(wanted, "reason=", 7) == 0)
        compare(wanted, "reason", egret_reason_name(d->reason));
    else if (strncmp(wanted, "data=", 5) == 0)
        compare_number(wanted, "data", d->data);
    else
        return false;
    return true;
}

/* The reasons that egret_explain() gave before the packet; D is the oracle's alone. */
static void why_word(const char *wanted, const struct egret_why *why)
{
    uint32_t ties = 0;
    for (unsigned p = 0; p < EGRET_MAX_PORTS; p++)
        ties += (uint32_t)(why->candidates >> p & 1u);
    const struct {
        const char *name;
        uint32_t got;
    } table[] = {
        {"bucket=", why->bucket},   {"row=", why->row},      {"slot=", why->slot},
        {"r=", why->repair_random}, {"L=", why->live_count}, {"k=", why->repair_rank},
        {"next=", why->new_entry},  {"index=", why->flowlet}, {"tag=", why->flow_tag},
        {"t=", why->time},          {"last=", why->new_last}, {"x=", why->random},
        {"new_k=", why->rank},      {"s1=", why->sample[0]}, {"s2=", why->sample[1]},
        {"band=", why->band},       {"ties=", ties},         {"faults=", why->faults},
    };
    if (strncmp(wanted, "D=", 2) == 0 || strncmp(wanted, "clock=", 6) == 0 ||
        strncmp(wanted, "result=", 7) == 0)
        return;
    if (strncmp(wanted, "outcome=", 8) == 0) {
        if (strcmp(mode, "model") == 0)
            compare(wanted, "outcome", egret_flowlet_outcome_name(why->outcome));
        return;
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strncmp(wanted, table[i].name, strlen(table[i].name)) == 0) {
            if (strcmp(mode, "model") == 0)
                compare_number(wanted, table[i].name, table[i].got);
            return;
        }
    }
    fail("unknown word", wanted);
}

static void play(const struct egret_event *ev, const char *wanted)
{
    struct egret_why why;
    struct words w;
    struct step *s = add_step(ev, wanted);
    bool packet = ev->kind == EGRET_EV_PACKET;

    memset(&why, 0, sizeof why);
    if (packet && strcmp(mode, "model") == 0)
        REQUIRE(egret_explain(self, ev, &why) == EGRET_OK);
    apply(s);
    CHECK(s->got.kind == (packet                      ? EGRET_RES_PACKET
                          : ev->kind == EGRET_EV_READ ? EGRET_RES_READ
                                                      : EGRET_RES_NONE),
          "%s:%u: kind %u", file, line_number, s->got.kind);
    if (packet && strcmp(mode, "model") == 0)
        CHECK(memcmp(&why.decision, &s->got, sizeof s->got) == 0, "%s:%u: egret_explain() differs",
              file, line_number);
    split(&w, wanted);
    for (unsigned i = 0; i < w.count; i++) {
        timed |= strncmp(w.word[i], "clock=", 6) == 0;
        if (!decision_word(w.word[i], &s->got))
            why_word(w.word[i], &why);
    }
}

static bool event_line(const struct words *w, const char *wanted)
{
    struct egret_event ev;
    const char *verb = w->word[0];

    memset(&ev, 0, sizeof ev);
    if (strcmp(verb, "packet") == 0) {
        ev.kind = EGRET_EV_PACKET;
        ev.tag = line_number;
        ev.group = (uint16_t)value(w, "group");
        ev.key = (uint16_t)value(w, "key");
        ev.bin = (uint8_t)value(w, "bin");
        ev.length = (uint16_t)value(w, "length");
        ev.cls = (uint8_t)value(w, "class");
        ev.entropy = value(w, "entropy");
        ev.now = named(w, "now") != NULL ? number(named(w, "now")) : 0;
        (void)unhex(named(w, "record"), ev.record, sizeof ev.record);
    } else if (strcmp(verb, "tick") == 0) {
        ev.kind = EGRET_EV_TICK;
        ev.now = named(w, "now") != NULL ? number(named(w, "now")) : 0;
    } else if (strcmp(verb, "read") == 0 && w->count == 2) {
        ev.kind = EGRET_EV_READ;
        ev.addr = (uint32_t)number(w->word[1]);
    } else if (w->count == 3) {
        ev.kind = strcmp(verb, "write") == 0   ? EGRET_EV_WRITE
                  : strcmp(verb, "fault") == 0 ? EGRET_EV_FAULT
                  : strcmp(verb, "port") == 0  ? EGRET_EV_PORT
                  : strcmp(verb, "queue") == 0 ? EGRET_EV_QUEUE
                                               : 255;
        if (ev.kind == 255)
            return false;
        ev.addr = (uint32_t)number(w->word[1]);
        ev.data =
            ev.kind == EGRET_EV_PORT ? strcmp(w->word[2], "up") == 0 : (uint32_t)number(w->word[2]);
    } else {
        return false;
    }
    play(&ev, wanted);
    return true;
}

/* ---- the control side ---- */

static void compare_ports(const char *wanted, const uint8_t *slot, size_t n)
{
    char text[MAX_LINE] = "";
    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i == 0 ? "%u" : ",%u", slot[i]);
    compare(wanted, "ports", text);
}

static void compare_buckets(const char *wanted)
{
    uint8_t port[MAX_BUCKETS];
    for (uint32_t i = 0; i < buckets.count; i++)
        port[i] = (uint8_t)buckets.member[now[i]].port;
    compare_ports(wanted, port, buckets.count);
}

static void setup_of(const struct words *w, struct egret_hash_setup *setup)
{
    egret_hash_setup_default(setup);
    REQUIRE(egret_hash_algorithm_by_name(w->word[1], &setup->algorithm) == EGRET_OK);
    if (named(w, "layout") != NULL)
        REQUIRE(egret_hash_layout_by_name(named(w, "layout"), &setup->layout) == EGRET_OK);
    if (named(w, "fields") != NULL)
        setup->fields = value(w, "fields");
    setup->seed = value(w, "seed");
    setup->rotation = value(w, "rotation");
    if (named(w, "key") != NULL)
        setup->key_len = (uint32_t)unhex(named(w, "key"), setup->key, sizeof setup->key);
}

static void group_line(const struct words *w)
{
    struct egret_group g = group_of(w);
    if (egret_ctl_group(&cfg, (uint32_t)number(w->word[1]), &g, emit, NULL) != EGRET_OK)
        fail("group refused", "");
}

static void hash_line(const struct words *w, const char *wanted)
{
    struct egret_hash_setup s;
    uint8_t bytes[256];
    size_t n = unhex(named(w, "bytes"), bytes, sizeof bytes);
    char text[16];
    uint32_t h;

    setup_of(w, &s);
    switch (s.algorithm) {
    case EGRET_HASH_CRC16:
        h = egret_hash_crc16(bytes, n);
        break;
    case EGRET_HASH_CRC16_CCITT:
        h = egret_hash_crc16_ccitt(bytes, n);
        break;
    case EGRET_HASH_CRC32:
        h = egret_hash_crc32(bytes, n);
        break;
    case EGRET_HASH_CRC32C:
        h = egret_hash_crc32c(bytes, n);
        break;
    case EGRET_HASH_TOEPLITZ:
        h = egret_hash_toeplitz(s.key, s.key_len, bytes, n);
        break;
    case EGRET_HASH_LOOKUP3:
        h = egret_hash_lookup3(bytes, n, s.seed);
        break;
    case EGRET_HASH_XOR16:
        h = egret_hash_xor16(bytes, n);
        break;
    default:
        h = egret_hash_xor32(bytes, n);
        break;
    }
    snprintf(text, sizeof text, strstr(w->word[1], "16") != NULL ? "%04x" : "%08x", h);
    compare(wanted, "hash", text);
}

static void control_line(const struct words *w, const char *wanted)
{
    const char *verb = w->word[0];
    struct egret_member member[EGRET_MAX_PORTS];
    struct egret_hash_setup setup;
    uint8_t slot[256];
    size_t len = 0;
    int err = EGRET_OK;

    if (strcmp(verb, "group") == 0) {
        group_line(w);
    } else if (strcmp(verb, "load") == 0) {
        err = load_line(w, wanted, &cfg, emit);
    } else if (strcmp(verb, "port_load") == 0) {
        err = port_load_line(w, wanted, &cfg, emit);
    } else if (strcmp(verb, "setup") == 0) {
        setup_of(w, &setup);
        err = egret_ctl_hash(&cfg, &setup, emit, NULL, NULL);
    } else if (strcmp(verb, "buckets") == 0) {
        memset(&buckets, 0, sizeof buckets);
        buckets.base = value(w, "base");
        buckets.count = value(w, "count");
        REQUIRE(buckets.count <= MAX_BUCKETS);
        buckets.num_members = members_of(named(w, "members"), buckets.member);
        buckets.home = home;
        buckets.now = now;
        err = egret_ctl_buckets(&cfg, &buckets, emit, NULL);
        compare_buckets(wanted);
    } else if (strcmp(verb, "lost") == 0 || strcmp(verb, "back") == 0) {
        uint32_t port = (uint32_t)number(w->word[1]);
        err = verb[0] == 'l' ? egret_ctl_member_lost(&cfg, &buckets, port, emit, NULL)
                             : egret_ctl_member_back(&cfg, &buckets, port, emit, NULL);
        compare_buckets(wanted);
    } else if (strcmp(verb, "row") == 0) {
        size_t first = num_steps;
        err = egret_ctl_schedule(&cfg, value(w, "bank"), value(w, "row"), 1, member,
                                 members_of(named(w, "members"), member), value(w, "seed"), emit,
                                 NULL, NULL);
        for (; first < num_steps; first++)
            slot[len++] = (uint8_t)steps[first].ev.data;
        compare_ports(wanted, slot, len);
    } else if (strcmp(verb, "iwrr") == 0) {
        err = egret_iwrr(member, members_of(named(w, "order"), member), slot, sizeof slot, &len);
        compare_ports(wanted, slot, len);
    } else if (strcmp(verb, "stall") == 0) {
        REQUIRE(num_stalls < MAX_STALLS);
        stall_from[num_stalls] = number(w->word[1]);
        stall_to[num_stalls++] = number(w->word[2]);
    } else {
        fail("unknown line", verb);
    }
    CHECK(err == EGRET_OK, "%s:%u: %s", file, line_number, egret_strerror(err));
}

/* ---- the end of an example: burst and clocks ---- */

static void replay_burst(void)
{
    struct egret_event *ev = calloc(num_steps + 1, sizeof *ev);
    struct egret_decision *d = calloc(num_steps + 1, sizeof *d);
    size_t done = 0;

    REQUIRE(ev != NULL && d != NULL);
    for (size_t i = 0; i < num_steps; i++)
        ev[i] = steps[i].ev;
    CHECK(ops->reset(self) == EGRET_OK &&
              ops->apply_burst(self, ev, num_steps, d, &done) == EGRET_OK && done == num_steps,
          "%s: burst stops at %zu of %zu", file, done, num_steps);
    for (size_t i = 0; i < done; i++)
        CHECK(memcmp(&d[i], &steps[i].got, sizeof d[i]) == 0, "%s:%u: differs in a burst", file,
              steps[i].line);
    free(ev);
    free(d);
}

static unsigned rank_of(unsigned kind)
{
    return kind == EGRET_EV_PORT ? 1 : kind == EGRET_EV_QUEUE ? 2 : kind == EGRET_EV_TICK ? 3 : 4;
}

static bool stalled(uint64_t clock)
{
    for (unsigned i = 0; i < num_stalls; i++)
        if (clock >= stall_from[i] && clock <= stall_to[i])
            return true;
    return false;
}

/* The step form under the driver rule: clock of each transfer and of each result. */
static void run_clocks(uint64_t *transfer, uint64_t *result)
{
    struct egret_timing *t;
    size_t n = 0, oldest = 0;

    REQUIRE(egret_timing_create(&cfg, &t) == EGRET_OK);
    for (uint64_t clock = 0; clock < 100000 && (n < num_steps || oldest < num_steps); clock++) {
        struct egret_timing_in in = {0};
        struct egret_timing_out out;
        size_t offered = n, first = n;
        unsigned above = 0;
        for (; offered < num_steps && rank_of(steps[offered].ev.kind) > above; offered++) {
            above = rank_of(steps[offered].ev.kind);
            in.port_valid |= above == 1;
            in.queue_valid |= above == 2;
            in.tick_valid |= above == 3;
            in.req_valid |= above == 4;
            in.req_kind = above == 4 ? steps[offered].ev.kind : 0;
        }
        in.rsp_ready = !stalled(clock);
        REQUIRE(egret_timing_step(t, &in, &out) == EGRET_OK);
        for (size_t i = first; i < offered; i++) {
            unsigned rank = rank_of(steps[i].ev.kind);
            if (rank == 1   ? out.port_transfer
                : rank == 2 ? out.queue_transfer
                : rank == 3 ? out.tick_transfer
                            : out.req_transfer) {
                transfer[i] = clock;
                CHECK(n == i, "%s:%u: taken out of order", file, steps[i].line);
                n++;
            }
        }
        while (oldest < n && steps[oldest].ev.kind != EGRET_EV_PACKET &&
               steps[oldest].ev.kind != EGRET_EV_READ)
            oldest++;
        if (out.rsp_transfer && oldest < n)
            result[oldest++] = clock;
    }
    egret_timing_destroy(t);
}

static void check_clocks(void)
{
    uint64_t *transfer = calloc(2 * num_steps + 2, sizeof *transfer);
    REQUIRE(transfer != NULL);
    uint64_t *result = transfer + num_steps + 1;
    struct egret_ideal ideal;

    run_clocks(transfer, result);
    REQUIRE(egret_ideal_init(&ideal, &cfg) == EGRET_OK);
    for (size_t i = 0; i < num_steps; i++) {
        struct words w;
        uint64_t at, due;
        line_number = steps[i].line;
        REQUIRE(egret_ideal_next(&ideal, steps[i].ev.kind, &at, &due) == EGRET_OK);
        if (num_stalls == 0)
            CHECK(at == transfer[i] && (due == EGRET_NO_CLOCK ? 0 : due) == result[i],
                  "%s:%u: the ideal driver differs", file, line_number);
        split(&w, steps[i].wanted);
        for (unsigned k = 0; k < w.count; k++) {
            if (strncmp(w.word[k], "clock=", 6) == 0)
                compare_number(w.word[k], "clock", transfer[i]);
            if (strncmp(w.word[k], "result=", 7) == 0)
                compare_number(w.word[k], "result", result[i]);
        }
    }
    free(transfer);
}

/* The example as a stimulus, and the clocks that its page states for its results. */
static void write_stimulus(unsigned first_line)
{
    char path[MAX_LINE];
    uint8_t frame[60] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x12, 0x34};
    struct egret_stimulus_writer *w;
    const char *base = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
    int stem = (int)strcspn(base, ".");

    snprintf(path, sizeof path, "%s/%.*s_%u.pcap", dir, stem, base, first_line);
    REQUIRE(egret_writer_open(path, &w, NULL) == EGRET_OK);
    printf("%s %s\n", cfg.name, path);
    snprintf(path, sizeof path, "%s/%.*s_%u.csv", dir, stem, base, first_line);
    FILE *csv = fopen(path, "w");
    REQUIRE(csv != NULL);
    for (size_t i = 0; i < num_steps; i++) {
        const struct egret_event *ev = &steps[i].ev;
        const char *result = strstr(steps[i].wanted, "result=");
        int err = ev->kind == EGRET_EV_PACKET
                      ? egret_writer_packet(w, ev->now, frame, sizeof frame, ev->length)
                      : egret_writer_event(w, ev);
        CHECK(err == EGRET_OK, "%s:%u: not for a stimulus", file, steps[i].line);
        if (result != NULL)
            fprintf(csv, "%zu,%llu\n", i,
                    (unsigned long long)number(strtok((char *)strchr(result, '=') + 1, " \n")));
    }
    REQUIRE(fclose(csv) == 0 && egret_writer_commit(w, NULL) == EGRET_OK);
}

/* ---- blocks ---- */

static void begin(const char *config)
{
    char path[MAX_LINE];
    egret_selector_fn fn = NULL;
    void *object, *symbol;

    if (egret_cfg_named(config, &cfg) != EGRET_OK) {
        fail("no configuration", config);
        return;
    }
    ops = egret_model_selector();
    if (strcmp(mode, "rtl") == 0) {
        ops = NULL;
        snprintf(path, sizeof path, "%s/rtl_%s.so", dir, config);
        object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        symbol = object != NULL ? dlsym(object, EGRET_SELECTOR_SYMBOL) : NULL;
        if (symbol == NULL) {
            unplayed++;
            printf("%s:%u: not played: no %s\n", file, line_number, path);
            return;
        }
        memcpy(&fn, &symbol, sizeof fn);
        ops = fn();
    }
    REQUIRE(ops->create(&cfg, &self) == EGRET_OK);
    num_steps = 0;
    num_stalls = 0;
    timed = false;
    played++;
}

static void end(unsigned first_line)
{
    if (ops == NULL)
        return;
    replay_burst();
    if (timed && strcmp(mode, "model") == 0)
        check_clocks();
    if (timed && num_stalls == 0 && strcmp(mode, "stimulus") == 0)
        write_stimulus(first_line);
    ops->destroy(self);
    ops = NULL;
}

static void line(char *text)
{
    struct words w;
    char *comment = strchr(text, '#');
    char *arrow;

    if (comment != NULL)
        *comment = '\0';
    arrow = strstr(text, "->");
    if (arrow != NULL) {
        *arrow = '\0';
        arrow += 2 + strspn(arrow + 2, " ");
        arrow[strcspn(arrow, "\n")] = '\0';
        for (size_t n = strlen(arrow); n > 0 && arrow[n - 1] == ' '; n--)
            arrow[n - 1] = '\0';
    }
    split(&w, text);
    if (w.count == 0)
        return;
    if (strcmp(w.word[0], "config") == 0)
        begin(w.word[1]);
    else if (strcmp(w.word[0], "hash") == 0)
        hash_line(&w, arrow != NULL ? arrow : "");
    else if (ops != NULL && !event_line(&w, arrow != NULL ? arrow : ""))
        control_line(&w, arrow != NULL ? arrow : "");
}

static void page(const char *path)
{
    char text[MAX_LINE];
    unsigned first = 0, examples = 0;
    FILE *f = fopen(path, "r");

    file = path;
    line_number = 0;
    if (f == NULL) {
        fail("cannot be opened", "");
        return;
    }
    while (fgets(text, sizeof text, f) != NULL) {
        unsigned here = ++line_number;
        if (strncmp(text, "```egret-example", 16) == 0) {
            first = here;
            examples++;
        } else if (strncmp(text, "```", 3) == 0 && first != 0) {
            end(first);
            line_number = here;
            first = 0;
        } else if (first != 0) {
            line(text);
        }
    }
    CHECK(first == 0, "%s:%u: example without an end", path, first);
    CHECK(examples > 0, "%s: no example", path);
    fclose(f);
}

int main(int argc, char **argv)
{
    int at = argc > 1 && strcmp(argv[1], "model") == 0 ? 2 : 3;

    if (argc <= at ||
        (at == 3 && strcmp(argv[1], "rtl") != 0 && strcmp(argv[1], "stimulus") != 0)) {
        fprintf(stderr, "usage: spec_examples model FILE... | rtl|stimulus DIR FILE...\n");
        return 2;
    }
    mode = argv[1];
    dir = argv[2];
    steps = calloc(MAX_EVENTS, sizeof *steps);
    REQUIRE(steps != NULL);
    for (; at < argc; at++)
        page(argv[at]);
    free(steps);
    fprintf(stderr, "%lu examples with events played, %lu not\n", played, unplayed);
    if (played == 0 && strcmp(mode, "rtl") == 0) {
        printf("no selector in %s: make selectors\n", dir);
        return 77;
    }
    return test_end();
}
