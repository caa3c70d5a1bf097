// SPDX-License-Identifier: GPL-3.0-or-later
/* defaults.c - what 'runcast predict' takes from the runs of the app if the options leave it out.
 *
 * Hosts are taken only if they have had room for as many processes.  A platform file or a given
 * load takes the place of hosts. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "cmd/predict/predict.h"

/* "size" or "processes" is missing. */
static int lack(const struct rc_cmd_answer *answer, const char *option, const char *what)
{
    struct rc_error error;

    if (answer->common.n_runs == 0)
        rc_error_set(&error, "there are no runs of '%s' to take the %s from", answer->options->app,
                     what);
    else
        rc_error_set(&error, "the runs differ in the %s", what);
    rc_error_hint(&error, "use %s", option);
    rc_cmd_predict_fail(&error, answer->options);
    return RC_EXIT_USAGE;
}

static int take_procs(struct rc_cmd_answer *answer, struct rc_error *error)
{
    answer->numbers.numbers = malloc(sizeof *answer->numbers.numbers);
    if (!answer->numbers.numbers)
        return rc_error_no_memory(error);
    answer->numbers.numbers[0] = answer->common.procs;
    answer->numbers.n = answer->numbers.room = 1;
    answer->defaults |= RC_CMD_DEFAULT_PROCS;
    return 0;
}

static bool wants_hosts(const struct rc_cmd_predict_options *options)
{
    return !options->hosts && !options->platform_file && isnan(options->cpu) &&
           isnan(options->bandwidth);
}

static int take_hosts(struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_cmd_procs *numbers = &answer->numbers;
    const char *hosts = answer->common.hosts;

    if (!hosts || numbers->numbers[numbers->n - 1] > answer->common.most_procs)
        return 0;
    if (rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOST_FORECAST_HOSTS_MAX,
                                    &answer->hosts, error))
        return error->system ? -1 : 0; /* a text that is no list of hosts */
    if ((int64_t)answer->hosts.count > numbers->numbers[0]) {
        rc_platform_hostlist_free(&answer->hosts);
        answer->hosts = (struct rc_hostlist){0};
        return 0;
    }
    answer->defaults |= RC_CMD_DEFAULT_HOSTS;
    return 0;
}

int rc_cmd_predict_take_defaults(struct rc_cmd_answer *answer, struct rc_db *db)
{
    const struct rc_cmd_predict_options *options = answer->options;
    struct rc_common_run *common = &answer->common;
    struct rc_error error;

    if (!isnan(answer->size) && answer->numbers.n && !wants_hosts(options))
        return RC_EXIT_OK;
    if (rc_db_common_run_find(db, options->app, options->platform, common, &error))
        return rc_cmd_predict_fail(&error, options);
    if (isnan(answer->size)) {
        if (isnan(common->size))
            return lack(answer, "--size N", "size");
        answer->size = common->size;
        answer->defaults |= RC_CMD_DEFAULT_SIZE;
    }
    if (answer->numbers.n == 0) {
        if (common->procs == 0)
            return lack(answer, "--procs P", "number of processes");
        if (take_procs(answer, &error))
            return rc_cmd_predict_fail(&error, options);
    }
    return wants_hosts(options) && take_hosts(answer, &error) ? rc_cmd_predict_fail(&error, options)
                                                              : RC_EXIT_OK;
}

/* "those of all 5 runs" */
static void print_origin(const struct rc_cmd_answer *answer, const char *those)
{
    const struct rc_common_run *common = &answer->common;

    if (common->n_runs == 1)
        printf(" (%s of the run)\n", those);
    else
        printf(" (%s of %s %" PRIu64 " runs)\n", those, common->newest ? "the last" : "all",
               common->n_runs);
}

void rc_cmd_predict_defaults_show(const struct rc_cmd_answer *answer)
{
    char size[RC_NUMBER_SIZE];

    if (answer->defaults & RC_CMD_DEFAULT_SIZE) {
        rc_number_format_short(answer->size, 6, size);
        printf("size: %s", size);
        print_origin(answer, "that");
    }
    if (answer->defaults & RC_CMD_DEFAULT_PROCS) {
        printf("processes: %" PRId64, answer->procs);
        print_origin(answer, "that");
    }
    if (answer->defaults & RC_CMD_DEFAULT_HOSTS) {
        printf("hosts: %s", answer->common.hosts);
        print_origin(answer, "those");
    }
}

json_t *rc_cmd_predict_defaults_json(const struct rc_cmd_answer *answer)
{
    static const char *const names[] = {"size", "procs", "hosts"};
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (answer->defaults & 1U << i)
            json_array_append_new(list, rc_json_text(names[i]));
    return list;
}
