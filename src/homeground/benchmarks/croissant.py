"""Croissant metadata (MLCommons, version 1.0) of a benchmark's folder, so that data set tools can read it.

https://docs.mlcommons.org/croissant/docs/croissant-spec.html
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from homeground.benchmarks.folder import About

CROISSANT = "croissant.json"
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
# The columns a table can show as they are; nested ones (turns, cues) are read from the JSON Lines themselves.
_COLUMNS: dict[str, dict[str, str]] = {
    "cultures": {"code": "sc:Text", "kind": "sc:Text", "name": "sc:Text"},
    "scenes": {
        "id": "sc:Text",
        "concept": "sc:Text",
        "image": "sc:Text",
        "image_sha256": "sc:Text",
        "value": "sc:Float",
        "unit": "sc:Text",
        "thing": "sc:Text",
        "description": "sc:Text",
        "origin": "sc:Text",
        "licence": "sc:Text",
    },
    "scaffolds": {
        "id": "sc:Text",
        "scene": "sc:Text",
        "concept": "sc:Text",
        "kind": "sc:Text",
        "template": "sc:Text",
    },
    "cues": {"scaffold": "sc:Text", "culture": "sc:Text"},
}
_LICENCES = {"Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0"}


def croissant(about: About, tables: Mapping[str, bytes]) -> bytes:
    """The metadata as JSON-LD.

    Args:
        about: what the benchmark is.
        tables: the bytes of each JSON Lines file, by its name without the ending.
    """
    files: list[dict[str, Any]] = [
        {
            "@type": "cr:FileObject",
            "@id": f"{name}.jsonl",
            "name": f"{name}.jsonl",
            "contentUrl": f"{name}.jsonl",
            "encodingFormat": "application/jsonlines",
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        for name, content in tables.items()
    ]
    metadata = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": about.name,
        "version": f"{about.version}.0",
        "description": (
            "Conversations in which ordinary things hint at where a user is from, about pictures; protocol "
            f" {about.protocol}, seed {about.seed}. A country is a proxy for a culture, not a person."
        ),
        "citeAs": f"Homeground, {about.name} {about.version}, seed {about.seed}",
        "license": _LICENCES.get(about.licence, about.licence),
        "distribution": files,
        "recordSet": [_record_set(name) for name in tables],
    }
    return msgspec.json.format(msgspec.json.encode(metadata), indent=1) + b"\n"


def _record_set(name: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "dataType": data_type,
                "source": {"fileObject": {"@id": f"{name}.jsonl"}, "extract": {"column": column}},
            }
            for column, data_type in _COLUMNS[name].items()
        ],
    }
