// SPDX-License-Identifier: GPL-3.0-or-later
/* compare_plot.c - a plot of 'runcast scale compare': time against cost. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "report/plot.h"
#include "cmd/scale/compare.h"

enum {
    SERIES_MAX = 16,
    LABEL = 64,
    NAME = RC_ANSWER_CHOICE_NAME + RC_MESH_TEXT,
    LABELLED_MAX = 20 /* with more points, only Pareto-optimal ones have labels */
};

/* Of a plot's width and height, about as much as a label takes. */
#define LABEL_WIDTH 0.05
#define LABEL_HEIGHT 0.03

/* Choices that differ only in processes, in one colour; the last group has all others. */
struct group {
    char name[NAME];
    double *x, *y, *low, *high;
    const char **labels;
    size_t n;
};

struct figure {
    struct group groups[SERIES_MAX];
    size_t n_groups;
    double *front_x, *front_y; /* the Pareto front of each mesh */
    size_t n_front;
    char (*labels)[LABEL];
    double *numbers; /* storage of the groups */
    const char **pointers;
    bool with_cost, labelled, several; /* all costs are known; all points have labels; meshes */
    double span_x, span_y;             /* from the least to the most, in logarithms */
};

static void name_of(const struct rc_cmd_compared *compared, bool several,
                    const struct rc_choice *choice, char name[NAME])
{
    char mesh[RC_MESH_TEXT], place[RC_ANSWER_CHOICE_NAME];

    rc_cmd_choice_name(compared->platform, choice, true, place);
    snprintf(name, NAME, "%s%s%s",
             several ? rc_scaling_mesh_text(&compared->meshes[choice->mesh], mesh) : "",
             several ? ": " : "", place);
}

static struct group *find_group(struct figure *figure, const char *name, size_t room)
{
    size_t i = 0;

    while (i < figure->n_groups && strcmp(figure->groups[i].name, name) != 0)
        i++;
    if (i == SERIES_MAX) {
        snprintf(figure->groups[i - 1].name, NAME, "others");
        return &figure->groups[i - 1];
    }
    if (i == figure->n_groups) {
        struct group *group = &figure->groups[figure->n_groups++];
        double *at = figure->numbers + 4 * room * i;

        *group = (struct group){.x = at,
                                .y = at + room,
                                .low = at + 2 * room,
                                .high = at + 3 * room,
                                .labels = figure->pointers + room * i};
        snprintf(group->name, NAME, "%s", name);
    }
    return &figure->groups[i];
}

static void label_of(const struct rc_choice *choice, char text[LABEL])
{
    text[0] = '\0';
    for (size_t i = 0; i < choice->n_parts; i++)
        rc_text_append(text, LABEL, "%s%" PRId64, i ? "+" : "", choice->parts[i].procs);
}

static double x_of(const struct figure *figure, const struct rc_choice *choice)
{
    return figure->with_cost ? choice->cost : choice->core_hours;
}

static void add_choice(const struct figure *figure, struct group *group,
                       const struct rc_choice *choice, const char *label)
{
    size_t i = group->n++;

    group->x[i] = x_of(figure, choice);
    group->y[i] = choice->seconds;
    group->low[i] = choice->low;
    group->high[i] = choice->high;
    group->labels[i] = label;
}

/* Extends the line, which has a gap between meshes. */
static void add_front(struct figure *figure, const struct rc_choice *choice, size_t *mesh)
{
    if (!choice->pareto)
        return;
    if (figure->n_front > 0 && choice->mesh != *mesh) {
        figure->front_x[figure->n_front] = NAN;
        figure->front_y[figure->n_front++] = NAN;
    }
    *mesh = choice->mesh;
    figure->front_x[figure->n_front] = x_of(figure, choice);
    figure->front_y[figure->n_front++] = choice->seconds;
}

/* Whether the label of a choice would not lie on that of one before it: on axes of logarithms, a
 * ratio is a distance. */
static bool has_room(const struct figure *figure, const struct rc_choices *choices, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (figure->labels[i][0] &&
            fabs(log(x_of(figure, &choices->items[i]) / x_of(figure, &choices->items[at]))) <
                LABEL_WIDTH * figure->span_x &&
            fabs(log(choices->items[i].seconds / choices->items[at].seconds)) <
                LABEL_HEIGHT * figure->span_y)
            return false;
    return true;
}

/* Finds whether all costs are known, all points get labels, there are several meshes, and how far
 * points lie apart. */
static void survey(struct figure *figure, const struct rc_choices *choices)
{
    double least_x = INFINITY, most_x = 0, least_y = INFINITY, most_y = 0;
    size_t n = 0;

    figure->with_cost = true;
    for (size_t i = 0; i < choices->n; i++) {
        const struct rc_choice *choice = &choices->items[i];

        figure->several |= choice->mesh > 0;
        if (choice->state == RC_CHOICE_OK) {
            figure->with_cost &= !isnan(choice->cost);
            n++;
        }
    }
    figure->labelled = n <= LABELLED_MAX;
    for (size_t i = 0; i < choices->n; i++) {
        const struct rc_choice *choice = &choices->items[i];

        if (choice->state != RC_CHOICE_OK)
            continue;
        least_x = fmin(least_x, x_of(figure, choice));
        most_x = fmax(most_x, x_of(figure, choice));
        least_y = fmin(least_y, choice->seconds);
        most_y = fmax(most_y, choice->seconds);
    }
    figure->span_x = most_x > least_x ? log(most_x / least_x) : 0;
    figure->span_y = most_y > least_y ? log(most_y / least_y) : 0;
}

static int make_room(struct figure *figure, size_t room, struct rc_error *error)
{
    figure->numbers = calloc(4 * room * (SERIES_MAX + 1), sizeof *figure->numbers);
    figure->pointers = calloc(room * SERIES_MAX, sizeof *figure->pointers);
    figure->labels = calloc(room, sizeof *figure->labels);
    if (!figure->numbers || !figure->pointers || !figure->labels)
        return rc_error_no_memory(error);
    figure->front_x = figure->numbers + 4 * room * SERIES_MAX;
    figure->front_y = figure->front_x + 2 * room;
    return 0;
}

static int collect(struct figure *figure, const struct rc_cmd_compared *compared,
                   struct rc_error *error)
{
    const struct rc_choices *choices = compared->choices;
    size_t room = choices->n + 1, mesh = 0;
    char name[NAME];

    if (make_room(figure, room, error))
        return -1;
    survey(figure, choices);
    for (size_t i = 0; i < choices->n; i++) {
        const struct rc_choice *choice = &choices->items[i];

        if (choice->state != RC_CHOICE_OK)
            continue;
        name_of(compared, figure->several, choice, name);
        if ((figure->labelled || choice->pareto) && has_room(figure, choices, i))
            label_of(choice, figure->labels[i]);
        add_front(figure, choice, &mesh);
        add_choice(figure, find_group(figure, name, room), choice, figure->labels[i]);
    }
    return 0;
}

/* Whether two points of a mesh follow one another: one alone is no line. */
static bool has_line(const struct figure *figure)
{
    for (size_t i = 1; i < figure->n_front; i++)
        if (!isnan(figure->front_x[i - 1]) && !isnan(figure->front_x[i]))
            return true;
    return false;
}

static int draw(const char *path, const struct rc_cmd_compared *compared,
                const struct figure *figure, struct rc_error *error)
{
    const char *currency = compared->platform->currency;
    struct rc_plot_series series[SERIES_MAX + 1];
    char title[128], cost[128];
    struct rc_plot plot = {.title = title,
                           .x = {.label = figure->with_cost ? cost : "core-hours",
                                 .scale = RC_PLOT_LOG},
                           .y = {.label = "run time, s", .scale = RC_PLOT_LOG},
                           .series = series,
                           .n_series = figure->n_groups};

    snprintf(title, sizeof title, "Run time and %s of %s",
             figure->with_cost ? "cost" : "core-hours", compared->app);
    snprintf(cost, sizeof cost, "cost%s%s", *currency ? ", " : "", currency);
    for (size_t i = 0; i < figure->n_groups; i++) {
        const struct group *group = &figure->groups[i];

        series[i] = (struct rc_plot_series){.name = group->name,
                                            .style = RC_PLOT_POINTS,
                                            .x = group->x,
                                            .y = group->y,
                                            .low = group->low,
                                            .high = group->high,
                                            .labels = group->labels,
                                            .n = group->n};
    }
    if (has_line(figure))
        series[plot.n_series++] = (struct rc_plot_series){.name = "Pareto front",
                                                          .style = RC_PLOT_LINE,
                                                          .x = figure->front_x,
                                                          .y = figure->front_y,
                                                          .n = figure->n_front};
    return rc_plot_write(path, &plot, 1, NULL, error);
}

int rc_cmd_scale_plot(const char *path, const struct rc_cmd_compared *compared,
                      struct rc_error *error)
{
    struct figure *figure = calloc(1, sizeof *figure);
    int status;

    if (!figure)
        return rc_error_no_memory(error);
    status = collect(figure, compared, error) || draw(path, compared, figure, error) ? -1 : 0;
    free(figure->numbers);
    free(figure->pointers);
    free(figure->labels);
    free(figure);
    return status;
}
