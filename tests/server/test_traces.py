"""Traces have one line for each command and each change, and no secrets. Play continues if they cannot be written."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import json
import logging
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest
import websockets

from cairn.server.players.limits import NO_LIMITS, Limits, Rate
from cairn.server.players.workload import CHANGE, MESSAGE, REQUEST
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE, TRACES
from cairn.server.traces import files
from cairn.server.traces.files import TraceWriter
from cairn.server.traces.trace import Trace, shortened_network
from harness.server.client import choices
from harness.server.processes import listening
from harness.server.visitors import PASSWORD, Visitor, application, begun, refused, table, two
from tests.server.places import fill_disk

pytestmark = pytest.mark.anyio

FIELDS = ["time", "process", "player", "game", "command", "network", "milliseconds", "outcome", "status"]


def traced(settings: Settings, **changes: Any) -> Settings:
    return dataclasses.replace(settings, traces=True, **changes)


def lines_in(folder: Path) -> list[dict[str, Any]]:
    """Return all traces, oldest first."""
    found = [json.loads(line) for path in folder.glob("*.jsonl*") for line in path.read_text().splitlines()]
    return sorted(found, key=lambda line: line["time"])


def outcomes(settings: Settings) -> list[tuple[str, str]]:
    return [(line["command"], line["outcome"]) for line in lines_in(settings.data / TRACES)]


def trace(command: str = "play") -> Trace:
    return Trace(time.time(), "player", "game", command, "192.0.2.0/24", 3.1, "done")


def writer(folder: Path, **changes: int) -> TraceWriter:
    return TraceWriter(folder, "process", **{"most_bytes": 100_000, "files": 3, "days": 10, **changes})


def write(folder: Path, *traces: Trace, **changes: int) -> None:
    one = writer(folder, **changes)
    for each in traces:
        one.put(each)
    one.stop()
    one.release()


# --- What is traced


async def test_every_command_and_every_change_gets_one_line(settings: Settings) -> None:
    settings = traced(settings)
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        ids = {tribe: player["id"] for tribe, player in game["players"].items()}
        async with ann.socket(game["id"]) as socket:
            await socket.play()
            assert refused(await socket.send("play", revision=0, tribe="forest", token="a1-a2")) == "stale-revision"
            assert refused(await socket.send("dance")) == "malformed"
            await socket.connection.send(json.dumps({"type": "ping"}))  # without an id
            await socket.send("ping")
        await ben.get(f"/games/{game['id']}")
        await ben.post(f"/games/{game['id']}/resign", {"revision": socket.game["revision"]})
        await ben.post("/games/nowhere/resign", {"revision": 0}, status=404)
    lines = lines_in(settings.data / TRACES)
    assert [(line["command"], line["outcome"], line["status"]) for line in lines] == [
        ("POST /api/challenges", "done", 201),
        ("PUT /api/challenges/{challenge}/number", "done", 200),
        ("POST /api/challenges/{challenge}/accept", "done", 201),
        ("play", "done", None),
        ("play", "refused:stale-revision", None),
        ("malformed", "refused:malformed", None),
        ("ping", "ignored", None),
        ("ping", "done", None),
        ("POST /api/games/{game}/resign", "done", 200),
        ("POST /api/games/{game}/resign", "refused:unknown-game", 404),
    ]
    assert all(list(line) == FIELDS for line in lines)
    assert [line["game"] for line in lines] == [None] * 3 + [game["id"]] * 6 + [None]
    forest, sea = ids["forest"], ids["sea"]
    assert [line["player"] for line in lines] == [forest, forest, sea, *[forest] * 5, sea, sea]
    assert {line["network"] for line in lines} == {"127.0.0.0/24"}
    assert len({line["process"] for line in lines}) == 1
    assert all(line["time"].endswith("+00:00") for line in lines)


async def test_the_cost_in_a_trace_is_the_cost_that_was_charged(settings: Settings) -> None:
    settings = traced(settings)
    async with table(settings, processor_time=lambda: 0.0) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as socket:
            await socket.play()
            await socket.send("ping")
    costs = {line["command"]: line["milliseconds"] for line in lines_in(settings.data / TRACES)}
    assert costs["POST /api/challenges"] == pytest.approx(REQUEST + CHANGE)
    assert costs["play"] == pytest.approx(MESSAGE + CHANGE)
    assert costs["ping"] == pytest.approx(MESSAGE)


async def test_measured_cpu_time_is_part_of_the_cost(settings: Settings) -> None:
    """Each reading of the CPU clock is a second later than the previous one, so each command costs seconds."""
    readings = iter(range(1_000_000))
    settings = traced(settings)
    async with table(settings, processor_time=lambda: float(next(readings))) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as socket:
            await socket.play()
    (play,) = [line for line in lines_in(settings.data / TRACES) if line["command"] == "play"]
    assert play["milliseconds"] > 1_000


async def test_commands_are_traced_even_without_limits(settings: Settings) -> None:
    settings = traced(settings, limits=NO_LIMITS)
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as socket:
            await socket.play()
    last = lines_in(settings.data / TRACES)[-1]
    assert (last["command"], last["outcome"], last["milliseconds"]) == ("play", "done", None)
    assert last["player"] == game["players"]["forest"]["id"]


async def test_a_command_whose_sender_has_left_is_traced(settings: Settings) -> None:
    settings = traced(settings)
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ben.socket(game["id"]) as watching:
            async with ann.socket(game["id"]) as socket:
                body = {"type": "play", "id": "last", "revision": game["revision"], "tribe": "forest"}
                await socket.connection.send(json.dumps({**body, "token": choices(game)[0]}))
                socket.connection.transport.abort()
            await watching.hear("update")
    assert [command for command, _ in outcomes(settings)].count("play") == 1


async def test_a_command_from_a_client_in_debt_is_traced_as_refused(settings: Settings) -> None:
    limits = Limits(work_of_address=Rate(1e9, 1), work_of_player=Rate(60, 36_000))
    settings = traced(settings, limits=limits)
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as socket:
            try:
                while (answer := await socket.send("ping"))["type"] == "done":
                    pass
            except websockets.ConnectionClosed:  # one expensive command may put the client deep into debt
                answer = {"type": "refused", "problem": {"kind": "too-fast"}}
            assert refused(answer) == "too-fast"
    assert ("message", "refused:too-fast") in outcomes(settings)


@pytest.mark.slow
async def test_the_traces_of_a_whole_game_with_chat_do_not_contain_secrets(settings: Settings) -> None:
    settings = traced(settings)
    secrets = {PASSWORD}
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        for visitor, name in ((ann, "Anastasia"), (ben, "Benedikt")):
            await visitor.sign_up(name)
            secrets |= {name, name.lower()}
        made = await ann.challenge(tribe="forest", first="forest")
        secrets |= {made["invite"], made["seat"]}
        game = (await ben.accept(made["invite"], number="5ec2e7" * 6))["game"]
        secrets |= {ann.seat, ben.seat, "5ec2e7"}
        async with ann.socket(game["id"]) as one, ben.socket(game["id"]) as other:
            await one.send("hello", seat=ann.seat)
            for side, text in ((other, "The traces must not quote me."), (one, "Nor me: \u00fcber-secret!")):
                assert (await side.send("chat", text=text))["type"] == "done"
            await ann.post(f"/games/{game['id']}/chat?text=queried", {"text": "over-http"}, status=204)
            await ann.post(f"/games/{ann.seat}/chat", {"text": "x"}, status=404)
            await ann.post(f"/games/{game['id']}/report", {"text": "reported-words"}, status=204)
            sides, played = {"forest": one, "sea": other}, 0
            while not one.game["now"]["outcome"]:
                side = sides[one.game["now"]["decider"]]
                await side.play()
                played += 1
                for each in sides.values():
                    await each.until(side.game["revision"])
        token = (await ann.post("/account/tokens", {"bot": "Robotnik"}, status=201))["token"]
        secrets |= {token, "Robotnik", "quote me", "ber-secret", "queried", "over-http", "reported-words"}
        secrets |= {cookie for visitor in (ann, ben) for cookie in visitor.http.cookies.values()}
        assert app.state.tracer.dropped == 0
    written = "".join(path.read_text() for path in (settings.data / TRACES).iterdir())
    assert len(secrets) > 10
    assert [secret for secret in secrets if secret in written] == []
    counted = collections.Counter(command for command, _ in outcomes(settings))
    assert counted["play"] == played > 5
    assert counted["chat"] == 2
    assert counted["hello"] == 1


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("", "unknown"),
        ("somewhere", "unknown"),
    ],
)
def test_addresses_are_shortened_to_networks(host: str, network: str) -> None:
    assert shortened_network(host) == network


# --- When traces are written


async def test_a_private_server_does_not_write_traces(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        await begun(ann, ben)
    assert not (settings.data / TRACES).exists()


def test_only_a_public_server_is_traced_by_default() -> None:
    assert not Settings().traced
    assert Settings(public=True).traced
    assert not Settings(public=True, traces=False).traced
    assert Settings(traces=True).traced


# --- Files


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these permissions")
def test_files_are_private_and_rotate(tmp_path: Path) -> None:
    folder = tmp_path / TRACES
    write(folder, *[trace() for _ in range(100)], most_bytes=2_000)
    paths = sorted(folder.glob("*.jsonl*"))
    assert [path.name for path in paths] == ["traces-0.jsonl", "traces-0.jsonl.1", "traces-0.jsonl.2"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert all(0 < path.stat().st_size < 2_400 for path in paths)


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these permissions")
def test_a_file_that_others_could_read_becomes_private(tmp_path: Path) -> None:
    (tmp_path / "traces-0.jsonl").touch(0o644)
    write(tmp_path, trace())
    assert stat.S_IMODE((tmp_path / "traces-0.jsonl").stat().st_mode) == 0o600


def test_a_new_day_starts_a_new_file_and_deletes_old_ones(tmp_path: Path) -> None:
    write(tmp_path, trace("yesterday"))
    old = tmp_path / "traces-7.jsonl.3"
    old.touch()
    for path, days in ((tmp_path / "traces-0.jsonl", 1), (old, 11)):
        os.utime(path, (time.time() - days * 86_400,) * 2)
    write(tmp_path, trace("today"))
    assert "today" in (tmp_path / "traces-0.jsonl").read_text()
    assert "yesterday" in (tmp_path / "traces-0.jsonl.1").read_text()
    assert not old.exists()


def test_a_line_that_a_crash_cut_off_does_not_spoil_the_next_line(tmp_path: Path) -> None:
    (tmp_path / "traces-0.jsonl").write_text('{"time": "20')
    write(tmp_path, trace("next"))
    cut, line = (tmp_path / "traces-0.jsonl").read_text().splitlines()
    assert (cut, json.loads(line)["command"]) == ('{"time": "20', "next")


def test_processes_that_share_a_folder_write_separate_files(tmp_path: Path) -> None:
    one, other = writer(tmp_path), writer(tmp_path)
    one.put(trace("one"))
    other.put(trace("other"))
    for each in (one, other):
        each.stop()
        each.release()
    assert "one" in (tmp_path / "traces-0.jsonl").read_text()
    assert "other" in (tmp_path / "traces-1.jsonl").read_text()
    write(tmp_path, trace("later"))
    assert "later" in (tmp_path / "traces-0.jsonl").read_text()


def test_traces_that_do_not_fit_into_the_queue_are_dropped_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_QUEUED", 0)
    one = writer(tmp_path)
    one.put(trace())
    assert one.dropped == 1
    one.stop()
    one.release()


# --- Failures


async def play_pair(one: Visitor, other: Visitor, rounds: int) -> None:
    """Play tokens and undo them, over one socket."""
    game = await begun(one, other)
    async with one.socket(game["id"]) as socket:
        for _ in range(rounds):
            assert (await socket.play(hold=True))["type"] == "done"
            assert (await socket.send("undo", revision=socket.game["revision"]))["type"] == "done"


def warnings_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def until(condition: Any) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


async def test_a_full_disk_is_reported_once_and_play_goes_on(
    settings: Settings, small_disk: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.0)
    database = f"sqlite:///{settings.data / DATABASE}"
    settings = traced(settings, database=database, data=small_disk)
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        tracer = app.state.tracer
        fill_disk(small_disk)
        await play_pair(ann, ben, 5)
        # The writer thread counts a dropped line before it logs the warning.
        await until(lambda: tracer.dropped >= 10 and bool(warnings_in(caplog)))
        assert ["No space left" in text for text in warnings_in(caplog)] == [True]
        (small_disk / "filler").unlink()
        await play_pair(ann, ben, 1)
        await until(lambda: len(warnings_in(caplog)) > 1)
    (_, again) = warnings_in(caplog)
    assert "works again" in again
    assert ("play", "done") in outcomes(settings)


async def test_a_deleted_folder_is_reported_and_play_goes_on(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings = traced(settings)
    folder = settings.data / TRACES
    async with table(settings) as address, two(address) as (ann, ben):
        await play_pair(ann, ben, 1)
        await until(lambda: len(outcomes(settings)) == 5)
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        await play_pair(ann, ben, 1)
    (warning,) = warnings_in(caplog)
    assert "was moved or deleted" in warning
    assert len(outcomes(settings)) == 5


async def test_a_folder_that_cannot_be_created_is_reported_once_and_play_goes_on(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    (settings.data / TRACES).touch()
    async with table(traced(settings)) as address, two(address) as (ann, ben):
        await play_pair(ann, ben, 2)
    (warning,) = warnings_in(caplog)
    assert "cannot write traces" in warning


async def test_a_storage_error_is_traced(settings: Settings, small_disk: Path) -> None:
    database = small_disk / DATABASE
    settings = traced(settings, database=f"sqlite:///{database}")
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as socket:
            fill_disk(small_disk)
            answer = await socket.play()
            for _ in range(2_000):
                if answer["type"] == "refused":
                    break
                await socket.send("undo", revision=socket.game["revision"])
                answer = await socket.play()
            assert refused(answer) == "storage-full"
    assert ("play", "storage:full") in outcomes(settings)
