// SPDX-License-Identifier: GPL-3.0-or-later
/* launch_layout.c - how many processes a command starts, and where.
 *
 * 1. Wrappers are skipped, the launcher is found, and its options are read up to the program;
 *    a ':' after that begins the next part of a command of several programs.
 * 2. Each part has a number of processes, and hosts with their slots.
 * 3. Hosts are filled in their order, each up to its slots.  Those that get none are ignored, since
 *    their load does not matter.  If the slots are unknown, the user must give the hosts. */
#include "run/launch_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "run/host_slots.h"

enum { PARTS_MAX = 256 };

/* Of names that any launcher passes on as they are. */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-"

/* What is said of one program of a command, or of all. */
struct part {
    int64_t processes;    /* 0: not said */
    int64_t per_node;     /* 0: not said */
    bool everywhere;      /* so many on each host, and not only before the next gets some */
    int64_t nodes;        /* 0: not said */
    bool by_node;         /* to each host in turn */
    bool one_unless_said; /* a host whose slots are not said takes one, before the next does */
    struct rc_slots slots;
    const char *lab;
};

struct reading {
    struct rc_launch *launch;
    const struct rc_launch_world *world;
    struct part all;   /* of the first part, and of the environment */
    int64_t processes; /* of all parts */
    int parts;
    bool open; /* a part has no number of processes */
    struct rc_error *error;
};

static const char *variable(const struct reading *r, const char *name)
{
    const char *value = r->world->variable ? r->world->variable(r->world->data, name) : NULL;

    return value && *value ? value : NULL;
}

/* ---- options ---- */

static int read_count(const char *what, const char *text, int64_t *count, struct rc_error *error)
{
    size_t length = strcspn(text, "-"); /* of srun's "-N 2-4" the least counts */

    if (rc_number_parse_integer(text, length, count) || *count < 1 ||
        *count > RC_LAUNCH_PROCESSES_MAX)
        return rc_error_set(error, "no number of processes in '%.60s %.60s'", what, text);
    return 0;
}

static int add_nodelist(struct rc_slots *slots, const char *text, struct rc_error *error)
{
    struct rc_hostlist list = {0};
    int status = rc_platform_hostlist_expand(text, strlen(text), RC_SLOTS_HOSTS_MAX, &list, error);

    for (size_t i = 0; i < list.count && status == 0; i++)
        status = rc_run_slots_add(slots, list.names[i], strlen(list.names[i]), 0, error);
    rc_platform_hostlist_free(&list);
    return status;
}

/* "node", "node:OVERSUBSCRIBE", "ppr:2:node", "slot" ... of Open MPI; of --ppr "2:node". */
static int read_mapping(struct part *part, const char *option, const char *text,
                        struct rc_error *error)
{
    bool ppr = strcmp(option, "ppr") == 0;
    size_t length;

    if (!ppr && strncmp(text, "ppr:", 4) == 0) {
        text += 4;
        ppr = true;
    }
    length = strcspn(text, ":,");
    if (!ppr) {
        part->by_node |= length == 4 && strncmp(text, "node", 4) == 0;
        return 0;
    }
    if (rc_number_parse_integer(text, length, &part->per_node) || part->per_node < 1 ||
        part->per_node > RC_SLOTS_COUNT_MAX || text[length] != ':' ||
        strncmp(text + length + 1, "node", 4) != 0)
        return rc_error_set(error, "'--map-by ppr:%.60s' does not determine the hosts", text);
    part->everywhere = true;
    return 0;
}

/* Options that name hosts. */
static int take_hosts(struct reading *r, struct part *part, enum rc_launcher_meaning meaning,
                      const char *value)
{
    part->one_unless_said =
        meaning != RC_LAUNCHER_HOSTFILE || r->launch->launcher->kind == RC_LAUNCHER_MPICH;
    return meaning == RC_LAUNCHER_HOSTS ? rc_run_slots_list(&part->slots, value, r->error)
           : meaning == RC_LAUNCHER_NODELIST
               ? add_nodelist(&part->slots, value, r->error)
               : rc_run_slots_read_file(&part->slots, value, r->error);
}

static int take_option(struct reading *r, struct part *part,
                       const struct rc_launcher_option *option, const char *value)
{
    switch (option->meaning) {
    case RC_LAUNCHER_PROCESSES:
        return read_count(option->name, value, &part->processes, r->error);
    case RC_LAUNCHER_PER_NODE:
        part->everywhere = true;
        return read_count(option->name, value, &part->per_node, r->error);
    case RC_LAUNCHER_ROUND:
        return read_count(option->name, value, &part->per_node, r->error);
    case RC_LAUNCHER_NODES:
        return read_count(option->name, value, &part->nodes, r->error);
    case RC_LAUNCHER_HOSTS:
    case RC_LAUNCHER_NODELIST:
    case RC_LAUNCHER_MACHINEFILE:
    case RC_LAUNCHER_HOSTFILE:
        return take_hosts(r, part, option->meaning, value);
    case RC_LAUNCHER_ONE_PER_NODE:
        part->per_node = 1;
        part->everywhere = true;
        return 0;
    case RC_LAUNCHER_BY_NODE:
        part->by_node = true;
        return 0;
    case RC_LAUNCHER_MAP_BY:
        return read_mapping(part, option->name, value, r->error);
    case RC_LAUNCHER_LAB:
        part->lab = value;
        return 0;
    case RC_LAUNCHER_HIDES:
        return rc_error_set(r->error, "processes and hosts of '%s' are not read", option->name);
    case RC_LAUNCHER_NOTHING:
        break;
    }
    return 0;
}

/* Reads the options from words[at] on; returns where the program is, or -1. */
static int64_t read_options(struct reading *r, struct part *part, char *const *words, size_t at)
{
    const struct rc_launcher *launcher = r->launch->launcher;

    while (words[at] && words[at][0] == '-' && words[at][1]) {
        const char *word = words[at++], *value;
        const struct rc_launcher_option *option;
        int more;

        if (strcmp(word, "--") == 0)
            break;
        option = rc_run_launcher_option_find(launcher, word, &value);
        if (!option)
            return rc_error_set(r->error, "unknown option '%.60s' of %s", word, launcher->name);
        more = option->words - (value != NULL);
        value = value ? value : words[at];
        for (; more > 0; more--)
            if (!words[at++])
                return rc_error_set(r->error, "missing value after '%.60s'", word);
        if (take_option(r, part, option, value ? value : ""))
            return -1;
    }
    return (int64_t)at;
}

/* ---- the environment ---- */

/* Slurm's "2(x3),1": 2, 2, 2, 1.  Hosts beyond it are left as they are. */
static void read_tasks(struct rc_slots *slots, const char *text)
{
    size_t host = 0;

    while (*text && host < slots->n) {
        size_t digits = strspn(text, "0123456789"), more = 0;
        int64_t count, times = 1;

        if (rc_number_parse_integer(text, digits, &count) || count > RC_SLOTS_COUNT_MAX)
            return;
        text += digits;
        if (strncmp(text, "(x", 2) == 0) {
            more = strspn(text + 2, "0123456789");
            if (rc_number_parse_integer(text + 2, more, &times))
                return;
            text += 2 + more + (text[2 + more] == ')');
        }
        for (; times > 0 && host < slots->n; times--)
            slots->hosts[host++].said = count;
        text += *text == ',';
    }
}

/* Host files that variables name: MPICH's, Open MPI's, and those of batch systems. */
static const struct {
    const char *variable;
    bool one_unless_said;
} host_files[] = {
    {"HYDRA_HOST_FILE", true},
    {"OMPI_MCA_orte_default_hostfile", false},
    {"PRTE_MCA_prte_default_hostfile", false},
    {"PBS_NODEFILE", true},
    {"PE_HOSTFILE", true},
};

/* The hosts that a launcher would find by itself. */
static int read_environment(struct reading *r)
{
    struct part *part = &r->all;
    const char *text = variable(r, "SLURM_JOB_NODELIST"), *tasks;

    if (!text)
        text = variable(r, "SLURM_NODELIST");
    if (text) {
        part->one_unless_said = true;
        if (add_nodelist(&part->slots, text, r->error))
            return -1;
        tasks = variable(r, "SLURM_TASKS_PER_NODE");
        if (tasks)
            read_tasks(&part->slots, tasks);
        return 0;
    }
    for (size_t i = 0; i < sizeof host_files / sizeof *host_files; i++)
        if ((text = variable(r, host_files[i].variable))) {
            part->one_unless_said = host_files[i].one_unless_said;
            return rc_run_slots_read_file(&part->slots, text, r->error);
        }
    return 0;
}

/* How many processes an allocation of Slurm's is for; 0 where that is not said. */
static int64_t allocated_processes(const struct reading *r)
{
    const char *text = variable(r, "SLURM_NTASKS");
    int64_t count;

    if (!text)
        text = variable(r, "SLURM_NPROCS");
    return text && rc_number_parse_integer(text, strlen(text), &count) == 0 && count >= 1 &&
                   count <= RC_LAUNCH_PROCESSES_MAX
               ? count
               : 0;
}

static int read_lab(struct reading *r)
{
    struct rc_hostlist nodes = {0};
    int status;

    if (r->all.slots.n > 0 || !r->world->lab)
        return 0;
    status = r->world->lab(r->world->data, r->all.lab, &nodes, r->error);
    for (size_t i = 0; i < nodes.count && status == 0; i++)
        status =
            rc_run_slots_add(&r->all.slots, nodes.names[i], strlen(nodes.names[i]), 0, r->error);
    rc_platform_hostlist_free(&nodes);
    return status;
}

static int find_hosts(struct reading *r)
{
    enum rc_launcher_kind kind = r->launch->launcher->kind;

    if (kind == RC_LAUNCHER_LAB_MPIRUN) {
        r->all.one_unless_said = true;
        r->all.per_node += r->all.per_node == 0;
        return read_lab(r);
    }
    if (r->all.slots.n > 0)
        return 0;
    if (read_environment(r))
        return -1;
    /* srun takes SLURM_NNODES for its -N: all of the allocation, where there are enough
     * processes. */
    if (kind == RC_LAUNCHER_SRUN && r->all.nodes == 0)
        r->all.nodes = (int64_t)r->all.slots.n;
    /* Without a word of hosts, Open MPI and MPICH start all on this machine; srun asks Slurm. */
    return r->all.slots.n > 0 || kind == RC_LAUNCHER_SRUN
               ? 0
               : rc_run_slots_add(&r->all.slots, r->world->host, strlen(r->world->host), 0,
                                  r->error);
}

/* ---- joining ---- */

/* The number of processes if no part has it. */
static int64_t implied_processes(const struct reading *r)
{
    const struct part *all = &r->all;
    int64_t hosts = all->nodes ? all->nodes : (int64_t)all->slots.n, allocated;

    if (all->everywhere)
        return all->per_node * hosts;
    if (r->launch->launcher->kind == RC_LAUNCHER_LAB_MPIRUN)
        return hosts;
    allocated = allocated_processes(r);
    if (allocated > 0)
        return allocated;
    return r->launch->launcher->kind == RC_LAUNCHER_SRUN && all->nodes > 0 ? all->nodes : 0;
}

/* How many processes a host takes before the next gets one; 0: unknown. */
static int64_t slots_of(const struct part *part, const struct rc_slots_host *host)
{
    if (part->per_node > 0)
        return part->per_node;
    if (part->by_node)
        return 1;
    if (host->said > 0)
        return host->said;
    return part->one_unless_said || host->named > 1 ? host->named : 0;
}

/* How many hosts, of those given, are used; 0: unknown. */
static size_t used_hosts(const struct part *part, int64_t processes)
{
    size_t used = 0;

    if (part->nodes > 0) {
        int64_t most = part->nodes < processes ? part->nodes : processes;

        return (size_t)most < part->slots.n ? (size_t)most : part->slots.n;
    }
    while (used < part->slots.n && processes > 0) {
        int64_t slots = slots_of(part, &part->slots.hosts[used]);

        if (slots == 0)
            return part->slots.n == 1;
        processes -= slots < processes ? slots : processes;
        used++;
    }
    return used;
}

bool rc_run_is_this_host(const char *name, const char *host)
{
    size_t length = strcspn(name, ".");

    return strcmp(name, "localhost") == 0 || strcmp(name, "127.0.0.1") == 0 ||
           strcmp(name, "::1") == 0 || strcmp(name, host) == 0 ||
           /* one of them has no domain */
           (length == strcspn(host, ".") && strncmp(name, host, length) == 0 &&
            (!name[length] || !host[length]));
}

static int add_host(struct rc_hostlist *list, const char *name, struct rc_error *error)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return 0;
    list->names[list->count] = strdup(name);
    return list->names[list->count] ? (list->count++, 0) : rc_error_no_memory(error);
}

static int put_hosts(struct reading *r)
{
    const struct rc_slots *slots = &r->all.slots;
    struct rc_hostlist *list = &r->launch->hosts;
    size_t used = used_hosts(&r->all, r->launch->processes);

    if (slots->n > 0 && used == 0)
        return rc_error_set(
            r->error, "the host file has no slots, so the hosts that get processes are unknown");
    list->names = calloc(used + 1, sizeof *list->names);
    if (!list->names)
        return rc_error_no_memory(r->error);
    for (size_t i = 0; i < used; i++) {
        const char *name = slots->hosts[i].name;

        if (add_host(list, rc_run_is_this_host(name, r->world->host) ? r->world->host : name,
                     r->error))
            return -1;
    }
    return 0;
}

/* Adds a part to the whole. */
static int join_part(struct reading *r, struct part *part)
{
    struct part *all = &r->all;

    r->processes += part->processes;
    r->open |= part->processes == 0;
    if (r->parts++ == 0) {
        *all = *part;
        part->slots = (struct rc_slots){0};
        return 0;
    }
    for (size_t i = 0; i < part->slots.n; i++) {
        const struct rc_slots_host *host = &part->slots.hosts[i];

        if (rc_run_slots_add(&all->slots, host->name, strlen(host->name), host->said, r->error))
            return -1;
    }
    all->one_unless_said &= part->slots.n == 0 || part->one_unless_said;
    return 0;
}

/* Notes what the processes of a program are called: the kernel knows them by the last part of the
 * path. Names with odd letters in them, and those beyond the room, are left out. */
static void add_program(struct rc_launch *launch, char *const *words)
{
    size_t length = strlen(launch->programs);
    const char *name;

    words = rc_run_launcher_skip_wrappers(words);
    if (!words[0] || strcmp(words[0], ":") == 0)
        return;
    name = strrchr(words[0], '/');
    name = name ? name + 1 : words[0];
    if (*name && strspn(name, LETTERS) == strlen(name) &&
        length + strlen(name) + 2 <= sizeof launch->programs)
        snprintf(launch->programs + length, sizeof launch->programs - length, "%s%s",
                 length ? "," : "", name);
}

static int read_parts(struct reading *r, char *const *words, size_t at)
{
    for (;;) {
        struct part part = {0};
        int64_t program = read_options(r, &part, words, at);
        int status = program < 0 ? -1 : join_part(r, &part);

        rc_run_slots_free(&part.slots);
        if (status)
            return -1;
        add_program(r->launch, words + program);
        if (r->parts > PARTS_MAX)
            return rc_error_set(r->error, "more than %d programs in one command", PARTS_MAX);
        for (at = (size_t)program; words[at] && strcmp(words[at], ":") != 0;)
            at++;
        if (!words[at++] || r->launch->launcher->kind == RC_LAUNCHER_LAB_MPIRUN)
            return 0;
    }
}

static int conclude(struct reading *r)
{
    struct rc_launch *launch = r->launch;

    if (launch->hosts.count == 0 && !launch->local && find_hosts(r))
        return -1;
    if (launch->processes == 0 && !r->open)
        launch->processes = r->processes;
    if (launch->processes == 0 && r->parts == 1)
        launch->processes = implied_processes(r);
    if (launch->processes == 0)
        return rc_error_set(r->error, "unknown number of processes");
    return launch->hosts.count == 0 && !launch->local ? put_hosts(r) : 0;
}

/* ---- commands without a known launcher ---- */

static bool has_allocation(const struct reading *r)
{
    for (size_t i = 0; i < sizeof host_files / sizeof *host_files; i++)
        if (variable(r, host_files[i].variable))
            return true;
    return variable(r, "SLURM_JOB_NODELIST") || variable(r, "SLURM_NODELIST");
}

/* One process on this machine, if the options leave that open.  -1 if it cannot be assumed. */
static int assume_serial(const struct reading *r)
{
    struct rc_launch *launch = r->launch;

    if (launch->processes > 1 || launch->hosts.count > 0 || has_allocation(r))
        return -1;
    launch->assumed = launch->processes == 0 || (!launch->local && launch->hosts_wanted);
    launch->local |= launch->assumed;
    launch->processes = 1;
    return 0;
}

/* ---- all of it ---- */

static const struct rc_launcher *find_launcher(char *const *words, size_t *at)
{
    const struct rc_launcher *launcher;
    size_t length;

    for (*at = 0; !(launcher = rc_run_launcher_find(words + *at, &length)); *at += length)
        if ((length = rc_run_launcher_wrapper(words + *at)) == 0)
            return NULL;
    *at += length;
    return launcher;
}

/* The code for what could not be read. */
static int ask(const struct rc_launch *launch, struct rc_error *error)
{
    bool hosts = launch->hosts.count == 0 && !launch->local;

    return rc_error_code(error,
                         launch->processes > 0 ? "run.no-hosts"
                         : hosts               ? "run.no-processes-or-hosts"
                                               : "run.no-processes",
                         NULL);
}

int rc_run_launch_read(struct rc_launch *launch, char *const *words,
                       const struct rc_launch_world *world, struct rc_error *error)
{
    struct reading r = {.launch = launch, .world = world, .error = error};
    int status = -1;
    size_t at;

    launch->launcher = find_launcher(words, &at);
    if (!launch->launcher)
        add_program(launch, words);
    if (!launch->launcher && assume_serial(&r))
        rc_error_set(error, "unknown launcher '%.60s'", words[0] ? words[0] : "");
    else if (launch->launcher && read_parts(&r, words, at) == 0)
        status = conclude(&r);
    rc_run_slots_free(&r.all.slots);
    if (launch->processes > 0 &&
        (launch->hosts.count > 0 || launch->local || !launch->hosts_wanted))
        return 0;
    if (status == 0)
        rc_error_set(error, "unknown hosts");
    return ask(launch, error);
}

void rc_run_launch_free(struct rc_launch *launch)
{
    rc_platform_hostlist_free(&launch->hosts);
}
