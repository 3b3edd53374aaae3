"""For administrators: password resets, muting, reports, damaged games and traffic."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path, Query, Request

from cairn.server.messages.accounts import (
    DamageList,
    DamageView,
    Mute,
    PlayerDetails,
    ReportList,
    ReportView,
    ResetLink,
)
from cairn.server.messages.players import player_view
from cairn.server.messages.traffic import Traffic
from cairn.server.storage.players.rows import Player
from cairn.server.web.dependencies import AdminDep, ServicesDep, api_router

router: Final = api_router("/api/admin", "admin")

PlayerName = Annotated[str, Path(description="The name or id of a player.", max_length=100)]
ReportId = Annotated[int, Path(description="The number of a report.", ge=1, le=2_000_000_000)]


@router.post("/players/{name}/reset", status_code=201)
async def issue_reset(name: PlayerName, request: Request, admin: AdminDep, services: ServicesDep) -> ResetLink:
    """Create a link that lets a player set a new password, once and within 24 hours. Older links expire."""
    reset = await services.identity.issue_reset(name, admin.id)
    # A fragment is not sent to the server, so the secret does not appear in proxy logs.
    return ResetLink(link=f"{request.base_url}reset#{reset.token}", expires=reset.expires)


@router.post("/players/{name}/mute")
async def mute_player(name: PlayerName, body: Mute, admin: AdminDep, services: ServicesDep) -> PlayerDetails:
    """Mute or unmute a player in chat."""
    return _details(await services.identity.mute(name, body.muted, admin.id))


@router.get("/reports")
async def list_reports(
    admin: AdminDep,
    services: ServicesDep,
    done: bool | None = None,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ReportList:
    """Reports, newest first. Set ``done`` to list only the reports that are done, or only those that are not."""
    found, total = await services.identity.reports(done, offset, limit, admin.id)
    views = [
        ReportView(
            id=each.id,
            game=each.game,
            by=_details(each.by),
            about=_details(each.about) if each.about else None,
            text=each.text,
            created=each.created,
            done=each.done,
            puzzle=each.puzzle,
        )
        for each in found
    ]
    return ReportList(reports=views, total=total)


@router.post("/reports/{report}/done", status_code=204)
async def finish_report(report: ReportId, admin: AdminDep, services: ServicesDep) -> None:
    """Mark a report as done."""
    await services.identity.finish_report(report, admin.id)


@router.get("/damage")
async def list_damage(admin: AdminDep, services: ServicesDep) -> DamageList:
    """Damage that this process has found in the database since it started. All logs are verified in the background."""
    games = [
        DamageView(game=each.game, damage=each.damage, found=each.found) for each in services.damaged_games.listed()
    ]
    return DamageList(database=services.database.backend.damage, games=games)


@router.get("/traffic")
async def read_traffic(admin: AdminDep, services: ServicesDep) -> Traffic:
    """The traffic of the responding process in the last 15 minutes: busy clients, stalls, and suspicious pairs.

    The report is kept in memory; networks are not stored in the database.
    """
    return await services.traffic.read(admin.id)


def _details(player: Player) -> PlayerDetails:
    return PlayerDetails(
        player=player_view(player.public), created=player.created, admin=player.admin, muted=player.muted
    )
