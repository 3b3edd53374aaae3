"""The rules of Cairn as a program that reads like a rulebook.

Each chapter of ``docs/rules.md`` has a file here, and the code cites each rule by its number. The files are:

1. ``setup``: how a game is dealt (S).
2. ``moment``: the state of a game between two tokens.
3. ``leaving``: leaving the field, banishing, constructing and drawing (E).
4. ``moving``: steps, exits and arrivals, for actions and powers (A2, A3, P5, T3).
5. ``actions``: the three actions (A).
6. ``powers``: the 17 megaliths, one small function each.
7. ``activation``: when a power is applied, may be declined, or has no effect (P).
8. ``transformation``: the line of three (X).
9. ``turn``: the order of play, and the function that plays a token (T).
10. ``ending``: how a game ends, with the history that repetition needs (G).

A :class:`Moment` is a value: :func:`play` returns a new moment and does not change the old one. This code favours
clarity over speed. Tests compare the native core with it.
"""

from cairn.rulebook.ending import ReferenceGame as ReferenceGame
from cairn.rulebook.moment import Moment as Moment
from cairn.rulebook.setup import deal as deal
from cairn.rulebook.turn import begin as begin
from cairn.rulebook.turn import legal_tokens as legal_tokens
from cairn.rulebook.turn import play as play
