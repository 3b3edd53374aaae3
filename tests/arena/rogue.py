"""An engine that follows the protocol until it has to play, and then misbehaves."""

from __future__ import annotations

import os
import signal
import sys
import time


def main(mode: str) -> None:
    for line in sys.stdin:
        word = line.split()[0]
        if word == "cep":
            print("id name Rogue\ncepok", flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "go":
            if mode == "crash":
                os._exit(3)
            if mode == "murder":  # like a crash inside the native core: the whole worker process dies
                os.kill(os.getppid(), signal.SIGKILL)
            if mode == "complaint":  # reads like a report of an illegal token, but no token was played
                print("error this position is not legal", flush=True)
                continue
            if mode == "slow":
                time.sleep(1.5)
            print("bestmove a1-e5", flush=True)
        elif word == "quit":
            return


if __name__ == "__main__":
    main(sys.argv[1])
