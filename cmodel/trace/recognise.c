/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recognise.c: the format of a file from its first bytes.
 */
#include <string.h>
#include <zlib.h>

#include "egret/import.h"
#include "internal.h"
#include "text.h"

#define UNPACKED 8192u

const char *egret_format_name(unsigned format)
{
    static const char *const name[EGRET_FORMATS] = {"unknown",     "cm",   "chakra", "goal",
                                                    "goal-binary", "hpcc", "nccl",   "capture",
                                                    "stimulus",    "topo"};
    return format < EGRET_FORMATS ? name[format] : NULL;
}

static bool has(const uint8_t *b, size_t n, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= n; i++) {
        const uint8_t *at = memchr(b + i, word[0], n - i - length + 1u);
        if (!at) {
            return false;
        }
        i = (size_t)(at - b);
        if (memcmp(at, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static enum egret_format of_pcap(const uint8_t *b, size_t n)
{
    size_t frame = PCAP_HEADER_BYTES + PCAP_RECORD_BYTES;
    bool ours = get_le32(b) == PCAP_MAGIC_NS && n > frame && egret_event_is(b + frame, n - frame);
    return ours ? EGRET_FORMAT_STIMULUS : EGRET_FORMAT_CAPTURE;
}

/* Length, then a message whose first field is a string or an attribute that fits. n > 0. */
static bool is_chakra(const uint8_t *b, size_t n)
{
    uint64_t length = 0;
    size_t i = 0;
    for (unsigned shift = 0; i < n && shift < 35u; shift += 7u) {
        length |= (uint64_t)(b[i] & 127u) << shift;
        if (b[i++] < 128u) {
            break;
        }
    }
    if (i >= n || b[i - 1u] > 127u) {
        return n == 1u && b[0] == 0; /* no metadata, no node */
    }
    if (length == 0) { /* the first node */
        return b[i] > 1u;
    }
    return (b[i] == 0x0au || b[i] == 0x12u) && i + 1u < n &&
           (b[i + 1u] > 127u || b[i + 1u] < length);
}

static bool is_text(const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((b[i] < 32u && b[i] != '\n' && b[i] != '\r' && b[i] != '\t') || b[i] == 127u) {
            return false;
        }
    }
    return true;
}

/* Behind blanks and C comments. */
static bool is_goal(const uint8_t *b, size_t n)
{
    size_t i = 0;
    while (i < n) {
        if (strchr(" \t\r\n", b[i]) && b[i]) {
            i++;
        } else if (i + 1u < n && b[i] == '/' && b[i + 1u] == '/') {
            const uint8_t *end = memchr(b + i, '\n', n - i);
            i = end ? (size_t)(end - b) : n;
        } else if (i + 1u < n && b[i] == '/' && b[i + 1u] == '*') {
            for (i += 2u; i + 1u < n && !(b[i] == '*' && b[i + 1u] == '/'); i++) {
            }
            i += 2u;
        } else {
            break;
        }
    }
    return i + 9u <= n && memcmp(b + i, "num_ranks", 9) == 0;
}

/* Formats of lines: the first line that says something. */
static enum egret_format of_lines(const uint8_t *b, size_t n)
{
    struct text_lines l;
    enum egret_format nodes = EGRET_FORMAT_UNKNOWN;
    bool comments = false;
    uint64_t v;
    egret_text_start(&l, (const char *)b, n, "");
    while (egret_text_next(&l)) {
        const struct text_word *w = l.word;
        if (l.words == 0 || w[0].at[0] == '#') {
            comments = comments || l.words > 0;
            continue;
        }
        if (nodes == EGRET_FORMAT_UNKNOWN && l.words == 1u &&
            egret_text_u64(w[0].at, w[0].length, UINT64_MAX, &v)) {
            return EGRET_FORMAT_HPCC;
        }
        if (egret_text_is(&w[0], "Connections") || egret_text_is(&w[0], "Triggers") ||
            egret_text_is(&w[0], "Failures")) {
            return EGRET_FORMAT_CM;
        }
        if (egret_text_is(&w[0], "Tiers") || egret_text_is(&w[0], "Podsize") ||
            egret_text_is(&w[0], "Tier")) {
            return EGRET_FORMAT_TOPO;
        }
        if (!egret_text_is(&w[0], "Nodes")) {
            return nodes;
        }
        nodes = EGRET_FORMAT_CM;
    }
    /* Nothing but comments so far: a matrix, whose reader will say if it is none. */
    return comments ? EGRET_FORMAT_CM : nodes;
}

static enum egret_format of_plain(const uint8_t *b, size_t n)
{
    if (n >= 8u && get_le32(b + 4) == 0 && (get_le32(b) == 4223u || get_le32(b) == 2342u)) {
        return EGRET_FORMAT_GOAL_BINARY;
    }
    if (n >= 4u) {
        uint32_t le = get_le32(b);
        uint32_t be = get_be32(b);
        if (le == PCAPNG_MAGIC) {
            return EGRET_FORMAT_CAPTURE;
        }
        if (le == PCAP_MAGIC_NS || le == PCAP_MAGIC_US || be == PCAP_MAGIC_NS ||
            be == PCAP_MAGIC_US) {
            return of_pcap(b, n);
        }
    }
    if (is_goal(b, n)) {
        return EGRET_FORMAT_GOAL;
    }
    enum egret_format lines = of_lines(b, n);
    if (lines != EGRET_FORMAT_UNKNOWN) {
        return lines;
    }
    if (has(b, n, " NCCL INFO ")) {
        return EGRET_FORMAT_NCCL;
    }
    return !is_text(b, n) && is_chakra(b, n) ? EGRET_FORMAT_CHAKRA : EGRET_FORMAT_UNKNOWN;
}

enum egret_format egret_format_recognise(const uint8_t *bytes, size_t n)
{
    uint8_t out[UNPACKED];
    z_stream z;
    if (n < 2u || bytes[0] != 0x1fu || bytes[1] != 0x8bu) {
        return of_plain(bytes, n);
    }
    memset(&z, 0, sizeof z);
    uint8_t in[4096]; /* zlib's input is not const */
    z.avail_in = (uInt)(n > sizeof in ? sizeof in : n);
    memcpy(in, bytes, z.avail_in);
    z.next_in = in;
    z.next_out = out;
    z.avail_out = sizeof out;
    if (inflateInit2(&z, 31) == Z_OK) {
        (void)inflate(&z, Z_SYNC_FLUSH);
        (void)inflateEnd(&z);
    }
    size_t got = sizeof out - z.avail_out;
    return got ? of_plain(out, got) : EGRET_FORMAT_UNKNOWN;
}
