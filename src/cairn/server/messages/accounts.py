"""The messages of the web API about players and accounts."""

from __future__ import annotations

import datetime
from typing import Annotated, Final, TypeAlias

import pydantic

from cairn.server.messages.base import Message
from cairn.server.messages.players import PlayerView

LONGEST_PASSWORD: Final = 1_000

NameText: TypeAlias = Annotated[
    str, pydantic.Field(max_length=100, description="3 to 20 letters of any script, digits, - and _.")
]


Password: TypeAlias = Annotated[
    pydantic.SecretStr, pydantic.Field(max_length=LONGEST_PASSWORD, description="8 characters or more, whichever.")
]


class Me(Message):
    """Who you are to the server."""

    player: PlayerView | None
    """``None`` before you have done anything: then the server knows nothing about you."""
    admin: bool = False
    muted: bool = False


class SignUp(Message):
    """A new account."""

    name: NameText
    password: Password


class SignIn(Message):
    """Name and password of an account."""

    name: NameText
    password: Password


class PasswordChange(Message):
    """The password that counts now, and the one that is to count."""

    old: Password
    new: Password


class NewPassword(Message):
    """The password that is to count."""

    password: Password


class Deletion(Message):
    """What it takes to delete an account."""

    password: Password | None = None
    """Guests have none."""


class AccountExport(Message):
    """Everything that the server knows about a player."""

    player: PlayerView
    exported: datetime.datetime
    tables: dict[str, list[dict[str, pydantic.JsonValue]]]
    """The rows about the player and their bots, by the table that they are in. Passwords and tokens are not in it."""


class TokenWish(Message):
    """A new token for a bot."""

    bot: NameText
    """The name of the bot: one of yours, or a new one."""
    label: Annotated[str, pydantic.Field(max_length=40)] = ""
    """What you call the token."""


class TokenView(Message):
    """A token, without what makes it work."""

    id: str
    bot: PlayerView
    label: str
    created: datetime.datetime
    seen: datetime.datetime
    """When it was last used, more or less."""


class NewToken(Message):
    """A token that was just made."""

    token: str
    """For the header ``Authorization: Bearer TOKEN``. It is shown only this once."""
    about: TokenView


class TokenList(Message):
    """The tokens of your bots."""

    tokens: list[TokenView]
    bots: list[PlayerView]
    """All your bots, also those without a token."""


class ResetLink(Message):
    """A link with which a player can choose a new password, once."""

    link: str
    expires: datetime.datetime


class Mute(Message):
    """Whether somebody may not talk."""

    muted: bool = True


class PlayerDetails(Message):
    """A player, as administrators see them."""

    player: PlayerView
    created: datetime.datetime
    admin: bool
    muted: bool


class ReportView(Message):
    """What somebody told about somebody."""

    id: int
    game: str | None
    by: PlayerDetails
    about: PlayerDetails | None
    text: str
    created: datetime.datetime
    done: bool


class ReportList(Message):
    """Reports, the newest first."""

    reports: list[ReportView]
    total: int
    """How many there are, on all pages."""
