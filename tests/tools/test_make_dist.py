"""The packages of a release: they are complete, and work in an empty environment without a compiler."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "zig", "cmake", "ninja")
TARGETS = ("aarch64-macos", "x86_64-macos", "x86_64-windows-gnu")


@pytest.fixture(scope="module")
def make_dist(repository: Path) -> ModuleType:
    sys.path.insert(0, str(repository / "tools"))
    try:
        return importlib.import_module("make_dist")
    finally:
        sys.path.remove(str(repository / "tools"))


@pytest.fixture(scope="module")
def packages(make_dist: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The source distribution and the wheel."""
    built: list[Path] = make_dist.make_dist(tmp_path_factory.mktemp("dist"))
    return built


@pytest.fixture(scope="module")
def constraints(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pinned versions, without their hashes: a wheel that was just built has none."""
    lock = (repository / "requirements" / "dev.lock").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("constraints") / "constraints.txt"
    path.write_text("\n".join(re.findall(r"^[^\s#]+==[^\\\n]+", lock, re.MULTILINE)), encoding="utf-8")
    return path


def run(command: Sequence[object], environment: dict[str, str], **options: Any) -> str:
    words = [str(word) for word in command]
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, **options)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return str(ran.stdout)


@pytest.mark.proof
def test_both_packages_are_complete_and_the_wheel_runs_on_old_systems(
    make_dist: ModuleType, packages: list[Path]
) -> None:
    source, wheel = packages
    assert source.name.endswith(".tar.gz")
    assert re.search(r"[-.]manylinux_2_17_\w+\.whl$", wheel.name)
    for package in packages:
        make_dist.check_contents(package)
    names = make_dist.names_in(source)
    assert {"CMakeLists.txt", "native/position.cpp", "LICENSE", "NOTICE", "tools/check_installed.py"} <= names
    assert not {name for name in names if name.startswith((".venv", "build", "web/node_modules", ".ci"))}
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if not name.startswith(("cairn/", "cairn_game-"))]


@pytest.mark.proof
def test_the_wheel_plays_and_serves_in_an_empty_environment_without_a_compiler(
    packages: list[Path], constraints: Path, repository: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    scripts = tmp_path / "empty" / "bin"
    environment = {"PATH": str(scripts), "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    assert not [name for name in COMPILERS if (scripts / name).exists()]
    install = [scripts / "python", "-m", "pip", "install", "--quiet", "--only-binary=:all:"]
    run([*install, "--constraint", constraints, f"{packages[1]}[serve]"], _with_index(environment))
    checked = run([scripts / "python", repository / "tools" / "check_installed.py"], environment, cwd=tmp_path)
    version = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert re.fullmatch(
        rf"cairn {re.escape(version)}\n"
        r"level 1 against level 1: (forest wins|sea wins|a draw) after \d+ tokens\n"
        r"cairn serve: the page and \d+ files with [\d,]+ bytes\n",
        checked,
    )


@pytest.mark.proof
def test_pipx_run_plays(make_dist: ModuleType, packages: list[Path], tmp_path: Path) -> None:
    """As ``pipx run cairn-game`` would, with the wheel instead of the package on PyPI."""
    environment = _with_index({"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8", "CAIRN_LANG": "en"})
    command = [make_dist.RELEASE_BIN / "pipx", "run", "--spec", str(packages[1]), "cairn-game"]
    played = run(command, environment, input="quit\n", timeout=300)
    assert "You are Forest, against the computer at level 1." in played
    assert played.rstrip().endswith("Goodbye.")
    assert run([*command, "--version"], environment, timeout=300).startswith("cairn ")


@pytest.mark.proof
@pytest.mark.parametrize("target", TARGETS)
def test_the_core_compiles_for_other_systems(
    make_dist: ModuleType, repository: Path, tmp_path: Path, target: str
) -> None:
    """Their wheels cannot be built here, but Zig has their C++ libraries."""
    command = [sys.executable, repository / "native" / "generate_megaliths.py"]
    run([*command, repository / "src" / "cairn" / "megaliths.json", tmp_path / "megaliths.inc"], {})
    native = repository / "native"
    sources = sorted([*native.glob("*.cpp"), *native.glob("batch/*.cpp"), *native.glob("training/*.cpp")])
    everything = tmp_path / "everything.cpp"
    everything.write_text("".join(f'#include "{source}"\n' for source in sources), encoding="utf-8")
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{native}", f"-I{tmp_path}", "-O1", "-c", "-o"]
    environment = {"ZIG_GLOBAL_CACHE_DIR": str(repository / "build" / "zig"), "PATH": "/usr/bin:/bin"}
    zig = make_dist.BIN / "python-zig"
    run([zig, "c++", "-target", target, *flags, tmp_path / "everything.o", everything], environment)
    assert (tmp_path / "everything.o").stat().st_size > 100_000


@pytest.mark.proof
@pytest.mark.parametrize("platform", ["linux", "macos", "windows"])
def test_the_release_builds_wheels_for_every_supported_python(
    make_dist: ModuleType, repository: Path, platform: str
) -> None:
    command = [make_dist.RELEASE_BIN / "cibuildwheel", "--print-build-identifiers", "--platform", platform]
    wheels = run([*command, "--archs", "auto64", repository], {"PATH": "/usr/bin:/bin", "HOME": "/tmp"}).split()
    assert {wheel.partition("-")[0] for wheel in wheels} == {"cp311", "cp312", "cp313", "cp314"}


def test_an_incomplete_package_is_rejected(make_dist: ModuleType, tmp_path: Path) -> None:
    package = tmp_path / "cairn_game-1.tar.gz"
    with tarfile.open(package, "w:gz") as archive:
        for name in make_dist.REQUIRED[1:]:
            path = tmp_path / "file"
            path.touch()
            archive.add(path, f"cairn_game-1/src/{name}")
    with pytest.raises(make_dist.DistError, match=r"cairn_game-1\.tar\.gz lacks cairn/server/pages/index\.html"):
        make_dist.check_contents(package)


def _with_index(environment: dict[str, str]) -> dict[str, str]:
    """Add the settings that say where pip finds packages."""
    import os

    return environment | {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
