"""Rate limits: the buckets on their own, and the limits in the application."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from pathlib import Path

import pytest
from starlette.requests import HTTPConnection

from cairn.server.players import workload
from cairn.server.players.limits import NO_LIMITS, Limiter, Limits, Rate, TooMany
from cairn.server.players.passwords import Passwords
from cairn.server.settings import Settings
from cairn.server.web.middleware.rate_limit import address_of
from harness.server.client import Client
from harness.server.people import PASSWORD, account, browser
from harness.server.processes import running

pytestmark = pytest.mark.anyio


class Clock:
    """A clock that moves only when a test moves it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def spent(limiter: Limiter, who: str, most: int = 100) -> int:
    """Empty a bucket; return how many tokens it had."""
    for count in range(most):
        try:
            limiter.spend("sign_in", who)
        except TooMany:
            return count
    return most


# --- Buckets


def test_a_bucket_empties_and_refills() -> None:
    clock = Clock()
    limiter = Limiter(Limits(sign_in=Rate(10, 60)), clock)
    assert spent(limiter, "ann") == 10
    clock.now += 5.9
    assert spent(limiter, "ann") == 0
    clock.now += 0.2
    assert spent(limiter, "ann") == 1
    clock.now += 30
    assert spent(limiter, "ann") == 5
    clock.now += 1_000_000
    assert spent(limiter, "ann") == 10


def test_each_client_has_its_own_bucket_for_each_limit() -> None:
    limiter = Limiter(Limits(sign_in=Rate(2, 60), sign_up=Rate(1, 60)), Clock())
    assert spent(limiter, "ann") == 2
    assert spent(limiter, "ben") == 2
    limiter.spend("sign_up", "ann")


def test_a_refusal_says_how_long_to_wait() -> None:
    clock = Clock()
    limiter = Limiter(Limits(sign_up=Rate(5, 3_600)), clock)
    for _ in range(5):
        limiter.spend("sign_up", "ann")
    with pytest.raises(TooMany) as caught:
        limiter.spend("sign_up", "ann")
    assert (caught.value.seconds, caught.value.headers) == (720, {"Retry-After": "720"})
    assert caught.value.kind == "too-many"
    assert caught.value.sentence == "Too many requests. Try again in 12 minutes."
    clock.now += 719
    with pytest.raises(TooMany, match="in 1 second"):
        limiter.spend("sign_up", "ann")
    clock.now += 1
    limiter.spend("sign_up", "ann")


def test_a_debt_has_to_be_paid_off() -> None:
    clock = Clock()
    limiter = Limiter(Limits(work_of_address=Rate(1_000, 10)), clock)
    limiter.charge("work_of_address", "ann", 1_000)
    assert limiter.wait("work_of_address", "ann") == 0
    limiter.charge("work_of_address", "ann", 50)
    assert limiter.wait("work_of_address", "ann") == pytest.approx(0.5)
    assert not limiter.is_flooded("work_of_address", "ann")
    limiter.charge("work_of_address", "ann", 60)
    assert limiter.is_flooded("work_of_address", "ann")
    clock.now += 0.2
    assert not limiter.is_flooded("work_of_address", "ann")
    clock.now += 1
    assert limiter.wait("work_of_address", "ann") == 0


def test_a_debt_is_bounded() -> None:
    """The bound lets an address recover soon after a flood."""
    clock = Clock()
    limiter = Limiter(Limits(work_of_address=Rate(1_000, 10)), clock)
    for _ in range(1_000):
        limiter.charge("work_of_address", "ann", 1_000)
    assert limiter.wait("work_of_address", "ann") == pytest.approx(2)


def test_a_process_charges_the_spending_that_another_process_announces() -> None:
    limits = Limits(sign_in=Rate(10, 60), work_of_address=Rate(1_000, 10))
    one, other = Limiter(limits, Clock()), Limiter(limits, Clock())
    one.start_sharing()
    one.charge("work_of_address", "ann", 9)
    assert one.take_spent() == {}  # too little to announce: less than a hundredth of the budget
    one.charge("work_of_address", "ann", 500)
    for _ in range(4):
        one.spend("sign_in", "ann")
    announced = one.take_spent()
    assert announced == {("work_of_address", "ann"): 509, ("sign_in", "ann"): 4}
    assert one.take_spent() == {}
    for (kind, who), amount in announced.items():
        other.spent_elsewhere(kind, who, amount)
    assert other.take_spent() == {}  # spending in another process is not announced again
    assert spent(other, "ann") == 6
    other.charge("work_of_address", "ann", 492)
    assert other.wait("work_of_address", "ann") > 0


def test_a_limiter_without_limits_refuses_nothing() -> None:
    assert spent(Limiter(NO_LIMITS), "ann", 10_000) == 10_000


def test_every_limit_can_be_switched_off() -> None:
    assert all(value is None for value in dataclasses.asdict(NO_LIMITS).values())


def test_the_number_of_buckets_is_bounded() -> None:
    limiter = Limiter(Limits(sign_in=Rate(1, 60)), Clock(), most_buckets=100)
    for number in range(1_000):
        limiter.spend("sign_in", str(number))
        assert len(limiter._buckets) <= 100
    assert spent(limiter, "999") == 0


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_an_address_is_normalized(host: str, address: str) -> None:
    assert address_of(HTTPConnection({"type": "http", "client": (host, 1)})) == address


def test_a_missing_address_is_empty() -> None:
    assert address_of(HTTPConnection({"type": "http", "client": None})) == ""


# --- In the application


async def attempts(client: Client, path: str, bodies: list[object]) -> list[int]:
    return [(await client.http.post(f"/api{path}", json=body)).status_code for body in bodies]


async def test_too_many_sign_ins_from_an_address_are_refused(settings: Settings) -> None:
    async with running(settings) as client:
        await account(client, "Ann")
        wrong = {"name": "Ann", "password": "incorrect"}
        assert await attempts(client, "/session", [wrong] * 10) == [401] * 10
        answer = await client.http.post("/api/session", json={"name": "Ann", "password": PASSWORD})
        assert (answer.status_code, answer.json()["kind"]) == (429, "too-many")
        assert 1 <= int(answer.headers["retry-after"]) <= 6
        elsewhere = browser(client.app, address="192.0.2.1")
        await elsewhere.post("/session", {"name": "Ann", "password": PASSWORD})


async def test_too_many_sign_ins_for_a_name_are_refused_from_any_address(settings: Settings) -> None:
    limits = Limits(sign_in_name=Rate(3, 3_600))
    async with running(dataclasses.replace(settings, limits=limits)) as client:
        await account(client, "Ann")
        for name in ("Ann", "Nobody"):
            statuses = []
            for number in range(4):
                other = browser(client.app, address=f"192.0.2.{number}")
                statuses += await attempts(other, "/session", [{"name": name, "password": "incorrect"}])
            assert statuses == [401, 401, 401, 429]


async def test_too_many_sign_ups_from_an_address_are_refused(settings: Settings) -> None:
    async with running(settings) as client:
        await account(client, "Ann")
        for _ in range(10):  # sign-ups that are refused for another reason do not count
            await client.post("/account", {"name": "Ann", "password": PASSWORD}, status=409)
            await client.post("/account", {"name": "!", "password": PASSWORD}, status=422)
        statuses = []
        for number in range(5):
            statuses += await attempts(
                browser(client.app), "/account", [{"name": f"Ann{number}", "password": PASSWORD}]
            )
        assert statuses == [201] * 4 + [429]
        elsewhere = browser(client.app, address="192.0.2.1")
        await elsewhere.post("/account", {"name": "Ann4", "password": PASSWORD}, status=201)


async def test_too_many_wrong_passwords_for_an_account_are_refused(settings: Settings) -> None:
    async with running(dataclasses.replace(settings, limits=Limits(password=Rate(3, 3_600)))) as client:
        ann = await account(client, "Ann")
        wrong = {"old": "incorrect", "new": "something else"}
        assert await attempts(ann, "/account/password", [wrong] * 4) == [403, 403, 403, 429]
        assert (await ann.ask("DELETE", "/account", {"password": PASSWORD}, status=429))["kind"] == "too-many"


async def test_too_many_wrong_reset_links_are_refused(settings: Settings) -> None:
    async with running(settings) as client:
        statuses = await attempts(client, f"/reset/{'x' * 43}", [{"password": PASSWORD}] * 11)
        assert statuses == [404] * 10 + [429]


# --- Passwords


async def test_the_number_of_waiting_password_checks_is_limited() -> None:
    passwords = Passwords(1, most_waiting=3)
    try:
        results = await asyncio.gather(
            *(passwords.matches(None, "some password") for _ in range(8)), return_exceptions=True
        )
        assert [result for result in results if not isinstance(result, BaseException)] == [False] * 4
        assert [type(result) for result in results if isinstance(result, BaseException)] == [TooMany] * 4
        await asyncio.sleep(0.05)
        assert await passwords.matches(await passwords.hash("some password"), "some password")
    finally:
        passwords.close()


async def test_a_cancelled_password_check_makes_room_for_another() -> None:
    passwords = Passwords(1, most_waiting=1)
    try:
        for _ in range(3):
            tasks = [asyncio.create_task(passwords.matches(None, "some password")) for _ in range(2)]
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            async with asyncio.timeout(10):
                while passwords._running:
                    await asyncio.sleep(0.01)
    finally:
        passwords.close()


async def test_the_server_answers_while_passwords_are_being_hashed(settings: Settings) -> None:
    async with running(dataclasses.replace(settings, limits=NO_LIMITS)) as client:
        wrong = {"name": "Ann", "password": "incorrect"}
        others = [browser(client.app) for _ in range(12)]
        trying = [asyncio.create_task(other.http.post("/api/session", json=wrong)) for other in others]
        done_before = 0
        while not all(task.done() for task in trying):
            await client.get("/health")
            await asyncio.sleep(0.001)  # these requests use no network, so they never yield to other tasks
            done_before += not all(task.done() for task in trying)
        assert done_before > 12
        assert {task.result().status_code for task in trying} == {401}


# --- Documentation


def test_the_documentation_lists_the_costs_and_budgets(repository: Path) -> None:
    text = (repository / "docs" / "accounts.md").read_text(encoding="utf-8")
    listed = sorted(float(cost) for cost in re.findall(r"^\| [^|]+ \| ([\d.]+) \|$", text, re.MULTILINE))
    constants = [value for name, value in vars(workload).items() if name.isupper() and isinstance(value, float)]
    assert listed == sorted(constants)
    for rate in (Limits().work_of_address, Limits().work_of_player):
        assert rate is not None
        assert f"{rate.amount / rate.seconds:.0f} ms a second, {rate.amount / 1_000:g} s in a burst" in text
