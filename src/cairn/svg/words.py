"""Text alternatives for the drawings, for screen readers."""

from __future__ import annotations

from cairn.vocabulary import SPACES, TRIBES, Deck, Setup, Space


def name(setup: Setup) -> str:
    """A short name for the drawing."""
    scores = ", ".join(f"{tribe.value.capitalize()} {setup.scores[tribe]}" for tribe in TRIBES)
    return f"Cairn: {setup.active.value.capitalize()} to play; score: {scores}"


def description(setup: Setup) -> str:
    """A description of everything on the table."""
    sentences = []
    for tribe in TRIBES:
        spaces = [str(space) for space in SPACES if setup.shamans.get(space) is tribe]
        where = f"on {', '.join(spaces)}" if spaces else "nowhere on the field"
        waiting = f"{setup.village(tribe)} wait in the village"
        sentences.append(f"{tribe.value.capitalize()}'s shamans stand {where}; {waiting}.")
    stones = [f"{setup.megaliths[space].name} on {space}" for space in SPACES if space in setup.megaliths]
    sentences.append(f"Megaliths: {', '.join(stones) or 'none'}.")
    sentences.append(f"Upcoming: {', '.join(tile.name for tile in setup.upcoming if tile) or 'none'}.")
    sentences.append(f"Deck: {deck(setup.deck)}.")
    return " ".join(sentences)


def space(setup: Setup, place: Space) -> str:
    """The pieces on one space."""
    tile, tribe = setup.megaliths.get(place), setup.shamans.get(place)
    standing = [f"{tribe.value.capitalize()}'s shaman"] if tribe else []
    standing += [f"{tile.name} ({tile.powers['en']})"] if tile else []
    return f"{place}: {' on '.join(standing)}"


def deck(tiles: Deck) -> str:
    """The tiles that may still be drawn. Those in known order are listed in that order."""
    if not len(tiles):
        return "empty"
    unknown = f"in unknown order {', '.join(tile.name for tile in sorted(tiles.unknown))}" if tiles.unknown else ""
    known = f"in this order {', '.join(tile.name for tile in tiles.known)}" if tiles.known else ""
    return f"{len(tiles)} left: " + "; then ".join(part for part in (unknown, known) if part)
