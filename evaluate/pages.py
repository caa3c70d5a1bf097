# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pages of evaluations are made of."""
import statistics


def mean(numbers):
    numbers = [each for each in numbers if each is not None]
    return statistics.fmean(numbers) if numbers else None


def show(number, digits=1):
    return "" if number is None else f"{number:.{digits}f}"


def table(head, rows):
    """In markdown; all columns but the first are numbers."""
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"
