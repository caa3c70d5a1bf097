// SPDX-License-Identifier: GPL-3.0-or-later
/* help.c - help texts, all from the tables of commands. */
#include "cmd/core/command.h"

#include <string.h>

#include "base/json.h"
#include "base/terminal.h"
#include "cmd/core/option_names.h"
#include "report/field_schema.h"

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

static void begin_program(FILE *out)
{
    fputs("usage: runcast COMMAND [OPTIONS]\n\n", out);
    rc_option_wrap(out,
                   "runcast predicts the run time of MPI programs, with a prediction interval.", 0,
                   text_width(out));
}

void rc_cmd_help_core(FILE *out)
{
    begin_program(out);
    fprintf(out, "\n%s\n", rc_command_groups[0].title);
    list_commands(out, rc_command_groups[0].commands);
    fputs("\nExample\n"
          "  runcast record --app heat --size 2000 -- mpirun -np 4 ./heat 2000\n"
          "  runcast record --app heat --size 4000 -- mpirun -np 4 ./heat 4000\n"
          "  runcast predict --app heat --size 8000 --procs 4\n"
          "\n'runcast help --all' lists all commands.\n"
          "'runcast COMMAND --help' describes a command.\n",
          out);
}

void rc_cmd_help_program(FILE *out)
{
    begin_program(out);
    for (const struct rc_command_group *group = rc_command_groups; group->title; group++) {
        fprintf(out, "\n%s\n", group->title);
        list_commands(out, group->commands);
    }
    fputs("\n'runcast COMMAND --help' describes a command.\n"
          "'runcast --version' prints the version.\n",
          out);
}

static void help_options_of(FILE *out, const struct rc_command *command, size_t width)
{
    static const struct rc_option help[] = {
        {.name = "help", .letter = 'h', .kind = RC_OPTION_FLAG, .help = "print this text"},
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
        fprintf(out, "%s runcast %s COMMAND [OPTIONS]\n", command->run ? "      " : "usage:", path);
    fprintf(out, "\n%s.\n", command->summary);
    if (command->details) {
        fputc('\n', out);
        rc_option_wrap(out, command->details, 0, width);
    }
    if (command->children) {
        fputs("\nCommands\n", out);
        list_commands(out, command->children);
    }
    if (command->run)
        help_options_of(out, command, width);
    if (command->children)
        fprintf(out, "\n'runcast %s COMMAND --help' describes a command.\n", path);
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
        if (option->kind == RC_OPTION_QUANTITY || option->kind == RC_OPTION_RANGE)
            rc_json_set(object, "dimension", json_integer(option->dimension));
        add_text(object, "help", option->help);
        json_array_append_new(list, object);
    }
    return list;
}

/* The schema of a document that streams a list of objects. */
static json_t *rows_schema(const struct rc_command *command)
{
    json_t *schema =
        json_pack("{s:s, s:o}", "type", "array", "items", rc_field_schema(command->rows));

    return json_pack("{s:s, s:{s:o}, s:[s]}", "type", "object", "properties", command->rows_key,
                     schema, "required", command->rows_key);
}

/* The JSON Schemas of what --json writes. */
static json_t *answers_json(const struct rc_command *command)
{
    json_t *list = json_array();

    for (size_t i = 0; i < RC_ANSWERS_MAX && command->answers[i]; i++)
        json_array_append_new(list, rc_field_schema(command->answers[i]));
    if (command->rows)
        json_array_append_new(list, rows_schema(command));
    return list;
}

static json_t *variants_json(const struct rc_command *command)
{
    json_t *object = json_object();

    for (size_t i = 0; i < RC_VARIANTS_MAX && command->variants[i].option; i++)
        rc_json_set(object, command->variants[i].option,
                    rc_field_schema(command->variants[i].answer));
    return object;
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
    if (command->run) {
        rc_json_set(object, "options", options_json(command->options));
        rc_json_set(object, "answers", answers_json(command));
        rc_json_set(object, "variants", variants_json(command));
    }
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
    rc_json_set(all, "option_names", rc_cmd_option_names_json());
    rc_cmd_print_json(all);
}

struct help_options {
    bool all, json;
};

static const struct rc_option help_options[] = {
    RC_CMD_OPTION(struct help_options, all, FLAG, "all", NULL, "all commands"),
    {.name = "json",
     .letter = 'j',
     .kind = RC_OPTION_FLAG,
     .help = "write JSON: the tables of all commands and options",
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
        (options->all ? rc_cmd_help_program : rc_cmd_help_core)(stdout);
        return RC_EXIT_OK;
    }
    command = rc_cmd_command_find(invocation->arguments[0]);
    if (!command)
        return rc_cmd_usage_text(invocation, "unknown command '%s'", invocation->arguments[0]);
    snprintf(path, sizeof path, "%s", command->name);
    if (invocation->n_arguments > 1) {
        const struct rc_command *const *child = command->children;

        while (child && *child && strcmp((*child)->name, invocation->arguments[1]) != 0)
            child++;
        if (!child || !*child)
            return rc_cmd_usage_text(invocation, "unknown command '%s %s'", command->name,
                                     invocation->arguments[1]);
        snprintf(path, sizeof path, "%s %s", command->name, (*child)->name);
        command = *child;
    }
    rc_cmd_help_command(stdout, command, path);
    return RC_EXIT_OK;
}

const struct rc_command rc_command_help = {
    .name = "help",
    .summary = "Describe a command",
    .arguments = "[COMMAND [COMMAND]]",
    .details = "Without a command, it lists the core commands. --json writes the tables of all "
               "commands and options, for tools.",
    .most_arguments = 2,
    .options = help_options,
    .options_size = sizeof(struct help_options),
    .run = run_help,
};
