"""The dependency audit, with recorded output from pip-audit and npm."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

FAULT = {"id": "PYSEC-2026-1", "fix_versions": ["2.0"], "aliases": [], "description": ""}


@pytest.fixture
def audit(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "tools")
    return importlib.import_module("audit")


def test_known_vulnerabilities_are_reported(audit: ModuleType) -> None:
    packages = [{"name": "a", "version": "1.0", "vulns": [FAULT]}, {"name": "b", "version": "1.0", "vulns": []}]
    found = audit.read_pip_audit("list", json.dumps({"dependencies": packages}), "")
    assert found.faults == ("a 1.0: PYSEC-2026-1, fixed in 2.0",)
    assert found.sentence == "list: known vulnerabilities: 1, packages checked: 2"


def test_packages_that_were_not_looked_up_are_not_reported_as_safe(audit: ModuleType) -> None:
    skipped = {"name": "a", "skip_reason": "Dependency not found on PyPI and could not be audited: a (1.0)"}
    some = audit.read_pip_audit(
        "list", json.dumps({"dependencies": [skipped, {"name": "b", "version": "1", "vulns": []}]}), ""
    )
    assert some.sentence == "list: known vulnerabilities: 0, packages checked: 1, not checked: 1"
    none = audit.read_pip_audit("list", json.dumps({"dependencies": [skipped]}), "No known vulnerabilities found")
    assert none.looked_up == 0
    assert "nothing could be checked" in none.sentence


def test_npm_reports_are_read(audit: ModuleType) -> None:
    report = {"vulnerabilities": {"x": {"severity": "high"}}, "metadata": {"dependencies": {"total": 7}}}
    found = audit.read_npm_audit("list", json.dumps(report), "")
    assert (found.faults, found.looked_up, found.trouble) == (("x: high",), 7, "")
    refused = audit.read_npm_audit("list", json.dumps({"message": "405 Method Not Allowed", "error": {}}), "")
    assert refused.sentence == "list: nothing could be checked: 405 Method Not Allowed"


@pytest.mark.parametrize(("faults", "code"), [([], 0), ([FAULT], 1)])
def test_only_known_vulnerabilities_fail_the_audit(
    audit: ModuleType,
    faults: list[object],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Use a fake pip-audit and no npm."""
    answer = json.dumps({"dependencies": [{"name": "a", "version": "1.0", "vulns": faults}]})
    program = tmp_path / "pip-audit"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n", encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "web").mkdir()
    monkeypatch.setattr(audit, "ROOT", tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert audit.main([str(program)]) == code
    last = capsys.readouterr().out.splitlines()[-1]
    locks = len(audit.LOCKS)  # each lock file lists the package
    assert last.startswith(f"audit: known vulnerabilities: {locks * len(faults)}, packages checked: {locks}, ")
