// SPDX-License-Identifier: GPL-3.0-or-later
/* notes.c - what 'runcast predict', 'advise' and 'split' note alike. */
#include "cmd/notes.h"

#include "base/unit.h"

/* ---- the load ---- */

void rc_cmd_note_freshness(const struct rc_freshness *freshness, const char *const *hosts)
{
    char age[RC_UNIT_SIZE];

    if (freshness->n_old == 0)
        return;
    rc_unit_format(freshness->age, RC_SECONDS, age);
    if (freshness->n_old == 1)
        rc_cmd_note("the last CPU sample of %s is %s older than the start: the load of then is "
                    "taken for that of now ('runcast watch' keeps samples coming)",
                    hosts[freshness->oldest], age);
    else
        rc_cmd_note("the last CPU samples of %zu hosts are older than the start, such as that of "
                    "%s by %s: the load of then is taken for that of now ('runcast watch' keeps "
                    "samples coming)",
                    freshness->n_old, hosts[freshness->oldest], age);
}

/* ---- models ---- */

void rc_cmd_note_elsewhere(const struct rc_predict_source *source)
{
    if (source->elsewhere.text[0])
        rc_cmd_note("%s: runs on other platforms are learnt from", source->elsewhere.text);
}
