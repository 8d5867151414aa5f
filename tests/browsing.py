"""What the browser tests of annotate share: a served study, pressing on, looking at a page."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SHOTS = os.environ.get("HOMEGROUND_SCREENSHOTS")
"""A folder for pictures of every page, to be looked at."""


def homeground(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "homeground", *words], capture_output=True, text=True, timeout=60, check=False
    )


@contextmanager
def served(folder: Path, study: str) -> Iterator[str]:
    """The admin's link of a served study."""
    file = folder / "study.toml"
    file.write_text(study)
    words = ["annotate", "serve", "--study", str(file), "--db", str(folder / "s.sqlite"), "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "homeground", *words], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()
        yield process.stdout.readline().split()[-1]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()


def press(page: Any, role: str, name: str) -> None:  # noqa: ANN401
    """Press a button or link and wait for the next page."""
    whole = page.get_by_role(role, name=name, exact=True)
    with page.expect_navigation():
        (whole if whole.count() else page.get_by_role(role, name=name)).click()


def look(page: Any, name: str) -> None:  # noqa: ANN401
    """No serious fault by axe, nothing wider than the page at 360 px; pictures where they are asked for."""
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
    page.set_viewport_size({"width": 1280, "height": 900})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page)
        serious = [v for v in found.response["violations"] if v["impact"] in ("serious", "critical")]
        assert serious == [], (name, scheme, found.generate_report())
        for width in (400, 1280) if SHOTS else ():
            page.set_viewport_size({"width": width, "height": 860})
            page.screenshot(path=f"{SHOTS}/{name}-{width}-{scheme}.png", full_page=True)
