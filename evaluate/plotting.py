# SPDX-License-Identifier: GPL-3.0-or-later
"""What the figures of evaluations share: gnuplot, which may not be there."""
import re
import shutil
import subprocess

TERMINAL = """set terminal svg size {width},{height} font 'sans,11' background 'white'
set output '{out}'
"""


def run(script):
    return subprocess.run(["gnuplot"], input=script, text=True, check=False).returncode == 0


# Most of what gnuplot writes is empty groups, what is so anyway, and a symbol for each point.
SAID_IN_VAIN = [
    (r' stroke-line(cap="butt"|join="miter")', ""), (r' class="gridline" ', ""),
    (r'<tspan font-family="sans" >(.*?)</tspan>', r"\1"), (r"<g [^<>]*>\s*</g>\s*", ""),
    (r"(\d)\.00\b", r"\1"), (r' font-family="sans" +font-size="11"', ""),
    (r'<g id="gnuplot_canvas"', '<g id="gnuplot_canvas" font-family="sans" font-size="11"'),
    (r"<filter.*?</filter>", ""), (r"\s*\n\s*", "\n"), (r"[ \t]+'/>", "'/>"),
]
DOT = r"<use xlink:href='#gpPt6' transform='translate\((\S+),(\S+)\) scale\((\S+)\)' " \
      r"color='([^']*)'/>\n"


def in_hexadecimal(match):
    return "#" + "".join(f"{int(match.group(i)):02x}" for i in (1, 2, 3))


def as_one_path(match):
    """Filled circles are lines of no length with round ends."""
    dots = re.findall(DOT, match.group(0))
    places = "".join(f"M{x},{y}h0" for x, y, *_ in dots)
    return f"<path d='{places}' stroke='{dots[0][3]}' stroke-width='{2 * float(dots[0][2]):g}' " \
           "stroke-linecap='round'/>\n"


def shorten(path):
    """A figure that looks the same, in fewer bytes."""
    text = path.read_text(encoding="utf-8")
    for what, by in SAID_IN_VAIN:
        text = re.sub(what, by, text, flags=re.DOTALL)
    text = re.sub(r"rgb\( *(\d+), *(\d+), *(\d+)\)", in_hexadecimal, text)
    text = re.sub(f"({DOT})+", as_one_path, text)
    path.write_text(text, encoding="utf-8")


def draw_all(plots, folder):
    """Draws {name: (title, file, draw)}, where `draw` is a function of the file's path; gives what
    stands in the page for each: nothing where it cannot be drawn."""
    texts = dict.fromkeys(plots, "")
    if shutil.which("gnuplot"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, (title, file, draw) in plots.items():
            texts[name] = f"![{title}]({file})\n\n" if draw(folder / file) else ""
    return texts
