// SPDX-License-Identifier: GPL-3.0-or-later
/* plot.c - scripts for gnuplot.
 *
 * No terminal is in the "enhanced" mode, in which names could change the plot: see plot_writer.c. */
#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "report/plot_writer.h"

enum { TITLE_COLUMNS = 72, POINT_LABEL_COLUMNS = 24, BOX_LABEL_COLUMNS = 40 };

/* M. Okabe and K. Ito, "Color universal design" (2008); the yellow, which is too light for a line,
 * is left out. */
static const char *const colours[] = {"0072B2", "D55E00", "009E73", "CC79A7",
                                      "E69F00", "56B4E9", "000000"};
enum { COLOURS = sizeof colours / sizeof *colours };
/* Titles and legends begin so far to the left of a frame, as a part of the width. */
static const double TEXT_LEFT = 6.0 / RC_PLOT_WIDTH;
static const char GREY[] = "808080", MARK[] = "404040", SHADE[] = "E8E8E8";

struct terminal {
    const char *ending;
    int title_size;           /* of its letters */
    const char *setup, *more; /* before and after its size */
    double unit;              /* a pixel, in its units */
};

/* Fonts by the size in which they come out alike. */
static const struct terminal terminals[] = {
    {".svg", 16, "svg noenhanced", "font 'sans-serif,13' background rgb 'white'", 1},
    {".png", 13, "pngcairo noenhanced", "font 'sans,11' background rgb 'white'", 1},
    {".pdf", 10, "pdfcairo noenhanced", "font 'sans,8' fontscale 1 lw 1.5 background rgb 'white'",
     0.01},
};

/* ---- data ---- */

static void put_point(struct rc_plot_writer *writer, const struct rc_plot_series *series, size_t x,
                      size_t y)
{
    const double numbers[] = {series->x[x], series->y[y], series->low ? series->low[y] : NAN,
                              series->high ? series->high[y] : NAN};
    size_t count = series->low && series->high ? 4 : 2;

    for (size_t i = 0; i < count; i++) {
        rc_plot_put_number(writer, numbers[i]);
        rc_plot_put(writer, i + 1 < count ? " " : "\n");
    }
}

static void put_boxes(struct rc_plot_writer *writer, const struct rc_plot_series *series)
{
    for (size_t i = 0; i < series->n; i++) {
        const struct rc_plot_box *box = &series->boxes[i];
        const double numbers[] = {(box->left + box->right) / 2,
                                  (box->low + box->high) / 2,
                                  box->left,
                                  box->right,
                                  box->low,
                                  box->high};

        for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++) {
            rc_plot_put_number(writer, numbers[j]);
            rc_plot_put(writer, " ");
        }
        rc_plot_put(writer, "%u\n", box->colour);
    }
}

/* Steps are written as lines with corners: then all that can be done with lines can be done with
 * them. */
static void put_data(struct rc_plot_writer *writer, const struct rc_plot_series *series,
                     size_t block)
{
    if (series->style == RC_PLOT_DIAGONAL)
        return;
    rc_plot_put(writer, "$d%zu << EOD\n", block);
    if (series->style == RC_PLOT_BOXES) {
        put_boxes(writer, series);
        rc_plot_put(writer, "EOD\n");
        return;
    }
    if (series->style == RC_PLOT_BARS && series->n > 1) {
        rc_plot_put_number(writer, series->x[0]);
        rc_plot_put(writer, " 0\n");
    }
    for (size_t i = 0; i < series->n; i++) {
        if (!rc_plot_has_steps(series)) {
            put_point(writer, series, i, i);
        } else if (i + 1 < series->n) {
            put_point(writer, series, i, i);
            put_point(writer, series, i + 1, i);
        }
    }
    if (series->style == RC_PLOT_BARS && series->n > 1) {
        rc_plot_put_number(writer, series->x[series->n - 1]);
        rc_plot_put(writer, " 0\n");
    }
    rc_plot_put(writer, "EOD\n");
}

/* ---- a panel ---- */

/* Whether any part of a mark is visible, and which; gnuplot would draw the rest, too. */
static bool clip_mark(const struct rc_plot_panel *panel, struct rc_plot_mark *mark)
{
    if (!isfinite(mark->low) || !isfinite(mark->high) || mark->low > mark->high ||
        mark->high < panel->x.low || mark->low > panel->x.high)
        return false;
    mark->low = fmax(mark->low, panel->x.low);
    mark->high = fmin(mark->high, panel->x.high);
    return true;
}

static void put_marks(struct rc_plot_writer *writer, const struct rc_plot_panel *panel)
{
    const struct rc_plot *plot = panel->plot;

    for (size_t i = 0; i < plot->n_marks; i++) {
        struct rc_plot_mark mark = plot->marks[i];
        bool line = mark.low == mark.high;

        if (!clip_mark(panel, &mark))
            continue;
        rc_plot_put(writer, line ? "set arrow from " : "set object rectangle from ");
        rc_plot_put_place(writer, &plot->x, mark.low);
        rc_plot_put(writer, ", graph 0 to ");
        rc_plot_put_place(writer, &plot->x, mark.high);
        if (line)
            rc_plot_put(writer, ", graph 1 nohead front lw 2 dt 2 lc rgb '#%s'\n", MARK);
        else
            rc_plot_put(writer, ", graph 1 behind fc rgb '#%s' fs solid noborder\n", SHADE);
    }
}

/* The place of a number on its axis: 0 at the start, 1 at the end. */
static double place_of(const struct rc_plot_range *range, const struct rc_plot_axis *axis,
                       double value)
{
    if (axis->scale == RC_PLOT_LOG)
        return log(value / range->low) / log(range->high / range->low);
    return (value - range->low) / (range->high - range->low);
}

static void put_point_labels(struct rc_plot_writer *writer, const struct rc_plot_panel *panel,
                             const struct rc_plot_series *series)
{
    for (size_t i = 0; series->labels && i < series->n; i++) {
        if (!rc_plot_can_show(&panel->plot->x, series->x[i]) ||
            !rc_plot_can_show(&panel->plot->y, series->y[i]))
            continue;
        rc_plot_put(writer, "set label ");
        rc_plot_put_text(writer, series->labels[i], POINT_LABEL_COLUMNS);
        rc_plot_put(writer, " at ");
        rc_plot_put_place(writer, &panel->plot->x, series->x[i]);
        rc_plot_put(writer, ", ");
        rc_plot_put_place(writer, &panel->plot->y, series->y[i]);
        rc_plot_put(writer, " %s,0.5 front tc rgb '#%s'\n",
                    place_of(&panel->x, &panel->plot->x, series->x[i]) < 0.8 ? "left offset 0.7"
                                                                             : "right offset -0.7",
                    MARK);
    }
}

static void put_box_labels(struct rc_plot_writer *writer, const struct rc_plot_panel *panel,
                           const struct rc_plot_series *series)
{
    for (size_t i = 0; series->style == RC_PLOT_BOXES && i < series->n; i++) {
        const struct rc_plot_box *box = &series->boxes[i];

        if (!box->label)
            continue;
        rc_plot_put(writer, "set label ");
        rc_plot_put_text(writer, box->label, BOX_LABEL_COLUMNS);
        rc_plot_put(writer, " at ");
        rc_plot_put_place(writer, &panel->plot->x, box->right);
        rc_plot_put(writer, ", ");
        rc_plot_put_place(writer, &panel->plot->y, (box->low + box->high) / 2);
        rc_plot_put(writer, " left offset 0.5,0 front tc rgb '#%s'\n", MARK);
    }
}

/* The name, in the legend or not; then the next one. */
static void put_name(struct rc_plot_writer *writer, const char *name)
{
    if (name) {
        rc_plot_put(writer, " title ");
        rc_plot_put_text(writer, name, RC_PLOT_NAME_COLUMNS);
    } else {
        rc_plot_put(writer, " notitle");
    }
    rc_plot_put(writer, ", \\\n");
}

static void put_series(struct rc_plot_writer *writer, const struct rc_plot_panel *panel,
                       const struct rc_plot_series *series, size_t block, const char *colour)
{
    bool band = series->low && series->high;

    if (series->style == RC_PLOT_BOXES) {
        rc_plot_put(writer,
                    "  $d%zu using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable fs solid noborder "
                    "notitle, \\\n",
                    block);
        if (series->name && series->n > 0) {
            rc_plot_put(writer, "  NaN with boxes fc rgb '#%06X' fs solid noborder",
                        series->boxes[0].colour & 0xFFFFFF);
            put_name(writer, series->name);
        }
        return;
    }
    if (series->style == RC_PLOT_DIAGONAL) {
        rc_plot_put(writer, "  x with lines lw 1.5 dt 2 lc rgb '#%s'", GREY);
        put_name(writer, series->name);
        return;
    }
    if (band && (series->style == RC_PLOT_LINE || series->style == RC_PLOT_STEPS))
        rc_plot_put(writer,
                    "  $d%zu using 1:3:4 with filledcurves fc rgb '#%s' fs transparent solid 0.2 "
                    "noborder notitle, \\\n",
                    block, colour);
    if (series->style == RC_PLOT_AREA || series->style == RC_PLOT_BARS) {
        rc_plot_put(writer, "  $d%zu using 1:2 with filledcurves y1=", block);
        rc_plot_put_number(writer, panel->plot->y.scale == RC_PLOT_LOG ? panel->y.low : 0);
        rc_plot_put(writer, " fc rgb '#%s' fs transparent solid 0.35 noborder notitle, \\\n",
                    colour);
    }
    if (series->style == RC_PLOT_SPIKES)
        rc_plot_put(writer, "  $d%zu using 1:2 with impulses lw 3 lc rgb '#%s' notitle, \\\n",
                    block, colour);
    if (series->style == RC_PLOT_POINTS && band)
        rc_plot_put(writer,
                    "  $d%zu using 1:2:3:4 with yerrorbars lw 1.5 pt %d ps 0.9 lc rgb '#%s'", block,
                    series->open ? 6 : 7, colour);
    else if (series->style == RC_PLOT_POINTS && series->open)
        rc_plot_put(writer, "  $d%zu using 1:2 with points pt 6 ps 1 lw 1.5 lc rgb '#%s'", block,
                    colour);
    else if (series->style == RC_PLOT_POINTS || series->style == RC_PLOT_SPIKES)
        /* Transparent, so that overlapping points are visible. */
        rc_plot_put(writer, "  $d%zu using 1:2 with points pt 7 ps 1 lc rgb '#%s%s'", block,
                    series->style != RC_PLOT_POINTS ? ""
                    : series->faint                 ? "B0"
                                                    : "50",
                    colour);
    else if (series->reference)
        rc_plot_put(writer, "  $d%zu using 1:2 with lines lw 1.5 dt 2 lc rgb '#%s'", block, GREY);
    else
        rc_plot_put(writer, "  $d%zu using 1:2 with lines lw 2 lc rgb '#%s'", block, colour);
    put_name(writer, series->name);
}

/* What marks look like, for the legend. */
static void put_mark_names(struct rc_plot_writer *writer, const struct rc_plot *plot)
{
    for (size_t i = 0; i < plot->n_marks; i++) {
        const struct rc_plot_mark *mark = &plot->marks[i];

        if (!mark->name)
            continue;
        if (mark->low == mark->high)
            rc_plot_put(writer, "  NaN with lines lw 2 dt 2 lc rgb '#%s'", MARK);
        else
            rc_plot_put(writer, "  NaN with boxes fc rgb '#%s' fs solid noborder", SHADE);
        put_name(writer, mark->name);
    }
}

static const char *colour_of(const struct rc_plot *plot, size_t series)
{
    size_t used = 0;

    if (plot->series[series].like > 0 && (size_t)plot->series[series].like <= series)
        return colour_of(plot, (size_t)plot->series[series].like - 1);
    for (size_t i = 0; i < series; i++)
        used += plot->series[i].style != RC_PLOT_DIAGONAL && plot->series[i].like == 0 &&
                !plot->series[i].reference;
    return colours[used % COLOURS];
}

static void put_panel(struct rc_plot_writer *writer, const struct rc_plot_panel *panel)
{
    const struct rc_plot *plot = panel->plot;
    size_t first = writer->n_blocks;

    for (size_t i = 0; i < plot->n_series; i++)
        put_data(writer, &plot->series[i], writer->n_blocks++);
    rc_plot_put(writer, "unset arrow\nunset object\n");
    rc_plot_put(writer, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", panel->top,
                panel->bottom);
    rc_plot_put(writer, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", panel->left,
                panel->right);
    rc_plot_put(writer,
                "set key at screen %.4f, screen %.4f left top horizontal Left reverse samplen 2.5 "
                "maxcols %d\n",
                panel->left - TEXT_LEFT, panel->legend, panel->columns);
    rc_plot_put_axis(writer, 'x', &plot->x, &panel->x);
    rc_plot_put_axis(writer, 'y', &plot->y, &panel->y);
    if (!panel->has_numbers)
        rc_plot_put(writer, "set format x ''\n");
    rc_plot_put_axis_labels(writer, panel);
    if (plot->colours)
        rc_plot_put_colour_bar(writer, panel);
    put_marks(writer, panel);
    for (size_t i = 0; i < plot->n_series; i++)
        put_point_labels(writer, panel, &plot->series[i]);
    for (size_t i = 0; i < plot->n_series; i++)
        put_box_labels(writer, panel, &plot->series[i]);
    rc_plot_put(writer, "plot \\\n");
    for (size_t i = 0; i < plot->n_series; i++)
        put_series(writer, panel, &plot->series[i], first + i, colour_of(plot, i));
    put_mark_names(writer, plot);
    rc_plot_put(writer, "  NaN notitle\nunset label\n");
}

/* ---- the whole ---- */

static const struct terminal *find_terminal(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');

    for (size_t i = 0; dot && i < sizeof terminals / sizeof *terminals; i++)
        if (dot > (slash ? slash + 1 : path) && strcmp(dot, terminals[i].ending) == 0)
            return &terminals[i];
    return NULL;
}

int rc_plot_check(const char *path, struct rc_error *error)
{
    if (find_terminal(path))
        return 0;
    rc_error_set(error, "unknown plot format '%s'", path);
    return rc_error_hint(error, "use a file name that ends in .svg, .png or .pdf");
}

static void put_head(struct rc_plot_writer *writer, const struct terminal *terminal, int height,
                     const char *title)
{
    rc_plot_put(writer, "set encoding utf8\nset terminal %s size %g%s,%g%s %s\n", terminal->setup,
                RC_PLOT_WIDTH * terminal->unit, terminal->unit < 1 ? "in" : "",
                height * terminal->unit, terminal->unit < 1 ? "in" : "", terminal->more);
    rc_plot_put(writer, "set timefmt '%%s'\nset samples 500\n");
    rc_plot_put(writer, "set border 3 lw 1 lc rgb '#%s'\n", MARK);
    rc_plot_put(writer, "set tics nomirror out scale 0.6\n");
    rc_plot_put(writer, "set grid back lt 1 lw 1 lc rgb '#DDDDDD'\n");
    rc_plot_put(writer, "set multiplot\n");
    if (title) {
        rc_plot_put(writer, "set label 1 ");
        rc_plot_put_text(writer, title, TITLE_COLUMNS);
        rc_plot_put(writer, " at screen %.4f, screen %.4f left font ',%d'\n",
                    (double)RC_PLOT_LEFT / RC_PLOT_WIDTH - TEXT_LEFT,
                    1 - 0.5 * RC_PLOT_TITLE / height, terminal->title_size);
    }
}

int rc_plot_script(const char *path, const struct rc_plot *panels, size_t n_panels,
                   struct rc_buffer *script, struct rc_error *error)
{
    struct rc_plot_writer writer = {.script = script};
    struct rc_plot_panel placed[RC_PLOT_PANELS_MAX];
    size_t n_points = 0;

    if (rc_plot_check(path, error))
        return -1;
    if (n_panels == 0 || n_panels > RC_PLOT_PANELS_MAX)
        return rc_error_set(error, "a figure has 1 to %d panels", RC_PLOT_PANELS_MAX);
    for (size_t i = 0; i < n_panels; i++)
        for (size_t j = 0; j < panels[i].n_series; j++)
            n_points += panels[i].series[j].n;
    if (n_points > RC_PLOT_POINTS_MAX)
        return rc_error_set(error, "a plot can show %d points, not %zu", RC_PLOT_POINTS_MAX,
                            n_points);
    if (rc_plot_place(panels, n_panels, placed, error))
        return -1;
    put_head(&writer, find_terminal(path), rc_plot_height(panels), panels[0].title);
    for (size_t i = 0; i < n_panels; i++)
        put_panel(&writer, &placed[i]);
    rc_plot_put(&writer, "unset multiplot\n");
    return writer.failed ? rc_error_no_memory(error) : 0;
}
