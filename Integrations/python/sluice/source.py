# SPDX-License-Identifier: MIT
"""Sources: what `mirror` downloads."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sized
from dataclasses import dataclass
from itertools import chain
from typing import Any, Iterable, Iterator, Mapping, Optional, Protocol, Sequence, Tuple, Union, runtime_checkable

Path = Union[str, "os.PathLike[str]"]
Record = Mapping[str, Any]

# The rows of a table that are converted at a time.
_ROWS = 10_000


@runtime_checkable
class DataFrame(Protocol):
    """A table of pandas or Polars."""

    @property
    def shape(self) -> Tuple[int, int]: ...
    @property
    def columns(self) -> Any: ...


Source = Union[Path, Iterable[Union[Path, Record]], DataFrame]


@dataclass
class Input:
    """The SOURCE arguments, the list on standard input if there is one, and its number of photos if it is known."""

    arguments: Sequence[Path]
    lines: Optional[Iterator[bytes]] = None
    photos: Optional[int] = None


def read(source: Source) -> Input:
    """Reads what `mirror` got as its source.

    A text or path is a SOURCE of the command. A table, and an iterable of records or of `http` addresses, is a list of
    photos. An iterable of other texts and paths is several sources.
    """
    if isinstance(source, (str, os.PathLike)):
        return Input([source])
    kind = type(source).__name__
    if isinstance(source, (bytes, Mapping)):
        raise TypeError(f"a source is a text, a path, a table, or an iterable of photos or sources, not {kind}")
    if isinstance(source, DataFrame):
        return Input(["-"], _table(source), source.shape[0])
    elements = iter(source)
    first = next(elements, None)
    every = elements if first is None else chain([first], elements)
    if first is None or isinstance(first, Mapping) or _is_address(first):
        return Input(["-"], map(_line, every), len(source) if isinstance(source, Sized) else None)
    return Input([_source(each) for each in every])


def _is_address(element: Union[Path, Record]) -> bool:
    return isinstance(element, str) and element.lower().startswith(("http://", "https://"))


def _source(element: Union[Path, Record]) -> Path:
    if isinstance(element, (str, os.PathLike)) and not _is_address(element):
        return element
    raise ValueError(f"cannot mix sources and photos: {element!r} is a photo; give feeds at addresses as sources=[...]")


def _line(element: Union[Path, Record]) -> bytes:
    if _is_address(element):
        element = {"url": element}
    if not isinstance(element, Mapping):
        raise ValueError(f"cannot mix photos and sources: {element!r} is no http address; give sources as sources=[...]")
    facts = {name: value for name, value in element.items() if not isinstance(value, float) or math.isfinite(value)}
    return json.dumps(facts, default=_plain, allow_nan=False).encode() + b"\n"


def _plain(value: Any) -> Any:
    """Returns a number of NumPy as Python's, a date as ISO 8601 has it, and any other object as a text."""
    for name in ("tolist", "isoformat"):
        if hasattr(value, name):
            return getattr(value, name)()
    return str(value)


def _table(table: Any) -> Iterator[bytes]:
    for start in range(0, table.shape[0], _ROWS):
        if hasattr(table, "write_ndjson"):
            text: str = table.slice(start, _ROWS).write_ndjson()
        else:
            rows = table.iloc[start : start + _ROWS]
            text = rows.to_json(orient="records", lines=True, date_format="iso", double_precision=15)
        yield text.rstrip("\n").encode() + b"\n"
