// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate.c - 'runcast slowdown calibrate': measures a platform and stores the result. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cmd/slowdown/slowdown.h"
#include "platform/hostlist.h"
#include "report/plot.h"

#define SSH "ssh -o BatchMode=yes" /* it has no terminal on which to ask for a password */
enum { BURSTS_TEXT = 4096, REST_SIZE = 800 };

struct calibrate_options {
    const char *hosts, *launcher, *runcast_path, *platform, *measure, *bursts, *benchmark, *plot,
        *db;
    int64_t max_communicating, points, rounds; /* 0: not given */
    double word_bytes;
    bool quick, all_links, loopback, json;
};

static const struct calibrate_options calibrate_defaults = {.word_bytes = NAN};

static const struct rc_option calibrate_options[] = {
    {RC_OPTION_OF(struct calibrate_options, TEXT, hosts), .name = "hosts", .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4] (default: this machine)"},
    {RC_OPTION_OF(struct calibrate_options, TEXT, launcher), .name = "launcher",
     .argument = "COMMAND",
     .help =
         "command that starts a program on a host: COMMAND HOST runcast ... (default: '" SSH "')"},
    {RC_OPTION_OF(struct calibrate_options, TEXT, runcast_path), .name = "runcast-path",
     .argument = "PATH", .help = "path of runcast on the hosts (default: runcast)"},
    {RC_OPTION_OF(struct calibrate_options, TEXT, platform), .name = "platform", .argument = "NAME",
     .help = "name of the platform to store (default: the name of this machine)"},
    {RC_OPTION_OF(struct calibrate_options, TEXT, measure), .name = "measure", .argument = "LIST",
     .help = "measurements to make, separated by commas: weights, bursts, delay, memory (default: "
             "all); others in the database stay"},
    {RC_OPTION_OF(struct calibrate_options, INTEGER, max_communicating),
     .name = "max-communicating", .argument = "N", .least = 1,
     .help = "largest number of communicating competitors to measure (default: 2)"},
    {RC_OPTION_OF(struct calibrate_options, INTEGER, points), .name = "points", .argument = "N",
     .least = 1, .help = "number of bandwidths at which each delay is measured (default: 10)"},
    {RC_OPTION_OF(struct calibrate_options, INTEGER, rounds), .name = "rounds", .argument = "N",
     .least = 1,
     .help = "number of rounds of measurements, of which medians are stored (default: 5)"},
    {RC_OPTION_OF(struct calibrate_options, TEXT, bursts), .name = "bursts", .argument = "LIST",
     .help = "bursts to measure, such as 1x100,1000x4096,5000x4KiB (default: 1, 10, 100, 1000 and "
             "5000 messages of 100 B to 64 KiB)"},
    RC_OPTION_WORD_BYTES(struct calibrate_options, word_bytes),
    {RC_OPTION_OF(struct calibrate_options, TEXT, benchmark), .name = "benchmark",
     .argument = "COMMAND", .help = "command to time on each host, for weights (default: an SOR)"},
    {RC_OPTION_OF(struct calibrate_options, FLAG, all_links), .name = "all-links",
     .help = "measure the links between all hosts, not only between neighbours in the list"},
    {RC_OPTION_OF(struct calibrate_options, FLAG, loopback), .name = "loopback",
     .help = "measure bursts over the loopback interface, with one host"},
    {RC_OPTION_OF(struct calibrate_options, FLAG, quick), .name = "quick",
     .help = "make only a few measurements, as a test; --rounds, --points, --max-communicating and "
             "--bursts override it"},
    RC_OPTION_PLOT(struct calibrate_options),
    RC_OPTION_JSON(struct calibrate_options),
    RC_OPTION_DB(struct calibrate_options),
    RC_OPTIONS_END,
};

/* A calibration, as the options describe it. */
struct calibrating {
    const struct calibrate_options *options;
    struct rc_slowdown_calibrate order;
    struct rc_slowdown_calibrate_plan plan;
    size_t done;                  /* of its steps */
    struct rc_calibration before; /* the stored calibration of the platform */
    bool known;
    struct rc_hostlist hosts;
    struct rc_burst bursts[RC_BURSTS_MAX];
    char self[4096], here[RC_CMD_PLATFORM_SIZE];
    char name[RC_CMD_PLATFORM_SIZE];
    const char *platform, *only_here;
    struct rc_cmd_work work;
    char doing[600];
};

/* ---- options ---- */

/* Refuses options for measurements that are not made. */
static int check_use(const struct rc_invocation *invocation, const struct calibrating *calibrating)
{
    const struct calibrate_options *options = calibrating->options;
    const struct rc_slowdown_calibrate *order = &calibrating->order;
    bool delay = order->parts & RC_CALIBRATION_DELAY, bursts = order->parts & RC_CALIBRATION_BURSTS,
         links = bursts && (order->n_hosts > 1 || options->loopback);
    const struct {
        const char *name;
        bool given, used;
        const char *why;
    } uses[] = {
        {"launcher", options->launcher, options->hosts, "needs --hosts HOSTS"},
        {"runcast-path", options->runcast_path, options->hosts, "needs --hosts HOSTS"},
        {"max-communicating", options->max_communicating, delay, "needs 'delay' in --measure"},
        {"points", options->points, delay, "needs 'delay' in --measure"},
        {"benchmark", options->benchmark, order->parts & RC_CALIBRATION_WEIGHTS,
         "needs 'weights' in --measure"},
        {"loopback", options->loopback, bursts, "needs 'bursts' in --measure"},
        {"loopback", options->loopback, order->n_hosts == 1, "needs a single host"},
        {"all-links", options->all_links, bursts, "needs 'bursts' in --measure"},
        {"all-links", options->all_links, order->n_hosts > 1, "one host has no links"},
        {"bursts", options->bursts, bursts, "needs 'bursts' in --measure"},
        {"bursts", options->bursts, links,
         "one host has no links; --loopback measures bursts on one host"},
        {"measure", order->parts == RC_CALIBRATION_BURSTS, links,
         "one host has no links; --loopback measures bursts on one host"},
        {"word-bytes", !isnan(options->word_bytes), options->bursts,
         "needs --bursts in words, such as 1000x1000w"},
    };

    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].given && !uses[i].used)
            return rc_cmd_usage_text(invocation, "--%s: %s", uses[i].name, uses[i].why);
    return RC_EXIT_OK;
}

static int read_parts(const struct rc_invocation *invocation, const char *text, unsigned *parts)
{
    *parts = text ? 0 : RC_CALIBRATION_ALL;
    while (text) {
        size_t length = strcspn(text, ",");
        unsigned part = rc_slowdown_calibration_part(text, length);

        if (!part)
            return rc_cmd_usage_text(
                invocation, "--measure: '%.*s' is not one of weights, bursts, delay, memory",
                (int)length, text);
        *parts |= part;
        text = text[length] ? text + length + 1 : NULL;
    }
    return RC_EXIT_OK;
}

static int read_bursts(const struct rc_invocation *invocation, struct calibrating *calibrating)
{
    const struct calibrate_options *options = calibrating->options;
    double word_bytes = rc_cmd_word_bytes(options->word_bytes);
    char text[BURSTS_TEXT], *save;
    bool words = false;
    size_t n = 0;

    if (snprintf(text, sizeof text, "%s", options->bursts) >= (int)sizeof text)
        return rc_cmd_usage_text(invocation, "--bursts: longer than %d bytes", BURSTS_TEXT - 1);
    for (char *one = strtok_r(text, ",", &save); one; one = strtok_r(NULL, ",", &save), n++) {
        if (n == RC_BURSTS_MAX)
            return rc_cmd_usage_text(invocation, "--bursts: more than %d bursts", RC_BURSTS_MAX);
        words |= rc_slowdown_burst_in_words(one);
        if (rc_cmd_slowdown_burst(invocation, "bursts", one, word_bytes, &calibrating->bursts[n]))
            return RC_EXIT_USAGE;
    }
    if (n == 0)
        return rc_cmd_usage_text(invocation, "--bursts: empty list");
    if (!words && !isnan(options->word_bytes))
        return rc_cmd_usage_text(
            invocation, "--word-bytes has no effect: no burst is in words, such as 1000x1000w");
    calibrating->order.bursts = calibrating->bursts;
    calibrating->order.n_bursts = n;
    return RC_EXIT_OK;
}

static int choose_hosts(const struct rc_invocation *invocation, struct calibrating *calibrating)
{
    const struct calibrate_options *options = calibrating->options;
    struct rc_slowdown_calibrate *order = &calibrating->order;
    struct rc_error error = {0};
    ssize_t length;

    order->launch = (struct rc_remote_launch){.arguments = {"slowdown", "bench", "--agent"}};
    if (!options->hosts) {
        length = readlink("/proc/self/exe", calibrating->self, sizeof calibrating->self - 1);
        calibrating->self[length > 0 ? length : 0] = '\0';
        calibrating->only_here = rc_cmd_slowdown_platform(NULL, calibrating->here);
        order->hosts = &calibrating->only_here;
        order->n_hosts = 1;
        order->launch.program = length > 0 ? calibrating->self : "runcast";
        return RC_EXIT_OK;
    }
    if (rc_platform_hostlist_expand(options->hosts, strlen(options->hosts),
                                    RC_CALIBRATION_HOSTS_MAX, &calibrating->hosts, &error))
        return rc_cmd_usage_text(invocation, "--hosts: %s", error.text);
    order->hosts = (const char *const *)calibrating->hosts.names;
    order->n_hosts = calibrating->hosts.count;
    order->launch.launcher = options->launcher ? options->launcher : SSH;
    order->launch.program = options->runcast_path ? options->runcast_path : "runcast";
    return RC_EXIT_OK;
}

static int choose_numbers(const struct rc_invocation *invocation, struct calibrating *calibrating)
{
    const struct calibrate_options *options = calibrating->options;
    struct rc_slowdown_calibrate *order = &calibrating->order;

    if (options->max_communicating > RC_DELAY_CURVES_MAX)
        return rc_cmd_usage_text(invocation, "--max-communicating: at most %d",
                                 RC_DELAY_CURVES_MAX);
    if (options->points > RC_BENCH_POINTS_MAX)
        return rc_cmd_usage_text(invocation, "--points: at most %d", RC_BENCH_POINTS_MAX);
    if (options->rounds > RC_BENCH_ROUNDS_MAX)
        return rc_cmd_usage_text(invocation, "--rounds: at most %d", RC_BENCH_ROUNDS_MAX);
    if (options->benchmark &&
        (!*options->benchmark || strlen(options->benchmark) >= RC_BENCH_COMMAND_MAX))
        return rc_cmd_usage_text(invocation, "--benchmark: must have from 1 to %d bytes",
                                 RC_BENCH_COMMAND_MAX - 1);
    if (!isnan(options->word_bytes) && !(options->word_bytes > 0))
        return rc_cmd_usage_text(invocation, "--word-bytes: must be greater than 0");
    rc_slowdown_calibrate_defaults(order, options->quick);
    if (options->max_communicating)
        order->communicating = (size_t)options->max_communicating;
    if (options->points)
        order->points = (size_t)options->points;
    if (options->rounds)
        order->rounds = (size_t)options->rounds;
    order->benchmark = options->benchmark;
    order->all_links = options->all_links;
    order->loopback = options->loopback;
    return options->bursts ? read_bursts(invocation, calibrating) : RC_EXIT_OK;
}

static int check_options(const struct rc_invocation *invocation, struct calibrating *calibrating)
{
    const struct calibrate_options *options = calibrating->options;
    struct rc_error error = {0};
    int status;

    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (options->platform && !*options->platform)
        return rc_cmd_usage_text(invocation, "--platform: empty name");
    calibrating->platform = rc_cmd_slowdown_platform(options->platform, calibrating->name);
    if ((status = read_parts(invocation, options->measure, &calibrating->order.parts)) ||
        (status = choose_numbers(invocation, calibrating)) ||
        (status = choose_hosts(invocation, calibrating)) ||
        (status = check_use(invocation, calibrating)))
        return status;
    if (rc_slowdown_calibrate_plan(&calibrating->order, &calibrating->plan, &error))
        return rc_cmd_usage(invocation, &error);
    return RC_EXIT_OK;
}

/* ---- reports before measuring, and after an interruption ---- */

/* On a terminal: the measurements to make, and roughly how long they take. */
static void announce(const struct rc_slowdown_calibrate *order,
                     const struct rc_slowdown_calibrate_plan *plan)
{
    static const char *const kinds[] = {"host", "link", "delay curve"}; /* rc_calibrate_kind */
    double seconds = rc_slowdown_calibrate_seconds(order, plan);
    size_t counts[3] = {0}, times = order->rounds * order->n_hosts;
    char line[400] = "";

    for (size_t i = 0; i < plan->n; i++)
        counts[plan->steps[i].kind]++;
    for (int i = 0; i < 3; i++)
        if (counts[i] > 0)
            rc_text_append(line, sizeof line, "%s%zu %s%s", *line ? ", " : "", counts[i], kinds[i],
                           counts[i] == 1 ? "" : "s");
    if (seconds < 100)
        rc_text_append(line, sizeof line, ": about %.0f s", fmax(10 * ceil(seconds / 10), 10));
    else if (seconds < 6000)
        rc_text_append(line, sizeof line, ": about %.0f min", ceil(seconds / 60));
    else
        rc_text_append(line, sizeof line, ": about %.0f hours", ceil(seconds / 3600));
    if (order->benchmark && order->parts & RC_CALIBRATION_WEIGHTS)
        rc_text_append(line, sizeof line, ", and %zu run%s of the benchmark", times,
                       times == 1 ? "" : "s");
    if (rc_terminal_is(stderr))
        fprintf(stderr, "runcast: %s\n", line);
}

/* A word, quoted for a shell. */
static void add_word(struct rc_buffer *line, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=%@+";

    if (*word && word[strspn(word, plain)] == '\0') {
        rc_buffer_printf(line, " %s", word);
        return;
    }
    rc_buffer_add_text(line, " '");
    for (; *word; word++)
        if (*word == '\'')
            rc_buffer_add_text(line, "'\\''");
        else
            rc_buffer_add(line, word, 1);
    rc_buffer_add_text(line, "'");
}

/* An option, and the parts that it applies to. */
struct given {
    const char *name, *text; /* NULL as text: it is a number, or a flag */
    double number;           /* 0: none */
    bool flag;
    unsigned parts;
};

static void add_given(struct rc_buffer *line, const struct given *given)
{
    if (!given->text && !(given->number > 0) && !given->flag)
        return;
    rc_buffer_printf(line, " --%s", given->name);
    if (given->text)
        add_word(line, given->text);
    else if (given->number > 0)
        rc_buffer_printf(line, " %.15g", given->number);
}

/* The command that measures these parts with the same options; "..." without room for it. */
static void write_rest(const struct calibrate_options *options, const char *platform,
                       unsigned parts, char text[REST_SIZE])
{
    enum { ALL = RC_CALIBRATION_ALL, BURSTS = RC_CALIBRATION_BURSTS, DELAY = RC_CALIBRATION_DELAY };
    char names[RC_CALIBRATION_PARTS_SIZE];
    const struct given given[] = {
        {.name = "measure", .text = parts == ALL ? NULL : names, .parts = ALL},
        {.name = "platform", .text = platform, .parts = ALL},
        {.name = "hosts", .text = options->hosts, .parts = ALL},
        {.name = "launcher", .text = options->launcher, .parts = ALL},
        {.name = "runcast-path", .text = options->runcast_path, .parts = ALL},
        {.name = "rounds", .number = (double)options->rounds, .parts = ALL},
        {.name = "benchmark", .text = options->benchmark, .parts = RC_CALIBRATION_WEIGHTS},
        {.name = "bursts", .text = options->bursts, .parts = BURSTS},
        {.name = "word-bytes", .number = options->word_bytes, .parts = BURSTS},
        {.name = "all-links", .flag = options->all_links, .parts = BURSTS},
        {.name = "loopback", .flag = options->loopback, .parts = BURSTS},
        {.name = "max-communicating", .number = (double)options->max_communicating, .parts = DELAY},
        {.name = "points", .number = (double)options->points, .parts = DELAY},
        {.name = "quick", .flag = options->quick, .parts = ALL},
        {.name = "db", .text = options->db, .parts = ALL},
    };
    struct rc_buffer line = RC_BUFFER_INIT(1 << 16);

    rc_slowdown_calibration_parts_text(parts, names);
    rc_buffer_add_text(&line, "runcast slowdown calibrate");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].parts & parts)
            add_given(&line, &given[i]);
    snprintf(text, REST_SIZE, "%s", line.data && line.length < REST_SIZE ? line.data : "...");
    rc_buffer_free(&line);
}

/* ---- measuring ---- */

static void show_doing(void *data, const char *what)
{
    struct calibrating *calibrating = data;

    snprintf(calibrating->doing, sizeof calibrating->doing, "%s", what);
    calibrating->work.progress.label = calibrating->doing;
}

/* Shown at once, and also in the JSON. */
static void show_note(void *data, const char *text)
{
    struct calibrating *calibrating = data;

    rc_progress_end(&calibrating->work.progress);
    rc_cmd_note("%s", text);
}

static int save(const struct calibrating *calibrating, struct rc_db *db,
                struct rc_calibration *calibration, struct rc_error *error)
{
    return rc_slowdown_calibrate_save(db, calibrating->platform, &calibrating->order,
                                      &calibrating->plan, calibrating->done,
                                      calibrating->known ? &calibrating->before : NULL, calibration,
                                      error);
}

/* After a failure, or Ctrl-C: stores the measurements so far. */
static void save_partial(const struct calibrating *calibrating, struct rc_db *db,
                         struct rc_calibration *calibration, struct rc_error *error)
{
    char command[REST_SIZE];
    struct rc_error lost = {0};

    if (calibrating->done == 0)
        return;
    if (save(calibrating, db, calibration, &lost)) {
        rc_cmd_note("the measurements are lost: %s", lost.text);
        return;
    }
    if (rc_cmd_interrupted())
        rc_error_set(error, "interrupted");
    write_rest(calibrating->options, calibrating->platform,
               calibration->missing & calibrating->order.parts, command);
    rc_cmd_note("stored %zu of %zu measurements; to make the others: %s", calibrating->done,
                calibrating->plan.n, command);
}

static int show(struct calibrating *calibrating, const struct rc_calibration *calibration)
{
    const struct calibrate_options *options = calibrating->options;
    struct rc_error error = {0};

    if (!options->json)
        rc_cmd_calibration_print(calibrating->platform, calibration);
    fflush(stdout);
    if (options->quick)
        show_note(calibrating, "measured with --quick: results are unreliable");
    if (calibrating->order.n_hosts == 1)
        show_note(calibrating,
                  calibrating->order.parts & RC_CALIBRATION_DELAY
                      ? "a single host: its weight is 1, and delays were measured over "
                        "loopback"
                      : "a single host: its weight is 1");
    if (options->json)
        rc_cmd_calibration_json(calibrating->platform, calibration);
    if (options->plot &&
        rc_cmd_calibration_plot(options->plot, calibrating->platform, calibration, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}

/* Measures and stores.  A result that cannot be stored is still shown, since it took long. */
static int calibrate(struct calibrating *calibrating, struct rc_db *db,
                     struct rc_calibration *calibration)
{
    struct rc_error error = {0};
    int found =
            rc_slowdown_calibration_find(db, calibrating->platform, &calibrating->before, &error),
        status;

    /* Check that the stored calibration is readable before measuring a part of it again. */
    calibrating->known = found > 0;
    if (found < 0 && calibrating->order.parts != RC_CALIBRATION_ALL)
        return rc_cmd_fail(&error, "slowdown calibrate");
    error = (struct rc_error){0};
    announce(&calibrating->order, &calibrating->plan);
    status =
        rc_slowdown_calibrate(&calibrating->order, &calibrating->plan, &calibrating->work.monitor,
                              calibration, &calibrating->done, &error);
    rc_progress_end(&calibrating->work.progress);
    if (status) {
        save_partial(calibrating, db, calibration, &error);
        return rc_cmd_fail(&error, "slowdown calibrate");
    }
    if (save(calibrating, db, calibration, &error) == 0)
        return show(calibrating, calibration);
    show(calibrating, calibration);
    return rc_cmd_fail(&error, "storing the calibration");
}

static int run_calibrate(struct rc_invocation *invocation)
{
    static struct calibrating calibrating;
    struct rc_calibration calibration = {0};
    struct rc_db *db;
    int status;

    calibrating.options = invocation->options;
    calibrating.order.doing = show_doing;
    calibrating.order.note = show_note;
    calibrating.order.data = &calibrating;
    status = check_options(invocation, &calibrating);
    if (status == RC_EXIT_OK) {
        rc_cmd_work_begin(&calibrating.work, "calibrating");
        db = rc_cmd_open_db(calibrating.options->db, RC_DB_CREATE, &calibrating.work);
        status = db ? calibrate(&calibrating, db, &calibration) : RC_EXIT_FAILED;
        rc_db_close(db);
        rc_cmd_work_end(&calibrating.work);
    }
    rc_slowdown_calibration_free(&calibration);
    rc_slowdown_calibration_free(&calibrating.before);
    rc_slowdown_calibrate_plan_free(&calibrating.plan);
    rc_platform_hostlist_free(&calibrating.hosts);
    return status;
}

const struct rc_command rc_command_slowdown_calibrate = {
    .name = "calibrate",
    .summary = "Measure idle hosts and links for slowdown factors",
    .details =
        "Measures the speed of each host (weights), and the rates of bursts of messages on links. "
        "On the first host, it measures the delay by competitors that send to the second. On "
        "multicore hosts, it measures the slowdown by memory contention. The hosts must be idle. "
        "The result replaces an older calibration of the platform in the database.\n\n"
        "After a failure or Ctrl-C, the measurements so far are stored, and no process is "
        "left on the hosts. Without --hosts, this machine is measured, with delays over "
        "loopback.",
    .examples = "  runcast slowdown calibrate --hosts a1,a2 --launcher ssh --platform a\n"
                "  runcast slowdown calibrate --hosts lab[1-4] --launcher 'runcast lab exec'\n"
                "  runcast slowdown calibrate --measure weights --benchmark ./sor --hosts a,b\n",
    .options = calibrate_options,
    .options_size = sizeof(struct calibrate_options),
    .defaults = &calibrate_defaults,
    .answers = {rc_answer_calibration},
    .run = run_calibrate,
};
