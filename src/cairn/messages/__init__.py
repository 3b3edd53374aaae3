"""The catalogue of messages: one JSON file for each area and language, in ICU MessageFormat.

The web app reads the areas ``fault`` and ``story`` from here too; messages that only the web app shows are in
``web/src/messages``. See docs/translation.md.
"""

from cairn.messages.catalogue import LANGUAGES as LANGUAGES
from cairn.messages.catalogue import has as has
from cairn.messages.catalogue import language as language
from cairn.messages.catalogue import megalith_name as megalith_name
from cairn.messages.catalogue import megalith_power as megalith_power
from cairn.messages.catalogue import messages as messages
from cairn.messages.catalogue import reason_key as reason_key
from cairn.messages.catalogue import system_language as system_language
from cairn.messages.catalogue import t as t
from cairn.messages.catalogue import use_language as use_language
from cairn.messages.os_errors import reason_of as reason_of
