"""Checks all pinned dependencies for known vulnerabilities: Python packages with pip-audit, web packages with npm.

    python tools/audit.py PIP-AUDIT

A known vulnerability fails the audit. If advisories cannot be fetched, the audit says so but does not fail, because the
build must also work on a machine without internet access. The last line gives the number of packages checked.
"""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LOCKS: Final = ("dev", "bench", "research", "ray", "wasm", "docs", "fonts", "release", "uv")
SECONDS: Final = 180


@dataclasses.dataclass(frozen=True)
class Found:
    """The findings for a list of packages."""

    name: str
    looked_up: int = 0
    unknown: int = 0
    """The number of packages whose advisories could not be fetched."""
    faults: tuple[str, ...] = ()
    trouble: str = ""
    """Why nothing could be checked."""

    @property
    def sentence(self) -> str:
        """The findings as one line of text."""
        if self.trouble:
            return f"{self.name}: nothing could be checked: {self.trouble}"
        missing = f", not checked: {self.unknown}" if self.unknown else ""
        return f"{self.name}: known vulnerabilities: {len(self.faults)}, packages checked: {self.looked_up}{missing}"


def read_pip_audit(name: str, output: str, complaints: str) -> Found:
    """Parse the output of pip-audit, which skips packages that it could not look up."""
    try:
        packages = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Found(name, trouble=_last_line(complaints))
    known = [each for each in packages if "skip_reason" not in each]
    unknown = len(packages) - len(known)
    if not known:
        return Found(name, trouble=f"no advisories for any of {unknown} packages")
    faults = (
        f"{each['name']} {each['version']}: {fault['id']}, fixed in {', '.join(fault['fix_versions']) or 'no version'}"
        for each in known
        for fault in each["vulns"]
    )
    return Found(name, len(known), unknown, tuple(faults))


def read_npm_audit(name: str, output: str, complaints: str) -> Found:
    """Parse the output of npm audit."""
    try:
        report = json.loads(output)
        total = report["metadata"]["dependencies"]["total"]
        faults = (f"{package}: {each['severity']}" for package, each in report["vulnerabilities"].items())
        return Found(name, total, 0, tuple(faults))
    except (ValueError, KeyError, TypeError):
        return Found(name, trouble=_message(output) or _last_line(complaints))


def _message(output: str) -> str:
    """The error message if npm could not reach the registry; otherwise empty."""
    try:
        report = json.loads(output)
    except ValueError:
        return ""
    return str(report.get("message") or "") if isinstance(report, dict) else ""


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no answer"])[-1][:300]


def _run(*command: str, folder: Path = ROOT) -> tuple[str, str]:
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "", f"no answer within {SECONDS} seconds"
    except OSError as error:
        return "", str(error)
    return ran.stdout, ran.stderr


def main(arguments: Sequence[str]) -> int:
    """Audit all packages. The exit code is 1 if there is a known vulnerability."""
    (pip_audit,) = arguments
    options = ("--require-hashes", "--disable-pip", "--progress-spinner=off", "--format=json", "--timeout=15")
    found = []
    for lock in LOCKS:
        name = f"requirements/{lock}.lock"
        found.append(read_pip_audit(name, *_run(pip_audit, *options, "--requirement", name)))
    found.append(read_npm_audit("web/package-lock.json", *_run("npm", "audit", "--json", folder=ROOT / "web")))
    for each in found:
        print(each.sentence)
        for fault in each.faults:
            print(f"  {fault}")
    faults, looked_up = sum(len(each.faults) for each in found), sum(each.looked_up for each in found)
    unasked = sum(bool(each.trouble) for each in found)
    print(
        f"audit: known vulnerabilities: {faults}, packages checked: {looked_up}, "
        f"lists that could not be checked: {unasked} of {len(found)}"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
