// SPDX-License-Identifier: GPL-3.0-or-later
/* run_column_names.c - headings that tables of runs from elsewhere use for our columns. */
#include "db/run_column_names.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct heading {
    const char *name, *heading;
};

static const struct heading aliases[] = {
    {"n", "size"},       {"p", "procs"},        {"p", "processes"},      {"p", "ranks"},
    {"p", "ntasks"},     {"seconds", "time_s"}, {"seconds", "time"},     {"seconds", "runtime"},
    {"status", "state"}, {"start", "date"},     {"start", "start_time"}, {"start", "started"},
};

/* Compared without punctuation. "cores" may be those of a host, so imports report what they read. */
static const struct heading likely[] = {
    {"app", "application"},
    {"app", "program"},
    {"app", "code"},
    {"app", "benchmark"},
    {"app", "executable"},
    {"app", "exe"},
    {"app", "jobname"},
    {"app", "name"},
    {"n", "problemsize"},
    {"n", "problem"},
    {"n", "mesh"},
    {"n", "meshsize"},
    {"n", "dimension"},
    {"n", "dim"},
    {"n", "nx"},
    {"n", "grid"},
    {"n", "gridsize"},
    {"n", "elements"},
    {"n", "cells"},
    {"n", "input"},
    {"p", "np"},
    {"p", "nprocs"},
    {"p", "numprocs"},
    {"p", "nproc"},
    {"p", "proc"},
    {"p", "nranks"},
    {"p", "numranks"},
    {"p", "mpiranks"},
    {"p", "mpiprocs"},
    {"p", "mpitasks"},
    {"p", "tasks"},
    {"p", "numtasks"},
    {"p", "cores"},
    {"p", "ncores"},
    {"p", "ncpus"},
    {"p", "alloccpus"},
    {"p", "cpus"},
    {"seconds", "sec"},
    {"seconds", "secs"},
    {"seconds", "t"},
    {"seconds", "elapsed"},
    {"seconds", "elapseds"},
    {"seconds", "elapsedsec"},
    {"seconds", "elapsedseconds"},
    {"seconds", "elapsedraw"},
    {"seconds", "elapsedtime"},
    {"seconds", "wall"},
    {"seconds", "walltime"},
    {"seconds", "walltimes"},
    {"seconds", "walltimesec"},
    {"seconds", "walltimeseconds"},
    {"seconds", "runtimes"},
    {"seconds", "runtimesec"},
    {"seconds", "runtimeseconds"},
    {"seconds", "wallclock"},
    {"seconds", "wallclocktime"},
    {"seconds", "wallsec"},
    {"seconds", "wtime"},
    {"seconds", "duration"},
    {"seconds", "totaltime"},
    {"seconds", "exectime"},
    {"seconds", "executiontime"},
    {"seconds", "realtime"},
    {"seconds", "real"},
    {"seconds", "timesec"},
    {"seconds", "timesecs"},
    {"seconds", "timeseconds"},
    {"status", "jobstate"},
    {"status", "jobstatus"},
    {"status", "runstatus"},
    {"status", "finalstate"},
    {"start", "starttime"},
    {"start", "startdate"},
    {"start", "startedat"},
    {"start", "datetime"},
    {"start", "timestamp"},
    {"start", "begin"},
};

/* Facts about a job, by the names of Slurm (sacct), PBS and others. Names that may be those of
 * parameters, too, are not here: 'nodes', 'steps', 'date'. */
static const char *const metadata[] = {
    "job",          "jobid",        "jobidraw",
    "jobnumber",    "jobname",      "jobindex",
    "arrayjobid",   "arraytaskid",  "arrayindex",
    "stepid",       "taskid",       "runid",
    "id",           "uuid",         "user",
    "userid",       "username",     "uid",
    "owner",        "account",      "accountid",
    "acct",         "group",        "groupid",
    "gid",          "project",      "projectid",
    "wckey",        "partition",    "qos",
    "qosraw",       "queue",        "reservation",
    "cluster",      "priority",     "submit",
    "submittime",   "submitted",    "eligible",
    "eligibletime", "end",          "endtime",
    "ended",        "finish",       "finished",
    "timelimit",    "timelimitraw", "exit",
    "exitcode",     "exitstatus",   "derivedexitcode",
    "returncode",   "state",        "reason",
    "nodelist",     "hostlist",     "exechost",
    "workdir",      "comment",      "elapsedraw",
    "cputime",      "cputimeraw",   "totalcpu",
};

/* The letters and digits of a heading before a unit in brackets; false if they are too many. */
static bool make_plain(const char *heading, char *plain, size_t size)
{
    size_t length = 0;

    for (const char *c = heading; *c && *c != '(' && *c != '['; c++) {
        if (!isalnum((unsigned char)*c))
            continue;
        if (length + 1 == size)
            return false;
        plain[length++] = *c;
    }
    plain[length] = '\0';
    return true;
}

/* Whether the heading has no unit in brackets, or one of seconds. */
static bool is_in_seconds(const char *heading)
{
    static const char *const units[] = {"s", "sec", "secs", "second", "seconds", "hh:mm:ss"};
    const char *unit = strpbrk(heading, "([");
    size_t length = unit ? strcspn(unit + 1, ")]") : 0;

    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (strlen(units[i]) == length && strncasecmp(units[i], unit + 1, length) == 0)
            return true;
    return !unit;
}

bool rc_db_column_is_alias(const char *heading, const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].name, name) == 0 && strcasecmp(aliases[i].heading, heading) == 0)
            return true;
    return false;
}

bool rc_db_column_resembles(const char *heading, const char *name)
{
    char plain[32];

    if (!make_plain(heading, plain, sizeof plain) ||
        (strcmp(name, "seconds") == 0 && !is_in_seconds(heading)))
        return false;
    if (strcasecmp(plain, name) == 0 || rc_db_column_is_alias(plain, name))
        return true;
    for (size_t i = 0; i < sizeof likely / sizeof *likely; i++)
        if (strcmp(likely[i].name, name) == 0 && strcasecmp(likely[i].heading, plain) == 0)
            return true;
    return false;
}

bool rc_db_column_is_metadata(const char *heading)
{
    char plain[32];

    if (!make_plain(heading, plain, sizeof plain))
        return false;
    for (size_t i = 0; i < sizeof metadata / sizeof *metadata; i++)
        if (strcasecmp(metadata[i], plain) == 0)
            return true;
    return false;
}
