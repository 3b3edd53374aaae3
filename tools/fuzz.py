"""Fuzzes the rules, the parsers and the engine protocol for a given time.

The target ``games`` plays random games with both implementations of the rules. At every moment, both must be in the
same state and reject the same illegal tokens. The other targets feed mutated texts (``harness/fuzz``) to the parsers
for positions, tokens and records and to the engine protocol. If atheris is installed, it mutates the texts. A failure
is printed with everything needed to reproduce it.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for the harness

MOMENTS_PER_BATCH: Final = 500
TEXTS: Final = ("position", "token", "record", "protocol")
GAMES: Final = "games"


def fuzz_games(seconds: float, seed: int) -> bool:
    """Compare both implementations of the rules in random games, and return whether they agreed."""
    from harness.parity.batch import Batch
    from harness.parity.comparison import Difference

    begin, batches, moments = time.monotonic(), 0, 0
    try:
        while batches == 0 or time.monotonic() - begin < seconds:
            moments += Batch(f"fuzz {seed} {batches}", MOMENTS_PER_BATCH).compare()["moments"]
            batches += 1
    except Difference as difference:
        print(difference, file=sys.stderr)
        return False
    print(f"fuzz games: {moments} moments, no difference in {time.monotonic() - begin:.0f} s", flush=True)
    return True


def fuzz_text(name: str, seconds: float, seed: int) -> bool:
    """Feed texts from our own mutator to the target, and return whether it passed."""
    from harness.fuzz.corpus import WORDS, seeds
    from harness.fuzz.mutation import mutated
    from harness.fuzz.targets import TARGETS

    chance = random.Random(f"{name} {seed}")
    begin, rounds = time.monotonic(), 0
    while rounds == 0 or time.monotonic() - begin < seconds:
        data = mutated(chance.choice(seeds(name)), seeds(name), WORDS[name], chance)
        try:
            TARGETS[name](data)
        except Exception as error:  # noqa: BLE001 - any exception is a bug
            print(f"fuzz {name}: {type(error).__name__}: {error}\n  input: {data!r}", file=sys.stderr)
            return False
        rounds += 1
    print(f"fuzz {name}: {rounds} texts, no failure in {time.monotonic() - begin:.0f} s", flush=True)
    return True


def run_atheris(name: str, seconds: float, seed: int) -> bool:
    """Run atheris in a separate process, because it ends its process when done. Return whether the target passed."""
    from harness.fuzz.corpus import seeds

    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(seeds(name)):
            (Path(folder) / f"seed-{number}").write_bytes(data)
        own = [f"-max_total_time={max(1, round(seconds))}", f"-seed={seed % 2**31 + 1}", "-verbosity=0"]
        command = [sys.executable, __file__, "--atheris", name, *own, f"-artifact_prefix={folder}/", folder]
        finished = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        found = [path.read_bytes() for kind in ("crash", "timeout", "oom") for path in Path(folder).glob(f"{kind}-*")]
    if finished.returncode or found:
        print(f"fuzz {name}: failed for {found}\n{finished.stdout[-4000:]}{finished.stderr[-4000:]}", file=sys.stderr)
        return False
    print(f"fuzz {name}: no failure in {seconds:.0f} s of atheris", flush=True)
    return True


def inside_atheris(name: str, arguments: list[str]) -> None:
    """Fuzz in the atheris process. This function does not return."""
    atheris = importlib.import_module("atheris")  # optional, and without types
    with atheris.instrument_imports(include=["cairn"]):
        from harness.fuzz.targets import TARGETS
    atheris.Setup([sys.argv[0], *arguments], TARGETS[name])
    atheris.Fuzz()


def main() -> int:
    """Fuzz the chosen targets. The exit code is 1 if a target failed."""
    if sys.argv[1:2] == ["--atheris"]:
        inside_atheris(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60.0, help="total time (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="seed for all random choices (default: random)")
    parser.add_argument("--target", choices=(GAMES, *TEXTS), action="append", help="target to run; may be repeated")
    options = parser.parse_args()

    seed = random.SystemRandom().randrange(2**40) if options.seed is None else options.seed
    print(f"fuzz: seed {seed}", flush=True)
    targets = options.target or (GAMES, *TEXTS)
    seconds = options.seconds / len(targets)
    fuzz = run_atheris if importlib.util.find_spec("atheris") else fuzz_text
    fine = [fuzz_games(seconds, seed) if target == GAMES else fuzz(target, seconds, seed) for target in targets]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
