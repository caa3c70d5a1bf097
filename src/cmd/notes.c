// SPDX-License-Identifier: GPL-3.0-or-later
/* notes.c - what 'runcast predict', 'advise' and 'split' note alike. */
#include "cmd/notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "platform/hostlist.h"

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

/* ---- hosts ---- */

enum { NAMED = 120 }; /* bytes of hosts in a note */

void rc_cmd_note_speeds(const struct rc_platform *platform, const char *file, const char *result)
{
    const char **names = calloc(rc_platform_host_count(platform) + 1, sizeof *names);
    char *lacking = NULL;
    size_t n = 0;

    for (size_t c = 0; names && c < platform->n_clusters; c++)
        for (size_t i = 0; i < platform->clusters[c].n_hosts; i++)
            if (isnan(platform->clusters[c].hosts[i].speed))
                names[n++] = platform->clusters[c].hosts[i].name;
    if (n > 0)
        lacking = rc_hostlist_compress(names, n, NULL);
    rc_cmd_note("the platform says the speeds of some hosts, and not of %.*s%s: %s (add 'speed: 2Gf', or "
                "what they do, in %s)",
                NAMED, lacking ? lacking : "some hosts",
                lacking && strlen(lacking) > NAMED ? "..." : "", result, file);
    free(lacking);
    free(names);
}

/* ---- models ---- */

void rc_cmd_note_elsewhere(const struct rc_predict_source *source)
{
    if (source->elsewhere.text[0])
        rc_cmd_note("%s: runs on other platforms are learnt from", source->elsewhere.text);
}
