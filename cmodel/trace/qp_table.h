/* SPDX-License-Identifier: Apache-2.0 */
/*
 * qp_table.h: queue pairs numbered from 1 in the order of their first packets. Internal to the
 * trace library.
 */
#ifndef EGRET_TRACE_QP_TABLE_H
#define EGRET_TRACE_QP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QP_BYTES 35u /* source and destination address, destination QP */
#define QP_KEY (QP_BYTES + 2u) /* and two bytes of the caller's: 0, or a group */

/* All zero is an empty one. */
struct qp_table {
    uint8_t (*key)[QP_KEY];
    size_t used;
    size_t capacity;
    uint32_t *slot; /* hash table: number, or 0 */
    size_t slots;   /* a power of two, more than twice `used` */
};

/* Is it a packet of a queue pair: UDP to RoCE's port, with a BTH? Then its key. */
bool egret_qp_of(const uint8_t *record, uint32_t group, uint8_t key[QP_KEY]);
/* Number of a key, which is added if it is new; 0 without memory. */
uint32_t egret_qp_number(struct qp_table *t, const uint8_t key[QP_KEY]);
/* One address of a key as text: 0 the source, 1 the destination; IPv4 if nothing but zeros is
 * behind four bytes. */
void egret_qp_address(const uint8_t *key, unsigned side, char *out, size_t size);
/* "10.0.0.2 -> 10.0.1.2 QP 0x8600fe" */
void egret_qp_text(const uint8_t *key, char *out, size_t size);
void egret_qp_free(struct qp_table *t);

#endif
