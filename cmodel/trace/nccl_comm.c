/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nccl_comm.c: which pointers of an NCCL log are one communicator, and who is which global rank.
 *
 * With commId of Init lines that is plain. Without, all pointers of one nranks are one communicator
 * if there are just so many; anything else is refused. The global rank of a process and device is
 * RCCL's globalrank, else its rank in the largest communicator.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl.h"

static int refuse(struct nccl *n, const struct nccl_seat *s, const char *format,
                  unsigned long long a, unsigned long long b)
{
    char reason[200];
    (void)snprintf(reason, sizeof reason, format, a, b);
    return egret_trace_fail(n->m->err, EGRET_ERR_RANGE, "%.200s:%llu: %s", n->m->path[s->file],
                            (unsigned long long)s->where, reason);
}

/* Order of seats: what makes a communicator together. */
static int by_comm(const void *a, const void *b)
{
    const struct nccl_seat *x = *(const struct nccl_seat *const *)a;
    const struct nccl_seat *y = *(const struct nccl_seat *const *)b;
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    if (x->nranks != y->nranks) {
        return x->nranks < y->nranks ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

/* Seats p[0..count-1] are one communicator; without Init lines their ranks are their global ranks,
 * else their order in the log. */
static int one_comm(struct nccl *n, struct nccl_seat **p, size_t count)
{
    struct nccl_comm *c = &n->comm[n->comms];
    uint32_t nranks = p[0]->nranks;
    if (nranks == 0) {
        return refuse(n, p[0], "nranks of the communicator is not in the log", 0, 0);
    }
    if (count != nranks) {
        return refuse(n, p[0],
                      "a communicator of %llu ranks has %llu in the log: one is missing, "
                      "or several cannot be told apart without Init lines (NCCL_DEBUG_SUBSYS=INIT,"
                      "COLL)",
                      nranks, count);
    }
    c->rank = malloc((size_t)nranks * sizeof *c->rank);
    if (!c->rank) {
        return egret_import_memory(n->m);
    }
    memset(c->rank, 0xff, (size_t)nranks * sizeof *c->rank);
    c->nranks = nranks;
    for (size_t i = 0; i < count; i++) {
        if (p[i]->rank == NCCL_NONE) {
            bool global = p[i]->global != NCCL_NONE && p[i]->global < nranks;
            p[i]->rank = global ? p[i]->global : (uint32_t)i;
        }
        p[i]->comm = (uint32_t)n->comms;
        if (c->rank[p[i]->rank] != NCCL_NONE) {
            n->comms++;
            return refuse(n, p[i], "rank %llu of its communicator is there twice", p[i]->rank, 0);
        }
        c->rank[p[i]->rank] = (uint32_t)(p[i] - n->seat);
    }
    n->comms++;
    return EGRET_OK;
}

/* global[place] from globalrank, then from the largest communicator. */
static int global_ranks(struct nccl *n, uint32_t *global, uint32_t *taken)
{
    uint32_t largest = 0;
    memset(global, 0xff, ((size_t)n->places + 1u) * sizeof *global);
    memset(taken, 0xff, ((size_t)n->places + 1u) * sizeof *taken);
    for (size_t i = 0; i < n->seats; i++) {
        struct nccl_seat *s = &n->seat[i];
        largest = s->nranks > n->comm[largest].nranks ? s->comm : largest;
        if (s->global != NCCL_NONE) {
            global[s->place] = s->global;
        }
    }
    for (size_t i = 0; i < n->seats; i++) {
        struct nccl_seat *s = &n->seat[i];
        if (s->comm == largest && global[s->place] == NCCL_NONE) {
            global[s->place] = s->rank;
        }
    }
    for (size_t i = 0; i < n->seats; i++) {
        struct nccl_seat *s = &n->seat[i];
        uint32_t g = global[s->place];
        if (g >= n->places) {
            return refuse(n, s,
                          g == NCCL_NONE ? "its process is in no communicator of all %llu processes"
                                         : "%llu processes and devices, but global rank %llu",
                          n->places, g);
        }
        if (taken[g] != NCCL_NONE && taken[g] != s->place) {
            return refuse(n, s, "global rank %llu is that of two processes or devices", g, 0);
        }
        taken[g] = s->place;
        s->global = g;
    }
    return EGRET_OK;
}

int egret_nccl_comms(struct nccl *n)
{
    struct nccl_seat **order = malloc((n->seats + 1u) * sizeof(*order));
    uint32_t *global = malloc(((size_t)n->places + 1u) * 2u * sizeof *global);
    int code = EGRET_OK;
    n->comm = calloc(n->seats + 1u, sizeof *n->comm);
    if (!order || !global || !n->comm) {
        code = egret_import_memory(n->m);
    }
    for (size_t i = 0; code == EGRET_OK && i < n->seats; i++) {
        order[i] = &n->seat[i];
    }
    if (code == EGRET_OK && n->seats) {
        qsort(order, n->seats, sizeof(*order), by_comm);
    }
    for (size_t i = 0; code == EGRET_OK && i < n->seats;) {
        size_t k = i;
        while (k < n->seats && order[k]->id == order[i]->id &&
               order[k]->nranks == order[i]->nranks) {
            k++;
        }
        code = one_comm(n, order + i, k - i);
        i = k;
    }
    if (code == EGRET_OK && n->seats) {
        code = global_ranks(n, global, global + n->places + 1u);
    }
    for (size_t i = 0; code == EGRET_OK && i < n->comms; i++) {
        for (uint32_t r = 0; r < n->comm[i].nranks; r++) { /* seat to global rank */
            n->comm[i].rank[r] = n->seat[n->comm[i].rank[r]].global;
        }
    }
    n->m->s->ranks = n->places;
    free(order);
    free(global);
    return code;
}
