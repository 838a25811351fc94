"""The rules of style that a program can check. Each takes a path (from the top) and its lines, and
yields (line number, what is wrong)."""

import re

MAX_COLUMNS = 100
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 70

SOURCE_SUFFIXES = (".h", ".cc")
CHECKED_SUFFIXES = SOURCE_SUFFIXES + (".py", ".proto", ".cmake", "CMakeLists.txt")

# Which folders a folder may include, itself apart: the table of layers.
MAY_INCLUDE = {
    "common/base": (),
    "common/slot": ("common/base",),
    "common/cluster": ("common/base", "common/slot"),
    "common/wire": ("common/base", "common/slot", "common/cluster"),
    "common/node": ("common/base", "common/slot", "common/cluster", "common/wire"),
    "common/resp": ("common/base",),
    "common/text": ("common/base", "common/slot", "common/cluster", "common/resp"),
    "common/placement": ("common/base", "common/slot"),
    "common/sim": ("common/base", "common/slot", "common/cluster", "common/wire", "common/node"),
    "daemon": ("common/base", "common/slot", "common/cluster", "common/wire", "common/node",
               "common/resp", "common/text"),
    "cli": ("common/base", "common/slot", "common/cluster", "common/resp", "common/text",
            "common/placement", "common/sim"),
    "tests": ("common", "daemon", "cli"),
}
# Of common/cluster the command line sees the view and what it is made of.
CLI_CLUSTER_HEADERS = ("cluster_view.h", "node_record.h", "ids.h", "link_status.h")

# Who may include a library.
LIBRARIES = (
    (re.compile(r"<uv\.h>"), ("daemon",)),
    (re.compile(r"<roaring/"), ("common/slot",)),
    (re.compile(r'"bus\.pb\.h"|<google/protobuf'), ("common/wire",)),
    (re.compile(r"<hiredis"), ("cli",)),
    (re.compile(r"<CLI/"), ("cli", "tests")),
    (re.compile(r"<nlohmann/"), ("cli", "tests")),
    (re.compile(r"<spdlog/"), ("daemon",)),
    (re.compile(r"<catch2/"), ("tests",)),
    (re.compile(r"<benchmark/"), ("tests",)),
    (re.compile(r"<iostream>"), ("cli",)),
)

BANNED_CALLS = re.compile(
    r"(?<![\w:.>])(?:std::|::)?(strcpy|strcat|sprintf|vsprintf|gets|strtok|system|s?rand)\s*\("
    r"|(?<!\w)time\s*\(\s*(?:NULL|nullptr|0)\s*\)")
SLEEPS = re.compile(r"sleep_for|sleep_until|(?<![\w])u?sleep\s*\(|nanosleep\s*\(|time\.sleep")

# The parts that must replay from a seed know no outside world.
PURE = ("common/base", "common/slot", "common/cluster", "common/node")
OUTSIDE_WORLD = re.compile(
    r"#include\s*<(?:fstream|filesystem|thread|mutex|condition_variable|future|random|ctime|"
    r"time\.h|unistd\.h|fcntl\.h|netdb\.h|poll\.h|sys/\w+\.h|netinet/\w+\.h|arpa/inet\.h)>"
    r"|(?:system|steady|high_resolution)_clock|random_device|std::thread|clock_gettime|gettimeofday"
    r"|\bfopen\s*\(")

VAGUE_NAMES = re.compile(r"(?:^|_)(?:utils?|helpers?|manager|misc)(?:_|$)")
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")

STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')
INCLUDE = re.compile(r'\s*#include\s+(?:"([^"]+)"|<[^>]+>)')
NOT_A_FUNCTION = re.compile(
    r"(?:inline )?namespace|(?:enum |template.*)?(?:class|struct|union)\b|enum\b|extern\b")


def is_under(path, folder):
    return path == folder or path.startswith(folder + "/")


def folder_of(path):
    """The row of MAY_INCLUDE that a path belongs to, or None."""
    rows = [row for row in MAY_INCLUDE if is_under(path, row)]
    return max(rows, key=len) if rows else None


def without_comment(line):
    return STRINGS.sub('""', line).split("//")[0]


def line_length(path, lines):
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            yield number, f"{len(line)} columns, at most {MAX_COLUMNS}"


def file_length(path, lines):
    if len(lines) > MAX_FILE_LINES:
        yield len(lines), f"{len(lines)} lines, at most {MAX_FILE_LINES}"


def function_length(path, lines):
    """A function opens at a line that ends in '{' and closes at a '}' no deeper than that line;
    namespaces, types and tables are no functions."""
    if not path.endswith(SOURCE_SUFFIXES):
        return
    open_functions = []
    for number, line in enumerate(lines, 1):
        code = without_comment(line).rstrip()
        indent = len(code) - len(code.lstrip())
        if code.endswith("{") and not code.strip().startswith("}") and opens_function(code):
            open_functions.append((indent, number))
        while open_functions and code[indent:].startswith("}") and indent <= open_functions[-1][0]:
            _, start = open_functions.pop()
            length = number - start + 1
            if length > MAX_FUNCTION_LINES:
                yield start, f"a function of {length} lines, at most {MAX_FUNCTION_LINES}"


def opens_function(code):
    text = code.strip()
    if NOT_A_FUNCTION.match(text):
        return False
    if re.search(r"=\s*\{$", text) or re.match(r"(?:if|for|while|switch|else|do|try)\b", text):
        return False
    # A signature may have begun on an earlier line; its parameter list closes on this one.
    return ")" in text


def include_direction(path, lines):
    own = folder_of(path)
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        for library, allowed in LIBRARIES:
            if library.search(line) and not any(is_under(path, folder) for folder in allowed):
                yield number, f"{line.strip()} is for {' and '.join(allowed)} only"
        target = found.group(1)
        if not target or own is None or is_under(target, own) or "/" not in target:
            continue
        if not any(is_under(target, folder) for folder in MAY_INCLUDE[own]):
            yield number, f"{own} may not include {target}"
        if own == "cli" and is_under(target, "common/cluster"):
            if target.rsplit("/", 1)[1] not in CLI_CLUSTER_HEADERS:
                yield number, f"cli sees of common/cluster the view only, not {target}"


def banned_calls(path, lines):
    if not path.endswith(SOURCE_SUFFIXES + (".py",)):
        return
    for number, line in enumerate(lines, 1):
        code = without_comment(line)
        if path.endswith(SOURCE_SUFFIXES) and BANNED_CALLS.search(code):
            yield number, f"banned call: {code.strip()}"
        if is_under(path, "tests") and SLEEPS.search(code):
            yield number, "a test waits for a condition, it does not sleep"
        if any(is_under(path, folder) for folder in PURE) and OUTSIDE_WORLD.search(code):
            yield number, "time, randomness, threads and files come in from outside"


def file_name(path, lines):
    stem = path.rsplit("/", 1)[-1].split(".")[0]
    if VAGUE_NAMES.search(stem):
        yield 1, f"'{stem}' names no subject"


def unfinished(path, lines):
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield number, "finish it, or open an issue"


ALL = (line_length, file_length, function_length, include_direction, banned_calls, file_name,
       unfinished)


def check(path, text):
    """All findings in one file."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    for rule in ALL:
        yield from rule(path, lines)
