/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_read.c: observations from CSV: columns by SAI's names of hash fields, and hash or port.
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "csv_read.h"
#include "identify.h"

struct columns {
    int field[IDENTIFY_FIELDS];
    int hash;
    int port;
};

/* The columns that count; the others of a log do not matter. */
static int find_columns(const struct csv_reader *r, struct columns *c,
                        struct egret_observations *out, struct egret_trace_error *err)
{
    out->fields = 0;
    for (unsigned f = 0; f < IDENTIFY_FIELDS; f++) {
        c->field[f] = egret_csv_find(r, egret_hash_field_name(f));
        out->fields |= c->field[f] >= 0 ? 1u << f : 0u;
    }
    c->hash = egret_csv_find(r, "hash");
    c->port = egret_csv_find(r, "port");
    if (out->fields == 0) {
        return egret_csv_fail(r, err,
                              "no column is a hash field: src_ip, dst_ip, ip_protocol, "
                              "l4_src_port, l4_dst_port, rdma_bth_dest_qp, "
                              "rdma_bth_opcode");
    }
    if (c->hash < 0 && c->port < 0) {
        return egret_csv_fail(r, err, "the header has neither 'hash' nor 'port'");
    }
    return EGRET_OK;
}

static bool address(const char *text, uint8_t out[16])
{
    memset(out, 0, 16);
    return inet_pton(AF_INET, text, out) == 1 || inet_pton(AF_INET6, text, out) == 1;
}

static int read_field(const struct csv_reader *r, unsigned f, const char *text, uint8_t *record,
                      struct egret_trace_error *err)
{
    const struct identify_field *field = &egret_identify_field[f];
    uint64_t v;
    if (f < 2u) {
        return address(text, record + field->first)
                   ? EGRET_OK
                   : egret_csv_fail(r, err, "%s '%.60s' is no address", egret_hash_field_name(f),
                                    text);
    }
    if (!egret_csv_u64(text, (1ull << (8u * field->bytes)) - 1u, &v)) {
        return egret_csv_fail(r, err, "%s '%.40s' is no number of %u bits",
                              egret_hash_field_name(f), text, 8u * field->bytes);
    }
    for (unsigned i = 0; i < field->bytes; i++) {
        record[field->first + i] = (uint8_t)(v >> (8u * (field->bytes - 1u - i)));
    }
    return EGRET_OK;
}

static int read_row(const struct csv_reader *r, const struct columns *c,
                    struct egret_observation *o, unsigned *digits, struct egret_trace_error *err)
{
    uint64_t port;
    memset(o, 0, sizeof *o);
    o->line = r->line;
    for (unsigned f = 0; f < IDENTIFY_FIELDS; f++) {
        int code =
            c->field[f] < 0 ? EGRET_OK : read_field(r, f, r->cell[c->field[f]], o->record, err);
        if (code) {
            return code;
        }
    }
    if (c->hash >= 0) {
        unsigned n;
        if (!egret_csv_hex(r->cell[c->hash], &o->value, &n)) {
            return egret_csv_fail(r, err, "hash '%.40s' is not 1 to 8 hexadecimal digits",
                                  r->cell[c->hash]);
        }
        *digits = n > *digits ? n : *digits;
        return EGRET_OK;
    }
    if (!egret_csv_u64(r->cell[c->port], 255, &port)) {
        return egret_csv_fail(r, err, "port '%.40s' is no port: 0 to 255, drop or -",
                              r->cell[c->port]);
    }
    o->value = (uint32_t)port;
    return EGRET_OK;
}

/* What has no choice: a drop, a read. */
static bool no_choice(const struct csv_reader *r, const struct columns *c)
{
    const char *text = c->hash < 0 ? r->cell[c->port] : "";
    return egret_csv_same(text, "drop") || strcmp(text, "-") == 0;
}

static int grow(struct egret_observations *o, size_t *capacity, const struct csv_reader *r,
                struct egret_trace_error *err)
{
    if (o->count < *capacity) {
        return EGRET_OK;
    }
    if (o->count == EGRET_IDENTIFY_ROWS) {
        return egret_csv_fail(r, err, "more than %u observations", EGRET_IDENTIFY_ROWS);
    }
    *capacity = *capacity ? 2u * *capacity : 256u;
    struct egret_observation *bigger = realloc(o->row, *capacity * sizeof *bigger);
    if (!bigger) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", r->name);
    }
    o->row = bigger;
    return EGRET_OK;
}

static int read_rows(struct csv_reader *r, struct egret_observations *out,
                     struct egret_trace_error *err)
{
    struct columns c;
    size_t capacity = 0;
    unsigned digits = 0;
    int got = egret_csv_next(r, err);
    if (got <= 0) {
        return got ? got : egret_csv_fail(r, err, "no header line");
    }
    unsigned cells = r->cells;
    int code = find_columns(r, &c, out, err);
    while (code == EGRET_OK && (got = egret_csv_next(r, err)) > 0) {
        if (r->cells != cells) {
            return egret_csv_fail(r, err, "%u cells, and the header has %u", r->cells, cells);
        }
        if (no_choice(r, &c)) {
            out->left_out++;
            continue;
        }
        code = grow(out, &capacity, r, err);
        code = code ? code : read_row(r, &c, &out->row[out->count], &digits, err);
        out->count += code == EGRET_OK;
    }
    if (code || got < 0) {
        return code ? code : got;
    }
    out->hash_bits = c.hash < 0 ? 0 : digits > 4u ? 32u : 16u;
    return out->count ? EGRET_OK : egret_csv_fail(r, err, "no observation");
}

int egret_identify_read_file(FILE *f, const char *name, struct egret_observations *out,
                             struct egret_trace_error *err)
{
    struct csv_reader *r = malloc(sizeof *r);
    memset(out, 0, sizeof *out);
    if (!r) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", name);
    }
    egret_csv_start(r, f, name);
    int code = f ? EGRET_OK : egret_csv_open(r, name, err);
    if (code == EGRET_OK) {
        code = read_rows(r, out, err);
    }
    if (!f) {
        egret_csv_close(r);
    }
    free(r);
    if (code) {
        egret_observations_free(out);
    }
    return code;
}

int egret_observations_read(const char *path, struct egret_observations *out,
                            struct egret_trace_error *err)
{
    return egret_identify_read_file(NULL, path, out, err);
}

void egret_observations_free(struct egret_observations *o)
{
    free(o->row);
    memset(o, 0, sizeof *o);
}
