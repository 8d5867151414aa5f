"""What Persian text keeps to, whoever wrote it."""

import re

ISOLATED = re.compile("\u2068([^\u2068\u2069]*)\u2069")
"""What runs within a line in a direction of its own."""


def assert_persian(text: str, where: str = "") -> None:
    """Letters, half-spaces and punctuation are Persian; what is in Latin letters is isolated, or stands alone."""
    where = where or text
    # Arabic yeh, kaf, heh with yeh and digits look almost like the Persian ones and are found by no search.
    assert not re.search("[يكىۀة٠-٩]", text), where
    assert not re.search(r"(^|\W)ن?می\s|\s(ها|های|هایی|تر|ترین|اند)(\W|$)", text), where
    assert not re.search("\u200c(\\W|\u200c|$)|(^|\\s)\u200c", text), where
    if re.search("[آ-ی]", text):
        assert not re.search("[A-Za-z0-9°,;?\"'“”]", ISOLATED.sub("", text)), where
