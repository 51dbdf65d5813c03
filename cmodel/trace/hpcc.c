/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hpcc.c: reads the flow files of ns-3's HPCC family (docs/import.md): a count, then a flow a line.
 */
#include <stdio.h>
#include <string.h>

#include "importer.h"
#include "text.h"

#define MAX_LINE 512u
#define MAX_NODE ((1u << 20) - 1u)
#define MAX_START_PS 1000000000000000000u

struct hpcc {
    struct importer *m;
    struct source *s;
    char line[MAX_LINE];
    size_t length;
    uint64_t number; /* of the line */
    uint64_t flows;
};

/* The next line that is not empty, split; false at the end. */
static bool next_line(struct hpcc *h, struct text_lines *l)
{
    bool cut = false;
    do {
        h->number = h->s->line;
        if (!egret_source_line(h->s, h->line, sizeof h->line, &h->length, &cut)) {
            return false;
        }
        egret_text_start(l, h->line, h->length, h->s->name);
        l->words = 0;
        (void)egret_text_next(l);
        l->too_many = l->too_many || cut;
    } while (l->words == 0 && !l->too_many);
    return true;
}

static int refuse(const struct hpcc *h, const char *reason)
{
    return egret_source_fail_line(h->s, h->number, "%s", reason);
}

/* Seconds with a fraction; the exponent goes to the conversion: nothing is lost in floating point.
 */
static bool seconds(const struct text_word *w, uint64_t *ps)
{
    char text[64];
    if (w->length > 50u || memchr(w->at, 'e', w->length) || memchr(w->at, 'E', w->length)) {
        return false;
    }
    memcpy(text, w->at, w->length);
    memcpy(text + w->length, "e12", 4);
    return egret_text_decimal(text, w->length + 3u, MAX_START_PS, ps);
}

static bool is_flow(const struct text_lines *l, uint64_t v[5], uint64_t *start)
{
    bool good = l->words == 6u && !l->too_many;
    for (unsigned i = 0; good && i < 5u; i++) {
        good = egret_text_u64(l->word[i].at, l->word[i].length, UINT64_MAX, &v[i]);
    }
    return good && seconds(&l->word[5], start);
}

static int flow(struct hpcc *h, const struct text_lines *l)
{
    uint64_t v[5]; /* src dst pg dport size */
    struct egret_op op = {.kind = EGRET_OP_MESSAGE, .priority = EGRET_PRIORITY_DEFAULT};
    if (!is_flow(l, v, &op.start_ps)) {
        return refuse(h, "a flow is: src dst pg dport bytes start_seconds");
    }
    if (v[0] > MAX_NODE || v[1] > MAX_NODE || v[0] == v[1]) {
        return refuse(h, "src and dst are two nodes of 0 to 1048575");
    }
    if (v[2] > 7u || v[3] > 65535u) {
        return refuse(h, "pg is 0 to 7, dport 0 to 65535");
    }
    h->m->r->nodes++;
    if (v[4] == 0) {
        return egret_import_relaxed(h->m, EGRET_RELAX_SIZES)
                   ? EGRET_OK
                   : refuse(h, "a flow of 0 bytes (--allow-zero)");
    }
    op.src = (uint32_t)v[0];
    op.dst = (uint32_t)v[1];
    op.amount = v[4];
    op.tag = (uint32_t)v[3];
    op.where = h->number;
    op.pair = h->flows; /* each flow is a queue pair of its own */
    uint32_t most = op.src > op.dst ? op.src : op.dst;
    h->m->s->ranks = h->m->s->ranks > most ? h->m->s->ranks : most + 1u;
    h->m->r->sends++;
    return egret_import_code(h->m, egret_schedule_op(h->m->s, &op, NULL));
}

int egret_hpcc_import(struct importer *m, struct source *s)
{
    struct hpcc h = {.m = m, .s = s};
    struct text_lines l;
    uint64_t count = 0;
    uint64_t v[5];
    int code = EGRET_OK;
    if (!next_line(&h, &l) || l.words != 1u ||
        !egret_text_u64(l.word[0].at, l.word[0].length, EGRET_SCHEDULE_MAX_OPS, &count)) {
        return refuse(&h, "the first line is the number of flows");
    }
    while (code == EGRET_OK && h.flows < count && next_line(&h, &l)) {
        code = flow(&h, &l);
        h.flows++;
    }
    if (code || s->failed) {
        return code ? code : s->failed;
    }
    if (h.flows < count && !egret_import_relaxed(m, EGRET_RELAX_COUNTS)) {
        return egret_source_fail_line(s, 1, "%llu flows, but the file has %llu (--allow-counts)",
                                      (unsigned long long)count, (unsigned long long)h.flows);
    }
    while (code == EGRET_OK && next_line(&h, &l)) {
        uint64_t start;
        bool more = is_flow(&l, v, &start);
        if (!egret_import_relaxed(m, more ? EGRET_RELAX_COUNTS : EGRET_RELAX_TRAILING)) {
            return refuse(&h, more ? "more flows than line 1 says (--allow-counts)"
                                   : "text behind the last flow (--allow-trailing)");
        }
        if (!more) {
            break;
        }
        code = flow(&h, &l);
        h.flows++;
    }
    if (code) {
        return code;
    }
    m->s->ranks = m->s->ranks ? m->s->ranks : 1u;
    return s->failed;
}
