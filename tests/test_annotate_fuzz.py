"""No form, however odd, breaks a page: schemathesis sends bodies to every route as everybody who can come."""

from __future__ import annotations

import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.generation.hypothesis import setup

from homeground.annotate.app.guard import HEADERS
from tests.fuzzing import KINDS, LIVE, Site, Visitor, fields_of, site_of

# It would change how Hypothesis bounds and shows the examples of every other test.
setup._is_patched = True  # type: ignore[attr-defined]
import schemathesis  # noqa: E402
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.core.failures import FailureGroup  # noqa: E402
from schemathesis.generation.feedback import NO_FEEDBACK  # noqa: E402

ODD = (
    "", " ", "\0", "a\0b", "9" * 400, "-1", "1e400", "nan", "٣", "²", "0x1", "2147483648", "9223372036854775808",
    "\ufffe", "\u202e", "x" * 2_001, "x" * 20_000, "%00", "' OR 1=1 --", "{{7*7}}{x}%s", "../../etc", "\r\n", "[]",
    "null", "true", "1" * 11, "🙂", "\U000e0001",
)  # fmt: skip
HARD = ("a\0b", "9223372036854775808", "x" * 20_000, "\ufffe🙂")
"""What a database may refuse to keep."""
HARDLY_SEEN = {
    "/finish", "/question/{entry}/try", "/admin/release", "/admin/duplicates", "/admin/entry/{entry}/example",
}  # fmt: skip
"""Routes whose forms wait for what does not come about here: nothing left for now, a model, an accepted question,
two that are alike."""
FORM = "application/x-www-form-urlencoded"


def declared(site: Site, fields: dict[str, dict[str, list[str]]], odd: bool) -> Any:  # noqa: ANN401
    """The app's schema with its forms: fields of what pages offer and of odd values, or of any text."""
    raw = site.app.openapi()
    text: dict[str, Any] = {"type": "string"}
    some: dict[str, Any] = {"enum": list(ODD)} if odd else text
    for path, methods in raw["paths"].items():
        for method, operation in methods.items():
            for parameter in operation.setdefault("parameters", []):
                parameter["schema"] = {"enum": list(ODD[1:])} if odd else text
            operation["parameters"] += [
                *({"name": name, "in": "query", "schema": some} for name in sorted(site.queries)),
                {"name": "language", "in": "cookie", "schema": text},
                {"name": "accept-language", "in": "header", "schema": text},
            ]
            if method == "post":
                known = {
                    name: {"enum": [*(value for value in values if value != LIVE), *ODD]} if odd else text
                    for name, values in fields[path].items()
                    if name != "csrf"
                }
                form = {"type": "object", "properties": known, "required": sorted(known)}
                operation["requestBody"] = {"required": True, "content": {FORM: {"schema": form}}}
    schema = schemathesis.openapi.from_dict(raw)
    schema.app = site.app
    return schema


class Fuzz:
    """Sends cases and keeps what came of them."""

    def __init__(self, site: Site) -> None:
        self.site, self.visitors = site, site.everybody()
        self.fields = fields_of(site, self.visitors)
        self.seen: Counter[tuple[str, int]] = Counter()
        self.broken: list[str] = []
        odd, self._any = (declared(site, self.fields, odd) for odd in (True, False))
        negative = schemathesis.GenerationMode.NEGATIVE
        self._cases: dict[tuple[str, str], st.SearchStrategy[Any]] = {
            (path, method): st.one_of(
                odd[path][method].as_strategy(feedback=NO_FEEDBACK),
                self._any[path][method].as_strategy(feedback=NO_FEEDBACK),
                self._any[path][method].as_strategy(negative, feedback=NO_FEEDBACK),
            )
            for path, methods in site.paths.items()
            for method in methods
        }

    def at_home(self, visitor: Visitor, path: str, examples: int, *, strict: bool) -> None:
        """Send cases to a route as somebody on whose page its form stands; before them, what honest people send, and
        on a database that is strict the same with one field at a time as it is hard to keep."""
        visitor.begin(path)
        for pick, csrf in ((0, False), (0, True), (1, True), (2, True)):
            self._send(visitor, self._case(path, {}), -1, pick, csrf)
        alike = set()
        for place, (name, values) in enumerate(sorted(self.fields[path].items()), 1):
            kind = name.partition("_")[0]
            # One of fields such as remark_L1 stands for all; what is chosen from a list is compared with it.
            if strict and name != "csrf" and kind not in alike and len(values) < 4:
                alike.add(kind)
                for pick, value in enumerate(HARD):
                    self._send(visitor, self._case(path, {name: value}), ~(1 << place), pick, csrf=True)
        self._run(visitor, self._cases[path, "post"], examples)

    def on_the_page_of(self, path: str) -> Visitor | None:
        """Somebody on whose page the form of a route stands."""
        return next((visitor for visitor in self.visitors if path in visitor.start), None)

    def _case(self, path: str, body: dict[str, str]) -> Any:  # noqa: ANN401
        empty = dict.fromkeys(re.findall(r"{(\w+)}", path), "")
        return self._any[path]["post"].Case(path_parameters=empty, body=body, media_type=FORM)

    def anywhere(self, visitor: Visitor, examples: int) -> None:
        """Send cases to any route as somebody."""
        self._run(visitor, st.sampled_from(list(self._cases)).flatmap(self._cases.__getitem__), examples)

    def _run(self, visitor: Visitor, cases: st.SearchStrategy[Any], examples: int) -> None:
        kept = st.one_of(st.just(-1), st.integers(0, 2**12), st.just(0))

        @settings(
            max_examples=examples, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(cases, kept, st.integers(0, 11))
        def send(case: Any, kept: int, pick: int) -> None:  # noqa: ANN401
            self._send(visitor, case, kept, pick, csrf=True)

        send()

    def _send(self, visitor: Visitor, case: Any, kept: int, pick: int, csrf: bool) -> None:  # noqa: ANN401
        """Send a case; where ``kept`` has a bit set, a field (or the path) is as an honest page has it."""
        if kept & 1:
            case.path_parameters = {name: visitor.secret(case.path) for name in case.path_parameters}
        if isinstance(case.body, dict):
            honest = visitor.honest(case.path, self.fields[case.path], kept >> 1, pick)
            case.body = case.body | honest | {"csrf": visitor.csrf if csrf else "0" * 64}
        answer = case.call(cookies={"homeground": visitor.cookie}, allow_redirects=False)
        label = f"{case.method} {case.path}"
        self.seen[label, answer.status_code] += 1
        try:
            case.validate_response(answer, checks=[not_a_server_error])
        except FailureGroup as failure:
            self.broken.append(str(failure))
        if any(answer.headers.get(name) != [value] for name, value in HEADERS.items()):
            self.broken.append(f"{label}: without its headers: {answer.headers}")
        if not csrf and answer.status_code != 403:
            self.broken.append(f"{label}: {answer.status_code} without its token")
        if case.method == "POST" and answer.status_code < 400:
            visitor.begin(case.path)


@pytest.mark.parametrize(
    ("kind", "server", "at_home", "anywhere"),
    [
        ("cue-check", "sqlite", 3, 5),
        ("validation", "sqlite", 3, 5),
        ("validation", "postgresql", 1, 0),
        ("questions", "sqlite", 3, 5),
        ("questions", "psycopg", 1, 0),
    ],
)
def test_no_form_breaks_a_page(
    kind: str, server: str, at_home: int, anywhere: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with site_of(kind, server, tmp_path) as site:
        fuzz = Fuzz(site)
        homes = {path: fuzz.on_the_page_of(path) for path in sorted(site.posts())}
        for path, home in homes.items():
            if home is not None:
                fuzz.at_home(home, path, at_home, strict=server != "sqlite")
        for visitor in fuzz.visitors if anywhere else ():
            fuzz.anywhere(visitor, anywhere)
        assert fuzz.broken == []
        assert [record.exc_text or record.message for record in caplog.records if record.exc_info] == []
        # 409: understood, and not to be done as things stand.
        got_through = {label for label, status in fuzz.seen if status < 400 or status == 409}
        shut = {path for path, home in homes.items() if home and f"POST {path}" not in got_through}
        assert shut == set(), "what tests/fuzzing.py sends as honest was refused here: see TYPED there"
        assert Visitor(site, "admin", "done").forms


def test_every_form_stands_on_a_page_that_is_fuzzed(tmp_path: Path) -> None:
    seen, posts = set(), set()
    for kind in KINDS:
        (folder := tmp_path / kind).mkdir()
        with site_of(kind, "sqlite", folder) as site:
            posts |= site.posts()
            seen |= {path for visitor in site.everybody() for path in visitor.start}
    assert posts - seen <= HARDLY_SEEN, "nobody in tests/fuzzing.py gets to see the forms of these routes"


@pytest.mark.parametrize("kind", ["validation", "questions"])
def test_forms_sent_at_once_break_nothing(kind: str, tmp_path: Path) -> None:
    """By several people, and twice by each: what one of them writes first, the others find there."""
    with site_of(kind, "postgresql", tmp_path) as site:
        visitors = site.everybody()
        fields = fields_of(site, visitors)
        for path in sorted(path for path in site.posts() if any(path in v.start for v in visitors)):
            one = next(visitor for visitor in visitors if path in visitor.start)
            several = [copy(one) for _ in range(4)]
            for visitor in several:
                visitor.begin(path)
            sent = []
            for pick, visitor in enumerate(several):
                form = visitor.honest(path, fields[path], -1, pick) | {"csrf": visitor.csrf}
                sent.append((visitor.cookie, visitor.address(path), form))
            together = threading.Barrier(2 * len(sent))

            def post(cookie: str, address: str, form: dict[str, str]) -> int:
                browser = TestClient(site.app, follow_redirects=False, cookies={"homeground": cookie})
                together.wait(60)  # noqa: B023
                return browser.post(address, data=form).status_code

            with ThreadPoolExecutor(2 * len(sent)) as pool:
                statuses = list(pool.map(post, *zip(*sent, *sent, strict=True)))
            site.reopen()
            assert max(statuses) < 500 and set(statuses) - {401, 403, 404}, (path, statuses)
