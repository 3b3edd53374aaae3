"""Record the server's responses while two games are played, for the tests of the play page. Run it without arguments.

The responses are recorded unchanged, except that the ids and times of the games are replaced by fixed values.
"""

from __future__ import annotations

import asyncio
import json
import pathlib
import tempfile
from typing import Any, Final

import httpx

from cairn.server.settings import Settings
from cairn.server.web.app import create_app

HERE: Final = pathlib.Path(__file__).parent
CHAIN: Final = "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F"
"""A position in which Forest moves an enemy after a1-c3, and Sea decides during Forest's turn after d5-d4."""
START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
PERSON: Final = {"kind": "person"}
COMPUTER: Final = {"kind": "computer", "level": 1}


class Session:
    """A game, and all the responses about it."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http: Final = http
        self.answers: Final[list[Any]] = []

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request; record and return the response."""
        answer = (await self._http.request(method, f"/api/games{path}", json=body)).json()
        self.answers.append(answer)
        return answer

    async def begin(self, **fields: Any) -> None:
        """Start a game."""
        self.id = (await self.ask("POST", "", fields))["id"]

    async def play(self, token: str, *, hold: bool = False) -> None:
        """Play a token for the tribe that decides."""
        await self.go("tokens", tribe=self.answers[-1]["now"]["decider"], token=token, hold=hold)

    async def go(self, way: str, **body: Any) -> None:
        """Send a command for the current revision of the game."""
        await self.ask("POST", f"/{self.id}/{way}", {"revision": self.answers[-1]["revision"], **body})

    async def wait(self) -> None:
        """Poll until a person has to decide again, and keep only the last response."""
        while not (await self.ask("GET", f"/{self.id}"))["now"]["choices"]:
            self.answers.pop()
            await asyncio.sleep(0.02)


async def main() -> None:
    """Play the games and write the responses to the file."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data=pathlib.Path(folder), computer_seed=1))
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as http:
                chain = Session(http)
                await chain.begin(seats={"forest": PERSON, "sea": PERSON}, position=CHAIN)
                for token in ("a1-c3", "d5-d4", "c3~b3"):
                    await chain.play(token)
                await chain.go("undo", scope="step")
                await chain.go("undo", scope="turn")
                held = Session(http)
                await held.begin(seats={"forest": PERSON, "sea": COMPUTER}, position=START)
                await held.play("a1-a2", hold=True)
                await held.go("confirm")
                await held.wait()
    lines = [json.dumps([name, session.answers]) for name, session in (("chain", chain), ("held", held))]
    text = "\n".join(lines)
    for session in (chain, held):
        text = text.replace(session.id, "recorded")
        for key in ("created", "changed"):
            for answer in session.answers:
                text = text.replace(answer.get(key, "never"), "2026-11-15T12:00:00Z")
    (HERE / "session.jsonl").write_text(text + "\n")


if __name__ == "__main__":
    asyncio.run(main())
