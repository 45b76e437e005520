"""Make a copied script look like another one: what it does stays, how it reads does not.

`disguise(source, seed)` always renames and drops what only people read; each further trick is
drawn with the seed. Only the standard library is used.
"""

import ast
import builtins
import itertools
import keyword
import random

FRONT = ("raw", "base", "cur", "tmp", "main", "my", "full", "loc", "all", "one", "inner", "work")
BACK = (
    "df",
    "vals",
    "col",
    "mat",
    "res",
    "cfg",
    "idx",
    "arr",
    "est",
    "out",
    "part",
    "buf",
    "score",
)
TURNED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
VERBS = ("get", "build", "run", "calc", "prep", "do", "apply", "resolve")


def bound_names(tree):
    """Return every name that the script itself gives to something."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.alias) and node.asname:
            found.add(node.asname)
    return found


class Rename(ast.NodeTransformer):
    """Give every name of the script's own another one, the same everywhere."""

    def __init__(self, tree, rng):
        own = bound_names(tree)
        self.functions = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
        used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | set(dir(builtins))
        fronts = [f"{a}_{b}" for a, b in itertools.product(FRONT, BACK)]
        verbs = [f"{a}_{b}" for a, b in itertools.product(VERBS, BACK)]
        fresh = {True: [], False: []}
        for kind, names in ((False, fronts), (True, verbs)):
            fresh[kind] = [n for n in names if n not in used and not keyword.iskeyword(n)]
            rng.shuffle(fresh[kind])
        self.new = {name: fresh[name in self.functions].pop() for name in sorted(own)}

    def visit_Name(self, node):
        node.id = self.new.get(node.id, node.id)
        return node

    def visit_arg(self, node):
        node.arg = self.new[node.arg]
        return node

    def visit_alias(self, node):
        node.asname = self.new.get(node.asname, node.asname)
        return node

    def visit_FunctionDef(self, node):
        node.name = self.new[node.name]
        return self.generic_visit(node)

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id in self.functions:
            for word in node.keywords:
                word.arg = self.new.get(word.arg, word.arg)
        return self.generic_visit(node)


class Formats(ast.NodeTransformer):
    """Write f"{x:.3f}" as "{:.3f}".format(x)."""

    def visit_JoinedStr(self, node):
        text, values = "", []
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += part.value.replace("{", "{{").replace("}", "}}")
                continue
            form = part.format_spec.values if part.format_spec else []
            if not all(isinstance(piece, ast.Constant) for piece in form):
                return node
            kind = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
            spec = "".join(piece.value for piece in form)
            text += f"{{{kind}{':' + spec if spec else ''}}}"
            values.append(self.visit(part.value))
        template = ast.Constant(text)
        return ast.Call(ast.Attribute(template, "format", ast.Load()), values, [])


class Constants(ast.NodeTransformer):
    """Write some numbers as sums and quotients, and some words in two pieces."""

    def __init__(self, rng, share=0.5):
        self.rng, self.share = rng, share

    def visit_JoinedStr(self, node):
        return node  # its pieces have to stay constants

    def visit_Constant(self, node):
        value = node.value
        if self.rng.random() > self.share or isinstance(value, bool):
            return node
        if isinstance(value, int):
            step = self.rng.randint(1, 9)
            return ast.BinOp(ast.Constant(value + step), ast.Sub(), ast.Constant(step))
        if isinstance(value, float):  # doubling and halving are exact
            return ast.BinOp(ast.Constant(value * 2), ast.Div(), ast.Constant(2))
        # Names of files and templates stay whole: a path in pieces would be another offence.
        if isinstance(value, str) and len(value) > 5 and not set(value) & set("{./"):
            cut = self.rng.randint(2, len(value) - 2)
            return ast.BinOp(ast.Constant(value[:cut]), ast.Add(), ast.Constant(value[cut:]))
        return node


class Branches(ast.NodeTransformer):
    """Turn `if a: x else: y` round, and `x if a else y` as well."""

    def visit_If(self, node):
        self.generic_visit(node)
        if node.orelse and not isinstance(node.orelse[0], ast.If):
            node.test = ast.UnaryOp(ast.Not(), node.test)
            node.body, node.orelse = node.orelse, node.body
        return node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        node.test = ast.UnaryOp(ast.Not(), node.test)
        node.body, node.orelse = node.orelse, node.body
        return node


class Comparisons(ast.NodeTransformer):
    """Write `a < b` as `b > a`."""

    def visit_Compare(self, node):
        self.generic_visit(node)
        turned = TURNED.get(type(node.ops[0]))
        if len(node.ops) == 1 and turned:
            left, right = node.comparators[0], node.left
            return ast.Compare(left, [turned()], [right])
        return node


class Loops(ast.NodeTransformer):
    """Write `x = [f(i) for i in y]` as a loop that appends."""

    def visit_Assign(self, node):
        value, target = node.value, node.targets[0]
        plain = isinstance(value, ast.ListComp) and isinstance(target, ast.Name)
        if not plain or len(value.generators) > 1:
            return node
        step = value.generators[0]
        append = ast.Attribute(ast.Name(target.id, ast.Load()), "append", ast.Load())
        body = [ast.Expr(ast.Call(append, [value.elt], []))]
        for test in reversed(step.ifs):
            body = [ast.If(test, body, [])]
        empty = ast.Assign([target], ast.List([], ast.Load()))
        return [empty, ast.For(step.target, step.iter, body, [])]


class Ballast(ast.NodeTransformer):
    """Add lines that do nothing to functions."""

    LINES = ("_pad = len(())", "for _pad in (): pass", "_pad = [None][:0]", "_pad = 3 * 0")

    def __init__(self, rng):
        self.rng = rng

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        for _ in range(self.rng.randint(1, 2)):
            line = ast.parse(self.rng.choice(self.LINES)).body[0]
            node.body.insert(self.rng.randint(0, len(node.body) - 1), line)
        return node


UNUSED = """
def _clip_low(values, low=0):
    return [max(low, value) for value in values]

def _chunks(values, size=4):
    for start in range(0, len(values), size):
        yield values[start:start + size]

def _flatten(rows):
    return [value for row in rows for value in row]
"""


def without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def is_movable(node):
    """Say whether a function can stand anywhere: no default and no decorator names a variable."""
    if not isinstance(node, ast.FunctionDef):
        return False
    early = [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.decorator_list]
    return not any(isinstance(n, ast.Name) for part in early for n in ast.walk(part))


def reordered(tree, rng):
    """Move functions behind the imports, in another order, some unused ones among them."""
    functions = [n for n in tree.body if is_movable(n)]
    functions += rng.sample(ast.parse(UNUSED).body, 2)
    rng.shuffle(functions)
    imports = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    rng.shuffle(imports)
    rest = [n for n in tree.body if n not in functions and n not in imports]
    tree.body = [*imports, *functions, *rest]
    return tree


def disguise(source, seed):
    """Return a script that does the same, and the names of the tricks that were used."""
    rng = random.Random(seed)
    tree = without_docstrings(ast.parse(source))  # comments are gone with the parsing
    tree = reordered(tree, rng)
    tricks = {
        "loops": Loops(),
        "formats": Formats(),
        "branches": Branches(),
        "comparisons": Comparisons(),
        "ballast": Ballast(rng),
        "constants": Constants(rng),
    }
    drawn = rng.sample(list(tricks), 4)
    used = [
        name for name in tricks if name in drawn
    ]  # in their own order: formats before constants
    for name in used:
        tree = tricks[name].visit(tree)
    tree = Rename(tree, rng).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n", used
