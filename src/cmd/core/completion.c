// SPDX-License-Identifier: GPL-3.0-or-later
/* completion.c - 'runcast completion': shell completion from the tables of commands. */
#include "cmd/core/command.h"
#include "cmd/core/option_names.h"

#include <string.h>

/* ---- the tables of commands ---- */

typedef void leaf_function(const struct rc_command *command, const char *path);

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

/* Calls a function for each command that can run: "import", "lab up". */
static void each_leaf(leaf_function *function)
{
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++)
        for (const struct rc_command *const *c = group->commands; *c; c++) {
            if ((*c)->run)
                function(*c, (*c)->name);
            for (const struct rc_command *const *child = (*c)->children; child && *child; child++) {
                char path[64];

                snprintf(path, sizeof path, "%s %s", (*c)->name, (*child)->name);
                function(*child, path);
            }
        }
}

/* Calls a function for each command at the top level. */
static void each_command(void (*function)(const struct rc_command *command))
{
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++)
        for (const struct rc_command *const *c = group->commands; *c; c++)
            function(*c);
}

static bool takes_value(const struct rc_option *option)
{
    return option->kind != RC_OPTION_FLAG;
}

/* The short meaning of an option's name. */
static const char *meaning(const struct rc_option *option)
{
    for (const struct rc_cmd_option_name *name = rc_cmd_option_names; name->name; name++)
        if (strcmp(name->name, option->name) == 0)
            return name->meaning;
    return option->help;
}

/* Prints text inside single quotes of a shell.  `special`: characters that get a backslash. */
static void put_quoted(const char *text, const char *quote, const char *special)
{
    for (const char *at = text; *at; at++)
        if (*at == '\'')
            fputs(quote, stdout);
        else
            printf("%s%c", strchr(special, *at) ? "\\" : "", *at);
}

/* The words that an option or an argument takes: "NAME|-" has none. */
static void put_words(const char *const *words)
{
    for (const char *const *word = words; *word; word++)
        printf("%s%s", word == words ? "" : " ", *word);
}

/* ---- bash ---- */

static void bash_leaf(const struct rc_command *command, const char *path)
{
    printf("    '%s')\n        words='", path);
    for (const struct rc_option *option = command->options; option && option->name; option++)
        printf("--%s ", option->name);
    printf("--help'\n        case $previous in\n");
    for (const struct rc_option *option = command->options; option && option->name; option++) {
        if (!takes_value(option))
            continue;
        printf("        --%s", option->name);
        if (option->letter)
            printf("|-%c", option->letter);
        fputs(") ", stdout);
        if (option->kind == RC_OPTION_CHOICE) {
            printf("words='");
            put_words(option->choices);
            printf("'; values=1;;\n");
        } else {
            printf("words=''; values=1%s;;\n", option->kind == RC_OPTION_FILE ? "; files=1" : "");
        }
    }
    printf("        esac\n        ;;\n");
}

static void bash_name(const struct rc_command *command)
{
    printf(" %s", command->name);
}

static void bash_verbs(const struct rc_command *command)
{
    if (!command->children)
        return;
    printf("    %s)\n        if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
           "            mapfile -t COMPREPLY < <(compgen -W '--help",
           command->name);
    for (const struct rc_command *const *child = command->children; *child; child++)
        printf(" %s", (*child)->name);
    printf("' -- \"$current\")\n            return\n        fi\n"
           "        case $child in -*) ;; *) place=\"$verb $child\";; esac;;\n");
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
    each_command(bash_name);
    printf("' -- \"$current\")\n        return\n    fi\n    case $verb in\n");
    each_command(bash_verbs);
    printf("    completion)\n"
           "        mapfile -t COMPREPLY < <(compgen -W '--help ");
    put_words(shells);
    printf("' -- \"$current\")\n        return;;\n    esac\n    case $place in\n");
    each_leaf(bash_leaf);
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

/* ---- zsh ---- */

#define ZSH_QUOTE "'\\''"

/* For _describe: 'name:summary'. */
static void zsh_name(const struct rc_command *command)
{
    printf(" '%s:", command->name);
    put_quoted(command->summary, ZSH_QUOTE, "");
    putchar('\'');
}

static void zsh_verbs(const struct rc_command *command)
{
    if (!command->children)
        return;
    printf("    %s)\n        names=(", command->name);
    for (const struct rc_command *const *child = command->children; *child; child++)
        zsh_name(*child);
    printf(")\n"
           "        if (( CURRENT == 3 )); then\n"
           "            _describe command names\n"
           "%s"
           "        fi\n"
           "        if (( ${names[(I)$words[3]:*]} )); then\n"
           "            place=\"$words[2] $words[3]\"\n"
           "            shift words; (( CURRENT-- ))\n"
           "        fi;;\n",
           command->run ? "" : "            return\n");
}

/* "'[meaning]:ARGUMENT:action'", what follows the name of an option. */
static void zsh_option_end(const struct rc_option *option)
{
    putchar('[');
    put_quoted(meaning(option), ZSH_QUOTE, "[]:\\");
    putchar(']');
    if (takes_value(option)) {
        putchar(':');
        put_quoted(option->argument ? option->argument : "", ZSH_QUOTE, ":\\");
        if (option->kind == RC_OPTION_CHOICE) {
            fputs(":(", stdout);
            put_words(option->choices);
            putchar(')');
        } else {
            fputs(option->kind == RC_OPTION_FILE ? ":_files" : ": ", stdout);
        }
    }
    fputs("'", stdout);
}

static void zsh_leaf(const struct rc_command *command, const char *path)
{
    printf("    '%s')\n        _arguments -S \\\n", path);
    for (const struct rc_option *option = command->options; option && option->name; option++) {
        const char *many = option->kind == RC_OPTION_LIST ? "*" : "";

        printf("            '%s--%s%s", many, option->name, takes_value(option) ? "=" : "");
        zsh_option_end(option);
        fputs(" \\\n", stdout);
        if (option->letter) {
            printf("            '%s-%c%s", many, option->letter, takes_value(option) ? "+" : "");
            zsh_option_end(option);
            fputs(" \\\n", stdout);
        }
    }
    printf("            '--help[show a summary of the command and its options]'");
    if (command == &rc_command_completion) {
        printf(" \\\n            ':shell:(");
        put_words(shells);
        printf(")'");
    } else if (command->arguments) {
        printf(" \\\n            '*:file:_files'");
    }
    printf(";;\n");
}

static void print_zsh(void)
{
    printf("#compdef runcast\n"
           "# zsh completion for runcast; made by 'runcast completion zsh'\n"
           "_runcast() {\n"
           "    local place=$words[2]\n"
           "    local -a names\n"
           "    if (( CURRENT == 2 )); then\n"
           "        names=(");
    each_command(zsh_name);
    printf(")\n"
           "        _describe command names\n"
           "        _arguments '--help[show a summary of the commands]' "
           "'--version[show the version]'\n"
           "        return\n"
           "    fi\n"
           "    case $words[2] in\n");
    each_command(zsh_verbs);
    printf("    esac\n"
           "    shift words; (( CURRENT-- ))\n"
           "    case $place in\n");
    each_leaf(zsh_leaf);
    printf("    esac\n"
           "}\n"
           "if [[ $funcstack[1] == _runcast ]]; then\n"
           "    _runcast \"$@\"\n"
           "else\n"
           "    compdef _runcast runcast\n"
           "fi\n");
}

/* ---- fish ---- */

#define FISH_QUOTE "\\'"

static void put_fish_summary(const char *summary)
{
    fputs(" -d '", stdout);
    put_quoted(summary, FISH_QUOTE, "\\");
    puts("'");
}

static void fish_places(const struct rc_command *command)
{
    for (const struct rc_command *const *child = command->children; child && *child; child++)
        printf(" '%s %s'", command->name, (*child)->name);
}

static void fish_command(const struct rc_command *command)
{
    printf("complete -c runcast -n '__runcast_words 1' -a %s", command->name);
    put_fish_summary(command->summary);
    for (const struct rc_command *const *child = command->children; child && *child; child++) {
        printf("complete -c runcast -n '__runcast_words 2; and __runcast_at %s' -a %s",
               command->name, (*child)->name);
        put_fish_summary((*child)->summary);
    }
}

static void fish_leaf(const struct rc_command *command, const char *path)
{
    for (const struct rc_option *option = command->options; option && option->name; option++) {
        printf("complete -c runcast -n '__runcast_at %s' -l %s", path, option->name);
        if (option->letter)
            printf(" -s %c", option->letter);
        if (option->kind == RC_OPTION_CHOICE) {
            printf(" -x -a '");
            put_words(option->choices);
            putchar('\'');
        } else if (takes_value(option)) {
            fputs(option->kind == RC_OPTION_FILE ? " -r -F" : " -x", stdout);
        }
        put_fish_summary(meaning(option));
    }
    printf("complete -c runcast -n '__runcast_at %s' -l help", path);
    put_fish_summary("show a summary of the command and its options");
    if (command == &rc_command_completion) {
        printf("complete -c runcast -n '__runcast_at %s' -a '", path);
        put_words(shells);
        puts("'");
    } else if (command->arguments) {
        printf("complete -c runcast -n '__runcast_at %s' -F\n", path);
    }
}

static void print_fish(void)
{
    printf("# fish completion for runcast; made by 'runcast completion fish'\n"
           "function __runcast_words -d 'The number of words before the cursor'\n"
           "    test (count (commandline -opc)) -eq $argv\n"
           "end\n"
           "function __runcast_at -d 'The command of the command line'\n"
           "    set -l words (commandline -opc)\n"
           "    set -l place \"$words[2]\"\n"
           "    switch \"$words[2] $words[3]\"\n"
           "        case");
    each_command(fish_places);
    puts("");
    puts("            set place \"$words[2] $words[3]\"");
    puts("    end");
    puts("    test \"$place\" = \"$argv\"");
    puts("end");
    puts("complete -c runcast -f");
    puts("complete -c runcast -n '__runcast_words 1' -l help -d 'show a summary of the commands'");
    puts("complete -c runcast -n '__runcast_words 1' -l version -d 'show the version'");
    each_command(fish_command);
    each_leaf(fish_leaf);
}

/* ---- the command ---- */

static int run_completion(struct rc_invocation *invocation)
{
    static void (*const print[])(void) = {print_bash, print_zsh, print_fish};
    const char *shell = invocation->arguments[0];

    for (size_t i = 0; shells[i]; i++)
        if (strcmp(shell, shells[i]) == 0) {
            print[i]();
            return RC_EXIT_OK;
        }
    return rc_cmd_usage_text(invocation, "unknown shell '%s'; use bash, zsh or fish", shell);
}

const struct rc_command rc_command_completion = {
    .name = "completion",
    .summary = "Print a completion script for bash, zsh or fish",
    .arguments = "bash|zsh|fish",
    .details = "The script completes commands, options, the values of options, and file names. "
               "'make install' installs it for all users. To install it for yourself, use the "
               "commands below.",
    .examples = "  runcast completion bash > ~/.local/share/bash-completion/completions/runcast\n"
                "  runcast completion zsh > ~/.zfunc/_runcast # a directory in fpath\n"
                "  runcast completion fish > ~/.config/fish/completions/runcast.fish\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .run = run_completion,
};
