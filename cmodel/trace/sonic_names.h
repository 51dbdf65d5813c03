/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sonic_names.h: names of ports and hashes in SONiC's tables. Internal to the trace library.
 */
#ifndef EGRET_TRACE_SONIC_NAMES_H
#define EGRET_TRACE_SONIC_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct sonic_port {
    const char *name;
    uint32_t number; /* of the name: Ethernet8 has 8 */
};

/* "Ethernet8" gives 8. */
bool egret_sonic_port_name(const char *name, uint32_t *number);
/* By number: the index is the port's number here. */
void egret_sonic_sort(struct sonic_port *port, uint32_t n);
/* The enum egret_hash_algorithm of SAI's short name: CRC, CRC_CCITT, CRC_32LO, XOR, JENKINS_LO. */
bool egret_sonic_algorithm(const char *name, uint32_t *out);

#endif
