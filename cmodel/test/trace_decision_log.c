/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_decision_log.c: a log of decisions as CSV: one wrong thing each, and when cells of a column
 * are the same.
 */
#define _POSIX_C_SOURCE 200809L
#include "../trace/decision_log.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

/* Reads all rows, and checks each cell of column 1; null: good, with so many rows. */
static void read_log(const char *text, const char *reason, uint64_t rows)
{
    static struct decision_log l;
    FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "rb");
    if (!CHECK(&t, f != NULL)) {
        return;
    }
    error.text[0] = '\0';
    egret_csv_start(&l.csv, f, "t");
    int code = egret_decision_log_start(&l, &error);
    int got = code ? code : 1;
    while (got > 0) {
        got = egret_decision_log_next(&l, &error);
        for (unsigned i = 0; got > 0 && i < l.columns; i++) {
            int bad = egret_decision_log_check(&l, i, &error);
            got = bad ? bad : got;
        }
    }
    if (!CHECK(&t, reason ? got == EGRET_ERR_RANGE && strcmp(error.text, reason) == 0
                          : got == 0 && l.rows == rows)) {
        printf("%s: code %d, '%s', wanted '%s'\n", text, got, error.text, reason ? reason : "");
    }
    (void)fclose(f);
}

static void logs(void)
{
    read_log("\n", "t:2: no header line", 0);
    read_log("event,choice\n", "t:1: the header has no column 'port'", 0);
    read_log("port,choice\n", "t:1: the header has neither 'event' nor 'tag'", 0);
    read_log("event,Port,PORT\n", "t:1: two columns 'port'", 0);
    read_log("event,port,\n1,2,\n", NULL, 1);
    read_log("event,port,,\n1,2,,\n", NULL, 1); /* columns without a name are not the same */
    read_log("event,port\n1,2,3\n", "t:2: 3 cells, and the header has 2", 0);
    read_log("event,port\nx,2\n", "t:2: event 'x' is no number", 0);
    read_log("event,port\n1,256\n", "t:2: port '256' is no port: 0 to 255, drop or -", 0);
    read_log("event,port\n2,0\n2,0\n", "t:3: event 2 does not rise: sort the rows by it", 0);
    read_log("event,port\n2,0\n1,0\n", "t:3: event 1 does not rise: sort the rows by it", 0);
    read_log("event,port,group\n1,2,x\n", "t:2: group 'x' is no number", 0);
    read_log("event,port,choice\n1,2,x\n", "t:2: choice 'x' is no port: 0 to 255, drop or -", 0);
    read_log("event,port,data\n1,2,123456789\n",
             "t:2: data '123456789' is not 1 to 8 hexadecimal digits", 0);
    /* Tags count round 2^32; reads have none of their own, by their scheme or their port. */
    read_log("tag,port,scheme\n4294967295,1,dr\n7,2,READ\n8,-,dr\n0,drop,dr\n1,1,dr\n", NULL, 3);
    read_log("tag,port\n5,1\n9,-\n6,1\n", NULL, 2);
    read_log("tag,port\n5,1\n4,1\n", "t:3: tag 4 does not rise: sort the rows by it", 0);
    read_log("tag,port\n4294967296,1\n", "t:2: tag '4294967296' is no number", 0);
    read_log("event,port,scheme\n1,-,read\n2,1,dr\n", NULL, 2);
}

static void equal(void)
{
    static const struct {
        enum log_kind kind;
        const char *a, *b;
        bool same;
    } some[] = {{LOG_NUMBER, "7", "0x7", true},   {LOG_NUMBER, "7", "8", false},
                {LOG_NUMBER, "x", "8", false},    {LOG_NUMBER, "8", "x", false},
                {LOG_HEX, "00ff", "FF", true},    {LOG_HEX, "ff", "fe", false},
                {LOG_HEX, "g", "f", false},       {LOG_HEX, "f", "g", false},
                {LOG_PORT, "DROP", "drop", true}, {LOG_PORT, "-", "drop", false},
                {LOG_PORT, "12", "0xc", true},    {LOG_PORT, "256", "0", false},
                {LOG_PORT, "0", "256", false},    {LOG_TEXT, "Chosen", "chosen", true},
                {LOG_TEXT, "chosen", "a", false}};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        bool same = egret_decision_log_equal(some[i].kind, some[i].a, some[i].b);
        if (!CHECK(&t, same == some[i].same)) {
            printf("'%s', '%s': %d\n", some[i].a, some[i].b, same);
        }
    }
}

int main(void)
{
    logs();
    equal();
    return trace_result(&t);
}
