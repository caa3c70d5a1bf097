// SPDX-License-Identifier: GPL-3.0-or-later
/* net.c - 'runcast load net': send at a rate, and receive. */
#include <inttypes.h>
#include <math.h>

#include "cmd/load/load.h"
#include "testbed/load/send_credit.h"
#include "testbed/load/receiver.h"

#define SECONDS_DEFAULT 60.0
#define SHORT_OF 0.95 /* a smaller part of the rate is worth a note */

struct net_options {
    struct rc_cmd_load_receiver receiver;
    double rate, message;
    const char *direction, *duration, *bind_to;
    int64_t port;
    bool announce, json;
};

static const struct net_options net_defaults = {.rate = NAN, .message = NAN, .port = -1};

static const struct rc_option net_options[] = {
    RC_LOAD_OPTIONS_RECEIVER(struct net_options),
    {RC_OPTION_OF(struct net_options, QUANTITY, rate), .name = "rate", .argument = "RATE",
     .dimension = RC_RATE, .help = "rate at which to send, such as 20Mbit"},
    {RC_OPTION_OF(struct net_options, QUANTITY, message), .name = "message", .argument = "BYTES",
     .dimension = RC_BYTES,
     .help = "size of a message (default: 1 to 64 KiB, depending on the rate)"},
    RC_LOAD_OPTION_DIRECTION(struct net_options),
    RC_LOAD_OPTION_DURATION(struct net_options, "60s"),
    {RC_OPTION_OF(struct net_options, INTEGER, port), .name = "listen", .argument = "PORT",
     .least = 0,
     .help = "port on which to receive one load; 0: any free port. --duration limits the wait for "
             "the sender"},
    {RC_OPTION_OF(struct net_options, TEXT, bind_to), .name = "bind", .argument = "ADDRESS",
     .help = "local address to listen on (default: all)"},
    {RC_OPTION_OF(struct net_options, FLAG, announce), .name = "announce",
     .help = "print port and key in one line for --launcher, and nothing else"},
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
        rc_cmd_load_print_json(rc_answer_load_receiver, &answer);
        return;
    }
    rc_cmd_load_title(&answer);
    rc_unit_format((double)answer.total.received, RC_BYTES, in);
    rc_unit_format((double)answer.total.sent, RC_BYTES, out);
    printf("received %s, sent %s, in %" PRIu64 " messages\n", in, out, answer.total.messages);
}

static void show_port(const struct net_options *options, const struct rc_load_receiver *receiver)
{
    if (!options->announce) {
        rc_cmd_note("listening on port %d; on the sender: runcast load net --connect HOST:%d "
                    "--receiver-key %s "
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
        return rc_cmd_usage_text(invocation, "--listen: %lld is not a port",
                                 (long long)options->port);
    if (options->receiver.key && !rc_socket_is_key(options->receiver.key))
        return rc_cmd_usage_text(invocation,
                                 "--receiver-key: '%s' is not a key (16 to 32 letters and digits)",
                                 options->receiver.key);
    rc_cmd_work_begin(&work, "waiting for the sender");
    if (rc_load_receiver_open(&receiver, options->bind_to, (int)options->port,
                              options->receiver.key, &error) == 0) {
        show_port(options, &receiver);
        team = rc_load_receiver_serve(&receiver, seconds, &work.monitor, &error);
    }
    rc_progress_end(&work.progress);
    if (receiver.refused && !options->announce)
        rc_cmd_note("%u connections without the key refused", receiver.refused);
    if (team && !options->announce)
        report_received(team, &receiver, options->json);
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
        streams[i].requested = load->options->rate;
    }
    answer.receiver = load->options->receiver.connect;
    answer.message = load->message;
    answer.streams = streams;
    answer.n_streams = load->n_ways;
    if (!load->options->json) {
        rc_cmd_load_title(&answer);
        putchar('\n');
        rc_field_table(stdout, rc_answer_load_stream, streams, load->n_ways, sizeof *streams,
                       rc_cmd_width(), NULL);
        fflush(stdout);
    }
    for (size_t i = 0; i < load->n_ways; i++) {
        if (streams[i].tally.drained == 0)
            rc_cmd_note("no report from the receiver: the bytes that arrived are unknown");
        if (streams[i].rate < SHORT_OF * load->options->rate)
            rc_cmd_note("the link is slower than --rate (%s)", streams[i].direction);
    }
    if (load->options->json)
        rc_cmd_load_print_json(rc_answer_load_net, &answer);
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
                                                 ? "missing --rate RATE"
                                                 : "--rate: must be greater than 0");
    load->message =
        isnan(options->message) ? rc_load_message_size(options->rate) : options->message;
    if (!(load->message >= RC_LOAD_REQUEST_SIZE && load->message <= RC_LOAD_MESSAGE_MAX))
        return rc_cmd_usage_text(invocation, "--message: must be from %d bytes to 1 GiB",
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
    struct rc_cmd_load_job job = {.label = "load net",
                                  .receiver = &options->receiver,
                                  .load = &load,
                                  .add = add,
                                  .report = report};
    int status = rc_cmd_load_seconds(invocation, options->duration, SECONDS_DEFAULT, &job.seconds);

    if (status)
        return status;
    if (options->port >= 0 && options->receiver.connect)
        return rc_cmd_usage_text(invocation, "--connect and --listen are mutually exclusive");
    if (options->port >= 0)
        return run_receiver(invocation, job.seconds);
    if ((status = rc_cmd_load_receiver_check(invocation, &options->receiver, &job.peer)) ||
        (status = check_sizes(invocation, &load)))
        return status;
    job.room = load.n_ways;
    return rc_cmd_load_run(invocation, &job);
}

const struct rc_command rc_command_load_net = {
    .name = "net",
    .summary = "Send to another host at a given rate, or receive",
    .details =
        "The receiver is 'runcast load net --listen PORT' on the other host, which prints a key. "
        "With --launcher, the sender starts it there and needs no port and key.\n\n"
        "A receiver serves one load and ends with it. It refuses connections without its key. "
        "Sender and receiver both count the bytes.",
    .examples = "  runcast load net --connect b1 --rate 20Mbit --launcher ssh --duration 5min\n"
                "  runcast load net --listen 5001 # by hand, on the host b1\n"
                "  runcast load net --connect b1:5001 --receiver-key KEY \\\n"
                "      --rate 20Mbit --direction both\n",
    .options = net_options,
    .options_size = sizeof(struct net_options),
    .defaults = &net_defaults,
    .answers = {rc_answer_load_net, rc_answer_load_receiver},
    .run = run_net,
};
