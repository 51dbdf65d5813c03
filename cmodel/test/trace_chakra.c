/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_chakra.c: Chakra traces made by an encoder of its own, in every kind of integer, and what
 * is refused.
 */
#include "trace_chakra.h"

static int edge(const struct egret_schedule *s, uint32_t before, unsigned event, uint32_t after)
{
    int found = 0;
    for (uint32_t i = s->first[before]; i < s->first[before + 1u]; i++) {
        found += egret_edge_to(s->edge[i]) == after && egret_edge_event(s->edge[i]) == event;
    }
    return found;
}

/* Rank 0 computes (node 0, last in the file), then sends 2^32 + 1 bytes; rank 1 receives. Sizes in
 * every kind of integer; the ends that are a file's own rank are left out. */
static void kinds(struct trace_test *t)
{
    static const unsigned kind[] = {7, 9, 11, 13, 15, 17, 19, 21, 23, 25};
    for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++) {
        struct bytes file[2] = {start(), start()};
        bool wide =
            kind[k] == 9u || kind[k] == 13u || kind[k] == 17u || kind[k] == 21u || kind[k] == 25u;
        uint64_t size = wide ? ((uint64_t)1 << 32) + 1u : 0x7fffffffu;
        struct bytes n = node(70, 5);
        struct egret_schedule s;
        if (k % 2u) {
            number(&n, 5, 0); /* unpacked */
        } else {
            string(&n, 5, "\0", 1); /* packed */
        }
        attr(&n, "comm_dst", k % 2u ? 7 : 11, 1);
        attr(&n, "comm_size", kind[k], size);
        attr(&n, "comm_tag", 7, 5);
        record(&file[0], &n);
        n = node(0, 4);
        number(&n, 7, 3);
        record(&file[0], &n);
        n = node(9, 6);
        attr(&n, "comm_src", 7, 0);
        attr(&n, "comm_tag", 9, 5);
        record(&file[1], &n);
        if (!CHECK(t, load(file, 2, 0, &s) == EGRET_OK)) {
            printf("%s\n", error.text);
            continue;
        }
        CHECK(t, s.ranks == 2 && s.ops == 3 && s.op[0].amount == size && s.op[0].tag == 70);
        CHECK(t, s.op[1].amount == 3000000 && report.compute_us == 3);
        CHECK(t, edge(&s, 1, EGRET_ON_DONE, 0) == 1 && edge(&s, 0, EGRET_ON_DONE, 2) == 1);
        egret_schedule_free(&s);
    }
}

/* Four ranks; groups "1" (0, 1) and "2" (2, 3) in METADATA; the n-th collectives by id, whatever
 * the order in the file. The launch on the CPU has no size and is no error. */
static void groups(struct trace_test *t)
{
    static const char list[] = "[{\"pg_name\": \"1\", \"ranks\": [0, 1], \"group_size\": 2}, "
                               "{\"pg_name\": \"2\", \"ranks\": [2, 3]}]";
    struct bytes file[RANKS];
    struct egret_schedule s;
    struct egret_schedule_summary sum;
    for (unsigned r = 0; r < RANKS; r++) {
        file[r] = start();
        collective(&file[r], 20 + r, 6, 4096, "0");
        collective(&file[r], 10 + r, 0, 1024, r < 2u ? "1" : "2");
        struct bytes n = node(3, 1);
        struct bytes io = {{0}, 0};
        string(&io, 1, list, sizeof list - 1u);
        string(&n, 8, io.b, io.n);
        record(&file[r], &n);
        n = node(4, 7);
        attr(&n, "is_cpu_op", 27, 1);
        record(&file[r], &n);
    }
    if (CHECK(t, load(file, RANKS, 0, &s) == EGRET_OK)) {
        CHECK(t, egret_schedule_summary(&s, &sum) == EGRET_OK);
        /* All-to-all: each to 3 others 1024; all-reduces of 2: 2 (p-1) steps of half by each. */
        CHECK(t, sum.bytes == 4 * 3 * 1024 + 2 * 2 * 2 * 512);
        CHECK(t, report.collectives[EGRET_COLL_ALL_TO_ALL] == 4);
        CHECK(t, report.collective_bytes[EGRET_COLL_ALL_REDUCE] == 4 * 1024);
        egret_schedule_free(&s);
    } else {
        printf("%s\n", error.text);
    }
    collective(&file[2], 99, 0, 8, "3");
    refused(t, file, RANKS, "process group '3' is not defined", 0);
}

static void refusals(struct trace_test *t)
{
    struct bytes file[2] = {start(), start()};
    collective(&file[0], 1, 0, 64, NULL);
    collective(&file[1], 1, 0, 65, NULL);
    refused(t, file, 2, "rank 1 has all-reduce of 65 bytes, rank 0 has all-reduce of 64", 0);
    for (unsigned r = 0; r < 2; r++) {
        struct bytes rooted = node(1, 7);
        attr(&rooted, "comm_type", 9, 5);
        attr(&rooted, "comm_size", 9, 64);
        attr(&rooted, "comm_root", 9, r);
        file[r] = start();
        record(&file[r], &rooted);
    }
    refused(t, file, 2, "ranks 1 and 0 have broadcast with different roots", 0);
    file[0] = start();
    collective(&file[0], 1, 0, 64, NULL);
    file[1] = start();
    refused(t, file, 2, "rank 0 has it, rank 1 does not (--allow-unmatched)",
            EGRET_RELAX_UNMATCHED);
    file[0] = start();
    struct bytes n = node(5, 7);
    attr(&n, "comm_type", 9, 0);
    attr(&n, "is_cpu_op", 27, 0);
    record(&file[0], &n);
    refused(t, file, 2, ".0.et: byte 8: node 5: a collective without a size (--allow-zero)",
            EGRET_RELAX_SIZES);
    file[0] = start();
    n = node(6, 4);
    number(&n, 4, 77);
    record(&file[0], &n);
    refused(t, file, 2, "node 6 depends on node 77, which is not there (--allow-dangling)",
            EGRET_RELAX_DANGLING);
    file[0] = start();
    n = node(6, 4);
    number(&n, 4, 6);
    record(&file[0], &n);
    refused(t, file, 2, ".0.et: byte 8: join 0 (rank 0, ", 0); /* a byte, not a line; a cycle */
    file[0] = start();
    n = node(0, 4);
    record(&file[0], &n);
    record(&file[0], &n);
    refused(t, file, 2, "node 0 is there twice", 0);
    file[0] = start();
    n = node(8, 5);
    attr(&n, "comm_dst", 7, 1);
    attr(&n, "comm_size", 9, 10);
    record(&file[0], &n);
    refused(t, file, 2, "send from rank 0 to rank 1, tag 0, has no recv (--allow-unmatched)",
            EGRET_RELAX_UNMATCHED);
    size_t whole = file[0].n;
    for (size_t cut = 9; cut < whole; cut++) { /* behind the metadata, within the node */
        file[0].n = cut;
        CHECK(t, load(file, 2, 31, NULL) == EGRET_ERR_RANGE);
    }
    file[0] = start();
    n = node(8, 5);
    attr(&n, "comm_dst", 7, 2);
    attr(&n, "comm_size", 9, 10);
    record(&file[0], &n);
    refused(t, file, 2, "node 8: rank 2 of 2 files", 0);
    file[0] = start();
    n = node(8, 9);
    record(&file[0], &n);
    refused(t, file, 2, "node 8: is of no known type", 0);
    file[0] = start();
    const char *twice[2] = {paths[0], paths[0]};
    struct egret_schedule s;
    CHECK(t, egret_import_load(twice, 2, NULL, &s, NULL, &error) == EGRET_ERR_RANGE);
    CHECK(t, strstr(error.text, "rank 0 is that of ") != NULL);
    const char *gap[2] = {paths[0], paths[2]};
    CHECK(t, egret_import_load(gap, 2, NULL, &s, NULL, &error) == EGRET_ERR_RANGE);
    CHECK(t, strstr(error.text, "2 files, but none of rank 1") != NULL);
}

int main(void)
{
    struct trace_test t = {0, 0};
    name_files("chakra_test");
    kinds(&t);
    groups(&t);
    refusals(&t);
    remove_files();
    return trace_result(&t);
}
