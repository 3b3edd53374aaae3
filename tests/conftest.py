"""Settings for all tests."""

from __future__ import annotations

import signal
from pathlib import Path

import hypothesis
import pytest

# `pytest --hypothesis-profile=NAME` chooses one. Continuous integration must not fail on one run and pass on the next.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=50)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=5_000)


# A shell lets whatever it runs in the background ignore interrupts, and so all programs below it; tests send them some.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile"):
        hypothesis.settings.load_profile("ci")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the slow tests first, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return Path(__file__).parents[1]
