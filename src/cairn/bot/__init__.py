"""A bot that plays on a server with any engine that speaks the engine protocol.

The bot uses only the public web API, which ``docs/bots.md`` describes.
"""

from cairn.bot.bot import Bot as Bot
from cairn.bot.bot import BotError as BotError
from cairn.bot.bot import BotOptions as BotOptions
from cairn.bot.connection import Refused as Refused
from cairn.bot.connection import Server as Server
from cairn.bot.connection import Unreachable as Unreachable
from cairn.bot.thinker import Thinker as Thinker
