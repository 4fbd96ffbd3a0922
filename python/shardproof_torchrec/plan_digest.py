"""The digest of a plan file, as shardproof writes and checks it: SHA-256 of one text per value."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Any, Mapping


def plan_digest(plan_file: Mapping[str, Any]) -> str:
    """Of the canonical JSON without `timing` and `digest`. Raises `ValueError` for what JSON does not have."""
    rest = {key: value for key, value in plan_file.items() if key not in ("timing", "digest")}
    return hashlib.sha256(_canonical(rest).encode()).hexdigest()


def _canonical(value: Any) -> str:
    if isinstance(value, dict):
        # By UTF-16 code units, as JavaScript sorts.
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{_canonical(key)}:{_canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(float(value))
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """As JavaScript writes a double: the digits are those of Python, the exponents are not."""
    if value == 0:
        return "0"
    sign, parts, exponent = Decimal(repr(value)).normalize().as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"JSON has no {value}")
    digits = "".join(map(str, parts))
    point = len(digits) + exponent
    if not -6 < point <= 21:
        power = f"{'+' if point > 0 else '-'}{abs(point - 1)}"
        text = digits[0] + (f".{digits[1:]}" if digits[1:] else "") + f"e{power}"
    elif point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        whole, rest = digits[:point].ljust(point, "0"), digits[point:]
        text = whole + (f".{rest}" if rest else "")
    return ("-" if sign else "") + text
