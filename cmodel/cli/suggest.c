/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suggest.c: the word that a mistyped one may stand for.
 */
#include <string.h>

#include "commands.h"

#define MAX_WORD 40u

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to insert, remove, replace, or swap with their neighbour, until a is b. */
static size_t distance(const char *a, const char *b)
{
    size_t d[MAX_WORD + 1u][MAX_WORD + 1u];
    size_t m = strlen(a);
    size_t n = strlen(b);
    if (m > MAX_WORD || n > MAX_WORD) {
        return MAX_WORD;
    }
    for (size_t i = 0; i <= m; i++) {
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(d[i - 1u][j - 1u] + (a[i - 1u] != b[j - 1u]),
                            1u + least(d[i - 1u][j], d[i][j - 1u]));
            if (i > 1u && j > 1u && a[i - 1u] == b[j - 2u] && a[i - 2u] == b[j - 1u]) {
                d[i][j] = least(d[i][j], d[i - 2u][j - 2u] + 1u);
            }
        }
    }
    return d[m][n];
}

void cli_suggest_start(struct cli_suggest *s, const char *word)
{
    s->word = word;
    s->best = NULL;
    s->distance = 2u + strlen(word) / 4u; /* what is further away is another word */
}

void cli_suggest_try(struct cli_suggest *s, const char *candidate)
{
    size_t length = strlen(s->word);
    /* The beginning of a word is as good as one wrong letter. */
    size_t d = length >= 3u && strncmp(s->word, candidate, length) == 0
                   ? 1u
                   : distance(s->word, candidate);
    if (d < s->distance && d < length) {
        s->best = candidate;
        s->distance = d;
    }
}
