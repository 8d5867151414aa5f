"""The errors a user is meant to read: one line that says what is wrong, where, and what would be right."""


class HomegroundError(Exception):
    """Bad input or a bad environment. The command line prints the message alone and exits with 2."""

    exit_code = 2


class InputError(HomegroundError):
    """Something the user wrote (an argument, a file) cannot be used as it is."""


class EnvironmentProblem(HomegroundError):
    """The machine, a server or a package index does not offer what is needed."""


def unknown(noun: str, name: str, known: "list[str] | tuple[str, ...]") -> InputError:
    """An error for a name that is not in a closed list, with the closest name when there is one."""
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), [k.lower() for k in known], n=1, cutoff=0.6)
    hint = next((f" (did you mean {k}?)" for k in known if close and k.lower() == close[0]), "")
    return InputError(f"unknown {noun} {name!r}{hint}; known: {', '.join(known)}")
