"""Mutants of a Python module: one small change each, made on its syntax tree and written back in place."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
OPERATORS: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*"}


@dataclass(frozen=True)
class Mutant:
    """A module's source with one change. `before` and `after` are the changed text, `line` its line."""

    module: Path
    line: int
    column: int
    before: str
    after: str
    source: str

    @property
    def place(self) -> tuple[Path, int, int, str]:
        """What tells this mutant from the others."""
        return self.module, self.line, self.column, self.after

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {_short(self.before)}  ->  {_short(self.after)}"


def python_mutants(module: Path) -> list[Mutant]:
    """Return every mutant of a Python module, in the order of its source."""
    source = module.read_text()
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    encoded = source.encode()
    found = []
    for node, after in _changes(ast.parse(source)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before = encoded[begin:end].decode()
        changed = (encoded[:begin] + after.encode() + encoded[end:]).decode()
        found.append(Mutant(module, node.lineno, node.col_offset, before, after, changed))
    return found


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield each place inside a function with the text that replaces it."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in _own_statements(function):
                yield from _statement_changes(statement)


def _own_statements(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """Walk the function's body: no nested functions (they come by themselves), annotations or error texts."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.JoinedStr):
            continue
        if isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom):
            continue
        yield node
        skipped = {id(node.annotation)} if isinstance(node, ast.AnnAssign) else _strictness(node)
        pending.extend(child for child in ast.iter_child_nodes(node) if id(child) not in skipped)


def _strictness(node: ast.AST) -> set[int]:
    """Return the argument of `zip` that asserts equal lengths."""
    match node:
        case ast.Call(func=ast.Name(id="zip"), keywords=keywords):
            return {id(each) for each in keywords if each.arg == "strict"}
    return set()


def _statement_changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        operator = COMPARISONS[type(node.ops[0])]
        yield node, f"(({ast.unparse(node.left)}) {operator} ({ast.unparse(node.comparators[0])}))"
    elif isinstance(node, ast.BoolOp):
        word = " or " if isinstance(node.op, ast.And) else " and "
        yield node, "(" + word.join(f"({ast.unparse(value)})" for value in node.values) + ")"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"bool({ast.unparse(node.operand)})"
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _is_text(node):
        yield node, f"(({ast.unparse(node.left)}) {OPERATORS[type(node.op)]} ({ast.unparse(node.right)}))"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, str(node.value + 1)
    elif isinstance(node, ast.If | ast.While):
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    elif isinstance(node, ast.Return) and node.value is not None and (other := _other_result(node.value)):
        yield node.value, other
    elif (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call | ast.Await)
        and not _is_log(node.value)
    ):
        yield node, "pass"


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.JoinedStr | ast.Constant) and not _is_number(side)
        for side in (node.left, node.right)
    )


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _other_result(value: ast.expr) -> str:
    """Return what is returned instead of a value: None, but not for one that conditions take for None."""
    match value:
        case ast.Constant(value=""):
            return '"x"'
        case ast.Constant(value=constant) if not constant:
            return ""
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return ""
    return "None"


def _is_log(node: ast.expr) -> bool:
    """Whether a call only writes to a log: no test need notice that it is gone."""
    call = node.value if isinstance(node, ast.Await) else node
    return isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[0] in {"log", "logger"}


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= 90 else f"{folded[:87]}..."
