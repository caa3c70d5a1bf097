// SPDX-License-Identifier: GPL-3.0-or-later
/* launcher.c - the tables of launchers, of their options, and of what may stand before them.
 *
 * Options are those of Open MPI 4 and 5, MPICH 4 (Hydra) and Slurm 23, from their manual pages.
 * All have to be here, with the number of words that follow each: where an option is not known,
 * nobody can tell where the program begins, and a "-n" further on may be the program's own. */
#include "run/launcher.h"

#include <string.h>

#define FLAG(name)                                                                                 \
    {                                                                                              \
        name, 0, RC_LAUNCHER_NOTHING                                                               \
    }
#define WORD(name)                                                                                 \
    {                                                                                              \
        name, 1, RC_LAUNCHER_NOTHING                                                               \
    }
#define PAIR(name)                                                                                 \
    {                                                                                              \
        name, 2, RC_LAUNCHER_NOTHING                                                               \
    }
#define SAYS(name, what)                                                                           \
    {                                                                                              \
        name, 1, RC_LAUNCHER_##what                                                                \
    }
#define TURNS(name, what)                                                                          \
    {                                                                                              \
        name, 0, RC_LAUNCHER_##what                                                                \
    }
#define END_OF_TABLE                                                                               \
    {                                                                                              \
        NULL, 0, RC_LAUNCHER_NOTHING                                                               \
    }

/* Open MPI and MPICH in one, since both are called mpirun.  Where they differ: -f and -hosts are
 * MPICH's alone, and so is "one process on a host without a number". */
static const struct rc_launcher_option mpirun_options[] = {
    SAYS("n", PROCESSES),
    SAYS("np", PROCESSES),
    SAYS("c", PROCESSES),
    SAYS("H", HOSTS),
    SAYS("host", HOSTS),
    SAYS("hosts", HOSTS),
    SAYS("hostfile", HOSTFILE),
    SAYS("machinefile", HOSTFILE),
    SAYS("default-hostfile", HOSTFILE),
    SAYS("f", MACHINEFILE),
    SAYS("N", PER_NODE),
    SAYS("npernode", PER_NODE),
    SAYS("ppn", ROUND),
    SAYS("perhost", ROUND),
    TURNS("pernode", ONE_PER_NODE),
    TURNS("bynode", BY_NODE),
    SAYS("map-by", MAP_BY),
    SAYS("ppr", MAP_BY),
    /* ways to say it that are not followed */
    SAYS("app", HIDES),
    SAYS("configfile", HIDES),
    SAYS("rf", HIDES),
    SAYS("rankfile", HIDES),
    SAYS("npersocket", HIDES),
    TURNS("nolocal", HIDES),
    SAYS("add-host", HIDES),
    SAYS("add-hostfile", HIDES),
    TURNS("skip-launch-node", HIDES),
    SAYS("order-nodes", HIDES),
    SAYS("dvm", HIDES),
    SAYS("dvm-uri", HIDES),
    /* Open MPI */
    FLAG("allow-run-as-root"),
    WORD("am"),
    WORD("bind-to"),
    FLAG("bind-to-core"),
    FLAG("bind-to-socket"),
    FLAG("bind-to-none"),
    FLAG("bycore"),
    FLAG("byslot"),
    FLAG("bysocket"),
    WORD("cf"),
    WORD("cartofile"),
    FLAG("continuous"),
    WORD("cpu-list"),
    WORD("cpu-set"),
    WORD("cpus-per-proc"),
    WORD("cpus-per-rank"),
    FLAG("d"),
    FLAG("debug-devel"),
    FLAG("debug"),
    FLAG("debug-daemons"),
    FLAG("debug-daemons-file"),
    WORD("debugger"),
    FLAG("disable-recovery"),
    WORD("display"),
    FLAG("display-allocation"),
    FLAG("display-devel-allocation"),
    FLAG("display-devel-map"),
    FLAG("display-diffable-map"),
    FLAG("display-map"),
    FLAG("display-topo"),
    FLAG("do-not-launch"),
    FLAG("do-not-resolve"),
    FLAG("enable-instant-on-support"),
    FLAG("enable-recovery"),
    FLAG("fwd-mpirun-port"),
    WORD("forward-signals"),
    FLAG("get-stack-traces"),
    PAIR("gmca"),
    WORD("gpu-support"),
    WORD("hnp"),
    FLAG("index-argv-by-rank"),
    WORD("launch-agent"),
    FLAG("leave-session-attached"),
    WORD("max-restarts"),
    WORD("max-vm-size"),
    PAIR("mca"),
    FLAG("merge-stderr-to-stdout"),
    FLAG("nooversubscribe"),
    FLAG("noprefix"),
    FLAG("novm"),
    PAIR("omca"),
    WORD("ompi-server"),
    WORD("output"),
    WORD("output-filename"),
    FLAG("output-proctable"),
    FLAG("oversubscribe"),
    WORD("path"),
    WORD("personality"),
    PAIR("pmixmca"),
    PAIR("gpmixmca"),
    WORD("prefix"),
    FLAG("preload-binary"),
    WORD("preload-files"),
    PAIR("prtemca"),
    FLAG("q"),
    FLAG("quiet"),
    WORD("rank-by"),
    FLAG("report-bindings"),
    FLAG("report-child-jobs-separately"),
    WORD("report-events"),
    WORD("report-pid"),
    FLAG("report-state-on-timeout"),
    WORD("report-uri"),
    WORD("runtime-options"),
    FLAG("s"),
    FLAG("set-cwd-to-session-dir"),
    FLAG("show-progress"),
    WORD("stdin"),
    FLAG("stream-buffering"),
    FLAG("tag-output"),
    WORD("timeout"),
    FLAG("timestamp-output"),
    WORD("tune"),
    FLAG("tv"),
    FLAG("use-hwthread-cpus"),
    FLAG("use-regexp"),
    FLAG("v"),
    FLAG("verbose"),
    WORD("wd"),
    WORD("wdir"),
    WORD("x"),
    FLAG("xml"),
    WORD("xml-file"),
    WORD("xterm"),
    /* MPICH */
    PAIR("genv"),
    WORD("genvlist"),
    FLAG("genvnone"),
    FLAG("genvall"),
    PAIR("env"),
    WORD("envlist"),
    FLAG("envnone"),
    FLAG("envall"),
    WORD("launcher"),
    WORD("launcher-exec"),
    WORD("bootstrap"),
    WORD("bootstrap-exec"),
    FLAG("enable-x"),
    FLAG("disable-x"),
    WORD("rmk"),
    WORD("topolib"),
    WORD("membind"),
    WORD("demux"),
    FLAG("info"),
    FLAG("print-all-exitcodes"),
    WORD("iface"),
    FLAG("profile"),
    FLAG("prepend-rank"),
    FLAG("l"),
    WORD("prepend-pattern"),
    WORD("outfile-pattern"),
    WORD("errfile-pattern"),
    WORD("nameserver"),
    FLAG("disable-auto-cleanup"),
    FLAG("disable-hostname-propagation"),
    WORD("localhost"),
    WORD("usize"),
    FLAG("pmi-port"),
    WORD("gpus-per-proc"),
    END_OF_TABLE,
};

static const struct rc_launcher_option srun_options[] = {
    SAYS("n", PROCESSES),
    SAYS("ntasks", PROCESSES),
    SAYS("N", NODES),
    SAYS("nodes", NODES),
    SAYS("w", NODELIST),
    SAYS("nodelist", NODELIST),
    SAYS("ntasks-per-node", PER_NODE),
    SAYS("tasks-per-node", PER_NODE),
    SAYS("F", HIDES),
    SAYS("nodefile", HIDES),
    SAYS("x", HIDES),
    SAYS("exclude", HIDES),
    SAYS("r", HIDES),
    SAYS("relative", HIDES),
    SAYS("ntasks-per-socket", HIDES),
    SAYS("ntasks-per-core", HIDES),
    SAYS("ntasks-per-gpu", HIDES),
    SAYS("het-group", HIDES),
    SAYS("jobid", HIDES),
    WORD("A"),
    WORD("account"),
    WORD("acctg-freq"),
    WORD("b"),
    WORD("begin"),
    FLAG("bcast"),
    FLAG("bell"),
    FLAG("no-bell"),
    WORD("c"),
    WORD("cpus-per-task"),
    WORD("C"),
    WORD("constraint"),
    WORD("chdir"),
    WORD("D"),
    WORD("clusters"),
    WORD("M"),
    WORD("comment"),
    WORD("container"),
    FLAG("contiguous"),
    WORD("cores-per-socket"),
    WORD("cpu-bind"),
    WORD("cpu-freq"),
    WORD("cpus-per-gpu"),
    WORD("d"),
    WORD("dependency"),
    WORD("deadline"),
    WORD("delay-boot"),
    FLAG("disable-status"),
    FLAG("X"),
    WORD("m"),
    WORD("distribution"),
    WORD("e"),
    WORD("error"),
    FLAG("E"),
    FLAG("preserve-env"),
    WORD("epilog"),
    FLAG("exact"),
    FLAG("exclusive"),
    WORD("export"),
    WORD("G"),
    WORD("gpus"),
    WORD("gpu-bind"),
    WORD("gpu-freq"),
    WORD("gpus-per-node"),
    WORD("gpus-per-socket"),
    WORD("gpus-per-task"),
    WORD("gres"),
    WORD("gres-flags"),
    FLAG("H"),
    FLAG("hold"),
    WORD("hint"),
    FLAG("I"),
    FLAG("immediate"),
    WORD("i"),
    WORD("input"),
    WORD("J"),
    WORD("job-name"),
    FLAG("k"),
    FLAG("no-kill"),
    FLAG("K"),
    FLAG("kill-on-bad-exit"),
    FLAG("l"),
    FLAG("label"),
    WORD("L"),
    WORD("licenses"),
    WORD("mail-type"),
    WORD("mail-user"),
    WORD("mem"),
    WORD("mem-bind"),
    WORD("mem-per-cpu"),
    WORD("mem-per-gpu"),
    WORD("mincpus"),
    WORD("mpi"),
    FLAG("multi-prog"),
    WORD("network"),
    FLAG("nice"),
    FLAG("O"),
    FLAG("overcommit"),
    WORD("o"),
    WORD("output"),
    WORD("open-mode"),
    FLAG("overlap"),
    FLAG("s"),
    FLAG("oversubscribe"),
    WORD("p"),
    WORD("partition"),
    WORD("power"),
    WORD("priority"),
    WORD("profile"),
    WORD("prolog"),
    FLAG("propagate"),
    FLAG("pty"),
    WORD("q"),
    WORD("qos"),
    FLAG("Q"),
    FLAG("quiet"),
    FLAG("quit-on-interrupt"),
    FLAG("reboot"),
    WORD("reservation"),
    WORD("S"),
    WORD("core-spec"),
    WORD("signal"),
    WORD("slurmd-debug"),
    WORD("sockets-per-node"),
    FLAG("spread-job"),
    WORD("switches"),
    WORD("t"),
    WORD("time"),
    WORD("T"),
    WORD("threads"),
    WORD("task-epilog"),
    WORD("task-prolog"),
    WORD("thread-spec"),
    WORD("threads-per-core"),
    WORD("time-min"),
    WORD("tmp"),
    WORD("tres-per-task"),
    FLAG("u"),
    FLAG("unbuffered"),
    FLAG("use-min-nodes"),
    FLAG("v"),
    FLAG("verbose"),
    WORD("W"),
    WORD("wait"),
    WORD("wckey"),
    FLAG("x11"),
    FLAG("Z"),
    FLAG("no-allocate"),
    END_OF_TABLE,
};

static const struct rc_launcher_option lab_options[] = {
    SAYS("n", PROCESSES), SAYS("np", PROCESSES), SAYS("nodes", NODELIST), SAYS("per-node", ROUND),
    SAYS("name", LAB),    WORD("mpi"),           FLAG("dry-run"),         END_OF_TABLE,
};

static const struct rc_launcher launchers[] = {
    {"mpirun", RC_LAUNCHER_MPIRUN, mpirun_options, false},
    {"mpiexec", RC_LAUNCHER_MPIRUN, mpirun_options, false},
    {"mpirun.openmpi", RC_LAUNCHER_MPIRUN, mpirun_options, false},
    {"mpiexec.openmpi", RC_LAUNCHER_MPIRUN, mpirun_options, false},
    {"orterun", RC_LAUNCHER_MPIRUN, mpirun_options, false},
    {"prterun", RC_LAUNCHER_MPIRUN, mpirun_options, false},
    {"mpirun.mpich", RC_LAUNCHER_MPICH, mpirun_options, false},
    {"mpiexec.mpich", RC_LAUNCHER_MPICH, mpirun_options, false},
    {"mpiexec.hydra", RC_LAUNCHER_MPICH, mpirun_options, false},
    {"srun", RC_LAUNCHER_SRUN, srun_options, true},
    {"runcast lab mpirun", RC_LAUNCHER_LAB_MPIRUN, lab_options, false},
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

const struct rc_launcher *rc_run_launcher_find(char *const *words, size_t *n_words)
{
    const size_t count = sizeof launchers / sizeof *launchers;
    const char *name = words[0] ? last_part(words[0]) : "";

    *n_words = 1;
    for (size_t i = 0; i < count - 1; i++)
        if (strcmp(launchers[i].name, name) == 0)
            return &launchers[i];
    if (strcmp(name, "runcast") != 0 || !words[1] || strcmp(words[1], "lab") != 0 || !words[2] ||
        strcmp(words[2], "mpirun") != 0)
        return NULL;
    *n_words = 3;
    return &launchers[count - 1];
}

const struct rc_launcher_option *rc_run_launcher_option_find(const struct rc_launcher *launcher,
                                                             const char *word, const char **value)
{
    const char *name = word + (word[0] == '-') + (word[0] == '-' && word[1] == '-');
    size_t length = strcspn(name, "=");

    *value = name[length] ? name + length + 1 : NULL;
    for (const struct rc_launcher_option *o = launcher->options; o->name; o++)
        if (strncmp(o->name, name, length) == 0 && o->name[length] == '\0')
            return o;
    if (!launcher->letters || name != word + 1 || !name[0])
        return NULL;
    for (const struct rc_launcher_option *o = launcher->options; o->name; o++)
        if (o->name[0] == name[0] && o->name[1] == '\0') {
            *value = name[1] ? name + 1 : NULL;
            return o->words == 1 || !name[1] ? o : NULL; /* not several letters in one word */
        }
    return NULL;
}

/* ---- what may stand before a launcher ---- */

static const struct wrapper {
    const char *name;
    const char *letters; /* options of one letter that a word follows */
    const char *names;   /* the same of long ones, between blanks */
    int arguments;       /* words of its own before the program */
    bool assignments;    /* NAME=VALUE may stand there, too */
} wrappers[] = {
    {"env", "uC", "unset chdir", 0, true},
    {"time", "fo", "format output", 0, false},
    {"nice", "n", "adjustment", 0, false},
    {"ionice", "cn", "class classdata", 0, false},
    {"taskset", "", "", 1, false},
    {"numactl", "imNCpP", "interleave membind cpunodebind physcpubind preferred preferred-many", 0,
     false},
    {"stdbuf", "ioe", "input output error", 0, false},
    {"timeout", "ks", "kill-after signal", 1, false},
    {"nohup", "", "", 0, false},
    {"setsid", "", "", 0, false},
    {"sudo", "ughpCTrt", "user group host prompt chdir", 0, true},
};

static bool has_name(const char *names, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return true;
    return false;
}

/* How many words an option of a wrapper takes, itself included. */
static size_t option_words(const struct wrapper *wrapper, const char *word)
{
    if (word[1] == '-')
        return !strchr(word, '=') && has_name(wrapper->names, word + 2) ? 2 : 1;
    return strchr(wrapper->letters, word[1]) && word[1] && !word[2] ? 2 : 1;
}

size_t rc_run_launcher_wrapper(char *const *words)
{
    const struct wrapper *wrapper = wrappers, *end = wrappers + sizeof wrappers / sizeof *wrappers;
    int arguments;
    size_t n = 1;

    if (!words[0])
        return 0;
    while (wrapper < end && strcmp(wrapper->name, last_part(words[0])) != 0)
        wrapper++;
    if (wrapper == end)
        return 0;
    arguments = wrapper->arguments;
    while (words[n]) {
        if (strcmp(words[n], "--") == 0) {
            n++;
            break;
        }
        if (words[n][0] == '-' && words[n][1]) {
            for (size_t i = option_words(wrapper, words[n]); i > 0 && words[n]; i--)
                n++;
            continue;
        }
        if (!(wrapper->assignments && strchr(words[n], '=')) && arguments-- <= 0)
            break;
        n++;
    }
    for (; arguments > 0 && words[n]; arguments--)
        n++;
    return words[n] ? n : 0;
}

/* ---- the program ---- */

static char *const *skip_wrappers(char *const *words)
{
    size_t n;

    while ((n = rc_run_launcher_wrapper(words)) > 0)
        words += n;
    return words;
}

const char *rc_run_launcher_program(char *const *words)
{
    const struct rc_launcher *launcher;
    size_t n;

    words = skip_wrappers(words);
    launcher = rc_run_launcher_find(words, &n);
    if (!launcher)
        return words[0];
    words += n;
    while (words[0] && words[0][0] == '-' && words[0][1]) {
        const struct rc_launcher_option *option;
        const char *value;

        if (strcmp(words[0], "--") == 0) {
            words++;
            break;
        }
        option = rc_run_launcher_option_find(launcher, words[0], &value);
        if (!option)
            return NULL;
        words++;
        for (int more = option->words - (value != NULL); more > 0 && words[0]; more--)
            words++;
    }
    return skip_wrappers(words)[0];
}
