# SPDX-License-Identifier: MIT
"""The virtual environment with the Python peers, which the harness itself uses, too."""

import os
import pathlib
import subprocess
import sys

# A newer libvips than Debian's, which vipsthumbnail uses. pyvips finds it only if it is installed later.
PACKAGES = [["pillow", "pillow-heif", "numpy", "pyvips", "opencv-python-headless"], ["pyvips-binary"]]

ROOT = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / "sluice-bench"


def python(root: pathlib.Path) -> pathlib.Path:
    """Returns a Python interpreter with the peers installed, created at the first call."""
    binary, installed = root / "python/bin/python", root / "python/packages"
    wanted = "\n".join(" ".join(lot) for lot in PACKAGES)
    if not binary.exists():
        subprocess.run([sys.executable, "-m", "venv", root / "python"], check=True)
    if not installed.exists() or installed.read_text() != wanted:
        for lot in PACKAGES:
            subprocess.run([binary, "-m", "pip", "install", "--quiet", *lot], check=True)
        installed.write_text(wanted)
    return binary


def enter(root: pathlib.Path) -> pathlib.Path:
    """Restarts the program in the environment, unless it runs there already, and returns the interpreter."""
    root.mkdir(parents=True, exist_ok=True)
    binary = python(root)
    if pathlib.Path(sys.prefix).resolve() != (root / "python").resolve():
        os.execv(binary, [str(binary), *sys.argv])
    return binary
