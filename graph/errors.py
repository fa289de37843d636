"""What can go wrong below the server: few named errors that carry their facts, never a status code."""

from __future__ import annotations


class AtlasError(Exception):
    """Something the user can mend; `str()` says what was wrong, with the value, and what to do."""


class UnreadableFile(AtlasError):
    """A file cannot be used. `line` and `column` count from 1 and are None where they are unknown."""

    def __init__(self, path: str, reason: str, mend: str, line: int | None = None, column: int | None = None):
        place = "".join(f":{number}" for number in (line, column) if number is not None)
        super().__init__(f"{path}{place}: {reason}; {mend}")
        self.path, self.reason, self.mend, self.line, self.column = path, reason, mend, line, column


class UnknownLanguage(AtlasError):
    """A language without the words that the task needs."""

    def __init__(self, language: str, available: list[str]):
        super().__init__(f'unknown language "{language}"; use one of: {", ".join(available)}')
        self.language, self.available = language, available


class InvalidValue(AtlasError):
    """A parameter's value cannot be used; `allowed` lists what can, where that is a short list."""

    def __init__(self, parameter: str, value: str, reason: str, mend: str, allowed: list[str] | None = None):
        super().__init__(f'{parameter}="{_shown(value)}": {reason}; {mend}')
        self.parameter, self.value, self.reason, self.mend, self.allowed = (
            parameter,
            value,
            reason,
            mend,
            allowed,
        )


class MalformedLanguage(InvalidValue):
    """A language tag that breaks BCP 47."""

    def __init__(self, tag: str, parameter: str):
        super().__init__(
            parameter, tag, "this is no language tag of BCP 47", "write it like ja, it or ja-JP (* for any)"
        )


class UnknownTerm(AtlasError):
    """No thing has this name; `suggestions` are the ids of things with a near one."""

    def __init__(self, term: str, suggestions: list[str], parameter: str | None = None):
        near = f"did you mean {', '.join(suggestions)}?" if suggestions else "look it up with another name"
        super().__init__(f'nothing is called "{_shown(term)}"; {near}')
        self.term, self.suggestions, self.parameter = term, suggestions, parameter


class AmbiguousTerm(AtlasError):
    """Several things have this name; `suggestions` are their ids."""

    def __init__(self, term: str, suggestions: list[str], parameter: str | None = None):
        super().__init__(f'"{_shown(term)}" names several things; use one of: {", ".join(suggestions)}')
        self.term, self.suggestions, self.parameter = term, suggestions, parameter


class LabelCollision(AtlasError):
    """Two things share a label inside one language and no lexicon declares it ambiguous."""

    def __init__(self, collisions: list[str]):
        super().__init__(
            f"labels that name several things: {'; '.join(collisions)}; tell them apart, or list them under"
            " [lookup.ambiguous] in the language's lexicon"
        )
        self.collisions = collisions


def _shown(value: str, longest: int = 80) -> str:
    """Return a value as it can stand in a message: one line, cut, nothing that cannot be encoded."""
    text = "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}" for character in value
    )
    return text if len(text) <= longest else f"{text[:longest]}…"
