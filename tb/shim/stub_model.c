/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stub_model.c: a model that accepts everything and says nothing. A bench linked with it must fail
 * (tb/bench_test stub): it takes the place of cmodel/select/apply.c.
 */
#include <string.h>

#include "egret/egret.h"

int egret_apply(struct egret *e, const struct egret_event *ev, struct egret_decision *out)
{
    (void)e;
    (void)ev;
    memset(out, 0, sizeof *out);
    return EGRET_OK;
}

int egret_apply_burst(struct egret *e, const struct egret_event *ev, size_t n,
                      struct egret_decision *out, size_t *done)
{
    (void)e;
    (void)ev;
    memset(out, 0, n * sizeof *out);
    if (done != NULL)
        *done = n;
    return EGRET_OK;
}
