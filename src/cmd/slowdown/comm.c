// SPDX-License-Identifier: GPL-3.0-or-later
/* comm.c - 'runcast slowdown comm': how much longer messages take on links that are
 * shared. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/slowdown/slowdown.h"

struct comm_options {
    const char *idle, *now, *platform, *link, *burst, *db;
    double word_bytes;
    bool json, explain;
};

static const struct comm_options comm_defaults = {.word_bytes = NAN};

static const struct rc_option comm_options[] = {
    {RC_OPTION_OF(struct comm_options, TEXT, idle), .name = "idle", .argument = "RATE",
     .help = "the rate of a burst of messages when nobody else uses the link: 12.5MB/s, 100Mbit/s, "
             "0.45Mw/s; bytes/s without a unit"},
    {RC_OPTION_OF(struct comm_options, TEXT, now), .name = "now", .argument = "RATE",
     .help = "the rate of such a burst now, likewise"},
    {RC_OPTION_OF(struct comm_options, TEXT, platform), .name = "platform", .argument = "NAME",
     .help = "rather than --idle: what 'runcast slowdown calibrate' measured of this platform"},
    {RC_OPTION_OF(struct comm_options, TEXT, link), .name = "link", .argument = "FROM,TO",
     .help = "with --platform: from which host to which"},
    {RC_OPTION_OF(struct comm_options, TEXT, burst), .name = "burst", .argument = "NxBYTES",
     .help = "with --platform: the program's bursts, such as 1000x4096, 100x4KiB or 1000x1000w "
             "(words)"},
    RC_OPTION_WORD_BYTES(struct comm_options, word_bytes,
                         "bytes of a word, for rates in Mw/s and bursts such as 1000x1000w "
                         "(default: 4; the paper does not say)"),
    {RC_OPTION_OF(struct comm_options, FLAG, explain), .name = "explain",
     .help = "show the equation with its numbers"},
    RC_OPTION_DB(struct comm_options),
    RC_OPTION_JSON(struct comm_options),
    RC_OPTIONS_END,
};

static int split_link(const struct rc_invocation *invocation, const char *text,
                      struct rc_answer_comm *comm)
{
    const char *comma = strchr(text, ',');

    if (!comma || comma == text || !comma[1] || strchr(comma + 1, ',') ||
        (size_t)(comma - text) >= sizeof comm->from || strlen(comma + 1) >= sizeof comm->to)
        return rc_cmd_usage_text(invocation, "--link: two hosts such as a,b, and not '%s'", text);
    snprintf(comm->from, sizeof comm->from, "%.*s", (int)(comma - text), text);
    snprintf(comm->to, sizeof comm->to, "%s", comma + 1);
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
        rc_error_set(&error, "--link: there is no host '%s' in the calibration", missing);
    else
        rc_error_set(&error, "--link: no rates were measured from '%s' to '%s'", comm->from,
                     comm->to);
    if (strcmp(comm->from, comm->to) == 0)
        snprintf(hosts, sizeof hosts, "%s --loopback", comm->from);
    else
        snprintf(hosts, sizeof hosts, "%s,%s", comm->from, comm->to);
    rc_cmd_calibration_missing(calibration, platform, hosts, "bursts", remedy);
    rc_error_hint(&error, "%s", remedy);
    return rc_cmd_fail(&error, "looking for the link");
}

/* The idle rate of the program's bursts, by what was measured. */
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
        comm->idle = rc_slowdown_burst_rate(&link->bursts, comm->burst);
        comm->measured = link->bursts.n;
        cover = rc_slowdown_burst_cover(&link->bursts, comm->burst);
        if (cover != RC_BURST_WITHIN)
            rc_cmd_note(cover == RC_BURST_OUTSIDE
                            ? "no burst near %gx%g was measured on this link: the rate of the "
                              "nearest ones is taken"
                            : "not all bursts around %gx%g were measured on this link: the rates "
                              "of all are weighed by how near they are",
                        comm->burst.messages, comm->burst.bytes);
        rc_cmd_note_calibration(options->platform, &calibration, RC_CALIBRATION_BURSTS);
    }
    rc_slowdown_calibration_free(&calibration);
    return status;
}

/* Options that nothing would come of. */
static int check_options(const struct rc_invocation *invocation)
{
    const struct comm_options *options = invocation->options;
    const char *idle = !options->idle      ? NULL
                       : options->platform ? "platform"
                       : options->link     ? "link"
                       : options->burst    ? "burst"
                       : options->db       ? "db"
                                           : NULL;

    if (idle && options->platform)
        return rc_cmd_usage_text(invocation, "--idle and --platform say the same: give one");
    if (idle)
        return rc_cmd_usage_text(
            invocation,
            "--%s is for rates that were calibrated, with --platform: with --idle it says nothing",
            idle);
    if (isnan(options->word_bytes))
        return RC_EXIT_OK;
    if (!(options->word_bytes > 0))
        return rc_cmd_usage_text(invocation, "--word-bytes: a word has more than 0 bytes");
    if (rc_slowdown_word_rate_is(options->idle) || rc_slowdown_word_rate_is(options->now) ||
        (options->burst && rc_slowdown_burst_in_words(options->burst)))
        return RC_EXIT_OK;
    return rc_cmd_usage_text(
        invocation, "--word-bytes: nothing is given in words, such as 3.67Mw/s or 1000x1000w");
}

static int find_idle(const struct rc_invocation *invocation, struct rc_answer_comm *comm)
{
    const struct comm_options *options = invocation->options;
    double word_bytes = rc_cmd_word_bytes(options->word_bytes);
    struct rc_error error = {0};

    if (options->burst && rc_slowdown_burst_parse(options->burst, word_bytes, &comm->burst, &error))
        return rc_cmd_slowdown_refuse(invocation, "burst", &error);
    if (options->idle)
        return rc_cmd_slowdown_rate(invocation, "idle", options->idle, word_bytes, &comm->idle);
    if (!options->platform || !options->link || !options->burst)
        return rc_cmd_usage_text(invocation, "say what the idle link can do: --idle RATE, or "
                                             "--platform NAME --link FROM,TO --burst NxBYTES");
    return split_link(invocation, options->link, comm) ? RC_EXIT_USAGE : look_up(options, comm);
}

static void show(const struct comm_options *options, const struct rc_answer_comm *comm,
                 const struct rc_answer_equation *equation)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(equation->value, 4, number);
    printf("messages take %s times as long\n", number);
    if (options->explain)
        printf("%s: %s\n", equation->name, equation->text);
    if (options->explain && comm->measured)
        printf("the idle rate of bursts of %g messages of %g bytes from %s to %s, by %zu measured "
               "bursts\n",
               comm->burst.messages, comm->burst.bytes, comm->from, comm->to, comm->measured);
}

static int write_json(const struct comm_options *options, const struct rc_answer_comm *comm,
                      const struct rc_answer_equation *equation)
{
    struct rc_error error = {0};
    struct rc_value *value = rc_value_point(equation->value, &error);
    json_t *object = json_object();

    if (!value) {
        json_decref(object);
        return rc_cmd_fail(&error, "showing the slowdown");
    }
    rc_json_set(object, "slowdown", rc_cmd_slowdown_json(value, 0.9, NAN));
    rc_field_add(object, rc_answer_comm, comm);
    rc_cmd_slowdown_print(object, options->explain ? equation : NULL, 1);
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
    if (!options->now)
        return rc_cmd_usage_text(invocation,
                                 "--now RATE is missing: what the link can do at present");
    if ((status = rc_cmd_slowdown_rate(invocation, "now", options->now, word_bytes, &comm.now)) ||
        (status = find_idle(invocation, &comm)))
        return status;
    rc_cmd_note_rate("idle", options->idle);
    rc_cmd_note_rate("now", options->now);
    rc_answer_equation_comm(comm.idle, comm.now, &equation);
    if (equation.value < 1)
        rc_cmd_note("the link does better now than when idle: are both rates of the same bursts?");
    if (options->json)
        return write_json(options, &comm, &equation);
    show(options, &comm, &equation);
    return RC_EXIT_OK;
}

const struct rc_command rc_command_slowdown_comm = {
    .name = "comm",
    .summary = "How much longer messages take on a link that is shared",
    .details =
        "Eq. 3 of Figueira and Berman (2001): the rate of the idle link by the rate at present, "
        "both measured with bursts of messages like the program's own: small bursts hardly feel "
        "what large ones suffer from. 'runcast slowdown calibrate' measures idle links for many "
        "bursts, and 'runcast slowdown burst' a link at present.",
    .examples = "  runcast slowdown comm --idle 6.21Mw/s --now 3.67Mw/s\n"
                "  runcast slowdown comm --platform lab --link a,b --burst 1000x4096 --now 9MB/s\n",
    .options = comm_options,
    .options_size = sizeof(struct comm_options),
    .defaults = &comm_defaults,
    .run = run_comm,
};
