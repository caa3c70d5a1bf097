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

    /* ---- src/model/skeleton ----
     */

    /* ---- src/model/structural ----
     */
    {"structural.never-ends", "set other values with --set, or choose other hosts"},
    {"structural.benchmarks-damaged", "'runcast model measure FILE.rcm --forget all' removes it"},
    {"structural.name-hosts", "name the hosts with --hosts"},
    {"structural.no-hosts", "name them with --hosts, or give a platform file with --platform"},
    {"structural.no-recent-samples", "'runcast watch' or 'runcast sense' measures it; 'else' in "
                                     "the model says what counts otherwise"},
    {"structural.measure-nowhere", "name them with --hosts, or the platform file with --platform"},
    {"structural.other-run", "{{1}} in --command stands for it; with --timed nothing of what the "
                             "program says is looked at"},
    {"structural.bench-processes", "{p} in --bench stands for their number"},
    {"structural.bench-hosts", "{hosts} in --bench stands for the hosts; the launcher is to start "
                               "one process on each ('runcast lab sim' with --per-host 1)"},
    {"structural.model-faults", "'runcast model check' shows all that is wrong with it"},
    {"structural.damaged", "add it again with 'runcast model add'"},
    {"structural.newer-format",
     "a newer runcast made it; or add it again with 'runcast model add'"},
    {"structural.no-model", "add one with 'runcast model add --app {1} FILE.rcm'"},
    {"structural.other-platforms", "say which with --platform, or add one for any platform"},
    {"structural.set-for-all", "--set {1}=VALUE sets it for all"},
    {"structural.set", "set it with --set {1}"},
    {"structural.measure-or-set", "'runcast model measure' measures it; or set it with --set {1}"},
    {"structural.choose-section", "choose a platform with --on, such as --on {1}"},
    {"structural.name-platform", "name the file with --platform, or set it with --set '{1}=VALUE'"},
    {"structural.no-alternative", "'runcast model explain' shows for each way what is missing"},

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
