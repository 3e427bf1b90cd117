# SPDX-License-Identifier: MIT
"""Starts the command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from typing import Iterable, Iterator, List, Mapping, Optional, Sequence, Union

from .errors import CommandNotFound, error
from .process import Process
from .progress import Progress
from .run import Run
from .source import Input, Path, Source, read

Value = Union[str, int, float, "os.PathLike[str]"]
Option = Union[None, bool, Value, Sequence[Value]]

# The options whose values may contain commas: each value of a list is an argument of its own.
REPEATABLE = {"allow-address", "allow-format", "allow-port", "collection", "dns-server", "header", "resolve"}


def find_command() -> str:
    """Returns the path of the command: of `SLUICE`, of this package, of this environment, or of `PATH`."""
    chosen = os.environ.get("SLUICE")
    if chosen:
        return chosen
    own = [os.path.join(os.path.dirname(__file__), "bin"), sysconfig.get_path("scripts")]
    found = shutil.which("sluice", path=os.pathsep.join(own)) or shutil.which("sluice")
    if found is None:
        raise CommandNotFound("there is no command 'sluice': install the package sluice-photos", 127)
    return found


def version() -> str:
    """Returns the version of the command."""
    return _run(["--version"]).split()[1]


def mirror(
    source: Optional[Source] = None, out: Optional[Path] = None, *, sources: Union[None, Path, Iterable[Path]] = None,
    progress: bool = False, **options: Option,
) -> Run:
    """Downloads the photos of a source to the folder `out`, and makes their thumbnails.

    `source` is a SOURCE of the command; a list of photos: an iterable of `http` addresses or of records, or a table of
    pandas or Polars; or an iterable of several SOURCEs. `sources` is a file of SOURCEs or an iterable of them, which
    may be `http` addresses. Without both, the command repeats the last run of `out`. An iterable of photos is read in
    another thread while the run goes on.

    The options are those of `sluice mirror`: `pages=2` is `--pages 2`, `robots=False` is `--no-robots`, and a list
    sets several values. `progress` shows a bar if tqdm is installed.
    """
    given = Input([]) if source is None else read(source)
    if isinstance(sources, (str, os.PathLike)):
        options["sources"] = sources
    elif sources is not None:
        given.arguments = [*given.arguments, *sources]
    return _start("mirror", given, out, progress, options)


def thumbs(paths: Union[Path, Iterable[Path]], out: Path, *, progress: bool = False, **options: Option) -> Run:
    """Makes thumbnails of files and folders in the folder `out`; the options are those of `sluice thumbs`."""
    inputs = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    return _start("thumbs", Input(inputs), out, progress, options)


def export(directory: Path, out: Path, **options: Option) -> None:
    """Writes the photos of a mirror as a dataset; the options are those of `sluice export`."""
    output("export", directory, {"out": out, **options})


def output(name: str, directory: Path, options: Mapping[str, Option]) -> str:
    """Runs a command on a mirror, and returns what it prints."""
    return _run([name, *words(options), "--", os.fspath(directory)])


def words(options: Mapping[str, Option]) -> List[str]:
    """Returns the arguments of these options."""
    return [word for name, value in options.items() for word in _words_of(name.strip("_").replace("_", "-"), value)]


def _words_of(name: str, value: Option) -> Iterator[str]:
    if value is None:
        return
    if value is True:
        yield f"--{name}"
    elif value is False:
        yield f"--no-{name}"
    elif isinstance(value, (str, int, float, os.PathLike)):
        yield f"--{name}={_text(value)}"
    elif name in REPEATABLE:
        yield from (f"--{name}={_text(each)}" for each in value)
    else:
        yield f"--{name}={','.join(map(_text, value))}"


def _text(value: Value) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _start(name: str, given: Input, out: Optional[Path], progress: bool, options: Mapping[str, Option]) -> Run:
    arguments = [name, "--json", "--quiet", *words({"out": out, **options}), "--", *map(_text, given.arguments)]
    bar = Progress(_count(options.get("pages")), [given.photos, _count(options.get("max_items"))]) if progress else None
    return Run(Process([find_command(), *arguments], given.lines), bar)


def _count(value: Option) -> Optional[int]:
    return int(value) if isinstance(value, (int, str)) and str(value).isdecimal() else None


def _run(arguments: Sequence[str]) -> str:
    result = subprocess.run([find_command(), *arguments], capture_output=True, text=True, errors="replace")
    if result.returncode != 0:
        raise error(result.returncode, result.stderr)
    return result.stdout
