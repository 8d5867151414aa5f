"""Names of countries: the cases, every name of the table, any text at all, and nothing inside longer words."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.cultures.names import country_names, mentions
from tests.conftest import SHARED

NAMES = country_names()
EVERY_NAME = sorted((*NAMES.any_case.items(), *NAMES.as_written.items()))
LATIN = [name for name, _ in EVERY_NAME if re.fullmatch(r"[^\W\d_]+", name) and max(name) < "\u0250"]
# Scripts that attach particles or run on without spaces are not cut into words by letters alone.
ANY_CHARACTER = st.one_of(
    st.text(), st.text(alphabet="USA.fFranceİıßΣς 法国日本タイー프랑스מצרפתالهند'\"-,&\n🇫🇷คนไทย")
)


def codes(text: str) -> list[str]:
    return list(dict.fromkeys(mention.code for mention in mentions(text)))


def own_cases() -> list[dict[str, object]]:
    path = Path(__file__).parent / "cases" / "countries.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_own_cases() -> None:
    cases = own_cases()
    assert len(cases) >= 150
    wrong = [
        (case, codes(str(case["answer"])))
        for case in cases
        if codes(str(case["answer"])) != case["countries"]
    ]
    assert not wrong


def test_shared_cases() -> None:
    path = SHARED / "cases" / "countries.jsonl"
    if not path.is_file():
        pytest.skip("the shared answer-reading cases are not beside this checkout")
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        answer = case["answer"].rpartition("</think>")[2]
        assert codes(answer) == case["countries"], case


def test_every_name_is_found_alone_and_in_a_sentence() -> None:
    """The table is small enough to try all of it rather than a sample."""
    wrong = [
        (name, code, text, codes(text))
        for name, code in EVERY_NAME
        for text in (name, f"({name})", f"It says: {name} :: 1")
        if codes(text) != [code]
    ]
    assert not wrong


def test_every_sovereign_country_has_a_demonym_and_ten_have_many() -> None:
    for demonym, code in {
        "Afghans": "AF", "Motswana": "BW", "Bissau-Guinean": "GW", "I-Kiribati": "KI", "Kittitian": "KN",
        "Basotho": "LS",
        "Monégasque": "MC", "Nigerien": "NE", "Filipinas": "PH", "São Toméan": "ST", "Ni-Vanuatu": "VU",
        "Kosovars": "XK",
    }.items():  # fmt: skip
        assert codes(demonym) == [code]
    for code, demonyms in {
        "FR": "Französin francesa francesi フランス人 프랑스인 法国人 فرانسوی צרפתי फ़्रांसीसी",
        "JP": "Japaner japonesa giapponese 일본인 日本人 ژاپنی יפני जापानी",
        "BR": "brésilien Brasilianer brasileño brasileira brasiliano ブラジル人 브라질인 巴西人 برزیلی ברזילאי",
        "IR": "iranien Iranerin iraní iraniana イラン人 이란인 伊朗人 ایرانی איראני ईरानी",
        "US": "américaine Amerikaner estadounidense statunitense アメリカ人 미국인 美国人 آمریکایی אמריקאי अमेरिकी",
        "KR": "coréenne Südkoreaner surcoreana 한국인 韩国人 کره‌ای קוריאני कोरियाई",
    }.items():
        for demonym in demonyms.split():
            assert codes(demonym) == [code], demonym


def test_positions_are_those_of_the_text() -> None:
    for text, named in (
        ("İİİ İran ß", "İran"), ("ßß, GROSSBRITANNIEN!", "GROSSBRITANNIEN"), ("Ο ΧΡΉΣΤΗΣ: ΓΑΛΛΊΑΣ.", "ΓΑΛΛΊΑΣ"),
        ("the U.S. only", "U.S."),
        ("👩‍👩‍👧 in Cote\u0302 or Co\u0302te d'Ivoire", "Co\u0302te d'Ivoire"),
        ("사용자는 프랑스입니다", "프랑스"),
        ("הוא מצרפת", "צרפת"), ("用户来自法国。", "法国"), ("from Fransa'dan", "Fransa"),
    ):  # fmt: skip
        assert [text[m.start : m.end] for m in mentions(text)] == [named]


@given(ANY_CHARACTER)
def test_any_text_is_read(text: str) -> None:
    end = 0
    for mention in mentions(text):
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end


@given(
    st.lists(
        st.sampled_from([name for name, _ in EVERY_NAME] + [", ", " ", ".", "\n", "'", "in ", "not "]),
        max_size=12,
    )
)
def test_any_names_in_any_order_are_read(parts: list[str]) -> None:
    text = "".join(parts)
    for mention in mentions(text):
        assert text[mention.start : mention.end].strip()


@given(
    st.sampled_from(LATIN),
    st.text("abcdefghijklmnopqrstuvwxyzäéñøßşı", max_size=4),
    st.text("aeioubcdlmnrst", max_size=4),
)
def test_no_latin_name_is_found_inside_a_longer_word(name: str, before: str, after: str) -> None:
    word = before + name + after
    for mention in mentions(f"a {word} b"):
        assert (mention.start, mention.end) == (2, 2 + len(word))


@pytest.mark.parametrize(
    "piece",
    ["united ", "Saint ", "U.", "阿拉", "法", "タイ", "한국", "가", "ה", "وال", "French and ",
     "speaks ", "a", "a\u0301", "&", "🇫", "คน",
     "central african ", "- ", ".'", "के"],
)  # fmt: skip
def test_long_texts_are_read(piece: str) -> None:
    """A quadratic reader would not come back from this within the suite's patience."""
    for mention in mentions(piece * 100_000):
        assert mention.end <= len(piece) * 100_000
