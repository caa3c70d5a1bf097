// SPDX-License-Identifier: GPL-3.0-or-later
/* hints.c - the hint for each error code of the library.
 *
 * The library does not know the command line: its errors have a code and facts.  Here the code
 * becomes the option or the command that helps.  {1}, {2} ... stand for the facts. */
#include "cmd/core/hints.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct hint {
    const char *code, *text; /* "": none */
    const char *error;       /* in place of the error's text; NULL: that stays */
};

#define SAY_HOSTS "--hosts a1,a2,... or, where all runs on this machine, --local"

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

/* The model that is nearest to the one asked for: what it has that is other, as options. */
static void say_nearest_model(const char *facts, char hint[RC_HINT_SIZE])
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
        rc_text_append(hint, RC_HINT_SIZE, "%s%s %.*s", any ? ", " : "there is one for ",
                       options[i], length, fact);
        any = true;
    }
    rc_text_append(hint, RC_HINT_SIZE,
                   "%s'runcast scale measure' and 'fit' with these options make %s",
                   any ? "; " : "", any ? "another" : "one");
}

static const struct hint hints[] = {
    /* ---- src/platform ---- */
    {"platform.which-cluster", "say which one with --cluster, such as --cluster '{1}'", NULL},

    /* ---- src/db ---- */
    {"db.app-twice", "leave --app out, or take the column away", NULL},
    {"db.bad-rows", "nothing was stored; --skip-bad imports the good rows and lists the others",
     NULL},
    {"db.damaged", "'runcast db check' tells what is damaged", NULL},
    {"db.directory-read-only", "name a file with --db or RUNCAST_DB where you may write", NULL},
    {"db.empty",
     "a command that stores something makes one, such as 'runcast import FILE.csv'; or name "
     "another file with --db",
     NULL},
    {"db.log-left", "try again later, or have its owner run 'runcast db info'", NULL},
    {"db.newer-format", "use that newer runcast, or name another store with --db", NULL},
    {"db.no-app-column",
     "the first line names the columns; app, n, p and seconds are required (--app NAME stands in "
     "for a missing app)",
     NULL},
    {"db.no-column", "the first line names the columns; app, n, p and seconds are required", NULL},
    {"db.no-directory", "make that directory first, or name another file with --db", NULL},
    {"db.no-fraction",
     "nothing was stored; are the values in percent, or counts of cores? Divide them first, or "
     "give them another --metric",
     NULL},
    {"db.no-sample", "its newest sample is of {1}: use --at {1}{2}", NULL},
    {"db.no-series", "'runcast series list' shows those that there are", NULL},
    {"db.no-such-series", "did you mean {1}? 'runcast series list' shows all", NULL},
    {"db.no-value-column", "--column NAME picks the column with the values", NULL},
    {"db.none",
     "'runcast sense', 'runcast watch', 'runcast record', 'runcast import' or 'runcast series "
     "import' makes one; --db FILE or RUNCAST_DB names another",
     NULL},
    {"db.not-ours", "name another file with --db FILE or RUNCAST_DB", NULL},
    {"db.other-value", "--replace lets the new values win", NULL},
    {"db.read-only",
     "ask for permission to write to {1} and to its directory, or name another store with --db",
     NULL},

    /* ---- src/testbed/load ---- */
    {"load.no-receiver", "does '{1} {2} runcast --version' work?", NULL},
    {"load.nobody-listens", "nobody listens there: start 'runcast load net --listen PORT' first",
     NULL},
    {"load.refused-key", "give --key KEY as 'runcast load net --listen' printed it", NULL},

    /* ---- src/testbed/nodes ---- */
    {"nodes.not-root", "run it with sudo; 'runcast lab sim' needs no root", NULL},
    {"nodes.incapable", "'runcast doctor' says what is missing", NULL},
    {"nodes.network", "'runcast doctor' says which parts of it this machine has", NULL},
    {"nodes.none", "runcast lab up --nodes 4", NULL},
    {"nodes.no-node-name",
     "a node is named by its lab and a number, such as lab1; see 'runcast lab status'", NULL},
    {"nodes.name-taken", "runcast lab down --name {1}; or give this one another --name", NULL},
    {"nodes.broken", "runcast lab down --name {1}; then up again", NULL},
    {"nodes.unfinished", "runcast lab down --name {1}", NULL},
    {"nodes.core-full", "see 'runcast lab status' for who has how much of it", NULL},
    {"nodes.no-room", "they can have --cpu {1} each", NULL},
    {"nodes.smpi-program", "it is for simulated clusters: runcast lab sim", NULL},
    {"nodes.other-mpi", "--mpi {1}", NULL},

    /* ---- src/testbed/sim ---- */
    {"sim.start-outside", "--start takes a date, or a time from the beginning of the load's", NULL},
    {"sim.no-time", "let it count with smpi_execute_flops(), or say --compute measured", NULL},
    {"sim.processes-do-not-fit",
     "take fewer with --procs, or more hosts with --hosts (in a sweep file: procs, hosts)", NULL},
    {"sim.too-many-processes", "say how many with --procs (in a sweep file: procs)", NULL},
    {"sim.unknown-speed",
     "add 'speed: 2Gf' to its cluster, or say --speed 2Gf (in a sweep file: speed)", NULL},
    {"sim.other-samples",
     "the store has samples of another load or seed for these hosts and "
     "times: take another --db, or another --start",
     NULL},
    {"sim.computed", "leave out --real, or look at it with --no-store", NULL},
    {"sim.unknown-size",
     "say it with --n N, give the program an argument --size N, or look at it with --no-store",
     NULL},
    {"sim.too-many-samples", "look less often, with --every", NULL},
    {"sim.no-simgrid",
     "install SimGrid (Debian: apt install libsimgrid-dev); 'runcast doctor' "
     "tells what else is of use",
     NULL},

    /* ---- src/run ---- */
    {"run.no-hosts", "say it: " SAY_HOSTS, NULL},
    {"run.no-processes", "say it: --procs P", NULL},
    {"run.no-processes-or-hosts", "say it: --procs P, and " SAY_HOSTS, NULL},
    {"run.saved-to-file", "it is kept: 'runcast import {1}' adds it", NULL},
    {"run.stored-already", "'runcast runs delete {1}' removes it", NULL},
    {"run.trace-incomplete", "see 'runcast trace check {1}'", NULL},
    {"run.other-launcher", "start it with mpirun.{1}, or say --mpi {1} to do so all the same",
     NULL},
    {"run.simulated-program", "run it by 'runcast lab sim', or by smpirun", NULL},
    {"run.trace-exists", "--force replaces it", NULL},
    {"run.trace-not-a-directory",
     "-o names the directory that the recording goes to: take another name, such as {1}.rec", NULL},
    {"run.unknown-mpi",
     "where it uses one nevertheless, say which: --mpi openmpi, --mpi mpich, or --mpi smpi", NULL},

    /* ---- src/model/regression ---- */
    {"regression.damaged", "make it anew with 'runcast fit'", NULL},
    {"regression.no-param", "say --param {1}=NUMBER ({2} to {3} in the runs)", NULL},
    {"regression.no-parts",
     "tables for 'runcast import' can have them, in columns such as time:solve or "
     "time:solve:0; programs that use the library can store them with their runs",
     NULL},
    {"regression.no-such-param", "'runcast runs export' shows what runs say", NULL},
    {"regression.too-many-params", "name those that matter, with --param", NULL},

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
     "plan for more processes, or for fewer on a host (--per-host); where a "
     "cell takes less than the runs so far made believe, say so with "
     "--bytes-per-cell; 'measure --force' tries it",
     NULL},
    {"scaling.few-hosts",
     "--hosts names those that the run itself may be on; small runs take the "
     "slowest of them",
     NULL},
    {"scaling.fit-again", "fit them again with 'runcast scale fit'", NULL},
    {"scaling.missing-runs",
     "'runcast scale plan' lists the runs to make, and 'runcast scale "
     "measure' makes those that are missing",
     NULL},
    {"scaling.no-link", "'runcast scale measure' and 'fit' with --link measured do so", NULL},
    {"scaling.no-memory",
     "take more processes or fewer on a host (--per-host), or several clusters; --force predicts "
     "all the same",
     NULL},
    {"scaling.not-made", "'runcast scale measure' with the same options makes {1}", NULL},
    {"scaling.no-runs",
     "'runcast scale plan' lists the runs to make, and 'runcast scale measure' "
     "makes them",
     NULL},
    {"scaling.runs-disagree",
     "delete the odd ones ('runcast runs delete NUMBER') and make them "
     "again on idle hosts, or take them as they are with --force",
     NULL},
    {"scaling.smaller-runs", "run it; or ask for smaller ones, such as --small {1},{2}", NULL},
    {"scaling.too-many-processes",
     "--per-host says how many a host takes, and --force predicts all the same", NULL},
    {"scaling.too-many-runs", "'runcast runs delete' deletes those that are not wanted", NULL},
    {"scaling.third-size", "plan the runs with --check, which adds a third size", NULL},

    /* ---- src/model/skeleton ---- */
    {"skeleton.measurement-damaged", "measure the skeleton again: 'runcast skeleton measure'",
     NULL},
    {"skeleton.not-a-skeleton",
     "give the command that runs the program of 'runcast skeleton build'", NULL},

    /* ---- src/model/structural ---- */
    {"structural.never-ends", "set other values with --set, or choose other hosts", NULL},
    {"structural.benchmarks-damaged", "'runcast model measure FILE.rcm --forget all' removes it",
     NULL},
    {"structural.name-hosts", "name the hosts with --hosts", NULL},
    {"structural.no-hosts", "name them with --hosts, or give a platform file with --platform",
     NULL},
    {"structural.no-recent-samples",
     "'runcast watch' or 'runcast sense' measures it; 'else' in "
     "the model says what counts otherwise",
     NULL},
    {"structural.measure-nowhere", "name them with --hosts, or the platform file with --platform",
     NULL},
    {"structural.other-run",
     "{{1}} in --command stands for it; with --timed nothing of what the "
     "program says is looked at",
     NULL},
    {"structural.bench-processes", "{p} in --bench stands for their number", NULL},
    {"structural.bench-hosts",
     "{hosts} in --bench stands for the hosts; the launcher is to start "
     "one process on each ('runcast lab sim' with --per-host 1)",
     NULL},
    {"structural.no-microbenchmark",
     "'make apps' in runcast's sources builds it; RUNCAST_APPS=DIR tells where it is, or write its "
     "path and {options} for {program}",
     "the program 'yardstick' is not here, which {program} of --bench stands for"},
    {"structural.model-faults", "'runcast model check' shows all that is wrong with it", NULL},
    {"structural.damaged", "add it again with 'runcast model add'", NULL},
    {"structural.newer-format", "a newer runcast made it; or add it again with 'runcast model add'",
     NULL},
    {"structural.no-model", "add one with 'runcast model add --app {1} FILE.rcm'", NULL},
    {"structural.other-platforms", "say which with --platform, or add one for any platform", NULL},
    {"structural.set-for-all", "--set {1}=VALUE sets it for all", NULL},
    {"structural.set", "set it with --set {1}", NULL},
    {"structural.measure-or-set", "'runcast model measure' measures it; or set it with --set {1}",
     NULL},
    {"structural.choose-section", "choose a platform with --on, such as --on {1}", NULL},
    {"structural.name-platform", "name the file with --platform, or set it with --set '{1}=VALUE'",
     NULL},
    {"structural.no-alternative", "'runcast model explain' shows for each way what is missing",
     NULL},

    /* ---- src/predict ---- */
    {"predict.given-load", "leave out --cpu and --bw", NULL},
    {"predict.no-cores", "a platform file tells: --platform FILE.yaml", NULL},
    {"predict.no-hosts", "--hosts names them", NULL},
    {"predict.no-idle-run", "record a run of this size on idle hosts: 'runcast record'", NULL},
    {"predict.no-platform-file", "--platform FILE.yaml names it", NULL},
    {"predict.no-probe", "--probe 'mpirun -np {1} {skeleton}' makes one", NULL},
    {"predict.no-runs",
     "record runs on 1, 2, 4 and 8 processes first, of several sizes each: runcast record --app "
     "{1} "
     "--size SIZE -- COMMAND; or import them: runcast import FILE.csv",
     NULL},
    {"predict.no-runs-there",
     "'runcast runs list --app {1}' shows which platforms its runs are on; without a platform, all "
     "are learnt from",
     NULL},
    {"predict.no-samples", "'runcast watch' and 'runcast sense' keep them", NULL},
    {"predict.no-scaling-model", "'runcast scale plan', 'measure' and 'fit' make one", NULL},
    {"predict.no-skeleton",
     "'runcast skeleton build' makes one, and 'runcast skeleton measure' runs it where the program "
     "was recorded",
     NULL},
    {"predict.no-structural-runs",
     "'runcast model accuracy' compares a model with the runs that there are", NULL},
    {"predict.no-such-host", "", "--hosts: the platform has no host '{1}'"},
    {"predict.no-trace",
     "'runcast trace -o DIR -- COMMAND' makes one, and 'runcast trace keep DIR --app {1} --size "
     "{2}' "
     "tells the store",
     NULL},
    {"predict.other-skeleton", "build and measure it anew: 'runcast skeleton build'", NULL},
    {"predict.processes-are-set", "",
     "--{1} {2}: '{3}' is the number of processes, which --procs says"},
    {"predict.several-clusters", "'runcast scale predict' splits a run over several", NULL},
    {"predict.size-is-set", "", "--{1} {2}: '{3}' is the problem size, which --size says"},
    {"predict.too-little-memory",
     "take more processes; 'runcast scale predict' tells how much it needs", NULL},
    {"predict.would-not-end", "say another load with --cpu and --bw, or other hosts", NULL},

    /* ---- src/advise/place ---- */
    {"place.too-little-memory", "", "--memory: no host has so much for a process"},
    {"place.too-many-hosts", "name those that may be used: --hosts HOSTS", NULL},
    {"place.too-many-processes", "'runcast platform show FILE' tells how many fit", NULL},

    /* ---- src/advise/split ---- */
    {"split.processes-are-set", "",
     "--param: '{1}' is the number of processes, which --hosts and --per-host say"},
    {"split.size-is-set", "", "--param: '{1}' is the problem size, which --size says"},
    {"split.unknown-time",
     "say how long it takes on idle hosts, --idle-time TIME, or choose --policy mean, vtf, 95tf or "
     "last, which need not know",
     NULL},

};

static void fill_in(const char *text, const char *facts, char hint[RC_HINT_SIZE])
{
    hint[0] = '\0';
    while (*text) {
        if (text[0] == '{' && text[1] >= '1' && text[1] <= '9' && text[2] == '}') {
            int length;
            const char *fact = find_fact(facts, text[1] - '0', &length);

            rc_text_append(hint, RC_HINT_SIZE, "%.*s", length, fact ? fact : "");
            text += 3;
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
    if (error->code && !hint[0] && strcmp(error->code, "scaling.no-model") == 0)
        say_nearest_model(error->facts, hint);
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
