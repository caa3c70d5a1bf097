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

#define SAY_HOSTS "--hosts a1,a2,... or, where all runs on this machine, --local"

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

/* The model that is nearest to the one asked for: what it has that is other, as options. */
static void say_nearest_model(const char *facts, char hint[RC_HINT_SIZE])
{
    static const char *const options[] = {"--cluster", "--network", "--per-host", "--cut",
                                          "a --size of"};
    bool any = false;

    hint[0] = '\0';
    for (int i = 0; i < (int)(sizeof options / sizeof *options); i++) {
        int length;
        const char *fact = find_fact(facts, i + 1, &length);

        if (length == 0)
            continue;
        rc_text_append(hint, RC_HINT_SIZE, "%s%s %.*s", any ? ", " : "there is one for ",
                       options[i], length, fact);
        any = true;
    }
    rc_text_append(hint, RC_HINT_SIZE,
                   "%s'runcast scale measure' and 'fit' with these options make %s",
                   any ? "; " : "", any ? "another" : "one");
}

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
    {"run.no-hosts", "say it: " SAY_HOSTS},
    {"run.no-processes", "say it: --procs P"},
    {"run.no-processes-or-hosts", "say it: --procs P, and " SAY_HOSTS},
    {"run.saved-to-file", "it is kept: 'runcast runs import {1}' adds it"},
    {"run.stored-already", "'runcast runs delete {1}' removes it"},
    {"run.trace-incomplete", "see 'runcast trace check {1}'"},

    /* ---- src/model/regression ----
     */

    /* ---- src/model/slowdown ----
     */

    /* ---- src/model/scaling ----
     */
    {"scaling.does-not-fit",
     "plan for more processes, or for fewer on a host (--per-host); where a "
     "cell takes less than the runs so far made believe, say so with "
     "--bytes-per-cell; 'measure --force' tries it"},
    {"scaling.few-hosts", "--hosts names those that the run itself may be on; small runs take the "
                          "slowest of them"},
    {"scaling.fit-again", "fit them again with 'runcast scale fit'"},
    {"scaling.missing-runs", "'runcast scale plan' lists the runs to make, and 'runcast scale "
                             "measure' makes those that are missing"},
    {"scaling.no-runs", "'runcast scale plan' lists the runs to make, and 'runcast scale measure' "
                        "makes them"},
    {"scaling.runs-disagree", "delete the odd ones ('runcast runs delete NUMBER') and make them "
                              "again on idle hosts, or take them as they are with --force"},
    {"scaling.smaller-runs", "run it; or ask for smaller ones, such as --small {1},{2}"},
    {"scaling.too-many-runs", "'runcast runs delete' deletes those that are not wanted"},
    {"scaling.third-size", "plan the runs with --check, which adds a third size"},

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
    if (error->code && !hint[0] && strcmp(error->code, "scaling.no-model") == 0)
        say_nearest_model(error->facts, hint);
    return hint[0] != '\0';
}
