"""A million runs: importing them, and listing them, beside the sqlite3 shell.

usage: import.py PROGRAM [ROWS]

The shell imports the same file into one table with an index on app and platform, as the store
has, in the same journal mode, and with SQLite's usual one as well."""
import os
import pathlib
import random
import sys
import tempfile

from common import interleave, line, run

COLUMNS = ("app TEXT, platform TEXT, n REAL, p INTEGER, seconds REAL, start REAL, hosts TEXT, "
           "memory REAL, cpu_minavg REAL, cpu_avgmin REAL, bw_minavg REAL, bw_avgmin REAL, "
           "status TEXT, iterations REAL")


def make_table(path, rows):
    draw = random.Random(1)
    apps = [f"app{i}" for i in range(10)]
    with open(path, "w") as out:
        out.write(",".join(c.split()[0] for c in COLUMNS.split(", ")) + "\n")
        for i in range(rows):
            out.write(f"{draw.choice(apps)},plat{draw.randint(1, 4)},{draw.randint(100, 10000)},"
                      f"{2 ** draw.randint(0, 7)},{draw.uniform(1, 1000):.4f},{1700000000 + 17 * i},"
                      f"a[{draw.randint(1, 30):03}-{draw.randint(31, 64):03}],"
                      f"{draw.randint(10 ** 6, 10 ** 9)},{draw.random():.4f},{draw.random():.4f},"
                      f"{draw.uniform(1e6, 1e8):.1f},{draw.uniform(1e6, 1e8):.1f},ok,"
                      f"{draw.randint(10, 1000)}\n")


def main():
    program = os.path.abspath(sys.argv[1])
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        make_table("runs.csv", rows)
        for mode in ("wal", "delete"):
            pathlib.Path(f"{mode}.sql").write_text(
                f"PRAGMA journal_mode = {mode};\nCREATE TABLE runs ({COLUMNS});\n"
                "CREATE INDEX by_app ON runs (app, platform);\n.import --csv --skip 1 runs.csv runs\n")

        def fresh(*files):
            for file in files:
                for end in ("", "-wal", "-shm"):
                    pathlib.Path(file + end).unlink(missing_ok=True)

        def shell(mode):
            def step():
                fresh(f"{mode}.db")
                return run(["sqlite3", f"{mode}.db"], stdin=f"{mode}.sql")
            return step

        def ours():
            fresh("store.db")
            return run([program, "import", "runs.csv", "--db", "store.db"])

        print(f"Importing {rows} runs (medians of 3, in turn; our bar: at most 2 times the shell's "
              "time, under 64 MiB)")
        wal, delete, mine = interleave(3, shell("wal"), shell("delete"), ours)
        line("sqlite3 .import, journal mode WAL", wal)
        line("sqlite3 .import, journal mode DELETE", delete)
        line("runcast import", mine, wal)

        query = "SELECT id, app, platform, n, p, seconds, start, status FROM runs"
        for title, option, where in (("of one app of ten", ["--app", "app3"], " WHERE app = 'app3'"),
                                     ("all", [], "")):
            print(f"Listing runs: {title} (medians of 5, in turn; our bar: at most 1.5 times)")
            theirs, mine = interleave(
                5, lambda: run(["sqlite3", "store.db", query + where]),
                lambda: run([program, "runs", "list", *option, "--db", "store.db"]))
            line("sqlite3 printing the same rows", theirs)
            line("runcast runs list", mine, theirs)


if __name__ == "__main__":
    main()
