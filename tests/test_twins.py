"""What is like a text among questions: the nearest first, the same in whatever order they came in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from homeground.questions.audit.twins import Neighbours, nearest, nearly_same
from homeground.schema import Question

WORDS = st.lists(
    st.sampled_from(["que", "bolo", "se", "come", "no", "natal", "em", "dia", "de", "reis"]),
    min_size=1,
    max_size=7,
)
TEXTS = st.lists(WORDS.map(" ".join), max_size=12)


def asked(texts: list[str]) -> list[Question]:
    return [Question(id=f"q{place}", question=text, answers=None) for place, text in enumerate(texts)]


def test_the_nearest_comes_first_whatever_country_it_names() -> None:
    questions = asked(
        ["Que bolo se come no Natal em Portugal?", "Que bolo se come no Entrudo?", "Onde se compra pão?"]
    )
    found = nearest("Que bolo se come no Natal no Brasil?", questions)
    assert [(near.id, near.same) for near in found] == [("q0", True), ("q1", False)]
    assert found[0].share > found[1].share >= 0.5
    assert nearest("Que bolo se come no Natal?", questions, most=1)[0].id == "q0"
    assert nearest("", questions) == nearest("?!", questions) == nearest("uma coisa nova", questions) == []


def test_scripts_without_spaces_are_compared_by_pairs_of_characters() -> None:
    questions = asked(["中秋节吃什么点心", "过年时门上贴什么"])
    assert [near.id for near in nearest("中秋节吃什么点心呢", questions)] == ["q0"]


@given(texts=TEXTS, text=WORDS.map(" ".join))
def test_a_text_is_nearest_to_itself_and_the_order_of_the_rest_falls(texts: list[str], text: str) -> None:
    found = nearest(text, asked([*texts, text]), most=100)
    assert found[0].share == 1 and found[0].same
    assert [near.share for near in found] == sorted((near.share for near in found), reverse=True)
    assert all(0.5 <= near.share <= 1 for near in found)


@given(texts=TEXTS)
def test_what_counts_as_nearly_the_same_in_a_set_is_so_here(texts: list[str]) -> None:
    questions = asked(texts)
    for question, twin in zip(questions, nearly_same(questions), strict=True):
        if twin is not None:
            found = Neighbours(questions).nearest(question.question, 100, without=question.id)
            assert twin in {near.id for near in found if near.same}


@given(texts=TEXTS, gone=st.sets(st.integers(0, 11)), text=WORDS.map(" ".join))
def test_what_is_taken_out_or_replaced_is_found_no_more(texts: list[str], gone: set[int], text: str) -> None:
    questions = asked(texts)
    index = Neighbours(asked(["outra coisa"] * len(texts)))
    for question in questions:
        index.put(question)
    for place in gone:
        index.drop(f"q{place}")
    left = [question for place, question in enumerate(questions) if place not in gone]
    assert sorted(index.nearest(text, 100)) == sorted(nearest(text, left, 100))
