"""A name that looks like another player's name is refused, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa

from cairn.server.errors import Refusal
from cairn.server.players import names
from cairn.server.players.identity import Identity
from cairn.server.players.limits import NO_LIMITS, Limiter
from cairn.server.players.passwords import Passwords
from cairn.server.storage.engines.database import Database
from cairn.server.storage.players.repository import PlayerRepository
from cairn.server.storage.tables import name_shapes, players
from cairn.server.unicode.confusables import shapes
from tests.server.places import downgrade

pytestmark = pytest.mark.anyio

PASSWORD: Final = "correct horse"
LOOKALIKES: Final = {
    "Admin": ["ADMlN", "Adm\u0131n", "Adm\u0131\u0307n", "Adrnin", "\ua4ee\ua4d3\ua4df\ua4f2\ua4e0"],
    "alex": ["AIex", "A1ex", "\u0410\u04cf\u0435\u0445", "\ua4ee\ua4e1\ua4f0\ua4eb"],
    "Cox": ["\u0421\u043e\u0445", "\u2ca4\u2c9e\u2cac", "C0x"],
    "volo": ["\u05d8\u05e1\u05d5\u05e1", "v0l0"],
}
"""Names, each with look-alikes in Latin, Cyrillic, Lisu, Coptic or Hebrew letters."""
DISTINCT: Final = [
    "Ann",
    "Anna",
    "Änn",
    "Ann-",
    "Ann_",
    "Ann2",
    "Kai",
    "Kal",
    "Lia",
    "Ila",
    "Иван",
    "Νίνα",
    "김철수",
    "Bo7",
]


@contextlib.asynccontextmanager
async def identity_at(place: Path | str) -> AsyncIterator[Identity]:
    database, passwords = await Database.open(place), Passwords(1)
    try:
        yield Identity(PlayerRepository(database), passwords, Limiter(NO_LIMITS))
    finally:
        passwords.close()
        await database.close()


async def refusal_of(identity: Identity, name: str) -> str:
    """Try to sign up with a name that must be refused; return the kind of the refusal."""
    with pytest.raises(Refusal) as caught:
        await identity.sign_up(None, name, PASSWORD, "here")
    return caught.value.kind


async def test_a_lookalike_of_another_name_is_refused(place: Path | str) -> None:
    async with identity_at(place) as identity:
        for name, lookalikes in LOOKALIKES.items():
            owner = await identity.sign_up(None, name, PASSWORD, "here")
            for lookalike in lookalikes:
                assert await refusal_of(identity, lookalike) == "name-similar", lookalike
                with pytest.raises(Refusal, match="looks like"):
                    await identity.new_bot_token(owner.player, lookalike, "")
            assert await refusal_of(identity, name.swapcase()) == "name-taken"


@pytest.mark.slow
def test_a_shape_fits_its_column() -> None:
    letters = (chr(code) for code in range(sys.maxunicode + 1))
    valid = (each for each in letters if each.isalpha() and unicodedata.is_normalized("NFKC", each))
    longest = names.LONGEST * max(len(shape) for letter in valid for shape in shapes(letter))
    column = name_shapes.c.shape.type
    assert isinstance(column, sa.String)
    assert column.length is not None
    assert 100 < longest <= column.length


async def test_a_guest_cannot_sign_up_with_a_lookalike(place: Path | str) -> None:
    async with identity_at(place) as identity:
        await identity.sign_up(None, "alex", PASSWORD, "here")
        guest = await identity.guest("here")
        with pytest.raises(Refusal) as caught:
            await identity.sign_up(guest.player, "AIex", PASSWORD, "here")
        assert caught.value.kind == "name-similar"
        assert (await identity.sign_up(guest.player, "Alexa", PASSWORD, "here")).player.id == guest.player.id


async def test_names_that_look_different_are_accepted(place: Path | str) -> None:
    async with identity_at(place) as identity:
        for name in DISTINCT:
            assert (await identity.sign_up(None, name, PASSWORD, "here")).player.name == name


async def test_a_lookalike_of_an_official_name_is_refused_even_if_nobody_has_that_name(place: Path | str) -> None:
    async with identity_at(place) as identity:
        for lookalike in LOOKALIKES["Admin"]:
            assert await refusal_of(identity, lookalike) == "name-similar", lookalike
        assert (await identity.sign_up(None, "Admin", PASSWORD, "here")).player.name == "Admin"


async def test_only_one_of_several_simultaneous_lookalikes_is_accepted(place: Path | str) -> None:
    async with identity_at(place) as identity:
        wanted = ["alex", *LOOKALIKES["alex"]]
        signing_up = (identity.sign_up(None, name, PASSWORD, "here") for name in wanted)
        outcomes = await asyncio.gather(*signing_up, return_exceptions=True)
        refusals = [each for each in outcomes if isinstance(each, BaseException)]
        assert len(refusals) == len(wanted) - 1
        assert {each.kind for each in refusals if isinstance(each, Refusal)} == {"name-similar"}


async def test_a_deleted_players_name_and_its_lookalikes_are_free_again(place: Path | str) -> None:
    async with identity_at(place) as identity:
        owner = await identity.sign_up(None, "alex", PASSWORD, "here")
        await identity.new_bot_token(owner.player, "Cox", "")
        await identity.delete(owner.player, PASSWORD)
        for name in ("AIex", "C0x"):
            assert (await identity.sign_up(None, name, PASSWORD, "here")).player.name == name


async def test_a_lookalike_is_not_mistaken_for_the_name_that_it_resembles(place: Path | str) -> None:
    async with identity_at(place) as identity:
        await identity.sign_up(None, "alex", PASSWORD, "here")
        with pytest.raises(Refusal, match="no such player"):
            await identity.find("AIex")
        with pytest.raises(Refusal, match="wrong"):
            await identity.sign_in("AIex", PASSWORD, "here")


# --- Existing accounts


async def test_existing_lookalikes_keep_their_names(place: Path | str) -> None:
    """The migration reserves each shape for the first player whose name has it."""
    async with identity_at(place) as identity:
        for name in ("alex", "Bob"):
            await identity.sign_up(None, name, PASSWORD, "here")
    database = await Database.open(place)
    await database.write(_without_shapes)
    await database.close()
    async with identity_at(place) as identity:
        assert [(await identity.find(name)).name for name in ("alex", "AIex", "Bob")] == ["alex", "AIex", "Bob"]
        assert await refusal_of(identity, "Alex") == "name-taken"
        assert await refusal_of(identity, "\ua4ee\ua4e1\ua4f0\ua4eb") == "name-similar"
        assert await refusal_of(identity, "B0b") == "name-similar"
        assert (await identity.sign_up(None, "Bobby", PASSWORD, "here")).player.name == "Bobby"


def _without_shapes(connection: sa.Connection) -> None:
    """Downgrade the database to version 5, and add a look-alike, which that version allowed."""
    first = connection.execute(sa.select(players)).mappings().first()
    assert first is not None
    connection.execute(players.insert().values({**first, "id": "other", "name": "AIex", "key": "aiex"}))
    downgrade(connection, "0005")


# --- Scripts


@pytest.mark.parametrize(
    "name", ["Adm\u05d5n", "Adm\u2c93n", "\ua4eedmin", "Ann\u0531", "Иvan", "ΑΒГ", "김さん", "\u13a0AB"]
)
def test_a_name_that_mixes_scripts_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match="one script") as caught:
        names.checked(name)
    assert (caught.value.status, caught.value.kind) == (422, "bad-name")


@pytest.mark.parametrize(
    "name", ["小明さんカナ", "小明ABC", "カナab1", "김철수金A", "ㄅㄆ小A", "Zoë7", "Ольга-7", "Нґёй", "٣محمد"]
)
def test_usual_combinations_of_scripts_are_accepted(name: str) -> None:
    assert names.checked(name) == name


def test_digits_of_two_kinds_are_refused() -> None:
    with pytest.raises(Refusal, match="digits of one kind"):
        names.checked("محمد٣4")
