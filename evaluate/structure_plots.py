# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of docs/evaluation/structure.md: small multiples, drawn by gnuplot."""
import math

import plotting
from running import read
from structure_cases import DEDICATED, JUDGED, LOADED, LOADS, PLATFORMS, SSOR

ACROSS, PANEL, HEIGHT = 4, 250, 230  # panels in a row, and their size
STYLE = """set grid ytics lc rgb '#e4e4e4'
set tics nomirror scale 0.5
set border 3 lc rgb '#666666'
set title offset 0,-0.6
set xlabel offset 0,0.6
set ylabel offset 1.2,0
unset key
"""
BY_SIZE = {"run": " pt 6 ps 0.8 lw 1.5 lc rgb '#222222'", "benchmark": "lw 2 lc rgb '#2166ac'",
           "operation counts": "lw 2 dt (9,7) lc rgb '#e08214'",
           "no messages": "lw 2 dt 3 lc rgb '#1a9850'"}
BY_RUN = {"run": " pt 7 ps 0.45 lc rgb '#222222'",
          "interval of the last minutes": "lw 3 lc rgb '#f2b872'",
          "forecast that learns": "lw 3 lc rgb '#7fb0d8'"}
SCATTER = {"predicted = actual": "lc rgb '#888888'", "regression": " pt 7 ps 0.6 lc rgb '#e08214'",
           "structure": " pt 7 ps 0.35 lc rgb '#2166ac'"}


def block(name, rows):
    """Data for gnuplot; what is not known is left out of its line."""
    lines = [" ".join("?" if each is None else f"{each:.5g}" for each in row) for row in rows]
    return f"${name} << END\n" + "\n".join(lines) + "\nEND\n"


def step(low, high):
    """Between the tics of an axis, of which there are few."""
    power = 10 ** math.floor(math.log10(high - low))
    return power * next(each for each in (0.2, 0.5, 1, 2, 5) if high - low <= 4.5 * each * power)


def key_above(key, width, height):
    """A sample and a name for each (name, style); gnuplot's own key is no wider than a panel."""
    script, y = "", 1 - 12 / height
    lengths = [6.5 * len(name) + 60 for name, _ in key]
    x = (width - sum(lengths)) / 2
    for (name, style), length in zip(key, lengths):
        script += f"set label '{name}' at screen {(x + 34) / width:.4f},{y:.4f} left\n"
        if " pt " in style:
            script += f"set label '' at screen {(x + 20) / width:.4f},{y:.4f} point {style}\n"
        else:
            script += f"set arrow from screen {x / width:.4f},{y:.4f} " \
                      f"to screen {(x + 28) / width:.4f},{y:.4f} nohead {style}\n"
        x += length
    return script


def panels(out, plots, key, across=ACROSS, width=PANEL, height=HEIGHT):
    """Plots, each a pair of data blocks and commands, beside and below one another, with one key
    above all of them."""
    across = min(across, len(plots))
    down = math.ceil(len(plots) / across)
    size = across * width, down * height + 30
    script = plotting.TERMINAL.format(out=out, width=size[0], height=size[1]) + STYLE
    script += "set datafile missing '?'\n" + "".join(data for data, _ in plots)
    script += f"set multiplot layout {down},{across} margins {58 / size[0]:.4f},0.985,"
    script += f"{44 / size[1]:.4f},{1 - 52 / size[1]:.4f} "
    script += f"spacing {62 / size[0]:.4f},{70 / size[1]:.4f}\n"
    script += key_above(list(key.items()), *size)
    script += "unset label\nunset arrow\n".join(commands for _, commands in plots)
    if not plotting.run(script + "unset multiplot\nunset output\n"):
        return False
    plotting.shorten(out)
    return True


# ---- dedicated ----

def sizes_panel(bench, app, platform, number):
    found = read(bench.work / f"dedicated-{app}-{platform}.json")
    if not found:
        return None
    data, figure = f"data{number}", DEDICATED[app, platform][0]
    rows = [[row["size"], row["actual"], row.get("benchmark"), row.get("opcount"),
             row.get("silent")] for row in found["sizes"]]
    # `ep` is given the logarithm of its size.
    logarithmic = "set logscale y\nset ytics autofreq\n" if app == "ep" else \
        f"unset logscale\nset yrange [0:*]\nset ytics {step(0, max(row[1] for row in rows))}\n"
    low, high = min(row[0] for row in rows), max(row[0] for row in rows)
    margin = 0.06 * (high - low)
    columns = [("no messages", 5), ("benchmark", 3), ("operation counts", 4)]
    lines = "".join(f"${data} using 1:{k} with lines {BY_SIZE[name]}, " for name, k in columns
                    if any(row[k - 1] is not None for row in rows))
    return block(data, rows), (
        f"set title '{app} (Figure {figure})'\n{logarithmic}set xtics {step(low, high)}\n"
        f"set xrange [{low - margin:g}:{high + margin:g}]\n"
        f"set xlabel 'size'\nset ylabel 'seconds'\n"
        f"plot {lines}${data} using 1:2 with points {BY_SIZE['run']}\nset yrange [*:*]\n")


def by_size(bench, platform):
    cases = [app for app, where in DEDICATED if where == platform]
    found = [sizes_panel(bench, app, platform, i) for i, app in enumerate(cases)]
    return [each for each in found if each]


# ---- under load ----

def bar_block(name, runs, off, least):
    """A line for each interval: one path for all, where bars would be one each.  None is shorter
    than can be seen."""
    lines = []
    for i, run in enumerate(runs):
        more = max(0, least - (run["high"] - run["low"])) / 2
        lines.append(f"{i + 1 + off:g} {run['low'] - more:.5g}\n"
                     f"{i + 1 + off:g} {run['high'] + more:.5g}")
    return f"${name} << END\n" + "\n\n".join(lines) + "\nEND\n"


def runs_panel(bench, load, app, number):
    of = {kind: read(bench.work / f"load-{load}-{app}-{kind}.json")
          for kind in ("interval", "learning")}
    if not all(of.values()):
        return None
    of = {kind: found["each"][-JUDGED:] for kind, found in of.items()}
    runs = [[i + 1, run["actual"]] for i, run in enumerate(of["learning"])]
    ends = [run[end] for each in of.values() for run in each for end in ("low", "high")]
    bars = {kind: bar_block(f"{kind}{number}", of[kind], off, 0.012 * (max(ends) - min(ends)))
            for kind, off in (("interval", -0.2), ("learning", 0.2))}
    return block(f"runs{number}", runs) + "".join(bars.values()), (
        f"set title '{app}'\nset xlabel 'run'\nset ylabel 'seconds'\nset xrange [0:{JUDGED + 1}]\n"
        f"set xtics 9\nset ytics {step(min(ends), max(ends))}\n"
        f"plot $interval{number} with lines {BY_RUN['interval of the last minutes']}, "
        f"$learning{number} with lines {BY_RUN['forecast that learns']}, "
        f"$runs{number} with points {BY_RUN['run']}\n")


def by_run(bench, load):
    found = [runs_panel(bench, load, app, i) for i, app in enumerate(LOADED)]
    return [each for each in found if each]


# ---- ssor ----

def scatter_panel(bench, load, number):
    of = {method: read(bench.work / f"ssor-{load}-{method}.json") for method in ("regression", "structure")}
    if not all(of.values()):
        return None
    rows = [[a["actual"], a["modelled"], b["modelled"]]
            for a, b in zip(of["regression"]["each"], of["structure"]["each"])]
    low, high = min(min(row) for row in rows) * 0.8, max(max(row) for row in rows) * 1.25
    data = f"data{number}"
    return block(data, rows), (
        f"set title 'load: {load}'\nset xlabel 'run, seconds'\nset ylabel 'predicted, seconds'\n"
        f"set logscale xy\nset xrange [{low:.4g}:{high:.4g}]\nset yrange [{low:.4g}:{high:.4g}]\n"
        f"plot x with lines {SCATTER['predicted = actual']}, "
        f"${data} using 1:2 with points {SCATTER['regression']}, "
        f"${data} using 1:3 with points {SCATTER['structure']}\n")


def scatter(bench):
    found = [scatter_panel(bench, load, i) for i, load in enumerate(SSOR["loads"])]
    return [each for each in found if each]


def draw_all(bench, folder):
    plots = {platform: (f"Run times by size on {platform}, and results of the models",
                        by_size(bench, platform), {"key": BY_SIZE})
             for platform in PLATFORMS if platform != SSOR["cluster"]}
    plots |= {load: (f"Runs under the load {load} and their intervals", by_run(bench, load),
                     {"key": BY_RUN, "across": 2, "width": 480}) for load in LOADS}
    plots["ssor"] = ("Predicted and actual times of ssor", scatter(bench),
                     {"key": SCATTER, "width": 420, "height": 380})
    return plotting.draw_all(
        {name: (title, f"structure-{name}.svg",
                lambda out, found=found, how=how: bool(found) and panels(out, found, **how))
         for name, (title, found, how) in plots.items()}, folder)
