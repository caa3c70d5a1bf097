// SPDX-License-Identifier: GPL-3.0-or-later
/* question.c - the options of 'runcast advise', and the platform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "cmd/advise/advise.h"
#include "cmd/core/procs_list.h"
#include "cmd/core/time_limit.h"
#include "report/plot.h"
#include "run/command_template.h"
#include "platform/platform.h"
#include "platform/hostlist.h"

#define CONFIDENCE 0.95 /* by default */

/* ---- options alone ---- */

static int check_probe(const struct rc_invocation *invocation,
                       const struct rc_cmd_advise_options *options)
{
    if (!options->probe && (options->trace || options->skeleton))
        return rc_cmd_usage_text(invocation, "--trace and --skeleton need --probe COMMAND");
    if (!options->probe)
        return RC_EXIT_OK;
    if (!options->trace || !options->skeleton)
        return rc_cmd_usage_text(invocation, "--probe needs --trace DIR and --skeleton PROGRAM");
    if (!rc_run_template_has(options->probe, "skeleton") ||
        !rc_run_template_has(options->probe, "hosts"))
        return rc_cmd_usage_text(invocation, "--probe: the command must have {skeleton} and "
                                             "{hosts}: 'mpirun -np {procs} -host {hosts} "
                                             "{skeleton}'");
    if (options->procs)
        return rc_cmd_usage_text(invocation, "--procs: a skeleton has as many processes as its "
                                             "trace; leave --procs out");
    return RC_EXIT_OK;
}

static bool is_probability(double value)
{
    return value > 0 && value < 1;
}

int rc_cmd_advise_check(const struct rc_invocation *invocation,
                        const struct rc_cmd_advise_options *options)
{
    struct rc_error error;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "missing --app NAME");
    if (!(options->size > 0))
        return rc_cmd_usage_text(invocation, "missing --size N, above 0");
    if (!options->platform_file)
        return rc_cmd_usage_text(invocation, "missing --platform-file FILE");
    if (!isnan(options->deadline) && !(options->deadline > 0))
        return rc_cmd_usage_text(invocation, "--deadline must be above 0");
    if (!isnan(options->confidence) && isnan(options->deadline))
        return rc_cmd_usage_text(invocation, "--confidence needs --deadline TIME");
    if (!isnan(options->confidence) && !is_probability(options->confidence))
        return rc_cmd_usage_text(invocation, "--confidence must be between 0 and 1");
    if (rc_cmd_check_risk(invocation, options->risk))
        return RC_EXIT_USAGE;
    if (!isnan(options->memory) && !(options->memory > 0))
        return rc_cmd_usage_text(invocation, "--memory must be above 0");
    if (options->shortlist > RC_SEARCH_SHORTLIST_MAX)
        return rc_cmd_usage_text(invocation, "--shortlist: at most %d", RC_SEARCH_SHORTLIST_MAX);
    if (options->samples > RC_PREDICT_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--samples: at most %d", RC_PREDICT_DRAWS_MAX);
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return check_probe(invocation, options);
}

/* ---- the platform ---- */

static void hint_at_file(const char *path, struct rc_error *error)
{
    static const char *const endings[] = {".yaml", ".yml"};
    char near[4096];

    if (access(path, F_OK) == 0)
        return;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (snprintf(near, sizeof near, "%s%s", path, endings[i]) < (int)sizeof near &&
            access(near, R_OK) == 0) {
            rc_error_hint(error, "did you mean %s?", near);
            return;
        }
    rc_error_hint(error,
                  "'man runcast-platform' describes platform files; --platform-file takes the "
                  "path of one");
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reports the missing hosts, and those of the platform. */
static int report_missing(const struct rc_platform *platform, const char *const *missing, size_t n,
                          const char *const *all, size_t n_all, struct rc_error *error)
{
    char *absent = rc_platform_hostlist_compress(missing, n, error);
    char *has = absent ? rc_platform_hostlist_compress(all, n_all, error) : NULL;

    if (has) {
        if (n == 1)
            rc_error_set(error, "--hosts: no host %.200s in the platform %s", absent,
                         platform->name);
        else
            rc_error_set(error, "--hosts: %zu hosts are not in the platform %s: %.200s%s", n,
                         platform->name, absent, strlen(absent) > 200 ? "..." : "");
        rc_error_hint(error, "its hosts are %.200s%s", has, strlen(has) > 200 ? "..." : "");
    }
    free(absent);
    free(has);
    return -1;
}

/* `named` is sorted afterwards. */
static int check_named(const struct rc_platform *platform, struct rc_hostlist *named,
                       struct rc_error *error)
{
    size_t n_all = rc_platform_host_count(platform), n = 0, n_missing = 0;
    const char **all = calloc(2 * n_all + 1, sizeof *all), **sorted;
    const char **missing = calloc(named->count + 1, sizeof *missing);
    int status = all && missing ? 0 : rc_error_no_memory(error);

    if (status == 0) {
        sorted = all + n_all;
        for (size_t c = 0; c < platform->n_clusters; c++)
            for (size_t i = 0; i < platform->clusters[c].n_hosts; i++)
                all[n++] = platform->clusters[c].hosts[i].name;
        memcpy(sorted, all, n_all * sizeof *all);
        qsort(sorted, n_all, sizeof *sorted, by_text);
        for (size_t i = 0; i < named->count; i++)
            if (!bsearch(&named->names[i], sorted, n_all, sizeof *sorted, by_text))
                missing[n_missing++] = named->names[i];
        if (n_missing > 0)
            status = report_missing(platform, missing, n_missing, all, n_all, error);
    }
    if (named->count > 0)
        qsort(named->names, named->count, sizeof *named->names, by_text);
    free(all);
    free(missing);
    return status;
}

static int check_costs(const struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_place_advice *advice = &asked->advice;

    if (isnan(advice->aim.budget))
        return 0;
    for (size_t i = 0; i < advice->n_hosts; i++)
        if (!isnan(advice->clusters[advice->hosts[i].cluster].cost))
            return 0;
    rc_error_set(error, "--budget: no cluster%s has a cost",
                 asked->options->hosts ? " of these hosts" : "");
    return rc_error_hint(error, "add 'cost: NUMBER', for one core-hour, to the clusters in %s",
                         asked->options->platform_file);
}

static int read_named(const char *hosts, struct rc_hostlist *named, struct rc_error *error)
{
    struct rc_error inner;

    if (!hosts ||
        rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, named, &inner) == 0)
        return 0;
    return rc_error_set(error, "--hosts: '%.100s': %.300s", hosts, inner.text);
}

static int read_procs(struct rc_cmd_advise *asked, struct rc_error *error)
{
    struct rc_cmd_procs procs = {0};
    int status = rc_cmd_procs_read(asked->options->procs, INT64_MAX, &procs, error);

    asked->advice.procs = procs.numbers;
    asked->advice.n_procs = procs.n;
    return status;
}

/* ---- the question ---- */

static enum rc_objective objective_of(const char *name)
{
    return strcmp(name, "cost") == 0   ? RC_OBJECTIVE_COST
           : strcmp(name, "risk") == 0 ? RC_OBJECTIVE_RISK
                                       : RC_OBJECTIVE_TIME;
}

static void set_question(struct rc_cmd_advise *asked, double budget)
{
    const struct rc_cmd_advise_options *options = asked->options;
    struct rc_place_advice *advice = &asked->advice;
    struct rc_question *question = &advice->question;
    struct rc_clock *clock = rc_clock_system();

    rc_predict_question_init(question, options->app);
    question->platform = asked->platform->name;
    question->platform_file = asked->platform;
    question->size = options->size;
    question->params = asked->params;
    question->n_params = asked->n_params;
    question->start = isnan(options->at) ? clock->wall(clock) : options->at;
    question->seed = (uint64_t)options->seed;
    advice->aim = (struct rc_aim){objective_of(options->objective), options->deadline,
                                  isnan(options->confidence) ? CONFIDENCE : options->confidence,
                                  budget, asked->platform->currency};
    advice->shortlist = (size_t)options->shortlist;
    advice->samples = (size_t)options->samples;
    advice->whole_hosts = options->whole_hosts;
}

/* The platform, with the hosts of it that may be used. */
static int read_platform(struct rc_cmd_advise *asked, struct rc_hostlist *named, double budget,
                         struct rc_error *error)
{
    asked->platform = rc_platform_load(asked->options->platform_file, error);
    if (!asked->platform) {
        hint_at_file(asked->options->platform_file, error);
        return -1;
    }
    set_question(asked, budget);
    return check_named(asked->platform, named, error) ||
                   rc_place_advice_hosts(&asked->advice, named, asked->options->memory, error)
               ? -1
               : 0;
}

int rc_cmd_advise_read(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_cmd_advise_options *options = asked->options;
    struct rc_hostlist named = {0};
    const char *currency;
    double budget;
    int status;

    asked->advice.original = NAN;
    if (read_procs(asked, error) ||
        rc_cmd_params_read(&options->params, asked->param_names, asked->params, &asked->n_params,
                           error) ||
        rc_cmd_advise_read_budget(options->budget, &budget, &currency, error) ||
        read_named(options->hosts, &named, error))
        return RC_EXIT_USAGE;
    status = read_platform(asked, &named, budget, error);
    rc_platform_hostlist_free(&named);
    if (status == 0)
        status = check_costs(asked, error) || rc_cmd_advise_check_budget(asked, currency, error)
                     ? -1
                     : 0;
    if (status == 0 && options->probe)
        status = rc_cmd_advise_trace(asked, error);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}
