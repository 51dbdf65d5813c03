/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_warn.c: see make_warn.h. One line each on standard error; the file is written all the same.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli.h"
#include "make_warn.h"

#define FEW_TICKS 3u

/* What goes by the hash's buckets; null if nothing does. */
static const char *hashed(const struct egret_make *m)
{
    if (m->scheme == EGRET_SCHEME_ECMP) {
        return "flows";
    }
    if (egret_make_uses(m, EGRET_SCHEME_ECMP)) {
        return "flows that keep order";
    }
    if (egret_make_uses(m, EGRET_SCHEME_FLOWLET)) {
        return "flows in conflict for an entry";
    }
    if (m->scheme == EGRET_SCHEME_SPRAY_QUALITY && m->load.small > 0) {
        return "packets below --small";
    }
    return NULL;
}

/* An edge and an aggregation switch whose hashes differ by a constant (docs/spec/hash.md). */
void cli_warn_polarized(const struct egret_make *m)
{
    const char *what = hashed(m);
    if (m->at_agg && m->agg_rotation == 0 && what && m->hash.algorithm != EGRET_HASH_LOOKUP3) {
        (void)fprintf(stderr,
                      "egret: warning: edge and aggregation switches differ in the seed of %s "
                      "only, so both split %s alike; --agg-rotation 8 cures it\n",
                      egret_hash_algorithm_name(m->hash.algorithm), what);
    }
}

/* The first tick measures, and the second one puts that in force (docs/spec/load.md). */
void cli_warn_ticks(const struct egret_make *m, uint64_t ticks)
{
    if (m->loads && ticks < FEW_TICKS) {
        (void)fprintf(stderr,
                      "egret: warning: %" PRIu64 " tick%s of %u ns, and loads decide from the "
                      "second one on: more --bytes, or a shorter --period\n",
                      ticks, cli_s(ticks), m->load.period_ns);
    }
}
