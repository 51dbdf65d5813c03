/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order_report.c: figures of the order oracle, added up and as JSON.
 */
#include <inttypes.h>

#include "order.h"

const char *egret_order_cause_name(unsigned cause)
{
    static const char *const name[EGRET_ORDER_CAUSES] = {"port",  "group",   "bucket",  "hash",
                                                         "class", "route",   "evicted", "conflict",
                                                         "entry", "expired", "time",    "none"};
    return cause < EGRET_ORDER_CAUSES ? name[cause] : NULL;
}

uint64_t egret_order_errors(const struct egret_order *o)
{
    const struct egret_order_figures *f = egret_order_figures(o);
    uint64_t errors = f->exceeded;
    for (unsigned i = 0; i < EGRET_ORDER_ROWS; i++) {
        errors += f->row[i].cause[EGRET_ORDER_NONE];
    }
    return errors;
}

void egret_order_spread(const struct egret_order *o, unsigned row, uint64_t *bytes, uint64_t *max)
{
    const struct egret_order_row *r = &egret_order_figures(o)->row[row];
    *bytes = 0;
    *max = 0;
    for (unsigned p = 0; p < EGRET_MAX_PORTS; p++) {
        *bytes += r->bytes[p];
        *max = r->bytes[p] > *max ? r->bytes[p] : *max;
    }
}

static void causes(struct egret_outfile *f, const uint64_t *count)
{
    for (unsigned c = 0; c < EGRET_ORDER_CAUSES; c++) {
        egret_outfile_printf(f, "%s\"%s\": %" PRIu64, c ? ", " : "{", egret_order_cause_name(c),
                             count[c]);
    }
    egret_outfile_printf(f, "}");
}

static void row_json(const struct egret_order *o, unsigned i, struct egret_outfile *f)
{
    const struct egret_order_figures *all = egret_order_figures(o);
    const struct egret_order_row *r = &all->row[i];
    uint64_t bytes;
    uint64_t max;
    unsigned ports = 0;
    egret_order_spread(o, i, &bytes, &max);
    egret_outfile_printf(f,
                         "    {\"class\": %u, \"keeps_order\": %s, \"packets\": %" PRIu64
                         ", \"reordered\": %" PRIu64 ", \"overtaken_packets\": %" PRIu64
                         ", \"overtaken_bytes\": %" PRIu64 ", \"late_ns\": %" PRIu64
                         ", \"passed\": %" PRIu64 ",\n     \"causes\": ",
                         r->cls, r->keeps ? "true" : "false", r->packets, r->reordered,
                         r->overtaken_packets, r->overtaken_bytes, r->late_ns, r->passed);
    causes(f, r->cause);
    egret_outfile_printf(f, ",\n     \"ports\": [");
    for (unsigned p = 0; p < EGRET_MAX_PORTS; p++) {
        if (all->choice >> p & 1u) {
            egret_outfile_printf(f, "%s{\"port\": %u, \"bytes\": %" PRIu64 "}", ports++ ? ", " : "",
                                 p, r->bytes[p]);
        }
    }
    uint64_t milli = bytes ? (max * ports * 1000u + bytes / 2u) / bytes : 0;
    egret_outfile_printf(f, "], \"max_over_mean_bytes\": %" PRIu64 ".%03" PRIu64 "}", milli / 1000u,
                         milli % 1000u);
}

void egret_order_json(const struct egret_order *o, struct egret_outfile *f)
{
    const struct egret_order_figures *all = egret_order_figures(o);
    bool first = true;
    egret_outfile_printf(f,
                         "{\n  \"skew_ns\": %" PRIu32 ",\n  \"queue_pairs\": %" PRIu64
                         ",\n  \"dropped\": %" PRIu64 ",\n  \"no_queue_pair\": %" PRIu64
                         ",\n  \"classes\": [\n",
                         all->skew_ns, all->flows, all->dropped, all->no_queue_pair);
    for (unsigned i = 0; i < EGRET_ORDER_ROWS; i++) {
        if (all->row[i].packets != 0) {
            egret_outfile_printf(f, "%s", first ? "" : ",\n");
            row_json(o, i, f);
            first = false;
        }
    }
    egret_outfile_printf(f, "\n  ],\n  \"moves\": ");
    causes(f, all->moves);
    egret_outfile_printf(f,
                         ",\n  \"moves_safe\": %" PRIu64 ",\n  \"window_bytes\": %" PRIu64
                         ",\n  \"bound_bytes\": %" PRIu64 ",\n  \"exceeded\": %" PRIu64
                         ",\n  \"errors\": %" PRIu64 "\n}\n",
                         all->moves_safe, all->window_bytes, all->bound_bytes, all->exceeded,
                         egret_order_errors(o));
}
