// SPDX-License-Identifier: GPL-3.0-or-later
/* completion.c - 'runcast completion': shell completion from the tables of commands. */
#include "cmd/core/command.h"

#include <string.h>

/* The case of one command (or verb): what may follow each option that takes a value. */
static void print_case(const struct rc_command *command, const char *path)
{
    printf("    '%s')\n        words='", path);
    for (const struct rc_option *option = command->options; option && option->name; option++)
        printf("--%s ", option->name);
    printf("--help'\n        case $previous in\n");
    for (const struct rc_option *option = command->options; option && option->name; option++) {
        if (option->kind == RC_OPTION_FLAG)
            continue;
        printf("        --%s) ", option->name);
        if (option->kind == RC_OPTION_CHOICE) {
            printf("words='");
            for (const char *const *choice = option->choices; *choice; choice++)
                printf("%s%s", choice == option->choices ? "" : " ", *choice);
            printf("'; values=1;;\n");
        } else {
            printf("words=''; values=1%s;;\n", option->kind == RC_OPTION_FILE ? "; files=1" : "");
        }
    }
    printf("        esac\n        ;;\n");
}

static void print_bash(void)
{
    printf("# bash completion for runcast; made by 'runcast completion bash'\n"
           "_runcast() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local words='' values=0 files=0 verb=${COMP_WORDS[1]} child=${COMP_WORDS[2]}\n"
           "    local place=$verb\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W '--help --version");
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++)
        for (const struct rc_command *const *c = group->commands; *c; c++)
            printf(" %s", (*c)->name);
    printf("' -- \"$current\")\n        return\n    fi\n    case $verb in\n");
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++)
        for (const struct rc_command *const *c = group->commands; *c; c++) {
            if (!(*c)->children)
                continue;
            printf("    %s)\n        if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
                   "            mapfile -t COMPREPLY < <(compgen -W '--help",
                   (*c)->name);
            for (const struct rc_command *const *child = (*c)->children; *child; child++)
                printf(" %s", (*child)->name);
            printf("' -- \"$current\")\n            return\n        fi\n"
                   "        case $child in -*) ;; *) place=\"$verb $child\";; esac;;\n");
        }
    printf("    esac\n    case $place in\n");
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++)
        for (const struct rc_command *const *c = group->commands; *c; c++) {
            char path[64];

            if ((*c)->run)
                print_case(*c, (*c)->name);
            for (const struct rc_command *const *child = (*c)->children; child && *child; child++) {
                snprintf(path, sizeof path, "%s %s", (*c)->name, (*child)->name);
                print_case(*child, path);
            }
        }
    printf("    esac\n"
           "    if [ \"$values\" -eq 0 ] && [ \"${current#-}\" = \"$current\" ]; then files=1; fi\n"
           "    if [ \"$files\" -eq 1 ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
           "        compopt -o filenames 2> /dev/null\n"
           "    else\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "    fi\n"
           "}\n"
           "complete -F _runcast runcast\n");
}

static int run_completion(struct rc_invocation *invocation)
{
    if (strcmp(invocation->arguments[0], "bash") != 0)
        return rc_cmd_usage_text(invocation, "there is no completion for '%s', only for bash",
                                 invocation->arguments[0]);
    print_bash();
    return RC_EXIT_OK;
}

const struct rc_command rc_command_completion = {
    .name = "completion",
    .summary = "Print what makes a shell complete runcast's commands",
    .arguments = "bash",
    .details = "The output belongs into a file that bash reads for completion:\n"
               "  runcast completion bash > ~/.local/share/bash-completion/completions/runcast",
    .least_arguments = 1,
    .most_arguments = 1,
    .run = run_completion,
};
