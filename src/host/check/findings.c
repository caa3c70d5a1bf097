// SPDX-License-Identifier: GPL-3.0-or-later
/* findings.c - the verdict, facts and advice of a check. */
#include "host/check/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *rc_check_verdict_name(enum rc_verdict verdict)
{
    static const char *const names[RC_VERDICTS] = {
        [RC_VERDICT_OK] = "ok",
        [RC_VERDICT_LIMITED] = "limited",
        [RC_VERDICT_MISSING] = "missing",
        [RC_VERDICT_BROKEN] = "broken",
    };

    return names[verdict];
}

void rc_check_fact(struct rc_finding *finding, const char *format, ...)
{
    size_t used = strlen(finding->fact);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(finding->fact + used, sizeof finding->fact - used, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(finding->fact, sizeof finding->fact);
}

void rc_check_judge(struct rc_finding *finding, enum rc_verdict verdict, const char *format, ...)
{
    va_list arguments;

    if (verdict <= finding->verdict)
        return;
    finding->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(finding->advice, sizeof finding->advice, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(finding->advice, sizeof finding->advice);
}
