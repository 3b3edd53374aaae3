"""The rules of Cairn as a program that can be read like a rulebook.

Every chapter of ``docs/rules.md`` is a file here, and every rule is cited by its number where it is carried out. A
reader who starts at the beginning of the game reads:

1. ``setup``: how a game is dealt (S).
2. ``moment``: what a moment of a game consists of, and what waits to be settled in it.
3. ``leaving``: leaving the field, banishing, constructing and drawing (E).
4. ``moving``: steps, exits and arrivals, which actions and powers share (A2, A3, P5, T3).
5. ``actions``: the three actions (A).
6. ``powers``: the 17 megaliths, one small function each.
7. ``activation``: when a power is applied, when it may be declined, when nothing happens (P).
8. ``transformation``: the line of three (X).
9. ``turn``: the order of all this, and the only way to play a token (T).
10. ``ending``: how a game ends, and the history that knows of repetition (G).

A :class:`Moment` is a value: :func:`play` returns a new one and leaves the old one as it was. It is written for
clarity, and is the reference that faster implementations are compared with.
"""

from cairn.rulebook.ending import ReferenceGame as ReferenceGame
from cairn.rulebook.moment import Moment as Moment
from cairn.rulebook.setup import deal as deal
from cairn.rulebook.turn import begin as begin
from cairn.rulebook.turn import legal_tokens as legal_tokens
from cairn.rulebook.turn import play as play
