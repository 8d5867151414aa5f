"""The tables of number words and of stance: whole, unambiguous, and enough to build numbers that people spell."""

import json
import re
import sys
import tomllib
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
from distil_number_words import fold as fold_marks

ROOM = Path(__file__).parents[1] / "src/homeground/judging/words"
TABLE: dict[str, Any] = tomllib.loads((ROOM / "number_words.toml").read_text(encoding="utf-8"))
CURATED: dict[str, dict[str, Any]] = TABLE["language"]
DISTILLED = json.loads((ROOM / "number_words.json").read_text(encoding="utf-8"))
STANCE: dict[str, dict[str, list[str]]] = tomllib.loads((ROOM / "stance.toml").read_text(encoding="utf-8"))[
    "language"
]
LANGUAGES = (
    "en", "zh", "ja", "ko", "he", "fr", "hi", "fa", "pt", "es", "de", "it", "ru", "ar", "tr", "pl", "nl", "id", "uk",
    "sv", "vi", "th",
)  # fmt: skip
# The languages of the ten published cultures.
TEN = ("en", "zh", "ja", "ko", "he", "fr", "hi", "fa", "pt")
UNJOINED = {"zh", "ja", "ko", "th"}
NUMBERS = ("values", "powers", "suffixes", "half")
LISTS = (
    "articles", "and_a_half", "and_a_quarter", "and_three_quarters", "point", "minus", "below_zero", "to",
    "between", "vague", "risky",
)  # fmt: skip
Step: TypeAlias = tuple[str, float]
"""What a part does (``add``, ``multiply``, ``join``) and with which value."""
OPTIONAL = {
    "glued", "glued_values", "glued_powers", "marks", "prefix", "half_prefix",
    "plus_half_before", "plus_quarter_before", "minus_quarter_before",
}  # fmt: skip
STANCES = (
    "not_before", "no_denial", "not_after", "but", "refusal", "settled", "or", "restated", "and", "separators",
)  # fmt: skip

# Written by hand, not from the rules that the table was distilled from.
SPELLED = {
    "en": "zero 0|twelve 12|forty-two 42|ninety nine 99|one hundred and five 105"
    "|two hundred thousand 200000|three thousand four hundred and fifty-six 3456"
    "|twenty five hundred 2500|one lakh twenty thousand 120000"
    "|two million five hundred thousand 2500000|two crore fifty lakh 25000000|three dozen 36",
    "zh": "零 0|十 10|十五 15|二十三 23|一百零五 105|两百 200|三千五百 3500|一万二千 12000"
    "|三千万 30000000|两亿 200000000|壹佰贰拾 120|廿五 25",
    "ja": "ゼロ 0|十 10|二十五 25|百二十 120|三百五 305|千 1000|二千三百四十五 2345|一万 10000"
    "|三千万 30000000|一億二千万 120000000",
    "ko": "영 0|스물다섯 25|열두 12|서른하나 31|아흔아홉 99|백오십 150|이십오 25|삼천오백 3500"
    "|만오천 15000|이천만 20000000|일억 100000000",
    "he": "אפס 0|שלושה 3|שלוש עשרה 13|עשרים וחמש 25|שלושים וחמישה 35|מאה ועשרים 120"
    "|מאתיים חמישים 250|אלפיים 2000|שלושת אלפים 3000|חמש מאות 500|אלף תשע מאות ארבעים ושמונה 1948"
    "|שני מיליון 2000000",
    "fr": "zéro 0|vingt et un 21|soixante-dix 70|soixante et onze 71|quatre-vingts 80"
    "|quatre-vingt-dix-neuf 99|deux cents 200|mille neuf cent quatre-vingt-dix 1990"
    "|deux mille trois cents 2300|nonante-cinq 95|trois millions deux cent mille 3200000"
    "|deux milliards 2000000000",
    "hi": "शून्य 0|पच्चीस 25|पैंतीस 35|अड़तीस 38|अडतीस 38|निन्यानवे 99|एक सौ पाँच 105"
    "|दो हज़ार पांच सौ 2500|तीन लाख पचास हजार 350000|दो करोड़ 20000000|पाँच सौ 500",
    "fa": "صفر 0|دوازده 12|بیست و پنج 25|سی و هفت 37|صد و بیست 120|دویست و پنجاه 250"
    "|سیصد هزار 300000|هزار و سیصد و نود 1390|دو میلیون و پانصد هزار 2500000|یک میلیارد 1000000000"
    "|نود و نه 99",
    "pt": "zero 0|vinte e cinco 25|trinta e duas 32|cento e vinte 120|duzentas e cinquenta 250"
    "|mil 1000|mil e quinhentos 1500|cento e vinte mil 120000|dois milhões 2000000"
    "|três bilhões 3000000000|dois mil milhões 2000000000|catorze 14",
    "es": "cero 0|veintidós 22|treinta y cinco 35|ciento veinte 120|quinientas 500"
    "|mil novecientos noventa 1990|doscientos mil 200000|dos millones 2000000"
    "|un billón 1000000000000|mil millones 1000000000",
    "de": "null 0|fünfundzwanzig 25|dreissig 30|hundertzwanzig 120|zweihundertfünf 205"
    "|eintausendzweihundert 1200|dreiundzwanzigtausend 23000|zwei Millionen 2000000"
    "|drei Milliarden 3000000000|hundertundeins 101|neunzehnhundertneunundachtzig 1989",
    "it": "zero 0|ventuno 21|trentotto 38|centoventi 120|duecentocinquanta 250"
    "|millecinquecento 1500|tremila 3000|ventitremila 23000|due milioni 2000000"
    "|un miliardo 1000000000|centotto 108|duecentottanta 280",
    "ru": "ноль 0|двадцать пять 25|сорока двух 42|сто двадцать 120|двумястами 200"
    "|тысяча пятьсот 1500|две тысячи 2000|трёх 3|пять миллионов 5000000|девяносто девять 99",
    "ar": "صفر 0|خمسة وعشرون 25|خمس وعشرين 25|ثلاثة عشر 13|مائة وعشرون 120|مئتان وخمسون 250"
    "|ثلاثمئة 300|ثلاثة آلاف 3000|ألف وخمسمائة 1500|ألفين 2000|مليون ومئتا ألف 1200000|اثنا عشر 12",
    "tr": "sıfır 0|yirmi beş 25|yirmibeş 25|yüz yirmi 120|iki yüz elli 250|bin beş yüz 1500"
    "|on iki bin 12000|üç milyon 3000000|doksan dokuz 99|binbeşyüz 1500",
    "pl": "zero 0|dwadzieścia pięć 25|dwudziestu pięciu 25|sto dwadzieścia 120"
    "|dwieście pięćdziesiąt 250|tysiąc pięćset 1500|dwa tysiące 2000|pięć milionów 5000000"
    "|trzydziestu 30|dziewięćset 900",
    "nl": "nul 0|vijfentwintig 25|tweeëndertig 32|honderdtwintig 120|tweehonderdvijftig 250"
    "|vijftienhonderd 1500|drieduizend 3000|twee miljoen 2000000|één miljard 1000000000"
    "|honderdeneen 101",
    "id": "nol 0|dua belas 12|dua puluh lima 25|seratus dua puluh 120|dua ratus lima puluh 250"
    "|seribu lima ratus 1500|seratus ribu 100000|dua juta 2000000|tiga miliar 3000000000"
    "|sebelas 11",
    "uk": "нуль 0|двадцять п'ять 25|сто двадцять 120|двісті п'ятдесят 250|тисяча п'ятсот 1500"
    "|дві тисячі 2000|п'яти 5|двадцяти трьох 23|пʼять мільйонів 5000000|дев'яносто дев'ять 99",
    "sv": "noll 0|tjugofem 25|trettiotvå 32|hundratjugo 120|tvåhundrafemtio 250"
    "|ettusen femhundra 1500|tretusen 3000|två miljoner 2000000|en miljard 1000000000|nittionio 99"
    "|femtioettusen 51000",
    "vi": "không 0|mười lăm 15|hai mươi lăm 25|hai mươi mốt 21|một trăm linh năm 105"
    "|hai trăm năm mươi 250|một nghìn năm trăm 1500|ba triệu 3000000|hai tỷ 2000000000"
    "|một trăm mười 110|hai nghìn không trăm ba mươi ba 2033",
    "th": "ศูนย์ 0|สิบเอ็ด 11|ยี่สิบห้า 25|หนึ่งร้อยยี่สิบ 120|สองร้อยห้าสิบ 250|หนึ่งพันห้าร้อย 1500"
    "|สามหมื่น 30000|สองแสน 200000|สามล้าน 3000000|เก้าสิบเก้า 99",
}


def fold(language: str, word: str) -> str:
    word = unicodedata.normalize("NFC", word).casefold().replace("ʼ", "'").replace("\u200c", " ")
    return word if CURATED[language].get("marks") else fold_marks(word)


def values(language: str) -> dict[str, float]:
    return {**DISTILLED.get(language, {}).get("values", {}), **CURATED[language]["values"]}


@cache
def vocabulary(language: str) -> tuple[dict[str, Step], int]:
    """Folded words with what they do, hyphens as spaces, and how many words the longest has."""
    row = CURATED[language]
    words = {
        fold(language, word).replace("-", " "): ("add", value) for word, value in values(language).items()
    }
    words |= {
        fold(language, word).replace("-", " "): ("multiply", value) for word, value in row["powers"].items()
    }
    words |= {
        fold(language, word): ("join", 0.0) for word in row["joiners"] if fold(language, word) not in words
    }
    return words, max(word.count(" ") for word in words) + 1


@cache
def inside(language: str) -> dict[str, Step]:
    """The vocabulary, and what stands only inside a longer word."""
    row = CURATED[language]
    more = {word: ("add", value) for word, value in row.get("glued_values", {}).items()}
    more |= {word: ("multiply", value) for word, value in row.get("glued_powers", {}).items()}
    return {**vocabulary(language)[0], **more}


def cut(word: str, language: str) -> list[Step] | None:
    """A glued word in its parts, the longest first; ``None`` where something is left over."""
    if not word:
        return []
    words = inside(language)
    for end in range(len(word), 0, -1):
        if word[:end] in words and (rest := cut(word[end:], language)) is not None:
            return [words[word[:end]], *rest]
    return None


def steps(text: str, language: str) -> list[Step]:
    words, longest = vocabulary(language)
    pieces = fold(language, text).replace("-", " ").split()
    found: list[Step] = []
    while pieces:
        for count in range(min(longest, len(pieces)), 0, -1):
            piece = " ".join(pieces[:count])
            bare = [piece, *(piece.removeprefix(p) for p in CURATED[language].get("prefix", ()))]
            if known := [word for word in bare if word in words]:
                found.append(words[known[0]])
                break
        else:
            count = 1
            glued = cut(pieces[0], language) if CURATED[language].get("glued") else None
            assert glued is not None, (language, text, pieces[0])
            found += glued
        pieces = pieces[count:]
    return found


def added(text: str, language: str) -> float:
    """The little adder: a power multiplies what stands before it and is smaller."""
    terms: list[float] = []
    for does, value in steps(text, language):
        if does == "add":
            terms.append(value)
        elif does == "multiply":
            smaller = []
            while terms and terms[-1] < value:
                smaller.append(terms.pop())
            terms.append((sum(smaller) if smaller else 1.0) * value)
    return sum(terms)


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_that_people_spell_can_be_composed(language: str) -> None:
    spelled = [case.rpartition(" ") for case in SPELLED[language].split("|")]
    assert len(spelled) >= 10
    assert [(text, added(text, language)) for text, _, _ in spelled] == [
        (text, float(value)) for text, _, value in spelled
    ]


def test_at_least_twenty_languages_are_complete() -> None:
    assert set(CURATED) == set(STANCE) == set(LANGUAGES)
    assert len(LANGUAGES) >= 20
    for language, row in CURATED.items():
        assert row["decimal"] in (".", ",")
        assert set(row) <= {"decimal", "joiners", "of", *NUMBERS, *LISTS, *OPTIONAL}, language
        assert values(language)
        assert all(row[key] for key in (*LISTS, *NUMBERS[1:])), language
        assert row["joiners"] or language in UNJOINED
        for key in (*LISTS, "joiners", "of"):
            if key != "between":
                assert all(isinstance(word, str) and word for word in row[key]), (language, key)
                assert len(set(row[key])) == len(row[key]), (language, key)
        for before, middle, after in row["between"]:
            assert middle and (before or after)


def test_every_value_is_a_number_and_every_key_is_plain() -> None:
    for language, row in CURATED.items():
        for name in NUMBERS:
            for word, value in ({**row[name], **values(language)} if name == "values" else row[name]).items():
                assert type(value) in (int, float) and value >= 0, (language, word)
                assert word == unicodedata.normalize("NFC", word).lower().strip(), (language, word)
        for word, value in {**row["powers"], **row["suffixes"]}.items():
            assert value >= 10, (language, word)


def test_no_key_stands_twice_once_folded() -> None:
    """Within values and powers together, and within every other table and list."""
    for language, row in CURATED.items():
        added_words = (*DISTILLED.get(language, {}).get("values", ()), *row["values"], *row["powers"])
        for words in (added_words, row["suffixes"], row["half"], row["vague"]):
            folded = [fold(language, word).replace("-", " ") for word in words]
            assert not [word for word in folded if folded.count(word) > 1], language


def test_every_number_to_a_hundred_has_words() -> None:
    for language in LANGUAGES:
        reachable = {value for value in values(language).values() if value < 100}
        assert reachable >= set(range(10)), language
    for language in ("de", "hi", "it", "nl", "sv"):
        assert set(values(language).values()) >= set(range(100)), language


def test_risky_words_are_words_of_their_language() -> None:
    for language, row in CURATED.items():
        tables = (
            values(language),
            row["powers"],
            row["suffixes"],
            row["half"],
            row["articles"],
            row["point"],
        )
        known = {fold(language, word) for words in (*tables, row["minus"]) for word in words}
        assert {fold(language, word) for word in row["risky"]} <= known, language
    for language, words in {
        "tr": "on bin",
        "es": "once",
        "it": "sei",
        "de": "elf",
        "fa": "نه",
        "sv": "sex",
    }.items():
        assert set(words.split()) <= set(CURATED[language]["risky"])


def test_stance_is_complete() -> None:
    for language, row in STANCE.items():
        assert set(row) == set(STANCES), language
        for key in ("not_before", "but", "refusal", "settled", "or", "restated", "and", "separators"):
            assert row[key], (language, key)
        assert row["not_before"] or row["not_after"]
        assert len(row["refusal"]) >= (8 if language in TEN else 6), language
        for key, words in row.items():
            assert all(word == unicodedata.normalize("NFC", word).strip() and word for word in words), (
                language,
                key,
            )
            folded = [fold(language, word) for word in words]
            assert not [word for word in folded if folded.count(word) > 1], (language, key)
        # A phrase that denies or refuses must not be what an answer settles with.
        assert not set(row["settled"]) & {*row["refusal"], *row["not_before"]}


def test_no_refusal_is_part_of_a_number() -> None:
    for language, row in STANCE.items():
        for phrase in row["refusal"]:
            assert not re.search(r"\d", phrase)
            assert fold(language, phrase) not in vocabulary(language)[0], (language, phrase)
