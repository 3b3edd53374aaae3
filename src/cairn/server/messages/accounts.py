"""Messages about accounts, bots' tokens and reports."""

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
    pydantic.SecretStr, pydantic.Field(max_length=LONGEST_PASSWORD, description="At least 8 characters of any kind.")
]


class Me(Message):
    """The player that you are signed in as."""

    player: PlayerView | None
    """``null`` before your first change: the server does not know you yet."""
    admin: bool = False
    muted: bool = False


class SignUp(Message):
    """A new account."""

    name: NameText
    password: Password


class SignIn(Message):
    """The name and password of an account."""

    name: NameText
    password: Password


class PasswordChange(Message):
    """The current password and a new one."""

    old: Password
    new: Password


class NewPassword(Message):
    """A new password."""

    password: Password


class Deletion(Message):
    """Delete the player."""

    password: Password | None = None
    """The password of an account. Guests have none."""


class AccountExport(Message):
    """All data that the server stores about a player."""

    player: PlayerView
    exported: datetime.datetime
    tables: dict[str, list[dict[str, pydantic.JsonValue]]]
    """The rows about the player and their bots, by table, without passwords and tokens."""


class TokenWish(Message):
    """A token to create for a bot."""

    bot: NameText
    """The name of the bot: one of yours, or a new one."""
    label: Annotated[str, pydantic.Field(max_length=40)] = ""
    """Your label for the token."""


class TokenView(Message):
    """A bot's token, without the secret."""

    id: str
    bot: PlayerView
    label: str
    created: datetime.datetime
    seen: datetime.datetime
    """When it was last used, to the day."""


class NewToken(Message):
    """A new token."""

    token: str
    """The secret, for the header ``Authorization: Bearer TOKEN``. It is sent only once."""
    about: TokenView


class TokenList(Message):
    """The tokens of your bots."""

    tokens: list[TokenView]
    bots: list[PlayerView]
    """All your bots, including those without a token."""


class ResetLink(Message):
    """A link with which a player can set a new password once."""

    link: str
    expires: datetime.datetime


class Mute(Message):
    """Mute or unmute a player in chat."""

    muted: bool = True


class PlayerDetails(Message):
    """A player as administrators see them."""

    player: PlayerView
    created: datetime.datetime
    admin: bool
    muted: bool


class ReportView(Message):
    """A report of a player to the administrators."""

    id: int
    game: str | None
    by: PlayerDetails
    about: PlayerDetails | None
    text: str
    created: datetime.datetime
    done: bool


class ReportList(Message):
    """A page of reports, newest first."""

    reports: list[ReportView]
    total: int
    """The number of reports on all pages."""
