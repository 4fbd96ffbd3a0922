"""Bytes as people read them."""

from __future__ import annotations

import re

UNITS = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20))


def amount(count: float) -> str:
    """`2.29 GiB`; below one MiB the bytes."""
    for unit, size in UNITS:
        if count >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count:g} {'byte' if count == 1 else 'bytes'}"


def in_units(sentence: str) -> str:
    """The bytes of one of shardproof's sentences; where so many more are needed or enough, the number itself stays too."""
    told = re.sub(
        r"(?<![\w.#])(\d{7,}) bytes( more)?",
        lambda found: amount(int(found[1])) + (f" ({found[1]} bytes) more" if found[2] else ""),
        sentence,
    )
    return re.sub(r"\b(has|have) (\d{7,})\b", lambda found: f"{found[1]} {amount(int(found[2]))}", told)
