"""The effects of a token as data, for sentences in any language, for animation and for screen readers.

An effect is one thing that a spectator sees. The effects of a token are listed in order of occurrence. The core finds
them by comparing the moments before and after the token, so they cannot contradict the rules.
"""

from cairn.story.clauses import clause as clause
from cairn.story.effects import Activated as Activated
from cairn.story.effects import Added as Added
from cairn.story.effects import Banished as Banished
from cairn.story.effects import Built as Built
from cairn.story.effects import Copied as Copied
from cairn.story.effects import Drawn as Drawn
from cairn.story.effects import Effect as Effect
from cairn.story.effects import Ended as Ended
from cairn.story.effects import ExtraTurn as ExtraTurn
from cairn.story.effects import Flipped as Flipped
from cairn.story.effects import Left as Left
from cairn.story.effects import MegalithMoved as MegalithMoved
from cairn.story.effects import MegalithsSwapped as MegalithsSwapped
from cairn.story.effects import Moved as Moved
from cairn.story.effects import NothingBuilt as NothingBuilt
from cairn.story.effects import Passed as Passed
from cairn.story.effects import Replaced as Replaced
from cairn.story.effects import ShamansSwapped as ShamansSwapped
from cairn.story.effects import Stopped as Stopped
from cairn.story.effects import TileName as TileName
from cairn.story.effects import Transformed as Transformed
from cairn.story.narration import effect_of as effect_of
from cairn.story.narration import effects_of as effects_of
from cairn.story.narration import play as play
from cairn.story.narration import tell as tell
from cairn.vocabulary import TribeName as TribeName
