# SPDX-License-Identifier: MIT
"""The HTML of runs and mirrors in notebooks."""

from __future__ import annotations

import base64
import os
from html import escape
from itertools import islice
from typing import Any, Iterable, Mapping, Optional, cast

from .events import Summary

_PHOTOS = 24
_STYLE = "display:inline-block;width:128px;margin:4px;font-size:11px;vertical-align:top;overflow:hidden"


def totals(summary: Optional[Summary]) -> str:
    """Returns the totals of a run."""
    if summary is None:
        return "<p>no totals yet</p>"
    counts = {"done": summary.done, "kept": summary.kept, "skipped": summary.skipped, "failed": summary.failed}
    text = ", ".join(f"{count} {word}" for word, count in counts.items() if count > 0) or "no photos"
    causes = ", ".join(f"{count} {cause}" for cause, count in summary.causes.items())
    return f"<p>{escape(text)}{escape(f' ({causes})' if causes else '')}, in {summary.duration:.1f} s</p>"


def photos(folder: str, rows: Iterable[Mapping[str, object]]) -> str:
    """Returns the first photos. Their thumbnails are inside the page, so that it shows them on any machine."""
    return "".join(_photo(folder, cast(Mapping[str, Any], row)) for row in islice(rows, _PHOTOS))


def _photo(folder: str, row: Mapping[str, Any]) -> str:
    name = escape(str(row.get("caption") or row.get("id")))
    thumbs = row.get("thumbs")
    address = _address(folder, thumbs[0]) if thumbs else None
    cause = "" if address else f"<br>{escape(str(row.get('cause', row.get('state'))))}"
    picture = f'<img src="{address}" alt="{name}" style="max-width:128px;max-height:128px">' if address else ""
    return f'<span style="{_STYLE}" title="{name}">{picture}<br>{name}{cause}</span>'


def _address(folder: str, thumb: Mapping[str, Any]) -> Optional[str]:
    root = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(root, thumb["file"]))
    # A downloaded mirror must not bring other files of this machine into the notebook.
    if os.path.commonpath([root, path]) != root or not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return f"data:image/{escape(thumb['format'])};base64,{base64.b64encode(file.read()).decode()}"
