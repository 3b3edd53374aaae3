"""Provably fair deals and draws: nobody can influence them, and anybody can verify them.

The server commits to a secret seed before the players add their random numbers. The key is derived from the seed and
the numbers, and determines the starting position and every draw. The server reveals the seed when the game ends. With
sealed draws, each draw has its own key, which also needs a fresh secret from both players. ``docs/fairness.md``
specifies the exact byte formats and explains who could cheat, and how.
"""

from cairn.fairness.draws import KeyedRandom as KeyedRandom
from cairn.fairness.draws import deal as deal
from cairn.fairness.draws import draw as draw
from cairn.fairness.draws import toss_tribes as toss_tribes
from cairn.fairness.links import LINK_BYTES as LINK_BYTES
from cairn.fairness.links import LINKS as LINKS
from cairn.fairness.links import link_before as link_before
from cairn.fairness.links import link_of as link_of
from cairn.fairness.links import new_root as new_root
from cairn.fairness.proof import SEALED_VERSION as SEALED_VERSION
from cairn.fairness.proof import UNKNOWN_START as UNKNOWN_START
from cairn.fairness.proof import VERSION as VERSION
from cairn.fairness.proof import Proof as Proof
from cairn.fairness.seeds import COMMITMENT_TAG as COMMITMENT_TAG
from cairn.fairness.seeds import KEY_TAG as KEY_TAG
from cairn.fairness.seeds import LONGEST_NUMBER as LONGEST_NUMBER
from cairn.fairness.seeds import SEED_BYTES as SEED_BYTES
from cairn.fairness.seeds import SHORTEST_NUMBER as SHORTEST_NUMBER
from cairn.fairness.seeds import commitment_of as commitment_of
from cairn.fairness.seeds import key_of as key_of
from cairn.fairness.seeds import new_seed as new_seed
from cairn.fairness.seeds import read_number as read_number
from cairn.fairness.verification import Finding as Finding
from cairn.fairness.verification import Verdict as Verdict
from cairn.fairness.verification import overall as overall
from cairn.fairness.verification import verify as verify
