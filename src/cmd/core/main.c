// SPDX-License-Identifier: GPL-3.0-or-later
/* main.c - finds the command, parses its options and runs it. */
#include "cmd/core/command.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/malloc_tuning.h"
#include "base/nearest_word.h"
#include "cmd/core/commands.h"
#include "testbed/nodes/mpirun.h"

static const struct rc_command *const core_commands[] = {
    &rc_command_import,  &rc_command_record,   &rc_command_predict,
    &rc_command_advise,  &rc_command_runs,     &rc_command_accuracy,
    &rc_command_monitor, &rc_command_forecast, NULL};
static const struct rc_command *const mpi_commands[] = {&rc_command_trace, &rc_command_skeleton,
                                                        NULL};
static const struct rc_command *const method_commands[] = {&rc_command_fit,      &rc_command_port,
                                                           &rc_command_model,    &rc_command_scale,
                                                           &rc_command_slowdown, NULL};
static const struct rc_command *const laboratory_commands[] = {&rc_command_lab,
                                                               &rc_command_load,
                                                               &rc_command_calc,
                                                               &rc_command_split,
                                                               &rc_command_series,
                                                               &rc_command_platform,
                                                               &rc_command_db,
                                                               &rc_command_doctor,
                                                               &rc_command_completion,
                                                               &rc_command_help,
                                                               NULL};

const struct rc_command_group rc_command_groups[] = {
    {"Core commands", core_commands},
    {"MPI programs", mpi_commands},
    {"Prediction methods", method_commands},
    {"Laboratory and tools", laboratory_commands},
    {NULL, NULL},
};

/* Other words for commands. */
static const struct {
    const char *word, *command;
} synonyms[] = {
    {"add", "import"},         {"compare", "accuracy"},   {"cpu", "monitor"},
    {"delete", "runs delete"}, {"estimate", "predict"},   {"eval", "model eval"},
    {"export", "runs export"}, {"info", "db info"},       {"limit", "predict"},
    {"list", "runs list"},     {"ls", "runs list"},       {"measure", "record"},
    {"observe", "monitor"},    {"plan", "advise"},        {"prediction", "predict"},
    {"profile", "trace"},      {"recommend", "advise"},   {"run", "record"},
    {"scaling", "scale"},      {"sense", "monitor"},      {"show", "runs show"},
    {"simulate", "lab sim"},   {"time-limit", "predict"}, {"timelimit", "predict"},
    {"walltime", "predict"},   {"watch", "monitor"},      {"where", "advise"},
};

enum { NAMES_MAX = 64 };

const struct rc_command *rc_cmd_command_find(const char *name)
{
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++)
        for (const struct rc_command *const *c = group->commands; *c; c++)
            if (strcmp((*c)->name, name) == 0)
                return *c;
    return NULL;
}

static int unknown_verb(const struct rc_invocation *invocation, const char *word,
                        const char *const *names, size_t count)
{
    struct rc_error error;
    const char *nearest = rc_nearest_word(word, names, count, sizeof *names);

    if (!invocation->path[0])
        for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
            if (strcmp(synonyms[i].word, word) == 0)
                nearest = synonyms[i].command;
    rc_error_set(&error, "unknown command '%s%s%s'", invocation->path,
                 invocation->path[0] ? " " : "", word);
    if (nearest)
        rc_error_hint(&error, "did you mean 'runcast %s%s%s'?", invocation->path,
                      invocation->path[0] ? " " : "", nearest);
    else if (invocation->command && invocation->command->run)
        rc_error_hint(&error, "write the command to run after '--': runcast %s %s",
                      invocation->path, invocation->command->arguments);
    return rc_cmd_usage(invocation, &error);
}

static int check_arguments(const struct rc_invocation *invocation)
{
    const struct rc_command *command = invocation->command;

    if (invocation->n_arguments < command->least_arguments)
        return rc_cmd_usage_text(invocation, "missing %s",
                                 command->arguments ? command->arguments : "an argument");
    if (command->most_arguments >= 0 && invocation->n_arguments > command->most_arguments)
        return rc_cmd_usage_text(invocation, "unexpected argument '%s'",
                                 invocation->arguments[command->most_arguments]);
    return RC_EXIT_OK;
}

/* Whether the words ask for help.  Before a command of the user, only the first word counts: the
 * command may have such an option, too. */
static bool wants_help(int argc, char **argv, bool first_only)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0 && !(first_only && i > 0); i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static int run_leaf(struct rc_invocation *invocation, int argc, char **argv)
{
    static const struct rc_option none[] = {RC_OPTIONS_END};
    const struct rc_command *command = invocation->command;
    struct rc_clock *clock = rc_clock_system();
    struct rc_error error;
    void *options;
    int status;

    if (wants_help(argc, argv, command->command_at > 0)) {
        rc_cmd_help_command(stdout, command, invocation->path);
        return RC_EXIT_OK;
    }
    options = calloc(1, command->options_size + 1);
    if (!options) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "%s", invocation->path);
    }
    if (command->defaults)
        memcpy(options, command->defaults, command->options_size);
    invocation->options = options;
    invocation->arguments = argv;
    rc_cmd_set_schema(invocation->path);
    if (rc_option_parse(command->options ? command->options : none, options, argc, argv,
                        command->command_at, &invocation->n_arguments, clock->wall(clock), &error))
        status = rc_cmd_usage(invocation, &error);
    else if ((status = check_arguments(invocation)) == RC_EXIT_OK)
        status = command->run(invocation);
    free(options);
    return status;
}

static int run_command(const struct rc_command *command, int argc, char **argv)
{
    struct rc_invocation invocation = {.command = command};
    const char *names[NAMES_MAX];
    size_t count = 0;

    snprintf(invocation.path, sizeof invocation.path, "%s", command->name);
    if (!command->children)
        return run_leaf(&invocation, argc, argv);
    if (argc == 0 || argv[0][0] == '-') {
        bool help = wants_help(argc, argv, command->command_at > 0);

        if (!help && argc > 0 && command->run)
            return run_leaf(&invocation, argc, argv);
        if (!help && argc > 0)
            return rc_cmd_usage_text(&invocation, "missing command before '%s'", argv[0]);
        rc_cmd_help_command(help ? stdout : stderr, command, invocation.path);
        return help ? RC_EXIT_OK : RC_EXIT_USAGE;
    }
    for (; command->children[count] && count < NAMES_MAX; count++) {
        const struct rc_command *child = command->children[count];

        names[count] = child->name;
        if (strcmp(child->name, argv[0]) == 0) {
            snprintf(invocation.path, sizeof invocation.path, "%s %s", command->name, child->name);
            invocation.command = child;
            return run_leaf(&invocation, argc - 1, argv + 1);
        }
    }
    return unknown_verb(&invocation, argv[0], names, count);
}

static int run_program(int argc, char **argv)
{
    struct rc_invocation nothing = {.path = ""};
    const struct rc_command *command;
    const char *names[NAMES_MAX];
    size_t count = 0;

    if (argc == 0) {
        rc_cmd_help_core(stderr);
        return RC_EXIT_USAGE;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        rc_cmd_help_program(stdout);
        return RC_EXIT_OK;
    }
    if (strcmp(argv[0], "--version") == 0) {
        printf("runcast %s\n", rc_version());
        return RC_EXIT_OK;
    }
    if (argv[0][0] == '-')
        return rc_cmd_usage_text(&nothing, "unknown option '%s'", argv[0]);
    command = rc_cmd_command_find(argv[0]);
    if (command)
        return run_command(command, argc - 1, argv + 1);
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++)
        for (const struct rc_command *const *c = group->commands; *c && count < NAMES_MAX; c++)
            names[count++] = (*c)->name;
    return unknown_verb(&nothing, argv[0], names, count);
}

/* Output may fail to reach its file when a disk is full. */
static int finish_output(int status)
{
    struct rc_error error;

    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    rc_error_errno(&error, errno, "cannot write to standard output");
    return rc_cmd_fail(&error, "writing the output");
}

/* Under the name that is given to MPI, this program runs a command on a node of a lab, as rsh does on
 * a host: `AGENT NODE WORDS...`. */
static int run_agent(int argc, char **argv)
{
    char lab[] = "lab", verb[] = "exec", option[] = "--shell";
    char **words = calloc((size_t)argc + 4, sizeof *words);
    int status;

    if (!words)
        return RC_EXIT_FAILED;
    words[0] = lab;
    words[1] = verb;
    words[2] = option;
    memcpy(words + 3, argv, (size_t)argc * sizeof *words);
    status = run_program(argc + 3, words);
    free(words);
    return status;
}

static bool is_agent(const char *name)
{
    const char *slash = name ? strrchr(name, '/') : NULL;

    return name && strcmp(slash ? slash + 1 : name, RC_NODES_AGENT) == 0;
}

int main(int argc, char **argv)
{
    static char output[1 << 16];
    int status;

    setlocale(LC_CTYPE, ""); /* for the widths of characters; numbers stay as they are */
    rc_malloc_keep();
    setvbuf(stdout, output, _IOFBF, sizeof output);
    status = finish_output((is_agent(argv[0]) ? run_agent : run_program)(argc - 1, argv + 1));
    if (rc_cmd_interrupted()) {
        signal(rc_cmd_interrupted(), SIG_DFL); /* the shell sees why it ended */
        raise(rc_cmd_interrupted());
    }
    return status;
}
