"""The house: rooms import only from rooms above them, nobody walks in a circle."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "homeground"
ROOMS = [
    "cultures", "scenes", "dialogues", "questions", "benchmarks", "prompts", "plan", "engines", "judging", "runs",
    "statistics", "experiments", "report", "annotate", "cli",
]  # fmt: skip
PAGES = {"schema", "errors", "files", "version"}


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("homeground."):
            found.add(node.module.split(".")[1])
    return found


def test_every_room_of_the_design_is_there() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms == set(ROOMS)


def test_data_flows_one_way() -> None:
    for place, room in enumerate(ROOMS):
        for path in (SOURCE / room).rglob("*.py"):
            below = _imports(path) - PAGES - set(ROOMS[: place + 1])
            assert not below, f"{path} imports from {below}"


def test_the_pages_know_no_room() -> None:
    for page in PAGES:
        assert _imports(SOURCE / f"{page}.py") <= PAGES


def test_files_stay_small() -> None:
    for path in SOURCE.rglob("*.py"):
        assert len(path.read_text().splitlines()) <= 330, path
