// SPDX-License-Identifier: GPL-3.0-or-later
/* word_rate.c - rates in words a second, and delays by name. */
#include "model/slowdown/word_rate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/unit.h"

static const struct {
    const char *text;
    double factor;
} word_suffixes[] = {
    {"w/s", 1}, {"kw/s", 1e3}, {"Mw/s", 1e6}, {"Gw/s", 1e9}, {"Kiw/s", 1024}, {"Miw/s", 1048576},
};

/* Whether it is a number of words; its bytes in *rate. */
static bool read_words(const char *text, double word_bytes, double *rate)
{
    size_t length = strlen(text), at = rc_number_scan(text, length, rate);

    if (at == 0)
        return false;
    while (text[at] == ' ')
        at++;
    for (size_t i = 0; i < sizeof word_suffixes / sizeof *word_suffixes; i++)
        if (strcmp(text + at, word_suffixes[i].text) == 0) {
            *rate *= word_suffixes[i].factor * word_bytes;
            return true;
        }
    return false;
}

bool rc_slowdown_rate_is_bare(const char *text)
{
    double rate;

    return text && rc_number_parse(text, strlen(text), &rate) == 0;
}

bool rc_slowdown_word_rate_is(const char *text)
{
    double rate;

    return text && read_words(text, 1, &rate);
}

int rc_slowdown_word_rate_parse(const char *text, double word_bytes, double *rate,
                                struct rc_error *error)
{
    double found;

    if (!read_words(text, word_bytes, &found) &&
        rc_unit_parse(text, strlen(text), RC_RATE, &found, error))
        return error && error->hint[0]
                   ? -1
                   : rc_error_hint(error,
                                   "rates are such as 12.5MB/s, 100Mbit/s or, in words, 0.45Mw/s");
    if (!(found > 0) || isinf(found))
        return rc_error_set(error, "'%.100s' is no bandwidth: it must be above 0", text);
    *rate = found;
    return 0;
}

int rc_slowdown_delay_parse(const char *text, double word_bytes, struct rc_delay *delay,
                            struct rc_error *error)
{
    size_t length = strlen(text);
    double constant;

    if (strcmp(text, "alpha-farm") == 0) {
        rc_slowdown_delay_paper(word_bytes, delay);
        return 1;
    }
    if (rc_unit_parse(text, length, RC_FRACTION, &constant, NULL))
        return 0;
    if (!(constant >= 0))
        return rc_error_set(error, "a delay of %.100s would make programs faster: it is at least 0",
                            text);
    memset(delay, 0, sizeof *delay);
    delay->constant = constant;
    return 1;
}

bool rc_slowdown_delay_wants_bandwidth(const struct rc_delay *delay)
{
    return delay && delay->n > 0;
}
