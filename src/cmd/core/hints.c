// SPDX-License-Identifier: GPL-3.0-or-later
/* hints.c - the hint for each error code of the library.
 *
 * The library does not know the command line: its errors have a code and facts.  Here the code
 * becomes the option or the command that helps.  {1}, {2} ... stand for the facts. */
#include "cmd/core/hints.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct hint {
    const char *code, *text;
};

static const struct hint hints[] = {
    /* ---- src/base ----
     */

    /* ---- src/report ----
     */

    /* ---- src/mpi/trace ----
     */

    /* ---- src/mpi/preload ----
     */

    /* ---- src/platform ----
     */

    /* ---- src/stats/value ----
     */

    /* ---- src/stats/series ----
     */

    /* ---- src/db ----
     */

    /* ---- src/host/sense ----
     */

    /* ---- src/host/watch ----
     */

    /* ---- src/host/observe ----
     */

    /* ---- src/testbed/load ----
     */

    /* ---- src/testbed/nodes ----
     */

    /* ---- src/testbed/sim ----
     */

    /* ---- src/forecast ----
     */

    /* ---- src/run ----
     */

    /* ---- src/model/regression ----
     */

    /* ---- src/model/slowdown ----
     */

    /* ---- src/model/scaling ----
     */
    {"scaling.fit-again", "fit them again with 'runcast scale fit'"},

    /* ---- src/model/skeleton ----
     */

    /* ---- src/model/structural ----
     */

    /* ---- src/predict ----
     */

    /* ---- src/advise/place ----
     */

    /* ---- src/advise/split ----
     */

    {"base.no-memory", ""},
};

/* The fact of that number, from 1, and its length; NULL: there is none. */
static const char *find_fact(const char *facts, int number, int *length)
{
    for (; number > 1 && facts; number--) {
        facts = strchr(facts, '\n');
        facts = facts ? facts + 1 : NULL;
    }
    *length = facts ? (int)strcspn(facts, "\n") : 0;
    return facts;
}

static void fill_in(const char *text, const char *facts, char hint[RC_HINT_SIZE])
{
    hint[0] = '\0';
    while (*text) {
        if (text[0] == '{' && text[1] >= '1' && text[1] <= '9' && text[2] == '}') {
            int length;
            const char *fact = find_fact(facts, text[1] - '0', &length);

            rc_text_append(hint, RC_HINT_SIZE, "%.*s", length, fact ? fact : "");
            text += 3;
        } else
            rc_text_append(hint, RC_HINT_SIZE, "%c", *text++);
    }
}

bool rc_cmd_hint(const struct rc_error *error, char hint[RC_HINT_SIZE])
{
    snprintf(hint, RC_HINT_SIZE, "%s", error->hint);
    for (size_t i = 0; error->code && !hint[0] && i < sizeof hints / sizeof *hints; i++)
        if (strcmp(hints[i].code, error->code) == 0)
            fill_in(hints[i].text, error->facts, hint);
    return hint[0] != '\0';
}
