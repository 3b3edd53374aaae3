"""Accounts: sign-up, sign-in, passwords, bot tokens, export and deletion."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path, Request, Response

from cairn.server.messages.accounts import (
    AccountExport,
    Deletion,
    Me,
    NewPassword,
    NewToken,
    PasswordChange,
    SignIn,
    SignUp,
    TokenList,
    TokenRequest,
    TokenView,
)
from cairn.server.messages.players import player_view
from cairn.server.players.identity import BotToken, SignedIn, Visitor
from cairn.server.storage.players.rows import Player, Session
from cairn.server.web.dependencies import (
    AccountDep,
    AddressDep,
    CurrentPlayerDep,
    PersonDep,
    ServicesDep,
    VisitorDep,
    api_router,
)
from cairn.server.web.middleware import session_cookie

router: Final = api_router("/api", "account")

TokenId = Annotated[str, Path(description="The id of a token.", max_length=100)]
Secret = Annotated[str, Path(description="The secret at the end of the link.", max_length=100)]


@router.get("/me")
async def get_me(player: CurrentPlayerDep) -> Me:
    """The player that you are signed in as. This request does not create a guest."""
    return _me(player)


@router.post("/account", status_code=201)
async def sign_up(
    body: SignUp, request: Request, visitor: VisitorDep, address: AddressDep, services: ServicesDep
) -> Me:
    """Create an account and sign in. A guest keeps their id and games."""
    signed_in = await services.identity.sign_up(visitor.player, body.name, body.password.get_secret_value(), address)
    return _set_cookie(request, signed_in)


@router.post("/session")
async def sign_in(
    body: SignIn, request: Request, visitor: VisitorDep, address: AddressDep, services: ServicesDep
) -> Me:
    """Sign in. Ends the browser's current session."""
    signed_in = await services.identity.sign_in(body.name, body.password.get_secret_value(), address)
    if visitor.session and visitor.session.kind == "browser":
        await services.identity.sign_out(visitor.session)
    return _set_cookie(request, signed_in)


@router.delete("/session", status_code=204)
async def sign_out(request: Request, visitor: PersonDep, services: ServicesDep) -> None:
    """Sign out. A guest cannot sign in again."""
    _, session = _known(visitor)
    await services.identity.sign_out(session)
    session_cookie.forget(request)


@router.delete("/account", status_code=204)
async def delete_account(body: Deletion, request: Request, visitor: PersonDep, services: ServicesDep) -> None:
    """Delete your personal data and your bots. Your games are kept, but show you as a deleted player."""
    player, _ = _known(visitor)
    await services.identity.delete(player, body.password.get_secret_value() if body.password else None)
    session_cookie.forget(request)


@router.get("/account/export")
async def export_account(response: Response, visitor: PersonDep, services: ServicesDep) -> AccountExport:
    """All data that the server stores about you."""
    player, _ = _known(visitor)
    time, tables = await services.identity.export(player)
    response.headers["Content-Disposition"] = f'attachment; filename="cairn-{player.id}.json"'
    return AccountExport.model_validate({"player": player_view(player.public), "exported": time, "tables": tables})


@router.post("/account/password", status_code=204)
async def change_password(body: PasswordChange, visitor: AccountDep, services: ServicesDep) -> None:
    """Set a new password. Signs out all other browsers; bot tokens stay valid."""
    player, session = _known(visitor)
    await services.identity.change_password(player, session, body.old.get_secret_value(), body.new.get_secret_value())


@router.post("/reset/{token}")
async def reset_password(
    token: Secret, body: NewPassword, request: Request, address: AddressDep, services: ServicesDep
) -> Me:
    """Set a new password with a link from an administrator, and sign in. The link works only once."""
    return _set_cookie(request, await services.identity.use_reset(token, body.password.get_secret_value(), address))


@router.post("/account/tokens", status_code=201)
async def create_token(body: TokenRequest, visitor: AccountDep, services: ServicesDep) -> NewToken:
    """Create a token for one of your bots. Creates the bot if you have none with that name."""
    player, _ = _known(visitor)
    created = await services.identity.new_bot_token(player, body.bot, body.label)
    return NewToken(token=created.token, about=_token_view(created))


@router.get("/account/tokens")
async def list_tokens(visitor: AccountDep, services: ServicesDep) -> TokenList:
    """The tokens of your bots, without their secrets."""
    player, _ = _known(visitor)
    bots, tokens = await services.identity.bots_of(player)
    return TokenList(tokens=[_token_view(each) for each in tokens], bots=[player_view(bot.public) for bot in bots])


@router.delete("/account/tokens/{token}", status_code=204)
async def revoke_token(token: TokenId, visitor: AccountDep, services: ServicesDep) -> None:
    """Revoke a token immediately. The bot keeps its name and games."""
    player, _ = _known(visitor)
    await services.identity.revoke_bot_token(player, token)


def _me(player: Player | None) -> Me:
    if player is None:
        return Me(player=None)
    return Me(player=player_view(player.public), admin=player.admin, muted=player.muted)


def _set_cookie(request: Request, signed_in: SignedIn) -> Me:
    session_cookie.remember(request, signed_in.token)
    return _me(signed_in.player)


def _known(visitor: Visitor) -> tuple[Player, Session]:
    if visitor.player is None or visitor.session is None:
        raise TypeError("the route must depend on PersonDep or AccountDep")
    return visitor.player, visitor.session


def _token_view(token: BotToken) -> TokenView:
    session = token.session
    return TokenView(
        id=session.id,
        bot=player_view(token.bot.public),
        label=session.label or "",
        created=session.created,
        seen=session.seen,
    )
