// SPDX-License-Identifier: GPL-3.0-or-later
/* monitor.c - 'runcast monitor': its options, and their check. */
#include "cmd/monitor/monitor.h"

#include <math.h>
#include <string.h>

#include "answer/monitor_fields.h"
#include "base/error.h"
#include "cmd/core/commands.h"
#include "cmd/load/load.h"

#define INTERVAL_LEAST 0.1
#define INTERVAL_MOST 86400.0
#define INTERVAL_DEFAULT 1.0 /* of this host */
#define PROBE_LEAST 10.0

#define OPTION(name_, kind_, member)                                                               \
    RC_OPTION_OF(struct rc_cmd_monitor_options, kind_, member), .name = name_

static const struct rc_option monitor_options[] = {
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4] (default: this host)"},
    {OPTION("platform-file", FILE, platform_file), .argument = "FILE",
     .help = "platform file: monitor all its hosts, or those of --hosts"},
    {OPTION("duration", TEXT, duration), .argument = "TIME|forever",
     .help = "duration (default: until Ctrl-C)"},
    {OPTION("interval", QUANTITY, interval), .argument = "TIME", .dimension = RC_SECONDS,
     .help = "time between two samples, 0.1s or more (default: 1s; with --hosts or "
             "--platform-file 10s)"},
    {OPTION("probe-interval", TEXT, probe_interval), .argument = "TIME|never",
     .help = "time between two CPU probes, or never; 10s or more (default: 1min)"},
    {OPTION("exclude", TEXT, exclude), .argument = "NAMES",
     .help =
         "processes to ignore, by name (or PID), separated by commas; names count for processes "
         "that start later"},
    {OPTION("no-store", FLAG, no_store),
     .help = "do not store the result in the database; only for this host"},
    {OPTION("launcher", TEXT, launcher), .argument = "COMMAND",
     .help = "command that starts a program on a host, called as COMMAND HOST PROGRAM... (default: "
             "ssh)"},
    {OPTION("runcast-path", TEXT, runcast_path), .argument = "PATH",
     .help = "path of runcast on the hosts (default: runcast)"},
    {OPTION("links", TEXT, links), .argument = "LINKS",
     .help = "links to probe: ring, all, none, or a list such as a1:a2,a2:a3 (default: none)"},
    {OPTION("link-interval", QUANTITY, link_interval), .argument = "TIME", .dimension = RC_SECONDS,
     .help = "time between two probes of a link (default: 1min)"},
    {OPTION("link-bytes", QUANTITY, link_bytes), .argument = "BYTES", .dimension = RC_BYTES,
     .help = "maximum number of bytes that probes send over one link per hour, for all commands "
             "that share "
             "the database (default: 64MiB)"},
    {OPTION("probe-bytes", QUANTITY, probe_bytes), .argument = "BYTES", .dimension = RC_BYTES,
     .help = "size of a message of a link probe (default: 64KiB)"},
    {OPTION("agent", FLAG, agent),
     .help = "serve another runcast over standard input and output; nothing is stored"},
    {OPTION("quiet", FLAG, quiet), .letter = 'q',
     .help = "print nothing but errors; --json still prints its result"},
    RC_OPTION_JSON(struct rc_cmd_monitor_options),
    RC_OPTION_DB(struct rc_cmd_monitor_options),
    RC_OPTIONS_END,
};

static const struct rc_cmd_monitor_options monitor_defaults = {
    .interval = NAN, .link_interval = NAN, .link_bytes = NAN, .probe_bytes = NAN};

static bool has_hosts(const struct rc_cmd_monitor_options *options)
{
    return options->hosts || options->platform_file;
}

/* The first of the given options that needs hosts; NULL: none. */
static const char *first_for_hosts(const struct rc_cmd_monitor_options *options)
{
    return options->launcher                ? "--launcher"
           : options->runcast_path          ? "--runcast-path"
           : options->links                 ? "--links"
           : !isnan(options->link_interval) ? "--link-interval"
           : !isnan(options->link_bytes)    ? "--link-bytes"
           : !isnan(options->probe_bytes)   ? "--probe-bytes"
                                            : NULL;
}

static int check_combination(const struct rc_invocation *invocation)
{
    const struct rc_cmd_monitor_options *options = invocation->options;
    const char *name = has_hosts(options) ? NULL : first_for_hosts(options);

    if (name)
        return rc_cmd_usage_text(invocation, "%s needs --hosts or --platform-file", name);
    if (has_hosts(options) && (options->agent || options->no_store))
        return rc_cmd_usage_text(invocation, "%s is only for this host; remove %s",
                                 options->agent ? "--agent" : "--no-store",
                                 options->hosts ? "--hosts" : "--platform-file");
    return RC_EXIT_OK;
}

static int read_times(const struct rc_invocation *invocation, struct rc_cmd_monitor *monitor)
{
    const struct rc_cmd_monitor_options *options = monitor->options;
    const char *text = options->probe_interval;
    struct rc_error error = {0};
    int status = rc_cmd_load_seconds(invocation, options->duration, INFINITY, &monitor->duration);

    if (status)
        return status;
    monitor->interval = !isnan(options->interval) ? options->interval
                        : has_hosts(options)      ? RC_WATCH_INTERVAL
                                                  : INTERVAL_DEFAULT;
    if (!(monitor->interval >= INTERVAL_LEAST && monitor->interval <= INTERVAL_MOST))
        return rc_cmd_usage_text(invocation, "--interval must be from 0.1s to 1d");
    monitor->probe_interval = NAN;
    if (!text)
        return RC_EXIT_OK;
    if (strcmp(text, "never") == 0)
        monitor->probe_interval = INFINITY;
    else if (rc_unit_parse(text, strlen(text), RC_SECONDS, &monitor->probe_interval, &error))
        return rc_cmd_usage_text(invocation, "--probe-interval: %s", error.text);
    if (!(monitor->probe_interval >= PROBE_LEAST))
        return rc_cmd_usage_text(invocation, "--probe-interval must be 10s or more, or 'never'");
    return RC_EXIT_OK;
}

static int run_monitor(struct rc_invocation *invocation)
{
    struct rc_cmd_monitor monitor = {.invocation = invocation, .options = invocation->options};
    int status = check_combination(invocation);

    if (status == RC_EXIT_OK)
        status = read_times(invocation, &monitor);
    if (status)
        return status;
    return has_hosts(monitor.options) ? rc_cmd_monitor_hosts(&monitor)
                                      : rc_cmd_monitor_this_host(&monitor);
}

const struct rc_command rc_command_monitor = {
    .name = "monitor",
    .summary = "Monitor the load of hosts and links",
    .details =
        "Measures CPU availability, free memory, load averages and network traffic of this host, "
        "and stores them as series. 'predict --hosts' and 'forecast' use these series. CPU "
        "availability is the fraction of a core that a new process would get. A short probe once "
        "a minute corrects it; probes use at most 0.5 % of a core.\n\n"
        "With --hosts or --platform-file, monitors many hosts from here: starts a sensor on each "
        "of them through the launcher and stores all samples with the times of this machine. "
        "--links also measures bandwidth and latency. A lost host is tried again after 1, 2, "
        "4 ... 60 s; the others continue.\n\n"
        "Ctrl-C ends it and loses no samples. No process stays on any host.",
    .examples = "  runcast monitor                      # this host, until Ctrl-C\n"
                "  runcast monitor --duration 1h --interval 10s\n"
                "  runcast monitor --no-store --json    # one JSON object per line\n"
                "  runcast monitor --hosts 'a[1-4]' --launcher ssh\n"
                "  runcast monitor --hosts 'lab[1-4]' --launcher 'runcast lab exec' --links ring\n"
                "  runcast monitor --platform-file grid.yaml --interval 5s\n",
    .options = monitor_options,
    .options_size = sizeof(struct rc_cmd_monitor_options),
    .defaults = &monitor_defaults,
    .answers = {rc_answer_monitor},
    .run = run_monitor,
};
