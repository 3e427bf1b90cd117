# SPDX-License-Identifier: MIT
"""A plugin of pytest: the module `img2dataset` is the entry of Sluice."""

from __future__ import annotations

import sys
import types
from functools import partial
from typing import Dict

from fixtures import server

import sluice

options: Dict[str, sluice.Option] = {"allow_address": "127.0.0.1", "allow_port": server.server_port, "config": "none"}
module = types.ModuleType("img2dataset")
setattr(module, "download", partial(sluice.img2dataset.download, sluice_options=options))
sys.modules["img2dataset"] = module
