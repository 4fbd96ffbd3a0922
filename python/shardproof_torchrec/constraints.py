"""Constraints of all tables at once, with a table's own on top."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, Dict, Iterable, Mapping, Optional


def filled(tables: Iterable[str], own: Mapping[str, Any], default: Optional[Any]) -> Dict[str, Any]:
    """The constraints of every table, of TorchRec's `ParameterConstraints`: its own, and `default` for whatever these leave
    as TorchRec has it. `tables` that have none of their own get the default; without one, `own` is what comes back."""
    if default is None:
        return dict(own)
    return {name: _on_top(own.get(name), default) for name in dict.fromkeys([*own, *tables])}


def _on_top(own: Optional[Any], default: Any) -> Any:
    shared = copy.deepcopy(default)
    if own is None:
        return shared
    unsaid = type(own)()
    fields = [field.name for field in dataclasses.fields(own)]
    left = [name for name in fields if getattr(own, name) == getattr(unsaid, name) and hasattr(shared, name)]
    return dataclasses.replace(own, **{name: getattr(shared, name) for name in left})
