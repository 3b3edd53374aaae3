"""Short versions of the attacks, and tests of the program that runs them: it must report every missed target."""

from __future__ import annotations

import pytest

from harness.attacks import proof
from harness.attacks.bystander import Play
from harness.attacks.floods import FLOODS
from harness.attacks.proof import AttackResult, Size, attack

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("preloaded_servers")]

SHORT = Size(seconds=2.0, quiet_seconds=1.0, scale=0.01)


@pytest.mark.slow
@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("lines", "200"),
        ("connects", "connected"),
        ("pings", "opened"),
        ("lobby", "sockets"),
        ("watchers", "opened"),
        ("cuts", "cut"),
        ("half_open", "opened"),
    ],
)
async def test_a_game_continues_during_an_attack(name: str, count: str) -> None:
    assert name in FLOODS
    outcome = await attack(name, SHORT)
    assert outcome.counts[count] > 0
    assert outcome.disturbed.accepted > 0
    assert outcome.disturbed.problems == []
    assert [fault for fault in outcome.faults if "times as long" not in fault] == []


def good(name: str) -> AttackResult:
    """Return the result of an attack that meets all targets."""
    quiet, disturbed = Play(100, 100, [10.0] * 100), Play(100, 100, [20.0] * 100)
    counts = {"opened": 100, "presence": 200, "cut": 100}
    return AttackResult(name, quiet, disturbed, 0.1, 0.2, counts, memory=20.0, gone_seconds=26.0, log_lines=0)


@pytest.mark.parametrize(
    ("name", "change", "fault"),
    [
        ("requests", {"disturbed": Play(100, 98, [20.0] * 98)}, "98.0% of the tokens were accepted"),
        ("requests", {"disturbed": Play(100, 100, [31.0] * 100)}, "the median move took 3.1 times as long"),
        ("requests", {"disturbed": Play()}, "0.0% of the tokens were accepted"),
        ("requests", {"counts": {"failed": 1}}, "the attack itself failed"),
        ("half_open", {"memory": 51.0}, "used 51 MiB"),
        ("bodies", {"gone_seconds": 31.0}, "stayed open for 31 s"),
        ("lobby", {"busy_share": 0.3}, "the attack used 20.0% of a CPU core"),
        ("watchers", {"counts": {"opened": 10, "presence": 55}}, "too many presence messages: 55 for 10 watchers"),
        ("cuts", {"log_lines": 101}, "too many log lines: 101 for 100 dropped sockets"),
    ],
)
def test_every_missed_target_is_reported(name: str, change: dict[str, object], fault: str) -> None:
    outcome = good(name)
    assert proof._faults(outcome) == []
    for field, value in change.items():
        setattr(outcome, field, value)
    assert any(fault in found for found in proof._faults(outcome))
