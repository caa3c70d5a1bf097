// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_plot.c - the figure of a trace: the time line of the ranks, who talks to whom, in which calls
 * the time goes, and how large messages are. */
#include "answer/trace_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/unit.h"
#include "report/cell.h"
#include "report/plot.h"

enum {
    ROWS_MAX = 96, /* of the time line and the matrix; of more ranks, some stand for all */
    KINDS_MAX = 9, /* bars of calls */
    SHADES = 12,   /* of a part of the time */
    BAR = 48,      /* shades of the colour bar */
    FIGURE = 900,  /* pixels */
    LABEL_SIZE = 96
};

static const unsigned COMPUTING = 0xCFE3D4, COMMUNICATING = 0xD55E00, OTHER = 0x8A8A8A;
static const unsigned LEAST = 0xD6E6F4, MOST = 0x08306B;
static const unsigned MESSAGES = 0x0072B2, COLLECTIVES = 0xE69F00;

struct boxes {
    struct rc_plot_box *items;
    size_t n, room;
};

struct drawing {
    const struct rc_profile *profile;
    const struct rc_profile_rank *shown;
    uint32_t first, end; /* ranks of the time line */
    struct boxes line, matrix, kinds, sent, given;
    char labels[KINDS_MAX][LABEL_SIZE];
    double most_seconds, most_messages;
    unsigned shades[BAR]; /* of the matrix, from `least_bytes` to `most_bytes` */
    double least_bytes, most_bytes;
    bool failed;
};

static void add_box(struct drawing *drawing, struct boxes *boxes, struct rc_plot_box box)
{
    if (rc_array_room(&boxes->items, boxes->n + 1, &boxes->room, sizeof box, NULL) != 0) {
        drawing->failed = true;
        return;
    }
    boxes->items[boxes->n++] = box;
}

/* Between two colours, `part` of the way. */
static unsigned mix(unsigned from, unsigned to, double part)
{
    unsigned colour = 0;

    for (int shift = 0; shift <= 16; shift += 8) {
        double a = from >> shift & 0xFF, b = to >> shift & 0xFF;

        colour |= (unsigned)lround(a + (b - a) * part) << shift;
    }
    return colour;
}

/* ---- the time line ---- */

static unsigned colour_of(const double parts[RC_DOINGS])
{
    double communicating = round(parts[RC_DOING_COMMUNICATING] * SHADES) / SHADES;
    double other = round(parts[RC_DOING_OTHER] * SHADES) / SHADES;

    communicating = fmin(communicating / fmax(1 - other, 1.0 / SHADES), 1);
    return mix(mix(COMPUTING, COMMUNICATING, communicating), OTHER, other);
}

/* One row, with stretches of one colour as one box. */
static void draw_row(struct drawing *drawing, uint32_t rank, uint32_t step)
{
    double bin = drawing->profile->length / RC_PROFILE_BINS, gap = drawing->end > 32 ? 0 : 0.07;
    struct rc_plot_box box = {.low = rank - 0.5 + gap, .high = rank + step - 0.5 - gap};
    bool open = false;

    for (int i = 0; i <= RC_PROFILE_BINS; i++) {
        double parts[RC_DOINGS];
        bool known = i < RC_PROFILE_BINS &&
                     rc_trace_profile_line(&drawing->profile->ranks[rank], i, i + 1, parts);
        unsigned colour = known ? colour_of(parts) : 0;

        if (open && (!known || colour != box.colour)) {
            box.right = i * bin;
            add_box(drawing, &drawing->line, box);
            open = false;
        }
        if (known && !open) {
            box.left = i * bin;
            box.colour = colour;
            open = true;
        }
    }
}

static uint32_t step_of(uint32_t n)
{
    return (n + ROWS_MAX - 1) / ROWS_MAX;
}

static void draw_line(struct drawing *drawing)
{
    uint32_t step = step_of(drawing->end - drawing->first);

    for (uint32_t rank = drawing->first; rank < drawing->end; rank += step)
        if (drawing->profile->ranks[rank].there)
            draw_row(drawing, rank, step);
}

/* ---- who talks to whom ---- */

static void draw_cells(struct drawing *drawing, const double *cells, uint32_t n, uint32_t step)
{
    double least = INFINITY, most = 0; /* at least a factor of ten, so that like ones look alike */

    for (size_t i = 0; i < (size_t)n * n; i++) {
        most = fmax(most, cells[i]);
        least = cells[i] > 0 ? fmin(least, cells[i]) : least;
    }
    least = fmin(least, most / 10);
    for (size_t i = 0; most > 0 && i < (size_t)n * n; i++) {
        double from = (double)(i / n) * step, to = (double)(i % n) * step;

        if (cells[i] > 0)
            add_box(drawing, &drawing->matrix,
                    (struct rc_plot_box){
                        to - 0.5, to + step - 0.5, from - 0.5, from + step - 0.5,
                        mix(LEAST, MOST, log(cells[i] / least) / log(most / least)), NULL});
    }
    for (int i = 0; i < BAR; i++)
        drawing->shades[i] = mix(LEAST, MOST, (i + 0.5) / BAR);
    drawing->least_bytes = least;
    drawing->most_bytes = most;
}

static void draw_matrix(struct drawing *drawing)
{
    uint32_t ranks = drawing->profile->n_ranks, step = step_of(ranks);
    uint32_t n = (ranks + step - 1) / step;
    double *cells = calloc((size_t)n * n, sizeof *cells);
    size_t n_links;
    struct rc_profile_link *links = rc_trace_profile_links(drawing->profile, &n_links);

    drawing->failed |= !cells;
    for (size_t i = 0; cells && i < n_links; i++)
        cells[(size_t)(links[i].from / step) * n + links[i].to / step] +=
            links[i].bytes + links[i].collective;
    if (cells)
        draw_cells(drawing, cells, n, step);
    free(cells);
    free(links);
}

/* ---- calls ---- */

static void draw_kinds(struct drawing *drawing)
{
    unsigned kinds[RC_PROFILE_KINDS];
    size_t n = rc_trace_profile_kinds(drawing->shown, kinds);
    double seconds;

    for (size_t i = 0; i < n && i < KINDS_MAX; i++) {
        const char *name = rc_trace_profile_kind_name(kinds[i]);
        char text[RC_UNIT_SIZE];

        seconds = drawing->shown->kinds[kinds[i]].seconds;
        rc_unit_format(seconds, RC_SECONDS, text);
        snprintf(drawing->labels[i], LABEL_SIZE, "%s  %s",
                 strncmp(name, "MPI_", 4) == 0 ? name + 4 : name, text);
        drawing->most_seconds = fmax(drawing->most_seconds, seconds);
        add_box(drawing, &drawing->kinds,
                (struct rc_plot_box){0, seconds, (double)i - 0.36, (double)i + 0.36,
                                     rc_trace_doing_of(kinds[i]) == RC_DOING_OTHER ? OTHER
                                                                                   : COMMUNICATING,
                                     drawing->labels[i]});
    }
}

/* ---- sizes ---- */

/* Two bars for each power of two; messages without content stand left of 1 byte. */
static void draw_sizes(struct drawing *drawing)
{
    for (int i = 0; i < RC_TRAFFIC_SIZES; i++) {
        double left = ldexp(1, i - 1), sent = (double)drawing->shown->sent[i].messages;
        double given = (double)drawing->shown->given[i].messages;

        drawing->most_messages = fmax(drawing->most_messages, fmax(sent, given));
        if (sent > 0)
            add_box(drawing, &drawing->sent,
                    (struct rc_plot_box){left * 1.06, left * 1.38, 0.5, sent, MESSAGES, NULL});
        if (given > 0)
            add_box(drawing, &drawing->given,
                    (struct rc_plot_box){left * 1.45, left * 1.88, 0.5, given, COLLECTIVES, NULL});
    }
}

/* ---- the whole ---- */

/* Of the ranks from `first` to before `end`. */
static struct rc_plot_axis rank_axis(const char *label, uint32_t first, uint32_t end, bool down)
{
    double step = 1;

    while ((end - first) / step > 8)
        step *= 2;
    return (struct rc_plot_axis){
        .label = label, .low = first - 0.5, .high = end - 0.5, .step = step, .down = down};
}

/* Boxes as a series; `name` NULL: it is not in the legend. */
static struct rc_plot_series series_of(const char *name, const struct rc_plot_box *items, size_t n)
{
    return (struct rc_plot_series){.name = name, .style = RC_PLOT_BOXES, .boxes = items, .n = n};
}

static int draw(const char *path, const char *title, const struct drawing *drawing,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    /* What the legends show; they take no room in the panels. */
    const struct rc_plot_box samples[] = {
        {.colour = COMPUTING}, {.colour = COMMUNICATING}, {.colour = OTHER}, {.colour = LEAST}};
    bool any = drawing->matrix.n > 0;
    const struct rc_plot_colours bytes = {"bytes sent (logarithmic scale)", drawing->shades, BAR,
                                          drawing->least_bytes, drawing->most_bytes};
    const struct rc_plot_series line[] = {series_of("computing", samples, 1),
                                          series_of("communicating", samples + 1, 1),
                                          series_of("MPI start and end, file I/O", samples + 2, 1),
                                          series_of(NULL, drawing->line.items, drawing->line.n)};
    const struct rc_plot_series matrix[] = {series_of(any ? NULL : "no messages", samples + 3, 1),
                                            series_of(NULL, drawing->matrix.items,
                                                      drawing->matrix.n)};
    const struct rc_plot_series kinds = series_of(NULL, drawing->kinds.items, drawing->kinds.n);
    const struct rc_plot_series sizes[] = {
        series_of("messages", drawing->sent.items, drawing->sent.n),
        series_of("collective calls", drawing->given.items, drawing->given.n)};
    uint32_t all = drawing->profile->n_ranks;
    double seconds = fmax(drawing->most_seconds, 1e-9) * 1.9; /* with room for names */
    const struct rc_plot panels[] = {
        {.title = title,
         .x = {.label = "time (s)", .high = drawing->profile->length},
         .y = rank_axis("rank", drawing->first, drawing->end, true),
         .series = line,
         .n_series = 4,
         .height = 1.25,
         .pixels = FIGURE},
        {.x = rank_axis("to rank", 0, all, false),
         .y = rank_axis("from rank", 0, all, true),
         .series = matrix,
         .n_series = 2,
         .colours = any ? &bytes : NULL,
         .height = 1.45},
        {.x = {.label = drawing->end - drawing->first < all ? "time in calls (s)"
                                                            : "time in calls, sum over ranks (s)",
               .high = seconds,
               .step = rc_plot_round_step(seconds)},
         .y = {.low = -0.6, .high = KINDS_MAX - 0.4, .step = -1, .down = true},
         .series = &kinds,
         .n_series = 1,
         .beside = true},
        {.x = {.label = "size of a message (bars: powers of two)",
               .scale = RC_PLOT_LOG,
               .step = 2,
               .bytes = true},
         .y = {.label = "number",
               .scale = RC_PLOT_LOG,
               .low = 0.5,
               .high = fmax(drawing->most_messages, 1) * 2},
         .series = sizes,
         .n_series = 2,
         .height = 0.75},
    };
    bool sends = drawing->sent.n + drawing->given.n > 0; /* no panel is empty */

    return rc_plot_write(path, panels, sends ? 4 : 3, monitor, error);
}

int rc_answer_trace_plot(const char *path, const struct rc_profile *profile, int64_t rank,
                         const struct rc_monitor *monitor, struct rc_error *error)
{
    struct drawing drawing = {.profile = profile, .end = profile->n_ranks};
    const char *program = rc_trace_set_program(profile->set); /* commands are too long */
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    char share[32] = "", title[256];
    int status;

    drawing.shown = rank < 0 ? &profile->total : &profile->ranks[rank];
    if (rank >= 0) {
        drawing.first = (uint32_t)rank;
        drawing.end = (uint32_t)rank + 1;
    }
    if (!isnan(rc_trace_profile_share(drawing.shown)))
        snprintf(share, sizeof share, ", %.0f %% communicating",
                 100 * rc_trace_profile_share(drawing.shown));
    if (rank >= 0)
        snprintf(title, sizeof title, "%.60s: rank %" PRId64 "%s", name, rank, share);
    else
        snprintf(title, sizeof title, "%.60s: %" PRIu32 " rank%s%s", name, profile->set->ranks,
                 rc_cell_plural(profile->set->ranks, "s"), share);
    draw_line(&drawing);
    draw_matrix(&drawing);
    draw_kinds(&drawing);
    draw_sizes(&drawing);
    status =
        drawing.failed ? rc_error_no_memory(error) : draw(path, title, &drawing, monitor, error);
    free(drawing.line.items);
    free(drawing.matrix.items);
    free(drawing.kinds.items);
    free(drawing.sent.items);
    free(drawing.given.items);
    return status;
}
