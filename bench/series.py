"""Ten million samples: a window of one series, and what it costs as the store grows.

usage: series.py PROGRAM [SAMPLES]"""
import os
import sqlite3
import subprocess
import sys
import tempfile

from common import interleave, line, run

SERIES = 64


def fill(path, samples):
    """Samples straight into the tables: importing them all would take minutes."""
    db = sqlite3.connect(path)
    each = samples // SERIES
    for series in range(1, SERIES + 1):
        db.execute("INSERT INTO series VALUES (?, ?, '', 'cpu', ?)", (series + 1, f"h{series}", each))
        db.execute(
            "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i + 1 < ?) "
            "INSERT INTO sample SELECT ?, 1.7e9 + i * 10, (i * 7919 % 1000) / 1000.0 FROM c",
            (each, series + 1))
    db.commit()
    db.close()


def main():
    program = os.path.abspath(sys.argv[1])
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 10000000
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        stores = []
        for share in (100, 10, 1):
            store = f"store{share}.db"
            subprocess.run([program, "series", "import", "-", "--host", "first", "--metric", "cpu",
                            "--db", store], input=b"t,value\n0,1\n", check=True,
                           stdout=subprocess.DEVNULL)
            fill(store, samples // share)
            stores.append((samples // share, store))

        def window(store):
            return lambda: run([program, "series", "export", "--host", "h32", "--metric", "cpu",
                                "--since", "1700010000", "--until", "1700013600", "--db", store])

        print("An hour (361 samples) of one of 64 series (medians of 9, in turn)")
        results = interleave(9, *(window(store) for _, store in stores))
        for (count, _), result in zip(stores, results):
            line(f"in a store of {count} samples", result, results[0])


main()
