/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_chakra_refusals.c: one wrong thing in a node of a Chakra trace, or in its process groups.
 */
#include "trace_chakra.h"

/* A file of one node, that of rank 0; rank 1 has none. */
static void one_node(struct trace_test *t, const struct bytes *n, const char *reason)
{
    struct bytes file[2] = {start(), start()};
    record(&file[0], n);
    refused(t, file, 2, reason, 0);
}

static void nodes(struct trace_test *t)
{
    struct bytes n = node(3, 5), value = {{0}, 0}, file = start();
    one_node(t, &n, "node 3: a send without comm_dst");
    n = node(3, 6);
    one_node(t, &n, "node 3: a recv without comm_src");
    n = node(3, 5);
    attr(&n, "comm_dst", 7, 0);
    attr(&n, "comm_src", 7, 1);
    one_node(t, &n, "node 3: its own end is another rank than that of the file");
    n = node(3, 5);
    attr(&n, "comm_dst", 7, (uint64_t)-1);
    one_node(t, &n, "node 3: comm_dst is -1");
    n = node(3, 5);
    attr(&n, "comm_dst", 23, 0xfffffffeu); /* sfixed32 */
    one_node(t, &n, "node 3: comm_dst is -2");
    n = node(3, 5);
    name_attr(&n, "comm_dst", "one");
    one_node(t, &n, "node 3: comm_dst is no integer");
    n = node(3, 7);
    attr(&n, "comm_size", 9, 64);
    one_node(t, &n, "node 3: a collective without a comm_type of 0 to 9");
    attr(&n, "comm_type", 9, 10);
    one_node(t, &n, "node 3: a collective without a comm_type of 0 to 9");
    n = node(3, 7);
    attr(&n, "comm_size", 9, 64);
    attr(&n, "comm_type", 9, 5);
    attr(&n, "comm_root", 9, 2);
    one_node(t, &n, "node 3: rank 2 of 2 files");
    n = node(3, 4);
    number(&n, 7, 1000000000001u);
    one_node(t, &n, "node 3: takes more than 10^12 us");
    static char name[200];
    memset(name, 'x', sizeof name - 1u);
    n = node(3, 7);
    name_attr(&n, "pg_name", name);
    one_node(t, &n, "node 3: pg_name is no short string");
    n = node(3, 7);
    string(&value, 1, "pg_name", 7); /* a list of strings: field 28 of the oneof */
    string(&value, 28, "", 0);
    string(&n, 10, value.b, value.n);
    one_node(t, &n, "node 3: pg_name is no short string");
    /* A group by number; a node of no bytes ends the file. */
    n = node(3, 7);
    attr(&n, "comm_size", 9, 64);
    attr(&n, "comm_type", 9, 0);
    attr(&n, "pg_name", 13, 7);
    one_node(t, &n, "process group '7' is not defined");
    n = node(3, 4);
    record(&file, &n);
    varint(&file, 0);
    CHECK(t, load(&file, 1, 0, NULL) == EGRET_OK && report.nodes == 1);
    varint(&file, 9);
    refused(t, &file, 1, "bytes behind the end (--allow-trailing)", EGRET_RELAX_TRAILING);
    file.n = 5; /* of 7 bytes of metadata, and their length */
    refused(t, &file, 1, "byte 0: the file ends in its metadata", 0);
}

/* Groups in the inputs of a METADATA node of rank 0, and in a file of their own. */
static void group_refusals(struct trace_test *t)
{
    static const struct {
        const char *list, *reason;
        uint32_t relax;
    } some[] = {
        {"[{\"pg_name\": \"1\", \"ranks\": [0, 2]}]", "group '1' has rank 2 of 2, or has it twice",
         0},
        {"[{\"pg_name\": \"1\", \"ranks\": [-1]}]", "group '1' has rank -1 of 2, or has it", 0},
        {"[{\"pg_name\": \"1\", \"ranks\": [\"0\"]}]", "group '1' has rank -1 of 2, or has it", 0},
        {"[{\"pg_name\": \"1\", \"ranks\": [1, 1]}]", "group '1' has rank 1 of 2, or has it twice",
         0},
        {"[{\"pg_name\": 12, \"ranks\": [0, 1, 0]}]",
         "group '12' is no list of ranks, or one longer than there are ranks", 0},
        {"[{\"pg_name\": \"1\", \"ranks\": [0, 1], \"group_size\": 3}]",
         "group '1' has another group_size than ranks (--allow-counts)", EGRET_RELAX_COUNTS},
        {"[\"[{\\\"pg_name\\\": \\\"1\\\", \\\"ranks\\\": [7]}]\"]", "group '1' has rank 7 of 2",
         0},
        {"[{\"pg_name\": \"1\", \"ranks\": [0]}, {\"pg_name\": \"1\", \"ranks\": [1]}]",
         "group '1' has other ranks elsewhere (--allow-counts)", EGRET_RELAX_COUNTS}};
    struct bytes file[2];
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        struct bytes n = node(3, 1), io = {{0}, 0};
        file[0] = start();
        file[1] = start();
        number(&io, 2, 5); /* what is not read */
        string(&io, 1, some[i].list, strlen(some[i].list));
        string(&n, 8, io.b, io.n);
        record(&file[0], &n);
        refused(t, file, 2, some[i].reason, some[i].relax);
    }
    static const char *const files[][2] = {{"[", ":1: "},
                                           {"[]", ":1: is no JSON object"},
                                           {"{\"a\": 1}", "process group 'a' is no list of ranks"},
                                           {"{\"a\": []}", "process group 'a' has no ranks"},
                                           {"{\"a\": [0], \"a\": [1]}", ":1: "}};
    char at[512], long_name[300] = "{\"";
    trace_scratch(at, sizeof at, "chakra_groups.json");
    memset(long_name + 2, 'x', 200);
    (void)strcat(long_name, "\": [0]}");
    struct egret_import_options o = {.comm_groups = at};
    for (size_t i = 0; i <= sizeof files / sizeof files[0]; i++) {
        bool last = i == sizeof files / sizeof files[0];
        const char *text = last ? long_name : files[i][0];
        struct egret_schedule s;
        FILE *f = fopen(at, "wb");
        CHECK(t, f && fputs(text, f) >= 0 && fclose(f) == 0);
        CHECK(t, egret_import_load(paths, 2, &o, &s, &report, &error) == EGRET_ERR_RANGE);
        if (!CHECK(t, strstr(error.text, last ? "has too long a name" : files[i][1]))) {
            printf("%s: %s\n", text, error.text);
        }
    }
    (void)remove(at);
}

/* Bytes of a node that are no protobuf message; the node begins at byte 8. */
static void wires(struct trace_test *t)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *reason;
    } some[] = {
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11, "a number of more than 64 bits"},
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, "a number of more than 64 bits"},
        {"\x08\x80", 2, "ends in"},
        {"\x00\x01", 2, "field number 0"},
        {"\x80\x80\x80\x80\x10\x01", 6, "field number 536870912"},
        {"\x12\x05"
         "a",
         3, "a field is longer than its message"},
        {"\x0b", 1, "field of unknown type 3"},
        {"\x0f", 1, "field of unknown type 7"},
        {"\x31\x01\x02", 3, "a field is longer than its message"},
        {"\x35\x01", 2, "a field is longer than its message"},
        {"\x52\x03\x0a\x05"
         "a",
         5, "a field is longer than its message"},
        {"\x22\x05\x01", 3, "a field is longer than its message"},
        {"\x42\x03\x0a\x05"
         "a",
         5, "a field is longer than its message"}};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        struct bytes file = start(), n = {{0}, 0};
        memcpy(n.b, some[i].bytes, some[i].n);
        n.n = some[i].n;
        record(&file, &n);
        CHECK(t, load(&file, 1, 31, NULL) == EGRET_ERR_RANGE);
        if (!CHECK(t, strstr(error.text, some[i].reason) && strstr(error.text, ".0.et: byte "))) {
            printf("%zu: '%s', wanted '%s'\n", i, error.text, some[i].reason);
        }
    }
    /* Fields of all kinds that are not read. */
    struct bytes file = start(), n = node(7, 4);
    number(&n, 99, 5);
    string(&n, 98, "text", 4);
    memcpy(n.b + n.n, "\x31\1\2\3\4\5\6\7\x8\x35\1\2\3\4", 14);
    n.n += 14;
    record(&file, &n);
    CHECK(t, load(&file, 1, 0, NULL) == EGRET_OK && report.nodes == 1);
}

/* Who calls a collective of a group is in it, and so is its root. A group may be named by several
 * nodes if they agree; a list of other things is none. */
static void members(struct trace_test *t)
{
    static const char *const list[] = {"[{\"pg_name\": \"1\", \"ranks\": [1]}]",
                                       "[{\"pg_name\": \"1\", \"ranks\": [0]}]",
                                       "[{\"pg_name\": \"1\", \"ranks\": []}]",
                                       "[{\"name\": \"1\"}, {\"pg_name\": [], \"ranks\": [0]}, 5]"};
    static const char *const reason[] = {"rank 0 is not in process group '1'",
                                         "root 1 is not in process group '1'", NULL,
                                         "process group '1' is not defined"};
    for (size_t i = 0; i < 4u; i++) {
        struct bytes file[2] = {start(), start()};
        for (unsigned k = 0; k < 2u; k++) { /* twice the same */
            struct bytes n = node(3 + k, 1), io = {{0}, 0};
            string(&io, 1, list[i], strlen(list[i]));
            string(&n, 8, io.b, io.n);
            record(&file[0], &n);
        }
        for (unsigned r = 0; r < (i == 2u ? 2u : 1u); r++) {
            struct bytes n = node(9, 7);
            attr(&n, "comm_type", 9, 5); /* a broadcast */
            attr(&n, "comm_size", 9, 64);
            attr(&n, "comm_root", 9, 1);
            name_attr(&n, "pg_name", "1");
            record(&file[r], &n);
        }
        if (reason[i]) {
            refused(t, file, 2, reason[i], 0);
        } else { /* a group without ranks is that of all */
            CHECK(t, load(file, 2, 0, NULL) == EGRET_OK);
        }
    }
    struct egret_schedule s;
    struct bytes file[2] = {start(), start()};
    const char *one[1] = {paths[1]}, *other[2] = {paths[0], "x.et.gz"};
    CHECK(t, load(file, 2, 0, NULL) == EGRET_OK);
    CHECK(t, egret_import_load(one, 1, NULL, &s, NULL, &error) == EGRET_ERR_RANGE);
    CHECK(t, strstr(error.text, "the file of rank 0 is missing") != NULL);
    CHECK(t, egret_import_load(other, 2, NULL, &s, NULL, &error) == EGRET_ERR_RANGE);
    CHECK(t, strstr(error.text, "x.et.gz: its name is not PREFIX.RANK.et") != NULL);
}

int main(void)
{
    struct trace_test t = {0, 0};
    name_files("chakra_refusals");
    nodes(&t);
    group_refusals(&t);
    wires(&t);
    members(&t);
    remove_files();
    return trace_result(&t);
}
