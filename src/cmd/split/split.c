// SPDX-License-Identifier: GPL-3.0-or-later
/* split.c - 'runcast split': divides the work of a run over hosts. */
#include "cmd/split/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/split_fields.h"
#include "base/clock.h"
#include "base/error.h"
#include "cmd/core/commands.h"

/* ---- what is asked ---- */

static enum rc_policy policy_of(const struct rc_cmd_split_options *options)
{
    int policy = 0;

    if (!isnan(options->tuning_factor))
        return RC_POLICY_TUNED;
    while (strcmp(rc_split_policy_name((enum rc_policy)policy), options->policy) != 0)
        policy++;
    return (enum rc_policy)policy;
}

static void set_paces(struct rc_cmd_split *asked)
{
    const struct rc_cmd_split_options *options = asked->options;
    struct rc_split_paces *paces = &asked->paces;

    paces->run =
        (struct rc_host_times){.app = options->app,
                               .platform = asked->platform,
                               .hosts = (const char *const *)asked->list.names,
                               .n_hosts = asked->list.count,
                               .size = options->size,
                               .processes = (double)asked->list.count * (double)options->per_host,
                               .params = asked->params,
                               .n_params = asked->n_params,
                               .at = asked->question.at};
    paces->seed = (uint64_t)options->seed;
    paces->high_power = options->high_power;
    paces->fixed_given = options->fixed.n > 0;
    paces->ahead = asked->policy >= RC_POLICY_FORECAST;
}

/* As the library checks it, which does not know what the user can do about it. */
static int check_room(const struct rc_cmd_split *asked, struct rc_error *error)
{
    double room = 0;

    for (size_t h = 0; h < asked->list.count; h++)
        room += floor(asked->hosts[h].most);
    if (room >= (double)asked->question.units)
        return 0;
    rc_error_set(error, "the hosts can take only %.0f of %.0f units", room,
                 (double)asked->question.units);
    return rc_error_hint(error, "take more hosts, or hosts with more memory%s%s",
                         asked->options->max_units.n ? ", or a larger --max-units" : "",
                         isnan(asked->options->memory_per_unit)
                             ? ""
                             : ", or a smaller --memory-per-unit");
}

static int read_samples(struct rc_cmd_split *asked, struct rc_db *db, struct rc_error *error)
{
    const char *const *names = (const char *const *)asked->list.names;
    double at = asked->question.at;

    for (size_t h = 0; h < asked->list.count; h++) {
        struct rc_sample *samples;

        if (rc_split_read(db, names[h], at, asked->list.count, &samples, &asked->hosts[h].n_samples,
                          error))
            return -1;
        asked->hosts[h].samples = samples;
    }
    return rc_forecast_freshness_find(db, names, asked->list.count, at, &asked->freshness, error);
}

static int prepare(struct rc_cmd_split *asked, struct rc_db *db, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    struct rc_split_question *question = &asked->question;

    question->hosts = asked->hosts;
    question->n_hosts = asked->list.count;
    question->coupling =
        strcmp(options->coupling, "loose") == 0 ? RC_COUPLING_LOOSE : RC_COUPLING_TIGHT;
    question->quantile = isnan(options->confidence) ? 0.9 : options->confidence;
    if (asked->policy != RC_POLICY_QUANTILE && !options->explain && !options->json)
        question->quantile = NAN;
    question->factor = options->tuning_factor;
    question->current = asked->current;
    question->scenarios = (size_t)options->samples;
    question->seed = (uint64_t)options->seed;
    question->units = options->units ? options->units : (int64_t)round(options->size);
    set_paces(asked);
    if (rc_split_paces_find(&asked->paces, db, question, asked->hosts, error))
        return -1;
    question->paces_only = isnan(asked->paces.dedicated);
    if (options->running)
        rc_split_leave(question, asked->hosts, asked->all_done);
    if (check_room(asked, error))
        return -1;
    return db ? read_samples(asked, db, error) : 0;
}

/* ---- the command ---- */

static int answer(struct rc_cmd_split *asked, struct rc_cmd_work *work, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    char path[4096];
    struct rc_error why;
    struct rc_db *db =
        rc_cmd_try_db(options->db, RC_DB_READ, &work->monitor, path, sizeof path, &why);
    int status;

    if (!db && options->db)
        return rc_error_set(error, "%s", why.text);
    if (!db)
        rc_cmd_note("no database is used: %s", why.text);
    status = prepare(asked, db, error);
    rc_db_close(db);
    if (status == 0)
        status = rc_split_make(&asked->question, &asked->split, &work->monitor, error);
    return status;
}

static void free_asked(struct rc_cmd_split *asked)
{
    for (size_t h = 0; asked->hosts && h < asked->list.count; h++)
        free((void *)(uintptr_t)asked->hosts[h].samples);
    rc_split_free(&asked->split);
    free(asked->paces.speed);
    rc_split_paces_free(&asked->paces);
    rc_platform_destroy(asked->platform);
    free(asked->hosts);
    free(asked->current);
    rc_platform_hostlist_free(&asked->list);
}

static int run_split(struct rc_invocation *invocation)
{
    const struct rc_cmd_split_options *options = invocation->options;
    struct rc_cmd_split asked = {.options = options};
    struct rc_clock *clock = rc_clock_system();
    struct rc_cmd_work work;
    struct rc_error error = {.text = ""};
    int status = rc_cmd_split_check(invocation, options);

    if (status != RC_EXIT_OK)
        return status;
    asked.policy = policy_of(options);
    asked.question.at = isnan(options->at) ? clock->wall(clock) : options->at;
    status = rc_cmd_split_read(&asked, &error);
    if (status != RC_EXIT_OK) {
        status = status == RC_EXIT_USAGE ? rc_cmd_usage(invocation, &error)
                                         : rc_cmd_fail(&error, "reading the platform");
        free_asked(&asked);
        return status;
    }
    rc_cmd_work_begin(&work, "dividing the work");
    status = answer(&asked, &work, &error);
    rc_cmd_work_end(&work);
    if (status == 0) {
        rc_cmd_split_notes(&asked);
        status = rc_cmd_split_show(&asked, &error);
    }
    if (status == 0 && options->plot)
        status = rc_cmd_split_plot(&asked, &work.monitor, &error);
    free_asked(&asked);
    return status ? rc_cmd_fail(&error, "dividing the work of %s", options->app) : RC_EXIT_OK;
}

const struct rc_command rc_command_split = {
    .name = "split",
    .summary = "Divide the work of a run over hosts",
    .details =
        "Prints the share of the work for each process, as the option --split of the programs in "
        "apps/ takes it. Fast and idle hosts get more.\n\n"
        "The default policy minimizes the expected run time over load scenarios of the hosts' "
        "forecast load. With --policy quantile, it minimizes P90 of the run time. The other "
        "policies balance the times of hosts: by the mean CPU availability of the last minutes "
        "(mean), by its last value (last), or by its forecast (forecast). 95tf adds two standard "
        "deviations to mean times, and vtf a number that depends on how many hosts vary.\n\n"
        "With --running, the remaining work of a run is divided again. --done gives the finished "
        "share. With --current, runcast shows what moving work saves.\n\n"
        "The prediction interval includes the error of the model that predicts the dedicated run "
        "time. The error of --dedicated is unknown, so the interval has that of the load only. "
        "Without CPU samples, there is then no interval.\n\n"
        "Hosts without CPU samples are assumed idle.",
    .examples = "  runcast split -a sor -s 2000 --hosts a[1-4]\n"
                "  runcast split -a sor -s 2000 --hosts a[1-4] --dedicated 40s --explain\n"
                "  runcast split -a ga -s 500 --hosts a1,b1 --speed b1=2 --speed a1=1 \\\n"
                "      --coupling loose --policy vtf\n"
                "  runcast split -a sor -s 2000 --hosts a[1-4] --running --done 0.3 \\\n"
                "      --current 0.25,0.25,0.25,0.25\n",
    .options = rc_cmd_split_option_table,
    .options_size = sizeof(struct rc_cmd_split_options),
    .defaults = &rc_cmd_split_defaults,
    .answers = {rc_answer_split},
    .run = run_split,
};
