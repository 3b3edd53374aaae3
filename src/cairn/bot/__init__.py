"""A client with which any engine that speaks the protocol can play on a server.

It knows the server by its web API alone, as any other bot does: ``docs/bots.md`` says all that it uses.
"""

from cairn.bot.bot import Bot as Bot
from cairn.bot.bot import BotError as BotError
from cairn.bot.bot import Wishes as Wishes
from cairn.bot.connection import Refused as Refused
from cairn.bot.connection import Server as Server
from cairn.bot.connection import Unreachable as Unreachable
from cairn.bot.thinker import Thinker as Thinker
