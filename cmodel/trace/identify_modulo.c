/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_modulo.c: numbers of members that are no power of two, for linear hashes.
 *
 * h = v ^ c with c unknown. (h * n) >> w rises with h: c is found from its top bit down, and a
 * prefix goes when an observation's interval of indices does not hold the one that was seen.
 * h mod n does not rise. But for an odd prime p that divides n, with d = v ^ v0 and h0 = v0 ^ c,
 * h - h0 is the sum over the bits j of d of z[j] = 2^j, or -2^j where h0 has that bit: linear
 * equations mod p with one unknown a bit, whatever the rotation; z then says rotation and c.
 */
#include <string.h>

#include "identify.h"

#define MAX_STEPS 200000u /* of one search: beyond that the observations say next to nothing */

/* ---- (h * n) >> width ---- */

struct shift_search {
    struct identify *id;
    uint32_t width;
    uint32_t rotation;
    uint32_t steps;
    size_t classes;
    uint64_t seeds;
    struct egret_seed_class seed[EGRET_IDENTIFY_CLASSES];
};

/* The top `known` bits of c are in `c`. 0 no, 1 perhaps, 2 whatever the other bits are. */
static int shift_fits(const struct shift_search *s, uint32_t c, uint32_t known)
{
    const struct identify *id = s->id;
    uint32_t width_mask = s->width == 32u ? 0xffffffffu : 0xffffu;
    uint32_t below = known >= 32u ? 0 : width_mask >> known;
    int fits = 2;
    for (size_t i = 0; i < id->use; i++) {
        uint32_t low = ((identify_ror(id->v[i], s->rotation) & width_mask) ^ c) & ~below;
        uint32_t high = low | below;
        uint32_t from = (uint32_t)((uint64_t)low * id->members >> s->width);
        uint32_t to = (uint32_t)((uint64_t)high * id->members >> s->width);
        if (id->index[i] < from || id->index[i] > to) {
            return 0;
        }
        fits = from == to ? fits : 1;
    }
    return fits;
}

static void shift_leaf(struct shift_search *s, uint32_t c, uint32_t known)
{
    uint32_t width_mask = s->width == 32u ? 0xffffffffu : 0xffffu;
    uint32_t mask = width_mask & ~(known >= 32u ? 0 : width_mask >> known);
    if (s->classes < EGRET_IDENTIFY_CLASSES) {
        s->seed[s->classes].mask = identify_ror(mask, 32u - s->rotation);
        s->seed[s->classes].value = identify_ror(c & mask, 32u - s->rotation);
    }
    s->classes++;
    s->seeds += 1ull << (32u - known);
}

/* Depth first over prefixes of c, without recursion. */
static void shift_run(struct shift_search *s)
{
    uint32_t c = 0;
    uint32_t known = 0;
    uint32_t top = 1u << (s->width - 1u);
    for (;;) {
        int fits = shift_fits(s, c, known);
        if (fits == 2) {
            shift_leaf(s, c, known);
        }
        if (++s->steps == MAX_STEPS) {
            return;
        }
        if (fits == 1) { /* not with all bits known */
            known++; /* with a 0 */
            continue;
        }
        while (known && (c & top >> (known - 1u))) {
            c ^= top >> (known - 1u);
            known--;
        }
        if (known == 0) {
            return;
        }
        c |= top >> (known - 1u);
    }
}

void egret_identify_shift(struct identify *id, const struct identify_hash *h)
{
    bool narrow = h->algorithm == EGRET_HASH_CRC16 || h->algorithm == EGRET_HASH_CRC16_CCITT ||
                  h->algorithm == EGRET_HASH_XOR16;
    for (uint32_t r = 0; r < 64u; r++) {
        struct shift_search s;
        memset(&s, 0, sizeof s);
        s.id = id;
        s.width = r < 32u ? 16u : 32u;
        s.rotation = r % 32u;
        if (narrow && r >= 16u && r <= 32u) {
            continue; /* the top bits are those of CRC-32C */
        }
        shift_run(&s);
        if (s.classes) {
            egret_identify_found(id, h, s.rotation,
                                 s.width == 16u ? EGRET_MAP_SHIFT16 : EGRET_MAP_SHIFT32, 0, s.seed,
                                 s.classes, s.seeds);
        }
    }
}

/* ---- h mod n ---- */

struct system {
    uint32_t p;
    uint32_t rank;
    uint8_t inverse[256];
    bool has[32];        /* a row whose first unknown is this */
    uint8_t row[32][33]; /* and its right side */
};

static uint32_t odd_prime(uint32_t n)
{
    uint32_t largest = 0;
    while (n % 2u == 0) {
        n /= 2u;
    }
    for (uint32_t p = 3; n > 1u; p += 2u) {
        for (; n % p == 0; n /= p) {
            largest = p;
        }
    }
    return largest;
}

/* Adds an equation; false if the system has no solution any more. */
static bool add_equation(struct system *s, uint32_t d, uint32_t right)
{
    uint32_t p = s->p;
    uint8_t e[33];
    for (unsigned j = 0; j < 32u; j++) {
        e[j] = (uint8_t)(d >> j & 1u);
    }
    e[32] = (uint8_t)right;
    for (unsigned j = 0; j < 32u; j++) {
        if (e[j] == 0) {
            continue;
        }
        if (!s->has[j]) {
            uint32_t scale = s->inverse[e[j]];
            for (unsigned k = j; k < 33u; k++) {
                s->row[j][k] = (uint8_t)(e[k] * scale % p);
            }
            s->has[j] = true;
            s->rank++;
            return true;
        }
        uint32_t factor = p - e[j];
        for (unsigned k = j; k < 33u; k++) {
            e[k] = (uint8_t)((e[k] + factor * s->row[j][k]) % p);
        }
    }
    return e[32] == 0;
}

static bool build(const struct identify *id, struct system *s)
{
    uint32_t p = odd_prime(id->members);
    memset(s, 0, sizeof *s);
    s->p = p;
    for (uint32_t a = 1; a < p; a++) {
        for (uint32_t b = 1; b < p; b++) {
            if (a * b % p == 1u) {
                s->inverse[a] = (uint8_t)b;
            }
        }
    }
    for (size_t i = 1; i < id->use; i++) {
        if (!add_equation(s, id->v[i] ^ id->v[0], (id->index[i] % p + p - id->index[0] % p) % p)) {
            return false;
        }
    }
    return true;
}

struct modulo_search {
    struct identify *id;
    const struct system *system;
    uint32_t rotation;
    uint32_t mapping;
    uint32_t steps;
    uint32_t power[32]; /* 2^place of hash bit j, mod p; 0 if it does not count */
    size_t classes;
    uint64_t seeds;
    struct egret_seed_class seed[EGRET_IDENTIFY_CLASSES];
};

/* A whole assignment, bits of h0: is it right, not only mod p? */
static void modulo_leaf(struct modulo_search *s, uint32_t h0)
{
    const struct identify *id = s->id;
    uint32_t seed = h0 ^ id->v[0];
    for (size_t i = 0; i < id->use; i++) {
        if (!egret_identify_maps(id, s->mapping, identify_ror(id->v[i] ^ seed, s->rotation),
                                 id->index[i])) {
            return;
        }
    }
    uint32_t mask =
        s->mapping == EGRET_MAP_MODULO ? 0xffffffffu : identify_ror(0xffffu, 32u - s->rotation);
    if (s->classes < EGRET_IDENTIFY_CLASSES) {
        s->seed[s->classes].value = seed & mask;
        s->seed[s->classes].mask = mask;
    }
    s->classes++;
    s->seeds += s->mapping == EGRET_MAP_MODULO ? 1u : 65536u;
}

/* Bits from 31 down: a row gives its unknown from those above; a free one is tried both ways. */
static void modulo_run(struct modulo_search *s, unsigned bits_left, const uint8_t *above,
                       uint32_t h0)
{
    const struct system *y = s->system;
    uint8_t z[32];
    if (++s->steps > MAX_STEPS) {
        return;
    }
    if (bits_left == 0) {
        modulo_leaf(s, h0);
        return;
    }
    unsigned j = bits_left - 1u;
    memcpy(z, above, sizeof z);
    for (uint32_t negative = 0; negative < 2u; negative++) {
        uint32_t want = negative ? (y->p - s->power[j]) % y->p : s->power[j];
        if (y->has[j]) {
            uint32_t value = y->row[j][32];
            for (unsigned k = j + 1u; k < 32u; k++) {
                value += (y->p - y->row[j][k]) * z[k];
            }
            if (value % y->p != want) {
                continue;
            }
        }
        z[j] = (uint8_t)want;
        modulo_run(s, j, z, h0 | negative << j);
        if (s->power[j] == 0) {
            break; /* a bit that does not count */
        }
    }
}

void egret_identify_modulo(struct identify *id, const struct identify_hash *h)
{
    struct system y;
    uint8_t none[32] = {0};
    /* With hardly more equations than unknowns anything agrees, in more ways than can be tried. */
    if (!build(id, &y) || id->use < y.rank + 9u) {
        return;
    }
    for (uint32_t r = 0; r < 64u; r++) {
        struct modulo_search s;
        memset(&s, 0, sizeof s);
        s.id = id;
        s.system = &y;
        s.rotation = r % 32u;
        s.mapping = r < 32u ? EGRET_MAP_MODULO16 : EGRET_MAP_MODULO;
        for (unsigned j = 0; j < 32u; j++) {
            unsigned place = (j - s.rotation) % 32u;
            s.power[j] = r < 32u && place >= 16u ? 0 : 1u;
            for (unsigned k = 0; k < place; k++) {
                s.power[j] = s.power[j] * 2u % y.p;
            }
        }
        modulo_run(&s, 32, none, 0);
        if (s.classes) {
            egret_identify_found(id, h, s.rotation, s.mapping, 0, s.seed, s.classes, s.seeds);
        }
    }
}
