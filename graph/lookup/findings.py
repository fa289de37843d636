"""Write findings about a page as JSON, in the JSON that Vale prints, and as SARIF 2.1.0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.terminology import RULES, Finding

FORMATS = ("json", "vale", "sarif")
# What a page's name may hold if it is a URI already; of a file's name all else is escaped.
_SIGNS_OF_URIS = "/:?#[]@!$&'()*+,;=%"
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

Json = dict[str, Any]


def as_format(findings: Sequence[Finding], form: str, page: str) -> Json:
    """Return the findings about a page (its name or URI) in one of FORMATS. Raises InvalidValue."""
    if form == "json":
        return as_json(findings)
    if form == "vale":
        return as_vale(findings, page)
    if form == "sarif":
        return as_sarif(findings, page)
    raise InvalidValue(
        "format", form, "there is no such format", f"use one of: {', '.join(FORMATS)}", [*FORMATS]
    )


def as_json(findings: Sequence[Finding]) -> Json:
    """Return the findings with how many there are."""
    return {
        "total": len(findings),
        "findings": [{**asdict(finding), "severity": finding.severity} for finding in findings],
    }


def as_vale(findings: Sequence[Finding], page: str) -> Json:
    """Return the alerts of `vale --output=JSON`; a span is its first and last column."""
    return {page: [_alert(finding) for finding in findings]} if findings else {}


def as_sarif(findings: Sequence[Finding], page: str) -> Json:
    """Return a SARIF log with one run; each suggestion is a fix."""
    uri = quote(page, safe=_SIGNS_OF_URIS)
    rules = [
        {"id": rule, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
        for rule, (level, text) in RULES.items()
    ]
    run = {
        "tool": {"driver": {"name": "Compute Atlas", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": uri}}],
        "results": [_result(finding, uri) for finding in findings],
    }
    return {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _alert(finding: Finding) -> Json:
    return {
        "Action": {"Name": "replace", "Params": list(finding.suggestions)},
        "Span": [finding.column, finding.column + len(finding.surface) - 1],
        "Check": f"ComputeAtlas.{finding.rule}",
        "Description": "",
        "Link": "",
        "Message": finding.message,
        "Severity": finding.severity,
        "Match": finding.surface,
        "Line": finding.line,
    }


def _result(finding: Finding, uri: str) -> Json:
    location = {"uri": uri}
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.line,
        "endColumn": finding.column + len(finding.surface),
    }
    fixes = [
        {
            "description": {"text": f'Write "{suggestion}".'},
            "artifactChanges": [
                {
                    "artifactLocation": location,
                    "replacements": [{"deletedRegion": region, "insertedContent": {"text": suggestion}}],
                }
            ],
        }
        for suggestion in finding.suggestions
    ]
    return {
        "ruleId": finding.rule,
        "ruleIndex": list(RULES).index(finding.rule),
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {"artifactLocation": location, "region": region}}],
        **({"fixes": fixes} if fixes else {}),
    }
