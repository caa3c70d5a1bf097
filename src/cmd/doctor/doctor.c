// SPDX-License-Identifier: GPL-3.0-or-later
/* doctor.c - `runcast doctor`: what of this machine runcast can use, and what to do for more. */
#include "cmd/core/commands.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/monitor.h"
#include "report/table.h"
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

/* How many checks came to which verdict. */
struct tally {
    size_t total;
    size_t of[RC_VERDICTS];
    bool works; /* nothing is broken that every command needs */
};

static struct tally count_up(const struct rc_finding *findings)
{
    struct tally tally = {.works = true};

    for (; rc_doctor_checks[tally.total].id; tally.total++) {
        enum rc_verdict verdict = findings[tally.total].verdict;

        tally.of[verdict]++;
        if (verdict == RC_VERDICT_BROKEN && rc_doctor_checks[tally.total].essential)
            tally.works = false;
    }
    return tally;
}

/* ---- for people ---- */

static void put_row(struct rc_table *table, const char *first, const char *second,
                    const char *third)
{
    rc_table_text(table, first);
    rc_table_text(table, second);
    rc_table_text(table, third);
}

static void put_check(struct rc_table *table, const struct rc_check *check,
                      const struct rc_finding *finding)
{
    char title[128], advice[sizeof finding->advice + 256];

    snprintf(title, sizeof title, "  %s", check->title);
    put_row(table, title, rc_cmd_verdict_name(finding->verdict), finding->fact);
    if (finding->verdict == RC_VERDICT_OK)
        return;
    snprintf(advice, sizeof advice, "-> to %s: %s", check->needed_for, finding->advice);
    put_row(table, "", "", advice);
}

static void put_summary(const struct tally *tally)
{
    size_t usable = tally->of[RC_VERDICT_OK] + tally->of[RC_VERDICT_LIMITED];

    printf("\n%zu of %zu can be used", usable, tally->total);
    if (tally->of[RC_VERDICT_LIMITED])
        printf(", %zu of them with limits", tally->of[RC_VERDICT_LIMITED]);
    if (!tally->works)
        printf("; runcast cannot work here until what is broken is mended");
    else if (tally->of[RC_VERDICT_OK] < tally->total)
        printf("; see the advice above");
    putchar('\n');
}

static int put_table(const struct rc_finding *findings, const struct tally *tally)
{
    static const struct rc_column columns[] = {
        {.title = "check"},
        {.title = "verdict"},
        {.title = "what was found, and what to do", .wrap = true},
    };
    const char *area = NULL;
    struct rc_table *table = rc_table_create(stdout, columns, 3, rc_cmd_width());

    if (!table)
        return -1;
    for (size_t i = 0; i < tally->total; i++) {
        const struct rc_check *check = &rc_doctor_checks[i];

        if (!area || strcmp(area, check->area) != 0)
            put_row(table, check->area, "", "");
        area = check->area;
        put_check(table, check, &findings[i]);
    }
    if (rc_table_finish(table))
        return -1;
    put_summary(tally);
    return 0;
}

/* ---- for programs ---- */

static json_t *check_json(const struct rc_check *check, const struct rc_finding *finding)
{
    json_t *object = json_object();

    if (rc_json_set(object, "id", rc_json_text(check->id)) ||
        rc_json_set(object, "area", rc_json_text(check->area)) ||
        rc_json_set(object, "title", rc_json_text(check->title)) ||
        rc_json_set(object, "verdict", rc_json_text(rc_cmd_verdict_name(finding->verdict))) ||
        rc_json_set(object, "fact", rc_json_text(finding->fact)) ||
        rc_json_set(object, "advice", rc_json_text(finding->advice)) ||
        rc_json_set(object, "needed_for", rc_json_text(check->needed_for)) ||
        rc_json_set(object, "essential", json_boolean(check->essential))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *summary_json(const struct tally *tally)
{
    json_t *object = json_object();
    int failed = rc_json_set(object, "checks", json_integer((json_int_t)tally->total));

    for (int i = 0; i < RC_VERDICTS; i++)
        failed |= rc_json_set(object, rc_cmd_verdict_name((enum rc_verdict)i),
                              json_integer((json_int_t)tally->of[i]));
    failed |= rc_json_set(object, "works", json_boolean(tally->works));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static int put_json(const struct rc_finding *findings, const struct tally *tally)
{
    json_t *report = json_object(), *list = json_array();
    int failed = 0;

    for (size_t i = 0; list && i < tally->total; i++)
        failed |= json_array_append_new(list, check_json(&rc_doctor_checks[i], &findings[i]));
    failed |= rc_json_set(report, "checks", list);
    failed |= rc_json_set(report, "summary", summary_json(tally));
    if (!failed)
        rc_json_write(stdout, report, true);
    json_decref(report);
    return failed ? -1 : 0;
}

/* ---- the command ---- */

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
    struct tally tally;
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
        status = options->json ? put_json(findings, &tally) : put_table(findings, &tally);
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
