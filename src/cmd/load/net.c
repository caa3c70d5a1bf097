// SPDX-License-Identifier: GPL-3.0-or-later
/* net.c - 'runcast load net': send at a rate, and the receiver of it. */
#include <inttypes.h>
#include <math.h>

#include "cmd/load/load.h"
#include "testbed/load/send_credit.h"
#include "testbed/load/receiver.h"

#define SECONDS_DEFAULT 60.0
#define SHORT_OF 0.95 /* less of the rate than this is worth a remark */

struct net_options {
    struct rc_cmd_load_far far;
    double rate, message;
    const char *direction, *how_long, *bind_to;
    int64_t port;
    bool announce, json;
};

static const struct net_options net_defaults = {.rate = NAN, .message = NAN, .port = -1};

static const struct rc_option net_options[] = {
    RC_LOAD_OPTIONS_FAR(struct net_options),
    {RC_OPTION_OF(struct net_options, QUANTITY, rate), .name = "rate", .letter = 'r',
     .argument = "RATE", .dimension = RC_RATE, .help = "how fast to send, such as 20Mbit"},
    {RC_OPTION_OF(struct net_options, QUANTITY, message), .name = "message", .argument = "SIZE",
     .dimension = RC_BYTES,
     .help = "bytes that are sent at once (default: what suits the rate, 1 to 64 KiB)"},
    RC_LOAD_OPTION_DIRECTION(struct net_options),
    RC_LOAD_OPTION_FOR(struct net_options, "60s"),
    {RC_OPTION_OF(struct net_options, INTEGER, port), .name = "listen", .argument = "PORT",
     .least = 0,
     .help = "be the receiver, for one load; 0 takes any port that is free. --for says how long to "
             "wait for it"},
    {RC_OPTION_OF(struct net_options, TEXT, bind_to), .name = "bind", .argument = "ADDRESS",
     .help = "the receiver listens on this address of the machine alone"},
    {RC_OPTION_OF(struct net_options, FLAG, announce), .name = "announce",
     .help = "the receiver tells port and key in one line on standard output, for --launcher to "
             "read, and reports nothing else"},
    RC_OPTION_JSON(struct net_options),
    RC_OPTIONS_END,
};

/* ---- the receiver ---- */

static void report_received(const struct rc_load_team *team,
                            const struct rc_load_receiver *receiver, bool as_json)
{
    struct rc_answer_load answer = rc_cmd_load_answer("receiver", team);
    char in[RC_UNIT_SIZE], out[RC_UNIT_SIZE];

    answer.connections = rc_load_team_size(team);
    answer.refused = receiver->refused;
    answer.total = rc_load_team_sum(team, 0, SIZE_MAX, -1);
    if (as_json) {
        rc_cmd_print_json(rc_field_json(rc_answer_load_receiver, &answer));
        return;
    }
    rc_cmd_load_title(&answer);
    rc_unit_format((double)answer.total.received, RC_BYTES, in);
    rc_unit_format((double)answer.total.sent, RC_BYTES, out);
    printf("received %s, sent %s, in %" PRIu64 " messages\n", in, out, answer.total.messages);
}

static void tell_where(const struct net_options *options, const struct rc_load_receiver *receiver)
{
    if (!options->announce) {
        rc_cmd_note(
            "listening on port %d; at the other end: runcast load net --to HOST:%d --key %s "
            "--rate RATE",
            receiver->port, receiver->port, receiver->key);
        return;
    }
    printf("%s %d %s\n", RC_LOAD_ANNOUNCEMENT, receiver->port, receiver->key);
    fflush(stdout);
}

static int run_receiver(const struct rc_invocation *invocation, double seconds)
{
    const struct net_options *options = invocation->options;
    struct rc_load_receiver receiver;
    struct rc_load_team *team = NULL;
    struct rc_cmd_work work;
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    if (options->port > 65535)
        return rc_cmd_usage_text(invocation, "--listen: %lld is no port", (long long)options->port);
    if (options->far.key && !rc_socket_is_key(options->far.key))
        return rc_cmd_usage_text(invocation, "--key: '%s' is no key: 16 to 32 letters and digits",
                                 options->far.key);
    rc_cmd_work_begin(&work, "waiting for a load");
    if (rc_load_receiver_open(&receiver, options->bind_to, (int)options->port, options->far.key,
                              &error) == 0) {
        tell_where(options, &receiver);
        team = rc_load_receiver_serve(&receiver, seconds, &work.monitor, &error);
    }
    rc_progress_end(&work.progress);
    if (team && !options->announce)
        report_received(team, &receiver, options->json);
    if (receiver.refused && !options->announce)
        rc_cmd_note("connections without the key, refused: %u", receiver.refused);
    if (error.text[0])
        status = rc_cmd_fail(&error, "%s", invocation->path);
    rc_load_team_destroy(team);
    rc_load_receiver_close(&receiver);
    rc_cmd_work_end(&work);
    return status;
}

/* ---- the sender ---- */

struct net_load {
    const struct net_options *options;
    enum rc_load_direction ways[2];
    size_t n_ways;
    double message;
};

static void report(const void *data, const struct rc_load_team *team)
{
    const struct net_load *load = data;
    struct rc_answer_load answer = rc_cmd_load_answer("net", team);
    struct rc_answer_load_stream streams[2];

    for (size_t i = 0; i < load->n_ways; i++) {
        streams[i] = rc_answer_load_stream_make(rc_load_team_tally(team, i), load->ways[i]);
        streams[i].direction = rc_cmd_load_directions[load->ways[i]];
        streams[i].asked = load->options->rate;
    }
    answer.to = load->options->far.to;
    answer.message = load->message;
    answer.streams = streams;
    answer.n_streams = load->n_ways;
    if (load->options->json) {
        rc_cmd_print_json(rc_field_json(rc_answer_load_net, &answer));
    } else {
        rc_cmd_load_title(&answer);
        putchar('\n');
        rc_field_table(stdout, rc_answer_load_stream, streams, load->n_ways, sizeof *streams,
                       rc_cmd_width(), NULL);
    }
    fflush(stdout);
    for (size_t i = 0; i < load->n_ways; i++) {
        if (streams[i].tally.drained == 0)
            rc_cmd_note("the far end did not tell what it counted");
        if (streams[i].rate < SHORT_OF * load->options->rate)
            rc_cmd_note("the link did not take all that was asked for (%s)", streams[i].direction);
    }
}

static int add(const void *data, struct rc_load_team *team, const struct rc_peer *peer,
               struct rc_error *error)
{
    const struct net_load *load = data;

    for (size_t i = 0; i < load->n_ways; i++) {
        struct rc_load_stream stream = {.peer = *peer,
                                        .streams = (int)load->n_ways,
                                        .direction = load->ways[i],
                                        .message = load->message,
                                        .rate = load->options->rate};
        const struct rc_load_task task = {.prepare = rc_load_stream_prepare,
                                          .body = rc_load_stream_body,
                                          .data = &stream,
                                          .core = -1,
                                          .descriptor = -1};

        if (rc_load_team_add(team, &task, error))
            return -1;
    }
    return 0;
}

static int check_sizes(const struct rc_invocation *invocation, struct net_load *load)
{
    const struct net_options *options = load->options;
    enum rc_load_direction direction = rc_cmd_load_direction(options->direction);

    if (!(options->rate > 0))
        return rc_cmd_usage_text(invocation, isnan(options->rate)
                                                 ? "say how fast: --rate RATE"
                                                 : "--rate: it must be greater than 0");
    load->message =
        isnan(options->message) ? rc_load_message_size(options->rate) : options->message;
    if (!(load->message >= RC_LOAD_REQUEST_SIZE && load->message <= RC_LOAD_MESSAGE_MAX))
        return rc_cmd_usage_text(invocation, "--message: a message has from %d bytes to 1 GiB",
                                 RC_LOAD_REQUEST_SIZE);
    load->ways[0] = direction == RC_LOAD_BOTH ? RC_LOAD_SEND : direction;
    load->ways[1] = RC_LOAD_RECEIVE;
    load->n_ways = direction == RC_LOAD_BOTH ? 2 : 1;
    return RC_EXIT_OK;
}

static int run_net(struct rc_invocation *invocation)
{
    const struct net_options *options = invocation->options;
    struct net_load load = {.options = options};
    struct rc_cmd_load_job job = {
        .label = "load net", .far = &options->far, .load = &load, .add = add, .report = report};
    int status = rc_cmd_load_seconds(invocation, options->how_long, SECONDS_DEFAULT, &job.seconds);

    if (status)
        return status;
    if (options->port >= 0 && options->far.to)
        return rc_cmd_usage_text(invocation, "--to and --listen exclude one another");
    if (options->port >= 0)
        return run_receiver(invocation, job.seconds);
    if ((status = rc_cmd_load_far_check(invocation, &options->far, &job.peer)) ||
        (status = check_sizes(invocation, &load)))
        return status;
    job.room = load.n_ways;
    return rc_cmd_load_run(invocation, &job);
}

const struct rc_command rc_command_load_net = {
    .name = "net",
    .summary = "Send to, or receive from, another host at a rate",
    .details =
        "At the far end 'runcast load net --listen PORT' waits, which tells a key; or "
        "--launcher starts it there and learns port and key by itself. Each receiver serves "
        "one load and ends with it; connections without its key are refused. Both ends count "
        "what went over the network.",
    .examples = "  runcast load net --to b1 --rate 20Mbit --launcher ssh --for 5min\n"
                "  runcast load net --listen 5001 # by hand, on the host b1\n"
                "  runcast load net --to b1:5001 --key KEY --rate 20Mbit --direction both\n",
    .options = net_options,
    .options_size = sizeof(struct net_options),
    .defaults = &net_defaults,
    .run = run_net,
};
