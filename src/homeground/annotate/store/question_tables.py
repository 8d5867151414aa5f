"""The tables of a study in which a community writes questions. Content and verdicts are written once, as versions."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Float, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from homeground.annotate.store.tables import Base

_KEY = BigInteger().with_variant(Integer, "sqlite")


class Entry(Base):
    """A question on its way. What it says stands in its versions; who wrote them in ``writing``."""

    __tablename__ = "entry"
    __table_args__ = (UniqueConstraint("study_id", "number", name="uq_entry_number"),)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    study_id: Mapped[str] = mapped_column(ForeignKey("study.id"), index=True)
    number: Mapped[int] = mapped_column(Integer)
    """Its short name in the study."""
    round: Mapped[str] = mapped_column(String(20))
    """``trial``, ``main``, or ``review`` for one of an imported set."""
    status: Mapped[str] = mapped_column(String(20))
    """``draft``, ``proposed``, ``sent_back``, ``accepted``, ``rejected``, ``dropped`` or ``merged``."""
    version: Mapped[int] = mapped_column(Integer)
    """The newest version of its content; an edit must name the one that it began from."""
    merged_into: Mapped[str | None] = mapped_column(String(32))
    original: Mapped[str | None] = mapped_column(Text)
    """Of an imported question: the record as it was (JSON)."""
    created: Mapped[float] = mapped_column(Float)
    changed: Mapped[float] = mapped_column(Float)


class EntryVersion(Base):
    """What an entry said at one time (JSON of a question): written once."""

    __tablename__ = "entry_version"
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    client_id: Mapped[str] = mapped_column(String(64), unique=True)
    content: Mapped[str] = mapped_column(Text)
    guidelines: Mapped[int] = mapped_column(Integer)
    """Version of the guidelines that stood beside the form."""
    why: Mapped[str] = mapped_column(String(20))
    """``written``, ``revised``, ``corrected`` by somebody else, ``merged`` or ``imported``."""
    made: Mapped[float] = mapped_column(Float)


class Writing(Base):
    """Who wrote a version; withdrawal erases the row."""

    __tablename__ = "writing"
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), index=True)


class Review(Base):
    """An entry's version in an adjudicator's hands until a time."""

    __tablename__ = "review"
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), primary_key=True, index=True)
    version: Mapped[int] = mapped_column(Integer)
    until: Mapped[float] = mapped_column(Float)


class Verdict(Base):
    """What an adjudicator decided on a version: written once. Who it was stands in ``verdict_authorship``."""

    __tablename__ = "verdict"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True, autoincrement=True)
    client_id: Mapped[str] = mapped_column(String(64), unique=True)
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), index=True)
    version: Mapped[int] = mapped_column(Integer)
    decision: Mapped[str] = mapped_column(String(20))
    """``accept``, ``send_back`` or ``reject``."""
    guidelines: Mapped[int] = mapped_column(Integer)
    """Version of the guidelines that it was held against."""
    marks: Mapped[str] = mapped_column(Text)
    """For each guideline ``keeps``, ``breaks`` or ``unsure`` (JSON)."""
    made: Mapped[float] = mapped_column(Float)


class VerdictAuthorship(Base):
    """Who made a verdict; withdrawal erases the row."""

    __tablename__ = "verdict_authorship"
    __table_args__ = (UniqueConstraint("person_id", "entry_id", "version", name="uq_verdict_once"),)
    verdict_id: Mapped[int] = mapped_column(_KEY, ForeignKey("verdict.id"), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"))
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"))
    version: Mapped[int] = mapped_column(Integer)


class VerdictRemark(Base):
    """A verdict's comments (JSON: by guideline, the one on the whole under ``""``); withdrawal erases it."""

    __tablename__ = "verdict_remark"
    verdict_id: Mapped[int] = mapped_column(_KEY, ForeignKey("verdict.id"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class Comment(Base):
    """A word in the discussion of an entry; withdrawal erases it."""

    __tablename__ = "comment"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True, autoincrement=True)
    client_id: Mapped[str] = mapped_column(String(64), unique=True)
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), index=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), index=True)
    text: Mapped[str] = mapped_column(Text)
    made: Mapped[float] = mapped_column(Float)


class Guidelines(Base):
    """A version of the study's guidelines: written once. Before the first, number 0, the package's stand alone."""

    __tablename__ = "guidelines"
    study_id: Mapped[str] = mapped_column(ForeignKey("study.id"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    content: Mapped[str] = mapped_column(Text)
    """Notes by guideline and bad examples added to those of the package (JSON of ``Added``)."""
    made: Mapped[float] = mapped_column(Float)


class Look(Base):
    """A model's answer that a writer looked at: it can steer what is written, so each look is kept."""

    __tablename__ = "look"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True, autoincrement=True)
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), index=True)
    version: Mapped[int] = mapped_column(Integer)
    model: Mapped[str] = mapped_column(String(200))
    condition: Mapped[str] = mapped_column(String(20))
    text: Mapped[str] = mapped_column(Text)
    correct: Mapped[bool | None] = mapped_column(Boolean)
    made: Mapped[float] = mapped_column(Float)
