# SPDX-License-Identifier: MIT
"""Runs the shards of a Sluice plan on Apache Spark."""
