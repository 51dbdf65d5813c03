/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_packed.c: linear hashes over fields in any order, one behind the other, without room for
 * those that are left out. No layout of egret/hash.h, but common elsewhere.
 */
#include <string.h>

#include "identify.h"

/* Observations that are hashed before the others: 24 bits, or 16 of a member that is no power. */
static size_t few(const struct identify *id)
{
    return id->bits == 0 ? 16u : id->bits >= 3u ? 8u : 24u / id->bits;
}

static void test(struct identify *id, const struct identify_hash *h)
{
    if (id->bits) {
        egret_identify_slices(id, h);
    } else {
        egret_identify_shift(id, h);
        if (id->use > few(id)) {
            egret_identify_modulo(id, h);
        }
    }
}

static void one_order(struct identify *id, struct identify_hash *h, bool modulo)
{
    id->use = id->n < few(id) ? id->n : few(id);
    if (modulo && !id->bits && id->n > few(id)) { /* a modulo needs more than its 32 unknowns */
        id->use = id->n < IDENTIFY_PREFIX / 4u ? id->n : IDENTIFY_PREFIX / 4u;
    }
    id->hit = false;
    egret_identify_fill(id, h);
    test(id, h);
    if (id->hit) {
        id->use = id->n;
        egret_identify_fill(id, h);
        test(id, h);
    }
}

/* The next arrangement in lexical order; false behind the last. */
static bool next_order(uint8_t *a, unsigned n)
{
    unsigned i = n - 1u;
    while (i > 0 && a[i - 1u] >= a[i]) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    unsigned j = n - 1u;
    while (a[j] <= a[i - 1u]) {
        j--;
    }
    uint8_t t = a[i - 1u];
    a[i - 1u] = a[j];
    a[j] = t;
    for (unsigned k = n - 1u; i < k; i++, k--) {
        t = a[i];
        a[i] = a[k];
        a[k] = t;
    }
    return true;
}

static void all_orders(struct identify *id, struct identify_hash *h, bool modulo)
{
    h->orders = 0;
    for (uint8_t f = 0; f < IDENTIFY_FIELDS; f++) {
        if (h->fields >> f & 1u) {
            h->order[h->orders++] = f;
        }
    }
    do {
        for (unsigned i = 0; egret_identify_family(i, h); i++) {
            one_order(id, h, modulo);
        }
    } while (next_order(h->order, h->orders));
}

void egret_identify_packed(struct identify *id)
{
    struct identify_hash h;
    uint32_t count = 0;
    memset(&h, 0, sizeof h);
    h.layout = EGRET_LAYOUT_COUNT;
    h.ipv6 = id->ipv6;
    for (uint32_t f = 0; f < IDENTIFY_FIELDS; f++) {
        count += id->columns >> f & 1u;
    }
    for (uint32_t s = 1; s <= id->columns; s++) {
        bool asked = id->setup->fields == 0 || s == id->setup->fields;
        if ((s & ~id->columns) == 0 && (s & id->varying) != 0 && asked) {
            h.fields = s;
            all_orders(id, &h, count <= 5u);
        }
    }
}
