// SPDX-License-Identifier: GPL-3.0-or-later
/* launcher.c - the tables of launchers, of their options, and of what may stand before them.
 *
 * Options are those of Open MPI 4 and 5, MPICH 4 (Hydra) and Slurm 23, from their manual pages.
 * All have to be here, with the number of words that follow each: after an
 * unknown option, the start of the program is unknown, and a "-n" may belong to the program. */
#include "run/launcher.h"

#include <string.h>

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
    END_OF_TABLE,
};

static const struct rc_launcher_option lab_options[] = {
    SAYS("p", PROCESSES),    SAYS("procs", PROCESSES), SAYS("hosts", NODELIST),
    SAYS("per-host", ROUND), SAYS("lab", LAB),         END_OF_TABLE,
};

/* The other options, between blanks, by the number of words that follow them.  Of mpirun's, those
 * of MPICH begin on a new line. */
enum { OTHERS = 3 };
static const char *const mpirun_others[OTHERS] = {
    "allow-run-as-root bind-to-core bind-to-socket bind-to-none bycore byslot bysocket continuous "
    "d debug-devel debug debug-daemons debug-daemons-file disable-recovery display-allocation "
    "display-devel-allocation display-devel-map display-diffable-map display-map display-topo "
    "do-not-launch do-not-resolve enable-instant-on-support enable-recovery fwd-mpirun-port "
    "get-stack-traces index-argv-by-rank leave-session-attached merge-stderr-to-stdout "
    "nooversubscribe noprefix novm output-proctable oversubscribe preload-binary q quiet "
    "report-bindings report-child-jobs-separately report-state-on-timeout s "
    "set-cwd-to-session-dir show-progress stream-buffering tag-output timestamp-output tv "
    "use-hwthread-cpus use-regexp v verbose xml "
    "genvnone genvall envnone envall enable-x disable-x info print-all-exitcodes profile "
    "prepend-rank l disable-auto-cleanup disable-hostname-propagation pmi-port",
    "am bind-to cf cartofile cpu-list cpu-set cpus-per-proc cpus-per-rank debugger display "
    "forward-signals gpu-support hnp launch-agent max-restarts max-vm-size ompi-server output "
    "output-filename path personality prefix preload-files rank-by report-events report-pid "
    "report-uri runtime-options stdin timeout tune wd wdir x xml-file xterm "
    "genvlist envlist launcher launcher-exec bootstrap bootstrap-exec rmk topolib membind demux "
    "iface prepend-pattern outfile-pattern errfile-pattern nameserver localhost usize "
    "gpus-per-proc",
    "gmca mca omca pmixmca gpmixmca prtemca genv env",
};
static const char *const srun_others[OTHERS] = {
    "bcast bell no-bell contiguous disable-status X E preserve-env exact exclusive H hold I "
    "immediate k no-kill K kill-on-bad-exit l label multi-prog nice O overcommit overlap s "
    "oversubscribe propagate pty Q quiet quit-on-interrupt reboot spread-job u unbuffered "
    "use-min-nodes v verbose x11 Z no-allocate",
    "A account acctg-freq b begin c cpus-per-task C constraint chdir D clusters M comment "
    "container cores-per-socket cpu-bind cpu-freq cpus-per-gpu d dependency deadline delay-boot m "
    "distribution e error epilog export G gpus gpu-bind gpu-freq gpus-per-node gpus-per-socket "
    "gpus-per-task gres gres-flags hint i input J job-name L licenses mail-type mail-user mem "
    "mem-bind mem-per-cpu mem-per-gpu mincpus mpi network o output open-mode p partition power "
    "priority profile prolog q qos reservation S core-spec signal slurmd-debug sockets-per-node "
    "switches t time T threads task-epilog task-prolog thread-spec threads-per-core time-min tmp "
    "tres-per-task W wait wckey",
    "",
};
static const char *const lab_others[OTHERS] = {"dry-run", "mpi", ""};

static const struct rc_launcher launchers[] = {
    {"mpirun", RC_LAUNCHER_MPIRUN, mpirun_options, mpirun_others, false},
    {"mpiexec", RC_LAUNCHER_MPIRUN, mpirun_options, mpirun_others, false},
    {"mpirun.openmpi", RC_LAUNCHER_MPIRUN, mpirun_options, mpirun_others, false},
    {"mpiexec.openmpi", RC_LAUNCHER_MPIRUN, mpirun_options, mpirun_others, false},
    {"orterun", RC_LAUNCHER_MPIRUN, mpirun_options, mpirun_others, false},
    {"prterun", RC_LAUNCHER_MPIRUN, mpirun_options, mpirun_others, false},
    {"mpirun.mpich", RC_LAUNCHER_MPICH, mpirun_options, mpirun_others, false},
    {"mpiexec.mpich", RC_LAUNCHER_MPICH, mpirun_options, mpirun_others, false},
    {"mpiexec.hydra", RC_LAUNCHER_MPICH, mpirun_options, mpirun_others, false},
    {"srun", RC_LAUNCHER_SRUN, srun_options, srun_others, true},
    {"runcast lab mpirun", RC_LAUNCHER_LAB_MPIRUN, lab_options, lab_others, false},
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

/* Whether `names`, between blanks, has this one. */
static bool has_name(const char *names, const char *name, size_t length)
{
    while (*names) {
        size_t next = strcspn(names, " ");

        if (next == length && strncmp(names, name, length) == 0)
            return true;
        names += next + (names[next] == ' ');
    }
    return false;
}

static const struct rc_launcher_option *find_option(const struct rc_launcher *launcher,
                                                    const char *name, size_t length)
{
    static const struct rc_launcher_option others[OTHERS] = {{"", 0, RC_LAUNCHER_NOTHING},
                                                             {"", 1, RC_LAUNCHER_NOTHING},
                                                             {"", 2, RC_LAUNCHER_NOTHING}};

    for (const struct rc_launcher_option *o = launcher->options; o->name; o++)
        if (has_name(o->name, name, length))
            return o;
    for (int words = 0; words < OTHERS; words++)
        if (has_name(launcher->others[words], name, length))
            return &others[words];
    return NULL;
}

const struct rc_launcher_option *rc_run_launcher_option_find(const struct rc_launcher *launcher,
                                                             const char *word, const char **value)
{
    const char *name = word + (word[0] == '-') + (word[0] == '-' && word[1] == '-');
    size_t length = strcspn(name, "=");
    const struct rc_launcher_option *option = find_option(launcher, name, length);

    *value = name[length] ? name + length + 1 : NULL;
    if (option || !launcher->letters || name != word + 1 || !name[0])
        return option;
    option = find_option(launcher, name, 1);
    *value = name[1] ? name + 1 : NULL;
    /* not several letters in one word */
    return option && (option->words == 1 || !name[1]) ? option : NULL;
}

/* ---- what may stand before a launcher ---- */

static const struct wrapper {
    const char *name;
    const char *letters; /* options of one letter that a word follows */
    const char *names;   /* the same of long ones, between blanks */
    int arguments;       /* arguments before the program */
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

/* How many words an option of a wrapper takes, itself included. */
static size_t option_words(const struct wrapper *wrapper, const char *word)
{
    if (word[1] == '-')
        return !strchr(word, '=') && has_name(wrapper->names, word + 2, strlen(word + 2)) ? 2 : 1;
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

char *const *rc_run_launcher_skip_wrappers(char *const *words)
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

    words = rc_run_launcher_skip_wrappers(words);
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
    return rc_run_launcher_skip_wrappers(words)[0];
}
