// SPDX-License-Identifier: GPL-3.0-or-later
/* doctor.c - `runcast doctor`: what of this machine runcast can use, and what to do for more. */
#include "cmd/core/commands.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "answer/doctor_fields.h"
#include "base/error.h"

struct doctor_options {
    const char *db;
    bool json;
};

static const struct rc_option doctor_options[] = {
    RC_OPTION_DB(struct doctor_options),
    RC_OPTION_JSON(struct doctor_options),
    RC_OPTIONS_END,
};

/* ---- the report for people ---- */

static void put_row(struct rc_table *table, const char *first, const char *second,
                    const char *third)
{
    rc_table_text(table, first);
    rc_table_text(table, second);
    rc_table_text(table, third);
}

static void put_summary(const struct rc_check_report *report)
{
    size_t usable = report->of[RC_VERDICT_OK] + report->of[RC_VERDICT_LIMITED];

    printf("\n%zu of %d can be used", usable, RC_CHECKS);
    if (report->of[RC_VERDICT_LIMITED])
        printf(", %zu of them with limits", report->of[RC_VERDICT_LIMITED]);
    if (!report->works)
        printf("; runcast cannot work here until what is broken is mended");
    else if (report->of[RC_VERDICT_OK] < RC_CHECKS)
        printf("; see the advice above");
    putchar('\n');
}

static int show_report(const struct rc_check_report *report, struct rc_error *error)
{
    static const struct rc_column columns[] = {
        {.title = "check"},
        {.title = "verdict"},
        {.title = "what was found, and what to do", .wrap = true},
    };
    struct rc_table *table = rc_table_create(stdout, columns, 3, rc_cmd_width());
    const char *area = "";

    if (!table)
        return rc_error_no_memory(error);
    for (const struct rc_finding *f = report->findings; f < report->findings + RC_CHECKS; f++) {
        char title[128], advice[sizeof f->advice + 256];

        if (strcmp(area, f->check.area) != 0)
            put_row(table, f->check.area, "", "");
        area = f->check.area;
        snprintf(title, sizeof title, "  %s", f->check.title);
        put_row(table, title, rc_check_verdict_name(f->verdict), f->fact);
        snprintf(advice, sizeof advice, "-> to %s: %s", f->check.needed_for, f->advice);
        if (f->verdict != RC_VERDICT_OK)
            put_row(table, "", "", advice);
    }
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    put_summary(report);
    return 0;
}

/* ---- the command ---- */

static int run_doctor(struct rc_invocation *invocation)
{
    const struct doctor_options *options = invocation->options;
    const char *named = options->db ? options->db : getenv("RUNCAST_DB");
    struct rc_check_context context = {.db = {.is_default = !(named && *named),
                                              .option = "--db FILE or RUNCAST_DB"},
                                       .process = {.seconds = RC_PROCESS_SECONDS}};
    struct rc_check_report report;
    struct rc_error error, no_path;
    struct rc_cmd_work work;
    char path[4096];
    int status;

    if (rc_cmd_db_path(options->db, path, sizeof path, &no_path))
        context.db.error = &no_path;
    else
        context.db.path = path;
    signal(SIGCHLD, SIG_DFL); /* ignored, as some parents leave it, it hides how children end */
    rc_cmd_work_begin(&work, "looking at this machine");
    context.process.monitor = &work.monitor;
    status = rc_check_run(&context, &report, &error);
    rc_cmd_work_end(&work);
    if (status == 0 && options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_doctor, &report));
    else if (status == 0)
        status = show_report(&report, &error);
    if (status)
        return rc_cmd_fail(&error, "looking at this machine");
    return report.works ? RC_EXIT_OK : RC_EXIT_FAILED;
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
