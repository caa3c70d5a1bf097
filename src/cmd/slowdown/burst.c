// SPDX-License-Identifier: GPL-3.0-or-later
/* burst.c - 'runcast slowdown burst': current rate of bursts to another host. */
#include <math.h>

#include "cmd/load/load.h"
#include "cmd/slowdown/slowdown.h"
#include "model/slowdown/calibrate/bench.h"

struct burst_options {
    struct rc_cmd_load_receiver receiver;
    struct rc_option_list bursts;
    double word_bytes;
    int64_t repeat;
    bool json;
};

static const struct burst_options burst_defaults = {.word_bytes = NAN, .repeat = 5};

static const struct rc_option burst_options[] = {
    RC_LOAD_OPTIONS_RECEIVER(struct burst_options),
    {RC_OPTION_OF(struct burst_options, LIST, bursts), .name = "burst", .argument = "NxBYTES",
     .help = "burst of messages: their number and size, such as 1000x4096, 100x4KiB or 1000x1000w "
             "(words); may be repeated (default: 1024x1024w, as in the paper)"},
    RC_OPTION_WORD_BYTES(struct burst_options, word_bytes),
    {RC_OPTION_OF(struct burst_options, INTEGER, repeat), .name = "repeat", .argument = "N",
     .least = 1, .help = "number of repetitions, of which the median is reported (default: 5)"},
    RC_OPTION_JSON(struct burst_options),
    RC_OPTIONS_END,
};

struct bursts {
    struct rc_burst items[RC_OPTION_LIST_MAX];
    size_t n;
};

int rc_cmd_slowdown_burst(const struct rc_invocation *invocation, const char *option,
                          const char *text, double word_bytes, struct rc_burst *burst)
{
    struct rc_error error = {0};
    char named[160];

    if (rc_slowdown_burst_parse(text, word_bytes, burst, &error)) /* the error quotes the text */
        return rc_cmd_slowdown_refuse(invocation, option, &error);
    if (rc_slowdown_bench_burst_check(burst, &error) == 0)
        return RC_EXIT_OK;
    snprintf(named, sizeof named, "%s: '%.100s'", option, text);
    return rc_cmd_slowdown_refuse(invocation, named, &error);
}

static int read_bursts(const struct rc_invocation *invocation, struct bursts *bursts)
{
    const struct burst_options *options = invocation->options;
    double word_bytes = rc_cmd_word_bytes(options->word_bytes);
    bool words = options->bursts.n == 0;

    if (!(word_bytes > 0))
        return rc_cmd_usage_text(invocation, "--word-bytes: must be greater than 0");
    for (size_t i = 0; i < options->bursts.n; i++)
        words |= rc_slowdown_burst_in_words(options->bursts.items[i]);
    if (!words && !isnan(options->word_bytes))
        return rc_cmd_usage_text(
            invocation, "--word-bytes has no effect: no --burst is in words, such as 1000x1000w");
    if (options->repeat > RC_BENCH_ROUNDS_MAX)
        return rc_cmd_usage_text(invocation, "--repeat: at most %d", RC_BENCH_ROUNDS_MAX);
    bursts->n = options->bursts.n;
    for (size_t i = 0; i < bursts->n; i++)
        if (rc_cmd_slowdown_burst(invocation, "burst", options->bursts.items[i], word_bytes,
                                  &bursts->items[i]))
            return RC_EXIT_USAGE;
    if (bursts->n == 0)
        bursts->items[bursts->n++] = (struct rc_burst){1024, 1024 * word_bytes};
    return RC_EXIT_OK;
}

static void report(const struct burst_options *options, const struct rc_slowdown_burst_rate *rates,
                   size_t n)
{
    const struct rc_answer_bursts answer = {options->receiver.connect, options->repeat, rates, n};

    if (!options->json) {
        rc_field_table(stdout, rc_answer_burst, rates, n, sizeof *rates, rc_cmd_width(), NULL);
        return;
    }
    rc_cmd_print_json(rc_field_json(rc_answer_bursts, &answer));
}

static int run_burst(struct rc_invocation *invocation)
{
    const struct burst_options *options = invocation->options;
    struct rc_slowdown_bench_bursts order = {.repeat = (size_t)options->repeat,
                                             .longest = INFINITY};
    struct rc_load_launch launch = {0, -1};
    struct rc_cmd_work work;
    struct rc_error error = {0};
    struct rc_slowdown_burst_rate measured[RC_OPTION_LIST_MAX];
    double rates[RC_OPTION_LIST_MAX];
    struct bursts bursts;
    int status = read_bursts(invocation, &bursts);

    if (status ||
        (status = rc_cmd_load_receiver_check(invocation, &options->receiver, &order.peer)))
        return status;
    order.bursts = bursts.items;
    order.n = bursts.n;
    rc_cmd_work_begin(&work, "bursts");
    if (rc_cmd_load_receiver_start(&options->receiver, &order.peer, &launch, &work.monitor,
                                   &error) ||
        rc_slowdown_bench_bursts(&order, rates, &work.monitor, &error))
        status = RC_EXIT_FAILED;
    rc_load_launch_stop(&launch);
    rc_cmd_work_end(&work);
    if (status)
        return rc_cmd_fail(&error, "%s", invocation->path);
    for (size_t i = 0; i < bursts.n; i++)
        measured[i] = (struct rc_slowdown_burst_rate){bursts.items[i], rates[i]};
    report(options, measured, bursts.n);
    return RC_EXIT_OK;
}

const struct rc_command rc_command_slowdown_burst = {
    .name = "burst",
    .summary = "Measure the current rate of bursts of messages to another host",
    .details =
        "Sends bursts of messages, and waits for one word back after each. 'runcast slowdown "
        "comm' compares the rate with that of the idle link, which 'runcast slowdown "
        "calibrate' measured. Use bursts like those of the program.\n\n"
        "The receiver is 'runcast load net --listen PORT', or is started by --launcher.",
    .examples = "  runcast slowdown burst --connect b1 --launcher ssh --burst 1000x4096\n"
                "  runcast slowdown burst --connect b1:5001 --receiver-key KEY \\\n"
                "      --burst 100x1KiB --json\n",
    .options = burst_options,
    .options_size = sizeof(struct burst_options),
    .defaults = &burst_defaults,
    .answers = {rc_answer_bursts},
    .run = run_burst,
};
