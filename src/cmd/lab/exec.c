// SPDX-License-Identifier: GPL-3.0-or-later
/* exec.c - 'runcast lab exec': running a program in a virtual node. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "cmd/lab/lab.h"

enum { SHELL_MAX = 1 << 20 };

/* Exit statuses of shells for a program that does not exist, or cannot be executed. */
enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };

int rc_cmd_lab_become(char *const *argv, const char *node)
{
    struct rc_error error = {0};
    int number;

    fflush(stdout);
    execvp(argv[0], argv);
    number = errno;
    rc_error_errno(&error, number, "cannot start '%s'", argv[0]);
    rc_cmd_fail(&error, "running a program in %s", node);
    return number == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

struct exec_options {
    bool shell;
};

static const struct rc_option exec_options[] = {
    {RC_OPTION_OF(struct exec_options, FLAG, shell), .name = "shell",
     .help = "pass the command to a shell, as ssh does"},
    RC_OPTIONS_END,
};

/* The words with spaces between them, as one. */
static int join_words(char *const *words, int n, struct rc_buffer *text, struct rc_error *error)
{
    for (int i = 0; i < n; i++)
        if (rc_buffer_printf(text, "%s%s", i ? " " : "", words[i]))
            return rc_error_no_memory(error);
    return 0;
}

static int run_exec(struct rc_invocation *invocation)
{
    const struct exec_options *options = invocation->options;
    const char *name = invocation->arguments[0];
    struct rc_buffer text = RC_BUFFER_INIT(SHELL_MAX);
    struct rc_testbed *testbed = malloc(sizeof *testbed);
    struct rc_error error = {0};
    size_t node;
    int status;

    if (!testbed ||
        join_words(invocation->arguments + 1, invocation->n_arguments - 1, &text, &error))
        status = rc_error_no_memory(&error);
    else
        status = rc_nodes_possible(&error) ||
                         rc_nodes_find_node(name, NULL, testbed, &node, &error) ||
                         rc_nodes_enter(testbed, node, &error)
                     ? -1
                     : 0;
    if (status) {
        status = rc_cmd_fail(&error, "running a program in %.40s", name);
    } else if (options->shell) {
        char program[] = "/bin/sh", flag[] = "-c";
        char *shell[] = {program, flag, text.data, NULL};

        status = rc_cmd_lab_become(shell, name);
    } else {
        status = rc_cmd_lab_become(invocation->arguments + 1,
                                   name); /* main() has a NULL after the last */
    }
    rc_buffer_free(&text);
    free(testbed);
    return status;
}

const struct rc_command rc_command_lab_exec = {
    .name = "exec",
    .summary = "Run a program in a virtual node",
    .arguments = "NODE [--] PROGRAM [ARGUMENT...]",
    .details =
        "The program runs in the node's network and on its share of a core. It sees the node's "
        "host name, finds the other nodes of the lab by name, and has a separate TMPDIR. Files, "
        "users and the environment are those of this machine.\n\n"
        "The exit status is that of the program, 127 if it does not exist, or 126 if it cannot be "
        "executed.",
    .examples = "  runcast lab exec lab1 -- getent hosts lab2 # the address of another node\n"
                "  runcast lab exec lab2 bash # a shell in a node\n",
    .least_arguments = 2,
    .most_arguments = -1,
    .command_at = 2,
    .options = exec_options,
    .options_size = sizeof(struct exec_options),
    .run = run_exec,
};
