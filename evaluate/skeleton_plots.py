# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of docs/evaluation/skeleton.md: groups of bars, by gnuplot."""
import colorsys

import plotting
from plotting import run
from skeleton_cases import SCENARIO_NAMES

HEIGHT = 320
HEAD = plotting.TERMINAL + """set style data histograms
set style fill solid 0.85 noborder
set key outside top center horizontal
set grid ytics lc rgb '#dddddd'
set yrange [0:*]
set xtics nomirror
set bmargin 3
set ylabel '{label}'
"""


def block(head, rows):
    """Data for gnuplot: each row is a group, each column a bar."""
    lines = ['"" ' + " ".join(f'"{each}"' for each in head)]
    for name, numbers in rows:
        lines.append(f'"{name}" ' + " ".join("0" if each is None else f"{each:.4f}"
                                             for each in numbers))
    return "$data << END\n" + "\n".join(lines) + "\nEND\n"


def colour(i, n):
    """From blue to red; neighbours also differ in brightness, since there may be many."""
    parts = colorsys.hsv_to_rgb(0.62 * (1 - i / max(n - 1, 1)), 0.65, 0.8 if i % 2 else 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def bars(out, label, head, rows):
    script = HEAD.format(out=out, label=label, width=900, height=HEIGHT) + block(head, rows)
    columns = ", ".join(f"$data using {i + 2}:xtic(1) title columnheader({i + 2}) "
                        f"lc rgb '{colour(i, len(head))}'" for i in range(len(head)))
    return run(script + f"set style histogram clustered gap 1\nplot {columns}\n")


def ranges(out, label, rows):
    """The mean as a bar, with the smallest and the largest error."""
    script = HEAD.format(out=out, label=label, width=700, height=HEIGHT) + block(["smallest", "mean", "largest"], rows)
    return run(script + "set style histogram errorbars gap 1 lw 1.5\nunset key\n"
               "plot $data using 3:2:4:xtic(1) every ::1 lc rgb '#2166ac'\n")


def extremes(results, what, scenarios):
    errors = [each[0] for each in results.errors(what, scenarios)]
    return [min(errors), sum(errors) / len(errors), max(errors)] if errors else [None] * 3


def draw_all(results, folder, scenarios):
    """The markdown of each plot; empty without gnuplot."""
    sizes, apps = results.sizes, results.apps
    named = [f"{size} s" for size in sizes]
    plots = {
        "plot2": ("Communication share", lambda out: bars(
            out, "time in MPI calls, percent", ["traced run"] + named,
            [(app, [results.share(app, what) for what in ["program"] + sizes]) for app in apps])),
        "plot3": ("Errors by program and length", lambda out: bars(
            out, "MAPE, percent", named,
            [(app, [results.app_error(app, size) for size in sizes]) for app in apps])),
        "plot5": ("Errors by length and program", lambda out: bars(
            out, "MAPE, percent", apps,
            [(f"{size} s", [results.app_error(app, size) for app in apps]) for size in sizes])),
        "plot6": ("Errors by scenario and program", lambda out: bars(
            out, "APE, percent", apps,
            [(SCENARIO_NAMES[scenario].replace(" on ", "\\non "),
              [results.error(app, scenario, results.longest(app)) for app in apps])
             for scenario in scenarios])),
        "plot7": ("Smallest, mean and largest errors of skeletons and baselines", lambda out: ranges(
            out, "APE, percent",
            [(f"{what} s", extremes(results, what, ["both"])) for what in sizes] +
            [("small problem", extremes(results, "small", ["both"])),
             ("average", extremes(results, "average", ["both"]))])),
    }
    return plotting.draw_all({name: (title, f"skeleton-{name[4:]}.svg", draw)
                              for name, (title, draw) in plots.items()}, folder)
