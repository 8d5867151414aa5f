"""The audit of culture questions: what is flagged, on what evidence, what is left alone, that nothing breaks it."""

import csv
import json
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.cli import main
from homeground.questions import audit_question, audit_set, load_questions
from homeground.questions.audit import LANGUAGES, RULES, Audited, advice, form, titles
from homeground.questions.audit.verdicts import Rule
from homeground.schema import Gold, Question

CASES = Path(__file__).parent / "cases"
TODAY = date(2026, 6, 1)


@cache
def cases(name: str) -> tuple[tuple[Question, frozenset[str]], ...]:
    path = CASES / f"audit_{name}.jsonl"
    expected = [frozenset(json.loads(line)["main"]) for line in path.read_text().splitlines()]
    return tuple(zip(load_questions(path), expected, strict=True))


def audit(
    question: str,
    *answers: str | Gold,
    language: str | None = "en",
    culture: str | None = None,
    options: tuple[str, ...] | None = None,
) -> Audited:
    item = Question(
        id="q",
        question=question,
        answers=answers or ("galão",),
        language=language,
        culture=culture,
        options=options,
    )
    return audit_question(item, today=TODAY)


def flags(found: Audited) -> set[str]:
    return {flag.guideline for flag in found.flags}


# ---- cases --------------------------------------------------------------------------------------


def test_ordinary_good_questions_get_no_flag() -> None:
    controls = cases("controls")
    assert len(controls) >= 700
    assert {question.language for question, _ in controls} == set(LANGUAGES)
    found = [
        (question.question, flag.guideline, flag.evidence)
        for question, _ in controls
        for flag in audit_question(question, today=TODAY).flags
    ]
    assert found == []


def test_doubts_about_good_questions_are_few() -> None:
    audited = [audit_question(question, today=TODAY) for question, _ in cases("controls")]
    assert sum(bool(item.unsure) for item in audited) <= 0.1 * len(audited)


def test_every_defect_of_the_bad_questions_is_flagged() -> None:
    bad = cases("flagged")
    assert len(bad) >= 150
    missed = [
        (question.question, rule)
        for question, expected in bad
        for rule in expected - flags(audit_question(question, today=TODAY))
    ]
    assert missed == []


def test_the_bad_questions_cover_every_rule_that_can_be_seen_in_every_language() -> None:
    seen = {(question.language, rule) for question, expected in cases("flagged") for rule in expected}
    for code in LANGUAGES:
        for rule in ("L1", "L2", "L3", "L4", "L6", "L7", "E5", "D1", "F1", "F3", "F4", "F5", "F6", "F7"):
            assert (code, rule) in seen, (code, rule)


# ---- properties ---------------------------------------------------------------------------------

PIECES = (
    "What",
    "is",
    "the",
    "most",
    "Berlin",
    "?",
    '"',
    "que",
    "中国",
    "最",
    "A) x B) y",
    "I",
    "São ",
    "2026",
    ".",
    "\n",
)
TEXTS = st.text(max_size=120) | st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)
GOLDS = st.builds(Gold, forms=st.lists(TEXTS, max_size=2).map(tuple), count=st.none() | st.integers(0, 9))
ANSWERS = st.none() | st.lists(TEXTS | GOLDS, max_size=3).map(tuple)
CODES = st.sampled_from([None, "", *LANGUAGES, "pt-PT", "zh-TW", "Portuguese", "as", "xx", "-"]) | st.text(
    max_size=4
)
ITEMS = st.builds(
    Question,
    id=st.just("q"),
    question=TEXTS,
    answers=ANSWERS,
    options=st.none() | st.lists(TEXTS, max_size=2).map(tuple),
    language=CODES,
    culture=st.none() | st.sampled_from(["PT", "BR", "ES-PV", "", "zz"]),
    contrast=st.none()
    | st.dictionaries(st.sampled_from(["BR", "AO"]), st.lists(TEXTS, max_size=2).map(tuple)),
)


@given(item=ITEMS)
def test_anything_is_audited_and_every_span_stands_in_the_item(item: Question) -> None:
    found = audit_question(item, today=TODAY)
    places = {
        "question": [item.question],
        "answers": [f for a in item.answers or () for f in ((a,) if isinstance(a, str) else a.forms)],
        "options": list(item.options or ()),
    }
    for flag in (*found.flags, *found.unsure):
        assert 0 < flag.confidence <= 1 and flag.why
        assert flag.evidence == "" or any(flag.evidence in place for place in places[flag.field])


@given(item=ITEMS)
def test_every_guideline_is_answered_exactly_once(item: Question) -> None:
    found = audit_question(item, today=TODAY)
    flagged = {flag.guideline for flag in found.flags}
    doubted = {flag.guideline for flag in found.unsure} - flagged
    told = [*flagged, *doubted, *found.untold, *found.passed]
    assert sorted(told) == sorted(RULES)
    for rule in RULES:
        expected = "flag" if rule in flagged else "pass" if rule in found.passed else "cannot tell"
        assert found.verdict(rule) == expected


COUNTRY_IN = {
    "en": ("Canada", "in Canada"), "pt": ("Canadá", "no Canadá"), "es": ("Canadá", "en Canadá"),
    "fr": ("Canada", "au Canada"), "de": ("Kanada", "in Kanada"), "zh": ("加拿大", "在加拿大"),
}  # fmt: skip


@given(place=st.integers(0, 10_000))
def test_a_country_put_into_a_good_question_is_found(place: int) -> None:
    question, _ = cases("controls")[place % len(cases("controls"))]
    name, words = COUNTRY_IN[str(question.language)]
    asked = question.question.rstrip("?？ ")
    named = f"{words}{asked}？" if question.language == "zh" else f"{asked} {words}?"
    item = Question(id="q", question=named, answers=question.answers, language=question.language)
    assert [flag.evidence for flag in audit_question(item, today=TODAY).flags if flag.guideline == "D1"][
        -1
    ] == name
    elsewhere = audit_question(item, culture="PT", today=TODAY)
    assert "D1" not in flags(elsewhere)
    assert "D1" in flags(audit_question(item, culture="CA", today=TODAY))


@given(place=st.integers(0, 10_000), year=st.integers(2024, 2030))
def test_a_recent_year_is_time_bound_and_an_old_one_is_not(place: int, year: int) -> None:
    question, _ = cases("controls")[place % len(cases("controls"))]
    for asked, bound in ((year, True), (year - 15, False)):
        item = Question(
            id="q",
            question=f"{asked}: {question.question}",
            answers=question.answers,
            language=question.language,
        )
        assert ("E5" in flags(audit_question(item, today=TODAY))) == bound


@given(place=st.integers(0, 10_000), options=st.lists(st.text(min_size=1), min_size=2, max_size=4))
def test_options_are_multiple_choice_whatever_they_say(place: int, options: list[str]) -> None:
    question, _ = cases("controls")[place % len(cases("controls"))]
    item = Question(
        id="q",
        question=question.question,
        answers=question.answers,
        options=tuple(options),
        language=question.language,
    )
    assert flags(audit_question(item, today=TODAY)) - {"D1"} == {"F4"}


# ---- one rule at a time -------------------------------------------------------------------------


def test_votes_tell_ties_and_weak_majorities() -> None:
    def votes(*counts: int) -> Audited:
        return audit("What is eaten?", *(Gold(forms=(f"dish {n}",), count=c) for n, c in enumerate(counts)))

    assert votes(4, 4, 1).verdict("L4") == "flag"
    assert votes(3, 2, 2, 1).verdict("L4") == "flag"
    assert votes(3, 2).verdict("L4") == "cannot tell"
    assert votes(9, 1).verdict("L4") == "pass"
    assert votes(5).verdict("L4") == "pass"


def test_uncounted_answers_are_a_doubt_unless_they_look_alike() -> None:
    assert audit("What is drunk?", "galão", "galao").verdict("L4") == "pass"
    assert audit("What is drunk?", "galão", "chá preto").verdict("L4") == "cannot tell"


@pytest.mark.parametrize("gold", ["1", "a", "NO", "yes", "sí", "P", "té", "?", "the", "是", "da"])
def test_golds_that_stand_inside_other_answers_are_flagged(gold: str) -> None:
    assert "F3" in flags(audit("What is it called?", gold))


@pytest.mark.parametrize("gold", ["112", "sete", "粽子", "김치", "tea", "6. Dezember", "um", "Ei?x"])
def test_golds_that_do_not_are_left_alone(gold: str) -> None:
    expected = {"F3"} if gold == "um" else set()
    assert flags(audit("What is it called?", gold)) == expected


def test_two_digits_and_single_characters_of_chinese_are_a_doubt() -> None:
    assert audit("How old are they?", "18").verdict("F3") == "cannot tell"
    assert audit("哪个字倒着贴？", "福", language="zh").verdict("F3") == "cannot tell"


@pytest.mark.parametrize(
    ("gold", "verdict"),
    [
        ("eggs, milk and flour", "flag"),
        ("pasta; bread", "flag"),
        ("pemex (mexican petroleum)", "flag"),
        ("面包、牛奶", "flag"),
        ("trick or treat", "cannot tell"),
        ("July 4, 1776", "pass"),
        ("1,000", "pass"),
        ("9/11", "pass"),
        ("galette des rois", "pass"),
    ],
)
def test_lists_and_glosses_are_not_one_item(gold: str, verdict: str) -> None:
    assert audit("What is it?", gold).verdict("L2") == verdict


def test_the_scope_depends_on_the_culture() -> None:
    question = "What sauce do Mexican cooks put on it?"
    assert "D1" in flags(audit(question, "mole"))
    assert "D1" in flags(audit(question, "mole", culture="MX"))
    assert "D1" not in flags(audit(question, "mole", culture="PT"))
    assert "D1" in flags(audit("Quem fala português em casa?", "todos", language="pt", culture="PT"))
    assert "D1" not in flags(audit("Quem fala português em casa?", "todos", language="pt", culture="ES"))
    assert "D1" in flags(audit("What is eaten in Harbin?", "fish", culture="PT")), (
        "a proper name counts anywhere"
    )


def test_feasts_and_saints_are_no_proper_names() -> None:
    for question in ("What is eaten on Christmas Eve?", "What do children ask for on Halloween?"):
        assert flags(audit(question, "turkey")) == set()
    saint = audit("O que se come no dia de São Martinho?", "castanhas", language="pt")
    assert saint.verdict("D1") == "cannot tell"
    assert "D1" in flags(audit("O que se come em São Paulo?", "pizza", language="pt"))


@pytest.mark.parametrize(
    ("language", "culture", "question"),
    [
        ("pt", "PT", "O que bebe a lisboeta em junho?"), ("pt", "BR", "O que comem os cariocas na praia?"),
        ("es", "MX", "¿Qué bailan los jarochos?"), ("es", "ES", "¿Cómo se llama la tortilla española?"),
        ("fr", "FR", "Que mangent les Françaises?"), ("de", "AT", "Was essen die Österreicherinnen?"),
        ("de", "DE", "Welches deutsche Brot hat Mohn?"), ("zh", "TW", "台灣人拜拜用什麼？"),
        ("en", "GB", "What do people in the U.K. put on toast?"), ("en", "US", "What do US kids get at noon?"),
    ],
)  # fmt: skip
def test_a_people_counts_in_all_its_forms_for_its_own_culture_alone(
    language: str, culture: str, question: str
) -> None:
    assert flags(audit(question, "cake of rye", language=language, culture=culture)) == {"D1"}
    assert flags(audit(question, "cake of rye", language=language, culture="KE")) == set()


@pytest.mark.parametrize(
    ("language", "culture", "question"),
    [
        ("es", "ES", "¿Qué verduras lleva la ensaladilla rusa?"), ("pt", "PT", "O que leva a galinha à africana?"),
        ("de", "DE", "Was stellt man hinter die spanische Wand?"), ("en", "US", "What goes on French toast?"),
    ],
)  # fmt: skip
def test_another_people_in_the_name_of_a_thing_hands_nothing_over(
    language: str, culture: str, question: str
) -> None:
    assert audit(question, "cake of rye", language=language, culture=culture).verdict("D1") == "pass"


@pytest.mark.parametrize(
    ("language", "question", "verdict"),
    [
        ("pt", "Em que dia se comemora o Dia das Crianças?", "pass"),
        ("pt", "Que dia é o feriado da Batalha?", "cannot tell"),
        ("es", "¿Qué se come el Jueves Lardero?", "cannot tell"),
        ("en", "What do people bake for Anzac Day?", "cannot tell"),
        ("en", "What do people do on Canada Day?", "flag"), ("en", "What is eaten at Balochi weddings?", "flag"),
        ("en", "What goes with Yorkshire pudding?", "cannot tell"), ("en", "What goes on in Yorkshire?", "flag"),
        ("fr", "Que met-on sur les crêpes Suzette?", "cannot tell"), ("en", "What was Nicholas II called?", "flag"),
        ("en", "What is brought on St. Nicholas Day?", "cannot tell"),
    ],
)  # fmt: skip
def test_names_of_feasts_and_dishes_are_a_doubt(language: str, question: str, verdict: str) -> None:
    assert audit(question, "cake of rye", language=language).verdict("D1") == verdict


def test_a_title_in_capitals_hides_names() -> None:
    assert audit("What Is Served At A Wedding Feast?", "cake").verdict("D1") == "cannot tell"


def test_quoted_speech_asks_nothing_and_a_title_does_not_hide_the_question() -> None:
    assert "F5" in flags(audit('You meet her at the door. I say: "Would you like tea?"', "no thanks"))
    assert audit("What is the answer to 'How are you?' at a shop?", "fine").verdict("F5") == "pass"
    told = 'She said, "We never give up." Is what she did right?'
    assert "L7" in flags(audit(told, "wrong")) and "F5" not in flags(audit(told, "wrong"))
    assert audit("What do children say at the door", "trick or treat").verdict("F5") == "cannot tell"


def test_a_polite_question_is_only_doubted_as_yes_or_no() -> None:
    assert audit("Do you know what the bread is called?", "folar").verdict("L7") == "cannot tell"
    assert "L7" in flags(audit("In winter, do people eat soup?", "sopa"))
    assert "L7" in flags(audit("过年吃饺子吗？", "吃饺子", language="zh"))
    assert (
        audit("Of what colour are letterboxes, which were green, are painted?", "red").verdict("L7") == "pass"
    )


INNOCENT = {
    "en": (
        "How often do bells ring on the hour?", "What dance closes the last year of high school?",
        "Which seat do guests choose at a wedding?", "What word do you say instead of 'please'?",
        "What is the best man's speech followed by?", "What law is read in common law courts?",
        "Who reads the bride's letter aloud?", "What does the red light tell drivers?",
    ),
    "pt": (
        "O que indica a luz vermelha?", "Em que santos populares se salta a fogueira?", "Que dedo é o dedo médio?",
        "Durante que mês se fazem as vindimas?", "Que casaco se veste por cima do sobretudo?",
    ),
    "es": (
        "¿Qué indica la luz roja?", "¿Durante qué mes se hace la vendimia?", "¿Qué responde la gente al saludo?",
        "¿Qué se hereda del tío?",
    ),
    "fr": (
        "Que donnez-vous au serveur?", "Qu'est-ce qu'on met dans la galette?", "Après quelle fête range-t-on le sapin?",
        "Que chante-t-on au bal populaire?",
    ),
    "de": (
        "Was geben Sie dem Kellner?", "In welchem Alter beginnt die Schule?", "Wer pflegt die Gräber im November?",
        "Wie nennen Sie den Bruder der Mutter?", "Wie oft läuten die Glocken?",
    ),
    "zh": ("人们隆重庆祝的是什么节？", "客厅里的长沙发上放什么？", "请问端午节吃什么？"),
}  # fmt: skip


@pytest.mark.parametrize(("language", "question"), [(code, q) for code, qs in INNOCENT.items() for q in qs])
def test_words_that_only_look_bad_are_left_alone(language: str, question: str) -> None:
    found = audit(question, "sete anos", language=language)
    assert [(flag.guideline, flag.evidence) for flag in found.flags] == []


def test_rare_words_count_where_frequencies_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    question = "Of what hue are the receptacles of missives?"
    monkeypatch.setattr(form, "_frequency", lambda: None)
    assert audit(question, "red").untold["L1"] == "rare words take the package wordfreq"
    rates = {"hue": 3.4, "receptacles": 1.7, "missives": 1.5}
    monkeypatch.setattr(form, "_frequency", lambda: lambda word, code: rates.get(word, 6.0))
    found = audit(question, "red")
    assert [flag.evidence for flag in found.flags] == ["receptacles", "missives"]
    rates["missives"] = 4.0
    assert audit(question, "red").verdict("L1") == "cannot tell"


def test_varieties_are_told_by_their_words() -> None:
    brazilian = "Em que ônibus se vai à praia?"
    assert "E1" in flags(audit(brazilian, "no azul", language="pt", culture="PT"))
    assert "E1" in flags(audit(brazilian, "no azul", language="pt-PT"))
    assert "E1" not in flags(audit(brazilian, "no azul", language="pt-BR", culture="PT"))
    assert "E1" not in flags(audit(brazilian, "no azul", language="pt", culture="BR"))
    assert "E1" in flags(audit("端午節吃什麼？", "粽子", language="zh", culture="CN"))
    assert "E1" not in flags(audit("端午節吃什麼？", "粽子", language="zh", culture="TW"))


def test_another_language_than_said_is_seen() -> None:
    assert "E1" in flags(audit("What do you eat on the first day of the year?", "lentils", language="pt"))
    assert "E1" in flags(audit("什么时候吃月饼？", "中秋节", language="en"))
    assert "E1" not in flags(audit("What do you eat on the first day of the year?", "lentils"))


def test_languages_without_rules_say_so() -> None:
    found = audit("Che cosa si mangia a Natale?", "panettone", language="it")
    assert flags(found) == set()
    assert found.untold["L3"] == "no rules for it" and found.verdict("L3") == "cannot tell"
    assert audit("Che cosa si mangia?", "", language="it").verdict("F2") == "flag"


def test_an_answer_that_a_sibling_culture_gives_too_does_not_tell_them_apart() -> None:
    def asked(brazil: str) -> Audited:
        contrast: dict[str, tuple[str | Gold, ...]] = {"BR": (brazil,)}
        return audit_question(
            Question(id="q", question="O que se come?", answers=("Bolo",), language="pt", contrast=contrast)
        )

    assert asked("bolo").verdict("D3") == "flag"
    assert asked("pudim").verdict("D3") == "pass"
    assert audit("O que se come?", "bolo", language="pt").verdict("D3") == "cannot tell"


def test_near_duplicates_are_found_across_countries_and_words() -> None:
    def items(*questions: str) -> list[Question]:
        return [Question(id=str(n), question=q, answers=("x y z",)) for n, q in enumerate(questions)]

    audited = audit_set(
        items(
            "What do people eat for breakfast in Spain on a Sunday morning?",
            "What colour is the school bus?",
            "What do people eat for breakfast in Greece on a Sunday morning?",
            "What do people eat for breakfast in Peru on a Monday morning?",
            "在中国，人们早餐通常吃什么？",
            "在日本，人们早餐通常吃什么？",
        )
    )
    assert [item.like for item in audited] == [None, None, "0", "0", None, "4"]


@given(questions=st.lists(TEXTS, max_size=6))
def test_a_question_is_like_one_before_it_or_none(questions: list[str]) -> None:
    items = [Question(id=str(n), question=q, answers=None) for n, q in enumerate(questions)]
    for place, item in enumerate(audit_set([*items, *items], today=TODAY)):
        assert item.like is None or int(item.like) <= place % max(1, len(items)) or place >= len(items)


def test_every_rule_has_a_title_and_advice() -> None:
    rules: set[Rule] = set(RULES)
    assert set(titles()) == rules and set(advice()) == rules


# ---- the command --------------------------------------------------------------------------------


def test_the_command_prints_json_lines_and_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = CASES / "audit_flagged.jsonl"
    assert main(["audit", str(path), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["id"] for line in lines] == [question.id for question, _ in cases("flagged")]
    assert all(flag["verdict"] == "flag" for line in lines for flag in line["flags"])
    assert all(flag["verdict"] == "cannot tell" for line in lines for flag in line["unsure"])
    assert main(["audit", str(path), "--worst", "200"]) == 0
    report = capsys.readouterr().out
    assert "155 of 155 questions flagged (46 en" in report
    assert all(question.id in report for question, _ in cases("flagged"))
    assert all(advice()[rule] in " ".join(report.split()) for rule in ("L1", "D1", "F1"))


def test_the_report_fits_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.cells import cell_len

    assert main(["audit", str(CASES / "audit_flagged.jsonl"), "--worst", "200"]) == 0
    assert max(cell_len(line) for line in capsys.readouterr().out.splitlines()) <= 80


def test_strict_fails_on_a_flag_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "question", "answers"])
        rows.writerow(["no:dz:1", "Que flor se põe na lapela no dia 25 de abril?", "cravo"])
    command = ["audit", str(path), "--culture", "PT", "--language", "pt", "--strict"]
    assert main(command) == 0
    assert "0 of 1 questions flagged (1 pt, culture PT)" in capsys.readouterr().out
    with path.open("a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerow(["2", "O que comem os portugueses?", "bacalhau"])
    assert main(command) == 1
    assert "2  O que comem os portugueses?" in capsys.readouterr().out
    assert main([*command, "--culture", "ES", "--json"]) == 0
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == ["no:dz:1", "2"]
