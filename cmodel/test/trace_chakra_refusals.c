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

/* An attribute whose value is of another field and wire type. */
static void odd_attr(struct bytes *b, const char *name, unsigned field, const char *text)
{
    struct bytes a = {{0}, 0};
    string(&a, 1, name, strlen(name));
    if (text) {
        string(&a, field, text, strlen(text));
    } else {
        number(&a, field, 5);
    }
    string(b, 10, a.b, a.n);
}

static void attributes(struct trace_test *t)
{
    static const struct {
        unsigned field;
        const char *text;
    } odd[] = {{7, "x"}, {29, NULL}, {30, "x"}, {8, NULL}, {31, "x"}, {28, NULL}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct bytes n = node(3, 5);
        odd_attr(&n, "comm_dst", odd[i].field, odd[i].text);
        one_node(t, &n, "node 3: comm_dst is no integer");
    }
    struct bytes n = node(3, 5);
    attr(&n, "comm_dst", 7, 1);
    attr(&n, "comm_src", 7, 9);
    one_node(t, &n, "node 3: rank 9 of 2 files");
    n = node(3, 5);
    attr(&n, "comm_dst", 7, 1);
    attr(&n, "comm_size", 9, 64);
    attr(&n, "comm_tag", 7, (uint64_t)-1);
    one_node(t, &n, "send from rank 0 to rank 1, tag 18446744073709551615, has no recv");
    n = node(3, 6);
    attr(&n, "comm_src", 7, 1);
    attr(&n, "comm_size", 9, 64);
    one_node(t, &n, "recv from rank 1 to rank 0, tag 0, has no send");
    n = node(3, 7);
    attr(&n, "comm_type", 9, 0);
    attr(&n, "comm_size", 9, 0);
    one_node(t, &n, "node 3: a collective without a size (--allow-zero)");
    n = node(3, 7);
    attr(&n, "is_cpu_op", 27, 0);
    one_node(t, &n, "node 3: a collective without a size (--allow-zero)");
    /* Names and texts that mean nothing here, fields of another type than theirs: all skipped. */
    static char name[200];
    memset(name, 'x', sizeof name - 1u);
    struct bytes file = start(), a = {{0}, 0};
    n = node(3, 4);
    attr(&n, name, 9, 1);
    number(&a, 1, 7);
    number(&a, 2, 7);
    string(&a, 2, "doc", 3);
    string(&n, 10, a.b, a.n);
    string(&n, 3, "x", 1);
    string(&n, 7, "x", 1);
    string(&n, 1, "x", 1);
    number(&n, 2, 5);
    number(&n, 8, 5);
    number(&n, 10, 5);
    memcpy(n.b + n.n, "\x25\1\2\3\4\x2d\1\2\3\4", 10); /* dependencies of 32 bits */
    n.n += 10;
    string(&n, 8, "\x0a\1[", 3); /* inputs of a node that is no METADATA */
    record(&file, &n);
    CHECK(t, load(&file, 1, 0, NULL) == EGRET_OK && report.compute_nodes == 1);
    /* Inputs that hold no list. */
    static const char *const inputs[] = {"", "[", "none", "[5", "{}[", "[\"[\"]"};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        struct bytes io = {{0}, 0};
        file = start();
        n = node(3, 1);
        string(&io, 1, inputs[i], strlen(inputs[i]));
        number(&io, 1, 7);
        string(&io, 2, "x", 1);
        string(&n, 8, io.b, io.n);
        record(&file, &n);
        if (!CHECK(t, load(&file, 1, 0, NULL) == EGRET_OK && report.nodes == 1)) {
            printf("'%s': %s\n", inputs[i], error.text);
        }
    }
    /* A list of more than 64 MiB, by what it claims: passed over, and there is nothing. */
    file = start();
    varint(&file, 1u << 28);
    n = node(3, 1);
    memcpy(file.b + file.n, n.b, n.n);
    file.n += n.n;
    varint(&file, 8u << 3 | 2u);
    varint(&file, 1u << 27);
    varint(&file, 1u << 3 | 2u);
    varint(&file, (1u << 26) + 1u);
    varint(&file, 5);
    refused(t, &file, 1, "byte 8: the file ends in a message", 0);
    file = start();
    varint(&file, UINT64_MAX);
    refused(t, &file, 1, "a field is longer than its message", 0);
}

/* A barrier needs no size; a dependency on a send is one on its last byte; files in any order;
 * compute nodes that take no time; no file of groups; groups that say their size or are no list. */
static void good(struct trace_test *t)
{
    struct egret_import_options o = {.no_compute = true, .comm_groups = "empty"};
    struct bytes file[2] = {start(), start()};
    struct egret_schedule s;
    for (unsigned r = 0; r < 2u; r++) {
        struct bytes n = node(5, 7), io = {{0}, 0}, comp = node(9, 4), meta = node(4, 1);
        static const char list[] =
            "[{\"pg_name\": \"1\", \"ranks\": [], \"group_size\": 2}, {\"pg_name\": \"7\", "
            "\"ranks\": 5}, {\"pg_name\": 1.5, \"ranks\": []}, {\"pg_name\": \"8\"}]";
        string(&io, 1, list, sizeof list - 1u);
        string(&meta, 8, io.b, io.n);
        record(&file[r], &meta);
        attr(&n, "comm_type", 9, 9);
        name_attr(&n, "pg_name", "1");
        record(&file[r], &n);
        n = node(8, r ? 6 : 5);
        attr(&n, r ? "comm_src" : "comm_dst", 7, 1u - r);
        attr(&n, "comm_size", 9, 64);
        record(&file[r], &n);
        number(&comp, 5, 8); /* behind the send, or the receive */
        number(&comp, 7, 11);
        record(&file[r], &comp);
    }
    CHECK(t, load(file, 2, 0, NULL) == EGRET_OK && report.compute_us == 22);
    const char *turned[2] = {paths[1], paths[0]};
    if (CHECK(t, egret_import_load(turned, 2, &o, &s, &report, &error) == EGRET_OK)) {
        bool sent = false;
        uint64_t ps = 0;
        for (size_t i = 0; i < s.ops; i++) {
            ps += s.op[i].kind == EGRET_OP_DELAY ? s.op[i].amount : 0;
            for (size_t k = s.first[i]; k < s.first[i + 1u]; k++) {
                sent |= s.op[i].amount == 64 && egret_edge_event(s.edge[k]) == EGRET_ON_SENT &&
                        s.op[egret_edge_to(s.edge[k])].tag == 9;
            }
        }
        CHECK(t, sent && ps == 0);
        egret_schedule_free(&s);
    } else {
        printf("%s\n", error.text);
    }
    static const char *const names[] = {
        "et", "a", ".gz", "1.et", "a1.et", "a.et", "a.99999999999999999999.et", "a.0.es"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *two[2] = {paths[0], names[i]};
        char reason[100];
        (void)snprintf(reason, sizeof reason, "%s: its name is not PREFIX.RANK.et", names[i]);
        CHECK(t, egret_import_load(two, 2, NULL, &s, NULL, &error) == EGRET_ERR_RANGE);
        CHECK(t, strcmp(error.text, reason) == 0);
    }
}

int main(void)
{
    struct trace_test t = {0, 0};
    name_files("chakra_refusals");
    nodes(&t);
    group_refusals(&t);
    wires(&t);
    members(&t);
    attributes(&t);
    good(&t);
    remove_files();
    return trace_result(&t);
}
