"""The lines at the end of a test run that tell CI which tests have run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pytest

Reports: TypeAlias = Mapping[str, Sequence[pytest.TestReport]]


def reports_of(terminalreporter: Any, wanted: Callable[[pytest.TestReport], bool]) -> Reports:
    """The reports of the ``wanted`` tests, by kind."""
    return {
        kind: [
            report
            for report in terminalreporter.stats.get(kind, [])
            if isinstance(report, pytest.TestReport) and wanted(report)
        ]
        for kind in ("passed", "failed", "error", "skipped")
    }


def write_counts(terminalreporter: Any, name: str, reports: Reports) -> None:
    """Write a line with the number of reports of each kind, if there are any reports; errors count as failures."""
    if any(reports.values()):
        failed = len(reports["failed"]) + len(reports["error"])
        line = f"{name}: {len(reports['passed'])} passed, {failed} failed, {len(reports['skipped'])} skipped"
        terminalreporter.write_line(line)
