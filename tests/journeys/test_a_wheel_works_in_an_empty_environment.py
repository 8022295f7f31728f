"""The built wheel holds all it needs: no npm, no checkout, no file beside it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("sampling", "analysis", "study_server", "templates", "instructions")
SCRIPTS = ("balinese", "grantha", "kannada", "khmer", "malayalam", "sundanese", "tamil")

pytestmark = pytest.mark.long


def build(source: Path, target: Path) -> Path:
    """Build a wheel with the build backend of the test environment."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (wheel,) = target.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel and what it asks for, nothing else."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(folder, with_pip=True)
    subprocess.run(
        [
            *(str(folder / "bin/python"), "-m", "pip", "install", "--quiet"),
            *("--disable-pip-version-check", "--constraint", str(ROOT / "constraints.txt")),
            str(wheel),
        ],
        check=True,
    )
    return folder


def run(environment: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command with nothing of this process's environment but the essentials."""
    return subprocess.run(
        [str(environment / "bin/lontar"), *arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_the_wheel_holds_the_front_end_packages_with_their_licences(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    static = "study_server/static/vendor"
    assert {
        f"{static}/openseadragon/openseadragon.min.js",
        f"{static}/openseadragon/LICENSE.txt",
        f"{static}/htmx/htmx.min.js",
        f"{static}/htmx/LICENSE",
        f"{static}/pico/pico.min.css",
        f"{static}/pico/LICENSE.md",
        f"{static}/fonts/noto.css",
        *(f"{static}/fonts/noto-sans-{s}-{s}-400-normal.woff2" for s in SCRIPTS),
        *(f"{static}/fonts/LICENSE-noto-sans-{s}.txt" for s in SCRIPTS),
        *(f"sampling/synthetic/fonts/noto-sans-{s}-{s}-400-normal.woff" for s in SCRIPTS),
        *(f"sampling/synthetic/fonts/LICENSE-noto-sans-{s}.txt" for s in SCRIPTS),
    } <= names


def test_the_wheel_holds_every_template_text_and_compiled_translation(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {
        file.relative_to(ROOT).as_posix()
        for folder in ("templates", "instructions", "study_server")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in {".html", ".md", ".toml", ".js", ".css", ".mo", ".txt", ".json", ".po"}
    }
    assert shipped - names == set()


def test_the_wheel_holds_nothing_else_of_the_repository(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == set(SOURCES)
    beside = {Path(name).suffix for name in zipfile.ZipFile(wheel).namelist() if ".data/" in name}
    assert beside == {".md", ".png"}


def test_the_same_sources_give_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in (*SOURCES, "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "package.json", "package-lock.json"):
        shutil.copy(ROOT / name, copy)
    for name in ("README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy)
    os.utime(copy / "README.md", (0, 1_000_000_000))
    again = build(copy, tmp_path / "out")
    assert digest(again) == digest(wheel)


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_help_names_every_command(environment: Path, tmp_path: Path) -> None:
    shown = run(environment, tmp_path, "--help")
    assert shown.returncode == 0
    assert "check-reported" in shown.stdout
    documentation = Path(shown.stdout.splitlines()[-1].strip())
    assert documentation.is_relative_to(environment.resolve())
    assert (documentation / "statistics.md").is_file()
    assert (documentation / "images" / "question.png").is_file()


def test_every_command_loads_in_an_empty_environment(environment: Path, tmp_path: Path) -> None:
    commands = subprocess.run(
        [
            str(environment / "bin/python"),
            "-c",
            "from study_server.cli import COMMANDS; print(*COMMANDS)",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    failed = {
        command: shown.stderr
        for command in commands
        if (shown := run(environment, tmp_path, command, "--help")).returncode
    }
    assert failed == {}


def test_without_its_extra_the_demonstration_says_how_to_get_it(
    environment: Path, tmp_path: Path
) -> None:
    told = run(environment, tmp_path, "demo", "--no-serve")
    assert told.returncode == 1
    assert "pip install 'lontar[demo]'" in told.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_folder_of_a_packages_name_is_no_trouble(
    environment: Path, tmp_path: Path
) -> None:
    for name in SOURCES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
    made = run(environment, tmp_path, "new", "study", "--preset", "palmleaf-vqa")
    assert (made.returncode, made.stderr.count("wrong package")) == (0, 0)
    assert (tmp_path / "study/study.toml").is_file()
