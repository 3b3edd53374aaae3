"""Messages about accounts, bot tokens and reports."""

from __future__ import annotations

import datetime
from typing import Annotated, Final, TypeAlias

import pydantic

from cairn.server.messages.base import Message
from cairn.server.messages.players import PlayerView

LONGEST_PASSWORD: Final = 1_000

NameText: TypeAlias = Annotated[
    str, pydantic.Field(max_length=100, description="3 to 20 characters: letters of any script, digits, - and _.")
]


def _without_surrogates(password: pydantic.SecretStr) -> pydantic.SecretStr:
    # Pydantic itself checks this for ordinary strings, but not for secrets.
    if any("\ud800" <= character <= "\udfff" for character in password.get_secret_value()):
        raise ValueError("contains a lone surrogate, which is not a character")
    return password


Password: TypeAlias = Annotated[
    pydantic.SecretStr,
    pydantic.Field(
        max_length=LONGEST_PASSWORD,
        description=(
            "At least 8 characters of any kind. A new password must not be among the most common ones or contain the "
            "player's name."
        ),
    ),
    pydantic.AfterValidator(_without_surrogates),
]


class Me(Message):
    """The player that you are signed in as."""

    player: PlayerView | None
    """``null`` until you change something for the first time. Before that, the server stores nothing about you."""
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
    """A request to delete your account or guest player."""

    password: Password | None = None
    """The password of the account. Guests have none."""


class AccountExport(Message):
    """All data that the server stores about a player."""

    player: PlayerView
    exported: datetime.datetime
    tables: dict[str, list[dict[str, pydantic.JsonValue]]]
    """The rows about the player and their bots, by table. Passwords and tokens are left out."""


class TokenRequest(Message):
    """A token to create for a bot."""

    bot: NameText
    """The name of one of your bots, or of a new bot."""
    label: Annotated[str, pydantic.Field(max_length=40)] = ""
    """Your label for the token."""


class TokenView(Message):
    """A bot token, without its secret."""

    id: str
    bot: PlayerView
    label: str
    created: datetime.datetime
    seen: datetime.datetime
    """When the token was last used, to the day."""


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
    """A link that lets a player set a new password once."""

    link: str
    expires: datetime.datetime


class Mute(Message):
    """Mute or unmute a player in chat."""

    muted: bool = True


class PlayerDetails(Message):
    """The data about a player that administrators can see."""

    player: PlayerView
    created: datetime.datetime
    admin: bool
    muted: bool


class ReportView(Message):
    """A player's report to the administrators."""

    id: int
    game: str | None
    by: PlayerDetails
    about: PlayerDetails | None
    text: str
    created: datetime.datetime
    done: bool
    puzzle: str | None
    """The id of a puzzle, if the report is about one."""


class ReportList(Message):
    """A page of reports, newest first."""

    reports: list[ReportView]
    total: int
    """The total number of reports."""


class DamageView(Message):
    """A game that is damaged in the database."""

    game: str
    damage: str
    """A description of the damage."""
    found: datetime.datetime


class DamageList(Message):
    """The damage that the server has found so far."""

    database: str | None
    """Damage to the database as a whole."""
    games: list[DamageView]
    """Damaged games, most recently found first. They cannot be opened; all other games can be opened."""
