/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_values.c: see settings_values.h.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings_values.h"
#include "text.h"

/* A plain decimal or hexadecimal number, without a leading zero. */
static bool number(const struct tree *t, uint32_t node, uint64_t *out)
{
    const struct tree_node *n = &t->node[node];
    const char *s = egret_tree_text(t, node);
    if (n->kind != TREE_SCALAR || n->quoted || n->length == 0 || strlen(s) != n->length) {
        return false;
    }
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        if (n->length < 3 || n->length > 18 ||
            strspn(s + 2, "0123456789abcdefABCDEF") != n->length - 2) {
            return false;
        }
        *out = strtoull(s + 2, NULL, 16);
        return true;
    }
    if (s[0] == '0' && n->length > 1) {
        return false;
    }
    return egret_text_u64(s, n->length, UINT64_MAX, out);
}

int egret_value_number(const struct reading *r, uint32_t node, const char *name, uint64_t min,
                       uint64_t max, uint32_t scale, uint64_t *out)
{
    uint64_t v;
    const struct tree_node *n = &r->t->node[node];
    if (!number(r->t, node, &v)) {
        const char *s = egret_tree_text(r->t, node);
        if (n->kind == TREE_SCALAR && !n->quoted && s[0] == '-' && s[1] >= '0' && s[1] <= '9') {
            return egret_tree_fail(r->t, node, r->err, "%s: out of range, below 0", name);
        }
        return egret_tree_fail(r->t, node, r->err, "%s: wrong type, wanted a number", name);
    }
    uint64_t low = (min + scale - 1u) / scale;
    if (v < low || v > max / scale) {
        return egret_tree_fail(r->t, node, r->err, "%s: out of range, %llu to %llu", name,
                               (unsigned long long)low, (unsigned long long)(max / scale));
    }
    *out = v * scale;
    return EGRET_OK;
}

static bool text_is(const struct tree *t, uint32_t node, const char *s)
{
    const struct tree_node *n = &t->node[node];
    return n->kind == TREE_SCALAR && n->length == strlen(s) &&
           memcmp(egret_tree_text(t, node), s, n->length) == 0;
}

int egret_value_wrong(const struct reading *r, uint32_t node, const char *name, const char *wanted)
{
    return egret_tree_fail(r->t, node, r->err, "%s: wrong type, wanted %s", name, wanted);
}

static int read_name(const struct reading *r, uint32_t node, const struct set_key *k,
                     const char *name, uint32_t *out)
{
    char known[200] = "";
    size_t used = 0;
    if (r->t->node[node].kind != TREE_SCALAR) {
        return egret_value_wrong(r, node, name, "a name");
    }
    for (const struct set_name *e = k->names; e->name; e++) {
        if (text_is(r->t, node, e->name)) {
            *out = e->value;
            return EGRET_OK;
        }
        if (e->name[0] != 'S' && used < sizeof known) { /* not SAI's other names */
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     e->name);
        }
    }
    return egret_tree_fail(r->t, node, r->err, "%s: '%.40s' is none of %s", name,
                           egret_tree_text(r->t, node), known);
}

static int read_speed(const struct reading *r, uint32_t node, const struct set_key *k,
                      const char *name, uint32_t *out)
{
    const struct tree_node *n = &r->t->node[node];
    const char *s = egret_tree_text(r->t, node);
    size_t digits = n->kind == TREE_SCALAR ? strspn(s, "0123456789") : 0;
    uint64_t v;
    if (digits > 0 && digits < 12 && digits < n->length) {
        static const char *const unit[] = {"G", "Gbps", "M", "Mbps"};
        for (size_t i = 0; i < 4u; i++) {
            if (strlen(unit[i]) == n->length - digits && strcmp(s + digits, unit[i]) == 0) {
                (void)egret_text_u64(s, digits, UINT64_MAX, &v);
                v *= i < 2u ? 1000u : 1u;
                if (v < k->min || v > k->max) {
                    return egret_tree_fail(r->t, node, r->err,
                                           "%s: out of range, %llu to %llu Mbit/s", name,
                                           (unsigned long long)k->min, (unsigned long long)k->max);
                }
                *out = (uint32_t)v;
                return EGRET_OK;
            }
        }
        return egret_value_wrong(r, node, name, "Mbit/s, or a number with G or M");
    }
    int code = egret_value_number(r, node, name, k->min, k->max, 1, &v);
    *out = code ? *out : (uint32_t)v;
    return code;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static int read_hex(const struct reading *r, uint32_t node, const struct set_key *k,
                    const char *name, unsigned char *at)
{
    const struct tree_node *n = &r->t->node[node];
    const char *s = egret_tree_text(r->t, node);
    uint8_t *key = at + k->offset;
    if (text_is(r->t, node, "rss") || text_is(r->t, node, "symmetric")) {
        (s[0] == 'r' ? egret_hash_rss_key : egret_hash_symmetric_key)(key);
        *egret_value_word(at, k->count) = 40;
        return EGRET_OK;
    }
    if (n->kind != TREE_SCALAR || n->length == 0 || n->length % 2u || n->length / 2u > k->cap) {
        return egret_value_wrong(r, node, name, "rss, symmetric, or 1 to 64 bytes of hexadecimal");
    }
    for (size_t i = 0; i < n->length; i += 2) {
        int high = hex_digit(s[i]);
        int low = hex_digit(s[i + 1]);
        if (high < 0 || low < 0) {
            return egret_value_wrong(r, node, name,
                                     "rss, symmetric, or 1 to 64 bytes of hexadecimal");
        }
        key[i / 2u] = (uint8_t)(high << 4 | low);
    }
    *egret_value_word(at, k->count) = (uint32_t)(n->length / 2u);
    return EGRET_OK;
}

/* Lists whose elements become bits: names of hash fields, or numbers. */
static int read_mask(const struct reading *r, uint32_t node, const struct set_key *k,
                     const char *name, uint32_t *out)
{
    uint32_t mask = 0;
    if (r->t->node[node].kind != TREE_LIST) {
        return egret_value_wrong(r, node, name, "a list");
    }
    for (uint32_t c = r->t->node[node].child; c != TREE_NONE; c = r->t->node[c].next) {
        uint32_t bit = 0;
        if (k->type == SET_FIELDS) {
            static const char prefix[] = "SAI_NATIVE_HASH_FIELD_";
            const char *s = egret_tree_text(r->t, c);
            if (r->t->node[c].kind != TREE_SCALAR) {
                return egret_value_wrong(r, c, name, "names of hash fields");
            }
            s += strncmp(s, prefix, sizeof prefix - 1u) == 0 ? sizeof prefix - 1u : 0;
            if (egret_hash_field_by_name(s, &bit) != EGRET_OK) {
                return egret_tree_fail(r->t, c, r->err, "%s: unknown field '%.40s'", name, s);
            }
        } else {
            uint64_t v;
            int code = egret_value_number(r, c, name, k->min, k->max, 1, &v);
            if (code) {
                return code;
            }
            bit = 1u << v;
        }
        if (mask & bit) {
            return egret_tree_fail(r->t, c, r->err, "%s: '%.40s' is there twice", name,
                                   egret_tree_text(r->t, c));
        }
        mask |= bit;
    }
    *out = mask;
    return EGRET_OK;
}

static int read_list(const struct reading *r, uint32_t node, const struct set_key *k,
                     const char *name, unsigned char *at)
{
    uint32_t n = 0;
    if (r->t->node[node].kind != TREE_LIST) {
        return egret_value_wrong(r, node, name, "a list");
    }
    for (uint32_t c = r->t->node[node].child; c != TREE_NONE; c = r->t->node[c].next) {
        uint64_t v;
        if (n == k->cap) {
            return egret_tree_fail(r->t, c, r->err, "%s: more than %u elements", name, k->cap);
        }
        int code = egret_value_number(r, c, name, k->min, k->max, 1, &v);
        if (code) {
            return code;
        }
        egret_value_word(at, k->offset)[n++] = (uint32_t)v;
    }
    *egret_value_word(at, k->count) = n;
    return EGRET_OK;
}

static int read_prefix(const struct reading *r, uint32_t node, const char *name, unsigned char *at)
{
    struct egret_settings_route *route = (struct egret_settings_route *)(void *)at;
    const struct tree_node *n = &r->t->node[node];
    const char *s = egret_tree_text(r->t, node);
    const char *slash = n->kind == TREE_SCALAR ? strchr(s, '/') : NULL;
    char address[64];
    uint64_t length;
    if (!slash || (size_t)(slash - s) >= sizeof address || strlen(s) != n->length) {
        return egret_value_wrong(r, node, name, "ADDRESS/LENGTH");
    }
    memcpy(address, s, (size_t)(slash - s));
    address[slash - s] = '\0';
    bool six = strchr(address, ':') != NULL;
    memset(route->prefix, 0, sizeof route->prefix);
    if (inet_pton(six ? AF_INET6 : AF_INET, address, route->prefix) != 1) {
        return egret_tree_fail(r->t, node, r->err, "%s: '%.46s' is no address", name, address);
    }
    if (!egret_text_u64(slash + 1, strlen(slash + 1), six ? 128u : 32u, &length)) {
        return egret_tree_fail(r->t, node, r->err, "%s: length out of range, 0 to %d", name,
                               six ? 128 : 32);
    }
    for (uint32_t bit = (uint32_t)length; bit < 128u; bit++) {
        if (route->prefix[bit / 8u] & 0x80u >> bit % 8u) {
            return egret_tree_fail(r->t, node, r->err, "%s: address has bits beyond the length",
                                   name);
        }
    }
    route->family = six ? 6 : 4;
    route->length = (uint32_t)length;
    return EGRET_OK;
}

int egret_value_read(const struct reading *r, uint32_t node, const struct set_key *k,
                     const struct set_alias *alias, unsigned char *at)
{
    const char *name = alias ? alias->name : k->name;
    uint32_t scale = alias ? alias->scale : 1;
    uint64_t v = 0;
    int code = EGRET_OK;
    switch (k->type) {
    case SET_U32:
        code = egret_value_number(r, node, name, k->min, k->max, scale, &v);
        if (code == EGRET_OK && k->flags & SET_POW2 && (v & (v - 1u))) {
            return egret_tree_fail(r->t, node, r->err, "%s: out of range, a power of two", name);
        }
        *egret_value_word(at, k->offset) = (uint32_t)v;
        return code;
    case SET_IDLE:
        v = EGRET_IDLE_NEVER;
        if (!text_is(r->t, node, "never")) {
            code = egret_value_number(r, node, name, k->min, k->max, scale, &v);
        }
        memcpy(at + k->offset, &v, sizeof v);
        return code;
    case SET_BOOL:
        if (r->t->node[node].quoted ||
            !(text_is(r->t, node, "true") || text_is(r->t, node, "false"))) {
            return egret_value_wrong(r, node, name, "true or false");
        }
        *egret_value_word(at, k->offset) = text_is(r->t, node, "true");
        return EGRET_OK;
    case SET_SPEED:
        return read_speed(r, node, k, name, egret_value_word(at, k->offset));
    case SET_ENUM:
        return read_name(r, node, k, name, egret_value_word(at, k->offset));
    case SET_HARDWARE:
        if (r->t->node[node].kind != TREE_SCALAR) {
            return egret_value_wrong(r, node, name, "a name");
        }
        if (egret_cfg_named(egret_tree_text(r->t, node),
                            (struct egret_cfg *)(void *)(at + k->offset)) != EGRET_OK) {
            return egret_tree_fail(r->t, node, r->err,
                                   "%s: no configuration '%.31s' (see egret config list)", name,
                                   egret_tree_text(r->t, node));
        }
        return EGRET_OK;
    case SET_KEY:
        return read_hex(r, node, k, name, at);
    case SET_FIELDS:
    case SET_BITS:
        return read_mask(r, node, k, name, egret_value_word(at, k->offset));
    case SET_LIST:
        if (alias && alias->element >= 0) {
            uint32_t e = (uint32_t)alias->element;
            code = egret_value_number(r, node, name, k->min, k->max, 1, &v);
            if (code == EGRET_OK && *egret_value_word(at, k->count) != e) {
                return egret_tree_fail(r->t, node, r->err, "%s: the one before comes first", name);
            }
            egret_value_word(at, k->offset)[e] = (uint32_t)v;
            *egret_value_word(at, k->count) = e + 1u;
            return code;
        }
        return read_list(r, node, k, name, at);
    default:
        return read_prefix(r, node, name, at);
    }
}
