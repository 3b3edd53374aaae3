"""The environments pass the checks of the libraries that they are for, and agree with each other."""

from __future__ import annotations

import base64
import pickle
import random
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest
from absl import flags
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from open_spiel.python.algorithms import generate_playthrough

import cairn.research.gymnasium
import cairn.research.pettingzoo
from cairn import Board, Game
from cairn.engine import RandomEngine
from cairn.research import encoding
from cairn.research.batch import Batch
from cairn.research.encoding import ACTIONS, IllegalActionError
from cairn.research.openspiel import NAME, CairnState, deal_outcomes
from cairn.vocabulary import CHANCE, FOREST, SEA, TRIBES, Draw, Variant

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # with pygame, they import a game in a way that is deprecated
    from pettingzoo.test import api_test, render_test, seed_test

PLAYTHROUGH = Path(__file__).parent / "playthrough.txt"
DICT_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""PettingZoo warns if an environment outside its own list has dicts as observations, as its own board games have."""


@pytest.mark.parametrize("name", ["cairn/Cairn-v1", "cairn/SelfPlay-v1"])
def test_gymnasium_accepts_the_environments(name: str) -> None:
    check_env(gymnasium.make(name, disable_env_checker=True).unwrapped)


@pytest.mark.slow
def test_pettingzoo_accepts_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(cairn.research.pettingzoo.env(), num_cycles=300)
    assert {str(warning.message) for warning in caught} == DICT_WARNINGS
    seed_test(cairn.research.pettingzoo.env, num_cycles=100)
    render_test(cairn.research.pettingzoo.env)
    assert "Passed API test" in capsys.readouterr().out


def test_pettingzoo_knows_the_environment() -> None:
    env = pettingzoo.make("aec", "cairn/cairn_v1", variant="expert")
    env.reset(seed=3)
    assert str(env) == "cairn_v1"
    assert env.unwrapped.variant is Variant.EXPERT


@pytest.mark.slow
@pytest.mark.parametrize("variant", [variant.value for variant in Variant])
def test_openspiel_accepts_the_game(variant: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"{NAME}(variant={variant})"), num_sims=2, serialize=True, verbose=False)


def test_the_playthrough_of_openspiel_is_as_recorded() -> None:
    """tools/write_playthrough.py writes the file again, after an intended change."""
    flags.FLAGS(["test"])  # OpenSpiel reads an option of its command line
    recorded, replayed = generate_playthrough.replay(str(PLAYTHROUGH))
    assert replayed == recorded


def apply_token(state: Any, token: str) -> None:
    number = encoding.id_of(state.board, token)
    state.apply_action(number - ACTIONS if number >= ACTIONS else number)


@pytest.mark.parametrize("seed", range(6))
def test_all_environments_reach_the_same_positions(seed: int) -> None:
    """A game of the library, played again with the same choices in every environment."""
    rng = random.Random(seed)
    variant = list(Variant)[seed % 3]
    start = Board.start(variant, seed)
    game = Game(start)
    while game.outcome is None:
        game.push(rng.choice(game.legal_moves))
    draws = [token.tile.code for token in game.tokens if isinstance(token, Draw)]
    options = {"position": start.text, "draws": draws}

    board = Game(start)
    batch = Batch(1, chooses_draws=True)
    batch.place(0, start.text)
    aec = cairn.research.pettingzoo.CairnAEC(variant, strict=True)
    aec.reset(seed=0, options=options)
    env = cairn.research.gymnasium.SelfPlayEnv(variant, strict=True)
    env.reset(seed=0, options=options)
    state = pyspiel.load_game(NAME, {"variant": variant.value}).new_initial_state()
    for outcome in deal_outcomes(variant, start.setup):
        state.apply_action(outcome)

    reward = 0.0
    for token in game.tokens:
        assert state.board == board.board
        assert batch.key(0) == board.board.key
        number = encoding.id_of(board.board, token)
        if board.decider is not CHANCE:
            assert aec.single.board == env.single.board == board.board
            decider = TRIBES.index(board.decider)
            assert aec.agent_selection == f"player_{decider}"
            seen = encoding.observe(board.board)
            assert (aec.observe(aec.agent_selection)["observation"] == seen).all()
            assert (batch.frame.observations[0] == seen).all()
            assert state.observation_tensor(decider) == seen.tolist()
            aec.step(number)
            _, reward, *_ = env.step(number)
        apply_token(state, str(token))
        batch.step([number])
        board.push(token)
    assert game.outcome is not None
    returns = [
        0.0 if game.outcome.winner is None else 1.0 if game.outcome.winner is tribe else -1.0 for tribe in TRIBES
    ]
    assert state.is_terminal()
    assert state.returns() == returns
    assert batch.frame.rewards[0].tolist() == returns
    assert [aec.rewards[agent] for agent in aec.agents] == returns
    assert env.single.is_over
    assert abs(reward) == abs(returns[0])


def test_a_serialised_state_has_only_what_was_played() -> None:
    """A planner may copy a state. The copy has the moves, the board and its key counts, but no order of the deck."""
    game = pyspiel.load_game(f"{NAME}(variant=expert)")
    rng = random.Random(2)
    state = game.new_initial_state()
    for _ in range(120):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    text = state.serialize()
    parts = dict(line.split("=", 1) for line in text.splitlines())
    assert set(parts) == {"history", "move_number", "__dict__"}
    assert [int(each.split(":")[1]) for each in parts["history"].split(",")] == state.history()
    table = pickle.loads(base64.b64decode(parts["__dict__"]))["table"]
    assert set(vars(table)) == {"deal", "board", "past", "is_drawn"}
    assert table.board.text == state.board.text
    deck = table.board.text.split()[3].partition(")")[0].removeprefix("(")
    tiles = [deck[index : index + 2] for index in range(0, len(deck), 2)]
    assert len(tiles) > 1
    assert tiles == sorted(tiles)
    copy = game.deserialize_state(text)
    assert str(copy) == str(state)
    clone = state.clone()
    assert str(clone) == str(state)
    # Copies made before a draw can draw different tiles: nothing has decided it yet.
    draws = 0
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node() and state.board is not None and len(state.legal_actions()) > 1:
            draws += 1
            drawn = set()
            for outcome in state.legal_actions():
                one = state.clone()
                one.apply_action(outcome)
                drawn.add(str(one))
            assert len(drawn) == len(state.legal_actions())
        state.apply_action(rng.choice(state.legal_actions()))
    assert draws > 0


def test_clones_count_repetitions() -> None:
    game = pyspiel.load_game(f"{NAME}(variant=beginner)")
    state = game.new_initial_state()
    while not state.is_terminal():  # the first legal action leads to a repetition
        assert isinstance(state, CairnState)
        state = state.clone()
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [0.0, 0.0]
    assert state.board is not None
    assert not state.board.is_over


def test_an_illegal_action_is_an_error_or_costs_something() -> None:
    strict = cairn.research.gymnasium.CairnEnv(strict=True, opponent="random")
    strict.reset(seed=1)
    with pytest.raises(IllegalActionError, match="3654 is not legal at"):
        strict.step(ACTIONS - 1)
    with pytest.raises(IllegalActionError, match="expected one of"):
        strict.step(ACTIONS)  # a draw: only chance chooses it
    env = cairn.research.gymnasium.CairnEnv(opponent="random", illegal_reward=-0.5)
    before, _ = env.reset(seed=1)
    after, reward, terminated, truncated, info = env.step(ACTIONS - 1)
    assert (before == after).all()
    assert (reward, terminated, truncated) == (-0.5, False, False)
    assert info["action_mask"].any()
    aec = cairn.research.pettingzoo.CairnAEC()
    aec.reset(seed=1)
    agent = aec.agent_selection
    aec.step(ACTIONS - 1)
    assert (aec.agent_selection, aec.rewards[agent]) == (agent, -0.1)
    assert not aec.terminations[agent]


@pytest.mark.parametrize("opponent", ["random", "level:1", "level:3,seed=2", RandomEngine(3)])
def test_an_agent_plays_a_whole_game_against_an_opponent(opponent: Any) -> None:
    env = gymnasium.make("cairn/Cairn-v1", opponent=opponent, variant="beginner", tribe="sea")
    _, info = env.reset(seed=5)
    env.action_space.seed(5)
    steps, reward, terminated = 0, 0.0, False
    while not terminated:
        assert env.unwrapped.single.decider is SEA
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        steps += 1
        assert not truncated
    assert steps > 3
    assert reward in (-1.0, 0.0, 1.0)
    env.close()


def test_an_unknown_opponent_is_refused() -> None:
    for opponent in ("level:11", "nobody"):
        with pytest.raises(ValueError, match=r"level|expected something like"):
            cairn.research.gymnasium.CairnEnv(opponent=opponent)


def test_one_seed_gives_one_game_against_a_level() -> None:
    played = []
    for _ in range(2):
        env = cairn.research.gymnasium.CairnEnv("beginner", opponent="level:2", tribe=FOREST)
        _, info = env.reset(seed=8)
        for _ in range(6):
            _, _, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            if terminated:
                break
        played.append([str(token) for token in env.single.game.tokens])
    assert played[0] == played[1]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_make_vec_plays_batches(mode: AutoresetMode) -> None:
    """A batch gives what the same games give one by one, with the autoreset of Gymnasium's own vector environments."""
    envs = gymnasium.make_vec("cairn/SelfPlay-v1", num_envs=3, variant="all", autoreset_mode=mode, strict=True)
    assert isinstance(envs.unwrapped, cairn.research.gymnasium.BatchEnv)
    assert envs.metadata["autoreset_mode"] is mode
    observations, infos = envs.reset(seed=2)
    assert observations in envs.observation_space
    rng = np.random.default_rng(2)
    ended = np.zeros(3, bool)
    games_ended = 0
    for _ in range(400):
        mask, actors = infos["action_mask"], infos["decider"]
        actions = np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert observations in envs.observation_space
        assert not truncations.any()
        for game in range(3):
            if mode is AutoresetMode.NEXT_STEP and ended[game]:
                assert (rewards[game], terminations[game]) == (0.0, False)
                assert envs.unwrapped.batch.tokens(game) == 0
            elif terminations[game]:
                games_ended += 1
                assert rewards[game] == infos["rewards"][game][actors[game]]
                if mode is AutoresetMode.SAME_STEP:
                    assert infos["_final_obs"][game]
                    assert infos["final_obs"][game] in envs.single_observation_space
                    assert envs.unwrapped.batch.tokens(game) == 0
                else:
                    assert not infos["action_mask"][game].any()
        ended = terminations
    assert games_ended > 5
    envs.close()


def test_disabled_autoreset_waits_for_the_reset_mask() -> None:
    envs = cairn.research.gymnasium.BatchEnv(2, autoreset_mode="Disabled", longest_game=6)
    _, infos = envs.reset(seed=1)
    truncations = np.zeros(2, bool)
    while not truncations.any():
        actions = infos["action_mask"].argmax(axis=1)
        _, _, _, truncations, infos = envs.step(actions)
    envs.step(np.zeros(2, int))
    _, infos = envs.reset(options={"reset_mask": truncations})
    assert infos["action_mask"].any(axis=1)[truncations].all()


def test_wrappers_of_gymnasium_work_with_batches() -> None:
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec("cairn/SelfPlay-v1", num_envs=4, autoreset_mode="SameStep")
    )
    _, infos = envs.reset(seed=3)
    lengths = []
    rng = np.random.default_rng(3)
    for _ in range(300):
        actions = [rng.choice(np.flatnonzero(row)) for row in infos["action_mask"]]
        _, _, _, _, infos = envs.step(np.array(actions))
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert lengths
    assert min(lengths) > 5
