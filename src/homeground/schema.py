"""The nouns, one page: what flows from cultures and scenes to judgements.

Everything is frozen and typed; JSON Lines files hold these records field by field, and unknown or
missing fields are refused where a file is read.

One table serves every experiment::

    cell = item × culture × condition × task × strategy   (for one model)
    cell → request (the exact prompt) → answer (what the model said) → judgement (what it means)
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

Concept: TypeAlias = Literal[
    "temperature", "distance", "speed", "size", "price", "time_expression", "quantifier"
]
Topic: TypeAlias = Literal[Concept, "fact"]
"""What an item is about: a concept, or, in a question set, a fact of the culture."""
Level: TypeAlias = Literal["null", "neutral", "cue1", "cue2", "implicit", "explicit"]
Placebo: TypeAlias = Literal["placebo_cues", "placebo_filler"]
Condition: TypeAlias = Literal[Level, Placebo, "plain", "oracle", "foreign"]
Task: TypeAlias = Literal["background", "question"]
Strategy: TypeAlias = str
"""One of ``STRATEGIES``, or ``system:NAME`` for a user's own system text."""
Grounding: TypeAlias = Literal["image", "description"]
Framing: TypeAlias = Literal["transcript", "chat"]
DialogueKind: TypeAlias = Literal["chitchat", "information", "support"]
System: TypeAlias = Literal["metric", "imperial"]
SYSTEMS = ("metric", "imperial", "korean", "japanese", "taiwanese")
"""Systems of units that a culture can expect; the last three are local units of area."""

CONCEPTS: tuple[Concept, ...] = get_args(Concept)
"""All seven concepts, in the order of the published table."""
OBJECTIVE: tuple[Concept, ...] = CONCEPTS[:5]
"""Concepts with a right answer: a unit or a currency that the culture uses."""
SUBJECTIVE: tuple[Concept, ...] = CONCEPTS[5:]
"""Concepts whose answer is one of a few options, none of them right or wrong."""
LEVELS: tuple[Level, ...] = get_args(Level)
"""The six levels of cue, weakest first."""
PLACEBOS: tuple[Placebo, ...] = get_args(Placebo)
"""A second cue set of the same culture, and culture-free words as long as the cues: what they change is noise."""
CONDITIONS: tuple[Condition, ...] = (*LEVELS, *PLACEBOS)
"""All that a model can be told about the user. Unless asked for, a study leaves the placebos out."""
TOLD: tuple[Condition, ...] = ("plain", "oracle", "foreign")
"""The conditions of a question set: the question only, told whose culture it is about, told another culture."""
FRAMINGS: tuple[Framing, ...] = get_args(Framing)
"""How a conversation is shown: as text, as published, or as native chat turns."""
TASKS: tuple[Task, ...] = get_args(Task)
STRATEGIES: tuple[Strategy, ...] = ("direct", "cot", "pragmatic", "natural", "sequential")
"""How the ``question`` task is asked. ``direct`` answers at once; ``cot`` thinks in the model's own thinking mode;
``pragmatic`` is also told to work out the user's background first; ``natural`` is told nothing, as a user would see it;
``sequential`` names the user's country in one turn and answers in the next."""
SYSTEM = "system:"
DIALOGUE_KINDS: tuple[DialogueKind, ...] = get_args(DialogueKind)


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all nouns: immutable, and strict about its fields. Subclasses are keyword-only."""


# ---- who asks -----------------------------------------------------------------------------------


class Culture(Record, frozen=True, kw_only=True):
    """Who asks. A country stands for a culture; it is a proxy, not a person."""

    code: str
    """ISO 3166-1 alpha-2 code for a territory; any identifier for another kind of group."""
    kind: Literal["territory", "region", "language", "profession", "group"] = "territory"
    name: str
    """English name as it reads after "I am from"."""
    accepted: dict[Concept, tuple[str, ...]]
    """For each objective concept what the culture expects: systems of units, or ISO 4217 currencies
    for ``price``. A concept that is absent is left out for this culture under the protocol."""


class Cue(Record, frozen=True, kw_only=True):
    """An ordinary thing of ordinary life that tells a listener where somebody is from."""

    kind: str
    """What sort of thing it is: ``person_name``, ``supermarket``, ``phone``…"""
    value: str
    source: str
    """Where the fact was found: an address, or the name of a rule for generated cues."""
    fits: tuple[str, ...] = ()
    """Which of the ten published cultures it would be valid for: one alone is a unique cue."""


# ---- what is in front of them -------------------------------------------------------------------


class Scene(Record, frozen=True, kw_only=True):
    """A picture with a known true value, and the same thing in words for models that cannot see."""

    id: str
    concept: Concept
    image: str
    """Path of the PNG inside the benchmark folder."""
    image_sha256: str
    value: float
    """True value, in ``unit``."""
    unit: str
    """``celsius``, ``metre``, ``kilometre_per_hour``, ``square_metre``, ``hour``, ``share``, or
    ``none`` where a value has no meaning (price)."""
    plausible: tuple[float, float]
    """Range in ``unit`` inside which a careful viewer's estimate is right."""
    thing: str
    """Noun phrase with its article that a dialogue can use."""
    description: str
    """Names no system of units, or both."""
    first_system: System | None = None
    """Which system the description names first, where it names both."""
    origin: Literal["drawn", "photograph"] = "drawn"
    licence: str = "Apache-2.0"
    reviewed: str = ""
    """When and by whom the picture was looked at: no text, no sign that gives a unit or a culture away."""


# ---- what was said before -----------------------------------------------------------------------


class Turn(Record, frozen=True, kw_only=True):
    """One utterance."""

    speaker: Literal["user", "chatbot"]
    text: str


class Slot(Record, frozen=True, kw_only=True):
    """A place in a user's turn, written ``{cue1}`` or ``{cue2}``, that a cue or neutral text fills."""

    kind: str
    neutral: str


class Written(Record, frozen=True, kw_only=True):
    """How a language model came to write a scaffold: its turns in one stage, then what fits its slots in another."""

    model: str
    """``engine:name``."""
    prompts: str
    """Version and hash of the prompts and of the rules that the scaffold passed."""
    requests: tuple[str, str]
    """Keys of the two requests whose answers it was made of: SHA-256 of everything that can change an answer."""
    tries: tuple[int, int]
    """How many answers each stage took, the accepted one among them."""
    temperatures: tuple[float, float]
    """Of the two accepted answers."""


# A scaffold by hand is written as it was before others were: the same bytes, and so the same signature.
class Scaffold(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A dialogue about one scene with two cue slots, the same for every culture."""

    id: str
    scene: str
    concept: Concept
    kind: DialogueKind
    template: str
    """The hand-written dialogue behind it, which several scenes can share; its own ``id`` where a model wrote it."""
    slots: tuple[Slot, Slot]
    turns: tuple[Turn, ...]
    source: Written | str = "hand-written"
    """Who wrote the dialogue."""


class CuePair(Record, frozen=True, kw_only=True):
    """The two cues that fill one scaffold for one culture: all that tells siblings apart."""

    scaffold: str
    culture: str
    cues: tuple[Cue, Cue]
    placebo: tuple[Cue, Cue] | None = None
    """Other values of the same kinds for the same culture; imported benchmarks have none."""


class Gold(Record, frozen=True, kw_only=True):
    """One right answer to a culture question, in all its accepted forms."""

    forms: tuple[str, ...]
    count: int | None = None
    """How many annotators gave it, where that was counted."""


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question that people of a culture wrote about it; fields that we do not know are passed over."""

    id: str
    question: str
    answers: tuple[str | Gold, ...] | None
    options: tuple[str, ...] | None = None
    language: str | None = None
    culture: str | None = None
    contrast: dict[str, tuple[str | Gold, ...]] | None = None
    """What sibling cultures answer, by their codes: a wrong answer can be traced to one of them."""
    source: str | None = None
    """A public source of the answer."""
    idks: dict[str, int] | None = None
    """How many annotators gave no answer, by what they said instead."""
    notes: str | None = None


# ---- the table ----------------------------------------------------------------------------------


class Cell(Record, frozen=True, kw_only=True):
    """One row of the experiment: this item, asked by this culture, at this level, in this way."""

    item: str
    """Scaffold identifier, or question identifier."""
    scene: str
    template: str
    """The dialogue that the scaffold was made from: a second cluster beside the scene."""
    concept: Topic
    culture: str
    condition: Condition
    task: Task
    strategy: Strategy
    model: str
    """``engine:name``."""
    draw: int = 0
    """Which of several answers this is, where they are drawn above temperature 0."""


class Message(Record, frozen=True, kw_only=True):
    """One message to a chat model; an image comes before the text."""

    role: Literal["system", "user", "assistant"]
    text: str
    image: str | None = None
    """SHA-256 of a PNG."""


class Sampling(Record, frozen=True, kw_only=True):
    """How tokens are drawn. Greedy at temperature 0."""

    temperature: float = 0.0
    max_tokens: int = 256
    thinking: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the model thinks in its own thinking mode; unset where nobody says."""
    logprobs: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the log-probabilities of the new tokens are wanted; unset where nobody asks for them."""


class Request(Record, frozen=True, kw_only=True):
    """Everything that can change an answer. Its hash is the answer's key in the store."""

    engine: dict[str, str]
    """What the engine says of itself: name, revision or weights' hash, settings that matter."""
    messages: tuple[Message, ...]
    sampling: Sampling
    draw: str | msgspec.UnsetType = msgspec.UNSET
    """Above temperature 0, which draw of which cell this is; unset for greedy answers, which all cells share."""


class Answer(Record, frozen=True, kw_only=True):
    """What a model said to one request."""

    text: str
    reasoning: str = ""
    """Text of the model's own thinking mode, where it has one."""
    finish_reason: str
    """``stop``, ``length`` (the limit of new tokens was reached) or ``content_filter``."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    logprobs: tuple[float, ...] = ()
    """Log-probabilities (natural) of the new tokens, where they were wanted and the engine offers them."""


class Reading(Record, frozen=True, kw_only=True):
    """What a judge found in an answer, before anybody asks whether it is right."""

    status: Literal["ok", "both", "ambiguous", "none", "refused"]
    found: tuple[str, ...] = ()
    """Systems, currencies, countries or options, in order of appearance and without repetition."""
    value: float | tuple[float, float] | None = None
    """A range has its two ends."""
    unit: str | None = None
    candidates: tuple[str, ...] = ()
    """Currencies outside the published ten that a sign could stand for as well."""
    span: tuple[int, int] | None = None
    """Where in the answer's text it stands (code points)."""


class Judgement(Record, frozen=True, kw_only=True):
    """A cell with its answer read and scored."""

    cell: Cell
    key: str
    """Key of the answer in the store."""
    reading: Reading
    expected: tuple[str, ...]
    """What counts as right; empty where nothing is right or wrong."""
    correct: bool | None
    """By the ``careful`` rulebook, the headline; ``None`` where nothing is right or wrong."""
    published: bool | None
    """By the published rulebook: an accepted form anywhere in the answer."""
    hedged: bool
    """Several systems, currencies, countries or cultures' answers were given; the first leads ``reading.found``."""
    value_right: bool | None = None
    """The value lies within the scene's plausible range, once converted; ``None`` where nobody can say."""
    belongs_to: tuple[str, ...] = ()
    """Codes of the benchmark's cultures that would have expected this answer."""
    depth: int | None = None
    """Depth of cultural reasoning, 0 to 3; ``None`` where no reasoning is shown."""

    @property
    def hedged_right(self) -> bool:
        """It would be right if an answer in several systems counted."""
        return bool(self.correct) or (self.hedged and not set(self.expected).isdisjoint(self.reading.found))


class Estimate(Record, frozen=True, kw_only=True):
    """A share or a difference of shares with its 95 % interval."""

    value: float | None
    """``None`` when there is nothing to estimate from."""
    low: float | None
    high: float | None
    se: float | None
    """Standard error, clustered."""
    n: int
    clusters: int
    boot: tuple[float, float] | None = None
    """The interval by the cluster bootstrap, as a check, where one was asked for."""
