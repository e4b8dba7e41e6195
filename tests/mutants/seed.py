"""seed.py - the faults that can be seeded into a source, of C or of Lua.

A fault is one small change that a person could have made by mistake: another
operator, a comparison that is off by its equality, a constant off by one, a
statement that is not there. Comments, strings, assertions, directives and
declarations stay as they are. Whether a fault compiles is for the compiler to
say.
"""
import re
from collections import namedtuple

# from line 'line', column 'column' on, 'old' becomes 'new'; 'at': the offset
Fault = namedtuple("Fault", "file line column at old new")

SWAPS = {
    "==": ["!="], "!=": ["=="], "~=": ["=="],
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="],
    "&&": ["||"], "||": ["&&"], "and": ["or"], "or": ["and"],
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"], "//": ["/"],
    "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
    "++": ["--"], "--": ["++"], "true": ["false"], "false": ["true"],
    "break": ["continue"], "continue": ["break"],
}
# Before these tokens stands an operand, so they have two.
BINARY = {"+", "-", "*", "&"}

C_TOKENS = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.'])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|[^\s\w])
""", re.X | re.S | re.M)

LUA_TOKENS = re.compile(r"""
    (?P<skip>--\[(=*)\[.*?\]\2\]|--[^\n]*)
  | (?P<text>\[(=*)\[.*?\]\4\]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op>\.\.\.|\.\.|==|~=|<=|>=|<<|>>|//|::|[^\s\w])
""", re.X | re.S)

KEYWORDS = set("return if else while for do switch case default goto sizeof "
               "typedef static const extern struct enum union and or not then "
               "local function end in repeat until elseif".split())


class Token:
    """One token; 'depth' counts the open braces around it."""

    def __init__(self, match):
        self.kind = match.lastgroup
        if self.kind not in ("skip", "text", "number", "name", "op"):
            self.kind = next(k for k in ("skip", "text", "number", "name", "op")
                             if match.group(k) is not None)
        self.text = match.group(self.kind)
        self.at = match.start(self.kind)
        self.end = match.end(self.kind)


def tokens_of(text, is_lua):
    """All tokens but comments and directives."""
    pattern = LUA_TOKENS if is_lua else C_TOKENS
    return [t for t in map(Token, pattern.finditer(text)) if t.kind != "skip"]


def is_operand(token):
    """Can an operator with two operands stand behind it?"""
    if token is None or token.text in KEYWORDS:
        return False
    return token.kind in ("name", "number") or token.text in (")", "]")


def number_changes(text):
    """An integer off by one."""
    found = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", text)
    if not found:
        return []
    value = int(found.group(1), 0 if found.group(1)[1:2] in "xX" else 10)
    steps = (1,) if value == 0 else (1, -1)
    return ["%d%s" % (value + s, found.group(2)) for s in steps]


def parenthesis_end(tokens, i):
    """The index of the ')' that closes the '(' at i."""
    depth = 0
    for j in range(i, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[j].text, 0)
        if depth == 0:
            return j
    return len(tokens) - 1


def bodies(tokens):
    """Index by index: is the token in a function's body?"""
    inside, depth, is_body = [], 0, False
    for i, t in enumerate(tokens):
        if t.text == "{":
            if depth == 0:
                is_body = i > 0 and tokens[i - 1].text == ")"
            depth += 1
        inside.append(depth > 0 and is_body)
        if t.text == "}":
            depth -= 1
    return inside


def token_changes(tokens, i):
    """What the token at i may become."""
    t = tokens[i]
    before = tokens[i - 1] if i else None
    if t.kind == "number":
        if before is not None and before.text == "[" and is_declaration(
                tokens, i):
            return []
        return number_changes(t.text)
    if t.text in ("!", "not") and not is_operand(before):
        return [""]
    if t.kind == "text" or t.text not in SWAPS:
        return []
    if t.text in BINARY and not is_operand(before):
        return []
    return SWAPS[t.text]


def is_declaration(tokens, i):
    """Does 'type name[' stand before the number at i?"""
    return (i >= 3 and tokens[i - 2].kind == "name"
            and (tokens[i - 3].kind == "name" or tokens[i - 3].text in "*,"))


def dropped(tokens, i, text):
    """The end of the statement that begins at i, if it can be left out."""
    if tokens[i].kind != "name" or tokens[i].text in KEYWORDS:
        return None
    if i and tokens[i - 1].text not in (";", "{", "}", ")", "else"):
        return None
    if i + 1 >= len(tokens) or tokens[i + 1].text not in (
            "(", "=", "->", ".", "[", "++", "--", "+=", "-=", "|=", "&="):
        return None
    depth = 0
    for j in range(i, len(tokens)):
        depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(tokens[j].text, 0)
        if depth < 0:
            return None
        if tokens[j].text == ";" and depth == 0:
            return tokens[j].at
    return None


LEAK = re.compile(r"(\w*_)?free\s*\(|LLVMDispose\w*\s*\(")


def is_leak(fault):
    """Is what is left out a call that gives memory back? Suites see that with
    the address sanitizer alone (make SAN=1 test)."""
    return not fault.new and LEAK.match(fault.old) is not None


def place(text, at):
    line = text.count("\n", 0, at) + 1
    return line, at - (text.rfind("\n", 0, at) + 1) + 1


def c_faults(path, text):
    tokens = tokens_of(text, False)
    inside = bodies(tokens)
    quiet = -1  # to the end of an assertion
    for i, t in enumerate(tokens):
        if t.text in ("assert", "_Static_assert", "__builtin_expect"):
            quiet = max(quiet, parenthesis_end(tokens, i + 1))
        if not inside[i] or i <= quiet:
            continue
        line, column = place(text, t.at)
        for new in token_changes(tokens, i):
            yield Fault(path, line, column, t.at, t.text, new)
        end = dropped(tokens, i, text)
        if end:
            yield Fault(path, line, column, t.at, text[t.at:end], "")


LUA_STATEMENT = re.compile(
    r"^[ \t]*(?!local|return|if|for|while|end|else|function|do|until|repeat)"
    r"([A-Za-z_][\w.:\[\]\"']*(?:, *[\w.]+)*(?: = |\().*)$", re.M)


def lua_faults(path, text):
    tokens = tokens_of(text, True)
    covered = [(t.at, t.end) for t in tokens if t.kind == "text"]
    for i, t in enumerate(tokens):
        line, column = place(text, t.at)
        for new in token_changes(tokens, i):
            yield Fault(path, line, column, t.at, t.text, new)
    for m in LUA_STATEMENT.finditer(text):
        at = m.start(1)
        whole = m.group(1)
        if any(a <= at < b for a, b in covered) or (
                whole.count("(") != whole.count(")")
                or whole.count("{") != whole.count("}")):
            continue
        line, column = place(text, at)
        yield Fault(path, line, column, at, whole, "")


def faults(path, text):
    """All faults of a file, in their order."""
    return list((lua_faults if path.endswith(".lua") else c_faults)(path, text))


def seeded(text, fault):
    """The text with the fault in it; a statement leaves its lines."""
    new = fault.new
    if not new and "\n" in fault.old:
        new = "\n" * fault.old.count("\n")
    end = fault.at + len(fault.old)
    assert text[fault.at:end] == fault.old
    return text[:fault.at] + new + text[end:]
