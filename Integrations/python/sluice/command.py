# SPDX-License-Identifier: MIT
"""Starts the command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from typing import Iterable, Iterator, List, Mapping, Sequence, Union

from .errors import CommandNotFound, error
from .run import Run

Path = Union[str, "os.PathLike[str]"]
Value = Union[str, int, float, "os.PathLike[str]"]
Option = Union[None, bool, Value, Sequence[Value]]


def find_command() -> str:
    """Returns the path of the command: of `SLUICE`, of this environment, or of `PATH`."""
    chosen = os.environ.get("SLUICE")
    if chosen:
        return chosen
    own = os.path.join(sysconfig.get_path("scripts"), "sluice")
    found = own if os.access(own, os.X_OK) else shutil.which("sluice")
    if found is None:
        raise CommandNotFound("there is no command 'sluice': install the package sluice-photos", 127)
    return found


def version() -> str:
    """Returns the version of the command."""
    return _output(["--version"]).split()[1]


def mirror(source: Path, out: Path, *, progress: bool = False, **options: Option) -> Run:
    """Downloads the photos of a source to the folder `out`, and makes their thumbnails.

    The options are those of `sluice mirror`: `pages=2` is `--pages 2`, `robots=False` is `--no-robots`, and a list
    repeats its option. `progress` shows a bar if tqdm is installed.
    """
    return Run([find_command(), "mirror", *words(options, out), "--", os.fspath(source)], progress=progress)


def thumbs(paths: Union[Path, Iterable[Path]], out: Path, *, progress: bool = False, **options: Option) -> Run:
    """Makes thumbnails of files and folders in the folder `out`; the options are those of `sluice thumbs`."""
    inputs = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    arguments = [os.fspath(path) for path in inputs]
    return Run([find_command(), "thumbs", *words(options, out), "--", *arguments], progress=progress)


def export(directory: Path, out: Path, **options: Option) -> None:
    """Writes the photos of a mirror as a dataset; the options are those of `sluice export`."""
    _output(["export", *words(options, out, has_events=False), "--", os.fspath(directory)])


def words(options: Mapping[str, Option], out: Path, has_events: bool = True) -> List[str]:
    """Returns the arguments of these options."""
    common = ["--json", "--quiet"] if has_events else []
    chosen = [word for name, value in options.items() for word in _words_of(name.strip("_").replace("_", "-"), value)]
    return [*common, f"--out={os.fspath(out)}", *chosen]


def _words_of(name: str, value: Option) -> Iterator[str]:
    if value is None:
        return
    if value is True:
        yield f"--{name}"
    elif value is False:
        yield f"--no-{name}"
    elif isinstance(value, (str, int, float, os.PathLike)):
        yield f"--{name}={os.fspath(value) if isinstance(value, os.PathLike) else value}"
    else:
        for each in value:
            yield from _words_of(name, each)


def _output(arguments: Sequence[str]) -> str:
    result = subprocess.run([find_command(), *arguments], capture_output=True, text=True, errors="replace")
    if result.returncode != 0:
        raise error(result.returncode, result.stderr)
    return result.stdout
