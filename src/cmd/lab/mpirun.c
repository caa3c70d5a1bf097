// SPDX-License-Identifier: GPL-3.0-or-later
/* mpirun.c - 'runcast lab mpirun': MPI programs on virtual nodes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cmd/lab/lab.h"
#include "testbed/nodes/mpirun.h"
#include "platform/hostlist.h"

struct mpirun_options {
    const char *lab, *mpi, *hosts;
    int64_t procs, per_host;
    bool dry_run;
};

static const char *const mpis[] = {"openmpi", "mpich", NULL};

static const struct rc_option mpirun_options[] = {
    {RC_OPTION_OF(struct mpirun_options, INTEGER, procs), .name = "procs", .letter = 'p',
     .argument = "P", .least = 1, .help = "number of processes (default: one for each node)"},
    {RC_OPTION_OF(struct mpirun_options, CHOICE, mpi), .name = "mpi", .argument = "MPI",
     .choices = mpis,
     .help = "MPI library: openmpi, mpich or smpi; here, openmpi (default) or mpich"},
    RC_OPTION_LAB(struct mpirun_options, " (default: " RC_NODES_DEFAULT_NAME ")"),
    {RC_OPTION_OF(struct mpirun_options, TEXT, hosts), .name = "hosts", .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4]; here, nodes of the lab (default: all)"},
    {RC_OPTION_OF(struct mpirun_options, INTEGER, per_host), .name = "per-host", .argument = "K",
     .least = 1,
     .help = "number of processes on each host (default: 1, or more if there are not enough "
             "nodes)"},
    {RC_OPTION_OF(struct mpirun_options, FLAG, dry_run), .name = "dry-run",
     .help = "show what would be done, and do nothing"},
    RC_OPTIONS_END,
};

static int choose_nodes(const char *text, struct rc_testbed *testbed, size_t *nodes,
                        size_t *n_nodes, struct rc_error *error)
{
    struct rc_hostlist list = {0};
    char name[RC_NODES_NAME_MAX + 1];
    int status = 0;

    memcpy(name, testbed->name, sizeof name);
    *n_nodes = testbed->n_nodes;
    for (size_t i = 0; i < testbed->n_nodes; i++)
        nodes[i] = i;
    if (!text)
        return 0;
    status = rc_platform_hostlist_expand(text, strlen(text), RC_NODES_NODES_MAX, &list, error);
    for (size_t i = 0; i < list.count && status == 0; i++)
        status = rc_nodes_find_node(list.names[i], name, testbed, &nodes[i], error);
    *n_nodes = list.count;
    rc_platform_hostlist_free(&list);
    return status;
}

/* MPICH's network layer (UCX) sees one machine, whatever the host names.  With TCP it uses the links,
 * but MPICH 4.0 then hangs in MPI_Finalize every few runs: a choice for the user. */
static void warn_of_mpich(const struct rc_testbed *testbed, const struct rc_nodes_mpirun *mpirun)
{
    if (strcmp(mpirun->mpi, "mpich") != 0 || getenv("UCX_TLS"))
        return;
    for (size_t i = 0; i < mpirun->n_nodes; i++)
        if (isfinite(testbed->nodes[mpirun->nodes[i]].link)) {
            rc_cmd_note("MPICH uses shared memory and not the links, unless the environment has "
                        "UCX_TLS=tcp,self (see docs/guides/virtual-nodes.md)");
            return;
        }
}

static int launch(struct rc_invocation *invocation, struct rc_testbed *testbed,
                  struct rc_error *error)
{
    const struct mpirun_options *options = invocation->options;
    size_t nodes[RC_NODES_NODES_MAX];
    char runcast[4096];
    ssize_t length = readlink("/proc/self/exe", runcast, sizeof runcast - 1);
    struct rc_nodes_mpirun mpirun = {.mpi = options->mpi,
                                     .nodes = nodes,
                                     .runcast = runcast,
                                     .per_node = options->per_host,
                                     .program = invocation->arguments,
                                     .n_program = invocation->n_arguments};
    struct rc_nodes_command command;
    const char *first;
    int status;

    if (length < 0)
        return rc_error_errno(error, errno, "cannot find the path of runcast");
    runcast[length] = '\0';
    if (rc_nodes_possible(error) || rc_nodes_load(options->lab, testbed, error) ||
        choose_nodes(options->hosts, testbed, nodes, &mpirun.n_nodes, error))
        return -1;
    mpirun.ranks = options->procs > 0 ? options->procs : (int64_t)mpirun.n_nodes;
    if (rc_nodes_mpirun_command(testbed, &mpirun, &command, error))
        return -1;
    first = testbed->nodes[nodes[0]].name;
    warn_of_mpich(testbed, &mpirun);
    if (options->dry_run) {
        printf("in %s:", first);
        for (int i = 0; i < command.argc; i++)
            printf(" %s", command.argv[i]);
        putchar('\n');
        status = RC_EXIT_OK;
    } else {
        status =
            rc_nodes_enter(testbed, nodes[0], error) ? -1 : rc_cmd_lab_become(command.argv, first);
    }
    rc_nodes_command_free(&command);
    return status;
}

static int run_mpirun(struct rc_invocation *invocation)
{
    struct rc_testbed *testbed = malloc(sizeof *testbed);
    struct rc_error error = {0};
    int status;

    if (!testbed)
        status = rc_error_no_memory(&error);
    else
        status = launch(invocation, testbed, &error);
    free(testbed);
    return status < 0 ? rc_cmd_fail(&error, "running an MPI program in the lab") : status;
}

const struct rc_command rc_command_lab_mpirun = {
    .name = "mpirun",
    .summary = "Run an MPI program on the nodes of a lab",
    .arguments = "[--] PROGRAM [ARGUMENT...]",
    .details =
        "The MPI library treats each node as a host, and starts its daemons there. With Open "
        "MPI, all messages use the links between the nodes. With MPICH, they do so only with "
        "UCX_TLS=tcp,self in the environment. mpirun itself runs in the first node. The "
        "exit status is that of mpirun.",
    .examples = "  runcast lab mpirun -p 4 ./prog # one process on each of four nodes\n"
                "  runcast lab mpirun --mpi mpich -p 8 ./prog # two on each\n"
                "  runcast lab mpirun --dry-run -p 2 ./prog # show the command\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .command_at = 1,
    .options = mpirun_options,
    .options_size = sizeof(struct mpirun_options),
    .defaults = &(
        const struct mpirun_options){.lab = RC_NODES_DEFAULT_NAME, .mpi = "openmpi", .per_host = 1},
    .run = run_mpirun,
};
