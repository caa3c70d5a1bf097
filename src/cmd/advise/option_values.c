// SPDX-License-Identifier: GPL-3.0-or-later
/* option_values.c - options of 'runcast advise' that are lists, or amounts of money. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/advise/advise.h"

enum { PROCS_MOST = 4096 }; /* numbers of processes that a list may have */

/* ---- numbers of processes ---- */

static bool has_procs(const struct rc_cmd_advise *asked, int64_t procs)
{
    for (size_t i = 0; i < asked->advice.n_procs; i++)
        if (asked->advice.procs[i] == procs)
            return true;
    return false;
}

static bool is_count(const char *text, size_t length, double *value)
{
    return length > 0 && rc_number_parse(text, length, value) == 0 && *value == floor(*value) &&
           *value >= 1 && *value <= 1e9;
}

/* "8", or a range: "8..16" as in other options, or "8-16". */
static int read_range(const char *text, size_t length, double *low, double *high)
{
    size_t first = strcspn(text, "-.,"), gap = 0;

    if (first < length)
        gap = text[first] == '-' ? 1 : strncmp(text + first, "..", 2) == 0 ? 2 : 0;
    if (gap == 0)
        first = length;
    if (!is_count(text, first, low))
        return -1;
    *high = *low;
    return gap == 0 || is_count(text + first + gap, length - first - gap, high) ? 0 : -1;
}

static int add_range(struct rc_cmd_advise *asked, double low, double high, size_t *room,
                     struct rc_error *error)
{
    if (high < low)
        return rc_error_set(error, "--procs: '%.100s': the start of a range exceeds its end",
                            asked->options->procs);
    for (int64_t p = (int64_t)low; p <= (int64_t)high; p++) {
        if (has_procs(asked, p))
            continue;
        if (asked->advice.n_procs == PROCS_MOST)
            return rc_error_set(error, "--procs: '%.100s' is more than %d numbers",
                                asked->options->procs, PROCS_MOST);
        if (rc_array_room(&asked->advice.procs, asked->advice.n_procs + 1, room,
                          sizeof *asked->advice.procs, error))
            return -1;
        asked->advice.procs[asked->advice.n_procs++] = p;
    }
    return 0;
}

int rc_cmd_advise_read_procs(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const char *text = asked->options->procs;
    size_t room = 0;

    while (text && *text) {
        size_t length = strcspn(text, ",");
        double low, high;

        if (read_range(text, length, &low, &high)) {
            rc_error_set(error, "--procs: '%.100s' is not a list of numbers from 1",
                         asked->options->procs);
            return rc_error_hint(error, "write 8, or 4,8,16, or a range such as 8..16");
        }
        if (add_range(asked, low, high, &room, error))
            return -1;
        text += length + (text[length] == ',');
    }
    return 0;
}

/* ---- the budget ---- */

/* A number, with or without a currency behind it. */
int rc_cmd_advise_read_budget(const char *text, double *budget, const char **currency,
                              struct rc_error *error)
{
    size_t length = text ? strlen(text) : 0, used;

    *budget = NAN;
    *currency = "";
    if (!text)
        return 0;
    if (rc_unit_parse(text, length, RC_COUNT, budget, NULL)) {
        used = rc_number_scan(text, length, budget);
        *currency = text + used + strspn(text + used, " ");
        if (used == 0 || strpbrk(*currency, "0123456789+-.")) {
            rc_error_set(error, "--budget: '%.60s' is not a cost", text);
            return rc_error_hint(error, "write a number such as 2.5, in the platform's currency");
        }
    }
    return *budget >= 0 ? 0 : rc_error_set(error, "--budget: '%.60s' is below 0", text);
}

int rc_cmd_advise_check_budget(const struct rc_cmd_advise *asked, const char *currency,
                               struct rc_error *error)
{
    const char *own = asked->platform->currency;

    if (!currency[0] || strcasecmp(currency, own) == 0)
        return 0;
    if (!own[0]) {
        rc_error_set(error, "--budget: '%.60s': the platform has no currency",
                     asked->options->budget);
        return rc_error_hint(error, "write the number alone, or add 'currency: NAME' to %s",
                             asked->options->platform_file);
    }
    rc_error_set(error, "--budget: '%.60s': the currency of the platform is %.40s",
                 asked->options->budget, own);
    return rc_error_hint(error, "write the number alone, or followed by %.40s", own);
}
