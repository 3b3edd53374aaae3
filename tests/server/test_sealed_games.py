"""Games with sealed draws on a real server: the starting position and each draw wait for a link from both players."""

from __future__ import annotations

import contextlib
import dataclasses
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from cairn import fairness
from cairn.bot.links import Links
from cairn.record import Record, read_record
from cairn.server.game.clocks import LAG_CAP
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.storage.engines.database import Database
from cairn.server.storage.verification import Verification
from harness.server.client import choices
from harness.server.postgresql import PostgresServer
from harness.server.processes import Process, listening
from harness.server.visitors import Hands, Socket, Visitor, application, begun, begun_sealed, number, refused, two
from tests.server.places import settings_at
from tests.server.test_online_clocks import left, wake
from tests.server.test_proof_versions import _forward

pytestmark = pytest.mark.anyio

BLITZ = {"kind": "real-time", "initial": 60_000, "increment": 2_000}
TRIBES = ("forest", "sea")


@dataclasses.dataclass
class Table:
    """Two players at a table, each with a socket and their links."""

    sockets: dict[str, Socket]
    links: dict[str, Links]

    @property
    def game(self) -> Any:
        """The newer of the two players' views."""
        return max((each.game for each in self.sockets.values()), key=lambda game: game["revision"])

    async def both(self) -> None:
        """Bring both views up to date."""
        for socket in self.sockets.values():
            await socket.until(self.game["revision"])

    async def reveal(self, *tribes: str, **more: Any) -> None:
        """Reveal the link that each of these tribes owes."""
        for tribe in tribes:
            await self.both()
            socket = self.sockets[tribe]
            link = self.links[tribe].due(socket.game)
            assert link is not None
            answer = await socket.send("reveal", revision=socket.game["revision"], link=link, **more)
            assert answer["type"] == "done", answer
        await self.both()

    async def play_to_a_draw(self, **last: Any) -> str:
        """Play until a draw is waiting for its links; return the tribe that played the last token.

        The fields of ``last`` are added to every token.
        """
        rng = random.Random(1)
        while True:
            await self.both()
            decider = self.game["now"]["decider"]
            token = _forward(decider, choices(self.game), rng)
            answer = await self.sockets[decider].play(token, **last)
            assert answer["type"] == "done", answer
            await self.both()
            now = self.game["now"]
            if now["phase"] == "draw":
                return str(decider)
            if now["held"]:
                await self.sockets[now["held"]].send("confirm", revision=self.game["revision"])


@contextlib.asynccontextmanager
async def seated(ann: Visitor, ben: Visitor, game: Any, links: dict[str, Links]) -> AsyncIterator[Table]:
    async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
        yield Table({"forest": forest, "sea": sea}, links)


@contextlib.asynccontextmanager
async def started(ann: Visitor, ben: Visitor, **fields: Any) -> AsyncIterator[Table]:
    """A game whose starting position has been dealt."""
    game, links = await begun_sealed(ann, ben, **{"variant": "standard", **fields})
    async with seated(ann, ben, game, links) as table:
        await table.reveal(*TRIBES)
        yield table


async def record_of(visitor: Visitor, game: Any) -> Record:
    return read_record((await visitor.http.get(f"/api/games/{game['id']}/record")).text)


def findings(record: Record) -> list[tuple[str, str]]:
    return [(each.kind, each.verdict.value) for each in fairness.verify(record)]


async def test_the_start_and_the_draws_wait_for_both_links(settings: Settings, place: Path | str) -> None:
    where = settings_at(settings, place)
    async with application(where) as app, listening(app) as address, two(address) as (ann, ben):
        game, links = await begun_sealed(ann, ben, variant="standard", rated=True)
        assert (game["start"], game["now"]["position"]) == (fairness.UNKNOWN_START,) * 2
        assert (game["now"]["phase"], game["now"]["decider"], game["now"]["choices"]) == ("draw", "chance", [])
        assert game["now"]["owed"] == ["forest", "sea"]
        async with seated(ann, ben, game, links) as table:
            await table.reveal("forest")
            assert table.game["start"] == fairness.UNKNOWN_START
            assert table.game["now"]["owed"] == ["sea"]
            await table.reveal("sea")
            assert table.game["start"] != fairness.UNKNOWN_START
            assert table.game["now"]["owed"] == []
            assert (await ann.view(game))["start"] == table.game["start"]
            for _ in range(2):
                by = await table.play_to_a_draw()
                other = "sea" if by == "forest" else "forest"
                assert table.game["now"]["owed"] == [by, other]
                steps = len(table.game["steps"])
                await table.reveal(other)
                assert table.game["now"]["owed"] == [by]
                assert len(table.game["steps"]) == steps
                await table.reveal(by)
                assert table.game["now"]["owed"] == []
                assert table.game["steps"][-1]["by"] == "chance"
            await table.sockets["sea"].send("resign")
        record = await record_of(ann, game)
        assert {verdict for _, verdict in findings(record)} == {"right"}
        assert record.headers["Proof"] == "3"
        assert all(chain.objections(record) == [] for chain in links.values())
        assert await damage(app) == []


async def damage(app: FastAPI) -> list[str]:
    """Check the whole database; return the damage that was found."""
    database: Database = app.state.services.database
    return [str(finding) async for finding in Verification(database).findings()]


async def test_links_survive_a_restart(settings: Settings, place: Path | str) -> None:
    """The server restarts before the position is dealt, while a draw is waiting for one link, and after an undo."""
    where = settings_at(settings, place)
    async with application(where) as app, listening(app) as address, two(address) as (ann, ben):
        game, links = await begun_sealed(ann, ben, variant="standard")
        async with seated(ann, ben, game, links) as table:
            await table.reveal("sea")
        cookies = [visitor.http.cookies for visitor in (ann, ben)]
    for stage in ("start", "draw", "undo"):
        async with application(where) as app, listening(app) as address, two(address) as (ann, ben):
            for visitor, known in zip((ann, ben), cookies, strict=True):
                visitor.http.cookies = known
            assert await damage(app) == []
            async with seated(ann, ben, game, links) as table:
                await table.reveal(*table.game["now"]["owed"])
                if stage == "start":
                    by = await table.play_to_a_draw()
                    await table.reveal(by)
                elif stage == "draw":
                    decider = table.game["now"]["decider"]
                    await table.sockets[decider].play(hold=True)
                    answer = await table.sockets[decider].send("undo", revision=table.sockets[decider].game["revision"])
                    assert answer["type"] == "done", answer
                else:
                    assert table.game["steps"]
                    await table.sockets["sea"].send("resign")
    async with application(where) as app, listening(app) as address, two(address) as (ann, _):
        assert await damage(app) == []
        record = await record_of(ann, game)
    assert {verdict for _, verdict in findings(record)} == {"right"}
    assert all(chain.objections(record) == [] for chain in links.values())


async def test_a_player_who_withholds_a_link_loses_on_time(settings: Settings) -> None:
    hands = Hands()
    async with (
        application(settings, now=hands) as app,
        listening(app) as address,
        two(address) as (ann, ben),
        started(ann, ben, clock=BLITZ) as table,
    ):
        by = await table.play_to_a_draw()
        other = "sea" if by == "forest" else "forest"
        assert table.game["now"]["clock"]["running"] == by
        await table.reveal(by)
        assert table.game["now"]["clock"]["running"] == other
        hands.move(table.game["now"]["clock"][other] / 1000 + LAG_CAP / 1000 + 0.001)
        await wake(app)
        await table.sockets[by].hear("update")
        outcome = table.game["now"]["outcome"]
        assert (outcome["winner"], outcome["reason"]) == (by, "time")
        assert findings(await record_of(ann, table.game))[-1] == ("links", "right")


async def test_a_player_who_withholds_the_first_link_loses_on_time(settings: Settings) -> None:
    for withholds in TRIBES:
        hands = Hands()
        folder = dataclasses.replace(settings, data=settings.data / withholds)
        async with application(folder, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
            game, links = await begun_sealed(ann, ben, clock=BLITZ, rated=True)
            async with seated(ann, ben, game, links) as table:
                winner = "sea" if withholds == "forest" else "forest"
                await table.reveal(winner)
                hands.move(60 + LAG_CAP / 1000 + 0.001)
                await wake(app)
                await table.sockets["forest"].hear("update")
                assert table.game["now"]["outcome"]["winner"] == winner
                assert table.game["now"]["outcome"]["reason"] == "time"
            record = await record_of(ann, game)
            assert {verdict for _, verdict in findings(record)} == {"right"}
            assert "SeaLink" in record.headers or "ForestLink" in record.headers
            assert await damage(app) == []


async def test_an_honest_player_loses_no_more_than_their_latency(settings: Settings) -> None:
    """Both players have a latency of 300 ms. A draw costs each that much, or nothing if the client reports the lag."""
    for lag, charged in ((0, 300), (300, 0)):
        hands = Hands()
        folder = dataclasses.replace(settings, data=settings.data / str(lag))
        async with application(folder, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
            del app
            async with started(ann, ben, clock={**BLITZ, "increment": 0}) as table:
                by = await table.play_to_a_draw()
                before = left(table.game)
                hands.move(0.3)
                await table.reveal(by, lag=lag)
                hands.move(0.3)
                await table.reveal(*table.game["now"]["owed"], lag=lag)
                assert left(table.game) == (before[0] - charged, before[1] - charged)


async def test_a_link_that_was_sent_in_time_counts(settings: Settings) -> None:
    """The link arrives after the clock has reached zero, but within the lag that the client reports."""
    for lag, outcome in ((0, "game-over"), (300, None)):
        hands = Hands()
        folder = dataclasses.replace(settings, data=settings.data / str(lag))
        async with application(folder, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
            del app
            async with started(ann, ben, clock=BLITZ) as table:
                by = await table.play_to_a_draw()
                hands.move(table.game["now"]["clock"][by] / 1000 + 0.2)
                socket = table.sockets[by]
                link = table.links[by].due(socket.game)
                answer = await socket.send("reveal", revision=socket.game["revision"], link=link, lag=lag)
                assert (refused(answer) if outcome else None) == outcome
                assert (answer["type"] == "done") == (outcome is None)


async def test_a_waiting_draw_does_not_earn_an_increment(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        del app
        async with started(ann, ben, clock=BLITZ) as table:
            by = await table.play_to_a_draw()
            before = left(table.game)
            await table.reveal(by)
            assert left(table.game) == before
            await table.reveal(*table.game["now"]["owed"])
            turn = table.game["now"]["turn"] > table.game["steps"][-1]["turn"]
            earned = 2_000 if turn else 0
            at = TRIBES.index(table.game["steps"][-1]["active"])
            assert left(table.game)[at] == before[at] + earned
            assert left(table.game)[1 - at] == before[1 - at]


async def test_nothing_can_be_played_or_taken_back_while_a_draw_waits(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        del app
        async with started(ann, ben) as table:
            by = await table.play_to_a_draw()
            here = table.sockets[by]
            revision = table.game["revision"]
            assert refused(await here.send("play", revision=revision, tribe=by, token="a1-a2")) == "draw-waits"
            assert refused(await here.send("undo", revision=revision)) == "takeback-needed"
            assert refused(await here.send("offer", what="takeback", revision=revision)) == "draw-waits"
            assert refused(await here.send("confirm", revision=revision)) == "nothing-to-confirm"
            await table.reveal(by)
            await table.reveal(*table.game["now"]["owed"])
            assert table.game["steps"][-1]["by"] == "chance"


async def test_an_earlier_takeback_request_cannot_be_accepted_while_a_draw_waits(settings: Settings) -> None:
    """A held draw can be taken back; once it is confirmed, it cannot."""
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        del app
        async with started(ann, ben) as table:
            by = await table.play_to_a_draw(hold=True)
            here = table.sockets[by]
            assert (table.game["now"]["held"], table.game["now"]["owed"]) == (by, [])
            answer = await here.send("undo", revision=table.game["revision"])
            assert answer["type"] == "done"
            await table.both()
            by = await table.play_to_a_draw(hold=True)
            here, there = table.sockets[by], table.sockets["sea" if by == "forest" else "forest"]
            await here.send("offer", what="takeback", revision=table.game["revision"])
            await table.both()
            offered = table.game["revision"]
            answer = await here.send("confirm", revision=offered)
            assert answer["type"] == "done"
            await table.both()
            assert table.game["now"]["owed"]
            answer = await there.send("answer", answer="accept", revision=table.game["revision"])
            assert refused(answer) == "draw-waits"
            await table.reveal(*table.game["now"]["owed"])
            assert table.game["steps"][-1]["by"] == "chance"


async def test_a_player_can_reveal_only_the_next_link_of_their_own_chain(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        del app
        game, links = await begun_sealed(ann, ben)
        async with seated(ann, ben, game, links) as table:
            forest = table.sockets["forest"]
            own, other = links["forest"].due(forest.game), links["sea"].due(table.sockets["sea"].game)
            for wrong in (other, "00" * 32, links["forest"].anchor):
                assert refused(await forest.send("reveal", revision=0, link=wrong)) == "wrong-link"
            assert refused(await forest.send("reveal", revision=0, link="zz" * 32)) == "malformed"
            assert refused(await forest.send("reveal", revision=0, link=own, tribe="sea")) == "not-your-seat"
            await table.reveal("forest")
            assert refused(await forest.send("reveal", revision=0, link=own)) == "no-link-due"
            await table.reveal("sea")
            assert refused(await forest.send("reveal", revision=0, link=own)) == "no-link-due"
            assert len(table.game["steps"]) == 0


async def test_a_game_without_sealed_draws_does_not_accept_links(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        del app
        game = await begun(ann, ben, clock=BLITZ)
        assert game["now"]["owed"] == []
        async with ann.socket(game["id"]) as forest:
            assert refused(await forest.send("reveal", revision=0, link="00" * 32)) == "no-link-due"


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"sealed": True}, "sealed-needs-clock"),
        ({"sealed": True, "level": 1, "clock": BLITZ}, "sealed-needs-player"),
        ({"sealed": True, "clock": BLITZ, "first": "sea"}, "sealed-needs-tribes"),
    ],
)
async def test_sealed_draws_are_refused_where_they_cannot_work(
    settings: Settings, fields: dict[str, Any], kind: str
) -> None:
    async with application(settings) as app, listening(app) as address, Visitor(address) as ann:
        del app
        refusal = await ann.post("/challenges", fields, status=409)
        assert refusal["kind"] == kind


async def test_an_anchor_must_have_the_length_of_a_link(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        del app
        made = await ann.post("/challenges", {"sealed": True, "clock": BLITZ}, status=201)
        path = f"/challenges/{made['challenge']['id']}"
        short = await ann.ask("PUT", f"{path}/number", {"number": number(), "sealed": True}, status=422)
        assert "anchor" in short["sentence"]
        await ann.ask("PUT", f"{path}/number", {"number": Links(made["challenge"]["id"]).anchor, "sealed": True})
        short = await ben.accept(made["invite"], sealed=True, status=422)
        assert "anchor" in short["sentence"]
        assert (await ben.get(f"/challenges/{made['invite']}"))["sealed"] is True


async def test_a_client_without_links_cannot_begin_a_sealed_game(settings: Settings) -> None:
    """Such a client would send 32 random bytes as its number. It would lose on time, with no link to reveal."""
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        del app
        made = await ann.post("/challenges", {"sealed": True, "clock": BLITZ}, status=201)
        anchor = {"number": Links(made["challenge"]["id"]).anchor}
        path = f"/challenges/{made['challenge']['id']}/number"
        assert (await ann.ask("PUT", path, anchor, status=409))["kind"] == "sealed-mismatch"
        await ann.ask("PUT", path, {**anchor, "sealed": True})
        assert (await ben.accept(made["invite"], **anchor, status=409))["kind"] == "sealed-mismatch"
        plain = await ann.challenge(clock=BLITZ)
        assert (await ben.accept(plain["invite"], sealed=True, status=409))["kind"] == "sealed-mismatch"


async def test_a_rematch_has_sealed_draws_too(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        del app
        async with started(ann, ben) as table:
            await table.sockets["sea"].send("resign")
            made = await ann.post(f"/games/{table.game['id']}/rematch", {}, status=201)
            assert made["challenge"]["sealed"] is True


@pytest.mark.slow
async def test_players_on_two_processes_reveal_their_links(settings: Settings, postgres: PostgresServer) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS, public=True)
    with Process(shared) as first, Process(shared) as second:
        async with Visitor(first.address) as ann, Visitor(second.address) as ben:
            async with started(ann, ben, clock=BLITZ) as table:
                for _ in range(2):
                    await table.play_to_a_draw()
                    await table.reveal(*table.game["now"]["owed"])
                    assert table.game["steps"][-1]["by"] == "chance"
                await table.sockets["sea"].send("resign")
                game = table.game
            record = await record_of(ann, game)
            assert {verdict for _, verdict in findings(record)} == {"right"}
