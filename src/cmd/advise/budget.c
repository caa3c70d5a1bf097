// SPDX-License-Identifier: GPL-3.0-or-later
/* budget.c - the budget of 'runcast advise'. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/advise/advise.h"

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
