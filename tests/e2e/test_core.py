"""The WebAssembly core in Chromium: it agrees with the native core, searches can be stopped, and secrets are kept."""

from __future__ import annotations

import base64
import itertools
import json
import random
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from cairn import CHANCE, Game
from cairn._native import core
from harness.positions import KINDS, text_of
from harness.wasm.browser import open_page, served, write_pages
from harness.wasm.comparison import compare
from harness.wasm.module import why_not_built

SHORT: Final = 100_000
START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if reason := why_not_built():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("core")
    write_pages(folder)
    with served(folder) as address:
        opened = open_page(browser, address)
        yield opened
        opened.close()


@pytest.mark.slow
@pytest.mark.proof
def test_both_cores_agree(page: Page) -> None:
    tally = compare(page, "e2e", SHORT)
    assert tally["searches"] > SHORT / 200
    assert all(tally[f"decisions of level {level}"] > 0 for level in range(1, 6))


def test_a_search_in_a_worker_gives_the_same_result_as_a_search_without_pauses(page: Page) -> None:
    searched, replayed = page.evaluate(
        """async (position) => {
            const line = { position, tokens: ["a1-a2"] };
            const task = { kind: "search", nodes: 400_000, depth: 0, lines: 2 };
            const reports = [];
            const searched = await cairn.startSearch(cairn.module, line, task, (state) => reports.push(state)).result;
            const asked = [{ at: 1, search: { nodes: 400_000, lines: 2 } }];
            const said = await cairn.replay({ ...line, asked });
            return [{ ...searched, reports: reports.length }, JSON.parse(said.at(-1))];
        }""",
        START,
    )
    assert searched.pop("reports") > 0
    assert searched == replayed
    assert searched["nodes"] == 400_000


def test_searches_with_the_released_weights_are_the_same_as_in_the_native_engine(page: Page) -> None:
    weights = (files("cairn.engine") / "network.bin").read_bytes()
    network = core.Network(weights)
    games = _games_in_progress(random.Random(7), 10)
    found = page.evaluate(
        """async ([lines, encoded]) => {
            const network = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
            const task = { kind: "search", nodes: 20_000, depth: 0, lines: 2 };
            const run = (line, task) => cairn.startSearch(cairn.module, line, task).result;
            const answers = [];
            for (const { position, tokens } of lines)
                answers.push([
                    await run({ position, tokens }, { ...task, network }),
                    await run({ position, tokens }, { ...task, network: network.slice(1) }),
                ]);
            return answers;
        }""",
        [
            [{"position": game.start_text, "tokens": [*map(str, game.tokens)]} for game in games],
            base64.b64encode(weights).decode(),
        ],
    )
    for game, (with_network, with_damaged) in zip(games, found, strict=True):
        assert with_network == _searched(game, core.Engine(core.LEVEL_MEGABYTES, 1, network))
        assert with_damaged == _searched(game, core.Engine(core.LEVEL_MEGABYTES, 1))
    assert any(one["lines"] != other["lines"] for one, other in found)


def _games_in_progress(rng: random.Random, count: int) -> list[Game]:
    """Games with up to nine random tokens in which a tribe has to decide."""
    games: list[Game] = []
    for kind in itertools.cycle(KINDS):
        game = Game(text_of(KINDS[kind](rng)))
        for _ in range(rng.randrange(9)):
            if game.outcome is None:
                game.push(rng.choice(game.legal_moves))
        if game.outcome is None and game.decider is not CHANCE:
            games.append(game)
        if len(games) == count:
            break
    return games


def _searched(game: Game, engine: core.Engine) -> dict[str, Any]:
    lines = engine.search(game.board, 20_000, 0, 2, 0, 0, None)
    shown = [{"score": score, "tokens": [str(token) for token in tokens]} for score, _, tokens in lines]
    return {"done": True, "depth": lines[0][1], "nodes": engine.nodes, "lines": shown}


def test_a_message_stops_a_search(page: Page) -> None:
    found = page.evaluate(
        """async (position) => {
            let reported;
            const deep = new Promise((resolve) => (reported = resolve));
            const task = { kind: "search", nodes: 0, depth: 0, lines: 1 };
            const search = cairn.startSearch(cairn.module, { position, tokens: [] }, task, ({ depth }) => {
                if (depth >= 6) reported();
            });
            await deep;
            search.stop();
            return search.result;
        }""",
        START,
    )
    assert found["done"]
    assert found["depth"] >= 6
    assert found["lines"][0]["tokens"]


def test_several_workers_share_the_first_tokens_and_stop_for_the_next_moment(page: Page) -> None:
    game = Game(START)
    tokens = [str(token) for token in game.legal_moves]
    found = page.evaluate(
        """async ([position, tokens, after]) => {
            let failure = null;
            const pool = new cairn.EnginePool({ module: cairn.module, network: null }, 3, (error) => (failure = error));
            const analyse = (line, tokens, depth) => new Promise((resolve) => {
                pool.analyse(line, tokens, 3, (found) => found.depth >= depth && resolve(found));
            });
            const first = await analyse({ position, tokens: [] }, tokens, 6);
            const late = [];
            pool.analyse({ position, tokens: [] }, tokens, 3, () => late.push(1));
            const begun = performance.now();
            const second = await analyse({ position, tokens: [tokens[0]] }, after, 1);
            const waited = performance.now() - begun;
            const reports = late.length;
            pool.stop();
            await new Promise((resolve) => setTimeout(resolve, 200));
            pool.close();
            return { first, second, waited, failure, late: late.length - reports };
        }""",
        [START, tokens, [str(token) for token in Game(START, tokens[:1]).legal_moves]],
    )
    assert found["failure"] is None
    assert found["late"] == 0
    assert found["waited"] < 1000
    best = [line["tokens"][0] for line in found["first"]["lines"]]
    assert len(set(best)) == 3
    assert set(best) <= set(tokens)
    scores = [line["score"] for line in found["first"]["lines"]]
    assert scores == sorted(scores, reverse=True)
    assert found["second"]["lines"][0]["tokens"]
    assert not found["second"]["network"]


def test_an_illegal_line_of_play_is_an_error(page: Page) -> None:
    message = page.evaluate(
        """(position) => cairn.startSearch(cairn.module, { position, tokens: ["a1-a5"] },
            { kind: "level", level: 1, seed: 1n }).result.then(() => "", (error) => error.message)""",
        START,
    )
    assert "the line of play is not legal" in message


def test_a_closed_game_refuses_further_calls(page: Page) -> None:
    message = page.evaluate(
        """() => {
            const game = new cairn.GameClient(cairn.module);
            game.close();
            const late = new Promise((resolve) => setTimeout(resolve, 5_000, "no answer"));
            return Promise.race([game.call("view").catch((error) => error.message), late]);
        }"""
    )
    assert message == "the game is closed"


def test_a_searching_worker_never_receives_the_order_of_the_deck(page: Page) -> None:
    log: list[dict[str, Any]] = page.evaluate(
        """async () => {
            const log = [];
            const post = Worker.prototype.postMessage;
            Worker.prototype.postMessage = function (message, ...rest) {
                if (message.line || message === "stop") {
                    const { module, ...others } = message;
                    const names = Object.keys(message);
                    log.push({ names, ...JSON.parse(JSON.stringify(others, (_, value) =>
                        typeof value === "bigint" ? String(value) : value)) });
                }
                return post.call(this, message, ...rest);
            };
            const game = new cairn.GameClient(cairn.module);
            try {
                const seats = { forest: { kind: "person" }, sea: { kind: "computer", level: 1 } };
                let { header, view } = await game.call("create", { seats, variant: "expert" }, "g");
                for (let turns = 0; !view.now.outcome && turns < 400; turns++) {
                    const { revision, now } = view;
                    const line = await game.call("line");
                    const task = { kind: "level", level: 1 + (turns % 2), seed: BigInt(turns) };
                    const { lines } = await cairn.startSearch(cairn.module, line, task).result;
                    const token = lines[0].tokens[0];
                    const changed = now.decider === "sea"
                        ? await game.call("computerPlayed", { token, revision })
                        : await game.call("play", { token, tribe: "forest", revision });
                    if (!changed.update) throw new Error(JSON.stringify(changed));
                    view = await game.call("view");
                }
                return [...log, { end: await game.call("line"), seed: header.seed }];
            } finally {
                game.close();
                Worker.prototype.postMessage = post;
            }
        }"""
    )
    last = log.pop()
    whole, seed = last["end"], last["seed"]
    assert len(log) > 10
    assert any(token.startswith("?") for token in whole["tokens"])
    deck = re.search(r"\(([A-Z]+)\)", whole["position"])
    assert deck
    codes = re.findall("..", deck[1])
    assert codes == sorted(codes)
    assert len(codes) == 13
    for message in log:
        # The message contains nothing about the game except its public start and the tokens played so far.
        assert seed not in json.dumps(message)
        assert sorted(message.pop("names")) == ["line", "module", "task"]
        assert sorted(message) == ["line", "task"]
        assert sorted(message["task"]) == ["kind", "level", "seed"]
        assert sorted(message["line"]) == ["position", "tokens"]
        assert message["line"]["position"] == whole["position"]
        assert message["line"]["tokens"] == whole["tokens"][: len(message["line"]["tokens"])]


def test_a_draw_gives_the_same_tile_each_time_a_stored_game_is_opened(page: Page) -> None:
    tiles = page.evaluate(
        """async () => {
            const game = new cairn.GameClient(cairn.module);
            const position = "F1S1S/5/5/5/2F1F - DRMD (ADCSFCHEHPMMPSSASHSSSWTSWC) wofm 0-0 F";
            const seats = { forest: { kind: "person" }, sea: { kind: "person" } };
            const { header, entries } = await game.call("create", { seats, position, tokens: ["a5-out"] }, "g");
            const drawn = [];
            for (let time = 0; time < 6; time++) {
                await game.call("open", { header, entries });
                const { update } = await game.call("play", { token: "=DR", tribe: "forest", revision: 1 });
                drawn.push(update.now.position.split(" ")[2]);
            }
            game.close();
            return drawn;
        }"""
    )
    assert len(tiles) == 6
    assert len(set(tiles)) == 1
