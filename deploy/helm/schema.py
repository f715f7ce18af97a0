"""Descriptions of values.schema.json, which editors show: the comments of values.yaml."""

import json
import re

KEY = re.compile(r"( *)(- )?([A-Za-z][\w]*):( |$)")
EXAMPLE = re.compile(r" *#(   |$)")


def described(schema, values):
    """Returns the text of the schema with a description for each property that the text of the values has."""
    schema, found = json.loads(schema), comments(values)
    for path, properties, name in walk(schema):
        if path in found:
            # After it come the keywords that check.
            rest = {key: value for key, value in properties[name].items() if key != "description"}
            properties[name] = {"description": found[path], **rest}
    return written(schema) + "\n"


def comments(values):
    """Returns the comment above each key, by the path of the key. Items of a list have those of an example in a comment."""
    found, path, comment, example = {}, [], [], []
    for line in values.splitlines():
        if line.lstrip().startswith("#"):
            (example if EXAMPLE.match(line) else comment).append(line.strip().removeprefix("#"))
        elif match := KEY.match(line):
            depth = len(match[1]) + len(match[2] or "")
            path = [*(key for key in path if key[0] < depth), (depth, match[3])]
            names = tuple(name for _, name in path)
            if comment:
                found[names] = re.sub(":$", ".", " ".join(" ".join(comment).split()))
            inside = "\n".join(line[3:] for line in example)
            found |= {names[:-1] + path: text for path, text in comments(inside).items() if path[0] == names[-1]} if example else {}
            comment, example = [], []
        else:
            comment, example = [], []
    return found


def walk(schema, path=()):
    """Yields each property of the schema: its path, the properties of which it is one, and its name."""
    properties = schema.get("properties", {})
    for name in list(properties):
        yield (*path, name), properties, name
        yield from walk(properties[name], (*path, name))
        yield from walk(properties[name].get("items", {}), (*path, name))


def written(value, indent=0):
    """Returns it as JSON, with short objects and lists on one line."""
    line = json.dumps(value, ensure_ascii=False)
    is_flat = isinstance(value, list) or (isinstance(value, dict) and not any(isinstance(one, dict) for one in value.values()))
    if not isinstance(value, (dict, list)) or not value or (is_flat and len(line) + indent <= 120):
        return line
    pad, end = "\n" + " " * (indent + 1), "\n" + " " * indent
    if isinstance(value, list):
        return "[" + pad + ("," + pad).join(written(one, indent + 1) for one in value) + end + "]"
    return "{" + pad + ("," + pad).join(f"{json.dumps(key)}: {written(one, indent + 1)}" for key, one in value.items()) + end + "}"
