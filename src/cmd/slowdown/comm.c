// SPDX-License-Identifier: GPL-3.0-or-later
/* comm.c - 'runcast slowdown comm': slowdown of messages on a shared link. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/slowdown/slowdown.h"

struct comm_options {
    const char *idle_rate, *current_rate, *platform, *link, *burst, *db;
    double word_bytes;
    bool json, explain;
};

static const struct comm_options comm_defaults = {.word_bytes = NAN};

static const struct rc_option comm_options[] = {
    {RC_OPTION_OF(struct comm_options, TEXT, idle_rate), .name = "idle-rate", .argument = "RATE",
     .help = "rate of the program's bursts on the idle link: 12.5MB/s, 100Mbit/s, 0.45Mw/s, or a "
             "number in bytes/s"},
    {RC_OPTION_OF(struct comm_options, TEXT, current_rate), .name = "current-rate",
     .argument = "RATE", .help = "rate of the program's bursts under the current load"},
    {RC_OPTION_OF(struct comm_options, TEXT, platform), .name = "platform", .argument = "NAME",
     .help = "name of the platform whose calibration has the idle rate, instead of --idle-rate"},
    {RC_OPTION_OF(struct comm_options, TEXT, link), .name = "link", .argument = "FROM:TO",
     .help = "link between two hosts, with --platform"},
    {RC_OPTION_OF(struct comm_options, TEXT, burst), .name = "burst", .argument = "NxBYTES",
     .help = "burst of messages: their number and size, such as 1000x4096, 100x4KiB or 1000x1000w "
             "(words), with --platform"},
    RC_OPTION_WORD_BYTES(struct comm_options, word_bytes),
    RC_OPTION_EXPLAIN(struct comm_options),
    RC_OPTION_DB(struct comm_options),
    RC_OPTION_JSON(struct comm_options),
    RC_OPTIONS_END,
};

static int split_link(const struct rc_invocation *invocation, const char *text,
                      struct rc_answer_comm *comm)
{
    const char *colon = strchr(text, ':');

    if (!colon || colon == text || !colon[1] || strchr(colon + 1, ':') ||
        (size_t)(colon - text) >= sizeof comm->from || strlen(colon + 1) >= sizeof comm->to)
        return rc_cmd_usage_text(invocation, "--link: '%s' is not a link such as a1:a2", text);
    snprintf(comm->from, sizeof comm->from, "%.*s", (int)(colon - text), text);
    snprintf(comm->to, sizeof comm->to, "%s", colon + 1);
    return RC_EXIT_OK;
}

static int no_such_link(const struct rc_calibration *calibration, const char *platform,
                        const struct rc_answer_comm *comm)
{
    char hosts[2 * RC_CALIBRATION_NAME + 12], remedy[RC_CMD_LACKS_SIZE];
    const char *missing = !rc_slowdown_calibration_host(calibration, comm->from) ? comm->from
                          : !rc_slowdown_calibration_host(calibration, comm->to) ? comm->to
                                                                                 : NULL;
    struct rc_error error = {0};

    if (missing)
        rc_error_set(&error, "--link: no host '%s' in the calibration", missing);
    else
        rc_error_set(&error, "--link: no measured rates from '%s' to '%s'", comm->from, comm->to);
    if (strcmp(comm->from, comm->to) == 0)
        snprintf(hosts, sizeof hosts, "%s --loopback", comm->from);
    else
        snprintf(hosts, sizeof hosts, "%s,%s", comm->from, comm->to);
    rc_cmd_calibration_missing(calibration, platform, hosts, "bursts", remedy);
    rc_error_hint(&error, "%s", remedy);
    return rc_cmd_fail(&error, "finding the link");
}

/* The idle rate of the program's bursts, from the calibration. */
static int look_up(const struct comm_options *options, struct rc_answer_comm *comm)
{
    struct rc_calibration calibration = {0};
    const struct rc_slowdown_calibration_link *link;
    enum rc_slowdown_burst_cover cover;
    int status = rc_cmd_slowdown_calibration(options->db, options->platform, &calibration);

    if (status != RC_EXIT_OK)
        return status;
    link = rc_slowdown_calibration_link(&calibration, comm->from, comm->to);
    if (!link || link->bursts.n == 0) {
        status = no_such_link(&calibration, options->platform, comm);
    } else {
        comm->idle_rate = rc_slowdown_burst_rate(&link->bursts, comm->burst);
        comm->measured = link->bursts.n;
        cover = rc_slowdown_burst_cover(&link->bursts, comm->burst);
        if (cover != RC_BURST_WITHIN)
            rc_cmd_note(cover == RC_BURST_OUTSIDE
                            ? "no measured burst near %gx%g on this link: the rate of the nearest "
                              "ones is used (extrapolated)"
                            : "some bursts around %gx%g were not measured on this link: all "
                              "measured rates are averaged by distance",
                        comm->burst.messages, comm->burst.bytes);
        rc_cmd_note_calibration(options->platform, &calibration, RC_CALIBRATION_BURSTS);
    }
    rc_slowdown_calibration_free(&calibration);
    return status;
}

/* Refuses options without effect. */
static int check_options(const struct rc_invocation *invocation)
{
    const struct comm_options *options = invocation->options;
    const char *idle = !options->idle_rate ? NULL
                       : options->platform ? "platform"
                       : options->link     ? "link"
                       : options->burst    ? "burst"
                       : options->db       ? "db"
                                           : NULL;

    if (idle && options->platform)
        return rc_cmd_usage_text(invocation, "use either --idle-rate or --platform");
    if (idle)
        return rc_cmd_usage_text(invocation,
                                 "--%s has no effect with --idle-rate; it needs --platform", idle);
    if (isnan(options->word_bytes))
        return RC_EXIT_OK;
    if (!(options->word_bytes > 0))
        return rc_cmd_usage_text(invocation, "--word-bytes: must be greater than 0");
    if (rc_slowdown_word_rate_is(options->idle_rate) ||
        rc_slowdown_word_rate_is(options->current_rate) ||
        (options->burst && rc_slowdown_burst_in_words(options->burst)))
        return RC_EXIT_OK;
    return rc_cmd_usage_text(
        invocation,
        "--word-bytes has no effect: no value is in words, such as 3.67Mw/s or 1000x1000w");
}

static int find_idle(const struct rc_invocation *invocation, struct rc_answer_comm *comm)
{
    const struct comm_options *options = invocation->options;
    double word_bytes = rc_cmd_word_bytes(options->word_bytes);
    struct rc_error error = {0};

    if (options->burst && rc_slowdown_burst_parse(options->burst, word_bytes, &comm->burst, &error))
        return rc_cmd_slowdown_refuse(invocation, "burst", &error);
    if (options->idle_rate)
        return rc_cmd_slowdown_rate(invocation, "idle-rate", options->idle_rate, word_bytes,
                                    &comm->idle_rate);
    if (!options->platform || !options->link || !options->burst)
        return rc_cmd_usage_text(invocation, "no idle rate; use --idle-rate RATE, or --platform "
                                             "NAME --link FROM:TO --burst NxBYTES");
    return split_link(invocation, options->link, comm) ? RC_EXIT_USAGE : look_up(options, comm);
}

static void show(const struct comm_options *options, const struct rc_answer_comm *comm,
                 const struct rc_answer_equation *equation)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(equation->value, 4, number);
    printf("slowdown of messages: %s\n", number);
    if (options->explain)
        printf("%s: %s\n", equation->name, equation->text);
    if (options->explain && comm->measured)
        printf("idle rate: %g messages of %g bytes from %s to %s, from %zu measured bursts\n",
               comm->burst.messages, comm->burst.bytes, comm->from, comm->to, comm->measured);
}

static int write_json(const struct comm_options *options, struct rc_answer_comm *comm,
                      const struct rc_answer_equation *equation)
{
    struct rc_error error = {0};
    struct rc_value *value = rc_value_point(equation->value, &error);

    if (!value)
        return rc_cmd_fail(&error, "showing the slowdown");
    comm->slowdown = rc_cmd_slowdown_json(value, 0.9, NAN);
    comm->end = rc_cmd_slowdown_end(options->explain ? equation : NULL, 1);
    rc_cmd_print_json(rc_field_json(rc_answer_comm, comm));
    json_decref(comm->slowdown);
    rc_cmd_slowdown_end_free(&comm->end);
    rc_value_drop(value);
    return RC_EXIT_OK;
}

static int run_comm(struct rc_invocation *invocation)
{
    const struct comm_options *options = invocation->options;
    struct rc_answer_equation equation;
    struct rc_answer_comm comm = {0};
    double word_bytes = rc_cmd_word_bytes(options->word_bytes);
    int status = check_options(invocation);

    if (status)
        return status;
    if (!options->current_rate)
        return rc_cmd_usage_text(invocation,
                                 "missing option --current-rate RATE; 'runcast slowdown "
                                 "burst' measures it");
    if ((status = rc_cmd_slowdown_rate(invocation, "current-rate", options->current_rate,
                                       word_bytes, &comm.current_rate)) ||
        (status = find_idle(invocation, &comm)))
        return status;
    rc_cmd_note_rate("idle-rate", options->idle_rate);
    rc_cmd_note_rate("current-rate", options->current_rate);
    rc_answer_equation_comm(comm.idle_rate, comm.current_rate, &equation);
    if (equation.value < 1)
        rc_cmd_note("the current rate is above the idle rate: are both of the same bursts?");
    if (options->json)
        return write_json(options, &comm, &equation);
    show(options, &comm, &equation);
    return RC_EXIT_OK;
}

const struct rc_command rc_command_slowdown_comm = {
    .name = "comm",
    .summary = "Compute the slowdown of messages on a shared link",
    .details =
        "Divides the rate of the idle link by the current rate (Eq. 3 of Figueira and Berman, "
        "2001). Both must be of bursts like the program's, since contention slows down large "
        "bursts more than small ones. 'runcast slowdown calibrate' measures idle links for many "
        "bursts, and 'runcast slowdown burst' the current rate.",
    .examples = "  runcast slowdown comm --idle-rate 6.21Mw/s --current-rate 3.67Mw/s\n"
                "  runcast slowdown comm --platform lab --link a:b --burst 1000x4096 \\\n"
                "    --current-rate 9MB/s\n",
    .options = comm_options,
    .options_size = sizeof(struct comm_options),
    .defaults = &comm_defaults,
    .answers = {rc_answer_comm},
    .run = run_comm,
};
