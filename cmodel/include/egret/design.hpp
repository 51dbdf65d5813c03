// SPDX-License-Identifier: Apache-2.0
/*
 * design.hpp: a design of your own as a selector (egret/selector.h). Derive a class from
 * egret_design that maps events to pins, and name it in EGRET_DESIGN(). The base class does the
 * rest: packets go in back to back, any other event waits until all packets before it have their
 * results, results come in the order of the packets. docs/bring-your-own-rtl.md walks through it.
 */
#ifndef EGRET_DESIGN_HPP
#define EGRET_DESIGN_HPP

#include <cstring>
#include <new>

#include "egret/selector.h"

class egret_design
{
  public:
    virtual ~egret_design() = default;
    // Can the design be this configuration?
    virtual bool fits(const egret_cfg &)
    {
        return true;
    }
    virtual void reset() = 0;
    // One clock. Inputs were set before; valids of the last clock have been taken back by idle().
    virtual void clock() = 0;
    virtual void idle() = 0;
    // A packet to the input pins, with its valid; clock() follows.
    virtual void packet(const egret_event &ev) = 0;
    // Looked at between packet() and clock(): false keeps the packet there for one more clock.
    virtual bool ready()
    {
        return true;
    }
    // After a clock: is there a result? Then set what the design says. Set before the call: kind,
    // tag, scheme ecmp, reason chosen, and after it choice, which is port if you leave it.
    virtual bool result(egret_decision &out) = 0;
    // A write to the address map (egret/regs.h). What the design does not know it ignores.
    virtual void write(uint32_t, uint32_t)
    {
    }
    // A read. False: the design has no such word; the result is then zero.
    virtual bool read(uint32_t, uint32_t &)
    {
        return false;
    }
    virtual void port(uint32_t, bool)
    {
    }
    virtual void queue(uint32_t, uint32_t)
    {
    }
    virtual void tick(uint64_t)
    {
    }

    // The 13 bytes of an IPv4 5-tuple (source, destination, protocol, source port, destination
    // port) on a pin of 104 bits, [103:0], as Verilator has it.
    template <class Pin> static void five_tuple(const egret_event &ev, Pin &pin)
    {
        // Bytes of the record, the lowest of the pin first.
        static const uint8_t from[13] = {36, 35, 34, 33, 32, 19, 18, 17, 16, 3, 2, 1, 0};
        for (unsigned w = 0; w < 4; w++)
            pin[w] = 0;
        for (unsigned i = 0; i < 13; i++)
            pin[i / 4] |= uint32_t(ev.record[from[i]]) << i % 4 * 8;
    }

    int burst(const egret_event *ev, size_t n, egret_decision *out, size_t *done);
    int start();
    const char *text() const
    {
        return failed_ ? failed_ : "";
    }

  private:
    int fail(const char *why)
    {
        failed_ = why;
        return EGRET_ERR_INTERNAL;
    }
    bool step();
    bool drain();

    static constexpr unsigned patience = 10000; // clocks without a result that are too many
    const char *failed_ = nullptr;
    const egret_event *ev_ = nullptr;
    egret_decision *out_ = nullptr;
    size_t oldest_ = 0, sent_ = 0; // packets under way have indices in [oldest_, sent_)
};

inline int egret_design::start()
{
    failed_ = nullptr;
    idle();
    reset();
    return EGRET_OK;
}

// One clock; takes the result behind it. False for one that no packet asked for.
inline bool egret_design::step()
{
    clock();
    while (oldest_ < sent_ && ev_[oldest_].kind != EGRET_EV_PACKET)
        oldest_++;
    egret_decision d = {};
    d.kind = EGRET_RES_PACKET;
    d.scheme = EGRET_SCHEME_ECMP;
    d.reason = EGRET_REASON_CHOSEN;
    d.choice = EGRET_PORT_DROP;
    d.tag = oldest_ < sent_ ? ev_[oldest_].tag : 0;
    if (!result(d))
        return true;
    if (oldest_ >= sent_)
        return false;
    if (d.choice == EGRET_PORT_DROP)
        d.choice = d.port;
    out_[oldest_++] = d;
    return true;
}

inline bool egret_design::drain()
{
    unsigned waited = 0;
    for (;;) {
        while (oldest_ < sent_ && ev_[oldest_].kind != EGRET_EV_PACKET)
            oldest_++;
        if (oldest_ == sent_)
            return true;
        const size_t before = oldest_;
        if (!step() || (waited = oldest_ == before ? waited + 1 : 0) > patience)
            return false;
    }
}

inline int egret_design::burst(const egret_event *ev, size_t n, egret_decision *out, size_t *done)
{
    *done = 0;
    if (failed_)
        return EGRET_ERR_INTERNAL;
    ev_ = ev;
    out_ = out;
    oldest_ = sent_ = 0;
    for (size_t i = 0; i < n; i++) {
        const egret_event &e = ev[i];
        if (e.kind > EGRET_EV_FAULT)
            return EGRET_ERR_EVENT;
        if (e.kind == EGRET_EV_PACKET) {
            unsigned waited = 0;
            for (packet(e); !ready(); waited++)
                if (!step() || waited > patience)
                    return fail("not ready, or a result that no packet asked for");
            sent_ = i + 1;
            const bool good = step();
            idle();
            if (!good)
                return fail("a result that no packet asked for");
            continue;
        }
        if (!drain())
            return fail("a packet has no result, or there are too many results");
        out[i] = egret_decision{};
        if (e.kind == EGRET_EV_WRITE) {
            write(e.addr, e.data);
        } else if (e.kind == EGRET_EV_READ) {
            out[i].kind = EGRET_RES_READ;
            out[i].tag = e.addr;
            if (!read(e.addr, out[i].data))
                out[i].data = 0;
        } else if (e.kind == EGRET_EV_PORT) {
            port(e.port, (e.up & 1u) != 0);
        } else if (e.kind == EGRET_EV_QUEUE) {
            queue(e.port, e.depth);
        } else if (e.kind == EGRET_EV_TICK) {
            tick(e.now);
        }
        sent_ = i + 1;
    }
    if (!drain())
        return fail("a packet has no result, or there are too many results");
    *done = n;
    return EGRET_OK;
}

// The table of functions of a class derived from egret_design.
template <class T> struct egret_design_ops {
    static int create(const egret_cfg *cfg, void **self)
    {
        egret_design *d = new (std::nothrow) T;
        if (d == nullptr)
            return EGRET_ERR_MEMORY;
        if (!d->fits(*cfg)) {
            delete d;
            return EGRET_ERR_CONFIG;
        }
        *self = d;
        return d->start();
    }
    static void destroy(void *self)
    {
        delete static_cast<egret_design *>(self);
    }
    static int reset(void *self)
    {
        return static_cast<egret_design *>(self)->start();
    }
    static int burst(void *self, const egret_event *ev, size_t n, egret_decision *out, size_t *done)
    {
        size_t ignored;
        return static_cast<egret_design *>(self)->burst(ev, n, out, done ? done : &ignored);
    }
    static int apply(void *self, const egret_event *ev, egret_decision *out)
    {
        return burst(self, ev, 1, out, nullptr);
    }
    static const char *describe(void *self)
    {
        return static_cast<egret_design *>(self)->text();
    }
};

// What a shared object must export. Once, outside any namespace.
#define EGRET_DESIGN(T, name)                                                                      \
    extern "C" const egret_selector_ops *egret_selector(void)                                      \
    {                                                                                              \
        using ops = egret_design_ops<T>;                                                           \
        static const egret_selector_ops table = {EGRET_SELECTOR_VERSION,                           \
                                                 name,                                             \
                                                 ops::create,                                      \
                                                 ops::destroy,                                     \
                                                 ops::reset,                                       \
                                                 ops::apply,                                       \
                                                 ops::burst,                                       \
                                                 ops::describe,                                    \
                                                 nullptr,                                          \
                                                 nullptr};                                         \
        return &table;                                                                             \
    }
#endif
