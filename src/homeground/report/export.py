"""Figures as PNG and PDF.

Both are drawn with the fonts that vl-convert brings along, so text is there on machines without any font and looks the
same in both; a renderer that looks for fonts on the machine would leave it out. Neither file carries a date, so the
same figure gives the same bytes, as long as it needs one font only: those of a PDF are numbered in an order that
changes from one time to the next. Figures have one face of one family; a name in a script that the family lacks brings
a second font.
"""

from __future__ import annotations

import re
import struct
import zlib

_SCALE = 2.0
"""Pixels of a PNG for a unit of the figure."""
_PNG = b"\x89PNG\r\n\x1a\n"
_STATES = re.compile(rb"(?<=/ExtGState <<\n)(?: {6}/\w+ \d+ 0 R\n)+")
"""The names of a page's graphics states."""


def png(svg: str) -> bytes:
    """A figure that stands alone as PNG, at twice its size.

    Raises:
        RuntimeError: it is no SVG.
    """
    import vl_convert

    return _packed(vl_convert.svg_to_png(svg, scale=_SCALE))


def pdf(svg: str) -> bytes:
    """A figure that stands alone as a PDF of one page, of vectors and text.

    Raises:
        RuntimeError: it is no SVG.
    """
    import vl_convert

    # Their order changes from one time to the next; put in order they take as many bytes, so all offsets hold.
    return _STATES.sub(
        lambda names: b"".join(sorted(names[0].splitlines(keepends=True))), vl_convert.svg_to_pdf(svg)
    )


def _packed(picture: bytes) -> bytes:
    """The same PNG at less than half its size: vl-convert packs quickly rather than well."""
    place = len(_PNG)
    before, pixels, after = [_PNG], b"", b""
    while place < len(picture):
        (length,) = struct.unpack(">I", picture[place : place + 4])
        kind, end = picture[place + 4 : place + 8], place + 12 + length
        if kind == b"IDAT":
            pixels += picture[place + 8 : end - 4]
        elif kind == b"IEND":
            after = picture[place:end]
        else:
            before.append(picture[place:end])
        place = end
    packed = b"IDAT" + zlib.compress(zlib.decompress(pixels))
    data = struct.pack(">I", len(packed) - 4) + packed + struct.pack(">I", zlib.crc32(packed))
    return b"".join((*before, data, after))
