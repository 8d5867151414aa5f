"""The command line: exit codes, one clear line for bad input, JSON and nothing else, cheap start-up."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from homeground.benchmarks import Benchmark
from homeground.cli import main
from homeground.cli.main import VERBS
from homeground.plan import Selection
from tests.simulated import simulated_run

MODEL = "embedded:smollm2-135m"


def homeground(*words: str | Path, **kwargs: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "homeground", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **kwargs)  # type: ignore[call-overload,no-any-return]


def refused(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """The one line that a refused command prints."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    assert code == 2, (code, out, err)
    assert out == ""
    lines = [line for line in err.splitlines() if line.strip()]
    assert len(lines) == 1, err
    assert "Traceback" not in err
    return lines[0]


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from homeground.cli import main; main(['--help'])"
    script = (
        f"try:\n {code.replace('; ', chr(10) + ' ')}\nexcept SystemExit: pass\nprint(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = done.stdout.splitlines()[-1]
    for heavy in (
        "numpy",
        "scipy",
        "rich",
        "aiohttp",
        "jinja2",
        "msgspec",
        "xllamacpp",
        "sqlite3",
        "asyncio",
    ):
        assert f"'{heavy}'" not in modules


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_in_80_columns(
    verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert "usage: homeground " + verb in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_unknown_words_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, benchmark_folder: Path
) -> None:
    out, empty = tmp_path / "new", tmp_path / "empty.txt"
    empty.write_text(" \n")
    for words, said in (
        (("fly",), "invalid choice: 'fly'"),
        (("build", "conversations", "-o", out, "--cultures", "FR,Zz"), "unknown culture 'Zz'"),
        (("build", "conversations", "-o", out, "--concepts", "tempreature"), "did you mean temperature"),
        (("run", benchmark_folder, "--model", "smollm2", "-o", out), "write engine:name"),
        (
            ("run", benchmark_folder, "--model", "embedded:smollm", "-o", out),
            "unknown embedded model 'smollm'",
        ),
        (
            ("run", benchmark_folder, "--model", "openai:x", "-o", out, "--condition", "cue9"),
            "unknown condition",
        ),
        (
            ("run", benchmark_folder, "--model", "openai:x", "-o", out, "--strategy", "cott"),
            "unknown strategy",
        ),
        (("run", benchmark_folder, "--model", "openai:x", "-o", out, "--task", "vqa"), "unknown task"),
        (
            ("run", benchmark_folder, "--model", "openai:x", "-o", out, "--cultures", "XX"),
            "unknown culture 'XX'",
        ),
        (
            ("run", benchmark_folder, "--model", "openai:x", "-o", out, "--base-url", "nowhere"),
            "not an address such as",
        ),
        (("run", benchmark_folder, "--model", "openai:x", "-o", out, "--sample", "0"), "at least 1"),
        (("run", benchmark_folder, "--model", MODEL, "-o", out, "--strategy", "cot"), "has no thinking mode"),
        (
            ("run", benchmark_folder, "--model", MODEL, "-o", out, "--strategy", "system:none.txt"),
            "none.txt: No such",
        ),
        (("run", benchmark_folder, "--model", MODEL, "-o", out, "--strategy", f"system:{empty}"), "is empty"),
        (("run", benchmark_folder, "--model", MODEL, "-o", out, "--samples", "2"), "give --temperature too"),
        (("run", benchmark_folder, "--model", MODEL, "-o", out, "--temperature", "3"), "not between 0 and 2"),
        (
            ("run", benchmark_folder, "--model", MODEL, "-o", out, "--log", tmp_path / "no" / "log"),
            "cannot be written",
        ),
        (("run", benchmark_folder, "--model", MODEL, "-o", out, "--prices", "1"), "is not IN,OUT"),
        (("run", tmp_path / "none", "--model", "openai:x", "-o", out), "no such benchmark folder"),
        (("run", tmp_path, "--model", "openai:x", "-o", out), "not a benchmark folder"),
        (("judge", tmp_path), "not a run's folder"),
        (("report", tmp_path), "not a run's folder"),
        (("cultures", "show", "ZZ"), "unknown culture 'ZZ'"),
        (("models", "get", "gpt"), "unknown embedded model 'gpt'"),
        (("benchmark", "check", tmp_path / "none"), "no such benchmark folder"),
    ):
        assert said in refused(capsys, *words)
    assert not out.exists()


def test_an_unreachable_server_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path, benchmark_folder: Path,
                                        monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr("homeground.engines.openai._RETRIES", 0)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-1234")
    line = refused(
        capsys, "run", benchmark_folder, "--model", "openai:x", "-o", tmp_path / "r", "--sample", "1",
        "--base-url", "http://127.0.0.1:9/v1",
    )  # fmt: skip
    assert "cannot reach http://127.0.0.1:9/v1" in line
    assert "is the server running" in line
    assert "secret" not in line
    assert not (tmp_path / "r").exists()


def test_output_that_cannot_be_written_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, benchmark_folder: Path, weights: Path
) -> None:
    assert weights.is_file()
    # /proc refuses everybody, root included, as a read-only disk would.
    for words in (
        ("build", "conversations", "--concepts", "price", "-o", "/proc/homeground/b"),
        ("run", benchmark_folder, "--model", "embedded:smollm2-135m", "-o", "/proc/homeground"),
    ):
        line = refused(capsys, *words)
        assert "/proc/homeground" in line
        assert "cannot be written" in line
    used = tmp_path / "used"
    used.write_text("a file")
    assert "already exists" in refused(capsys, "build", "conversations", "-o", used, "--concepts", "price")


def _no_large_files() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))


@pytest.mark.parametrize("verb", ["build", "run"])
def test_a_full_disk_leaves_nothing_half_written(
    verb: str, tmp_path: Path, benchmark_folder: Path, weights: Path
) -> None:
    assert weights.is_file()
    target = tmp_path / "new"
    words: dict[str, tuple[str | Path, ...]] = {
        "build": ("build", "conversations", "--concepts", "price", "-o", target),
        "run": ("run", benchmark_folder, "--model", "embedded:smollm2-135m", "-o", target),
    }
    done = homeground(*words[verb], preexec_fn=_no_large_files)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"{target}: cannot be written: File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_json_is_all_that_stands_on_standard_output(tmp_path: Path) -> None:
    built = homeground("build", "conversations", "-o", tmp_path / "b", "--concepts", "price", "--json")
    assert json.loads(built.stdout)["concepts"]["price"]["scenes"] >= 3
    checked = homeground("benchmark", "check", tmp_path / "b", "--json")
    assert json.loads(checked.stdout)["problems"] == []
    assert checked.returncode == 0
    assert json.loads(homeground("cultures", "list", "--json").stdout.splitlines()[0])["code"] == "BR"
    assert (
        json.loads(homeground("cultures", "show", "FR", "--json").stdout)["facts"]["name"]["value"]
        == "France"
    )
    models = [json.loads(line) for line in homeground("models", "list", "--json").stdout.splitlines()]
    assert {"smollm2-135m", "Qwen3-VL-8B-Instruct", "Gervasio-70B-PTPT"} <= {m["name"] for m in models}


def test_a_failed_check_exits_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "conversations", "-o", str(tmp_path / "b"), "--concepts", "price"]) == 0
    next((tmp_path / "b" / "images").iterdir()).unlink()
    capsys.readouterr()
    assert main(["benchmark", "check", str(tmp_path / "b")]) == 1
    assert "is missing" in capsys.readouterr().out


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m homeground cultures show FR | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("FR")
    assert done.stderr == ""


def test_an_experiment_that_nothing_speaks_to_says_so(
    benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(simulated_run(tmp_path / "run", benchmark, Selection(sample=2, concepts=("price",))).folder)
    for words in ([], ["--format", "csv"], ["--json"], ["--table", "divergences"]):
        assert main(["experiment", "divergences", run, *words]) == 0
        said = capsys.readouterr()
        assert said.err.startswith("nothing to tell from these answers")
        assert said.out.strip() == ("[]" if words == ["--json"] else "")


def test_titles_of_narrow_tables_are_not_folded(
    benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    selection = Selection(sample=1, concepts=("quantifier",), conditions=("implicit",))
    run = str(simulated_run(tmp_path / "run", benchmark, selection).folder)
    assert main(["experiment", "levels", run, "--table", "accuracy_by_concept"]) == 0
    assert "openai:simulated · direct · quantifier · background · implicit" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [["experiment", "levels"], ["compare"], ["case"], ["report"], ["check", "--require", "gap.cue1 < 1"]],
)
def test_a_run_without_answers_is_named(
    words: list[str], benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    simulated_run(folder, benchmark, Selection(sample=1, concepts=("price",)), missing=range(100))
    assert main([*words, str(folder)]) == 2
    said = capsys.readouterr()
    assert said.err == f"homeground: {folder}: no answers yet; run the benchmark first\n"
    assert said.out == ""
