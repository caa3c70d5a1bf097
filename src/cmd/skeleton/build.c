// SPDX-License-Identifier: GPL-3.0-or-later
/* build.c - 'runcast skeleton build': writes the program of a skeleton. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "answer/skeleton_fields.h"
#include "answer/trace_fields.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cmd/skeleton/skeleton.h"
#include "model/skeleton/compose/compose.h"
#include "model/skeleton/shrink/shrink.h"
#include "model/skeleton/emit/emit.h"
#include "model/skeleton/emit/kernel_speed.h"
#include "model/skeleton/compose/plan_check.h"
#include "report/cell.h"

struct build_options {
    struct rc_cmd_skeleton_length length;
    const char *output;
    double core_speed;
    bool force, json;
};

static const struct build_options build_defaults = {.length = RC_CMD_SKELETON_LENGTH,
                                                    .core_speed = NAN};

static const struct rc_option build_options[] = {
    RC_OPTIONS_LENGTH(struct build_options),
    {RC_OPTION_OF(struct build_options, FILE, output), .name = "output", .letter = 'o',
     .argument = "PATH", .help = "output file or directory (required): the C file"},
    {RC_OPTION_OF(struct build_options, QUANTITY, core_speed), .name = "core-speed",
     .argument = "SPEED", .dimension = RC_FLOPS,
     .help = "speed of a core on which the program was traced, for simulations"},
    {RC_OPTION_OF(struct build_options, FLAG, force), .name = "force", .letter = 'f',
     .help = "proceed although a check failed; the skeleton may not behave like the program"},
    RC_OPTION_JSON(struct build_options),
    RC_OPTIONS_END,
};

enum { SOURCE_MAX = 256 << 20 };

/* Whether FILE.c may be written: not where something else is, such as the program's own source. */
static int check_output(const char *path, struct rc_error *error)
{
    char first[256] = "";
    bool ours;
    struct stat there;
    FILE *file;

    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode) || there.st_size == 0)
        return 0; /* writing it shows what is wrong, if anything is */
    file = fopen(path, "re");
    ours = file && fgets(first, sizeof first, file) && strstr(first, RC_EMIT_MARK);
    if (file)
        fclose(file);
    if (ours)
        return 0;
    rc_error_set(error, "%s exists and is not a skeleton", path);
    return rc_error_hint(error, "use another name, or remove the file");
}

/* Notes as lines, for the opening comment. */
static int gather_notes(const struct rc_suitability *suitability, struct rc_buffer *text)
{
    const struct rc_faults *lists[] = {&suitability->refusals, &suitability->notes};

    for (int l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->kept; i++)
            if (rc_buffer_printf(text, "%s.\n", lists[l]->texts[i]))
                return -1;
    return 0;
}

static int write_program(const struct rc_plan *plan, const struct build_options *options,
                         const struct rc_kernel_speed *speed, const char *notes,
                         struct rc_error *error)
{
    struct rc_buffer source = RC_BUFFER_INIT(SOURCE_MAX);
    struct rc_emit_options emit = {.speed = *speed, .notes = notes};
    char name[RC_EMIT_NAME];
    int result;

    rc_skeleton_emit_name(options->output, name);
    emit.name = name;
    emit.flops = isnan(options->core_speed) ? 0 : options->core_speed;
    result = rc_skeleton_plan_emit(plan, &emit, &source, error);
    if (!result)
        result = rc_file_replace(options->output, source.data, source.length, error);
    rc_buffer_free(&source);
    return result;
}

/* As a word of a shell's. */
static void print_word(const char *text, size_t length)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./+,:=@%";

    if (strspn(text, plain) >= length) {
        printf("%.*s", (int)length, text);
        return;
    }
    putchar('\'');
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\'')
            printf("'\\''");
        else
            putchar(text[i]);
    putchar('\'');
}

/* The program goes beside its source. */
static void print_compiler(const char *source)
{
    size_t length = strlen(source);
    char name[RC_EMIT_NAME];

    printf("compile with: mpicc -O2 -o ");
    if (length > 2 && strcmp(source + length - 2, ".c") == 0) {
        print_word(source, length - 2);
    } else {
        rc_skeleton_emit_name(source, name);
        print_word(name, strlen(name));
    }
    putchar(' ');
    print_word(source, length);
    putchar('\n');
}

static void report(const struct rc_answer_skeleton_built *built)
{
    printf("%s: %.4g times shorter than %s, about %.3g s on %" PRIu32
           " process%s of the traced run\n",
           built->file, built->ratio, built->program, built->seconds, built->ranks,
           rc_cell_plural(built->ranks, "es"));
    printf("calls: %zu become %" PRIu64 "; ", built->original_calls, built->calls);
    if (built->threshold > 0)
        printf("sizes%s that differ by up to %.0f %% are considered equal\n",
               built->by_time ? RC_CMD_SKELETON_BY_TIME : "", 100 * built->threshold);
    else
        printf("only equal sizes are considered equal\n");
    if (built->shortest > 0)
        printf("shortest good skeleton: about %.3g s\n", built->shortest);
    print_compiler(built->file);
}

static struct rc_answer_skeleton_built describe(const struct rc_cmd_skeleton *skeleton,
                                                const struct rc_plan *plan, uint64_t calls,
                                                const char *file)
{
    return (struct rc_answer_skeleton_built){.file = file,
                                             .program = plan->program,
                                             .ranks = plan->ranks,
                                             .ratio = plan->ratio,
                                             .original = plan->original_seconds,
                                             .seconds = plan->original_seconds / plan->ratio,
                                             .shortest = plan->shortest_seconds,
                                             .threshold = skeleton->tree.threshold,
                                             .clusters = skeleton->tree.n_clusters,
                                             .compression = skeleton->tree.compression,
                                             .by_time = skeleton->tree.by_time,
                                             .calls = calls,
                                             .original_calls =
                                                 rc_skeleton_program_calls_made(skeleton->program)};
}

/* Prints what is against a skeleton.  Returns true if it is not built. */
static bool is_refused(const struct rc_suitability *suitability, bool force)
{
    struct rc_error error = {0};

    for (size_t i = 0; force && i < suitability->refusals.kept; i++)
        rc_cmd_note("%s", suitability->refusals.texts[i]);
    for (size_t i = 0; i < suitability->notes.kept; i++)
        rc_cmd_note("%s", suitability->notes.texts[i]);
    if (force || !suitability->refusals.kept)
        return false;
    rc_error_set(&error, "%s", suitability->refusals.texts[0]);
    rc_error_hint(&error, "--force builds it anyway");
    rc_cmd_fail(&error, "building a skeleton");
    return true;
}

/* Programs whose sends must not wait run as long as their messages are short. */
static void note_sends(const struct rc_plan_checked *checked, struct rc_suitability *suitability)
{
    static const char what[] =
        "sends must not wait for their receives, as they do for long messages; otherwise";

    if (checked->synchronous)
        return;
    rc_cmd_note("%s %s", what, checked->note);
    rc_trace_faults_add(&suitability->notes, "%s %s", what, checked->note);
}

/* A skeleton without calls or work would predict nothing. */
static int check_remains(const struct rc_cmd_skeleton *skeleton, const struct rc_plan *plan,
                         const struct rc_plan_checked *checked, struct rc_error *error)
{
    double seconds = plan->original_seconds / plan->ratio;

    if (checked->calls > 0 || rc_skeleton_program_calls_made(skeleton->program) == 0 ||
        !rc_skeleton_shrink_is_short(seconds, plan->shortest_seconds))
        return 0;
    rc_error_set(error, "none of %zu calls would remain in a skeleton of %.3g s",
                 rc_skeleton_program_calls_made(skeleton->program), seconds);
    return rc_error_hint(error,
                         "the shortest good skeleton takes %.3g s; --force builds this one "
                         "anyway",
                         plan->shortest_seconds);
}

static int build(const struct rc_cmd_skeleton *skeleton, const struct build_options *options,
                 struct rc_suitability *suitability)
{
    struct rc_buffer notes = RC_BUFFER_INIT(1 << 20);
    struct rc_kernel_speed speed;
    struct rc_answer_skeleton_built built;
    struct rc_plan_checked checked;
    struct rc_plan plan;
    struct rc_error error = {0};
    int result = -1;

    if (rc_skeleton_compose_checked(&skeleton->tree, skeleton->ratio, &plan, &checked, &error))
        return rc_cmd_fail(&error, "planning the skeleton");
    if (!options->force && check_remains(skeleton, &plan, &checked, &error))
        goto done;
    if (rc_skeleton_kernel_calibrate(true, &speed, &error))
        goto done;
    note_sends(&checked, suitability);
    if (gather_notes(suitability, &notes)) {
        rc_error_no_memory(&error);
        goto done;
    }
    if (!rc_skeleton_kernel_adapt(&speed, &skeleton->program->speed) && speed.share < 0.9)
        rc_cmd_note("this machine is busy; the measured speed of its cores may be wrong");
    result = write_program(&plan, options, &speed, notes.data, &error);
    built = describe(skeleton, &plan, checked.calls, options->output);
    built.suitability = suitability;
    if (!result && options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_skeleton_built, &built));
    else if (!result)
        report(&built);
done:
    rc_buffer_free(&notes);
    rc_skeleton_plan_free(&plan);
    return result ? rc_cmd_fail(&error, "building the skeleton") : RC_EXIT_OK;
}

/* What is no file, such as /dev/stdout, may be called anything. */
static bool ends_in_c(const char *path)
{
    size_t length = strlen(path);
    struct stat there;

    return (length > 2 && strcmp(path + length - 2, ".c") == 0) ||
           (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode));
}

static int run_build(struct rc_invocation *invocation)
{
    const struct build_options *options = invocation->options;
    struct rc_cmd_skeleton skeleton;
    struct rc_suitability suitability;
    struct rc_error error = {0};
    int status;

    if (isnan(options->length.ratio) && isnan(options->length.seconds))
        return rc_cmd_usage_text(invocation,
                                 "missing run time of the skeleton; use --target-time TIME "
                                 "or --ratio K");
    if (!options->output)
        return rc_cmd_usage_text(invocation, "missing --output FILE.c");
    if (!ends_in_c(options->output))
        return rc_cmd_usage_text(invocation, "--output: '%s' does not end in .c", options->output);
    if (check_output(options->output, &error))
        return rc_cmd_fail(&error, "building the skeleton");
    status =
        rc_cmd_skeleton_read(invocation, invocation->arguments[0], &options->length, &skeleton);
    if (status != RC_EXIT_OK)
        return status;
    if (options->length.seconds > skeleton.program->seconds)
        rc_cmd_note("the program takes %.4g s; a skeleton cannot be longer",
                    skeleton.program->seconds);
    rc_skeleton_suitability_check(&skeleton.tree, skeleton.ratio, &suitability);
    status = is_refused(&suitability, options->force) ? RC_EXIT_FAILED
                                                      : build(&skeleton, options, &suitability);
    rc_skeleton_suitability_free(&suitability);
    rc_cmd_skeleton_free(&skeleton);
    return status;
}

const struct rc_command rc_command_skeleton_build = {
    .name = "build",
    .summary = "Generate the C program of a skeleton",
    .arguments = "DIR",
    .details =
        "Writes one C program for all ranks. It makes the calls of the traced program in the same "
        "loops, with fewer iterations. Sends and receives match, so that it terminates. The trace "
        "has the speed of the cores; their speed on data of other sizes is measured on this host, "
        "which should have the same cores.",
    .examples = "  runcast skeleton build heat.trace --target-time 2s -o skel.c\n"
                "  mpicc -O2 -o skel skel.c && mpirun -np 4 ./skel\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = build_options,
    .options_size = sizeof(struct build_options),
    .defaults = &build_defaults,
    .answers = {rc_answer_skeleton_built},
    .run = run_build,
};
