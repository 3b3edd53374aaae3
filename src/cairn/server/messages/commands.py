"""Commands over a game's socket: the commands that change the game, and a few that exist only on the socket."""

from __future__ import annotations

import json
from typing import Annotated, Final, Literal, TypeAlias

import pydantic

from cairn.server.errors import Refusal
from cairn.server.game.commands import Answer, Claim, CommandId, Confirm, Offer, Play, Resign, Reveal, Undo
from cairn.server.messages.base import Message
from cairn.server.messages.chat import Say
from cairn.server.messages.lobby import Secret
from cairn.server.messages.problems import fault_sentence

LONGEST_ID: Final = 40
MOST_FAULTS: Final = 3


class Hello(Message):
    """Present a seat token. The answer is the whole game, in which ``you`` includes the seat's tribe."""

    type: Literal["hello"]
    id: CommandId | None = None
    seat: Secret


class Ping(Message):
    """Measure the round-trip time. The answer is a ``DoneMessage``."""

    type: Literal["ping"]
    id: CommandId | None = None


SocketCommand: TypeAlias = Annotated[
    Hello | Play | Undo | Confirm | Offer | Answer | Resign | Claim | Reveal | Say | Ping,
    pydantic.Field(discriminator="type"),
]

_ADAPTER: Final[pydantic.TypeAdapter[SocketCommand]] = pydantic.TypeAdapter(SocketCommand)


def parse_command(text: str) -> SocketCommand:
    """Parse the command in a frame. Raises :class:`Refusal` with the reason if the command is malformed."""
    try:
        return _ADAPTER.validate_json(text)
    except pydantic.ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)[:MOST_FAULTS]
        sentence = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault_sentence(fault)}" for fault in faults)
        raise Refusal(422, "malformed", sentence) from None


def id_in(text: str) -> str | None:
    """The id of a malformed command, for the refusal; ``None`` if it has no valid id."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = given.get("id") if isinstance(given, dict) else None
    return found if isinstance(found, str) and 1 <= len(found) <= LONGEST_ID else None
