// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction_notes.c - the notes that 'runcast predict', 'advise' and 'split' share. */
#include "cmd/core/prediction_notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/unit.h"
#include "cmd/core/hints.h"
#include "platform/hostlist.h"

/* ---- the load ---- */

void rc_cmd_note_freshness(const struct rc_freshness *freshness, const char *const *hosts)
{
    char age[RC_UNIT_SIZE], more[64] = "";

    if (freshness->n_old == 0)
        return;
    rc_unit_format(freshness->age, RC_SECONDS, age);
    if (freshness->n_old > 1)
        snprintf(more, sizeof more, " (and of %zu more host%s)", freshness->n_old - 1,
                 freshness->n_old == 2 ? "" : "s");
    rc_cmd_note("old samples: the last CPU sample of %s is %s older than the start%s; its load is "
                "assumed ('runcast monitor' stores new samples)",
                hosts[freshness->oldest], age, more);
}

void rc_cmd_note_unwatched(const char *host, size_t n, size_t n_hosts)
{
    char some[64];

    if (n == 0)
        return;
    snprintf(some, sizeof some, "%zu of the %zu hosts", n, n_hosts);
    rc_cmd_note("no CPU samples of %s in the day before; assumed to be idle ('runcast monitor' "
                "stores samples)",
                n == 1 && host ? host
                : n == n_hosts ? "these hosts"
                               : some);
}

/* ---- hosts ---- */

enum { NAMED = 120 }; /* bytes of hosts in a note */

void rc_cmd_note_speeds(const struct rc_platform *platform, const char *file, const char *result)
{
    const char **names = calloc(rc_platform_host_count(platform) + 1, sizeof *names);
    char *missing = NULL;
    size_t n = 0;

    for (size_t c = 0; names && c < platform->n_clusters; c++)
        for (size_t i = 0; i < platform->clusters[c].n_hosts; i++)
            if (isnan(platform->clusters[c].hosts[i].speed))
                names[n++] = platform->clusters[c].hosts[i].name;
    if (n > 0)
        missing = rc_platform_hostlist_compress(names, n, NULL);
    rc_cmd_note(
        "the platform file has speeds of some hosts, but not of %.*s%s: %s (add 'speed: 2Gf', or "
        "their speed, to %s)",
        NAMED, missing ? missing : "some hosts", missing && strlen(missing) > NAMED ? "..." : "",
        result, file);
    free(missing);
    free(names);
}

void rc_cmd_note_slowest(const char *app)
{
    rc_cmd_note(
        "no run of '%s' in the database has one of these hosts; all runs are assumed to be on "
        "the slowest host",
        app);
}

/* ---- models ---- */

void rc_cmd_note_elsewhere(const struct rc_predict_source *source)
{
    const struct rc_regression_speeds *speeds = &source->hosts.speeds;

    if (source->elsewhere.text[0]) /* rc_cmd_note_slowest() reports the slowest host */
        rc_cmd_note("%s; the model uses runs on other platforms%s", source->elsewhere.text,
                    speeds->n == 0 ? ", as if their hosts were as fast as these"
                    : speeds->from == RC_WEIGHTS_SLOWEST ? ""
                                                         : ", compared by the speeds of hosts");
}

static bool has_param(const struct rc_regression_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_params; i++)
        if (strcmp(model->params[i], name) == 0)
            return true;
    return false;
}

void rc_cmd_note_params(const char *app, const struct rc_regression_model *model,
                        const struct rc_param *params, size_t n)
{
    char knows[200] = "";

    for (size_t i = 0; i < model->n_params; i++)
        rc_text_append(knows, sizeof knows, "%s%s", i ? ", " : "", model->params[i]);
    for (size_t i = 0; i < n; i++)
        if (!has_param(model, params[i].name))
            rc_cmd_note(
                "--param %s has no effect: the regression model of %s has no such parameter "
                "(it has: %s)",
                params[i].name, app, knows[0] ? knows : "none");
}

void rc_cmd_note_silent_methods(const struct rc_predict_answer *answer, unsigned models)
{
    for (int m = 0; m < RC_METHODS && answer->answered > 0; m++) {
        const struct rc_method_report *report = &answer->methods[m];
        char text[RC_HINT_SIZE], hint[RC_HINT_SIZE];

        if (!(models & 1U << m) || !report->asked || report->answered)
            continue;
        rc_cmd_error_text(&report->why, text);
        rc_cmd_hint(&report->why, hint);
        rc_cmd_note("method %s is unavailable: %s%s%s%s", rc_predict_method_name((enum rc_method)m),
                    text, hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
    }
}

void rc_cmd_fill_in_hints(struct rc_predict_answer *found)
{
    for (int m = 0; m < RC_METHODS; m++) {
        struct rc_error *why = &found->methods[m].why;
        char text[RC_HINT_SIZE];

        if (rc_cmd_hint(why, text))
            snprintf(why->hint, sizeof why->hint, "%.*s", (int)sizeof why->hint - 1, text);
        rc_cmd_error_text(why, text);
        snprintf(why->text, sizeof why->text, "%s", text);
    }
}

static const double counts_from = 0.1; /* the weight of a method that does */
static const double apart_from = 2;    /* the factor between times */

void rc_cmd_note_apart(const struct rc_predict_answer *answer)
{
    double least = INFINITY, most = 0;
    char said[300] = "";

    for (int m = 0; m < RC_METHODS; m++) {
        const struct rc_method_report *report = &answer->methods[m];
        /* One that is corrected by its own track record has its factor in it already. */
        double seconds =
            report->answer.summary.predicted * (report->answer.own ? 1 : report->factor);
        char time[RC_UNIT_SIZE];

        if (!report->answered || report->weight < counts_from)
            continue;
        rc_unit_format(seconds, RC_SECONDS, time);
        rc_text_append(said, sizeof said, "%s%s %s", said[0] ? ", " : "",
                       rc_predict_method_name((enum rc_method)m), time);
        least = fmin(least, seconds);
        most = fmax(most, seconds);
    }
    if (most > apart_from * least)
        rc_cmd_note(
            "the methods disagree: %s ('runcast predict --explain' shows their past accuracy)",
            said);
}

void rc_cmd_note_hosts_apart(const struct rc_predict_hosts *hosts)
{
    const struct rc_regression_apart *apart = &hosts->apart;

    if (apart->host)
        rc_cmd_note("runs with host %s took %.2g times as long as the model of the others: %s",
                    apart->host, apart->ratio,
                    hosts->speeds.n ? "check its speed in the platform file, and the load during "
                                      "these runs"
                                    : "if hosts differ in speed, use a platform file "
                                      "(--platform-file FILE)");
}
