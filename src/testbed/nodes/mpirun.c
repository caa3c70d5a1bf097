// SPDX-License-Identifier: GPL-3.0-or-later
/* mpirun.c - options that make an MPI treat the nodes of a testbed as separate hosts. */
#include "testbed/nodes/mpirun.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/process.h"
#include "testbed/nodes/testbed_state.h"

enum { HOSTS_MAX = 1 << 14, PROGRAM_MAX = 1 << 26 };

/* What an MPI is called with, up to a NULL.  {hosts}, {ranks} and {agent} are placeholders. */
struct launcher {
    const char *name, *package;
    const char *programs[3];
    const char *arguments[40];
};

static const struct launcher launchers[] = {
    {.name = "openmpi",
     .package = "openmpi-bin",
     .programs = {"mpirun.openmpi"},
     .arguments = {"--allow-run-as-root", "--np", "{ranks}", "--host", "{hosts}",
                   /* one after the other, as many on each as its slots */
                   "--map-by", "slot", "--bind-to", "none", "--mca", "plm_rsh_agent", "{agent}",
                   /* daemons do not pass their start on from node to node */
                   "--mca", "plm_rsh_no_tree_spawn", "1", "--mca", "btl", "tcp,self", "--mca",
                   "btl_tcp_if_include", "eth0", "--mca", "oob_tcp_if_include", "eth0", "--mca",
                   "pml", "ob1", "--mca", "mpi_yield_when_idle", "1", NULL}},
    {.name = "mpich",
     .package = "mpich",
     .programs = {"mpiexec.mpich", "mpiexec.hydra"},
     .arguments = {"-n", "{ranks}", "-hosts", "{hosts}", "-iface", "eth0", "-launcher", "rsh",
                   "-launcher-exec", "{agent}", "-bind-to", "none", NULL}},
};

static const struct launcher *find_launcher(const char *name)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (strcmp(launchers[i].name, name) == 0)
            return &launchers[i];
    return NULL;
}

static int add(struct rc_nodes_command *command, const char *text, struct rc_error *error)
{
    command->argv[command->argc] = strdup(text);
    return command->argv[command->argc++] ? 0 : rc_error_no_memory(error);
}

int rc_nodes_mpirun_hosts(const struct rc_testbed *testbed, const struct rc_nodes_mpirun *mpirun,
                          struct rc_buffer *text)
{
    int64_t each = mpirun->per_node, n = (int64_t)mpirun->n_nodes;
    int64_t rounds = mpirun->ranks / n / each, left = mpirun->ranks - rounds * each * n;

    for (size_t i = 0; i < mpirun->n_nodes; i++) {
        int64_t last = left < each ? left : each; /* of the last round, which may not get round */

        left -= last;
        if (rounds * each + last > 0 &&
            rc_buffer_printf(text, "%s%s:%" PRId64, i ? "," : "",
                             testbed->nodes[mpirun->nodes[i]].name, rounds * each + last))
            return -1;
    }
    return 0;
}

/* Makes the link that the MPI calls, anew: this program may have moved. */
static int make_agent(const struct rc_testbed *testbed, const char *runcast,
                      char path[RC_NODES_PATH], struct rc_error *error)
{
    char partial[RC_NODES_PATH + 32];

    rc_nodes_path(testbed->name, RC_NODES_AGENT, path);
    snprintf(partial, sizeof partial, "%s.%ld", path, (long)getpid());
    if (symlink(runcast, partial) || rename(partial, path)) {
        rc_error_errno(error, errno, "cannot make the link %s", path);
        unlink(partial);
        return -1;
    }
    return 0;
}

const char *rc_nodes_program_mpi(const char *program)
{
    static const struct {
        const char *library, *mpi;
    } known[] = {{"libsimgrid.so", "smpi"}, {"libmpich.so", "mpich"}, {"libmpi.so", "openmpi"}};
    struct rc_buffer content = RC_BUFFER_INIT(PROGRAM_MAX);
    const char *mpi = NULL;
    char path[4096];

    if (rc_process_find(program, path, sizeof path) == 0 &&
        rc_buffer_read_file(&content, path, NULL) == 0 && content.length > 4 &&
        memcmp(content.data, "\177ELF", 4) == 0)
        for (size_t i = 0; i < sizeof known / sizeof *known && !mpi; i++)
            if (memmem(content.data, content.length, known[i].library, strlen(known[i].library)))
                mpi = known[i].mpi;
    rc_buffer_free(&content);
    return mpi;
}

/* A program under the launcher of another MPI would run as so many programs of one process. */
static int check_program(const struct launcher *launcher, const char *program,
                         struct rc_error *error)
{
    const char *mpi = rc_nodes_program_mpi(program);

    if (!mpi || strcmp(mpi, launcher->name) == 0)
        return 0;
    rc_error_set(error, "%s is built for another MPI library than %s", program, launcher->name);
    return strcmp(mpi, "smpi") == 0 ? rc_error_code(error, "nodes.smpi-program", NULL)
                                    : rc_error_code(error, "nodes.other-mpi", "%s", mpi);
}

static int find_program(const struct launcher *launcher, char *path, size_t size,
                        struct rc_error *error)
{
    for (const char *const *name = launcher->programs; *name; name++)
        if (rc_process_find(*name, path, size) == 0)
            return 0;
    rc_error_set(error, "cannot find the program '%s'", launcher->programs[0]);
    return rc_error_hint(error, "apt-get install %s", launcher->package);
}

/* What stands for a word of the table. */
static const char *fill_in(const char *word, const char *ranks, const char *hosts,
                           const char *agent)
{
    return strcmp(word, "{ranks}") == 0   ? ranks
           : strcmp(word, "{hosts}") == 0 ? hosts
           : strcmp(word, "{agent}") == 0 ? agent
                                          : word;
}

int rc_nodes_mpirun_command(const struct rc_testbed *testbed, const struct rc_nodes_mpirun *mpirun,
                            struct rc_nodes_command *command, struct rc_error *error)
{
    const struct launcher *launcher = find_launcher(mpirun->mpi);
    struct rc_buffer hosts = RC_BUFFER_INIT(HOSTS_MAX);
    char path[4096], ranks[32], agent[RC_NODES_PATH];
    int status = -1;

    *command = (struct rc_nodes_command){0};
    if (!launcher)
        return rc_error_set(error, "unknown MPI library '%s'; use openmpi or mpich", mpirun->mpi);
    if (mpirun->ranks > RC_NODES_RANKS_MAX || mpirun->per_node > RC_NODES_RANKS_MAX)
        return rc_error_set(error, "more than %d processes", RC_NODES_RANKS_MAX);
    snprintf(ranks, sizeof ranks, "%lld", (long long)mpirun->ranks);
    command->argv = calloc((size_t)mpirun->n_program + RC_NODES_ARGUMENTS, sizeof *command->argv);
    if (!command->argv || rc_nodes_mpirun_hosts(testbed, mpirun, &hosts))
        rc_error_no_memory(error);
    else
        status = find_program(launcher, path, sizeof path, error);
    if (status == 0)
        status = check_program(launcher, mpirun->program[0], error);
    if (status == 0)
        status = make_agent(testbed, mpirun->runcast, agent, error);
    if (status == 0)
        status = add(command, path, error);
    for (const char *const *word = launcher->arguments; *word && status == 0; word++)
        status = add(command, fill_in(*word, ranks, hosts.data, agent), error);
    for (int i = 0; i < mpirun->n_program && status == 0; i++)
        status = add(command, mpirun->program[i], error);
    rc_buffer_free(&hosts);
    if (status)
        rc_nodes_command_free(command);
    return status;
}

void rc_nodes_command_free(struct rc_nodes_command *command)
{
    for (int i = 0; i < command->argc; i++)
        free(command->argv[i]);
    free(command->argv);
    *command = (struct rc_nodes_command){0};
}
