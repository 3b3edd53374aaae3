"""Worked examples as plain data, for every implementation of the rules to reproduce.

Each example has a position, the tokens played from it, and the state after the last token, all in notation. This
module imports nothing from the package, so that any implementation can be tested with it.
"""

from __future__ import annotations

import dataclasses
from typing import Final


@dataclasses.dataclass(frozen=True)
class Example:
    """Tokens played from a position, and the state that they lead to."""

    name: str
    position: str
    tokens: str
    """The tokens, separated by spaces."""
    board: str
    """The seven fields after the last token."""
    phase: str
    decider: str
    legal: str | None = None
    """Every token that is legal in the final state, separated by spaces; ``None`` if this is not checked."""
    winner: str | None = None


PRINTED_EXAMPLES: Final = (
    # Leaving the field by jumping over an enemy: construct where the shaman stood, score, draw a new upcoming tile.
    Example(
        name="leave the field by jumping over an enemy",
        position="S1S1S/2F2/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) woem 0-0 F",
        tokens="c4-out",
        board="S1S1S/5/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        phase="build",
        decider="forest",
        legal="=DR =MD",
    ),
    Example(
        name="leave the field by jumping over an enemy, then build",
        position="S1S1S/2F2/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) woem 0-0 F",
        tokens="c4-out =DR",
        board="S1S1S/5/5/5/F3F b3CG,d3CD,c4DR --MD (ADCSPSSA) wofm 1-0 F",
        phase="draw",
        decider="chance",
        legal="?AD ?CS ?PS ?SA",
    ),
    Example(
        name="leave the field by jumping over an enemy, then build and draw",
        position="S1S1S/2F2/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) woem 0-0 F",
        tokens="c4-out =DR ?PS",
        board="S1S1S/5/5/5/F3F b3CG,d3CD,c4DR PSMD (ADCSSA) wofm 1-0 S",
        phase="action",
        decider="sea",
    ),
    # A transformation on a space that already holds a megalith banishes and flips, but builds and scores nothing.
    Example(
        name="a move that completes a line of three",
        position="5/3S1/1SF2/5/F1F2 c3CG,e3CD DRMD (ADCSPSSA) wofm 1-0 S",
        tokens="d4-d3",
        board="5/5/1SFS1/5/F1F2 c3CG,e3CD DRMD (ADCSPSSA) wdfm 1-0 S",
        phase="transform",
        decider="sea",
        legal="Tc3 pass",
    ),
    Example(
        name="transformation on a space that already holds a megalith",
        position="5/3S1/1SF2/5/F1F2 c3CG,e3CD DRMD (ADCSPSSA) wofm 1-0 S",
        tokens="d4-d3 Tc3",
        board="5/5/1S1S1/5/F1F2 c3CG,e3CD DRMD (ADCSPSSA) wdfe 1-0 F",
        phase="action",
        decider="forest",
    ),
    # Adding onto Deer Rock on a white totem: the tile is flipped first, then an adjacent shaman is moved.
    Example(
        name="adding onto Deer Rock on a white totem",
        position="S1S1S/5/5/5/F1F1F d1DR,d3CD MDAD (CGCSPSSA) wofm 0-0 F",
        tokens="+d1",
        board="S1S1S/5/5/5/F1FFF d1DR,d3CD MDAD (CGCSPSSA) bofm 0-0 F",
        phase="power",
        decider="forest",
        legal="c1-b1 c1-b2 c1-c2 c1-d2 e1-d2 e1-e2",
    ),
    Example(
        name="adding onto Deer Rock on a white totem, then moving an adjacent shaman",
        position="S1S1S/5/5/5/F1F1F d1DR,d3CD MDAD (CGCSPSSA) wofm 0-0 F",
        tokens="+d1 e1-e2",
        board="S1S1S/5/5/4F/F1FF1 d1DR,d3CD MDAD (CGCSPSSA) bofm 0-0 S",
        phase="action",
        decider="sea",
    ),
    # A jump over a friend onto Fairies Circle sends an enemy onto the Sanctuary; the enemy chooses a megalith to move.
    Example(
        name="a jump over a friend onto Fairies Circle",
        position="S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F",
        tokens="a1-c3",
        board="S2SS/5/2F2/1F3/4F c3FC,d4SA DRMD (ADCSPSTS) woem 0-0 F",
        phase="power",
        decider="forest",
        legal="a5-a4 a5-b4 a5-b5 d5-c4 d5-c5 d5-d4 d5-e4 e5-d4 e5-e4",
    ),
    Example(
        name="Fairies Circle sends an enemy onto the Sanctuary, and the enemy decides",
        position="S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F",
        tokens="a1-c3 d5-d4",
        board="S3S/3S1/2F2/1F3/4F c3FC,d4SA DRMD (ADCSPSTS) woem 0-0 F",
        phase="power",
        decider="sea",
        legal="c3~b2 c3~b3 c3~b4 c3~c2 c3~c4 c3~d2 c3~d3 d4~c4 d4~c5 d4~d3 d4~d5 d4~e3 d4~e4 d4~e5",
    ),
    Example(
        name="the Sanctuary moves a megalith; the shaman on it stays",
        position="S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F",
        tokens="a1-c3 d5-d4 c3~b3",
        board="S3S/3S1/2F2/1F3/4F b3FC,d4SA DRMD (ADCSPSTS) woem 0-0 S",
        phase="action",
        decider="sea",
    ),
)
"""The illustrated examples in the printed rulebooks. Each is a full position, even if the rulebook's text omits parts
that are visible in its picture."""


CLARIFICATIONS: Final = (
    Example(
        name="an enemy on the totem space is banished before the shaman is added",
        position="S1S1S/5/5/5/F1FSF b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        tokens="+d1",
        board="S1S1S/5/5/5/F1FFF b3CG,d3CD DRMD (ADCSPSSA) bofm 0-0 S",
        phase="action",
        decider="sea",
    ),
    Example(
        name="leaving from a space that already holds a megalith constructs nothing",
        position="S1F1S/5/5/5/F3F b3CG,c5CD DRMD (ADCSPSSA) wofm 0-0 F",
        tokens="c5-out",
        board="S3S/5/5/5/F3F b3CG,c5CD DRMD (ADCSPSSA) wdfm 0-0 S",
        phase="action",
        decider="sea",
    ),
    Example(
        name="a megalith that is moved under a shaman is not activated",
        position="S1S1S/5/5/1F3/1F2F c2DR,b3SA CDMD (ADCGCSPS) wofm 0-0 F",
        tokens="b2-b3 c2~b1",
        board="S1S1S/5/1F3/5/1F2F b1DR,b3SA CDMD (ADCGCSPS) wdfm 0-0 S",
        phase="action",
        decider="sea",
    ),
    Example(
        name="nobody suffers a transformation on their own turn",
        position="5/5/1S1S1/2F2/F3F - DRMD - wofm 0-0 F",
        tokens="c2-c3",
        board="5/5/1SFS1/5/F3F - DRMD - wdfm 0-0 S",
        phase="action",
        decider="sea",
    ),
    Example(
        name="a line of three in which no shaman was moved this turn does not count",
        position="S4/5/1SFS1/5/F3F - DRMD - wdfm 0-0 S",
        tokens="a5-b4",
        board="5/1S3/1SFS1/5/F3F - DRMD - wofm 0-0 F",
        phase="action",
        decider="forest",
    ),
    Example(
        name="a loop: the owner may stop the second time",
        position="S1S1S/5/5/1F3/4F b3MD,c3CS DRAD (CDCGPSSA) wofm 0-0 F",
        tokens="b2-b3 b3-c3 c3-b3",
        board="S1S1S/5/1F3/5/4F b3MD,c3CS DRAD (CDCGPSSA) wdfm 0-0 F",
        phase="power",
        decider="forest",
        legal="b3-a2 b3-a3 b3-a4 b3-b2 b3-b4 b3-c2 b3-c3 b3-c4 stop",
    ),
    Example(
        name="a loop: the owner stops",
        position="S1S1S/5/5/1F3/4F b3MD,c3CS DRAD (CDCGPSSA) wofm 0-0 F",
        tokens="b2-b3 b3-c3 c3-b3 stop",
        board="S1S1S/5/1F3/5/4F b3MD,c3CS DRAD (CDCGPSSA) wdfm 0-0 S",
        phase="action",
        decider="sea",
    ),
    Example(
        name="a loop: the third arrival activates nothing",
        position="S1S1S/5/5/1F3/4F b3MD,c3CS DRAD (CDCGPSSA) wofm 0-0 F",
        tokens="b2-b3 b3-c3 c3-b3 b3-c3 c3-b3",
        board="S1S1S/5/1F3/5/4F b3MD,c3CS DRAD (CDCGPSSA) wdfm 0-0 S",
        phase="action",
        decider="sea",
    ),
)
"""Clarifications in the printed rulebooks."""


RULINGS: Final = (
    Example(
        name="a diagonal jump past the corner is an exit",
        position="4S/3F1/5/5/F3F - DRMD - woem 0-0 F",
        tokens="d4-out",
        board="4S/5/5/5/F3F - DRMD - wofm 0-0 F",
        phase="build",
        decider="forest",
        legal="=DR =MD",
    ),
    Example(
        name="a shaman moved out by a power constructs, and may win on the opponent's turn",
        position="2F2/5/4S/5/5 d3FC DRMD (ADCS) wofm 2-0 S",
        tokens="e3-d3 c5-out =DR",
        board="5/5/3S1/5/5 d3FC,c5DR --MD (ADCS) wdfm 3-0 S",
        phase="over",
        decider="none",
        legal="",
        winner="forest",
    ),
    Example(
        name="a point without a tile, when no upcoming megalith is left",
        position="S1F1S/5/5/5/F3F b3CG ---- - wofm 0-0 F",
        tokens="c5-out",
        board="S3S/5/5/5/F3F b3CG ---- - wdfm 1-0 S",
        phase="action",
        decider="sea",
    ),
    Example(
        name="with an empty deck the slot stays empty",
        position="S1F1S/5/5/5/F3F b3CG DRMD - wofm 0-0 F",
        tokens="c5-out =MD",
        board="S3S/5/5/5/F3F b3CG,c5MD DR-- - wdfm 1-0 S",
        phase="action",
        decider="sea",
    ),
    Example(
        name="Source of Silver with an empty deck draws the tile that it replaced",
        position="S3S/5/5/1F3/4F b3SS,d3CG DR-- - wofm 0-0 F",
        tokens="b2-b3 d3=DR",
        board="S3S/5/1F3/5/4F b3SS,d3DR ---- CG wdfm 0-0 F",
        phase="draw",
        decider="chance",
        legal="?CG",
    ),
    Example(
        name="Pillars of Spring needs no token and gives an extra turn",
        position="S3S/5/5/1F3/4F b3PS DRMD - wofm 0-0 F",
        tokens="b2-b3",
        board="S3S/5/1F3/5/4F b3PS DRMD - wdfm 0-0 F",
        phase="action",
        decider="forest",
    ),
    Example(
        name="Tumulus of Shadow needs no token",
        position="S3S/5/5/1F3/4F b3TS DRMD - wofm 0-0 F",
        tokens="b2-b3",
        board="S3S/5/5/5/4F b3TS DRMD - wdfm 0-0 S",
        phase="action",
        decider="sea",
    ),
    Example(
        name="the Shifting Stone offers only powers that have an effect; a power without a choice is written as use",
        position="S3S/5/5/1F3/4F b3SH ADPS - wofm 0-0 F",
        tokens="b2-b3",
        board="S3S/5/1F3/5/4F b3SH ADPS - wdfm 0-0 F",
        phase="power",
        decider="forest",
        legal="PS:use",
    ),
    Example(
        name="a player without an action loses immediately",
        position="5/5/4S/5/2SFS - ---- - wdfm 0-0 S",
        tokens="e3-d2",
        board="5/5/5/3S1/2SFS - ---- - wofm 0-0 F",
        phase="over",
        decider="none",
        legal="",
        winner="sea",
    ),
    Example(
        name="the game is drawn when the same position starts a turn for the third time",
        position="S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        tokens="a1-a2 a5-b4 a2-a1 b4-a5 a1-a2 a5-b4 a2-a1 b4-a5",
        board="S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        phase="over",
        decider="none",
        legal="",
        winner="draw",
    ),
)
"""This project's rulings on cases that the printed rulebooks leave open."""


EXAMPLES: Final = PRINTED_EXAMPLES + CLARIFICATIONS + RULINGS
