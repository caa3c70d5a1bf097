// SPDX-License-Identifier: GPL-3.0-or-later
/* plot_axes.c - axes and colour bars in scripts for gnuplot. */
#include <math.h>

#include "base/unit.h"
#include "report/plot_writer.h"

enum { LABEL_COLUMNS = 60, POWERS_MOST = 10, BAR_NUMBER = 70 /* pixels */ };

double rc_plot_round_step(double span)
{
    double step = span / 4, unit = pow(10, floor(log10(step)));

    return unit * (step <= unit ? 1 : step <= 2 * unit ? 2 : step <= 5 * unit ? 5 : 10);
}

/* Numbers on a logarithmic axis that is too short for powers of ten alone. */
static void put_log_tics(struct rc_plot_writer *writer, char letter,
                         const struct rc_plot_range *range)
{
    static const double steps[] = {1, 2, 5};
    double unit = pow(10, floor(log10(range->low))),
           step = rc_plot_round_step(range->high - range->low);
    bool by_steps = range->high / range->low > 5; /* at least two */
    const char *separator = "";

    rc_plot_put(writer, "set %ctics nomirror (", letter);
    for (int i = 0; i < 20; i++) {
        double place =
            by_steps ? unit * pow(10, i / 3) * steps[i % 3] : (floor(range->low / step) + i) * step;

        if (place < range->low || place > range->high)
            continue;
        rc_plot_put(writer, "%s", separator);
        rc_plot_put_number(writer, place);
        separator = ", ";
    }
    rc_plot_put(writer, ")\n");
}

/* Powers of a number that stand on an axis: from `low` to `high`, one in `skip`. */
struct powers {
    int low, high, skip;
};

static struct powers find_powers(double of, const struct rc_plot_range *range, double most)
{
    struct powers powers = {(int)ceil(log(range->low) / log(of) - 1e-9),
                            (int)floor(log(range->high) / log(of) + 1e-9), 1};

    powers.skip = (int)ceil(fmax(log(range->high / range->low) / log(of) / most, 1));
    powers.low = (int)ceil((double)powers.low / powers.skip) * powers.skip;
    return powers;
}

static void put_bytes(struct rc_plot_writer *writer, double bytes)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(bytes, RC_BYTES, text);
    rc_plot_put_text(writer, text, LABEL_COLUMNS);
}

/* Powers of the step of a logarithmic axis. False if these are too few. */
static bool put_powers(struct rc_plot_writer *writer, char letter, const struct rc_plot_axis *axis,
                       const struct rc_plot_range *range)
{
    const struct powers powers = find_powers(axis->step, range, POWERS_MOST);
    const char *separator = "";

    if (powers.low + powers.skip > powers.high)
        return false;
    rc_plot_put(writer, "set %ctics nomirror (", letter);
    for (int power = powers.low; power <= powers.high; power += powers.skip) {
        rc_plot_put(writer, "%s", separator);
        if (axis->bytes) {
            put_bytes(writer, pow(axis->step, power));
            rc_plot_put(writer, " ");
        }
        rc_plot_put_number(writer, pow(axis->step, power));
        separator = ", ";
    }
    rc_plot_put(writer, ")\n");
    return true;
}

/* As many digits as distinguish two neighbouring numbers on the axis; fewer numbers if these are
 * long. */
static void put_format(struct rc_plot_writer *writer, char letter, const struct rc_plot_axis *axis,
                       const struct rc_plot_range *range)
{
    double span = range->high - range->low;
    double digits = log10(fmax(fabs(range->low), fabs(range->high)) / span) + 2;

    if (axis->scale == RC_PLOT_LOG && axis->step > 1 && put_powers(writer, letter, axis, range)) {
        rc_plot_put(writer, "set format %c '%%h' numeric\n", letter);
        return;
    }
    if (axis->step != 0 && (axis->scale != RC_PLOT_LOG || axis->step < 0)) {
        rc_plot_put(writer, axis->step < 0 ? "unset %ctics\n" : "set %ctics nomirror ", letter);
        if (axis->step > 0)
            rc_plot_put_number(writer, axis->step);
        rc_plot_put(writer, "\n");
    } else if (axis->scale == RC_PLOT_LOG && range->high / range->low < 1000) {
        put_log_tics(writer, letter, range);
    } else if (axis->scale == RC_PLOT_LINEAR && digits > 6) {
        rc_plot_put(writer, "set %ctics nomirror ", letter);
        rc_plot_put_number(writer, rc_plot_round_step(span));
        rc_plot_put(writer, "\n");
    } else {
        rc_plot_put(writer, "set %ctics nomirror autofreq\n", letter);
    }
    if (axis->scale == RC_PLOT_TIME)
        rc_plot_put(writer, "set format %c \"%s\" timedate\n", letter,
                    span > 3 * 86400 ? "%d %b\\n%Y"
                    : span > 120     ? "%H:%M\\n%d %b"
                                     : "%H:%M:%S\\n%d %b");
    else if (axis->scale == RC_PLOT_LINEAR && digits > 6)
        rc_plot_put(writer, "set format %c '%%.%dg' numeric\n", letter,
                    (int)fmin(ceil(digits), 17));
    else
        rc_plot_put(writer, "set format %c '%%h' numeric\n", letter);
}

void rc_plot_put_axis(struct rc_plot_writer *writer, char letter, const struct rc_plot_axis *axis,
                      const struct rc_plot_range *range)
{
    rc_plot_put(writer, axis->scale == RC_PLOT_LOG ? "set logscale %c\n" : "unset logscale %c\n",
                letter);
    rc_plot_put(writer, "set %cdata%s\n", letter, axis->scale == RC_PLOT_TIME ? " time" : "");
    rc_plot_put(writer, "set %crange [", letter);
    rc_plot_put_place(writer, axis, axis->down ? range->high : range->low);
    rc_plot_put(writer, ":");
    rc_plot_put_place(writer, axis, axis->down ? range->low : range->high);
    rc_plot_put(writer, "]\n");
    put_format(writer, letter, axis, range);
}

/* Beside and below the panel. The default places of gnuplot depend on the terminal. */
void rc_plot_put_axis_labels(struct rc_plot_writer *writer, const struct rc_plot_panel *panel)
{
    const struct rc_plot *plot = panel->plot;
    double middle = 0.5 * (panel->left + panel->right);

    if (plot->x.label) {
        rc_plot_put(writer, "set label ");
        rc_plot_put_text(writer, plot->x.label, LABEL_COLUMNS);
        rc_plot_put(writer, " at screen %.4f, screen %.4f center\n", middle, panel->label);
    }
    if (plot->y.label) {
        rc_plot_put(writer, "set label ");
        rc_plot_put_text(writer, plot->y.label, LABEL_COLUMNS);
        rc_plot_put(writer, " at screen %.4f, screen %.4f center rotate by 90\n",
                    panel->left - (RC_PLOT_LEFT - 20.0) / RC_PLOT_WIDTH,
                    (panel->top + panel->bottom) / 2);
    }
}

/* ---- the colour bar ---- */

/* In the place of the legend, from the top: its label, the bar, and its numbers. */
void rc_plot_put_colour_bar(struct rc_plot_writer *writer, const struct rc_plot_panel *panel)
{
    const struct rc_plot_colours *colours = panel->plot->colours;
    double row = (double)RC_PLOT_LEGEND_ROW / rc_plot_height(panel->first);
    double width = panel->right - panel->left, top = panel->legend - 0.95 * row;
    const struct rc_plot_range range = {colours->least, colours->most};
    const struct powers powers = find_powers(2, &range, width * RC_PLOT_WIDTH / BAR_NUMBER);

    rc_plot_put(writer, "set label ");
    rc_plot_put_text(writer, colours->label, LABEL_COLUMNS);
    rc_plot_put(writer, " at screen %.4f, screen %.4f left\n", panel->left,
                panel->legend - 0.45 * row);
    for (size_t i = 0; i < colours->n;
         i++) /* each up to the right end, so that there are no gaps */
        rc_plot_put(writer,
                    "set object rectangle from screen %.4f, screen %.4f to screen %.4f, screen "
                    "%.4f fc rgb '#%06X' fs solid noborder\n",
                    panel->left + width * (double)i / (double)colours->n, top - 0.6 * row,
                    panel->right, top, colours->shades[i] & 0xFFFFFF);
    for (int power = powers.low; power <= powers.high; power += powers.skip) {
        double at = log(ldexp(1, power) / range.low) / log(range.high / range.low);

        rc_plot_put(writer, "set label ");
        put_bytes(writer, ldexp(1, power));
        rc_plot_put(writer, " at screen %.4f, screen %.4f %s\n", panel->left + width * at,
                    top - 1.05 * row,
                    at < 0.08   ? "left"
                    : at > 0.92 ? "right"
                                : "center");
    }
}
