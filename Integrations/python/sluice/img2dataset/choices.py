# SPDX-License-Identifier: MIT
"""Checks the values of arguments."""

from __future__ import annotations

from typing import Iterable, Mapping, TypeVar

Value = TypeVar("Value")


def choose(name: str, value: object, choices: Mapping[str, Value]) -> Value:
    """Returns what a value stands for, or refuses it."""
    if isinstance(value, str) and value in choices:
        return choices[value]
    raise refusal(name, value, f"Sluice supports {', '.join(sorted(choices))}")


def check(name: str, value: object, choices: Iterable[str]) -> None:
    """Refuses other values."""
    choose(name, value, dict.fromkeys(choices))


def refusal(name: str, value: object, reason: str) -> ValueError:
    """Returns the error for a value that Sluice does not accept."""
    return ValueError(f"{name} is {value!r}, but {reason}")
