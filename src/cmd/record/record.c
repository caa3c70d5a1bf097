// SPDX-License-Identifier: GPL-3.0-or-later
/* record.c - 'runcast record': runs a program, and stores the run with the load during it. */
#include "cmd/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "cmd/core/commands.h"
#include "cmd/lab/lab.h"
#include "cmd/monitor/agent_words.h"
#include "testbed/nodes/testbed.h"
#include "db/run.h"

#define SSH "ssh -o BatchMode=yes" /* it must not ask for a password on the program's terminal */

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_record_options, member)

static const struct rc_option record_options[] = {
    {OPTION("app", TEXT, app), .letter = 'a', .argument = "NAME",
     .help = "name of the app (required)"},
    {OPTION("size", QUANTITY, size), .letter = 's', .argument = "N",
     .help = "problem size (default: 1)", .dimension = RC_COUNT},
    {OPTION("param", LIST, params), .argument = "NAME=VALUE",
     .help = "parameter of the run (may be repeated)"},
    {OPTION("procs", INTEGER, procs), .letter = 'p', .argument = "P",
     .help = "number of processes (default: from the command, or 1)", .least = 1},
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4] (default: from the command, or this host)"},
    {OPTION("local", FLAG, local), .help = "the program runs on this machine alone"},
    {OPTION("platform", TEXT, platform), .argument = "NAME", .help = "name of the platform"},
    {OPTION("output", FILE, output), .letter = 'o', .argument = "PATH",
     .help = "output file or directory: write the run and its samples to this new file, which "
             "'runcast import' reads"},
    {OPTION("quiet", FLAG, quiet), .letter = 'q', .help = "print nothing but errors"},
    {OPTION("no-monitor", FLAG, no_monitor), .help = "do not monitor hosts"},
    {OPTION("interval", QUANTITY, interval), .argument = "TIME",
     .help = "time between two samples (default: 1s)", .dimension = RC_SECONDS},
    {OPTION("links", TEXT, links), .argument = "LINKS",
     .help = "links to probe: ring, all, none, or a list such as a1:a2,a2:a3 (default: ring, for "
             "several hosts)"},
    {OPTION("process-names", TEXT, process_names), .argument = "NAMES",
     .help = "names of the program's processes, separated by commas, which do not count as load "
             "(default: the program after the launcher)"},
    {OPTION("launcher", TEXT, launcher), .argument = "COMMAND",
     .help = "command that starts a program on a host, called as COMMAND HOST PROGRAM... (default: "
             "'" SSH "', or 'runcast lab exec' for runcast lab mpirun)"},
    {OPTION("runcast-path", TEXT, runcast_path), .argument = "PATH",
     .help = "path of runcast on the hosts (default: found in their $PATH)"},
    {OPTION("monitor-wait", QUANTITY, monitor_wait), .argument = "TIME",
     .help = "longest wait for the first samples, before the program starts (default: 10s)",
     .dimension = RC_SECONDS},
    {OPTION("db-wait", QUANTITY, db_wait), .argument = "TIME",
     .help = "longest wait for another writer of the database; then the run is saved as a file "
             "(default: 10s)",
     .dimension = RC_SECONDS},
    RC_OPTION_DB(struct rc_cmd_record_options),
    RC_OPTIONS_END,
};

static const struct rc_cmd_record_options record_defaults = {
    .size = 1, .interval = 1, .monitor_wait = 10, .db_wait = 10};

/* ---- the options ---- */

static int read_param(struct rc_cmd_record *work, size_t i, const char *text,
                      struct rc_error *error)
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;

    if (length == 0 || length >= sizeof work->names[i])
        return rc_error_set(error, "--param: '%.60s' is not NAME=VALUE", text);
    if (rc_unit_parse(equals + 1, strlen(equals + 1), RC_COUNT, &work->params[i].value, error))
        return -1;
    memcpy(work->names[i], text, length);
    work->names[i][length] = '\0';
    work->params[i].name = work->names[i];
    return 0;
}

/* Fills in what is known of the run before it begins, and refuses what the database would refuse
 * afterwards. */
static int describe(struct rc_cmd_record *work, struct rc_error *error)
{
    const struct rc_cmd_record_options *options = work->options;
    struct rc_run *run = &work->record.run;
    struct rc_run trial;

    run->app = options->app;
    run->platform = options->platform ? options->platform : "";
    run->n = options->size;
    run->params = work->params;
    for (size_t i = 0; i < options->params.n; i++, run->n_params++)
        if (read_param(work, i, options->params.items[i], error))
            return -1;
    trial = *run;
    trial.p = 1;
    trial.seconds = 1;
    return rc_db_run_check(&trial, error);
}

static int check_options(struct rc_invocation *invocation, struct rc_cmd_record *work)
{
    const struct rc_cmd_record_options *options = work->options;
    struct rc_error error = {0};

    if (!options->app)
        return rc_cmd_usage_text(invocation, "missing --app NAME");
    if (!(options->size > 0 && isfinite(options->size)))
        return rc_cmd_usage_text(invocation, "--size must be above 0");
    if (!(options->interval >= 0.1))
        return rc_cmd_usage_text(invocation, "--interval must be 0.1s or more");
    if (options->local && options->hosts)
        return rc_cmd_usage_text(invocation, "--local and --hosts exclude one another");
    return describe(work, &error) ? rc_cmd_usage(invocation, &error) : RC_EXIT_OK;
}

/* ---- the command ---- */

static const char *get_variable(void *data, const char *name)
{
    (void)data;
    return getenv(name);
}

static int list_lab(void *data, const char *name, struct rc_hostlist *nodes, struct rc_error *error)
{
    struct rc_testbed *testbed = malloc(sizeof *testbed);
    int status;

    (void)data;
    if (!testbed)
        return rc_error_no_memory(error);
    status = rc_nodes_load(name ? name : RC_NODES_DEFAULT_NAME, testbed, error);
    if (status == 0 && !(nodes->names = calloc(testbed->n_nodes + 1, sizeof *nodes->names)))
        status = rc_error_no_memory(error);
    for (size_t i = 0; status == 0 && i < testbed->n_nodes; i++) {
        nodes->names[i] = strdup(testbed->nodes[i].name);
        if (!nodes->names[i])
            status = rc_error_no_memory(error);
        else
            nodes->count++;
    }
    free(testbed);
    return status;
}

static int read_job(struct rc_cmd_record *work, char *const *words, struct rc_error *error)
{
    const struct rc_cmd_record_options *options = work->options;
    const struct rc_launch_world world = {.host = work->host,
                                          .variable = get_variable,
                                          .lab = list_lab};
    struct rc_launch *launch = &work->launch;

    launch->processes = options->procs;
    launch->local = options->local;
    launch->hosts_wanted = !options->no_monitor;
    if (options->hosts && rc_platform_hostlist_expand(options->hosts, strlen(options->hosts),
                                                      RC_WATCH_HOSTS_MAX, &launch->hosts, error))
        return -1;
    if (rc_run_launch_read(launch, words, &world, error))
        return -1;
    if (launch->local && launch->hosts.count == 0) {
        launch->hosts.names = calloc(1, sizeof *launch->hosts.names);
        if (!launch->hosts.names || !(launch->hosts.names[0] = strdup(work->host)))
            return rc_error_no_memory(error);
        launch->hosts.count = 1;
    }
    work->record.run.p = launch->processes;
    if (launch->hosts.count > 0)
        work->hosts = rc_platform_hostlist_compress((const char *const *)launch->hosts.names,
                                                    launch->hosts.count, error);
    work->record.run.hosts = work->hosts ? work->hosts : "";
    return launch->hosts.count > 0 && !work->hosts ? -1 : 0;
}

bool rc_cmd_record_in_lab(const struct rc_cmd_record *work)
{
    return work->launch.launcher && work->launch.launcher->kind == RC_LAUNCHER_LAB_MPIRUN;
}

/* ---- sensors ---- */

static int start_sensors(struct rc_cmd_record *work, struct rc_error *error)
{
    const struct rc_cmd_record_options *options = work->options;
    const struct rc_hostlist *hosts = &work->launch.hosts;
    const char *links = options->links ? options->links : hosts->count > 1 ? "ring" : "none";
    bool alone = hosts->count == 1 && rc_run_is_this_host(hosts->names[0], work->host);
    const char *const lab_exec[] = {work->self, "lab", "exec", NULL};
    const char *path = options->runcast_path,
               *names = options->process_names ? options->process_names : work->launch.programs;
    struct rc_cmd_agent_words agent;
    struct rc_watch_options watch;

    if (options->no_monitor || hosts->count == 0)
        return 0;
    rc_watch_options_init(&watch);
    watch.hosts = (const char *const *)hosts->names;
    watch.n_hosts = hosts->count;
    watch.interval = options->interval;
    if (!*names && !options->quiet)
        rc_cmd_note("the names of the program's processes are unknown, so they count as load; use "
                    "--process-names NAMES");
    watch.launcher = options->launcher ? options->launcher : alone ? NULL : SSH;
    if (!options->launcher && rc_cmd_record_in_lab(work))
        watch.launcher_words = lab_exec;
    if (!path && (rc_cmd_record_in_lab(work) || !watch.launcher))
        path = work->self;
    /* No CPU probes, which would slow the program. */
    rc_cmd_agent_words(&agent, path, options->interval, INFINITY, names);
    watch.sensor = agent.words;
    if (strcmp(links, "none") != 0 && rc_watch_links_parse(links, watch.hosts, watch.n_hosts,
                                                           &work->links, &work->n_links, error))
        return -1;
    watch.links = work->links;
    watch.n_links = work->n_links;
    if (work->n_links > 0)
        rc_cmd_record_open_counts(work);
    watch.db = work->counts;
    watch.links_at_once = 1;
    return rc_run_sensors_watch(&work->sensors, &watch, &work->record.tracks, error);
}

/* ---- running ---- */

/* A script that starts processes itself looks like a serial program. */
static void note_assumed(const struct rc_cmd_record *work, const char *program)
{
    if (work->launch.assumed && !work->options->quiet)
        rc_cmd_note("'%.60s' is not a known launcher: recording one process on this host; if "
                    "there are others, use --procs P, and --hosts HOSTS or --local",
                    program);
}

/* Runs the program between the beginning and the end of the sensors.  Returns the signal to end by,
 * if any; otherwise `*exit_status` is the exit status. */
static int run_program(struct rc_cmd_record *work, char *const *words, int *exit_status)
{
    struct rc_error error = {0};
    int number, not_started;

    number = rc_run_runner_await(&work->runner, &work->sensors, work->options->monitor_wait);
    *exit_status = RC_EXIT_FAILED;
    if (number)
        return number;
    if (rc_run_runner_run(&work->runner, words, &work->sensors, &work->outcome, &not_started,
                          &error)) {
        *exit_status = not_started;
        rc_cmd_fail(&error, "running the program");
        return 0;
    }
    if (work->sensors.kind)
        work->sensors.kind->finish(work->sensors.data, 1);
    rc_cmd_record_save(work);
    if (WIFSIGNALED(work->outcome.status))
        return WTERMSIG(work->outcome.status);
    *exit_status = WEXITSTATUS(work->outcome.status);
    return 0;
}

static int carry_out(struct rc_cmd_record *work, char *const *words)
{
    struct rc_error error = {0};
    int number = 0, exit_status = RC_EXIT_FAILED;

    if (rc_run_runner_begin(&work->runner, &error))
        return rc_cmd_fail(&error, "preparing to run the program");
    note_assumed(work, words[0]);
    if (start_sensors(work, &error))
        rc_cmd_fail(&error, "starting sensors");
    else
        number = run_program(work, words, &exit_status);
    if (work->sensors.kind)
        work->sensors.kind->destroy(work->sensors.data);
    rc_db_close(work->counts);
    rc_run_runner_end(&work->runner);
    return number ? rc_cmd_end_by(number) : exit_status;
}

static void find_self(struct rc_cmd_record *work)
{
    ssize_t length = readlink("/proc/self/exe", work->self, sizeof work->self - 1);

    snprintf(work->self + (length > 0 ? length : 0),
             sizeof work->self - (size_t)(length > 0 ? length : 0), "%s",
             length > 0 ? "" : "runcast");
    if (gethostname(work->host, sizeof work->host - 1) || !rc_platform_hostlist_is_name(work->host))
        snprintf(work->host, sizeof work->host, "localhost");
}

static int run_record(struct rc_invocation *invocation)
{
    struct rc_cmd_record *work = calloc(1, sizeof *work);
    struct rc_error error = {0};
    int status;

    if (!work) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "%s", invocation->path);
    }
    work->options = invocation->options;
    rc_run_record_init(&work->record);
    find_self(work);
    status = check_options(invocation, work);
    if (status == RC_EXIT_OK && read_job(work, invocation->arguments, &error))
        status = rc_cmd_usage(invocation, &error);
    if (status == RC_EXIT_OK)
        status = rc_cmd_check_program(invocation->arguments[0]);
    if (status == RC_EXIT_OK)
        status = carry_out(work, invocation->arguments);
    rc_run_launch_free(&work->launch);
    rc_run_record_free(&work->record);
    free(work->links);
    free(work->hosts);
    free(work);
    return status;
}

const struct rc_command rc_command_record = {
    .name = "record",
    .summary = "Run a program and record its run time and the load",
    .arguments = "[--] COMMAND [ARGUMENT...]",
    .details =
        "Put 'runcast record --app NAME --size N --' before the command of your program:\n\n"
        "  runcast record --app md --size 4000 -- mpirun -np 8 ./md 4000\n\n"
        "The program runs as usual: input, output, signals and exit status are unchanged. "
        "Meanwhile, runcast measures the load of all other processes on its hosts. At the end, it "
        "stores one run: processes, hosts, start, run time, peak memory, bytes read and written, "
        "load, and the samples.\n\n"
        "Processes and hosts come from the command line of mpirun, mpiexec, srun or runcast lab "
        "mpirun, from a Slurm allocation, or from a host file. Any other program is recorded as "
        "one process on this host, with a note; use --procs, and --hosts or --local, if it is "
        "not, such as a script that calls mpirun. Leave out --size if all runs have the same.\n\n"
        "Models ignore runs that failed or were stopped for a while; the time of an interrupted "
        "run "
        "is a lower bound. If the database cannot be written, the run is saved as a file for "
        "'runcast import'.",
    .examples = "  runcast record --app md --size 4000 -- mpirun -np 8 ./md 4000\n"
                "  runcast record --app sort --size 1e8 -- ./sort 100000000\n"
                "  runcast record --app fft --size 1Mi --hosts 'a[1-4]' --procs 16 -- ./fft.sh\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .command_at = 1,
    .options = record_options,
    .options_size = sizeof(struct rc_cmd_record_options),
    .defaults = &record_defaults,
    .run = run_record,
};
