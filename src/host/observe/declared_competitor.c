// SPDX-License-Identifier: GPL-3.0-or-later
/* declared_competitor.c - a program that competes with the predicted one on a host: its text form,
 * and estimates for unknown ones. */
#include "host/observe/declared_competitor.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"

double rc_observe_share_mean(struct rc_share share)
{
    return (share.low + share.high) / 2;
}

bool rc_observe_share_known(struct rc_share share)
{
    return share.low == share.high;
}

static bool has_trait(const struct rc_competitor *one, enum rc_competitor_trait trait)
{
    switch (trait) {
    case RC_COMPETITOR_COMPUTES:
        return one->compute.high > 0;
    case RC_COMPETITOR_COMMUNICATES:
        return one->communicate.high > 0;
    case RC_COMPETITOR_USES_MEMORY:
        return one->memory > 0 && one->compute.high > 0;
    case RC_COMPETITOR_UNKNOWN:
        return one->unknown;
    case RC_COMPETITOR_LEAVES:
        return isfinite(one->stay);
    case RC_COMPETITOR_CYCLES:
        return one->cycle > 0;
    case RC_COMPETITOR_CYCLES_IN_VAIN:
        break;
    }
    return one->cycle > 0 && (one->compute.low >= 1 || one->communicate.low >= 1 ||
                              (one->compute.high <= 0 && one->communicate.high <= 0));
}

size_t rc_observe_competitors_count(const struct rc_competitor *competitors, size_t n,
                                    enum rc_competitor_trait trait)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += has_trait(&competitors[i], trait);
    return count;
}

/* The kernel's weights differ by a quarter from one nice value to the next (sched(7): about
 * 1.25). */
double rc_observe_competitor_nice_weight(int nice)
{
    return pow(1.25, -nice);
}

/* ---- reading ---- */

struct piece {
    const char *text;
    size_t length;
};

static int fail(const struct piece *piece, const char *what, const char *expected,
                struct rc_error *error)
{
    return rc_error_set(error, "%s: '%.*s' is not %s", what, (int)piece->length, piece->text,
                        expected);
}

static int parse_share(const struct piece *piece, const char *what, struct rc_share *share,
                       struct rc_error *error)
{
    static const char expected[] = "a share between 0 and 1, such as 0.45, 45% or 0.4..0.6";
    const char *dots = NULL;
    struct piece ends[2] = {*piece, *piece};

    for (size_t i = 0; i + 1 < piece->length && !dots; i++)
        if (piece->text[i] == '.' && piece->text[i + 1] == '.')
            dots = piece->text + i;
    if (dots) {
        ends[0].length = (size_t)(dots - piece->text);
        ends[1].text = dots + 2;
        ends[1].length = piece->length - ends[0].length - 2;
    }
    if (rc_unit_parse(ends[0].text, ends[0].length, RC_FRACTION, &share->low, NULL) ||
        rc_unit_parse(ends[1].text, ends[1].length, RC_FRACTION, &share->high, NULL) ||
        !(fmin(share->low, share->high) >= 0 && fmax(share->low, share->high) <= 1))
        return fail(piece, what, expected, error);
    if (share->low > share->high)
        return rc_error_set(error, "%s: reversed range '%.*s'; write %.*s..%.*s", what,
                            (int)piece->length, piece->text, (int)ends[1].length, ends[1].text,
                            (int)ends[0].length, ends[0].text);
    return 0;
}

/* The first part: "C:M", "C" or "?". */
static int parse_shares(const struct piece *piece, struct rc_competitor *competitor,
                        struct rc_error *error)
{
    const char *colon = memchr(piece->text, ':', piece->length);
    struct piece compute = *piece, communicate;

    if (piece->length == 1 && *piece->text == '?') {
        competitor->compute = (struct rc_share){0, 1};
        competitor->communicate = (struct rc_share){0, 0};
        competitor->unknown = true;
        return 0;
    }
    if (colon) {
        compute.length = (size_t)(colon - piece->text);
        communicate = (struct piece){colon + 1, piece->length - compute.length - 1};
        if (parse_share(&communicate, "communicating", &competitor->communicate, error))
            return -1;
    }
    return parse_share(&compute, "computing", &competitor->compute, error);
}

enum setting_kind { NAME, WEIGHT, NICE, CYCLE, MEMORY, STAY, AWAY, STEADY, COUNT, SETTINGS };

static const struct setting {
    const char *name;
    const char *expected;
    enum rc_dimension dimension;
    double low, high;
    size_t offset; /* of the member, if it is a number */
} settings[SETTINGS] = {
    [NAME] = {"name", "a name", RC_COUNT, 0, 0, 0},
    [WEIGHT] = {"weight", "a weight from 0.0001 to 10000", RC_COUNT, 1e-4, 1e4,
                offsetof(struct rc_competitor, weight)},
    [NICE] = {"nice", "a nice value from -20 to 19", RC_COUNT, -20, 19, 0},
    [CYCLE] = {"cycle", "a time such as 30s", RC_SECONDS, 0, 1e9,
               offsetof(struct rc_competitor, cycle)},
    [MEMORY] = {"memory-bound", "a share between 0 and 1", RC_FRACTION, 0, 1,
                offsetof(struct rc_competitor, memory)},
    [STAY] = {"stay", "a time above 0, such as 10min", RC_SECONDS, 1e-3, 1e9,
              offsetof(struct rc_competitor, stay)},
    [AWAY] = {"away", "a time above 0, such as 10min", RC_SECONDS, 1e-3, 1e9,
              offsetof(struct rc_competitor, away)},
    [STEADY] = {"steady", "without a value", RC_COUNT, 0, 0, 0},
    [COUNT] = {"count", "a whole number from 1 to 1048576", RC_COUNT, 1, RC_COMPETITORS_MAX, 0},
};

static void apply(enum setting_kind kind, double value, struct rc_competitor *competitor,
                  size_t *count)
{
    if (kind == NICE)
        competitor->weight = rc_observe_competitor_nice_weight((int)value);
    else if (kind == STEADY)
        competitor->steady = true;
    else if (kind == COUNT)
        *count = (size_t)value;
    else
        *(double *)((char *)competitor + settings[kind].offset) = value;
}

static int take_name(const struct piece *value, struct rc_competitor *competitor,
                     struct rc_error *error)
{
    if (value->length == 0 || value->length >= sizeof competitor->name)
        return fail(value, "name", "a name of 1 to 39 bytes", error);
    memcpy(competitor->name, value->text, value->length);
    competitor->name[value->length] = '\0';
    return 0;
}

/* Refuses settings that exclude or need one another. */
static int check_settings(unsigned said, struct rc_error *error)
{
    if (said & 1u << NICE && said & 1u << WEIGHT)
        return rc_error_set(error, "use either nice or weight");
    if (said & 1u << AWAY && !(said & 1u << STAY))
        return rc_error_set(error, "away=TIME needs stay=TIME");
    return 0;
}

/* "KEY=VALUE" or "steady". */
static int parse_setting(const struct piece *piece, struct rc_competitor *competitor, size_t *count,
                         unsigned *said, struct rc_error *error)
{
    const char *equals = memchr(piece->text, '=', piece->length);
    size_t key = equals ? (size_t)(equals - piece->text) : piece->length, kind = 0;
    struct piece value = {equals ? equals + 1 : "", equals ? piece->length - key - 1 : 0};
    double number = 0;

    while (kind < SETTINGS && (strlen(settings[kind].name) != key ||
                               strncmp(settings[kind].name, piece->text, key) != 0))
        kind++;
    if (kind == SETTINGS) {
        rc_error_set(error, "unknown setting '%.*s' of a competitor", (int)key, piece->text);
        return rc_error_hint(
            error,
            "use name=, weight=, nice=, cycle=, memory-bound=, stay=, away=, count= or steady");
    }
    if (*said & 1u << kind)
        return rc_error_set(error, "duplicate setting %s", settings[kind].name);
    *said |= 1u << kind;
    if (kind == NAME)
        return take_name(&value, competitor, error);
    if ((kind == STEADY) != !equals ||
        (equals &&
         rc_unit_parse(value.text, value.length, settings[kind].dimension, &number, NULL)) ||
        !(number >= settings[kind].low && number <= settings[kind].high) ||
        ((kind == NICE || kind == COUNT) && number != floor(number)))
        return fail(&value, settings[kind].name, settings[kind].expected, error);
    apply((enum setting_kind)kind, number, competitor, count);
    return 0;
}

int rc_observe_competitor_parse(const char *text, struct rc_competitor *competitor, size_t *count,
                                struct rc_error *error)
{
    const char *at = text;
    unsigned said = 0;

    *competitor = (struct rc_competitor)RC_COMPETITOR_INIT;
    *count = 1;
    for (int number = 0;; number++) {
        struct piece piece = {at, strcspn(at, ",")};

        if (number == 0 ? parse_shares(&piece, competitor, error)
                        : parse_setting(&piece, competitor, count, &said, error))
            return -1;
        at += piece.length;
        if (!*at)
            break;
        at++;
    }
    return check_settings(said, error) || rc_observe_competitor_check(competitor, error) ? -1 : 0;
}

int rc_observe_competitor_check(const struct rc_competitor *competitor, struct rc_error *error)
{
    const struct rc_share *shares[] = {&competitor->compute, &competitor->communicate};

    for (int i = 0; i < 2; i++)
        if (!(shares[i]->low >= 0 && shares[i]->low <= shares[i]->high && shares[i]->high <= 1))
            return rc_error_set(error, "%s: share %g; it must be from 0 to 1",
                                i ? "communicating" : "computing",
                                shares[i]->low >= 0 ? shares[i]->high : shares[i]->low);
    if (rc_observe_share_mean(competitor->compute) +
            rc_observe_share_mean(competitor->communicate) >
        1 + 1e-9)
        return rc_error_set(
            error,
            "shares of computing (%g) and communicating (%g) of a competitor sum to "
            "more than 1",
            rc_observe_share_mean(competitor->compute),
            rc_observe_share_mean(competitor->communicate));
    if (!(competitor->weight > 0 && isfinite(competitor->weight)))
        return rc_error_set(error, "weight %g; it must be above 0", competitor->weight);
    if (!(competitor->cycle >= 0) || !(competitor->memory >= 0 && competitor->memory <= 1) ||
        !(competitor->stay > 0) || !(competitor->away >= 0))
        return rc_error_set(error,
                            "cycle and times of a competitor must be above 0, and its use of "
                            "memory from 0 to 1");
    return 0;
}

/* ---- those of which nothing is known ---- */

static double within(double low, double x, double high)
{
    return fmax(low, fmin(x, high));
}

/* On an idle host, each of `processes` processes gets `alone` of a core.  With k competitors, each
 * gets cores / (k + processes). */
static double others_by_habit(const struct rc_usual_load *usual, int cores)
{
    double processes = usual->processes > 0 ? usual->processes : 1;
    double alone = fmin(1, cores / processes);

    if (usual->mean >= RC_USUAL_LOAD_IDLE)
        return (1 / usual->mean - 1) * cores;
    return cores / (usual->mean * alone) - processes;
}

double rc_observe_competitors_missing(const struct rc_competitor *competitors, size_t n, int cores,
                                      const struct rc_usual_load *usual)
{
    double most = 0;

    if (usual->samples == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        most += competitors[i].unknown ? 1 : rc_observe_share_mean(competitors[i].compute);
    return fmax(0, others_by_habit(usual, cores) - most);
}

size_t rc_observe_competitors_fill(struct rc_competitor *competitors, size_t n, int cores,
                                   const struct rc_usual_load *usual)
{
    double known = 0, mean, wide;
    size_t unknown = 0;

    for (size_t i = 0; i < n; i++) {
        unknown += competitors[i].unknown;
        known += competitors[i].unknown ? 0 : rc_observe_share_mean(competitors[i].compute);
    }
    if (unknown == 0 || usual->samples == 0)
        return unknown;
    mean = (others_by_habit(usual, cores) - known) / (double)unknown;
    /* The derivative of 1 / a; a uniform range has a standard deviation of 1 / sqrt(12). */
    wide = sqrt(3) * usual->sd / (usual->mean * usual->mean) *
           fmax(cores, usual->processes > 0 ? usual->processes : 1) / (double)unknown;
    for (size_t i = 0; i < n; i++)
        if (competitors[i].unknown) {
            competitors[i].compute =
                (struct rc_share){within(0, mean - wide, 1), within(0, mean + wide, 1)};
            competitors[i].communicate = (struct rc_share){0, 0};
        }
    return unknown;
}

void rc_observe_competitor_couple(const double *work, const double *weights, size_t n,
                                  double *shares)
{
    double longest = 0;

    for (size_t i = 0; i < n; i++)
        longest = fmax(longest, work[i] / weights[i]);
    for (size_t i = 0; i < n; i++)
        shares[i] = longest > 0 ? work[i] / weights[i] / longest : 0;
}
