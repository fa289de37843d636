"""Do without a server what its workers do, on the embedded graph or the files at hand."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any

import click
from compute_atlas.graph.lookup.terms import read_terms
from compute_atlas.graph.store import digest, open_store
from compute_atlas.queries.asked import Names
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.jobs import JOBS
from compute_atlas.server.data import read_data


@dataclass(frozen=True)
class Local:
    """A dataset in this process, and the names in it."""

    dataset: Dataset
    names: Names

    def run(self, kind: str, payload: dict[str, Any]) -> bytes:
        """Return the answer of a job."""
        answer = BytesIO()
        JOBS[kind](self.dataset, payload, answer)
        return answer.getvalue()


def open_data(data: tuple[str, ...]) -> Local:
    """Return the dataset of FILE[=GRAPH-IRI] texts, the embedded graph without any. Raises UnreadableFile."""
    quads = read_data(data, lambda line: click.echo(f"compute-atlas: {line}", err=True))
    dataset = Dataset(open_store(quads))
    prepared = dataset.prepared
    names = Names(read_terms(quads, digest(quads)).index, prepared.is_known, prepared.is_predicate)
    return Local(dataset, names)
