"""Measure looking things up: how often right, how fast, at the graph's own size and at 100,000 labels."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence

from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Label, Thing
from compute_atlas.graph.lookup.spoken import spoken_languages

from tests import test_lookup_accuracy as accuracy

LABELS = 100_000
QUERIES = 400


def main() -> int:
    """Print the figures."""
    typeable = [case for case in accuracy.cases() if accuracy.is_typeable(case)]
    say(f"{'labels changed by':<20} {'asked':>6} {'right':>8}  wrong matches")
    for change in accuracy.SPELLINGS:
        print_accuracy(change, accuracy.cases())
    for change in (accuracy.one_typo, accuracy.two_typos):
        print_accuracy(change, typeable)
    print_accuracy(accuracy.prefix, typeable, within=3)
    say("")
    say(f"{'in process':<34} {'p50 ms':>8} {'p95 ms':>8}")
    print_times("own graph", accuracy.index(), [case.label.value for case in accuracy.cases()])
    start = time.perf_counter()
    large = Index(generated_things(LABELS))
    say(f"(index of {LABELS} labels made in {time.perf_counter() - start:.1f} s)")
    names = [thing.labels[0].value for thing in list(large.things.values())[:: LABELS // QUERIES]]
    print_times(f"{LABELS} labels", large, names)
    return 0


def print_accuracy(
    change: Callable[[str, random.Random], str], chosen: list[accuracy.Case], within: int = 1
) -> None:
    """Print how many of the labels were found though changed."""
    figures = accuracy.measure(change, chosen, within)
    name = change.__name__ + (f" (first {within})" if within > 1 else "")
    say(f"{name:<20} {figures.asked:>6} {figures.share:>8.2%}  {len(figures.wrong_matches)}")


def print_times(title: str, index: Index, names: list[str]) -> None:
    """Print how long names take as they are, with a slip, and cut, and how long suggestions take."""
    chance = random.Random(accuracy.SEED)
    texts = chance.sample(names, min(QUERIES, len(names)))
    typed = [accuracy.one_typo(text, chance) if any(map(str.isalpha, text)) else text for text in texts]
    cut = [text[: max(2, len(text) // 2)] for text in texts]
    languages = spoken_languages(index.languages, "it")
    for what, queries in (("lookup, exact", texts), ("lookup, one typo", typed), ("lookup, beginning", cut)):
        times = timed(lambda text: index.search(text, languages, accuracy.accepts), queries)
        print_percentiles(f"{title}: {what}", times)
    print_percentiles(
        f"{title}: suggest", timed(lambda text: index.suggest(text, languages, accuracy.accepts), cut)
    )


def timed(call: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    """Return the milliseconds that each call takes, sorted."""
    times = []
    for text in texts:
        start = time.perf_counter()
        call(text)
        times.append(1000 * (time.perf_counter() - start))
    return sorted(times)


def print_percentiles(title: str, times: list[float]) -> None:
    """Print the median and the 95th percentile."""
    say(f"{title:<34} {times[len(times) // 2]:>8.2f} {times[int(len(times) * 0.95)]:>8.2f}")


def generated_things(count: int) -> dict[str, Thing]:
    """Return so many things with one label each, of made-up words in the three languages."""
    chance = random.Random(accuracy.SEED)
    things = {}
    for number in range(count):
        iri = f"http://bench.test/{number}"
        lang = ("en", "it", "ja")[number % 3]
        words = [_word(lang, chance) for _ in range(chance.randint(1, 4))]
        things[iri] = Thing(iri, (Label(" ".join(words), lang, "prefLabel"),))
    return things


def _word(lang: str, chance: random.Random) -> str:
    if lang == "ja":
        return "".join(chance.choice(accuracy.KATAKANA) for _ in range(chance.randint(3, 8)))
    consonants, vowels = "bcdfglmnprstvz", "aeiou"
    return "".join(chance.choice(consonants) + chance.choice(vowels) for _ in range(chance.randint(2, 5)))


def say(line: str) -> None:
    """Write one line of the report."""
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
