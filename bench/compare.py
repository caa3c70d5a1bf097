"""Instructions that two builds take for the same work, counted by callgrind: independent of other load.

usage: compare.py OLD_BUILD NEW_BUILD

Both are directories with runcast and bench-trace, built with `make build` and `ninja bench`."""
import importlib
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

make_table = importlib.import_module("import").make_table

MODEL = "app,n,p,seconds,cpu_minavg,cpu_avgmin\n"


def write_inputs():
    draw = random.Random(1)
    make_table("runs.csv", 20000)
    with open("cg.csv", "w") as out:
        out.write(MODEL)
        for _ in range(60):
            n, p, cpu = draw.randint(500, 5000), 2 ** draw.randint(0, 4), draw.uniform(0.3, 1)
            out.write(f"cg,{n},{p},{1e-7 * n ** 2 / p / cpu * draw.lognormvariate(0, 0.05):.5f},{cpu},{cpu}\n")
    with open("cpu.csv", "w") as out:
        out.write("t,value\n")
        value = 0.8
        for i in range(20000):
            value = min(1, max(0, value + draw.gauss(0, 0.02)))
            out.write(f"{1700000000 + 10 * i},{value:.4f}\n")


WORK = (
    ("import of 20,000 runs", ["runcast", "import", "runs.csv"]),
    ("import of 60 runs", ["runcast", "import", "cg.csv"]),
    ("fit", ["runcast", "fit", "--app", "cg"]),
    ("predict", ["runcast", "predict", "--app", "cg", "--size", "3000", "--procs", "8", "--cpu", "0.7",
                 "--seed", "1", "--no-store"]),
    ("import of a series", ["runcast", "series", "import", "cpu.csv", "--host", "a1", "--metric", "cpu"]),
    ("forecast of 20,000 samples", ["runcast", "forecast", "--host", "a1", "--metric", "cpu",
                                    "--horizon", "10min", "--at", "2023-11-17"]),
    ("recording 7 x 200,000 calls", ["bench-trace", "2e5"]),
)


def count(build, words, db):
    """Instructions of a command and of all processes that it starts."""
    command = ["valgrind", "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/dev/null",
               str(build / words[0]), *words[1:]]
    result = subprocess.run(command, text=True, capture_output=True, env={**os.environ, "RUNCAST_DB": db})
    if result.returncode:
        sys.exit(f"compare: {' '.join(command)} failed:\n{result.stderr}")
    return sum(int(number) for number in re.findall(r"Collected : (\d+)", result.stderr))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    old, new = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        write_inputs()
        print(f"{'millions of instructions':<30} {'old':>10} {'new':>10}   ratio")
        for what, words in WORK:
            before, after = count(old, words, "old.db"), count(new, words, "new.db")
            print(f"{what:<30} {before / 1e6:10.1f} {after / 1e6:10.1f}   {after / before:.3f}",
                  flush=True)


main()
