# SPDX-License-Identifier: MIT
"""Runs Sluice on recorded replies and documents."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import parse_qsl, urlsplit

from replies import Json, at, many


@dataclass
class Reading:
    """What Sluice makes of a reply or a document."""

    source: str
    photos: int = 0
    invalid: int = 0
    records: int = 0
    next: str | None = None
    facts: dict[str, int] = field(default_factory=dict)
    urls: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    error: str = ""


class Sluice:
    """The command under test."""

    def __init__(self, command: pathlib.Path) -> None:
        self.command = command

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.command, *arguments], capture_output=True, text=True, errors="replace", timeout=120)

    @cache
    def recipes(self) -> list[str]:
        """Returns the names of the services, without those that have no replies."""
        lines = self.run("feeds", "--json").stdout.splitlines()
        return [name for name in (json.loads(line)["name"] for line in lines) if name not in ("demo", "catalog")]

    @cache
    def recipe(self, name: str) -> Json:
        return json.loads(self.run("feeds", "show", name, "--json").stdout)

    def listings(self, name: str, request: str | None) -> list[str]:
        """Returns the listings of a service that may have made a request; all of them if it is not known."""
        recipe = self.recipe(name)
        known = recipe["listings"]
        if not request:
            return list(known)
        # Parameters that all listings set distinguish them; a recording may lack the others.
        names = set.intersection(*(set(rule.get("parameters", {})) for rule in known.values()))
        return [listing for listing, rule in known.items() if matches(request, recipe, rule, names)]

    def check(self, name: str, listing: str, file: pathlib.Path) -> Reading:
        """Reads a saved reply with a listing of a recipe."""
        recipe = self.recipe(name)
        site = "photos.example/" if "{site}" in recipe["base"] else ""
        result = self.run("feeds", "check", f"{name}:{site}{listing}{argument(recipe, listing)}", "--reply", str(file),
                          "--json")
        reading = Reading(f"{name}:{listing}")
        if not result.stdout.strip():
            reading.error = result.stderr.strip().removeprefix("sluice: ")
            return reading
        found = json.loads(result.stdout)
        reading.photos, reading.invalid, reading.records = found["photos"], found["invalid"], found["records"]
        reading.facts, reading.notes = found["facts"], found["notes"]
        reading.next, reading.urls, reading.ids = found.get("next"), found["urls"], found["ids"]
        return reading

    def mirror(self, address: str, *options: str) -> Reading:
        """Reads a feed or a IIIF document in a dry run."""
        result = self.run("mirror", address, "--dry-run", "--no-robots", "--retries", "0", *options)
        reading = Reading("mirror")
        for line in result.stdout.splitlines():
            photo = json.loads(line)
            reading.ids.append(photo["id"])
            if photo["state"] == "failed":
                reading.invalid += 1
                reading.notes.append(photo.get("detail", photo["cause"]))
            else:
                reading.photos += 1
                reading.urls.append(photo["url"])
        messages = [line for line in result.stderr.splitlines() if not line.startswith("dry run: ")]
        reading.error = "; ".join(line for line in messages if line.startswith("sluice: ")).replace("sluice: ", "")
        reading.notes += [line for line in messages if not line.startswith("sluice: ")]
        return reading


def argument(recipe: Json, listing: str) -> str:
    """Returns an argument for a listing that needs one."""
    return "/x" if "{argument" in json.dumps(recipe["listings"][listing]) else ""


def matches(request: str, recipe: Json, rule: Json, names: set[str]) -> bool:
    """Whether a listing makes requests such as this one: the same path, and the same constants of these names."""
    address = urlsplit(request)
    base = urlsplit(recipe["base"]).path.rstrip("/")
    pattern = re.escape(rule.get("path", "")).rstrip("/").replace(r"\{argument:path\}", ".+")
    pattern = pattern.replace(r"\{argument\}", "[^/]+").replace(r"\{page\}", r"\d+")
    details = [at(rule, "paging.detail"), at(recipe, "paging.detail")]
    patterns = [pattern, *(re.escape(text).replace(r"\{id:url\}", "[^/]+") for text in details if text)]
    if not any(re.fullmatch(f"({re.escape(base)})?{one}", address.path.rstrip("/")) for one in patterns):
        return False
    stated = dict(parse_qsl(address.query, keep_blank_values=True))
    constants = {name: rule["parameters"][name] for name in names if "{argument" not in rule["parameters"][name]}
    return all(stated.get(name, value) == value for name, value in constants.items())


def has_error(reply: Json, status: int) -> str | None:
    """Returns the message of a reply that reports an error; None if it reports none."""
    if status < 400 and not (isinstance(reply, dict) and ({"error", "errors"} & reply.keys()
                                                          or reply.get("stat") == "fail")):
        return None
    if isinstance(reply, str):
        return reply
    places = ("errors.0", "error.info", "error.message", "error", "message", "detail", "reason", "description")
    texts = [at(reply, place) for place in places]
    return next((text for text in texts if isinstance(text, str) and text), "" if not many(reply) else str(reply)[:60])
