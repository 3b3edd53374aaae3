"""Challenges. They start games whose draws neither the players nor the server can choose.

The server commits to a seed when the challenge is created. Then the creator adds a number, and finally the opponent
adds another. The transaction that accepts the challenge also creates the game, whose header never changes.
"""

from __future__ import annotations

import dataclasses
import datetime
import hmac
from collections.abc import Callable, Sequence
from typing import Final

from cairn import fairness
from cairn.server.errors import ChallengeGoneError, QuotaError, Refusal, RematchOfferedError
from cairn.server.game.access import Actor, acting_tribe
from cairn.server.game.chance import Chance
from cairn.server.game.clocks import TimeControl
from cairn.server.game.creation import Creation
from cairn.server.game.header import OnlineTerms, SeatHolder
from cairn.server.game.names import TribeName, tribe_name
from cairn.server.game.seats import Seat, SeatPlayer, Seats
from cairn.server.live.authority import Authority
from cairn.server.lobby.numbers import number_in, require_sealable
from cairn.server.messages import views
from cairn.server.messages.announcements import ChangedMessage
from cairn.server.messages.lobby import (
    Accept,
    AddNumber,
    Begun,
    ChallengeView,
    NewChallenge,
    NewChallengeView,
    RefusalKind,
)
from cairn.server.messages.sockets import RematchMessage
from cairn.server.players.limits import Limits
from cairn.server.players.quotas import Quotas
from cairn.server.secret_tokens import hash_of, new_game_id, new_secret
from cairn.server.storage.challenges import Challenge, ChallengeRepository
from cairn.server.storage.players.rows import Player
from cairn.vocabulary import Tribe, Variant

LOBBY: Final = "lobby"
"""The hub topic for changes to the lobby. Game ids are topics too, but none can equal this one."""
LOBBY_TIME: Final = datetime.timedelta(days=1)
"""How long the lobby lists a challenge."""
MOST_IN_LOBBY: Final = 100


class Challenges:
    """Creates, changes and accepts challenges. Methods may raise :class:`~cairn.server.errors.Refusal`."""

    def __init__(
        self,
        storage: ChallengeRepository,
        authority: Authority,
        chance: Chance,
        quotas: Quotas,
        limits: Limits,
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
    ) -> None:
        self._storage: Final = storage
        self._authority: Final = authority
        self._chance: Final = chance
        self._quotas: Final = quotas
        self._most_open: Final = limits.challenges_of_player
        self._now: Final = now

    # --- Creating and reading

    async def create(self, request: NewChallenge, creator: Player) -> NewChallengeView:
        """Create a challenge and commit to its seed."""
        if request.open and request.level is not None:
            raise Refusal(422, "malformed", "A challenge to the computer cannot be listed in the lobby.")
        if request.rated and creator.kind == "guest":
            raise _rated_needs_account()
        return await self._add(request, creator.id)

    async def find(self, name: str, actor: Actor) -> ChallengeView:
        """The challenge with this id or invitation, if the actor may see it."""
        challenge = await self._found(name, actor, None)
        return await self._view(challenge, actor)

    async def rematches(self, game: str, actor: Actor) -> list[ChallengeView]:
        """The open rematch offers, for the players of the game."""
        header, _ = await self._authority.header(game)
        acting_tribe(header, actor, None)
        return await self._views(await self._storage.rematch_of(game), actor)

    async def offers_to(self, actor: Actor, limit: int) -> list[ChallengeView]:
        """The challenges that only this player can accept, such as rematch offers, newest first."""
        return await self._views(await self._storage.offers_to(actor.player, limit), actor) if actor.player else []

    # --- Changing

    async def add_number(self, name: str, request: AddNumber, actor: Actor) -> ChallengeView:
        """Add the creator's number. Against the computer, this starts the game.

        Idempotent: a client that did not get the response can retry with the same number.
        """
        own = await self._own(name, actor)
        added = number_in(request, own)
        if own.state == "open":
            _require_clock_if_rated(own.rated, own.control)
        if await self._storage.set_number(own.id, added):
            challenge = dataclasses.replace(own, number=added)
        else:
            challenge = await self._found(name, actor, None)
            if challenge.number != added or challenge.state == "withdrawn":
                raise Refusal(409, "number-fixed", "This challenge already has a number, or it is no longer open.")
        if challenge.level is not None and challenge.state == "open":
            await self._begin(challenge, f"level-{challenge.level}", None, b"", actor)
            challenge = await self._found(name, actor, None)
        await self._broadcast_change(challenge)
        return await self._view(challenge, actor)

    async def withdraw(self, name: str, actor: Actor) -> None:
        """Withdraw a challenge, or decline a rematch offer."""
        challenge = await self._found(name, actor, None)
        if actor.player not in (challenge.creator, challenge.opponent) or actor.player is None:
            raise Refusal(403, "not-your-challenge", "Only the creator of a challenge can withdraw it.")
        if not await self._storage.withdraw(challenge.id):
            raise _gone()
        await self._broadcast_change(challenge)

    async def accept(self, name: str, request: Accept, player: Player, actor: Actor) -> Begun:
        """Accept a challenge and begin the game."""
        challenge = await self._found(name, actor, request.invite)
        if challenge.state != "open":
            return await self._repeat_accept(challenge, player, actor)
        if player.id == challenge.creator or challenge.seat_hash in actor.seats:
            sentence = "You cannot play against yourself. Send the link to your opponent."
            raise Refusal(409, "own-challenge", sentence)
        if challenge.opponent not in (None, player.id):
            raise Refusal(403, "not-for-you", "This challenge is for another player.")
        if challenge.level is not None:
            raise Refusal(409, "computer-opponent", "You cannot accept a challenge to the computer.")
        if challenge.number is None:
            raise Refusal(409, "not-ready", "The creator of the challenge has not added a number yet. Try again soon.")
        _require_clock_if_rated(challenge.rated, challenge.control)
        if challenge.rated:
            await self._require_ratable(challenge.creator, player.id)
        await self._quotas.require_online_game(player.id)
        token = new_secret()
        begun = await self._begin(challenge, player.id, token, number_in(request, challenge), actor)
        await self._broadcast_change(challenge)
        return begun

    async def offer_rematch(self, game: str, actor: Actor) -> NewChallengeView:
        """Offer a rematch after a finished game, with the tribes swapped."""
        header, over = await self._authority.header(game)
        tribe = acting_tribe(header, actor, None)
        if header.online is None or tribe is None or header.variant is None:
            raise Refusal(409, "local-game", "Only online games support this.")
        if not over:
            raise Refusal(409, "still-running", "The game is not over yet.")
        other = header.online.seats[tribe_name(tribe.enemy)].player
        seat = header.seats.of(tribe.enemy)
        request = NewChallenge(
            variant=header.variant,
            tribe=tribe_name(tribe.enemy),
            clock=views.control_view(header.online.control),
            rated=header.online.rated,
            level=seat.level,
            sealed=header.sealed,
        )
        creator = header.online.seats[tribe_name(tribe)].player
        if request.rated:
            await self._require_ratable(creator, other)
        created = await self._add(request, creator, opponent=None if seat.level else other, rematch_of=game)
        if seat.level is None:
            message = RematchMessage(challenge=created.challenge.id, by=tribe_name(tribe))
            await self._authority.broadcast(game, message)
        return created

    # --- Helpers

    async def _add(
        self, request: NewChallenge, creator: str, opponent: str | None = None, rematch_of: str | None = None
    ) -> NewChallengeView:
        control = views.control_of(request.clock)
        _require_clock_if_rated(request.rated, control)
        if request.sealed:
            require_sealable(request)
        await self._quotas.require_online_game(creator)
        game, seed, invite, seat = new_game_id(), self._chance.new_seed(), new_secret(), new_secret()
        challenge = Challenge(
            id=game,
            created=self._now(),
            creator=creator,
            invite_hash=hash_of(invite),
            seat_hash=hash_of(seat),
            open=request.open,
            variant=request.variant,
            tribe=request.tribe,
            first=request.first,
            control=control,
            rated=request.rated,
            seed=seed,
            commitment=fairness.commitment_of(seed, game),
            level=request.level,
            opponent=opponent,
            rematch_of=rematch_of,
            sealed=request.sealed,
        )
        try:
            await self._storage.add(challenge, self._most_open)
        except QuotaError:
            sentence = f"You cannot have more than {self._most_open} open challenges."
            raise Refusal(409, "too-many-challenges", sentence) from None
        except RematchOfferedError:
            raise _rematch_offered() from None
        return NewChallengeView(challenge=await self._view(challenge, Actor(creator)), invite=invite, seat=seat)

    async def _begin(
        self, challenge: Challenge, opponent: str, token: str | None, number: bytes, actor: Actor
    ) -> Begun:
        """Create the game in the transaction that accepts the challenge."""
        own = challenge.number or b""
        tossed = None if challenge.tribe else fairness.toss_tribes(challenge.seed, own, number, challenge.id)
        creators = tossed or Tribe(challenge.tribe)
        first = Tribe(challenge.first) if challenge.first else None
        version = fairness.SEALED_VERSION if challenge.sealed else fairness.VERSION
        variant = Variant(challenge.variant)
        proof = fairness.Proof.begin(challenge.seed, challenge.id, variant, first, tossed=tossed, version=version)
        proof = proof.with_number(creators, own).with_number(creators.enemy, number)
        people = await self._storage.players({challenge.creator, opponent}, self._now())
        seats: dict[TribeName, SeatHolder] = {
            tribe_name(creators): SeatHolder(challenge.creator, challenge.seat_hash),
            tribe_name(creators.enemy): SeatHolder(opponent, hash_of(token) if token else None),
        }
        online = OnlineTerms(
            control=challenge.control,
            rated=challenge.rated,
            commitment=challenge.commitment,
            forest_number=proof.forest_number,
            sea_number=proof.sea_number,
            first=challenge.first,
            seats=seats,
            tossed=tribe_name(tossed) if tossed else None,
            challenge=challenge.id,
            proof_version=version,
        )
        creation = Creation(
            Seats(**{tribe: _seat(people[held.player]) for tribe, held in seats.items()}),
            challenge.variant,
            fairness.UNKNOWN_START if challenge.sealed else self._chance.deal(proof.key, variant, first),
            seed=challenge.seed,
            online=online,
            id=challenge.id,
            players={tribe: people[held.player] for tribe, held in seats.items()},
        )
        try:
            view = await self._authority.begin(creation, None, actor)
        except ChallengeGoneError:
            raise _gone() from None
        return Begun(game=view, seat=token)

    async def _require_ratable(self, one: str, other: str) -> None:
        """Refuse a rated game unless each player has an account or is a level, and the accounts are different."""
        accounts = await self._storage.accounts_behind({one, other})
        match rated_refusal(accounts[one], accounts[other]):
            case "account-needed":
                raise _rated_needs_account()
            case "own-bot":
                sentence = "You cannot play a rated game against your own bot. Play an unrated game instead."
                raise Refusal(409, "own-bot", sentence)

    async def _refusals(self, challenges: Sequence[Challenge], actor: Actor) -> dict[str, RefusalKind | None]:
        """For each rated challenge by another player: why the actor may not accept it, or ``None`` if they may."""
        rated = [each for each in challenges if each.rated and each.creator != actor.player]
        if not rated:
            return {}
        player = actor.player or ""
        accounts = await self._storage.accounts_behind({player, *(each.creator for each in rated)})
        return {each.id: rated_refusal(accounts[each.creator], accounts[player]) for each in rated}

    async def _repeat_accept(self, challenge: Challenge, player: Player, actor: Actor) -> Begun:
        """Answer a retry by the player who accepted the challenge. The seat token is not sent again."""
        if challenge.game and challenge.creator != player.id:
            header, _ = await self._authority.header(challenge.game)
            if header.online and any(seat.player == player.id for seat in header.online.seats.values()):
                return Begun(game=await self._authority.view(challenge.game, actor), seat=None)
        raise _gone()

    async def _found(self, name: str, actor: Actor, invite: str | None) -> Challenge:
        """The challenge with this id or invitation, if the actor may see it.

        The actor needs the link, unless the challenge is in the lobby or the actor is one of its players.
        """
        challenge = await self._storage.find(name, hash_of(name))
        if challenge is None:
            raise _unknown()
        hashes = [hash_of(name), *([hash_of(invite)] if invite else [])]
        invited = any(hmac.compare_digest(challenge.invite_hash, each) for each in hashes)
        involved = actor.player is not None and actor.player in (challenge.creator, challenge.opponent)
        if not (invited or involved or challenge.open or challenge.seat_hash in actor.seats):
            raise _unknown()
        return challenge

    async def _own(self, name: str, actor: Actor) -> Challenge:
        challenge = await self._found(name, actor, None)
        if actor.player != challenge.creator and challenge.seat_hash not in actor.seats:
            raise Refusal(403, "not-your-challenge", "Only the creator of a challenge can do this.")
        return challenge

    async def _broadcast_change(self, challenge: Challenge) -> None:
        await self._authority.broadcast(topic(challenge.id), ChangedMessage())
        if challenge.open:
            await self._authority.broadcast(LOBBY, ChangedMessage())

    async def _view(self, challenge: Challenge, actor: Actor) -> ChallengeView:
        return (await self._views([challenge], actor))[0]

    async def _views(self, challenges: Sequence[Challenge], actor: Actor) -> list[ChallengeView]:
        people = await self._storage.players({each.creator for each in challenges}, self._now())
        refusals = await self._refusals(challenges, actor)
        return [challenge_view(each, people[each.creator], actor, refusals.get(each.id)) for each in challenges]


def topic(challenge: str) -> str:
    """The topic for changes to a challenge."""
    return f"challenge/{challenge}"


def rated_refusal(one: str | None, other: str | None) -> RefusalKind | None:
    """Why the players with these accounts may not play a rated game; ``None`` if they may."""
    if one is None or other is None:
        return "account-needed"
    return "own-bot" if one == other else None


def challenge_view(
    challenge: Challenge, creator: SeatPlayer, actor: Actor, refusal: RefusalKind | None
) -> ChallengeView:
    """The public part of a challenge, without its seed and number."""
    return ChallengeView(
        id=challenge.id,
        created=challenge.created,
        creator=creator,
        variant=challenge.variant,
        tribe=challenge.tribe,
        first=challenge.first,
        clock=views.control_view(challenge.control),
        rated=challenge.rated,
        open=challenge.open,
        level=challenge.level,
        rematch_of=challenge.rematch_of,
        commitment=challenge.commitment.hex(),
        ready=challenge.number is not None,
        state=challenge.state,
        game=challenge.game,
        yours=actor.player == challenge.creator,
        sealed=challenge.sealed,
        refusal=refusal,
    )


def _seat(player: SeatPlayer) -> Seat:
    if player.kind == "level":
        return Seat(kind="computer", level=int(player.id.removeprefix("level-")))
    return Seat(kind="person", name=player.name)


def _require_clock_if_rated(rated: bool, control: TimeControl) -> None:
    """Refuse a rated game without a clock, because a player who stops playing would never lose it."""
    if rated and control is None:
        sentence = "A rated game needs a clock. Choose a clock, or play an unrated game."
        raise Refusal(409, "rated-needs-clock", sentence)


def _rated_needs_account() -> Refusal:
    sentence = "Both players need an account for a rated game. Sign up or sign in, or play an unrated game."
    return Refusal(403, "account-needed", sentence)


def _rematch_offered() -> Refusal:
    return Refusal(409, "rematch-offered", "A rematch of this game has already been offered or accepted.")


def _unknown() -> Refusal:
    return Refusal(404, "unknown-challenge", "There is no such challenge.")


def _gone() -> Refusal:
    return Refusal(409, "challenge-gone", "This challenge has already been accepted or withdrawn.")
