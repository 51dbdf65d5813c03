/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sonic_names.c: see sonic_names.h.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/regs.h"
#include "sonic_names.h"
#include "text.h"

bool egret_sonic_port_name(const char *name, uint32_t *number)
{
    static const char prefix[] = "Ethernet";
    size_t n = sizeof prefix - 1u;
    uint64_t v;
    if (strncmp(name, prefix, n) != 0 || !egret_text_u64(name + n, strlen(name + n), 65535, &v)) {
        return false;
    }
    *number = (uint32_t)v;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct sonic_port *x = a;
    const struct sonic_port *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

void egret_sonic_sort(struct sonic_port *port, uint32_t n)
{
    qsort(port, n, sizeof *port, compare);
}

bool egret_sonic_algorithm(const char *name, uint32_t *out)
{
    static const struct {
        const char *name;
        uint32_t algorithm;
    } known[] = {
        {"CRC", EGRET_HASH_CRC16},          {"CRC_CCITT", EGRET_HASH_CRC16_CCITT},
        {"CRC_32LO", EGRET_HASH_CRC32},     {"XOR", EGRET_HASH_XOR16},
        {"JENKINS_LO", EGRET_HASH_LOOKUP3},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, name) == 0) {
            *out = known[i].algorithm;
            return true;
        }
    }
    return false;
}
