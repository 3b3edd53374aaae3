"""A finished game has at most one open rematch offer, even if several are made at the same time."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from cairn.server.settings import Settings
from cairn.server.storage import migrations
from cairn.server.storage.engines.database import Database
from cairn.server.storage.tables import challenges
from harness.server.processes import listening
from harness.server.visitors import application, begun, table, two
from tests.server.places import downgrade, settings_at

pytestmark = pytest.mark.anyio

ROUNDS = 5


async def test_only_one_of_several_simultaneous_offers_succeeds(settings: Settings, place: Path | str) -> None:
    async with table(settings_at(settings, place)) as address, two(address) as (ann, ben):
        for _ in range(ROUNDS):
            game = await begun(ann, ben)
            await ann.post(f"/games/{game['id']}/resign", {})
            path = f"/api/games/{game['id']}/rematch"
            answers = await asyncio.gather(*(visitor.http.post(path) for visitor in (ann, ben, ann, ben)))
            assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
            assert {answer.json()["kind"] for answer in answers if answer.status_code == 409} == {"rematch-offered"}
            (offered,) = (await ann.get(f"/games/{game['id']}/rematch"))["challenges"]
            # Once the offer is withdrawn, another one can be made.
            for visitor in (ann, ben):
                await visitor.http.delete(f"/api/challenges/{offered['id']}")
            await ben.post(f"/games/{game['id']}/rematch", status=201)


async def test_the_migration_withdraws_all_offers_but_the_oldest(settings: Settings, place: Path | str) -> None:
    async with application(settings_at(settings, place)) as app, listening(app) as address, two(address) as (ann, ben):
        game, other = [await begun(ann, ben) for _ in range(2)]
        for each in (game, other):
            await ann.post(f"/games/{each['id']}/resign", {})
            await ann.post(f"/games/{each['id']}/rematch", status=201)
        await ann.challenge()
        await ann.challenge()
        database: Database = app.state.services.database
        first = await database.write(lambda connection: _as_version_3(connection, game["id"]))
        before = await database.read(_states)
    async with application(settings_at(settings, place)) as app:
        database = app.state.services.database
        after = await database.read(_states)
        assert await database.read(migrations.version_in) == migrations.newest_version()
        with pytest.raises(sa.exc.IntegrityError):
            await database.write(lambda connection: _offer_again(connection, first, "later", 5))
    withdrawn = {"earlier": "open", "same": "withdrawn", "later": "withdrawn", first: "withdrawn"}
    assert after == before | withdrawn


def _as_version_3(connection: sa.Connection, game: str) -> str:
    """Downgrade the database to version 3 and add rematch offers; return the id of the offer that existed before."""
    downgrade(connection, "0003")
    first = connection.execute(sa.select(challenges.c.id).where(challenges.c.rematch_of == game)).scalar_one()
    _offer_again(connection, first, "earlier", -60)
    _offer_again(connection, first, "same", -60)
    _offer_again(connection, first, "later", 60)
    _offer_again(connection, first, "accepted", -120, state="accepted")
    return str(first)


def _offer_again(connection: sa.Connection, offer: str, name: str, seconds: int, **changes: Any) -> None:
    """Copy an offer under another id. The copy is dated ``seconds`` later than the original."""
    columns = [column for column in challenges.c if column.name != "sealed"]  # added in version 8
    row = connection.execute(sa.select(*columns).where(challenges.c.id == offer)).one()._asdict()
    created = row["created"] + datetime.timedelta(seconds=seconds)
    new = {"id": name, "created": created, "invite_hash": name, "seat_hash": name, "state": "open"}
    connection.execute(challenges.insert().values(**{**row, **new, **changes}))


def _states(connection: sa.Connection) -> dict[str, str]:
    return {row.id: row.state for row in connection.execute(sa.select(challenges.c.id, challenges.c.state))}
