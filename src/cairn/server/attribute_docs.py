"""Add attribute docstrings to the JSON schema of a message, as descriptions.

Pydantic's ``use_attribute_docstrings`` reads the docstrings when a class is created. It parses the whole source file
for each class, which accounts for a third of the server's import time. Only the description of the web API needs the
docstrings, so this module reads them when a schema is generated, and parses each file once.
"""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import sys
from collections.abc import Mapping
from typing import Any


def add_descriptions(schema: dict[str, Any], described: type) -> None:
    """Add the attribute docstrings of a class to its JSON schema. Existing descriptions are kept.

    Pass this function to Pydantic as ``json_schema_extra``.
    """
    properties = schema.get("properties", {})
    for each in described.__mro__:
        for name, text in _docs_of(each.__module__).get(each.__qualname__, {}).items():
            if name in properties:
                properties[name].setdefault("description", text)


@functools.cache
def _docs_of(module: str) -> Mapping[str, Mapping[str, str]]:
    """The attribute docstrings of all top-level classes in a module, by class and attribute."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):  # a built-in module, or a module installed without its source
        return {}
    return {each.name: _attribute_docs(each) for each in tree.body if isinstance(each, ast.ClassDef)}


def _attribute_docs(definition: ast.ClassDef) -> dict[str, str]:
    found = {}
    for attribute, after in itertools.pairwise(definition.body):
        if not (isinstance(attribute, ast.AnnAssign) and isinstance(attribute.target, ast.Name)):
            continue
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            found[attribute.target.id] = inspect.cleandoc(after.value.value)
    return found
