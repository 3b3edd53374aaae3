"""Settings for all tests."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from harness.memory import memory_folder
from tests.summaries import reports_of, write_counts

# Choose a profile with `pytest --hypothesis-profile=NAME`. "ci" is derandomized, so CI cannot fail by chance.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=50)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=5_000)


# A shell starts background jobs with SIGINT ignored, and child processes inherit that. Some tests rely on SIGINT.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


os.environ["CAIRN_LANG"] = "en"  # the tests expect English, whatever the language of the machine


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile"):
        hypothesis.settings.load_profile("ci")
    # The tests commit thousands of times. On a disk, they would spend a fifth of their time waiting for it.
    if "TMPDIR" not in os.environ and (folder := memory_folder()):
        os.environ["TMPDIR"] = str(folder)
        tempfile.tempdir = None  # forget the cached folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the slow tests first, so that no worker is still running one after all others have finished."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the counts that CI reads to check that the short versions of the long-running tests have run."""
    write_counts(terminalreporter, "proof", reports_of(terminalreporter, lambda report: "proof" in report.keywords))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Disable garbage collection while tests are collected, then freeze all objects, since they live until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return Path(__file__).parents[1]
