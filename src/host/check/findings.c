// SPDX-License-Identifier: GPL-3.0-or-later
/* findings.c - what checks are made of: findings, and parsers of what programs and the kernel write.
 *
 * A file of control groups or mounts may hold anything, because users name groups: whatever does
 * not look as expected is passed over. */
#include "host/check/check.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* Version 1 says "no limit" with the largest number of pages that fits. */
#define MEMORY_UNLIMITED 0x1p62

/* ---- findings ---- */

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

/* ---- versions ---- */

/* The length of a version at `text`: digits, a dot, digits, and what hangs on them. */
static size_t version_length(const char *text)
{
    size_t digits = strspn(text, "0123456789"), length;

    if (digits == 0 || text[digits] != '.' || !isdigit((unsigned char)text[digits + 1]))
        return 0;
    for (length = digits; isalnum((unsigned char)text[length]) || text[length] == '.' ||
                          text[length] == '-' || text[length] == '+';)
        length++;
    while (!isalnum((unsigned char)text[length - 1]))
        length--;
    return length;
}

int rc_check_version(const char *text, const char *marker, char version[RC_VERSION_SIZE])
{
    static const char patch[] = " patchlevel ";
    const char *at = strstr(text, marker);
    size_t length = 0;

    version[0] = '\0';
    if (!at)
        return -1;
    for (at += strlen(marker); *at && (length = version_length(at)) == 0; at++)
        at += strspn(at, "0123456789") > 1 ? strspn(at, "0123456789") - 1 : 0;
    if (length == 0)
        return -1;
    if (strncmp(at + length, patch, sizeof patch - 1) == 0) {
        const char *level = at + length + sizeof patch - 1;

        snprintf(version, RC_VERSION_SIZE, "%.*s.%.*s", (int)length, at,
                 (int)strcspn(level, " \t\n"), level);
    } else {
        snprintf(version, RC_VERSION_SIZE, "%.*s", (int)length, at);
    }
    return 0;
}

const char *rc_check_mpi_name(const char *text)
{
    static const struct {
        const char *sign, *name;
    } known[] = {
        {"Open MPI", "Open MPI"},      {"OpenRTE", "Open MPI"}, {"Intel(R) MPI", "Intel MPI"},
        {"MVAPICH", "MVAPICH"},        {"MPICH", "MPICH"},      {"HYDRA", "MPICH"},
        {"SimGrid", "SimGrid's SMPI"},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(text, known[i].sign))
            return known[i].name;
    return NULL;
}

int rc_check_status_hex(const char *text, const char *name, uint64_t *value)
{
    size_t length = strlen(name);
    char *end;

    for (const char *line = text; *line; line += *line == '\n') {
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            line += length + 1 + strspn(line + length + 1, " \t");
            *value = strtoull(line, &end, 16);
            return end == line ? -1 : 0;
        }
        line += strcspn(line, "\n");
    }
    return -1;
}

/* ---- limits ---- */

double rc_check_memory_max(const char *text)
{
    double value;

    if (strncmp(text, "max", 3) == 0)
        return INFINITY;
    if (!rc_number_scan(text, strlen(text), &value))
        return NAN;
    return value >= MEMORY_UNLIMITED ? INFINITY : value;
}
