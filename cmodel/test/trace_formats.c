/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_formats.c: which format bytes are taken for.
 */
#include <zlib.h>

#include "egret/import.h"
#include "trace_test.h"

static struct trace_test t;

static enum egret_format format(const char *text)
{
    return egret_format_recognise((const uint8_t *)text, strlen(text));
}

/* More than what is looked at: what stands in the first 4096 bytes tells. */
static void large(void)
{
    static uint8_t in[9000], out[9100];
    memset(in, ' ', sizeof in);
    memcpy(in, "num_ranks 1", 11);
    z_stream z = {0};
    CHECK(&t, deflateInit2(&z, 0, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK); /* as it is */
    z.next_in = in;
    z.avail_in = sizeof in;
    z.next_out = out;
    z.avail_out = sizeof out;
    CHECK(&t, deflate(&z, Z_FINISH) == Z_STREAM_END);
    CHECK(&t, egret_format_recognise(out, sizeof out - z.avail_out) == EGRET_FORMAT_GOAL);
    (void)deflateEnd(&z);
}

/* Packed: looked into; what is damaged is nothing. */
static void packed(void)
{
    uint8_t out[200];
    static const char text[] = "num_ranks 1 rank 0 { calc 1 }";
    z_stream z = {0};
    CHECK(&t, deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = sizeof text - 1u;
    z.next_out = out;
    z.avail_out = sizeof out;
    CHECK(&t, deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t n = sizeof out - z.avail_out;
    (void)deflateEnd(&z);
    CHECK(&t, egret_format_recognise(out, n) == EGRET_FORMAT_GOAL);
    out[10] ^= 7; /* behind the header: no block */
    CHECK(&t, egret_format_recognise(out, n) == EGRET_FORMAT_UNKNOWN);
}

static void refused(const void *bytes, size_t n, const char *reason)
{
    struct egret_schedule s;
    struct egret_trace_error error = {""};
    CHECK(&t, egret_import_bytes(bytes, n, "t", NULL, &s, NULL, &error) == EGRET_ERR_RANGE);
    if (!CHECK(&t, strcmp(error.text, reason) == 0)) {
        printf("'%s', wanted '%s'\n", error.text, reason);
    }
}

static void formats(void)
{
    static const struct {
        const char *text;
        enum egret_format is;
    } some[] = {{"", EGRET_FORMAT_UNKNOWN},
                {"hello", EGRET_FORMAT_UNKNOWN},
                {"# x\n\n7\n", EGRET_FORMAT_HPCC},
                {"Nodes 4\n7\n", EGRET_FORMAT_CM},
                {"Nodes 4\nConnections 1\n", EGRET_FORMAT_CM},
                {"Triggers 4\n", EGRET_FORMAT_CM},
                {"Failures 4\n", EGRET_FORMAT_CM},
                {"# nothing else\n", EGRET_FORMAT_CM},
                {"Nodes 4\nPodsize 2\n", EGRET_FORMAT_TOPO},
                {"Nodes 4\nTiers 2\n", EGRET_FORMAT_TOPO},
                {"Tier 0\n", EGRET_FORMAT_TOPO},
                {"  \t\r\n// x\n/* * / */num_ranks 2", EGRET_FORMAT_GOAL},
                {"// num_ranks 2", EGRET_FORMAT_UNKNOWN},
                {"/* num_ranks 2", EGRET_FORMAT_UNKNOWN},
                {"/num_ranks 2", EGRET_FORMAT_UNKNOWN},
                {"num_rank", EGRET_FORMAT_UNKNOWN},
                {"a NCCL INFO b\n", EGRET_FORMAT_NCCL},
                {"a NCCL INF NCCL INFO b\n", EGRET_FORMAT_NCCL},
                {"a NCCL INFO", EGRET_FORMAT_UNKNOWN},
                {"\x07\x0a\x05"
                 "0.0.4",
                 EGRET_FORMAT_CHAKRA},
                {"\x87\x01\x12\x85\x01", EGRET_FORMAT_CHAKRA},
                {"\x07\x0a\x08"
                 "0.0.4",
                 EGRET_FORMAT_UNKNOWN}, /* longer than its message */
                {"\x07\x0a", EGRET_FORMAT_UNKNOWN},
                {"\x07\x1a\x05"
                 "0.0.4",
                 EGRET_FORMAT_UNKNOWN},
                {"\xff\xff\xff\xff\xff\xff\xff", EGRET_FORMAT_UNKNOWN},
                {"\x1f\x8b", EGRET_FORMAT_UNKNOWN},
                {"\x1f\x01", EGRET_FORMAT_UNKNOWN},
                {"\x07", EGRET_FORMAT_UNKNOWN},
                {"\x87", EGRET_FORMAT_UNKNOWN},
                {"\x87\x80", EGRET_FORMAT_UNKNOWN},
                {"\t\r\nab\x7f", EGRET_FORMAT_UNKNOWN},
                {"\r\t\x01", EGRET_FORMAT_UNKNOWN},
                {"\n# c\n\n# d\n", EGRET_FORMAT_CM},
                {"\n\n", EGRET_FORMAT_UNKNOWN}};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        if (!CHECK(&t, format(some[i].text) == some[i].is)) {
            printf("case %zu: %u\n", i, format(some[i].text));
        }
    }
    static const uint8_t used[8] = {0x26, 0x09}, fresh[8] = {0x7f, 0x10}, empty[1] = {0};
    static const uint8_t first[3] = {0, 2, 8}, none[3] = {0, 1, 8};
    CHECK(&t, egret_format_recognise(used, 8) == EGRET_FORMAT_GOAL_BINARY);
    CHECK(&t, egret_format_recognise(fresh, 8) == EGRET_FORMAT_GOAL_BINARY);
    CHECK(&t, egret_format_recognise(empty, 1) == EGRET_FORMAT_CHAKRA);
    CHECK(&t, egret_format_recognise(first, 3) == EGRET_FORMAT_CHAKRA);
    CHECK(&t, egret_format_recognise(none, 3) == EGRET_FORMAT_UNKNOWN);
    static const uint8_t magic[][4] = {{0xd4, 0xc3, 0xb2, 0xa1},
                                       {0xa1, 0xb2, 0xc3, 0xd4},
                                       {0x4d, 0x3c, 0xb2, 0xa1},
                                       {0xa1, 0xb2, 0x3c, 0x4d},
                                       {0x0a, 0x0d, 0x0d, 0x0a}};
    for (size_t i = 0; i < sizeof magic / sizeof magic[0]; i++) {
        uint8_t file[64] = {0};
        memcpy(file, magic[i], 4);
        CHECK(&t, egret_format_recognise(file, sizeof file) == EGRET_FORMAT_CAPTURE);
    }
    /* A stimulus is a capture whose first frame is one of our events (Ethertype 88b5). */
    uint8_t file[100] = {0x4d, 0x3c, 0xb2, 0xa1};
    CHECK(&t, egret_format_recognise(file, 100) == EGRET_FORMAT_CAPTURE);
    file[52] = 0x88;
    file[53] = 0xb5;
    CHECK(&t, egret_format_recognise(file, 100) == EGRET_FORMAT_STIMULUS);
    CHECK(&t, egret_format_recognise(file, 40) == EGRET_FORMAT_CAPTURE);
    refused(file, 100, "t: is a stimulus already (egret trace dump reads it)");
    refused(file, 40, "t: is a capture, packed or from a pipe: name the plain file");
    refused("Nodes 4\nTiers 2\n", 16, "t: is a topology (--topology takes it)");
    refused("hello", 5, "t: is in no format that is read here");
    CHECK(&t, strcmp(egret_format_name(EGRET_FORMAT_GOAL_BINARY), "goal-binary") == 0);
    CHECK(&t, egret_format_name(EGRET_FORMATS) == NULL);
    packed();
}

int main(void)
{
    formats();
    large();
    return trace_result(&t);
}
