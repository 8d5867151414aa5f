"""The tables of a study's database. Times are seconds since 1970, UTC; texts are what people wrote, unchanged."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_KEY = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows of itself only where the key's type is INTEGER."""


class Base(DeclarativeBase):
    """Base of all tables."""


class Study(Base):
    """A study: what kind of task, whether it runs, and its settings (``settings`` is JSON)."""

    __tablename__ = "study"
    id: Mapped[str] = mapped_column(String(80), primary_key=True)
    kind: Mapped[str] = mapped_column(String(40))
    title: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(20))
    settings: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(Float)
    version: Mapped[int] = mapped_column(Integer, default=1)
    """Counts changes, so that a form that was opened before somebody else's change is told so."""


class Person(Base):
    """Somebody with a role. Who that is stands in ``identity`` alone; a withdrawn person's row is an empty shell."""

    __tablename__ = "person"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    study_id: Mapped[str] = mapped_column(ForeignKey("study.id"), index=True)
    role: Mapped[str] = mapped_column(String(20))
    culture: Mapped[str | None] = mapped_column(String(60))
    pseudonym: Mapped[str | None] = mapped_column(String(80), unique=True)
    stage: Mapped[str] = mapped_column(String(20))
    consent: Mapped[str | None] = mapped_column(ForeignKey("consent.version"))
    years: Mapped[int | None] = mapped_column(Integer)
    link_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    created: Mapped[float] = mapped_column(Float)
    seen: Mapped[float | None] = mapped_column(Float)
    """When they last did something."""


class Identity(Base):
    """What a recruitment platform said of who somebody is (JSON): the only place for it, never exported."""

    __tablename__ = "identity"
    __table_args__ = (Index("uq_identity_platform_key", "platform_key", unique=True),)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), primary_key=True)
    recruitment: Mapped[str] = mapped_column(Text)
    platform_key: Mapped[str | None] = mapped_column(String(64))
    """By which somebody is known who comes again: SHA-256 of study, platform and the number there, so that nobody joins
    twice by a shared link; or the hash of the invitation that was used."""


class Spent(Base):
    """A ``platform_key`` whose person is forgotten while the study is not closed: it says no more whose it was."""

    __tablename__ = "spent"
    platform_key: Mapped[str] = mapped_column(String(64), primary_key=True)
    study_id: Mapped[str] = mapped_column(ForeignKey("study.id"), index=True)


class Consent(Base):
    """Each text that somebody agreed to, word for word."""

    __tablename__ = "consent"
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    language: Mapped[str] = mapped_column(String(20))
    text: Mapped[str] = mapped_column(Text)


class Invite(Base):
    """An invitation for one person. The link's token is stored as SHA-256 alone."""

    __tablename__ = "invite"
    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    study_id: Mapped[str] = mapped_column(ForeignKey("study.id"), index=True)
    role: Mapped[str] = mapped_column(String(20))
    culture: Mapped[str | None] = mapped_column(String(60))
    expires: Mapped[float] = mapped_column(Float)
    used: Mapped[float | None] = mapped_column(Float)


class Recruiting(Base):
    """A link that a recruitment platform shows to many. Its token is stored as SHA-256 alone."""

    __tablename__ = "recruiting"
    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    study_id: Mapped[str] = mapped_column(ForeignKey("study.id"), index=True)
    platform: Mapped[str] = mapped_column(String(20))
    culture: Mapped[str] = mapped_column(String(60))
    most: Mapped[int] = mapped_column(Integer)
    joined: Mapped[int] = mapped_column(Integer)
    expires: Mapped[float] = mapped_column(Float)
    made: Mapped[float] = mapped_column(Float)


class Login(Base):
    """A browser that a person is logged in with. The cookie is stored as SHA-256 alone."""

    __tablename__ = "session"
    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), index=True)
    expires: Mapped[float] = mapped_column(Float)


class Item(Base):
    """One thing to judge; ``content`` is JSON of the study's kind."""

    __tablename__ = "item"
    __table_args__ = (Index("ix_item_study_culture", "study_id", "culture"),)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    study_id: Mapped[str] = mapped_column(ForeignKey("study.id"))
    culture: Mapped[str] = mapped_column(String(60))
    """Whose people answer it."""
    content: Mapped[str] = mapped_column(Text)
    cell: Mapped[str] = mapped_column(String(60), default="")
    """What progress is counted by inside a culture, such as a concept."""
    family: Mapped[str] = mapped_column(String(120), default="")
    """Of a family nobody gets two items; empty where that does not matter."""
    part: Mapped[str] = mapped_column(String(20), default="evaluation")
    """``evaluation``, ``control`` or ``attention``."""
    quota: Mapped[int | None] = mapped_column(Integer)
    """Judgements that this item needs, where not as many as the study says."""


class Lease(Base):
    """An item that is in somebody's hands until a time."""

    __tablename__ = "lease"
    item_id: Mapped[str] = mapped_column(ForeignKey("item.id"), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), primary_key=True, index=True)
    until: Mapped[float] = mapped_column(Float)
    since: Mapped[float] = mapped_column(Float)
    """When the person first had it: time on task counts from there."""


class Judgement(Base):
    """What somebody said of an item: written once, never changed. Who said it stands in ``authorship``."""

    __tablename__ = "judgement"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True, autoincrement=True)
    client_id: Mapped[str] = mapped_column(String(64), unique=True)
    item_id: Mapped[str] = mapped_column(ForeignKey("item.id"), index=True)
    verdict: Mapped[str] = mapped_column(String(20))
    made: Mapped[float] = mapped_column(Float)
    answer: Mapped[str | None] = mapped_column(Text)
    """What was answered (JSON), where the verdict alone does not say it."""
    seconds: Mapped[float | None] = mapped_column(Float)
    """Time on task; none where the lease had run out."""


class Authorship(Base):
    """Who made a judgement; withdrawal erases the row."""

    __tablename__ = "authorship"
    __table_args__ = (UniqueConstraint("person_id", "item_id", name="uq_authorship_person_item"),)
    judgement_id: Mapped[int] = mapped_column(_KEY, ForeignKey("judgement.id"), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"))
    item_id: Mapped[str] = mapped_column(ForeignKey("item.id"))


class Remark(Base):
    """A judgement's comment; free text can tell who wrote it, so withdrawal erases it."""

    __tablename__ = "remark"
    judgement_id: Mapped[int] = mapped_column(_KEY, ForeignKey("judgement.id"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class Reply(Base):
    """What a person replied on the way to the items (priming, comprehension check, debrief); withdrawal erases it."""

    __tablename__ = "reply"
    __table_args__ = (UniqueConstraint("person_id", "step", "attempt", "question", name="uq_reply"),)
    id: Mapped[int] = mapped_column(_KEY, primary_key=True, autoincrement=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), index=True)
    step: Mapped[str] = mapped_column(String(20))
    attempt: Mapped[int] = mapped_column(Integer)
    question: Mapped[str] = mapped_column(String(80))
    answer: Mapped[str] = mapped_column(Text)
    correct: Mapped[bool | None] = mapped_column(Boolean)
    at: Mapped[float] = mapped_column(Float)


class Event(Base):
    """What happened, in order; written once. No event names a person and an item together."""

    __tablename__ = "event"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True, autoincrement=True)
    at: Mapped[float] = mapped_column(Float)
    study_id: Mapped[str] = mapped_column(ForeignKey("study.id"), index=True)
    kind: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(80))
    detail: Mapped[str] = mapped_column(Text)
