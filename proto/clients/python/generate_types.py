#!/usr/bin/env python3
"""Writes src/pentad/types.py from the server's OpenAPI document.

    ./generate_types.py            writes the file
    ./generate_types.py --check    fails if it is not current
    ./generate_types.py --from http://127.0.0.1:8080/openapi.json

Questions become typed dictionaries, so that every field is a keyword argument of the call.
Answers become frozen data classes that ignore unknown fields and take zero or empty for
missing ones, as the contract says (proto/README.md). Frames of streams are left out:
`_async/` reads them.
"""

import json
import keyword
import re
import sys
import textwrap
import urllib.request
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parents[2] / "services/server/rest/docs/openapi.json"
TARGET = HERE / "src/pentad/types.py"
# The schemas of frames.
FRAMES = ("Event", "EventKind", "Line")
DIAGRAM = "/v1/games/{game}/diagram.svg"
ANALYSIS = "/v1/games/{game}/analysis"
WIDTH = 100

HEAD = '''"""The types of the contract.

Written by generate_types.py from the server's OpenAPI document; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Required, TypedDict
'''

Schema = dict[str, Any]


def main(arguments: list[str]) -> int:
    source = arguments[arguments.index("--from") + 1] if "--from" in arguments else None
    document = json.loads(urllib.request.urlopen(source).read() if source else DOCUMENT.read_bytes())
    text = module(document)
    if "--check" not in arguments:
        TARGET.write_text(text)
    elif not TARGET.exists() or TARGET.read_text() != text:
        print(f"{TARGET} is out of date: run {Path(__file__).name}")
        return 1
    return 0


def module(document: Schema) -> str:
    schemas = {n: s for n, s in document["components"]["schemas"].items() if not n.endswith(FRAMES)}
    schemas["DiagramQuestion"] = diagram_question(document)
    names = dependencies_first(schemas)
    bodies = [declaration(name, schemas[name], schemas) for name in names]
    if "AnalysisQuestion" not in schemas:
        # `analyze` takes what its operation takes, whatever the name.
        body = document["paths"][ANALYSIS]["post"]["requestBody"]["content"]["application/json"]
        schemas["AnalysisQuestion"] = body["schema"]
        bodies.append(f"AnalysisQuestion = {reference(body['schema'])}\n")
    exported = "".join(f'    "{name}",\n' for name in sorted(schemas))
    return f"{HEAD}\n__all__ = [\n{exported}]\n\n" + "\n\n".join(bodies)


def diagram_question(document: Schema) -> Schema:
    """The parameters of the diagram, which has no body, as a schema."""
    parameters = document["paths"][DIAGRAM]["get"]["parameters"]
    properties = {p["name"]: p["schema"] | {"description": p["description"]} for p in parameters if p["in"] == "query"}
    return {
        "type": "object",
        "description": "What a diagram shows.",
        "additionalProperties": False,
        "properties": properties,
    }


def dependencies_first(schemas: dict[str, Schema]) -> list[str]:
    """Base classes come before the classes that extend them; the rest is alphabetical."""
    bases = {n: [reference(p) for p in s.get("allOf", []) if "$ref" in p] for n, s in schemas.items()}
    ordered: list[str] = []
    for name in sorted(schemas):
        ordered += [base for base in bases[name] if base not in ordered]
        ordered += [name] if name not in ordered else []
    return ordered


def declaration(name: str, schema: Schema, schemas: dict[str, Schema]) -> str:
    if "enum" in schema:
        words = ", ".join(f'"{word}"' for word in schema["enum"])
        line = f"{name} = Literal[{words}]"
        if len(line) > WIDTH:
            line = f"{name} = Literal[\n" + "".join(f'    "{word}",\n' for word in schema["enum"]) + "]"
        return f'{line}\n"""{schema["description"].strip()}"""\n'
    if is_question(schema):
        return typed_dict(name, schema, schemas)
    bases = [reference(part) for part in schema.get("allOf", []) if "$ref" in part]
    return data_class(name, bases, schema, schemas)


def is_question(schema: Schema) -> bool:
    return schema.get("additionalProperties") is False


def properties_of(schema: Schema) -> tuple[dict[str, Schema], set[str]]:
    """The schema's own fields, and the required ones. Of alternatives, none is required."""
    fields, required = dict(schema.get("properties", {})), set(schema.get("required", []))
    for part in schema.get("allOf", []):
        fields |= part.get("properties", {})
        required |= set(part.get("required", []))
    for part in schema.get("oneOf", []):
        fields |= part.get("properties", {})
    return fields, required


def typed_dict(name: str, schema: Schema, schemas: dict[str, Schema]) -> str:
    fields, required = properties_of(schema)
    lines = [f"class {name}(TypedDict, total=False):", docstring(schema["description"])]
    for field, value in fields.items():
        kind = input_type(value)
        lines.append(f"    {snake(field)}: " + (f"Required[{kind}]" if field in required else kind))
        lines.append(docstring(description(value)))
    return "\n".join(line for line in lines if line) + "\n"


def data_class(name: str, bases: list[str], schema: Schema, schemas: dict[str, Schema]) -> str:
    fields, required = properties_of(schema)
    inherited = [item for base in bases for item in own_and_inherited(schemas[base], schemas)]
    lines = [
        "@dataclass(frozen=True, slots=True, kw_only=True)",
        f"class {name}({', '.join(bases)}):" if bases else f"class {name}:",
        docstring(schema["description"]),
    ]
    for field, value in fields.items():
        optional = field not in required or is_nullable(value)
        kind = output_type(value)
        lines.append(f"    {snake(field)}: {kind} | None" if optional else f"    {snake(field)}: {kind}")
        lines.append(docstring(description(value)))
    lines += ["", "    @classmethod", f"    def from_json(cls, json: Mapping[str, Any]) -> {name}:"]
    lines.append('        """Reads the JSON form."""')
    lines.append("        return cls(")
    for field, value, optional in [*inherited, *own_fields(schema)]:
        lines.append(f"            {snake(field)}={decoder(field, value, optional, schemas)},")
    lines.append("        )")
    return "\n".join(line for line in lines if line is not None) + "\n"


def own_fields(schema: Schema) -> list[tuple[str, Schema, bool]]:
    fields, required = properties_of(schema)
    return [(f, v, f not in required or is_nullable(v)) for f, v in fields.items()]


def own_and_inherited(schema: Schema, schemas: dict[str, Schema]) -> list[tuple[str, Schema, bool]]:
    bases = [reference(part) for part in schema.get("allOf", []) if "$ref" in part]
    return [item for base in bases for item in own_and_inherited(schemas[base], schemas)] + own_fields(schema)


def decoder(field: str, schema: Schema, optional: bool, schemas: dict[str, Schema]) -> str:
    """An expression that reads the field from `json`."""
    schema, key = without_null(schema), f'"{field}"'
    inner = element_decoder(schema, schemas)
    if inner is None:
        zero = {"string": '""', "integer": "0", "number": "0.0", "boolean": "False"}.get(kind_of(schema) or "")
        if optional:
            return f"json.get({key})"
        return f"json[{key}]" if zero is None else f"json.get({key}, {zero})"
    if kind_of(schema) in ("array", "object") and "$ref" not in schema:
        empty = "[]" if kind_of(schema) == "array" else "{}"
        read = inner.replace("VALUE", f"json.get({key}, {empty})")
        return f"({read}) if json.get({key}) is not None else None" if optional else read
    if optional:
        return f"{inner.replace('VALUE', f'json[{key}]')} if json.get({key}) is not None else None"
    return inner.replace("VALUE", f"json[{key}]")


def element_decoder(schema: Schema, schemas: dict[str, Schema]) -> str | None:
    """An expression that converts VALUE; None if JSON's value is taken as it is."""
    schema = without_null(schema)
    if "$ref" in schema:
        return None if "enum" in schemas[reference(schema)] else f"{reference(schema)}.from_json(VALUE)"
    if kind_of(schema) == "array":
        inner = element_decoder(schema["items"], schemas)
        return "list(VALUE)" if inner is None else f"[{inner.replace('VALUE', 'item')} for item in VALUE]"
    if kind_of(schema) == "object" and isinstance(schema.get("additionalProperties"), dict):
        inner = element_decoder(schema["additionalProperties"], schemas)
        pairs = "for key, value in VALUE.items()"
        return "dict(VALUE)" if inner is None else f"{{key: {inner.replace('VALUE', 'value')} {pairs}}}"
    return None


def output_type(schema: Schema) -> str:
    schema = without_null(schema)
    if "$ref" in schema:
        return reference(schema)
    kind = kind_of(schema)
    if kind == "array":
        return f"list[{output_type(schema['items'])}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"dict[str, {output_type(values)}]" if isinstance(values, dict) else "dict[str, Any]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}[kind or "string"]


def input_type(schema: Schema) -> str:
    schema = without_null(schema)
    if kind_of(schema) == "array":
        return f"Sequence[{input_type(schema['items'])}]"
    return output_type(schema)


def reference(schema: Schema) -> str:
    return str(schema["$ref"].rsplit("/", 1)[1])


def without_null(schema: Schema) -> Schema:
    kinds = [part for part in schema.get("oneOf", []) if part.get("type") != "null"]
    return kinds[0] if len(kinds) == 1 else schema


def is_nullable(schema: Schema) -> bool:
    kinds = schema.get("type")
    return (isinstance(kinds, list) and "null" in kinds) or without_null(schema) is not schema


def kind_of(schema: Schema) -> str | None:
    kinds = schema.get("type")
    return next((k for k in kinds if k != "null"), None) if isinstance(kinds, list) else kinds


def description(schema: Schema) -> str:
    return str(schema.get("description") or without_null(schema).get("description") or "")


def docstring(text: str) -> str:
    text = " ".join(text.split()).replace("\\", "\\\\")
    if not text:
        return ""
    if len(text) + 10 <= WIDTH:
        return f'    """{text}"""'
    return textwrap.fill(f'"""{text}', WIDTH, initial_indent="    ", subsequent_indent="    ") + '\n    """'


def snake(name: str) -> str:
    name = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: f"_{match[1].lower()}", name)
    return f"{name}_" if keyword.iskeyword(name) else name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
