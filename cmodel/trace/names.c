/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c: see names.h.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/schedule.h"
#include "names.h"

void egret_names_clear(struct names *l)
{
    l->round++;
    l->used = 0;
    l->length = 0;
}

void egret_names_free(struct names *l)
{
    free(l->slot);
    free(l->text);
    memset(l, 0, sizeof *l);
}

/* FNV-1a, then mixed: the low bits pick the slot. */
static uint64_t hash_of(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++) {
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    }
    h ^= h >> 32;
    h *= 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* The slot that holds the name, or the free one where it goes; slots > 0. */
static size_t find(const struct names *l, const char *name, uint64_t hash)
{
    size_t i = (size_t)hash & (l->slots - 1u);
    while (l->slot[i].round == l->round &&
           (l->slot[i].hash != hash || strcmp(l->text + l->slot[i].text, name) != 0)) {
        i = (i + 1u) & (l->slots - 1u);
    }
    return i;
}

static int grow(struct names *l)
{
    size_t slots = l->slots ? l->slots * 2u : 1024u;
    struct name_slot *old = l->slot;
    struct name_slot *slot = calloc(slots, sizeof *slot);
    if (!slot) {
        return EGRET_ERR_MEMORY;
    }
    for (size_t i = 0; i < l->slots; i++) {
        if (old[i].round == l->round) {
            size_t at = (size_t)old[i].hash & (slots - 1u);
            while (slot[at].round == l->round) {
                at = (at + 1u) & (slots - 1u);
            }
            slot[at] = old[i];
        }
    }
    free(old);
    l->slot = slot;
    l->slots = slots;
    return EGRET_OK;
}

int egret_names_add(struct names *l, const char *name, uint32_t value)
{
    size_t n = strlen(name) + 1u;
    if (l->used >= l->slots / 2u && grow(l) != EGRET_OK) {
        return EGRET_ERR_MEMORY;
    }
    if (n > l->capacity - l->length) {
        size_t bigger = l->capacity * 2u + n + 4096u;
        char *moved = realloc(l->text, bigger);
        if (!moved) {
            return EGRET_ERR_MEMORY;
        }
        l->text = moved;
        l->capacity = bigger;
    }
    uint64_t hash = hash_of(name);
    size_t i = find(l, name, hash);
    if (l->slot[i].round == l->round) {
        return EGRET_ERR_RANGE;
    }
    memcpy(l->text + l->length, name, n);
    l->slot[i] = (struct name_slot){hash, l->length, value, l->round};
    l->length += n;
    l->used++;
    return EGRET_OK;
}

uint32_t egret_names_find(const struct names *l, const char *name)
{
    if (!l->slots) {
        return EGRET_NO_OP;
    }
    size_t i = find(l, name, hash_of(name));
    return l->slot[i].round == l->round ? l->slot[i].value : EGRET_NO_OP;
}
