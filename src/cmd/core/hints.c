// SPDX-License-Identifier: GPL-3.0-or-later
/* hints.c - the hint for each error code of the library.
 *
 * The library does not know the command line: its errors have a code and facts.  This table has
 * the option or command that helps.  {1}, {2} ... stand for the facts, {1q} for the first one, quoted
 * for the shell. */
#include "cmd/core/hints.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct hint {
    const char *code, *text; /* "": none */
    const char *error;       /* replaces the text of the error; NULL: no change */
};

#define USE_HOSTS "--hosts a1,a2,..., or --local if all processes run on this machine"

/* The fact of that number, from 1, and its length; NULL: there is none. */
static const char *find_fact(const char *facts, int number, int *length)
{
    for (; number > 1 && facts; number--) {
        facts = strchr(facts, '\n');
        facts = facts ? facts + 1 : NULL;
    }
    *length = facts ? (int)strcspn(facts, "\n") : 0;
    return facts;
}

/* The options that ask for the nearest model. */
static void hint_nearest_model(const char *facts, char hint[RC_HINT_SIZE])
{
    static const char *const options[] = {"--cluster", "--network", "--per-host", "--cut",
                                          "a --size of"};
    bool any = false;

    hint[0] = '\0';
    for (int i = 0; i < (int)(sizeof options / sizeof *options); i++) {
        int length;
        const char *fact = find_fact(facts, i + 1, &length);

        if (length == 0)
            continue;
        rc_text_append(hint, RC_HINT_SIZE, "%s%s %.*s", any ? ", " : "there is a model for ",
                       options[i], length, fact);
        any = true;
    }
    rc_text_append(hint, RC_HINT_SIZE,
                   "%s%s with 'runcast scale measure' and 'fit' and these options", any ? "; " : "",
                   any ? "make another" : "make one");
}

/* A word, quoted for the shell if it has to be. */
static void add_word(const char *text, int length, char hint[RC_HINT_SIZE])
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:=,-";
    const char *quote = (int)strspn(text, plain) >= length ? "" : "'";

    rc_text_append(hint, RC_HINT_SIZE, "%s%.*s%s", quote, length, text, quote);
}

/* The fact is a map of headings that would provide the missing columns. */
static void suggest_map(const char *code, const char *facts, char hint[RC_HINT_SIZE])
{
    bool app = strcmp(code, "db.no-app-column") == 0;

    snprintf(hint, RC_HINT_SIZE, "%s",
             !app     ? "use "
             : *facts ? "use --app NAME "
                      : "use --app NAME or --map app=HEADING");
    if (!*facts)
        return;
    rc_text_append(hint, RC_HINT_SIZE, "--map ");
    add_word(facts, (int)strlen(facts), hint);
}

static const struct hint hints[] = {
    /* ---- src/base ---- */
    {"base.damaged-time-zone", "install the tz database again, or use an offset such as +02:00",
     NULL},
    {"base.no-time-zones",
     "install the package tzdata, name its directory in TZDIR, or use an offset such as +02:00",
     NULL},
    {"base.unknown-time-zone",
     "use a name such as Europe/Berlin or UTC, or an offset such as +02:00; the names are those of "
     "the files below {1}",
     NULL},

    /* ---- src/platform ---- */
    {"platform.which-cluster", "choose one with --cluster, such as --cluster '{1}'", NULL},

    /* ---- src/db ---- */
    {"db.app-twice", "leave out --app, or read the column as another one: --map NAME=app", NULL},
    {"db.bad-rows", "nothing was imported; --skip-bad imports the valid rows and lists the others",
     NULL},
    {"db.column-of-dates", "", "column '{1}' has dates; use --map start={1q}"},
    {"db.column-of-ids", "",
     "column '{1}' looks like an ID ({2}); stored as metadata; if it is a parameter, use "
     "--param-columns {3q}"},
    {"db.column-of-procs", "", "column '{1}' depends only on p; --ignore {1q} leaves it out"},
    {"db.column-of-states", "", "column '{1}' has job states; use --map status={1q}"},
    {"db.constant-column", "",
     "column '{1}' has the same number in all rows; --ignore {1q} leaves it out"},
    {"db.damaged", "'runcast db check' reports the damage", NULL},
    {"db.decimal-comma", "--meta-columns {1q} stores the column as text, as metadata", NULL},
    {"db.directory-read-only", "choose a file in a writable directory with --db or RUNCAST_DB",
     NULL},
    {"db.earlier-param", "",
     "column '{1}' is a parameter, as in earlier runs; --meta-columns {1q} stores it as metadata"},
    {"db.empty",
     "import runs with 'runcast import FILE.csv', or choose another database file with --db", NULL},
    {"db.log-left", "try again later, or ask the owner of the file to run 'runcast db info'", NULL},
    {"db.mixed-column",
     "--meta-columns {1q} stores the column as metadata; --skip-bad imports only the rows with "
     "numbers",
     NULL},
    {"db.newer-format", "use the newer version of runcast, or choose another file with --db", NULL},
    {"db.no-directory", "make the directory first, or choose another file with --db", NULL},
    {"db.no-fraction",
     "nothing was imported; divide percentages by 100 and numbers of cores by the cores, or use "
     "another --metric",
     NULL},
    {"db.no-sample", "its newest sample is at {1}; use --at {1}{2}", NULL},
    {"db.no-series", "'runcast series list' lists the series", NULL},
    {"db.no-such-series", "did you mean {1}? 'runcast series list' lists the series", NULL},
    {"db.no-value-column", "use --column NAME to select the column with the values", NULL},
    {"db.none",
     "'runcast record', 'runcast import', 'runcast monitor' or 'runcast series import' makes one; "
     "--db FILE or RUNCAST_DB chooses another file",
     NULL},
    {"db.not-ours", "choose another file with --db FILE or RUNCAST_DB", NULL},
    {"db.other-value", "--replace replaces stored samples", NULL},
    {"db.read-only", "get write access to {1} and its directory, or choose another file with --db",
     NULL},

    /* ---- src/testbed/load ---- */
    {"load.no-receiver", "does '{1} {2} runcast --version' work?", NULL},
    {"load.not-listening", "start 'runcast load net --listen PORT' there first", NULL},
    {"load.refused-key", "use the --receiver-key that 'runcast load net --listen' printed", NULL},

    /* ---- src/testbed/nodes ---- */
    {"nodes.not-root", "use sudo; 'runcast lab sim' needs no root", NULL},
    {"nodes.incapable", "'runcast doctor' shows what is missing", NULL},
    {"nodes.network", "'runcast doctor' shows what this machine supports", NULL},
    {"nodes.none", "make one with: runcast lab up", NULL},
    {"nodes.no-node-name",
     "names of nodes are that of the lab and a number, such as lab1; see 'runcast lab status'",
     NULL},
    {"nodes.name-taken", "remove it with 'runcast lab down {1}', or use another --lab", NULL},
    {"nodes.broken", "remove it with 'runcast lab down {1}', then make it again", NULL},
    {"nodes.unfinished", "remove it with 'runcast lab down {1}'", NULL},
    {"nodes.core-full", "'runcast lab status' shows the shares of all nodes", NULL},
    {"nodes.no-room", "use --cpu-share {1}", NULL},
    {"nodes.smpi-program", "use 'runcast lab sim', which simulates clusters", NULL},
    {"nodes.other-mpi", "use --mpi {1}", NULL},

    /* ---- src/testbed/sim ---- */
    {"sim.start-outside", "use a date, or a time after the start of the load", NULL},
    {"sim.no-time", "count operations with smpi_execute_flops(), or use --compute-time measured",
     NULL},
    {"sim.processes-do-not-fit",
     "use a smaller --procs or more --hosts (in a sweep file: procs, hosts)", NULL},
    {"sim.too-many-processes", "use --procs (in a sweep file: procs)", NULL},
    {"sim.unknown-speed",
     "add 'speed: 2Gf' to its cluster, or use --default-speed 2Gf (in a sweep file: speed)", NULL},
    {"sim.other-samples",
     "the database has samples of another load or seed for these hosts and times; use another "
     "--db or --start",
     NULL},
    {"sim.computed", "run it without --real, or with --no-store", NULL},
    {"sim.unknown-size", "use --size N, give the program an argument --size N, or use --no-store",
     NULL},
    {"sim.too-many-samples", "use a longer --interval", NULL},
    {"sim.no-simgrid", "install SimGrid (Debian: apt install libsimgrid-dev)", NULL},

    /* ---- src/run ---- */
    {"run.no-hosts", "use " USE_HOSTS, NULL},
    {"run.no-processes", "use --procs P", NULL},
    {"run.no-processes-or-hosts", "use --procs P, and " USE_HOSTS, NULL},
    {"run.saved-to-file", "'runcast import {1}' adds the saved run", NULL},
    {"run.stored-already", "'runcast runs delete {1}' removes it", NULL},
    {"run.trace-incomplete", "see 'runcast trace check {1}'", NULL},
    {"run.other-launcher", "start it with mpirun.{1}, or use --mpi {1} to proceed", NULL},
    {"run.simulated-program", "run it by 'runcast lab sim', or by smpirun", NULL},
    {"run.trace-exists", "--force replaces it", NULL},
    {"run.trace-not-a-directory",
     "--output is the directory for the trace; use another name, such as {1}.trace", NULL},
    {"run.unknown-mpi", "select one with --mpi openmpi, --mpi mpich or --mpi smpi", NULL},

    /* ---- src/model/regression ---- */
    {"regression.damaged", "fit it again with 'runcast fit'", NULL},
    {"regression.no-param", "use --param {1}=NUMBER ({2} to {3} in the runs)", NULL},
    {"regression.no-parts",
     "import them from columns such as time:solve or time:solve:0, or store them with runs through "
     "the library",
     NULL},
    {"regression.no-such-param", "'runcast runs export' shows the parameters of runs", NULL},
    {"regression.too-many-params", "select some with --predictor", NULL},

    /* ---- src/model/slowdown ---- */
    {"slowdown.launcher-ended",
     "does '{1} {2} {3} --version' work, and does the launcher forward standard input?", NULL},
    {"slowdown.no-competitors", "use a file of 'runcast slowdown observe --json'", NULL},
    {"slowdown.no-delay",
     "use a number such as 0.25, alpha-farm, or a file of 'runcast slowdown show --json'", NULL},
    {"slowdown.other-version", "use --runcast-path for another runcast on that host", NULL},
    {"slowdown.unknown-host", "record its load with 'runcast monitor'",
     "--host: no samples of host '{1}'"},
    {"slowdown.weights", "use --model queue, or omit --model", NULL},
    {"slowdown.weights-simulated", "omit --model, to simulate it", NULL},

    /* ---- src/model/scaling ---- */
    {"scaling.does-not-fit",
     "plan for more processes, or fewer per host (--per-host); correct the memory with "
     "--bytes-per-cell, or make the runs with 'measure --force'",
     NULL},
    {"scaling.few-hosts",
     "--hosts must name all hosts that the target may use; small runs use the slowest of them",
     NULL},
    {"scaling.fit-again", "fit them again with 'runcast scale fit'", NULL},
    {"scaling.missing-runs", "make the missing runs with 'runcast scale measure'", NULL},
    {"scaling.no-link",
     "measure it: 'runcast scale measure' and 'fit' with --cluster-link measured", NULL},
    {"scaling.no-memory",
     "use more processes, fewer per host (--per-host) or several clusters; --force predicts anyway",
     NULL},
    {"scaling.not-made", "make {1} with 'runcast scale measure' and the same options", NULL},
    {"scaling.no-runs", "make the small runs with 'runcast scale measure'", NULL},
    {"scaling.runs-disagree",
     "delete the outliers with 'runcast runs delete NUMBER' and repeat them on idle hosts, or "
     "accept them with --force",
     NULL},
    {"scaling.smaller-runs", "run it; or use smaller runs, such as --small-procs {1},{2}", NULL},
    {"scaling.too-many-processes",
     "set the number per host with --per-host, or predict anyway with --force", NULL},
    {"scaling.too-many-runs", "delete unwanted runs with 'runcast runs delete'", NULL},
    {"scaling.third-size", "plan and measure with --check-linearity, which adds a third size",
     NULL},

    /* ---- src/model/skeleton ---- */
    {"skeleton.measurement-damaged", "measure the skeleton again: 'runcast skeleton measure'",
     NULL},
    {"skeleton.not-a-skeleton",
     "give the command that runs the program of 'runcast skeleton build'", NULL},

    /* ---- src/model/structural ---- */
    {"structural.never-ends", "set other values with --set, or choose other hosts", NULL},
    {"structural.benchmarks-damaged",
     "remove it with 'runcast model measure FILE.rcm --forget all'", NULL},
    {"structural.name-hosts", "choose hosts with --hosts", NULL},
    {"structural.no-hosts", "use --hosts, or name a platform file with --platform-file", NULL},
    {"structural.no-recent-samples",
     "measure it with 'runcast monitor', or state a value with 'else' in the model", NULL},
    {"structural.measure-nowhere", "use --hosts, or name a platform file with --platform-file",
     NULL},
    {"structural.other-run",
     "pass {{1}} in --command, or use --time-source command, which ignores the program's output",
     NULL},
    {"structural.microbenchmark-processes", "pass {p} in --microbenchmark", NULL},
    {"structural.microbenchmark-hosts",
     "pass {hosts} in --microbenchmark, and start one process on each host ('runcast lab sim' "
     "needs "
     "--per-host 1)",
     NULL},
    {"structural.no-microbenchmark",
     "build it with 'make apps' in the sources of runcast and set RUNCAST_APPS=DIR, or write its "
     "path and {options} instead of {program}",
     "missing program 'microbenchmark', for {program} in --microbenchmark"},
    {"structural.model-faults", "'runcast model check' lists its errors", NULL},
    {"structural.damaged", "add it again with 'runcast model add'", NULL},
    {"structural.newer-format", "use a newer runcast, or add it again with 'runcast model add'",
     NULL},
    {"structural.no-model", "add one with 'runcast model add --app {1} FILE.rcm'", NULL},
    {"structural.other-platforms", "choose one with --platform, or add a model for any platform",
     NULL},
    {"structural.set-for-all", "use --set {1}=VALUE for all hosts", NULL},
    {"structural.set", "set it with --set {1}", NULL},
    {"structural.measure-or-set",
     "measure it with 'runcast model measure', or set it with --set {1}", NULL},
    {"structural.choose-section", "choose a platform with --on, such as --on {1}", NULL},
    {"structural.name-platform",
     "name it with --platform-file, or set the input with --set '{1}=VALUE'", NULL},
    {"structural.no-alternative", "'runcast model explain' shows what each alternative lacks",
     NULL},

    /* ---- src/predict ---- */
    {"predict.given-load", "leave out --cpu and --bandwidth", NULL},
    {"predict.no-cores", "add them to a platform file and use --platform-file FILE", NULL},
    {"predict.no-hosts", "use --hosts HOSTS", NULL},
    {"predict.no-idle-run", "record a run of this size on idle hosts: 'runcast record'", NULL},
    {"predict.no-platform-file", "use --platform-file FILE", NULL},
    {"predict.no-probe", "use --probe 'mpirun -np {1} {skeleton}'", NULL},
    {"predict.no-runs",
     "record runs of several sizes on 1, 2, 4 and 8 processes: runcast record --app {1} --size "
     "SIZE -- COMMAND; or import them: runcast import FILE.csv",
     NULL},
    {"predict.no-runs-there",
     "'runcast runs list --app {1}' shows the platforms of its runs; leave out --platform to use "
     "all",
     NULL},
    {"predict.no-samples", "'runcast monitor' stores samples", NULL},
    {"predict.no-scaling-model", "use 'runcast scale plan', 'measure' and 'fit'", NULL},
    {"predict.no-skeleton",
     "use 'runcast skeleton build', and 'runcast skeleton measure' where the program was traced",
     NULL},
    {"predict.no-structural-runs", "'runcast model accuracy' compares a model with existing runs",
     NULL},
    {"predict.no-such-host", "", "--hosts: the platform has no host '{1}'"},
    {"predict.no-trace",
     "use 'runcast trace record -o DIR -- COMMAND', then 'runcast trace import DIR --app {1} "
     "--size {2}'",
     NULL},
    {"predict.other-skeleton", "build and measure it again: 'runcast skeleton build'", NULL},
    {"predict.processes-are-set", "",
     "--{1} {2}: '{3}' is the number of processes, which --procs sets"},
    {"predict.several-clusters", "'runcast scale predict' splits a run over clusters", NULL},
    {"predict.size-is-set", "", "--{1} {2}: '{3}' is the problem size, which --size sets"},
    {"predict.too-little-memory",
     "use more processes; 'runcast scale predict' shows how much memory the run needs", NULL},
    {"predict.would-not-end", "use other hosts, or set the load with --cpu and --bandwidth", NULL},

    /* ---- src/advise/place ---- */
    {"place.too-little-memory", "", "--memory: no host has enough memory for a process"},
    {"place.too-many-hosts", "choose from fewer hosts with --hosts HOSTS", NULL},
    {"place.too-many-processes", "'runcast platform show FILE' shows how many fit", NULL},

    /* ---- src/advise/split ---- */
    {"split.processes-are-set", "",
     "--param: '{1}' is the number of processes; use --hosts and --per-host"},
    {"split.size-is-set", "", "--param: '{1}' is the problem size; use --size"},
    {"split.unknown-time",
     "give its run time on idle hosts with --dedicated TIME, or use --policy mean, vtf, 95tf or "
     "last, which do not need it",
     NULL},

};

static void fill_in(const char *text, const char *facts, char hint[RC_HINT_SIZE])
{
    hint[0] = '\0';
    while (*text) {
        if (text[0] == '{' && text[1] >= '1' && text[1] <= '9' &&
            (text[2] == '}' || (text[2] == 'q' && text[3] == '}'))) {
            int length;
            const char *fact = find_fact(facts, text[1] - '0', &length);

            if (text[2] == 'q')
                add_word(fact ? fact : "", length, hint);
            else
                rc_text_append(hint, RC_HINT_SIZE, "%.*s", length, fact ? fact : "");
            text += text[2] == 'q' ? 4 : 3;
        } else
            rc_text_append(hint, RC_HINT_SIZE, "%c", *text++);
    }
}

static const struct hint *find(const char *code)
{
    for (size_t i = 0; code && i < sizeof hints / sizeof *hints; i++)
        if (strcmp(hints[i].code, code) == 0)
            return &hints[i];
    return NULL;
}

bool rc_cmd_hint(const struct rc_error *error, char hint[RC_HINT_SIZE])
{
    const struct hint *known = find(error->code);

    snprintf(hint, RC_HINT_SIZE, "%s", error->hint);
    if (known && !hint[0])
        fill_in(known->text, error->facts, hint);
    if (error->code && !hint[0] &&
        (strcmp(error->code, "db.no-column") == 0 || strcmp(error->code, "db.no-app-column") == 0 ||
         strcmp(error->code, "db.ambiguous-column") == 0))
        suggest_map(error->code, error->facts, hint);
    if (error->code && !hint[0] && strcmp(error->code, "scaling.no-model") == 0)
        hint_nearest_model(error->facts, hint);
    return hint[0] != '\0';
}

const char *rc_cmd_error_text(const struct rc_error *error, char text[RC_HINT_SIZE])
{
    const struct hint *known = find(error->code);

    if (known && known->error)
        fill_in(known->error, error->facts, text);
    else
        snprintf(text, RC_HINT_SIZE, "%s", error->text);
    return text;
}
