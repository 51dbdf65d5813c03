/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce.c: integer weights that fit a row, in place of weights that do not (WCMP: Zhou et al.,
 * "WCMP: weighted cost multipathing for improved fairness in data centers", EuroSys 2014).
 *
 * X_i > 0 are the exact weights of the n members, S their sum, Y_i >= 1 the reduced ones, T <=
 * slots theirs. The oversubscription of member i is its reduced share over its exact one,
 *
 *     (Y_i / T) / (X_i / S),
 *
 * and these Y have the least largest one that there is; of several the fewest slots. For each T the
 * largest Y_i / X_i is least when every slot beyond the first n goes to the member with the least
 * (Y_i + 1) / X_i. Members of one weight are raised together: in between the largest quotient is
 * already what it will be, and T only smaller. Only when the slots run out some stay behind, those
 * of the highest ports.
 *
 * With T = slots every member has (Y_i + 1) / X_i >= the largest quotient q that a slot was given
 * at; the sum over i gives q S <= slots + n - 1, so the largest oversubscription is at most
 *
 *     max(1 + (n - 1) / slots, S / (slots min X)):
 *
 * the second part is that of a lightest member whose exact share is less than one slot.
 */
#include <string.h>

#include "plan.h"

#define MILLION 1000000u

struct class
{
    uint32_t weight;
    uint32_t members;
    uint32_t share; /* slots of each */
    uint32_t best;  /* the share in the best weights so far */
};

struct ratio { /* of two products that fit 32 bits */
    uint64_t over;
    uint64_t under;
};

static bool less(struct ratio a, struct ratio b)
{
    return a.over * b.under < b.over * a.under;
}

static uint32_t classes(const uint8_t *w, uint32_t ups, struct class *out)
{
    uint32_t n = 0;
    for (uint32_t u = 0; u < ups; u++) {
        uint32_t c = 0;
        while (c < n && out[c].weight != w[u]) {
            c++;
        }
        if (w[u] != 0 && c == n) {
            out[n++] = (struct class){w[u], 0, 1, 1};
        }
        if (w[u] != 0) {
            out[c].members++;
        }
    }
    return n;
}

uint32_t egret_fab_reduce(uint8_t *w, uint32_t ups, uint32_t slots, uint32_t *ppm)
{
    struct class class[EGRET_MAX_PORTS];
    uint32_t n = classes(w, ups, class), total = 0, sum = 0;
    struct ratio most = {0, 1}; /* the largest Y_i / X_i */
    for (uint32_t c = 0; c < n; c++) {
        struct ratio r = {1, class[c].weight};
        most = less(most, r) ? r : most;
        total += class[c].members;
        sum += class[c].members * class[c].weight;
    }
    struct ratio best = {most.over, most.under * (n ? total : 1u)};
    uint32_t best_total = total, extra = 0, extra_of = n; /* of the last class only some */
    while (n && total < slots) {
        uint32_t at = 0;
        struct ratio r = {class[0].share + 1u, class[0].weight};
        for (uint32_t c = 1; c < n; c++) {
            struct ratio other = {class[c].share + 1u, class[c].weight};
            if (less(other, r)) {
                r = other;
                at = c;
            }
        }
        uint32_t given = class[at].members < slots - total ? class[at].members : slots - total;
        bool all = given == class[at].members;
        total += given;
        class[at].share += all;
        most = less(most, r) ? r : most;
        struct ratio now = {most.over, most.under * total};
        if (less(now, best)) {
            best = now;
            best_total = total;
            extra = all ? 0 : given;
            extra_of = at;
            for (uint32_t c = 0; c < n; c++) {
                class[c].best = class[c].share;
            }
        }
    }
    for (uint32_t u = 0; u < ups && n; u++) {
        uint32_t c = 0;
        while (c < n && class[c].weight != w[u]) {
            c++;
        }
        if (c < n) {
            w[u] = (uint8_t)(class[c].best + (c == extra_of && extra != 0));
            extra -= c == extra_of && extra != 0;
        }
    }
    *ppm = n ? (uint32_t)((best.over * sum * MILLION + best.under / 2u) / best.under) : MILLION;
    return best_total;
}
