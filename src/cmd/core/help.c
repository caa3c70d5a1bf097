// SPDX-License-Identifier: GPL-3.0-or-later
/* help.c - help texts, all from the tables of commands. */
#include "cmd/core/command.h"

#include <string.h>

#include "base/json.h"
#include "base/terminal.h"

enum { WIDTH_DEFAULT = 80, WIDTH_MAX = 100, NAME_COLUMN = 14 };

static size_t text_width(FILE *out)
{
    size_t width = rc_terminal_width(out);

    return width == 0 ? WIDTH_DEFAULT : width > WIDTH_MAX ? WIDTH_MAX : width;
}

static void list_commands(FILE *out, const struct rc_command *const *commands)
{
    for (; *commands; commands++) {
        fprintf(out, "  %-*s", NAME_COLUMN - 2, (*commands)->name);
        rc_option_wrap(out, (*commands)->summary, NAME_COLUMN, text_width(out));
    }
}

void rc_cmd_help_program(FILE *out)
{
    fputs("usage: runcast COMMAND [OPTIONS]\n\n", out);
    rc_option_wrap(out,
                   "runcast tells how long a parallel program will run on given machines, and how "
                   "sure it is.",
                   0, text_width(out));
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++) {
        fprintf(out, "\n%s\n", group->title);
        list_commands(out, group->commands);
    }
    fputs("\n'runcast COMMAND --help' tells more of a command.\n"
          "'runcast --version' tells which runcast this is.\n",
          out);
}

static void help_options_of(FILE *out, const struct rc_command *command, size_t width)
{
    static const struct rc_option help[] = {
        {.name = "help", .letter = 'h', .kind = RC_OPTION_FLAG, .help = "show this text"},
        RC_OPTIONS_END,
    };

    fputs("\nOptions\n", out);
    if (command->options)
        rc_option_help(command->options, out, width);
    rc_option_help(help, out, width);
    if (command->examples)
        fprintf(out, "\nExamples\n%s", command->examples);
}

void rc_cmd_help_command(FILE *out, const struct rc_command *command, const char *path)
{
    size_t width = text_width(out);

    if (command->run)
        fprintf(out, "usage: runcast %s%s%s%s\n", path, command->options ? " [OPTIONS]" : "",
                command->arguments ? " " : "", command->arguments ? command->arguments : "");
    if (command->children)
        fprintf(out, "%s runcast %s VERB [OPTIONS]\n", command->run ? "      " : "usage:", path);
    fprintf(out, "\n%s.\n", command->summary);
    if (command->details) {
        fputc('\n', out);
        rc_option_wrap(out, command->details, 0, width);
    }
    if (command->children) {
        fputs("\nVerbs\n", out);
        list_commands(out, command->children);
    }
    if (command->run)
        help_options_of(out, command, width);
    if (command->children)
        fprintf(out, "\n'runcast %s VERB --help' tells more of a verb.\n", path);
}

/* ---- the tables as JSON, for the checks of the documentation ---- */

static void add_text(json_t *object, const char *key, const char *text)
{
    if (text)
        rc_json_set(object, key, rc_json_text(text));
}

static json_t *options_json(const struct rc_option *options)
{
    json_t *list = json_array();

    for (const struct rc_option *option = options; option && option->name; option++) {
        const char letter[] = {option->letter, '\0'};
        json_t *object = json_object();

        add_text(object, "name", option->name);
        add_text(object, "letter", option->letter ? letter : NULL);
        add_text(object, "argument", option->argument);
        add_text(object, "help", option->help);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *command_json(const struct rc_command *command)
{
    json_t *object = json_object(), *verbs = json_array();

    add_text(object, "name", command->name);
    add_text(object, "summary", command->summary);
    add_text(object, "arguments", command->arguments);
    add_text(object, "details", command->details);
    add_text(object, "examples", command->examples);
    for (const struct rc_command *const *child = command->children; child && *child; child++)
        json_array_append_new(verbs, command_json(*child));
    if (command->children)
        json_object_set(object, "verbs", verbs);
    json_decref(verbs);
    if (command->run)
        rc_json_set(object, "options", options_json(command->options));
    return object;
}

static void print_tables(void)
{
    json_t *all = json_object(), *list = json_array(), *group_json;

    for (const struct rc_command_group *group = rc_command_groups; group->title; group++)
        for (const struct rc_command *const *c = group->commands; *c; c++) {
            group_json = command_json(*c);
            add_text(group_json, "group", group->title);
            json_array_append_new(list, group_json);
        }
    rc_json_set(all, "commands", list);
    rc_cmd_print_json(all);
}

struct help_options {
    bool json;
};

static const struct rc_option help_options[] = {
    {.name = "json",
     .kind = RC_OPTION_FLAG,
     .help = "write every command and option as JSON, for programs to read",
     .offset = offsetof(struct help_options, json)},
    RC_OPTIONS_END,
};

static int run_help(struct rc_invocation *invocation)
{
    const struct help_options *options = invocation->options;
    const struct rc_command *command;
    char path[64];

    if (options->json) {
        print_tables();
        return RC_EXIT_OK;
    }
    if (invocation->n_arguments == 0) {
        rc_cmd_help_program(stdout);
        return RC_EXIT_OK;
    }
    command = rc_cmd_command_find(invocation->arguments[0]);
    if (!command)
        return rc_cmd_usage_text(invocation, "there is no command '%s'", invocation->arguments[0]);
    snprintf(path, sizeof path, "%s", command->name);
    if (invocation->n_arguments > 1) {
        const struct rc_command *const *child = command->children;

        while (child && *child && strcmp((*child)->name, invocation->arguments[1]) != 0)
            child++;
        if (!child || !*child)
            return rc_cmd_usage_text(invocation, "there is no command '%s %s'", command->name,
                                     invocation->arguments[1]);
        snprintf(path, sizeof path, "%s %s", command->name, (*child)->name);
        command = *child;
    }
    rc_cmd_help_command(stdout, command, path);
    return RC_EXIT_OK;
}

const struct rc_command rc_command_help = {
    .name = "help",
    .summary = "Show what a command does",
    .arguments = "[COMMAND [VERB]]",
    .most_arguments = 2,
    .options = help_options,
    .options_size = sizeof(struct help_options),
    .run = run_help,
};
