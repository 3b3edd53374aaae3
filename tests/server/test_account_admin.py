"""Administration, through the web API and with the ``cairn admin`` command."""

from __future__ import annotations

import dataclasses
import json
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path

import anyio.to_thread
import pytest
from typer.testing import CliRunner, Result

from cairn.cli.app import app
from cairn.server import logs
from cairn.server.logs import JsonFormatter
from cairn.server.settings import Settings
from harness.server.client import START, Client
from harness.server.people import COOKIE, PASSWORD, account, bot, browser, guest, identity_of, me, unlimited
from harness.server.postgresql import PostgresServer
from harness.server.processes import running

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    async with unlimited(settings) as client:
        yield client


async def test_an_administrator_can_mute_and_unmute_a_player(client: Client) -> None:
    ann, admin, shy = await account(client, "Ann"), await account(client, "Admin", admin=True), await guest(client)
    told = await admin.post("/admin/players/ANN/mute", {"muted": True})
    assert (told["player"]["name"], told["muted"], told["admin"]) == ("Ann", True, False)
    assert (await ann.get("/me"))["muted"]
    assert not (await admin.post("/admin/players/Ann/mute", {"muted": False}))["muted"]
    assert not (await ann.get("/me"))["muted"]
    assert (await admin.post(f"/admin/players/{(await me(shy))['id']}/mute", {}))["muted"]
    assert (await shy.get("/me"))["muted"]


@pytest.mark.parametrize("name", ["Nobody", "a%20b", "0" * 24, "x" * 90])
async def test_unknown_players_are_not_found(client: Client, name: str) -> None:
    admin = await account(client, "Admin", admin=True)
    for path, body in (("reset", None), ("mute", {})):
        problem = await admin.post(f"/admin/players/{name}/{path}", body, status=404)
        assert problem["kind"] == "unknown-player"
        assert (await admin.post(f"/admin/players/%00/{path}", body, status=404))["kind"] == "not-found"


async def test_deleted_players_are_not_found(client: Client) -> None:
    admin, shy = await account(client, "Admin", admin=True), await guest(client)
    name = (await me(shy))["id"]
    await shy.ask("DELETE", "/account", {}, status=204)
    await admin.post(f"/admin/players/{name}/mute", {}, status=404)


async def test_only_accounts_get_reset_links(client: Client) -> None:
    admin, shy = await account(client, "Admin", admin=True), await guest(client)
    await bot(admin, "Robot")
    for name in ("Robot", (await me(shy))["id"]):
        assert (await admin.post(f"/admin/players/{name}/reset", status=409))["kind"] == "no-account"


async def test_an_administrator_can_read_and_close_reports(client: Client) -> None:
    ann, ben, admin = [await account(client, name, admin=name == "Admin") for name in ("Ann", "Ben", "Admin")]
    game = await client.begin(position=START)
    identity = identity_of(client)
    about = await identity.find("Ben")
    for text in ("Rude.", "Very rude.", "\0 " + "x" * 2_000):
        await identity.report(await identity.find("Ann"), about.id, game["id"], text)
    listed = await admin.get("/admin/reports")
    assert [each["text"] for each in listed["reports"]] == ["x" * 1_000, "Very rude.", "Rude."]
    assert listed["total"] == 3
    newest = listed["reports"][0]
    assert newest["by"]["player"] == await me(ann)
    assert newest["about"]["player"] == await me(ben)
    assert (newest["game"], newest["done"]) == (game["id"], False)
    await admin.post(f"/admin/reports/{newest['id']}/done", status=204)
    await admin.post(f"/admin/reports/{newest['id']}/done", status=204)
    assert [each["id"] for each in (await admin.get("/admin/reports?done=true"))["reports"]] == [newest["id"]]
    open_ones = await admin.get("/admin/reports?done=false&limit=1&offset=1")
    assert [each["text"] for each in open_ones["reports"]] == ["Rude."]
    assert open_ones["total"] == 2
    assert (await admin.post("/admin/reports/999/done", status=404))["kind"] == "unknown-report"
    await ben.ask("DELETE", "/account", {"password": PASSWORD}, status=204)
    assert (await admin.get("/admin/reports"))["reports"][0]["about"]["player"]["kind"] == "deleted"


# --- The command


async def cairn_admin(*arguments: str, data: Path) -> Result:
    """Run ``cairn admin`` as in a terminal."""

    def run() -> Result:
        return CliRunner().invoke(app, ["admin", *arguments, "--data", str(data)])

    return await anyio.to_thread.run_sync(run)


async def test_the_command_appoints_and_removes_administrators_and_issues_reset_links(settings: Settings) -> None:
    async with running(settings) as client:
        ann = await account(client, "Ann")
        cookie = ann.http.cookies["cairn_session"]
        busy = await cairn_admin("Ann", data=settings.data)
        assert busy.exit_code == 1
        assert "Cairn is already running" in busy.stderr
    made = await cairn_admin("ann", data=settings.data)
    assert (made.exit_code, made.stdout) == (0, "Ann is now an administrator.\n")
    link = await cairn_admin("Ann", "--reset", "--address", "https://cairn.example/", data=settings.data)
    found = re.search(r"https://cairn\.example/reset#([\w-]{43})\n", link.stdout)
    assert found
    async with running(settings) as client:
        admin = browser(client.app, cookie=cookie)
        assert (await admin.get("/me"))["admin"]
        await client.post(f"/reset/{found[1]}", {"password": "something else"})
        assert (await me(client))["name"] == "Ann"
    gone = await cairn_admin("Ann", "--revoke", data=settings.data)
    assert gone.stdout == "Ann is no longer an administrator.\n"
    async with running(settings) as client:
        assert not (await client.post("/session", {"name": "Ann", "password": "something else"}))["admin"]


async def test_the_command_works_while_a_server_is_using_the_database(
    settings: Settings, postgres: PostgresServer
) -> None:
    """The running server applies the change immediately."""
    address = postgres.new_database("empty")
    async with running(dataclasses.replace(settings, database=address)) as client:
        ann = await account(client, "Ann")
        assert (await ann.get("/admin/reports", status=403))["kind"] == "admin-needed"
        made = await cairn_admin("ann", "--database", address, data=settings.data / "nowhere")
        assert (made.exit_code, made.stdout) == (0, "Ann is now an administrator.\n"), made.stderr
        await ann.get("/admin/reports")
        await cairn_admin("ann", "--revoke", "--database", address, data=settings.data / "nowhere")
        await ann.get("/admin/reports", status=403)
    wrong = await cairn_admin("ann", "--database", "mysql://host/cairn", data=settings.data)
    assert (wrong.exit_code, wrong.stderr) == (1, "cairn: Cairn stores games in SQLite or PostgreSQL, not in mysql.\n")


# --- The audit log


async def test_the_audit_log_contains_account_events_but_no_secrets(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "cairn.audit"):
        ann, admin = await account(client, "Ann"), await account(client, "Admin", admin=True)
        ids = {"Ann": (await me(ann))["id"], "Admin": (await me(admin))["id"]}
        secrets = [PASSWORD, ann.http.cookies[COOKIE], "incorrect one", "secret typed as a name"]
        caplog.clear()
        wrong = {"name": "Ann", "password": "incorrect one"}
        await client.post("/session", wrong, status=401)
        await client.post("/session", {"name": "secret typed as a name", "password": "x"}, status=401)
        await client.post("/session", {"name": "Ann", "password": PASSWORD})
        await ann.post("/account/password", {"old": "incorrect one", "new": "another one"}, status=403)
        token = await ann.post("/account/tokens", {"bot": "Robot"}, status=201)
        await ann.ask("DELETE", f"/account/tokens/{token['about']['id']}", status=204)
        link = (await admin.post("/admin/players/Ann/reset", status=201))["link"].partition("#")[2]
        await admin.post("/admin/players/Ann/mute", {"muted": True})
        await admin.get("/admin/reports")
        await client.post(f"/reset/{link}", {"password": "yet another one"})
        await client.ask("DELETE", "/session", status=204)
        await client.post("/session", {"name": "Ann", "password": "yet another one"})
        await client.ask("DELETE", "/account", {"password": "yet another one"}, status=204)
    lines = [json.loads(JsonFormatter().format(record)) for record in caplog.records if record.name == "cairn.audit"]
    bot_id = token["about"]["bot"]["id"]
    assert [(line["event"], line.get("player"), line.get("by")) for line in lines] == [
        ("sign-in-refused", ids["Ann"], None),
        ("sign-in-refused", None, None),
        ("sign-in", ids["Ann"], None),
        ("password-refused", ids["Ann"], None),
        ("token-created", bot_id, ids["Ann"]),
        ("token-revoked", bot_id, ids["Ann"]),
        ("link-issued", ids["Ann"], ids["Admin"]),
        ("muted", ids["Ann"], ids["Admin"]),
        ("reports-read", None, ids["Admin"]),
        ("link-used", ids["Ann"], None),
        ("sign-out", ids["Ann"], None),
        ("sign-in", ids["Ann"], None),
        ("player-deleted", ids["Ann"], None),
    ]
    assert {line["address"] for line in lines if line["event"].startswith("sign-in")} == {"127.0.0.1"}
    for secret in (*secrets, token["token"], link, "another one"):
        assert all(secret not in value for line in lines for value in map(str, line.values()))


def test_both_log_formats_contain_audit_events(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        for form in ("text", "json"):
            logs.configure("json" if form == "json" else "text")
            logs.audit("muted", player="p", by="q")
            assert "muted player=p by=q" in capsys.readouterr().err, form
    finally:
        root.handlers[:], level = before
        root.setLevel(level)


async def test_the_command_refuses_unknown_names_missing_data_and_conflicting_options(
    settings: Settings, tmp_path: Path
) -> None:
    unknown = await cairn_admin("Nobody", data=settings.data)
    assert (unknown.exit_code, unknown.stderr) == (1, "cairn: There is no such player.\n")
    nothing = await cairn_admin("Ann", data=tmp_path / "elsewhere")
    assert nothing.exit_code == 1
    assert "no games found in" in nothing.stderr
    assert not (tmp_path / "elsewhere").exists()
    both = await cairn_admin("Ann", "--reset", "--revoke", data=settings.data)
    assert both.exit_code == 2
