"""A local game has the same log, view and refusals in the WebAssembly core as on the server.

Skipped unless ``make wasm`` has built the core.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import itertools
import random
from typing import Any, Final

import pytest

from cairn import read_record
from cairn.server.errors import Refusal
from cairn.server.game.chance import SecretChance
from cairn.server.game.commands import Command, Confirm, Play, Undo
from cairn.server.game.creation import created_from_record
from cairn.server.game.decide import Context, decide
from cairn.server.game.events import Event, data_of, event_of, keyed
from cairn.server.game.header import GameHeader
from cairn.server.game.log import LogPart, StoredGame
from cairn.server.game.seats import Seat, Seats
from cairn.server.game.state import GameState
from cairn.server.messages.records import RecordSource
from cairn.server.messages.views import game_view, line, update_view
from cairn.vocabulary import Tribe, Variant
from harness.server.client import CHAIN, LEAVES, START
from harness.wasm.core import WasmCore

BEGAN: Final = datetime.datetime(2026, 11, 15, 12, tzinfo=datetime.UTC)
SEATS: Final = (
    Seats(Seat("person"), Seat("person", name="Zoe")),
    Seats(Seat("person", name="Ada"), Seat("computer", 3)),
    Seats(Seat("computer", 10), Seat("person")),
)
NEARLY_WON: Final = LEAVES.replace("0-0", "2-2")
Call = list[Any]


@pytest.fixture(scope="module")
def wasm() -> WasmCore:
    return WasmCore()


class ServerGame:
    """A local game on the server. It records each command as a call to ``LocalGame``, with the expected answer."""

    def __init__(self, header: GameHeader) -> None:
        self.state: Final = GameState(header)
        self.log: Final[list[dict[str, Any]]] = []
        self.calls: Final[list[Call]] = [["open", {"header": header_of(header), "entries": []}]]
        self.answers: Final[list[Any]] = [None]
        self.kinds: Final[set[str]] = set()

    @property
    def now(self) -> datetime.datetime:
        """The time of the next call."""
        return BEGAN + datetime.timedelta(seconds=len(self.calls) + 1)

    def do(self, call: Call, command: Command) -> None:
        """Execute a command on the server, and record the call and the expected answer."""
        kept, at = len(self.state.steps), self.now
        try:
            events = decide(self.state, command, None, Context(at, SecretChance()))
        except Refusal as refusal:
            self.kinds.add(refusal.kind)
            self._expect(call, {"refused": refusal.kind})
        else:
            self._append(call, keyed(events, f"all {command.id}" if command.id else None), kept, at)

    def play(self, play: Play) -> None:
        """Play a token for a person."""
        names = ("token", "tribe", "revision", "hold", "id")
        fields = {name: getattr(play, name) for name in names if getattr(play, name) is not None}
        self.do(["play", fields], play)

    def play_computer(self, token: str) -> None:
        """Play a token for the computer."""
        kept, at = len(self.state.steps), self.now
        call = ["computerPlayed", {"token": token, "revision": self.state.revision}]
        self._append(call, self.state.play(token, hold=False, chance=SecretChance(), at=at), kept, at)

    def _append(self, call: Call, events: list[Event], kept: int, at: datetime.datetime) -> None:
        state = self.state
        base = state.revision
        entries = [
            {"revision": number, "kind": event.kind, "data": data_of(event), "at": written(at)}
            for number, event in enumerate(events, start=base + 1)
        ]
        state.advance(events, at, events[-1].command)
        self.log.extend(entries)
        self.kinds.update(f"{event.kind}, held {getattr(event, 'hold', None)}" for event in events)
        update = update_view(state, base, min(kept, len(state.steps)), at).model_dump(mode="json")
        self._expect(call, {"entries": entries, "update": update, "waitsForComputer": state.computer_level})

    def _expect(self, call: Call, answer: object) -> None:
        self.calls.append(call)
        self.answers.append(answer)

    def view(self) -> dict[str, Any]:
        """The view for the owner, as the device shows it."""
        shown = game_view(self.state, self.now, self.state.persons).model_dump(mode="json")
        changed = self.log[-1]["at"] if self.log else written(self.state.header.created)
        return shown | {"created": written(self.state.header.created), "changed": changed}


def written(at: datetime.datetime) -> str:
    """A time as JavaScript writes it."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def header_of(header: GameHeader) -> dict[str, Any]:
    seats = {tribe: {"kind": seat.kind, "level": seat.level, "name": seat.name}
             for tribe, seat in (("forest", header.seats.forest), ("sea", header.seats.sea))}  # fmt: skip
    return {"id": header.id, "created": written(header.created), "variant": header.variant, "start": header.start,
            "seats": seats, "seed": header.seed.hex()}  # fmt: skip


def random_header(rng: random.Random, number: int) -> GameHeader:
    seed, variant = rng.randbytes(32), rng.choice(list(Variant))
    position = rng.choice((START, CHAIN, LEAVES, NEARLY_WON, None, None))
    start = position or SecretChance().deal(seed, variant, None)
    return GameHeader(f"g{number}", BEGAN, None if position else variant.value, start, SEATS[number % 3], seed)


def random_call(game: ServerGame, rng: random.Random, number: int) -> None:
    """Send one command from a person or the computer, often a wrong one."""
    state = game.state
    revision = max(0, state.revision - (rng.random() < 0.1))
    kind = rng.choice(("play", "play", "play", "play", "confirm", "undo"))
    if state.computer_level is not None and rng.random() < 0.7:
        game.play_computer(str(rng.choice(state.game.legal_moves)))
    elif kind == "play":
        tokens = [str(token) for token in state.game.legal_moves] or ["pass"]
        token = rng.choice((*rng.sample(tokens, min(8, len(tokens))), "a1-a5", "nonsense", "DR:pass"))
        decider = state.game.decider
        likely = "sea" if decider and decider.value == "sea" else "forest"
        tribe: Any = likely if rng.random() < 0.9 else rng.choice(("forest", "sea"))
        game.play(Play(revision=revision, tribe=tribe, token=token, hold=rng.random() < 0.4, id=f"c{number}"))
    elif kind == "undo":
        scope: Any = rng.choice(("step", "turn"))
        game.do(["undo", {"scope": scope, "revision": revision}], Undo(revision=revision, scope=scope))
    else:
        game.do(["confirm", {"revision": revision, "id": f"c{number}"}], Confirm(revision=revision, id=f"c{number}"))


def decide_in_the_other_tribes_turn(game: ServerGame, rng: random.Random) -> None:
    """Play until Sea has to decide during Forest's turn, then play a token for Sea."""
    for tribe, token in (("forest", "a1-c3"), ("forest", "d5-d4"), ("sea", None)):
        chosen = token or str(rng.choice(game.state.game.legal_moves))
        seat: Any = tribe
        game.play(Play(revision=game.state.revision, tribe=seat, token=chosen, hold=True))


def random_games(seed: int, games: int, commands: int) -> list[ServerGame]:
    rng, played = random.Random(seed), []
    for number in range(games):
        game = ServerGame(random_header(rng, number))
        if game.state.header.start == CHAIN:
            decide_in_the_other_tribes_turn(game, rng)
        for each in range(commands):
            random_call(game, rng, each)
        played.append(game)
    return played


def comparable(answer: Any) -> Any:
    """The device's answer, with a refusal reduced to its kind."""
    return {"refused": answer["refused"]["kind"]} if "refused" in answer else answer


@pytest.mark.slow
def test_commands_in_random_games_get_the_same_answers_as_on_the_server(wasm: WasmCore) -> None:
    games = random_games(1, 45, 60)
    requests = [{"calls": [*game.calls, ["view"], ["line"], ["record"]]} for game in games]
    for game, answers in zip(games, wasm.ask(requests), strict=True):
        *decided, view, played, record = answers
        for call, found, expected in zip(game.calls[1:], decided[1:], game.answers[1:], strict=True):
            assert comparable(found) == expected, call
        assert view == game.view()
        assert played == {"position": game.state.header.start, "tokens": [step.token for step in game.state.steps]}
        assert record == {"text": RecordSource.of(game.state).write()}
    assert set[str]().union(*(game.kinds for game in games)) == {
        "token, held True", "token, held False", "undo, held None", "confirm, held None", "stale-revision",
        "game-over", "wrong-turn", "turn-held", "computer-decides", "malformed-token", "illegal-token",
        "nothing-to-undo", "nothing-to-confirm",
    }  # fmt: skip


@pytest.mark.slow
def test_a_stored_game_is_the_same_on_the_device_and_on_the_server(wasm: WasmCore) -> None:
    games = random_games(2, 15, 50)
    stored = [{"header": header_of(game.state.header), "entries": game.log} for game in games]
    for game, (opened, view) in zip(
        games, wasm.ask([{"calls": [["open", each], ["view"]]} for each in stored]), strict=True
    ):
        assert opened["view"] == view == game.view()
        events = tuple(event_of(entry["kind"], entry["data"]) for entry in game.log)
        times = tuple(datetime.datetime.fromisoformat(entry["at"]) for entry in game.log)
        again = GameState.replay(StoredGame(game.state.header, LogPart(events, times), BEGAN, deleted=False))
        assert (again.steps, again.game.now()) == (game.state.steps, game.state.game.now())


@pytest.mark.slow
def test_another_page_follows_and_a_failed_command_is_reverted(wasm: WasmCore) -> None:
    (game,) = random_games(3, 1, 60)
    half = len(game.log) // 2
    stored = {"header": header_of(game.state.header), "entries": game.log[:half]}
    opened, followed, view = wasm.call(["open", stored], ["follow", game.log[half:]], ["view"])
    assert view == game.view()
    kept, update = followed["update"]["kept"], followed["update"]
    assert opened["view"]["steps"][:kept] + update["steps"] == view["steps"]
    assert (update["base"], update["revision"], update["now"]) == (half, len(game.log), view["now"])

    for index in range(1, len(game.calls)):
        if not game.answers[index].get("entries"):
            continue
        calls = [*game.calls[:index], ["view"], game.calls[index], ["revert"], game.calls[index]]
        *_, before, first, reverted, second = wasm.call(*calls)
        assert before == reverted
        assert second["update"] == first["update"] == game.answers[index]["update"]
        if index > 20:
            break


def test_a_repeated_command_is_not_executed_again(wasm: WasmCore) -> None:
    play = {"token": "a1-a2", "tribe": "forest", "revision": 0, "id": "x"}
    header = header_of(GameHeader("g", BEGAN, None, START, SEATS[0], bytes(32)))
    begun = ["open", {"header": header, "entries": []}]
    _, first, again, after = wasm.call(begun, ["play", play], ["play", play], ["play", play | {"id": "y"}])
    assert first["entries"][0]["data"] == {"token": "a1-a2", "hold": False, "command": "all x"}
    assert (again["entries"], again["update"]["steps"], again["update"]["revision"]) == ([], [], 1)
    assert again["update"]["now"] == first["update"]["now"]
    assert after["refused"]["kind"] == "stale-revision"
    stored = {"header": header, "entries": first["entries"]}
    assert wasm.call(["open", stored], ["play", play])[1]["entries"] == []


def test_games_are_created_as_on_the_server(wasm: WasmCore) -> None:
    persons = {"forest": {"kind": "person"}, "sea": {"kind": "person", "name": "Zoe"}}
    computers = {tribe: {"kind": "computer", "level": 2} for tribe in ("forest", "sea")}
    for variant, first in itertools.product(Variant, ("forest", "sea", None)):
        new = {"seats": persons, "variant": variant.value, "first": first}
        created = wasm.call(["create", new, "g"])[0]
        header, view = created["header"], created["view"]
        seed = bytes.fromhex(header["seed"])
        assert len(seed) == 32
        assert header["start"] == view["start"] == SecretChance().deal(seed, variant, Tribe(first) if first else None)
        assert (view["variant"], view["revision"], view["steps"]) == (variant.value, 0, [])
        assert first in (None, view["now"]["active"])
    tokens = ["a5-out", "=DR"]
    given = {"seats": persons, "position": LEAVES, "tokens": tokens}
    refused = [
        ({"seats": computers}, "no-person"),
        (given | {"position": "nonsense"}, "malformed"),
        (given | {"tokens": ["a5-a1"]}, "illegal-token"),
        (given | {"tokens": ["hop"]}, "malformed-token"),
    ]
    answers = wasm.ask([{"calls": [["create", new, "g"]]} for new in (given, *(new for new, _ in refused))])
    created = answers[0][0]
    played = [entry["data"]["token"] for entry in created["entries"]]
    assert played[:2] == tokens
    assert played[2].startswith("?")
    assert created["view"]["now"]["undo"]["no_step"] == "drawn"
    assert [answer[0]["refused"]["kind"] for answer in answers[1:]] == [kind for _, kind in refused]


@pytest.mark.slow
def test_records_become_games_as_on_the_server(wasm: WasmCore) -> None:
    texts = [RecordSource.of(game.state).write() for game in random_games(4, 12, 40)]
    for text in texts:
        (created,) = wasm.call(["createFromRecord", {"base64": base64.b64encode(text.encode()).decode()}, "g"])
        creation = dataclasses.replace(created_from_record(text), seed=bytes.fromhex(created["header"]["seed"]))
        state, events = creation.begin("g", None, lambda: BEGAN, SecretChance())
        assert [(entry["kind"], entry["data"]) for entry in created["entries"]] == [
            (event.kind, data_of(event)) for event in events
        ]
        state.advance(events, BEGAN)
        expected = game_view(state, BEGAN, state.persons).model_dump(mode="json")
        for name in ("steps", "now", "seats", "start", "variant", "revision", "you"):
            assert created["view"][name] == expected[name]
        assert read_record(text).game.start_text == created["header"]["start"]
    (refused,) = wasm.call(["createFromRecord", {"base64": base64.b64encode(b"no record").decode()}, "g"])
    assert refused["refused"]["kind"] == "malformed"
    assert refused["refused"]["faults"]


def test_a_line_is_described_as_on_the_server(wasm: WasmCore) -> None:
    for position, tokens in ((START, []), (CHAIN, ["a1-c3", "d5-d4"]), (LEAVES, ["a5-out", "=DR"])):
        assert wasm.call(["study", position, tokens])[0] == line(position, tokens).model_dump(mode="json")
    kinds = [wasm.call(["study", *each])[0]["refused"]["kind"] for each in (("no", []), (START, ["a1-a5"]))]
    assert kinds == ["malformed", "illegal-token"]


def test_a_damaged_log_is_refused_at_the_damaged_entry(wasm: WasmCore) -> None:
    header = header_of(GameHeader("g", BEGAN, None, START, SEATS[0], bytes(32)))
    good = {"revision": 1, "kind": "token", "data": {"token": "a1-a2", "hold": False}, "at": written(BEGAN)}
    damaged = [
        {"kind": "token", "data": {"token": "a1-a2", "hold": False}},
        {"kind": "undo", "data": {"tokens": 2}},
        {"kind": "end", "data": {"winner": "sea", "reason": "score"}},
        {"kind": "end", "data": {"winner": "sea", "reason": "boredom"}},
        {"kind": "dance", "data": {}},
    ]
    requests = [
        {"calls": [["open", {"header": header, "entries": [good, bad | {"revision": 2, "at": ""}]}]]} for bad in damaged
    ]
    for (answer,) in wasm.ask(requests):
        assert (answer["refused"]["kind"], answer["refused"]["entry"]) == ("damaged-log", 2)
