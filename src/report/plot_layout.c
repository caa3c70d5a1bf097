// SPDX-License-Identifier: GPL-3.0-or-later
/* plot_layout.c - places of the parts of a figure, and ranges of its axes. */
#include "report/plot_layout.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* In pixels. */
enum {
    LEGEND_SAMPLE = 56, /* what stands beside each name */
    LETTER = 8,         /* the width of one, on average */
    GAP = 14,           /* below a panel without numbers */
    NUMBERS = 32,       /* below one with them */
    SECOND_LINE = 16,   /* of numbers, which are dates */
    COLOUR_BAR_ROWS = 3,
    FRAME_LEAST = 50 /* the height of a panel's frame */
};

/* Beyond this gnuplot loses its way. */
static const double HUGE_NUMBER = 1e300;

/* ---- ranges ---- */

bool rc_plot_can_show(const struct rc_plot_axis *axis, double value)
{
    return isfinite(value) && (axis->scale != RC_PLOT_LOG || value > 0);
}

static void include(struct rc_plot_range *range, const struct rc_plot_axis *axis, double value)
{
    if (!rc_plot_can_show(axis, value))
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static bool stands_on_zero(const struct rc_plot_series *series)
{
    return series->style == RC_PLOT_AREA || series->style == RC_PLOT_BARS ||
           series->style == RC_PLOT_SPIKES;
}

bool rc_plot_has_steps(const struct rc_plot_series *series)
{
    return series->style == RC_PLOT_STEPS || series->style == RC_PLOT_BARS;
}

static void include_series(struct rc_plot_panel *panel, const struct rc_plot_series *series)
{
    const struct rc_plot *plot = panel->plot;
    size_t n_heights = series->n - (rc_plot_has_steps(series) && series->n > 0);

    if (series->style == RC_PLOT_DIAGONAL)
        return;
    if (series->style == RC_PLOT_BOXES) {
        for (size_t i = 0; i < series->n; i++) {
            include(&panel->x, &panel->plot->x, series->boxes[i].left);
            include(&panel->x, &panel->plot->x, series->boxes[i].right);
            include(&panel->y, &panel->plot->y, series->boxes[i].low);
            include(&panel->y, &panel->plot->y, series->boxes[i].high);
        }
        return;
    }
    if (stands_on_zero(series))
        include(&panel->y, &plot->y, 0);
    for (size_t i = 0; i < series->n; i++)
        include(&panel->x, &plot->x, series->x[i]);
    for (size_t i = 0; i < n_heights && !series->reference; i++) {
        include(&panel->y, &plot->y, series->y[i]);
        if (series->low && series->high) {
            include(&panel->y, &plot->y, series->low[i]);
            include(&panel->y, &plot->y, series->high[i]);
        }
    }
}

/* Room on both sides; none below the zero of a base line. */
static void pad(struct rc_plot_range *range, const struct rc_plot_axis *axis, bool on_zero)
{
    double room;

    if (axis->low < axis->high) {
        *range = (struct rc_plot_range){axis->low, axis->high};
    } else if (axis->scale == RC_PLOT_LOG) {
        room = fmax(pow(range->high / range->low, 0.04), 1.05);
        *range = (struct rc_plot_range){range->low / room, range->high * room};
    } else {
        room = 0.04 * (range->high - range->low);
        if (!(room > 0))
            room = range->low == 0 ? 1 : 0.1 * fabs(range->low);
        range->low -= on_zero && range->low == 0 ? 0 : room;
        range->high += room;
    }
}

static int find_ranges(struct rc_plot_panel *panel, struct rc_error *error)
{
    const struct rc_plot *plot = panel->plot;
    bool on_zero = false, diagonal = false;

    panel->x = panel->y = (struct rc_plot_range){INFINITY, -INFINITY};
    for (size_t i = 0; i < plot->n_series; i++) {
        include_series(panel, &plot->series[i]);
        on_zero |= stands_on_zero(&plot->series[i]);
        diagonal |= plot->series[i].style == RC_PLOT_DIAGONAL;
    }
    for (size_t i = 0; i < plot->n_marks; i++) {
        include(&panel->x, &plot->x, plot->marks[i].low);
        include(&panel->x, &plot->x, plot->marks[i].high);
    }
    if (!(panel->x.low <= panel->x.high && panel->y.low <= panel->y.high))
        return rc_error_set(error, "nothing to draw");
    if (diagonal) { /* which needs the same scale on both axes */
        panel->x.low = panel->y.low = fmin(panel->x.low, panel->y.low);
        panel->x.high = panel->y.high = fmax(panel->x.high, panel->y.high);
    }
    pad(&panel->x, &plot->x, false);
    pad(&panel->y, &plot->y, on_zero);
    if (!(fmax(fabs(panel->x.low), fabs(panel->x.high)) < HUGE_NUMBER &&
          fmax(fabs(panel->y.low), fabs(panel->y.high)) < HUGE_NUMBER))
        return rc_error_set(error, "the numbers are too large to draw");
    return 0;
}

/* ---- places ---- */

/* How many rows the legend takes; 0: there is none. */
static int legend_rows(struct rc_plot_panel *panel)
{
    const struct rc_plot *plot = panel->plot;
    size_t widest = 0, n_names = 0;

    for (size_t i = 0; i < plot->n_series + plot->n_marks; i++) {
        const char *name =
            i < plot->n_series ? plot->series[i].name : plot->marks[i - plot->n_series].name;
        size_t width = name ? rc_text_width(name, strlen(name)) : 0;

        if (!name)
            continue;
        n_names++;
        width = width < RC_PLOT_NAME_COLUMNS ? width : RC_PLOT_NAME_COLUMNS;
        widest = width > widest ? width : widest;
    }
    if (plot->colours)
        return COLOUR_BAR_ROWS;
    panel->columns = (int)((panel->right - panel->left) * RC_PLOT_WIDTH) /
                     (int)(widest * LETTER + LEGEND_SAMPLE);
    panel->columns = panel->columns < 1 ? 1 : panel->columns;
    return ((int)n_names + panel->columns - 1) / panel->columns;
}

/* What stands above all panels, and below the frame of each. */
static int head(const struct rc_plot_panel *panels)
{
    return panels[0].plot->title ? RC_PLOT_TITLE : GAP;
}

static int foot(const struct rc_plot_panel *panel)
{
    const struct rc_plot_axis *axis = &panel->plot->x;

    return (panel->has_numbers ? NUMBERS : GAP) + (axis->label ? RC_PLOT_LABEL : 0) +
           (panel->has_numbers && axis->scale == RC_PLOT_TIME ? SECOND_LINE : 0);
}

static double share_of(const struct rc_plot_panel *panel)
{
    return panel->plot->height > 0 ? panel->plot->height : 1;
}

/* A row of panels: one, or two side by side. */
struct row {
    size_t first, n;
    int legend; /* rows of text */
    int foot;   /* pixels below the frames */
};

int rc_plot_height(const struct rc_plot *plots)
{
    return plots[0].pixels > 0 ? plots[0].pixels : RC_PLOT_HEIGHT;
}

/* Places of the frames of a row from left to right, and room for texts. */
static void lay_row(struct rc_plot_panel *panels, struct row *row)
{
    double width = (double)RC_PLOT_WIDTH / (double)row->n;

    row->legend = row->foot = 0;
    for (size_t i = 0; i < row->n; i++) {
        struct rc_plot_panel *panel = &panels[row->first + i];
        double left =
            (double)i * width +
            (panel->plot->y.step < 0 && !panel->plot->y.label ? RC_PLOT_RIGHT : RC_PLOT_LEFT);
        int legend;

        panel->left = left / RC_PLOT_WIDTH;
        panel->right = ((double)(i + 1) * width - RC_PLOT_RIGHT) / RC_PLOT_WIDTH;
        legend = legend_rows(panel);
        row->legend = legend > row->legend ? legend : row->legend;
        row->foot = foot(panel) > row->foot ? foot(panel) : row->foot;
    }
}

static size_t make_rows(struct rc_plot_panel *panels, size_t n_panels, struct row *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < n_panels; i++) {
        bool beside = n > 0 && panels[i].plot->beside && rows[n - 1].n < 2;

        if (beside)
            rows[n - 1].n++;
        else
            rows[n++] = (struct row){.first = i, .n = 1};
        panels[i].has_numbers =
            (panels[i].plot->x.label || i == n_panels - 1) && !(panels[i].plot->x.step < 0);
    }
    for (size_t i = 0; i < n; i++)
        lay_row(panels, &rows[i]);
    return n;
}

/* Room for the frames, in pixels, without that of the texts. */
static double room_for_frames(const struct rc_plot_panel *panels, const struct row *rows, size_t n,
                              bool legends)
{
    double left = rc_plot_height(panels[0].plot) - head(panels);

    for (size_t i = 0; i < n; i++)
        left -= (legends ? rows[i].legend * RC_PLOT_LEGEND_ROW : 0) + rows[i].foot;
    return left;
}

/* Hands out the height, from the top: legends, frames by their shares, what stands below them. */
static void place_panels(struct rc_plot_panel *panels, size_t n_panels)
{
    struct row rows[RC_PLOT_PANELS_MAX];
    size_t n = make_rows(panels, n_panels, rows);
    double height = rc_plot_height(panels[0].plot), y = height - head(panels), shares = 0;
    double left = room_for_frames(panels, rows, n, true);
    bool legends = left >= (double)n * FRAME_LEAST; /* else they must lie over the frames */

    if (!legends)
        left = room_for_frames(panels, rows, n, false);
    for (size_t i = 0; i < n; i++)
        shares += share_of(&panels[rows[i].first]);
    for (size_t i = 0; i < n; i++) {
        double top = y - (legends ? rows[i].legend * RC_PLOT_LEGEND_ROW : 0);
        double bottom = top - left * share_of(&panels[rows[i].first]) / shares;

        for (size_t j = rows[i].first; j < rows[i].first + rows[i].n; j++) {
            panels[j].legend = y / height;
            panels[j].top = top / height;
            panels[j].bottom = bottom / height;
            panels[j].label = (bottom - foot(&panels[j]) + 0.5 * RC_PLOT_LABEL + 2) / height;
        }
        y = bottom - rows[i].foot;
    }
}

int rc_plot_place(const struct rc_plot *plots, size_t n_panels, struct rc_plot_panel *panels,
                  struct rc_error *error)
{
    for (size_t i = 0; i < n_panels; i++) {
        panels[i] = (struct rc_plot_panel){.plot = &plots[i], .first = plots};
        if (find_ranges(&panels[i], error))
            return -1;
    }
    place_panels(panels, n_panels);
    return 0;
}
