# SPDX-License-Identifier: MIT
"""An entry with the arguments of img2dataset, for programs that call it."""

from .entry import download

__all__ = ["download"]
