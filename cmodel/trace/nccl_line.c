/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nccl_line.c: one line of an NCCL_DEBUG log: a call, the Init of a communicator, or neither.
 */
#include <stdio.h>
#include <string.h>

#include "nccl.h"
#include "text.h"

/* The word behind " KEY "; empty if there is none. */
static bool word_of(const char *text, const char *key, char *out, size_t n)
{
    char pattern[32];
    (void)snprintf(pattern, sizeof pattern, " %s ", key);
    const char *at = strstr(text, pattern);
    out[0] = '\0';
    if (!at) {
        return false;
    }
    at += strlen(pattern);
    size_t length = strcspn(at, " \t");
    if (length == 0 || length >= n) {
        return false;
    }
    memcpy(out, at, length);
    out[length] = '\0';
    return true;
}

static bool number_of(const char *text, const char *key, uint64_t *out)
{
    char word[32];
    return word_of(text, key, word, sizeof word) &&
           egret_text_u64(word, strlen(word), UINT64_MAX, out);
}

static bool hex_of(const char *text, const char *key, uint64_t *out)
{
    char word[32];
    uint64_t v = 0;
    size_t i = 0;
    if (!word_of(text, key, word, sizeof word)) {
        return false;
    }
    for (; word[i] && i < 16u; i++) {
        const char *digit = strchr("0123456789abcdef", word[i]);
        if (!digit) {
            return false;
        }
        v = v << 4 | (uint64_t)(digit - "0123456789abcdef");
    }
    *out = v;
    return word[i] == '\0';
}

/* What stands before " NCCL INFO ": [anything] host:pid:tid [dev] */
static bool process_of(const char *text, const char *info, struct nccl_line *out)
{
    const char *close = info;
    while (close > text && *close != ']') {
        close--;
    }
    const char *open = close;
    while (open > text && *open != '[') {
        open--;
    }
    if (*open != '[' || *close != ']' ||
        !egret_text_u64(open + 1, (size_t)(close - open) - 1u, UINT32_MAX, &out->dev)) {
        return false;
    }
    const char *end = open;
    while (end > text && end[-1] == ' ') {
        end--;
    }
    const char *start = end;
    while (start > text && start[-1] != ' ' && start[-1] != '>') {
        start--;
    }
    const char *last = NULL; /* colon before the thread */
    for (const char *p = start; p < end; p++) {
        last = *p == ':' ? p : last;
    }
    if (!last || last == start || (size_t)(last - start) >= sizeof out->process) {
        return false;
    }
    memcpy(out->process, start, (size_t)(last - start));
    out->process[last - start] = '\0';
    return strchr(out->process, ':') != NULL;
}

static int call_line(const char *text, const char *info, struct nccl_line *out, const char **reason)
{
    char verb[32];
    char word[32];
    size_t length = strcspn(info, ":");
    enum egret_collective_kind kind = EGRET_COLL_ALL_REDUCE;
    *reason = "an unknown kind of call";
    if (length == 0 || length >= sizeof verb) {
        return -1;
    }
    memcpy(verb, info, length);
    verb[length] = '\0';
    out->verb = strcmp(verb, "Send") == 0   ? NCCL_SEND
                : strcmp(verb, "Recv") == 0 ? NCCL_RECV
                                            : NCCL_COLLECTIVE;
    if (out->verb == NCCL_COLLECTIVE && !egret_collective_kind_parse(verb, &kind)) {
        return -1;
    }
    out->kind = (uint32_t)kind;
    *reason = "a call without host:pid:tid [dev]";
    if (!process_of(text, info - strlen(" NCCL INFO "), out)) {
        return -1;
    }
    *reason = "a call without opCount (hexadecimal), count, datatype, root, comm and stream";
    if (!hex_of(text, "opCount", &out->op_count) || !number_of(text, "count", &out->count) ||
        !number_of(text, "datatype", &out->datatype) || !number_of(text, "root", &out->root) ||
        !word_of(text, "comm", out->comm, sizeof out->comm) ||
        !word_of(text, "stream", out->stream, sizeof out->stream)) {
        return -1;
    }
    const char *nranks = strstr(text, " [nranks=");
    if (nranks) {
        nranks += strlen(" [nranks=");
        length = strcspn(nranks, "]");
        *reason = "nranks is no number";
        if (!egret_text_u64(nranks, length, EGRET_SCHEDULE_MAX_RANKS, &out->nranks)) {
            return -1;
        }
    }
    if (word_of(text, "globalrank", word, sizeof word)) {
        *reason = "globalrank is no number";
        if (!egret_text_u64(word, strlen(word), EGRET_SCHEDULE_MAX_RANKS - 1u, &out->rank)) {
            return -1;
        }
    }
    return 1;
}

int egret_nccl_line(const char *text, struct nccl_line *out, const char **reason)
{
    static const char mark[] = " NCCL INFO ";
    const char *info = strstr(text, mark);
    memset(out, 0, sizeof *out);
    out->rank = UINT64_MAX;
    if (!info) {
        return 0;
    }
    info += sizeof mark - 1u;
    if (strstr(info, ": opCount ")) {
        return call_line(text, info, out, reason);
    }
    const char *comm = strncmp(info, "comm 0x", 7) == 0 ? info - 1 : strstr(info, " comm 0x");
    if (!comm || !strstr(info, " Init ") || !strstr(info, " nranks ")) {
        return 0;
    }
    out->init = true;
    *reason = "an Init line without comm, rank and nranks";
    if (!process_of(text, info - (sizeof mark - 1u), out) ||
        !word_of(comm, "comm", out->comm, sizeof out->comm) ||
        !number_of(comm, "rank", &out->rank) || !number_of(comm, "nranks", &out->nranks)) {
        return -1;
    }
    (void)word_of(comm, "commId", out->comm_id, sizeof out->comm_id);
    *reason = "rank is not below nranks";
    return out->nranks > EGRET_SCHEDULE_MAX_RANKS || out->rank >= out->nranks ? -1 : 1;
}
