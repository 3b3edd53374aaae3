"""Accounts: who one is, signing up, in and out, the password, bots' tokens, export and deletion."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from cairn.server import cookies
from cairn.server.account_models import (
    AccountExport,
    Deletion,
    Me,
    NewPassword,
    NewToken,
    PasswordChange,
    PlayerView,
    SignIn,
    SignUp,
    TokenList,
    TokenView,
    TokenWish,
)
from cairn.server.identity import BotToken, SignedIn, Visitor
from cairn.server.identity_storage import Player, Session
from cairn.server.routes.common import (
    PROBLEMS,
    Address,
    AVisitor,
    CurrentPlayer,
    Knows,
    NeedsAccount,
    NeedsPerson,
)

router: Final = APIRouter(prefix="/api", tags=["account"], responses=PROBLEMS)

TokenId = Annotated[str, Path(description="The id of a token.", max_length=100)]
Secret = Annotated[str, Path(description="The last part of the link.", max_length=100)]


@router.get("/me")
async def who_am_i(player: CurrentPlayer) -> Me:
    """Who you are to the server. Asking makes nobody of you."""
    return _me(player)


@router.post("/account", status_code=201)
async def sign_up(wish: SignUp, request: Request, visitor: AVisitor, address: Address, identity: Knows) -> Me:
    """Make an account, and be signed in. A guest becomes it and keeps everything."""
    made = await identity.sign_up(visitor.player, wish.name, wish.password.get_secret_value(), address)
    return _signed_in(request, made)


@router.post("/session")
async def sign_in(wish: SignIn, request: Request, visitor: AVisitor, address: Address, identity: Knows) -> Me:
    """Sign in, instead of whoever was known by this browser."""
    made = await identity.sign_in(wish.name, wish.password.get_secret_value(), address)
    if visitor.session and visitor.session.kind == "browser":
        await identity.sign_out(visitor.session)
    return _signed_in(request, made)


@router.delete("/session", status_code=204)
async def sign_out(request: Request, visitor: NeedsPerson, identity: Knows) -> None:
    """Sign out. A guest is then nobody's: their identity cannot be had back."""
    _, session = _known(visitor)
    await identity.sign_out(session)
    cookies.forget(request)


@router.delete("/account", status_code=204)
async def delete_account(wish: Deletion, request: Request, visitor: NeedsPerson, identity: Knows) -> None:
    """Forget everything about you and your bots. Games stay, as those of a deleted player."""
    player, _ = _known(visitor)
    await identity.delete(player, wish.password.get_secret_value() if wish.password else None)
    cookies.forget(request)


@router.get("/account/export")
async def export_account(response: Response, visitor: NeedsPerson, identity: Knows) -> AccountExport:
    """Everything that the server knows about you."""
    player, _ = _known(visitor)
    time, tables = await identity.export(player)
    response.headers["Content-Disposition"] = f'attachment; filename="cairn-{player.id}.json"'
    return AccountExport.model_validate({"player": view_of(player), "exported": time, "tables": tables})


@router.post("/account/password", status_code=204)
async def change_password(wish: PasswordChange, visitor: NeedsAccount, identity: Knows) -> None:
    """Another password. All other browsers are signed out; bots' tokens stay."""
    player, session = _known(visitor)
    await identity.change_password(player, session, wish.old.get_secret_value(), wish.new.get_secret_value())


@router.post("/reset/{token}")
async def reset_password(token: Secret, wish: NewPassword, request: Request, address: Address, identity: Knows) -> Me:
    """Choose a new password by a link of an administrator, and be signed in. The link works once."""
    return _signed_in(request, await identity.use_reset(token, wish.password.get_secret_value(), address))


@router.post("/account/tokens", status_code=201)
async def make_token(wish: TokenWish, visitor: NeedsAccount, identity: Knows) -> NewToken:
    """A token for a bot of yours, which is made if there is none of that name."""
    player, _ = _known(visitor)
    made = await identity.new_bot_token(player, wish.bot, wish.label)
    return NewToken(token=made.token, about=_token_view(made))


@router.get("/account/tokens")
async def list_tokens(visitor: NeedsAccount, identity: Knows) -> TokenList:
    """The tokens of your bots, without their secrets."""
    player, _ = _known(visitor)
    bots, tokens = await identity.bots_of(player)
    return TokenList(tokens=[_token_view(each) for each in tokens], bots=[view_of(bot) for bot in bots])


@router.delete("/account/tokens/{token}", status_code=204)
async def revoke_token(token: TokenId, visitor: NeedsAccount, identity: Knows) -> None:
    """End a token at once. The bot stays, with its games and its name."""
    player, _ = _known(visitor)
    await identity.revoke_bot_token(player, token)


def view_of(player: Player) -> PlayerView:
    """A player, as anybody may see them."""
    return PlayerView(id=player.id, kind=player.kind, name=player.name)


def _me(player: Player | None) -> Me:
    if player is None:
        return Me(player=None)
    return Me(player=view_of(player), admin=player.admin, muted=player.muted)


def _signed_in(request: Request, made: SignedIn) -> Me:
    cookies.remember(request, made.token)
    return _me(made.player)


def _known(visitor: Visitor) -> tuple[Player, Session]:
    assert visitor.player is not None  # noqa: S101  # the dependency has seen to it
    assert visitor.session is not None  # noqa: S101  # no player without a session
    return visitor.player, visitor.session


def _token_view(token: BotToken) -> TokenView:
    session = token.session
    return TokenView(
        id=session.id, bot=view_of(token.bot), label=session.label or "", created=session.created, seen=session.seen
    )
