# SPDX-License-Identifier: MIT
"""Imports packages that only this entry needs."""

from __future__ import annotations

import importlib
from typing import Any


def package(name: str, need: str, extra: str = "img2dataset") -> Any:
    """Imports a package, or says what it is needed for and how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        message = f"{need} needs the package {name.split('.')[0]}: pip install 'sluice_photos[{extra}]'"
        raise ModuleNotFoundError(message) from error
