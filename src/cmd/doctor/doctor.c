// SPDX-License-Identifier: GPL-3.0-or-later
/* doctor.c - 'runcast doctor': checks of this machine. */
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

    printf("\n%zu of %d usable", usable, RC_CHECKS);
    if (report->of[RC_VERDICT_LIMITED])
        printf(", %zu of them limited", report->of[RC_VERDICT_LIMITED]);
    if (!report->works)
        printf("; runcast cannot work here until the broken ones are fixed");
    else if (report->of[RC_VERDICT_OK] < RC_CHECKS)
        printf("; see the advice above");
    putchar('\n');
}

static int show_report(const struct rc_check_report *report, struct rc_error *error)
{
    static const struct rc_column columns[] = {
        {.title = "check"},
        {.title = "verdict"},
        {.title = "finding and advice", .wrap = true},
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
        snprintf(advice, sizeof advice, "to %s: %s", f->check.needed_for, f->advice);
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
    signal(SIGCHLD,
           SIG_DFL); /* a parent may have ignored it, which hides the exit status of children */
    rc_cmd_work_begin(&work, "checking this machine");
    context.process.monitor = &work.monitor;
    status = rc_check_run(&context, &report, &error);
    rc_cmd_work_end(&work);
    if (status == 0 && options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_doctor, &report));
    else if (status == 0)
        status = show_report(&report, &error);
    if (status)
        return rc_cmd_fail(&error, "checking this machine");
    return report.works ? RC_EXIT_OK : RC_EXIT_FAILED;
}

const struct rc_command rc_command_doctor = {
    .name = "doctor",
    .summary = "Check this machine for what runcast needs",
    .details =
        "Checks clocks, cores, memory and permissions, control groups and namespaces (for virtual "
        "nodes), MPI libraries, the other programs that runcast calls, and the database. Some "
        "checks are trials: doctor makes and removes a control group, and a network in a process "
        "that ends at once. It leaves nothing behind, and does not touch the database.\n"
        "\n"
        "The verdict of a check is ok, limited (usable with limits), missing, or broken (present, "
        "but does not work). Each verdict but ok comes with advice. The exit status is 1 only if "
        "a clock or the place of the database is broken.",
    .examples = "  runcast doctor                 # the report\n"
                "  runcast doctor --json          # the same, for programs\n"
                "  runcast doctor --db /data/r.db # can a database be there?\n",
    .options = doctor_options,
    .options_size = sizeof(struct doctor_options),
    .answers = {rc_answer_doctor},
    .run = run_doctor,
};
