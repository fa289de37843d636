"""Ask a dataset one query, with errors that say what to change."""

from __future__ import annotations

import re
from dataclasses import dataclass

from compute_atlas.graph.errors import AtlasError
from compute_atlas.queries.analysis import Analysis
from compute_atlas.queries.dataset import Dataset, Graphs, View
from compute_atlas.queries.errors import EngineFault, ServiceForbidden, UnknownFunction
from compute_atlas.queries.syntax import explain
from pyoxigraph import QueryBoolean, QuerySolutions, QueryTriples, Store

Results = QuerySolutions | QueryBoolean | QueryTriples

_UNKNOWN_FUNCTION = re.compile(r"The custom (?:aggregate )?function (<.*>) is not supported")


@dataclass(frozen=True)
class Query:
    """A query as the engine takes it: text, base IRI, prefixes of the vocabulary it uses, dataset."""

    text: str
    base: str | None = None
    prefixes: tuple[tuple[str, str], ...] = ()
    default_graphs: Graphs | None = None
    named_graphs: Graphs | None = None


def query_of(analysis: Analysis, base: str | None = None) -> Query:
    """Return the analysed query, on the dataset that it names itself."""
    return Query(analysis.text, base, analysis.prefixes, analysis.default_graphs, analysis.named_graphs)


def evaluate(dataset: Dataset, query: Query) -> Results:
    """Start to evaluate the query; rows are computed as they are read.

    Raises QuerySyntaxError, UnknownFunction, ServiceForbidden, DatasetTooLarge, InvalidIri, EngineFault.
    """
    view = dataset.view(query.default_graphs, query.named_graphs)
    try:
        return _ask(view, query)
    except SyntaxError as error:
        raise explain(query.text, str(error), lambda text: _complaint(text, query)) from None
    except (RuntimeError, OSError) as error:
        raise translate(error) from error


def translate(error: Exception) -> AtlasError:
    """Return the error that an exception of the engine stands for."""
    unknown = _UNKNOWN_FUNCTION.search(str(error))
    if unknown:
        return UnknownFunction(unknown[1])
    # A worker has no file descriptor left to open a connection with.
    return ServiceForbidden() if isinstance(error, OSError) else EngineFault(str(error))


def _ask(view: View, query: Query) -> Results:
    return view.store.query(
        query.text,
        base_iri=query.base or None,
        prefixes=dict(query.prefixes),
        default_graph=view.default_graphs,  # type: ignore[arg-type]
        named_graphs=view.named_graphs,  # type: ignore[arg-type]
    )


def _complaint(text: str, query: Query) -> str | None:
    """Parse a piece of a query on an empty store, so that nothing is evaluated."""
    try:
        Store().query(text, base_iri=query.base or None, prefixes=dict(query.prefixes))
    except SyntaxError as error:
        return str(error)
    except (RuntimeError, OSError):
        return None
    return None
