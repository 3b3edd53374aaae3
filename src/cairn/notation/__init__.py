"""Positions, tokens and game records as text."""

from cairn.notation.position import read_position as read_position
from cairn.notation.position import read_setup as read_setup
from cairn.notation.position import write_position as write_position
from cairn.notation.tokens import read_token as read_token
