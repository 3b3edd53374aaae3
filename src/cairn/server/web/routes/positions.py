"""Positions outside a game, for the editor and shared links."""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from fastapi.responses import Response
from starlette.requests import Request

from cairn.board import Board
from cairn.game import Game
from cairn.server.errors import malformed, refused_token
from cairn.server.messages.games import AnalysisLine, AnalysisQuery, AnalysisView, LineView, PositionQuery
from cairn.server.messages.views import line
from cairn.server.players.limits import TooMany
from cairn.server.players.workload import LINE_TOKEN, workload_of
from cairn.server.web.dependencies import PlayerDep, ServicesDep, api_router
from cairn.vocabulary import CairnError, MalformedError

MOST_WAITING: Final = 16
"""The maximum number of lines, across all clients, that may wait for the thread."""
TOKENS_PER_PAUSE: Final = 16
PAUSE_SECONDS: Final = 0.0001

Value = TypeVar("Value")

router: Final = api_router("/api/positions", "positions")

_thread: Final = concurrent.futures.ThreadPoolExecutor(1, "line")
"""A single thread. More would only make the event loop wait longer for the interpreter lock."""
_waiting: Final[set[asyncio.Future[Any]]] = set()


@router.post("/line", response_model=LineView)
async def get_line(query: PositionQuery, request: Request) -> Response:
    """Play up to 500 tokens from a position. Returns their steps and the choices that follow."""
    # Encoding takes milliseconds too, so it happens on the same thread.
    text = await _replay(query, request, lambda replayed: replayed.model_dump_json().encode())
    return Response(text, media_type="application/json")


@router.post("/analysis")
async def analyse_position(
    query: AnalysisQuery, request: Request, player: PlayerDep, services: ServicesDep
) -> AnalysisView:
    """Let the engine analyse a moment, for a page that cannot run the engine itself.

    Positions in your own running online games are refused, and so are lines that lead through one. The search is short,
    and its CPU time counts towards your rate limit.
    """
    replayed, game = await _replay(query, request, lambda each: (each, Game(query.position, query.tokens)))
    positions = {replayed.start, replayed.now.position, *(step.position for step in replayed.steps)}
    found = await services.analysis.analyse(player, game, positions, query.lines)
    lines = [AnalysisLine(tokens=list(map(str, each.tokens)), score=each.score.value) for each in found.lines]
    return AnalysisView(lines=lines, depth=found.depth, nodes=found.nodes)


async def _replay(query: PositionQuery, request: Request, then: Callable[[LineView], Value]) -> Value:
    """Play the tokens of a query on the thread for lines, and call ``then`` there with the line."""
    if work := workload_of(request.scope):
        work.charge(LINE_TOKEN * (1 + len(query.tokens)))
        work.require()
    if len(_waiting) > MOST_WAITING:
        raise TooMany(1)
    future = asyncio.get_running_loop().run_in_executor(_thread, lambda: then(_line(query)))
    _waiting.add(future)
    try:
        return await future
    finally:
        _waiting.discard(future)


def _line(query: PositionQuery) -> LineView:
    try:
        board = Board(query.position)
    except MalformedError as error:
        raise malformed(error, "Not a valid position") from None
    try:
        return line(board, _with_pauses(query.tokens))
    except CairnError as error:
        raise refused_token(error) from None


def _with_pauses(tokens: Sequence[str]) -> Iterator[str]:
    """The tokens, with short pauses. Without the pauses, the event loop would wait 5 ms for the interpreter lock."""
    for number, token in enumerate(tokens):
        if number % TOKENS_PER_PAUSE == 0:
            time.sleep(PAUSE_SECONDS)
        yield token
