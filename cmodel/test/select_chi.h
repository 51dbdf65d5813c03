/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_chi.h: is a count even? By chi-square; select_spray_random.c checks the distribution.
 */
#ifndef EGRET_SELECT_CHI_H
#define EGRET_SELECT_CHI_H

#include <math.h>

#include "select_test.h"

#define MIN_P 1e-4

/* Q(a, x), the upper regularised incomplete gamma function: by the series of P below a + 1, by
 * Lentz's continued fraction above. */
static inline double upper_gamma(double a, double x)
{
    double front = exp(a * log(x) - x - lgamma(a));

    if (x <= 0)
        return 1;
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (unsigned n = 1; term > sum * 1e-17; n++) {
            term *= x / (a + n);
            sum += term;
        }
        return 1 - sum * front;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (unsigned n = 1; n < 100000; n++) {
        double an = -(double)n * (n - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return front * h;
}

/* Probability that chi-square with `degrees` degrees of freedom is `x` or more. */
static inline double tail(double x, double degrees)
{
    return upper_gamma(degrees / 2, x / 2);
}

static double min_p = 1;

/* All cells alike? Neither too uneven nor, as a round robin would be, too even. */
static inline void spread(const unsigned *count, unsigned cells, uint32_t members, const char *what)
{
    double sum = 0, total = 0;

    for (unsigned i = 0; i < cells; i++)
        total += count[i];
    for (unsigned i = 0; i < cells; i++)
        sum += (count[i] - total / cells) * (count[i] - total / cells) * cells / total;
    double p = cells > 1 ? tail(sum, cells - 1) : 0.5;
    min_p = p < min_p ? p : min_p;
    CHECK(total / cells >= 5, "%s, %u members: %.1f a cell", what, members, total / cells);
    CHECK(p > MIN_P && p < 1 - MIN_P, "%s, %u members: chi-square %.1f, p %g", what, members, sum,
          p);
}

#endif
