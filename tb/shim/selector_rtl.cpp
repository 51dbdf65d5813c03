// SPDX-License-Identifier: Apache-2.0
// The Verilated egret_core as a selector (egret/selector.h): rtl:CONFIG.
//
// apply() runs clocks until the event's result is there; apply_burst() offers the events by the
// driver rule (docs/spec/timing.md), one a clock and channel, and gathers the results behind, so
// that pipelining and hazards are exercised. The sink is always ready. A result that does not come
// in time, or does not belong to the oldest request, and an assertion of the RTL that fails, are
// EGRET_ERR_INTERNAL, and so is every later call until reset(); describe() has the reason, for an
// assertion its instance and text (selector_print.h).
//
// EGRET_CFG_* come from configs.mk on the compiler's command line.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "Vegret_core.h"
#include "egret/selector.h"
#include "egret/timing.h"
#include "built_cfg.h"
#include "selector_print.h"
#include "selector_rtl.h"
#include "verilated.h"

namespace {

constexpr uint64_t MASK48 = 0xffffffffffffull;
constexpr unsigned RESET_CLOCKS = 16;

bool is_built(const egret_cfg &c)
{
    const egret_cfg &b = egret_built;
    return c.num_ports == b.num_ports && c.num_groups == b.num_groups &&
           c.num_keys == b.num_keys && c.num_bins == b.num_bins && c.num_rows == b.num_rows &&
           c.row_len == b.row_len && c.num_buckets == b.num_buckets &&
           c.hash_kind == b.hash_kind && c.rsp_depth == b.rsp_depth && c.schemes == b.schemes &&
           c.num_flowlets == b.num_flowlets && c.parity == b.parity;
}

unsigned rank_of(const egret_event &ev)
{
    switch (ev.kind) {
    case EGRET_EV_PORT:
        return 1;
    case EGRET_EV_QUEUE:
        return 2;
    case EGRET_EV_TICK:
        return 3;
    default:
        return 4;
    }
}

// Where this thread's RTL prints: the description of the instance that runs.
thread_local char *print_to = nullptr;
thread_local size_t print_room = 0;

struct rtl {
    rtl();
    ~rtl();
    int reset();
    int burst(const egret_event *ev, size_t n, egret_decision *out, size_t *done);

    char text[256];
    uint64_t clocks;
    uint64_t in_flight, in_flight_clocks;

  private:
    VerilatedContext context;
    Vegret_core core;
    bool failed;
    char printed[160]; // the first line that the RTL printed since reset

    void enter();
    int fail(const char *why, size_t event);
    int stopped(size_t event);
    void offer(const egret_event &ev, unsigned rank);
    void settle();
    void edge();
    static void result(const Vegret_core &core, egret_decision &d);
};

rtl::rtl()
    : text(), clocks(0), in_flight(0), in_flight_clocks(0), context(), core(&context),
      failed(false), printed()
{
    context.fatalOnError(false); // $stop ends the call, not the process
    (void)reset();
}

// The destructor of a Verilated model looks for its scopes in the thread's context: that of the
// instance that was made last, unless told, which may be gone.
rtl::~rtl()
{
    Verilated::threadContextp(&context);
    core.final();
}

// Combinational outputs for the inputs as they are.
void rtl::settle()
{
    core.clk_i = 0;
    core.eval();
}

void rtl::edge()
{
    core.clk_i = 1;
    core.eval();
    clocks++;
}

int rtl::reset()
{
    enter();
    failed = false;
    text[0] = printed[0] = '\0';
    context.gotFinish(false);
    core.port_valid_i = core.queue_valid_i = core.tick_valid_i = core.req_valid_i = 0;
    core.rsp_ready_i = 1;
    core.rst_i = 1;
    for (unsigned i = 0; i < RESET_CLOCKS; i++) {
        settle();
        edge();
    }
    core.rst_i = 0;
    const uint64_t limit = 2u * egret_timing_sweep(&egret_built) + 16;
    clocks = 0;
    in_flight = 0;
    in_flight_clocks = 0;
    settle();
    while (!core.init_done_o && clocks < limit && !context.gotFinish()) {
        edge();
        settle();
    }
    if (context.gotFinish())
        return stopped(0);
    return core.init_done_o ? EGRET_OK : fail("init_done_o did not rise", 0);
}

int rtl::fail(const char *why, size_t event)
{
    failed = true;
    (void)std::snprintf(text, sizeof text, "%s at event %zu of the call, clock %llu", why, event,
                        static_cast<unsigned long long>(clocks));
    return EGRET_ERR_INTERNAL;
}

// What follows belongs to this instance: what the RTL prints, and $stop.
void rtl::enter()
{
    Verilated::threadContextp(&context);
    print_to = printed;
    print_room = sizeof printed;
}

// An assertion failed: "INSTANCE: assertion failed at TIME: TEXT". Time stands still here.
int rtl::stopped(size_t event)
{
    char why[sizeof printed + 16];
    const char *at = std::strstr(printed, " at ");
    const char *colon = at != nullptr ? std::strchr(at, ':') : nullptr;
    if (colon == nullptr)
        return fail(printed[0] != '\0' ? printed : "the RTL stopped", event);
    (void)std::snprintf(why, sizeof why, "%.*s%s", static_cast<int>(at - printed), printed, colon);
    return fail(why, event);
}

void rtl::offer(const egret_event &ev, unsigned rank)
{
    switch (rank) {
    case 1:
        core.port_valid_i = 1;
        core.port_id_i = static_cast<uint8_t>(ev.port);
        core.port_up_i = ev.up & 1u;
        break;
    case 2:
        core.queue_valid_i = 1;
        core.queue_id_i = static_cast<uint8_t>(ev.port);
        core.queue_depth_i = ev.depth;
        break;
    case 3:
        core.tick_valid_i = 1;
        core.tick_now_i = ev.now & MASK48;
        break;
    default:
        core.req_valid_i = 1;
        core.req_kind_i = ev.kind == EGRET_EV_FAULT ? 3 : ev.kind;
        core.req_now_i = ev.now & MASK48;
        if (ev.kind == EGRET_EV_PACKET) {
            core.req_tag_i = ev.tag;
            core.req_group_i = ev.group;
            core.req_key_i = ev.key;
            core.req_bin_i = ev.bin;
            core.req_class_i = ev.cls & 15u;
            core.req_length_i = ev.length;
            core.req_entropy_i = ev.entropy;
            // Byte 0 of the record is the most significant byte; word 0 the least significant one.
            uint8_t bytes[44] = {0};
            for (unsigned i = 0; i < EGRET_RECORD_BYTES; i++)
                bytes[i] = ev.record[EGRET_RECORD_BYTES - 1 - i];
            for (unsigned i = 0; i < 11; i++)
                core.req_record_i[i] = static_cast<uint32_t>(bytes[4 * i]) |
                                       static_cast<uint32_t>(bytes[4 * i + 1]) << 8 |
                                       static_cast<uint32_t>(bytes[4 * i + 2]) << 16 |
                                       static_cast<uint32_t>(bytes[4 * i + 3]) << 24;
        } else {
            core.req_tag_i = ev.addr & 0xffffffu;
            core.req_addr_i = ev.addr & 0xffffffu;
            core.req_data_i = ev.data;
        }
        break;
    }
}

void rtl::result(const Vegret_core &core, egret_decision &d)
{
    d.tag = core.rsp_tag_o;
    d.data = core.rsp_data_o;
    d.kind = core.rsp_kind_o;
    d.port = core.rsp_port_o;
    d.choice = core.rsp_choice_o;
    d.scheme = core.rsp_scheme_o;
    d.reason = core.rsp_reason_o;
}

int rtl::burst(const egret_event *ev, size_t n, egret_decision *out, size_t *done)
{
    // Requests under way: the oldest has index `oldest` in ev; those without result are skipped.
    size_t next = 0, oldest = 0, waiting = 0, packets = 0;
    uint64_t last_move = clocks;
    const uint64_t patience =
        4u * (EGRET_CFG_NUM_PORTS + 64u) + 8u * egret_cfg_latency(&egret_built);
    *done = 0;
    if (failed)
        return EGRET_ERR_INTERNAL;
    enter();
    int err = EGRET_OK;
    for (size_t i = 0; i < n && err == EGRET_OK; i++)
        if (ev[i].kind > EGRET_EV_FAULT) {
            n = i;
            err = EGRET_ERR_EVENT;
        }
    const auto has_result = [&](size_t i) {
        return ev[i].kind == EGRET_EV_PACKET || ev[i].kind == EGRET_EV_READ;
    };

    while (next < n || waiting > 0) {
        unsigned rank = 0;
        size_t offered = 0;
        core.port_valid_i = core.queue_valid_i = core.tick_valid_i = core.req_valid_i = 0;
        while (next + offered < n && rank_of(ev[next + offered]) > rank) {
            rank = rank_of(ev[next + offered]);
            offer(ev[next + offered], rank);
            offered++;
        }
        settle();
        // The mean is over the clocks in which a packet is under way: writes and reads have none.
        in_flight += packets;
        in_flight_clocks += packets > 0;

        if (core.rsp_valid_o) {
            if (waiting == 0)
                return fail("a result that no request asked for", next);
            while (!has_result(oldest)) {
                std::memset(&out[oldest], 0, sizeof out[oldest]);
                oldest++;
            }
            std::memset(&out[oldest], 0, sizeof out[oldest]);
            result(core, out[oldest]);
            packets -= ev[oldest].kind == EGRET_EV_PACKET;
            oldest++;
            waiting--;
            last_move = clocks;
        }
        const unsigned accepted = (core.port_valid_i & core.port_ready_o) +
                                  (core.queue_valid_i & core.queue_ready_o) +
                                  (core.tick_valid_i & core.tick_ready_o) +
                                  (core.req_valid_i & core.req_ready_o);
        for (unsigned i = 0; i < accepted; i++) {
            waiting += has_result(next + i);
            packets += ev[next + i].kind == EGRET_EV_PACKET;
        }
        next += accepted;
        if (accepted > 0)
            last_move = clocks;
        if (clocks - last_move > patience)
            return fail("nothing moves", next);
        edge();
        if (context.gotFinish())
            return stopped(next);
    }
    core.port_valid_i = core.queue_valid_i = core.tick_valid_i = core.req_valid_i = 0;
    for (; oldest < n; oldest++)
        std::memset(&out[oldest], 0, sizeof out[oldest]);
    *done = n;
    return err;
}

// ---- the table of functions ----

int create(const egret_cfg *cfg, void **self)
{
    if (cfg == nullptr || self == nullptr)
        return EGRET_ERR_NULL;
    if (!is_built(*cfg))
        return EGRET_ERR_CONFIG;
    rtl *r = new (std::nothrow) rtl;
    if (r == nullptr)
        return EGRET_ERR_MEMORY;
    *self = r;
    return EGRET_OK;
}

void destroy(void *self)
{
    delete static_cast<rtl *>(self);
}

int reset(void *self)
{
    if (self == nullptr)
        return EGRET_ERR_NULL;
    return static_cast<rtl *>(self)->reset();
}

int apply_burst(void *self, const egret_event *ev, size_t n, egret_decision *out, size_t *done)
{
    size_t ignored = 0;
    if (self == nullptr || (n > 0 && (ev == nullptr || out == nullptr)))
        return EGRET_ERR_NULL;
    return static_cast<rtl *>(self)->burst(ev, n, out, done != nullptr ? done : &ignored);
}

int apply(void *self, const egret_event *ev, egret_decision *out)
{
    return apply_burst(self, ev, 1, out, nullptr);
}

const char *describe(void *self)
{
    return self != nullptr ? static_cast<rtl *>(self)->text : "";
}

double in_flight(void *self)
{
    const rtl *r = static_cast<const rtl *>(self);
    return r == nullptr || r->in_flight_clocks == 0
               ? 0.0
               : static_cast<double>(r->in_flight) / static_cast<double>(r->in_flight_clocks);
}

uint64_t clocks(void *self)
{
    return self != nullptr ? static_cast<rtl *>(self)->clocks : 0;
}

const egret_selector_ops table = {
    EGRET_SELECTOR_VERSION, "rtl:" EGRET_CFG_NAME, create,   destroy,   reset,
    apply,                  apply_burst,           describe, in_flight, clocks,
};

} // namespace

// Keeps the first line since reset.
int egret_rtl_print(const char *format, ...)
{
    if (print_to == nullptr || print_to[0] != '\0')
        return 0;
    va_list arguments;
    va_start(arguments, format);
    const int n = std::vsnprintf(print_to, print_room, format, arguments);
    va_end(arguments);
    print_to[std::strcspn(print_to, "\n")] = '\0';
    return n;
}

const egret_selector_ops *egret_selector_rtl(void)
{
    return &table;
}
