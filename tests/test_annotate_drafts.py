"""A question as a form holds it: texts and back, votes kept, two changes laid over each other."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from homeground.annotate.app import draft
from homeground.annotate.app.draft import answers_text, merged, question_of, read_answers, texts_of
from homeground.schema import Gold, Question
from tests.writing import ANY, FORM

GOLD = st.builds(
    Gold,
    forms=st.lists(FORM, min_size=1, max_size=4, unique=True).map(tuple),
    count=st.none() | st.integers(1, 40),
)
ANSWERS = st.lists(FORM | GOLD, max_size=5).map(tuple)
ODD_ANSWERS = st.lists(ANY | st.builds(Gold, forms=st.lists(ANY, max_size=3).map(tuple))).map(tuple)
QUESTION = st.builds(
    Question,
    id=st.just("q"),
    question=ANY,
    answers=st.none()
    | ANSWERS
    | st.lists(ANY | st.builds(Gold, forms=st.lists(ANY, max_size=3).map(tuple))).map(tuple),
    options=st.none() | st.lists(ANY, max_size=3).map(tuple),
    language=st.none() | st.just("pt-PT"),
    contrast=st.none() | st.dictionaries(st.sampled_from(["BR", "AO", "MZ"]), ANSWERS, max_size=2),
    source=st.none() | ANY,
    idks=st.none() | st.dictionaries(ANY, st.integers(0, 9), max_size=2),
    notes=st.none() | ANY,
)
CODES = ("BR", "AO", "MZ")


@given(answers=ANSWERS)
def test_answers_as_lines_and_back(answers: tuple[str | Gold, ...]) -> None:
    text = answers_text(answers)
    assert read_answers(text, answers) == (answers or None)
    bare = read_answers(text)
    assert [draft.line_of(answer) for answer in bare or ()] == text.split("\n") * bool(text)
    assert all(not isinstance(answer, Gold) or answer.count is None for answer in bare or ())


@given(text=ANY | st.text("ab |\n\r\t", max_size=30))
def test_any_text_is_some_answers(text: str) -> None:
    answers = read_answers(text)
    assert read_answers(answers_text(answers)) == answers
    forms = [
        form for answer in answers or () for form in ((answer,) if isinstance(answer, str) else answer.forms)
    ]
    assert all(form and form == " ".join(form.split()) for form in forms)
    assert "".join(text.split()).replace("|", "") != "" or answers is None


@given(question=QUESTION)
def test_an_untouched_form_changes_nothing(question: Question) -> None:
    texts = texts_of(question, CODES)
    assert question_of(texts, question) == question
    sent = {name: text.replace("\n", "\r\n") for name, text in texts.items()}
    assert question_of(draft.typed(sent, texts), question) == question


@given(question=QUESTION, text=ANY, field=st.sampled_from(["question", "source", "notes"]))
def test_only_what_is_touched_changes(question: Question, text: str, field: str) -> None:
    new = question_of(texts_of(question, CODES) | {field: text}, question)
    assert msgspec.structs.replace(new, **{field: getattr(question, field)}) == question
    assert (getattr(new, field) or "") in (draft.one_newline(text).strip(), getattr(question, field) or "")


def test_votes_stay_with_their_answer() -> None:
    had = (
        Gold(forms=("pão",), count=5),
        Gold(forms=("broa", "boroa"), count=3),
        Gold(forms=("bolo",), count=1),
        "sopa",
    )
    assert read_answers("pão | pãozinho\nbroa | boroa\nsopa\narroz", had) == (
        Gold(forms=("pão", "pãozinho"), count=5), had[1], "sopa", "arroz",
    )  # fmt: skip
    assert read_answers("pão | broa", had) == (Gold(forms=("pão", "broa"), count=8),)
    imported = Question(id="q", question="Q?", answers=had, options=("a", "b"), idks={"idk": 4})
    new = question_of(
        texts_of(imported, CODES) | {"question": "Que se come?", "contrast_BR": "pão francês"}, imported
    )
    assert new == msgspec.structs.replace(
        imported, question="Que se come?", contrast={"BR": ("pão francês",)}
    )


@given(
    base=QUESTION,
    mine=QUESTION,
    theirs=QUESTION,
    kept=st.sets(st.sampled_from(["question", "answers", "notes"])),
)
def test_two_changes_are_laid_over_each_other_and_shown(
    base: Question, mine: Question, theirs: Question, kept: set[str]
) -> None:
    before, now = texts_of(base, CODES), texts_of(theirs, CODES)
    typed = texts_of(mine, CODES) | {name: before[name] for name in kept}
    result = merged(typed, before, now)
    for name in result:
        untouched = draft.one_newline(typed[name]).strip() == draft.one_newline(before[name]).strip()
        assert result[name] == (now[name] if untouched else typed[name])
    shown = {one.field: one for one in draft.differences(result, now)}
    for name in result:
        one, other = (draft.one_newline(texts[name]).strip() for texts in (result, now))
        assert (name in shown) == (one != other)
        if name in shown:
            assert "".join(piece.text for piece in shown[name].one) == one
            assert "".join(piece.text for piece in shown[name].other) == other
            assert any(piece.differs for piece in (*shown[name].one, *shown[name].other))
