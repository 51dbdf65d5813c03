/* SPDX-License-Identifier: Apache-2.0 */
/*
 * qp_table.c: see qp_table.h. Open addressing; a table is at most half full.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qp_table.h"

#define PROTOCOL_BYTE 32u
#define DEST_PORT_BYTE 35u
#define QP_BYTE 37u
#define UDP 17u
#define ROCE_PORT 4791u
#define LEAST_SLOTS 32u

bool egret_qp_of(const uint8_t *record, uint32_t group, uint8_t key[QP_KEY])
{
    const uint8_t *qp = record + QP_BYTE;
    uint32_t port = (uint32_t)record[DEST_PORT_BYTE] << 8 | record[DEST_PORT_BYTE + 1u];
    /* QP 0 is the parser's word for no BTH */
    if (record[PROTOCOL_BYTE] != UDP || port != ROCE_PORT || (qp[0] | qp[1] | qp[2]) == 0) {
        return false;
    }
    memcpy(key, record, 32);
    memcpy(key + 32, qp, 3);
    key[QP_BYTES] = (uint8_t)(group >> 8);
    key[QP_BYTES + 1u] = (uint8_t)group;
    return true;
}

static uint64_t key_hash(const uint8_t *key)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < QP_KEY; i++) {
        h = (h ^ key[i]) * 0x100000001b3u;
    }
    return h ^ h >> 32;
}

/* The slot of a key: its number, or a free one. */
static uint32_t *find_slot(const struct qp_table *t, const uint8_t *key)
{
    size_t i = (size_t)key_hash(key) & (t->slots - 1u);
    while (t->slot[i] != 0 && memcmp(t->key[t->slot[i] - 1u], key, QP_KEY) != 0) {
        i = (i + 1u) & (t->slots - 1u);
    }
    return &t->slot[i];
}

/* Room for another key, and slots that it leaves half empty. */
static bool grow(struct qp_table *t)
{
    if (t->used == t->capacity) {
        size_t capacity = t->capacity ? 2u * t->capacity : 8u;
        uint8_t(*key)[QP_KEY] = realloc(t->key, capacity * sizeof *key);
        if (!key) {
            return false;
        }
        t->key = key;
        t->capacity = capacity;
    }
    if (2u * t->used < t->slots) {
        return true;
    }
    size_t slots = t->slots ? 2u * t->slots : LEAST_SLOTS;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot) {
        return false;
    }
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    for (size_t i = 0; i < t->used; i++) {
        *find_slot(t, t->key[i]) = (uint32_t)i + 1u;
    }
    return true;
}

uint32_t egret_qp_number(struct qp_table *t, const uint8_t key[QP_KEY])
{
    uint32_t *slot = t->slots ? find_slot(t, key) : NULL;
    if (!slot || *slot == 0) {
        if (!grow(t)) {
            return 0;
        }
        slot = find_slot(t, key);
        memcpy(t->key[t->used], key, QP_KEY);
        *slot = (uint32_t)++t->used;
    }
    return *slot;
}

void egret_qp_address(const uint8_t *key, unsigned side, char *out, size_t size)
{
    static const uint8_t zero[12];
    const uint8_t *a = key + 16u * side;
    bool v4 = memcmp(a + 4, zero, sizeof zero) == 0;
    size_t n = 0;
    for (unsigned i = 0; i < (v4 ? 4u : 8u) && n < size; i++) {
        n += (size_t)(v4 ? snprintf(out + n, size - n, i ? ".%u" : "%u", a[i])
                         : snprintf(out + n, size - n, i ? ":%x" : "%x",
                                    (unsigned)a[2 * i] << 8 | a[2 * i + 1]));
    }
}

void egret_qp_text(const uint8_t *key, char *out, size_t size)
{
    char source[48];
    char destination[48];
    egret_qp_address(key, 0, source, sizeof source);
    egret_qp_address(key, 1, destination, sizeof destination);
    (void)snprintf(out, size, "%s -> %s QP 0x%02x%02x%02x", source, destination, key[32], key[33],
                   key[34]);
}

void egret_qp_free(struct qp_table *t)
{
    free(t->key);
    free(t->slot);
}
