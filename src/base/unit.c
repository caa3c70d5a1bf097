// SPDX-License-Identifier: BSD-2-Clause
/* unit.c - quantities with units.
 *
 * Each dimension has one table for reading, which accepts all suffixes, and writing, which uses
 * some. Ambiguous suffixes ("64K", "10Mb") are errors with a hint. */
#include "base/unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

/* Significant digits of written values. */
enum { DIGITS = 4, DIGITS_OF_SECONDS = 3, DIGITS_MAX = 15 };

#define KI 1024.0
#define MI (KI * 1024)
#define GI (MI * 1024)
#define TI (GI * 1024)
#define PEBI (TI * 1024)

struct suffix {
    const char *text;
    double factor;
    const char *written; /* NULL if only read */
};

static const struct suffix count_suffixes[] = {
    {"k", 1e3, NULL}, {"M", 1e6, NULL}, {"G", 1e9, NULL}, {"T", 1e12, NULL}, {"Ki", KI, NULL},
    {"Mi", MI, NULL}, {"Gi", GI, NULL}, {"Ti", TI, NULL}, {NULL, 0, NULL},
};

static const struct suffix byte_suffixes[] = {
    {"B", 1, " B"},      {"KiB", KI, " KiB"},   {"MiB", MI, " MiB"}, {"GiB", GI, " GiB"},
    {"TiB", TI, " TiB"}, {"PiB", PEBI, " PiB"}, {"kB", 1e3, NULL},   {"KB", 1e3, NULL},
    {"MB", 1e6, NULL},   {"GB", 1e9, NULL},     {"TB", 1e12, NULL},  {"PB", 1e15, NULL},
    {NULL, 0, NULL},
};

/* "/s" and "ps" are removed before the lookup. */
static const struct suffix rate_suffixes[] = {
    {"bit", 1 / 8.0, " bit/s"},
    {"kbit", 1e3 / 8, " kbit/s"},
    {"Mbit", 1e6 / 8, " Mbit/s"},
    {"Gbit", 1e9 / 8, " Gbit/s"},
    {"Tbit", 1e12 / 8, " Tbit/s"},
    {"Kbit", 1e3 / 8, NULL},
    {"Kibit", KI / 8, NULL},
    {"Mibit", MI / 8, NULL},
    {"Gibit", GI / 8, NULL},
    {"B", 1, NULL},
    {"kB", 1e3, NULL},
    {"KB", 1e3, NULL},
    {"MB", 1e6, NULL},
    {"GB", 1e9, NULL},
    {"TB", 1e12, NULL},
    {"KiB", KI, NULL},
    {"MiB", MI, NULL},
    {"GiB", GI, NULL},
    {"TiB", TI, NULL},
    {NULL, 0, NULL},
};

static const struct suffix flop_suffixes[] = {
    {"f", 1, " flop/s"},     {"kf", 1e3, " kflop/s"},  {"Mf", 1e6, " Mflop/s"},
    {"Gf", 1e9, " Gflop/s"}, {"Tf", 1e12, " Tflop/s"}, {"Pf", 1e15, " Pflop/s"},
    {"Kf", 1e3, NULL},       {NULL, 0, NULL},
};

static const struct suffix time_suffixes[] = {
    {"ns", 1e-9, " ns"},  {"us", 1e-6, " us"},       {"ms", 1e-3, " ms"},
    {"s", 1, " s"},       {"min", 60, NULL},         {"h", 3600, NULL},
    {"d", 86400, NULL},   {"\xc2\xb5s", 1e-6, NULL}, {"\xce\xbcs", 1e-6, NULL},
    {"sec", 1, NULL},     {"m", 60, NULL},           {"hours", 3600, NULL},
    {"hour", 3600, NULL}, {"days", 86400, NULL},     {"day", 86400, NULL},
    {"w", 604800, NULL},  {NULL, 0, NULL},
};

static const struct suffix fraction_suffixes[] = {{"%", 0.01, NULL}, {NULL, 0, NULL}};

static const struct dimension {
    const struct suffix *suffixes;
    const char *expected;
} dimensions[RC_DIMENSIONS] = {
    [RC_COUNT] = {count_suffixes, "a number such as 1000, 2M or 64Ki"},
    [RC_BYTES] = {byte_suffixes, "a size such as 512MiB, 2GB or a number of bytes"},
    [RC_RATE] = {rate_suffixes, "a rate such as 100Mbit, 12.5MB/s or a number of bytes/s"},
    [RC_FLOPS] = {flop_suffixes, "a speed such as 2.2Gf or a number of flop/s"},
    [RC_SECONDS] = {time_suffixes, "a time such as 50us, 90s, 1.5h or a number of seconds"},
    [RC_FRACTION] = {fraction_suffixes, "a fraction such as 0.4 or 40%"},
};

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);

    return length > n && memcmp(text + length - n, end, n) == 0;
}

/* Takes off what only repeats the dimension, so that Mbit, Mbit/s and Mbps are one. */
static size_t strip_per_second(const char *text, size_t length, enum rc_dimension dimension)
{
    if (dimension == RC_RATE) {
        if (ends_with(text, length, "/s"))
            return length - 2;
        if (ends_with(text, length, "bitps"))
            return length - 2;
    }
    if (dimension == RC_FLOPS) {
        if (ends_with(text, length, "flop/s"))
            return length - 5;
        if (ends_with(text, length, "flops"))
            return length - 4;
        if (ends_with(text, length, "flop"))
            return length - 3;
    }
    return length;
}

static const struct suffix *find_suffix(enum rc_dimension dimension, const char *text,
                                        size_t length)
{
    for (const struct suffix *s = dimensions[dimension].suffixes; s->text; s++)
        if (strlen(s->text) == length && memcmp(s->text, text, length) == 0)
            return s;
    return NULL;
}

/* Mbps has always meant bits. */
static const struct suffix *find_bps(const char *text, size_t length)
{
    char suffix[8];

    if (length < 3 || length > 4 || memcmp(text + length - 3, "bps", 3) != 0)
        return NULL;
    snprintf(suffix, sizeof suffix, "%.*sbit", length > 3 ? 1 : 0, text);
    return find_suffix(RC_RATE, suffix, strlen(suffix));
}

/* HH:MM:SS and D-HH:MM:SS, as in Slurm. */
static int parse_clock(const char *text, size_t length, double *value)
{
    double parts[4] = {0, 0, 0, 0};
    size_t at = 0, taken;
    int count = 0, days;

    if (!memchr(text, ':', length))
        return -1;
    days = memchr(text, '-', length) != NULL;
    while (count < 4 && at < length) {
        if (text[at] < '0' || text[at] > '9')
            return -1;
        taken = rc_number_scan(text + at, length - at, &parts[count]);
        at += taken;
        if (at < length && text[at++] != (count == 0 && days ? '-' : ':'))
            return -1;
        count++;
    }
    if (at < length || count != 3 + days || text[length - 1] == ':' || parts[count - 1] >= 60 ||
        parts[count - 2] >= 60 || parts[count - 2] != floor(parts[count - 2]) ||
        parts[count - 3] != floor(parts[count - 3]) || parts[0] != floor(parts[0]))
        return -1;
    *value = parts[count - 1] + 60 * parts[count - 2] + 3600 * parts[count - 3] +
             (days ? 86400 * parts[0] : 0);
    return 0;
}

int rc_unit_parse_elapsed(const char *text, size_t length, double *value, bool *in_minutes,
                          struct rc_error *error)
{
    const char *colon = memchr(text, ':', length);
    size_t minutes = colon ? (size_t)(colon - text) : 0;
    char clock[40];

    *in_minutes = false;
    if (minutes >= 1 && minutes <= 2 && length >= minutes + 3 && length <= 30 &&
        (length == minutes + 3 || text[minutes + 3] == '.')) {
        snprintf(clock, sizeof clock, "00:%.*s", (int)length, text);
        *in_minutes = parse_clock(clock, strlen(clock), value) == 0;
    }
    return *in_minutes ? 0 : rc_unit_parse(text, length, RC_SECONDS, value, error);
}

/* The hint for ambiguous suffixes. */
static void hint_ambiguous(enum rc_dimension dimension, const char *number, size_t number_length,
                           const char *suffix, size_t length, struct rc_error *error)
{
    int n = (int)number_length;

    if (dimension == RC_BYTES && length == 1 && strchr("kKMGTP", suffix[0])) {
        char k = suffix[0] == 'k' ? 'K' : suffix[0];
        rc_error_hint(error, "write %.*s%ciB (powers of 1024) or %.*s%cB (powers of 1000)", n,
                      number, k, n, number, suffix[0] == 'K' ? 'k' : suffix[0]);
    } else if (dimension == RC_RATE && length >= 1 && length <= 2 && suffix[length - 1] != 'B') {
        rc_error_hint(error, "write %.*s%.*sbit (bits) or %.*s%.*sB (bytes)", n, number, 1, suffix,
                      n, number, 1, suffix);
    }
}

int rc_unit_parse(const char *text, size_t length, enum rc_dimension dimension, double *value,
                  struct rc_error *error)
{
    const struct suffix *suffix;
    double number, total = 0, last_factor = INFINITY;
    size_t at = 0, taken, start, end, stripped;
    int parts = 0;

    if (dimension == RC_SECONDS && parse_clock(text, length, value) == 0)
        return 0;

    while (at < length || parts == 0) {
        taken = rc_number_scan(text + at, length - at, &number);
        if (taken == 0 || (parts > 0 && !(text[at] >= '0' && text[at] <= '9')))
            goto bad;
        start = end = at + taken;
        while (start < length && text[start] == ' ')
            start++;
        for (end = start; end < length && !(text[end] >= '0' && text[end] <= '9'); end++)
            ;
        if (taken == length && parts == 0) { /* a bare number, in base units */
            *value = number;
            return 0;
        }
        if (start == end)
            goto bad;
        stripped = strip_per_second(text + start, end - start, dimension);
        suffix = find_suffix(dimension, text + start, stripped);
        if (!suffix && dimension == RC_RATE)
            suffix = find_bps(text + start, end - start);
        if (!suffix) {
            rc_error_set(error, "'%.*s' is not %s", (int)length, text,
                         dimensions[dimension].expected);
            hint_ambiguous(dimension, text + at, taken, text + start, stripped, error);
            return -1;
        }
        /* Only times are written in several parts, from large to small: 1h30min. */
        if (parts > 0 && (dimension != RC_SECONDS || suffix->factor >= last_factor))
            goto bad;
        /* 1e-6 is no double, but 1e6 is: dividing makes 50us the double nearest to 0.00005. */
        total += suffix->factor < 1 ? number / round(1 / suffix->factor) : number * suffix->factor;
        last_factor = suffix->factor;
        at = end;
        parts++;
    }
    if (!isfinite(total))
        goto bad;
    *value = total;
    return 0;
bad:
    return rc_error_set(error, "'%.*s' is not %s", (int)(length < 200 ? length : 200), text,
                        dimensions[dimension].expected);
}

/* A duration of a minute or more: [D-]HH:MM:SS, as the time limits of Slurm. Fractions of a second
 * if `digits` needs more than whole seconds. */
static size_t format_clock(double seconds, int digits, char text[RC_UNIT_SIZE])
{
    static const double year = 365.25 * 86400, longest = 1e4 * 86400;
    int decimals = digits - 1 - (int)floor(log10(fabs(seconds)));
    double step, whole;
    long long days, rest;
    char number[RC_NUMBER_SIZE];

    if (fabs(seconds) >= longest) {
        step = pow(10, floor(log10(fabs(seconds / year))) - digits + 1);
        rc_number_format_short(round(seconds / year / step) * step, digits, number);
        return (size_t)snprintf(text, RC_UNIT_SIZE, "%s years", number);
    }
    decimals = decimals < 0 || digits <= DIGITS_OF_SECONDS ? 0 : decimals < 6 ? decimals : 6;
    step = pow(10, -decimals);
    whole = round(fabs(seconds) / step) * step;
    days = (long long)(whole / 86400);
    rest = (long long)(whole - (double)days * 86400);
    snprintf(number, sizeof number, "%.*f", decimals, whole - floor(whole));
    return (size_t)snprintf(text, RC_UNIT_SIZE, "%s%.0lld%s%02lld:%02lld:%02lld%s",
                            seconds < 0 ? "-" : "", days, days > 0 ? "-" : "", rest / 3600,
                            rest / 60 % 60, rest % 60, number + 1);
}

static size_t format_digits(double value, enum rc_dimension dimension, int digits,
                            char text[RC_UNIT_SIZE])
{
    const struct suffix *best = NULL;
    char number[RC_NUMBER_SIZE];
    double size = fabs(value), almost = 1 - 0.5 * pow(10, -digits);

    if (isnan(value))
        return (size_t)snprintf(text, RC_UNIT_SIZE, "-");
    if (dimension == RC_SECONDS && isfinite(value) &&
        size >= 60 - 0.5 * pow(10, 2 - digits)) /* what rounds to 60 s */
        return format_clock(value, digits, text);
    if (dimension == RC_FRACTION) {
        rc_number_format_short(value * 100, digits, number);
        return (size_t)snprintf(text, RC_UNIT_SIZE, "%s%%", number);
    }
    /* The largest unit with a value of at least 1, else the smallest. */
    for (const struct suffix *s = dimensions[dimension].suffixes; s->text; s++)
        if (s->written && (!best || (size >= s->factor * almost && s->factor > best->factor)))
            best = s;
    if (value == 0 && dimension == RC_SECONDS)
        best = find_suffix(RC_SECONDS, "s", 1);
    rc_number_format_short(best ? value / best->factor : value, digits, number);
    return (size_t)snprintf(text, RC_UNIT_SIZE, "%s%s", number, best ? best->written : "");
}

size_t rc_unit_format(double value, enum rc_dimension dimension, char text[RC_UNIT_SIZE])
{
    return format_digits(value, dimension, dimension == RC_SECONDS ? DIGITS_OF_SECONDS : DIGITS,
                         text);
}

void rc_unit_format_apart(double a, double b, enum rc_dimension dimension,
                          char a_text[RC_UNIT_SIZE], char b_text[RC_UNIT_SIZE])
{
    int digits = dimension == RC_SECONDS ? DIGITS_OF_SECONDS : DIGITS;

    do {
        format_digits(a, dimension, digits, a_text);
        format_digits(b, dimension, digits, b_text);
    } while (a != b && ++digits <= DIGITS_MAX && strcmp(a_text, b_text) == 0);
}

int rc_unit_parse_range(const char *text, enum rc_dimension dimension, struct rc_range *range,
                        struct rc_error *error)
{
    const char *dots = strstr(text, "..");
    struct rc_range result = {-INFINITY, INFINITY};

    if (!dots) {
        if (rc_unit_parse(text, strlen(text), dimension, &result.low, error))
            return -1;
        result.high = result.low;
    } else {
        if (dots == text && dots[2] == '\0')
            return rc_error_set(error, "'..' has no end: write A..B, A.. or ..B");
        if (dots > text &&
            rc_unit_parse(text, (size_t)(dots - text), dimension, &result.low, error))
            return -1;
        if (dots[2] && rc_unit_parse(dots + 2, strlen(dots + 2), dimension, &result.high, error))
            return -1;
        if (result.low > result.high)
            return rc_error_set(error, "'%s' ends before it begins", text);
    }
    *range = result;
    return 0;
}
