#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What recording costs: nanoseconds that it adds to an MPI call, as the median difference of runs with
and without it in turn; and memory and file of a long recording.

usage: pmpi.py RUNCAST [CALLS]"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 7
MOST = 200  # ns a call
MEMORY = 64  # MiB
LONG = 10**8  # calls
HERE = pathlib.Path(__file__).resolve().parent


def run(words):
    answer = subprocess.run(words, stdout=subprocess.PIPE, timeout=600, check=True)
    return float(answer.stdout.split()[0])


def measure_memory(words, work):
    """The peak of the largest process, which is the program: what it has itself is in it, too."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
    size = (pathlib.Path(work) / 'T' / 'rank-0.rct').stat().st_size
    peak = usage.ru_maxrss / 1024
    print(f'{LONG} calls: {size} bytes of file, {peak:.1f} MiB with the program (at most {MEMORY})')
    return status == 0 and peak < MEMORY


def main():
    runcast = str(pathlib.Path(sys.argv[1]).resolve())
    calls = sys.argv[2] if len(sys.argv) > 2 else '3000000'
    ok = True
    with tempfile.TemporaryDirectory() as work:
        for mpi in ('openmpi', 'mpich'):
            compiler = shutil.which('mpicc.' + mpi)
            if not compiler:
                continue
            program = f'{work}/{mpi}'
            subprocess.run([compiler, '-O2', '-Wno-stringop-overflow', str(HERE / 'pmpi_calls.c'),
                            '-o', program], check=True)
            for kind in ('nothing', 'probe', 'exchange'):
                trace = [runcast, 'trace', 'record', '-f', '-q', '-o', f'{work}/T', '--']
                bare, more = [], []
                for _ in range(ROUNDS):
                    bare.append(run([program, kind, calls]))
                    more.append(run(trace + [program, kind, calls]))
                cost = statistics.median(m - b for m, b in zip(more, bare))
                ok &= cost < MOST
                print(f'{mpi:8} {kind:9} {statistics.median(bare):7.1f} ns a call, recorded '
                      f'{cost:+6.1f} ns (at most {MOST})', flush=True)
        ok &= measure_memory(trace + [program, 'nothing', str(LONG)], work)
    sys.exit(not ok)


main()
