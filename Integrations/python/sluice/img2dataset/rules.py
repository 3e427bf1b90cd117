# SPDX-License-Identifier: MIT
"""Decides which photos a dataset leaves out, and why."""

from __future__ import annotations

import http.client
import math
import re
from dataclasses import dataclass
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Tuple

from ..manifest import Row
from .choices import refusal

DIRECTIVES = ["noai", "noimageai", "noindex", "noimageindex"]
# The directives for which the command does not download a photo.
_OBEYED = {"noai", "noimageai", "noimageindex"}
_DISALLOWED = "Use of image disallowed by X-Robots-Tag directive"
# The causes that concern a received file, and not its transfer.
_OF_CONTENT = {
    "not-an-image", "corrupt", "unsupported", "too-many-pixels", "too-many-scans", "bad-chunk", "decode-limit",
    "decoder-crashed", "quarantined",
}


class Left(Exception):
    """Why a photo is left out, in the words of img2dataset where it has some."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Rules:
    """The sizes and statements with which photos are left out."""

    min_size: int
    max_area: float
    max_ratio: float
    directives: FrozenSet[str]
    respects_others: bool
    agent: Optional[str]

    @staticmethod
    def of(
        min_image_size: int, max_image_area: float, max_aspect_ratio: float, directives: Optional[Sequence[str]],
        user_agent_token: Optional[str],
    ) -> Rules:
        """Checks the arguments. Without directives, no statement counts."""
        token = user_agent_token.strip() if user_agent_token else None
        if token is not None and not re.fullmatch(r"[\w.-]+", token, re.ASCII):
            raise refusal("user_agent_token", user_agent_token, "it can have only letters, digits and . _ -")
        chosen = DIRECTIVES if directives is None else directives
        words = frozenset(word.strip().lower() for word in chosen)
        return Rules(min_image_size, max_image_area, max_aspect_ratio, words, bool(words), token)

    def options(self, thumbnail_pixels: int) -> Dict[str, Any]:
        """The options of the command, which loads and decodes few of the photos that these rules leave out."""
        # The exact limits are checked later. That on pixels concerns thumbnails, too.
        ratio = self.max_ratio * (1 + 1e-9)
        pixels = max(thumbnail_pixels, math.floor(self.max_area)) if math.isfinite(self.max_area) else None
        return {
            "max_pixels": pixels,
            "min_size": f"{self.min_size}x{self.min_size}" if self.min_size > 0 else None,
            "aspect": f"{1 / ratio:.12f}..{ratio:.12f}" if math.isfinite(ratio) else None,
            "ignore_opt_out": None if self.directives >= _OBEYED else True,
            "user_agent": f"{self.agent}/1.0 (Sluice)" if self.agent else None,
        }

    def check(self, row: Row) -> None:
        """Raises `Left` unless the photo arrived and belongs to the dataset."""
        cause, detail = row.get("cause", ""), row.get("detail", "")
        measured = re.match(r"(\d+)x(\d+) ", detail) if cause == "policy" else None
        if measured:
            self._check_size(int(measured[1]), int(measured[2]))
        if row.get("state") != "done":
            raise _failure(row)
        if self.directives:
            self._check_usage(row.get("usage", ""))
        if "width" in row and "height" in row:
            self._check_size(row["width"], row["height"])

    def _check_size(self, width: int, height: int) -> None:
        if min(width, height) < self.min_size:
            raise Left("failed_to_resize", "image too small")
        if width * height > self.max_area:
            raise Left("failed_to_resize", "image area too large")
        if max(width, height) / min(width, height) > self.max_ratio:
            raise Left("failed_to_resize", "aspect ratio too large")

    def _check_usage(self, usage: str) -> None:
        statements = _statements(usage)
        for name, value in statements:
            if name == "x-robots-tag" and self._is_disallowed(value):
                raise Left("failed_to_download", _DISALLOWED)
        if _reserves_training(statements):
            raise Left("failed_to_download", f"opted-out: {usage}")

    def _is_disallowed(self, value: str) -> bool:
        agent, colon, words = value.rpartition(":")
        if colon and agent.strip().lower() not in ("*", (self.agent or "sluice").lower()):
            return False
        return any(word.strip().lower() in self.directives for word in words.split(","))


def failed(row: Row) -> Left:
    """Returns why an original has no picture for the dataset."""
    return _failure(row)


def _failure(row: Row) -> Left:
    cause, detail, status = row.get("cause", "disk"), row.get("detail", ""), row.get("status", 0)
    # Rules of `robots.txt` need no reply.
    if cause == "opted-out" and status:
        return Left("failed_to_download", _DISALLOWED)
    if cause.startswith("http-") and status in http.client.responses:
        return Left("failed_to_download", f"HTTP Error {status}: {http.client.responses[status]}")
    return Left("failed_to_resize" if cause in _OF_CONTENT else "failed_to_download", f"{cause}: {detail}".rstrip(": "))


def _statements(usage: str) -> List[Tuple[str, str]]:
    pairs = [part.partition(":") for part in usage.split(";")]
    return [(name.strip(), value.strip()) for name, colon, value in pairs if colon]


def _reserves_training(statements: List[Tuple[str, str]]) -> bool:
    """Whether a host or a file reserves the photo from the training of models, by the rules of `sluice export`.

    The directives of `X-Robots-Tag` are not considered, because the caller chooses them.
    """
    has_header = any(name == "tdm-reservation" and value in ("0", "1") for name, value in statements)
    for name, value in statements:
        words = re.split(r"[, \t:]+", value.lower())
        uses = [word.rpartition("=") for word in words]
        if (
            name == "page robots"
            or (name == "tdm-reservation" and value == "1")
            or (name == "tdmrep.json tdm-reservation" and value == "1" and not has_header)
            or (name.endswith("content-usage") and {"train-ai=n", "ai=n", "tdm=n", "all=n"}.intersection(words))
            or (name == "robots.txt content-signal" and "ai-train=no" in words)
            or (name == "iptc data-mining" and value.startswith("DMI-PROHIBITED"))
            or (name in ("c2pa.training-mining", "cawg.training-mining") and any(map(_is_refused, uses)))
        ):
            return True
    return False


def _is_refused(use: Tuple[str, str, str]) -> bool:
    name, _, answer = use
    kinds = ("data_mining", "ai_training", "ai_generative_training")
    return answer in ("notallowed", "constrained") and name.split(".")[-1] in kinds
