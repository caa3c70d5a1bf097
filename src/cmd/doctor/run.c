// SPDX-License-Identifier: GPL-3.0-or-later
/* run.c - `runcast doctor`: what of this machine runcast can use, and what to do for more. */
#include "cmd/core/commands.h"

#include <signal.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/monitor.h"
#include "cmd/doctor/checks.h"

struct doctor_options {
    const char *db;
    bool json;
};

static const struct rc_option doctor_options[] = {
    RC_OPTION_DB(struct doctor_options),
    RC_OPTION_JSON(struct doctor_options),
    RC_OPTIONS_END,
};

static struct rc_doctor_tally count_up(const struct rc_finding *findings)
{
    struct rc_doctor_tally tally = {.works = true};

    for (; rc_doctor_checks[tally.total].id; tally.total++) {
        enum rc_verdict verdict = findings[tally.total].verdict;

        tally.of[verdict]++;
        if (verdict == RC_VERDICT_BROKEN && rc_doctor_checks[tally.total].essential)
            tally.works = false;
    }
    return tally;
}

/* Runs all checks; -1 where the user interrupted. */
static int examine(const char *db, struct rc_finding *findings, struct rc_error *error)
{
    struct rc_cmd_work work;
    struct rc_check_context context = {.db = db, .process = {.seconds = RC_PROCESS_SECONDS}};
    size_t total = 0, done;
    int status = 0;

    while (rc_doctor_checks[total].id)
        total++;
    signal(SIGCHLD, SIG_DFL); /* ignored, as some parents leave it, it hides how children end */
    rc_cmd_work_begin(&work, "looking at this machine");
    context.process.monitor = &work.monitor;
    for (done = 0; done < total && status == 0; done++) {
        rc_monitor_advance(&work.monitor, done, total);
        rc_doctor_checks[done].run(&context, &findings[done]);
        status = rc_monitor_check(&work.monitor, error);
    }
    rc_cmd_work_end(&work);
    return status;
}

static int run_doctor(struct rc_invocation *invocation)
{
    const struct doctor_options *options = invocation->options;
    struct rc_finding *findings;
    struct rc_error error;
    struct rc_doctor_tally tally;
    size_t total = 0;
    int status = -1;

    while (rc_doctor_checks[total].id)
        total++;
    findings = calloc(total, sizeof *findings);
    if (!findings) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "looking at this machine");
    }
    if (examine(options->db, findings, &error) == 0) {
        tally = count_up(findings);
        rc_error_no_memory(&error);
        status = rc_cmd_doctor_show(findings, &tally, options->json);
    }
    free(findings);
    if (status)
        return rc_cmd_fail(&error, "looking at this machine");
    return tally.works ? RC_EXIT_OK : RC_EXIT_FAILED;
}

const struct rc_command rc_command_doctor = {
    .name = "doctor",
    .summary = "Tell what of this machine runcast can use, and what to do for more",
    .details =
        "Looks at the clocks, the cores and the memory, the permissions, the control groups and "
        "namespaces that virtual nodes are made of, the MPIs, the other programs that runcast "
        "calls, and the store.  Where it matters, a thing is really tried: a control group is made "
        "and removed, and a network is made in a process that ends at once.  Nothing stays behind, "
        "and the store is not touched.\n"
        "\n"
        "Each check ends in a verdict: ok; limited, where it can be used, but not to the full; "
        "missing; or broken, where it is there and does not work.  What is missing is no failure.  "
        "The exit status is 1 only where a clock or the place of the store is broken.",
    .examples = "  runcast doctor                 # the report\n"
                "  runcast doctor --json          # the same, for programs\n"
                "  runcast doctor --db /data/r.db # would a store in that place work?\n",
    .options = doctor_options,
    .options_size = sizeof(struct doctor_options),
    .run = run_doctor,
};
