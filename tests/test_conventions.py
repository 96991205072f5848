"""Conventions of the code: the direction of imports, documented queries, cornice in one module."""

import ast
import functools
import importlib
import re
from collections import Counter, defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from pipeline.api import declared
from pipeline.database import Queries
from pipeline.validation.codes import CODES as violation_codes
from pipeline.validation.errors.codes import CODES

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(
    path
    for folder in ("pipeline", "development")
    for path in (ROOT / folder).rglob("*.py")
    if path.name != "__main__.py"
)
# The code of a violation where it is raised, added or made.
VIOLATION = re.compile(
    r'(?:violations\.add|invalid_field|Violation|Excess)\((?:[^"(),]*|f?"[^"]*"), "([a-z_]+)"|refuse\("([a-z_]+)"'
)
# A package may import what stands above it. What is not named here is shared, and imports nothing that is.
ORDER = [
    *("accounts", "records", "changes", "leads", "interviews", "contracts", "forms", "signing"),
    *("worker", "development", "cli"),
]


@functools.cache
def imports(path):
    """The names of the modules that a file imports."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    whole = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    parts = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return [*whole, *(f"{source_of(node, path)}.{name.name}" for node in parts for name in node.names)]


def source_of(node, path):
    """The dotted name from which a `from … import` of a file takes names."""
    above = path.relative_to(ROOT).parts[: -node.level] if node.level else ()
    return ".".join([*above, *filter(None, [node.module])])


def package(name):
    """The package of ORDER that a dotted name belongs to, or None."""
    parts = name.removeprefix("pipeline.").split(".")
    return parts[0] if len(parts) > 1 and parts[0] in ORDER else None


def test_imports_go_one_way():
    for path in MODULES:
        own = package(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for used in {package(name) for name in imports(path)} - {own, None}:
            assert own is not None, f"{path}: shared code imports {used}"
            assert ORDER.index(used) < ORDER.index(own), f"{path}: {own} imports {used}"


@functools.cache
def module_imports():
    """{module: the own modules that it imports}, for types too."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in MODULES}
    graph = defaultdict(set)
    for own, path in names.items():
        for name in imports(path):
            used = name if name in names else name.rpartition(".")[0]
            if used in names and used != own:
                graph[own].add(used)
    return graph


def room(module):
    """A package of `pipeline`."""
    return ".".join(module.split(".")[:2])


def folders():
    """The dotted names of the folders with modules."""
    return sorted({module.rpartition(".")[0] for module in module_imports()} - {""})


def parts_of(folder):
    """{part of a folder, a module or a folder: those that it imports}."""
    depth, graph = folder.count(".") + 2, defaultdict(set)
    for own, used in module_imports().items():
        names = [".".join(name.split(".")[:depth]) for name in used if name.startswith(f"{folder}.")]
        if own.startswith(f"{folder}."):
            part = ".".join(own.split(".")[:depth])
            graph[part] |= {*names} - {part}
    return graph


def test_modules_import_nothing_in_a_circle():
    TopologicalSorter(module_imports()).prepare()


@pytest.mark.parametrize("folder", folders())
def test_the_parts_of_a_folder_import_nothing_in_a_circle(folder):
    TopologicalSorter(parts_of(folder)).prepare()


def test_packages_have_at_most_92_arrows_among_them():
    arrows = {(room(own), room(name)) for own, used in module_imports().items() for name in used}
    assert len([pair for pair in arrows if len({*pair}) == 2 and all("pipeline." in one for one in pair)]) <= 92


def test_a_folder_has_at_most_14_modules():
    modules = Counter(path.parent for path in MODULES if "pipeline" in path.parts and path.stem != "__init__")
    assert [folder for folder, count in modules.items() if count > 14] == []


def test_a_function_has_at_most_45_lines():
    functions = [node for path in MODULES for node in ast.walk(ast.parse(path.read_text())) if is_function(node)]
    assert [one.name for one in functions if one.end_lineno - one.lineno >= 45] == []


def is_function(node):
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def test_only_resource_knows_cornice():
    users = [path.name for path in MODULES if any(name.split(".")[0] == "cornice" for name in imports(path))]
    assert users == ["resource.py"]


def test_views_speak_http_only():
    for path in MODULES:
        if path.stem == "views" or path.stem.endswith("_views"):
            assert not any("queries" in name or "psycopg" in name for name in imports(path)), path


@functools.cache
def source():
    """All of the product's Python in one text."""
    return "\n".join(path.read_text() for path in MODULES)


@functools.cache
def declared_statements():
    """The names of the statements by which declared records are answered."""
    for path in MODULES:
        if "pipeline.api.declared.Records" in set(imports(path)):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    return declared.STATEMENTS


def test_every_query_says_in_one_sentence_what_it_answers_and_is_used():
    used = {*re.findall(r"queries\.(\w+)", source()), *declared_statements()}
    for query in Queries():
        assert re.fullmatch(r"[A-Z][^\n]+\.", query.__doc__ or ""), (query.name, query.__doc__)
        assert query.name in used, query.name


def test_a_view_of_the_schema_can_be_copied_into_a_revision():
    schema = "\n".join(path.read_text() for path in sorted((ROOT / "sql" / "schema").glob("*.sql")))
    views = re.findall(r"^create view .*?;$", schema, re.MULTILINE | re.DOTALL)
    assert len(views) > 20
    assert [line for view in views for line in view.splitlines() if len(line) > 120] == []


def test_every_error_code_is_raised_somewhere():
    unused = [code for code in CODES if source().count(f'"{code}"') < 2]
    assert unused == []


def test_every_violation_has_a_code_of_the_enumeration_and_every_code_is_used():
    sources = {path: path.read_text() for path in MODULES if path.parts[-2:] != ("validation", "codes.py")}
    given = {code for text in sources.values() for found in VIOLATION.findall(text) for code in found if code}
    assert given - violation_codes.keys() == set()
    words = "\n".join(sources.values())
    assert [code for code in violation_codes if f'"{code}"' not in words] == []


def test_the_validation_kit_knows_nothing_of_requests():
    for path in MODULES:
        if path.parent.name == "validation":
            assert [name for name in imports(path) if name.startswith("pipeline.") and "validation" not in name] == []
