"""Compare the disagreements of the embedded graph with those found by hand in the documents.

An item is found where a disagreement of its kind, about its subject and predicate, has a side in one of its
editions; each disagreement counts for one item. Counted are the items of level fact, naming, gap and lossy
whose editions are all shipped. Ends with exit code 1 below the limits.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compute_atlas.graph import build
from compute_atlas.graph.comparing import disagreements
from compute_atlas.graph.comparing.disagreements import Disagreement
from compute_atlas.ontology import files

LISTED = Path(__file__).resolve().parents[3] / "shared" / "editions" / "disagreements.json"
LEVELS = ("fact", "naming", "gap", "lossy")
MIN_FOUND, MAX_OTHERS = 0.9, 0.1
# Subjects of the list that are no ids of the graph.
SUBJECTS = {
    "class/gpu_series": "category/gpu",
    "class/compute_target": "ontology#ComputeTarget",
    "class/managed_compute": "ontology#ManagedCompute",
    "class/unmanaged_compute": "ontology#UnmanagedCompute",
    "class/vm_size": "ontology#VMSize",
    "notice/retirement": "ontology#RetirementNotice",
    "table/inference": "term/compute_targets_for_inference",
    "table/training": "term/training_compute_targets",
    "table/cuda": "ontology#GPUArchitecture",
}


@dataclass
class Score:
    """What was found of the list, what was not, what is in no way in it, what must not be reported."""

    found: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    others: list[Disagreement] = field(default_factory=list)
    forbidden: list[Disagreement] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Tell whether the limits are kept."""
        wanted = len(self.found) + len(self.missed)
        reported = len(self.found) + len(self.others)
        return (
            len(self.found) >= MIN_FOUND * wanted > 0
            and len(self.others) <= MAX_OTHERS * reported
            and not self.forbidden
        )


def score(items: list[dict[str, Any]], reported: list[Disagreement]) -> Score:
    """Return how disagreements compare with the list."""
    shipped = {path.stem for path in files.editions()}
    result = Score()
    left = list(reported)
    for item in items:
        if item["level"] in LEVELS and editions(item) <= shipped:
            match = next((one for one in left if fits(item, one)), None)
            if match is None:
                result.missed.append(
                    f"{item['id']} {item['kind']} {item['subject']} {sorted(editions(item))}"
                )
            else:
                result.found.append(item["id"])
                left.remove(match)
    result.others = left
    result.forbidden = [
        one
        for item in items
        if item["level"] in ("none", "wording")
        for one in left
        if contradicts(item, one)
    ]
    return result


def editions(item: dict[str, Any]) -> set[str]:
    return {side["edition"] for side in item["sides"]}


def fits(item: dict[str, Any], one: Disagreement) -> bool:
    return (
        (one.kind, one.subject) == (item["kind"], SUBJECTS.get(item["subject"], item["subject"]))
        and one.predicate == camel_case(item["predicate"])
        and bool(one.editions & editions(item))
    )


def contradicts(item: dict[str, Any], one: Disagreement) -> bool:
    """Tell whether a disagreement says of the item's sides what the list says is equal."""
    values = {side.value for side in one.sides if side.edition in editions(item)}
    return (
        one.subject == SUBJECTS.get(item["subject"], item["subject"])
        and one.predicate == camel_case(item["predicate"])
        and one.level == "fact"
        and editions(item) <= one.editions
        and len(values) > 1
    )


def camel_case(predicate: str | None) -> str | None:
    if predicate is None:
        return None
    first, *others = predicate.split("_")
    return first + "".join(map(str.capitalize, others))


def main() -> int:
    """Print the figures and what was missed."""
    if not LISTED.exists():
        say(f"{LISTED} is not here: nothing to compare with")
        return 1
    items = json.loads(LISTED.read_text(encoding="utf-8"))["items"]
    result = score(items, disagreements.read(disagreements.in_graph(build.stated())))
    wanted = len(result.found) + len(result.missed)
    say(f"found {len(result.found)} of {wanted} ({len(result.found) / wanted:.1%})")
    for text in result.missed:
        say(f"  missed {text}")
    say(f"others {len(result.others)}, must not be reported {len(result.forbidden)}")
    for one in (*result.others, *result.forbidden):
        say(f"  {one.level} {one.kind} {one.subject} {one.predicate} {sorted(one.editions)}")
    return 0 if result.is_good else 1


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
