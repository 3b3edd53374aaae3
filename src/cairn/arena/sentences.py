"""Format the standings as text: as one line while games are played, as a summary at the end."""

from __future__ import annotations

import math

from cairn.arena.standings import Standings


def line(standings: Standings) -> str:
    """The standings in one line."""
    return _line_of_two(standings) if len(standings.settings.players) == 2 else _line_of_all(standings)


def summary(standings: Standings) -> str:
    """The final standings."""
    lines = _two(standings) if len(standings.settings.players) == 2 else _several(standings)
    for (player, kind), times in sorted(standings.forfeits.items()):
        lines.append(f"games that {standings.settings.names[player]} forfeited ({kind}): {times}")
    return "\n".join(lines)


def number(value: float) -> str:
    """An Elo difference with its sign.

    >>> number(12.34), number(-math.inf)
    ('+12.3', '-inf')
    """
    return f"{value:+.1f}"


def _elo(standings: Standings) -> str:
    found = standings.estimate()
    if found is None:
        return "Elo unknown"
    if math.isinf(found.margin):
        return f"Elo {number(found.elo)} ({number(found.low)} to {number(found.high)})"
    return f"Elo {number(found.elo)} ± {found.margin:.1f}"


def _test(standings: Standings) -> str:
    sprt, ratio = standings.settings.sprt, standings.log_likelihood_ratio
    if sprt is None or ratio is None:
        return ""
    low, high = sprt.bounds
    return f"LLR {ratio:.2f} ({low:.2f} to {high:.2f}) [{sprt.elo0:g}, {sprt.elo1:g}]"


def _line_of_two(standings: Standings) -> str:
    (score,) = standings.scores.values()
    parts = (f"+{score.wins} ={score.draws} -{score.losses}", _elo(standings), _test(standings))
    return ", ".join(part for part in parts if part)


def _line_of_all(standings: Standings) -> str:
    scale = standings.scale()
    best = max(range(len(scale.elos)), key=lambda player: scale.elos[player])
    return f"first: {standings.settings.names[best]}, Elo {number(scale.elos[best])} ± {scale.margin(best):.1f}"


def _two(standings: Standings) -> list[str]:
    first, second = standings.settings.names
    (score,) = standings.scores.values()
    share = f", {score.points / score.games:.1%}" if score.games else ""
    found = standings.estimate()
    superiority = f", superiority {found.superiority:.1%}" if found else ""
    lines = [
        f"{first} against {second}: {score.games} games, +{score.wins} ={score.draws} -{score.losses}{share}",
        f"{_elo(standings)} (95%){superiority}, pairs {standings.pentanomial}",
    ]
    if standings.settings.sprt:
        lines.append(f"{_test(standings)}: {standings.verdict.value}")
    return lines


def _several(standings: Standings) -> list[str]:
    names, scale = standings.settings.names, standings.scale()
    width = max(len("player"), *map(len, names))
    lines = [f"  #  {'player':{width}}      Elo      ±  games  score"]
    ranking = sorted(range(len(names)), key=lambda player: -scale.elos[player])
    for rank, player in enumerate(ranking, start=1):
        games, points = standings.totals(player)
        share = f"{points / games:6.1%}" if games else "     -"
        elo = f"{scale.elos[player]:+8.1f} {scale.margin(player):6.1f}"
        lines.append(f"{rank:3}  {names[player]:{width}} {elo} {games:6} {share}")
    lines.append("Elo relative to the mean of all players, with 95% intervals")
    return lines
