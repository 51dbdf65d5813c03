/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv_read.c: see csv_read.h.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "csv_read.h"

int egret_csv_fail(const struct csv_reader *r, struct egret_trace_error *err, const char *format,
                   ...)
{
    char reason[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return egret_trace_fail(err, EGRET_ERR_RANGE, "%s:%llu: %s", r->name,
                            (unsigned long long)r->line, reason);
}

void egret_csv_start(struct csv_reader *r, FILE *file, const char *name)
{
    r->file = file;
    r->name = name;
    r->line = 0;
    r->next_line = 1;
    r->cells = 0;
}

int egret_csv_open(struct csv_reader *r, const char *path, struct egret_trace_error *err)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    egret_csv_start(r, f, path);
    if (!f) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", path, strerror(errno));
    }
    return EGRET_OK;
}

void egret_csv_close(struct csv_reader *r)
{
    if (r->file && r->file != stdin) {
        (void)fclose(r->file);
    }
    r->file = NULL;
}

bool egret_csv_same(const char *a, const char *b)
{
    for (;; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
        if (x != y) {
            return false;
        }
        if (x == '\0') {
            return true;
        }
    }
}

int egret_csv_find(const struct csv_reader *r, const char *name)
{
    for (unsigned i = 0; i < r->cells; i++) {
        if (egret_csv_same(r->cell[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

/* One cell as it is read: where its text begins, and what of it is quoted. */
struct cell {
    char *from;
    char *kept;  /* behind the last character that counts: no blanks at the end */
    bool quoted; /* it began with a quote */
    bool open;   /* and that one is not closed yet */
};

static bool end_cell(struct csv_reader *r, struct cell *c)
{
    if (r->cells == CSV_MAX_CELLS) {
        return false;
    }
    *c->kept = '\0';
    r->cell[r->cells++] = c->from;
    return true;
}

static int read_failed(struct csv_reader *r, struct egret_trace_error *err)
{
    return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", r->name, strerror(errno));
}

static int peek_char(FILE *f)
{
    int ch = getc(f);
    if (ch != EOF) {
        (void)ungetc(ch, f);
    }
    return ch;
}

/* A character of a cell; null, or what is wrong. */
static const char *put(struct cell *c, char **at, int ch, FILE *f)
{
    if (c->open) {
        if (ch == '"') {
            if (peek_char(f) != '"') {
                c->open = false;
                return NULL;
            }
            (void)getc(f);
        }
        *(*at)++ = (char)ch;
        c->kept = *at;
        return NULL;
    }
    if (ch == ' ' || ch == '\t') {
        if (*at != c->from && !c->quoted) {
            *(*at)++ = (char)ch;
        }
        return NULL;
    }
    if (c->quoted) {
        return "text behind a closing quote";
    }
    if (ch == '"') {
        if (*at != c->from) {
            return "a quote inside a cell";
        }
        c->quoted = c->open = true;
        return NULL;
    }
    *(*at)++ = (char)ch;
    c->kept = *at;
    return NULL;
}

/* A row, perhaps an empty one: 1, 0 at the end, or an error. */
static int read_row(struct csv_reader *r, struct egret_trace_error *err)
{
    char *at = r->text;
    struct cell c = {at, at, false, false};
    r->cells = 0;
    r->line = r->next_line;
    int ch = getc(r->file);
    if (ch == EOF) {
        return ferror(r->file) ? read_failed(r, err) : 0;
    }
    if (r->line == 1u && ch == 0xef) { /* the byte order mark that spreadsheets write */
        if (getc(r->file) != 0xbb || getc(r->file) != 0xbf) {
            return egret_csv_fail(r, err, "not text");
        }
        ch = getc(r->file);
    }
    for (;; ch = getc(r->file)) {
        const char *wrong = NULL;
        if (ch == '\r' && !c.open && peek_char(r->file) == '\n') {
            continue;
        }
        if (ch == '\n') {
            r->next_line++;
        }
        if (ch == EOF && (ferror(r->file) || c.open)) {
            return ferror(r->file) ? read_failed(r, err)
                                   : egret_csv_fail(r, err, "a quote is not closed");
        }
        if (ch == EOF || ((ch == '\n' || ch == ',') && !c.open)) {
            wrong = end_cell(r, &c) ? NULL : "more than 64 cells";
            if (!wrong && ch != ',') {
                return 1;
            }
            at = c.kept + 1; /* behind the terminator */
            c = (struct cell){at, at, false, false};
        } else if (ch == '\0') {
            wrong = "a NUL byte: not text";
        } else if (at >= r->text + CSV_MAX_ROW - 2) {
            wrong = "a row of more than 65534 bytes";
        } else {
            wrong = put(&c, &at, ch, r->file);
        }
        if (wrong) {
            return egret_csv_fail(r, err, "%s", wrong);
        }
    }
}

int egret_csv_next(struct csv_reader *r, struct egret_trace_error *err)
{
    int got;
    do {
        got = read_row(r, err);
    } while (got > 0 && r->cells == 1u && r->cell[0][0] == '\0');
    return got;
}

bool egret_csv_hex(const char *text, uint32_t *out, unsigned *digits)
{
    uint32_t v = 0;
    unsigned n = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
    }
    for (; text[n]; n++) {
        char c = text[n];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10u
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10u
                                                : 16u;
        if (digit > 15u || n == 8u) {
            return false;
        }
        v = v << 4 | digit;
    }
    if (n == 0) {
        return false;
    }
    *out = v;
    if (digits) {
        *digits = n;
    }
    return true;
}

bool egret_csv_u64(const char *text, uint64_t max, uint64_t *out)
{
    uint64_t v = 0;
    uint32_t hex;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        if (!egret_csv_hex(text, &hex, NULL) || hex > max) {
            return false;
        }
        *out = hex;
        return true;
    }
    for (unsigned n = 0; text[n]; n++) {
        uint64_t digit = (uint64_t)(unsigned char)text[n] - '0';
        if (digit > 9u || v > (UINT64_MAX - digit) / 10u) {
            return false;
        }
        v = v * 10u + digit;
    }
    if (text[0] == '\0' || v > max) {
        return false;
    }
    *out = v;
    return true;
}
