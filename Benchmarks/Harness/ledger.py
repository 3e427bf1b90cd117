# SPDX-License-Identifier: MIT
"""Changes ledgers, whose pages have checksums that SQLite alone does not write."""

import contextlib
import pathlib
import sqlite3
from typing import Iterator


@contextlib.contextmanager
def changing(mirror: pathlib.Path) -> Iterator[sqlite3.Connection]:
    """Opens the ledger of a mirror for writing, after replacing it with a copy without checksums."""
    path = mirror / ".sluice/ledger.sqlite"
    with path.open("rb") as file:
        has_checksums = file.read(21)[20] != 0
    if has_checksums:
        plain = path.with_suffix(".plain")
        with sqlite3.connect(path) as old, sqlite3.connect(plain) as new:
            new.executescript("\n".join(old.iterdump()))
            for name in ("application_id", "user_version"):
                new.execute(f"PRAGMA {name} = {old.execute(f'PRAGMA {name}').fetchone()[0]}")
        old.close()
        new.close()
        plain.replace(path)
    with sqlite3.connect(path) as ledger:
        yield ledger
