#!/usr/bin/env python3
"""Checks the style rules of this project over all of its files. Prints one finding a line and
exits 1 if there is any."""

import pathlib
import subprocess
import sys

import rules

TOP = pathlib.Path(__file__).resolve().parents[2]
FOLDERS_WITH_README = (
    "common/base", "common/slot", "common/cluster", "common/wire", "common/node", "common/resp",
    "common/text", "common/placement", "common/sim", "daemon", "cli", "tests", "conf")


def tracked_files():
    """From git where there is a repository, else (an unpacked archive) whatever lies there."""
    listing = subprocess.run(["git", "-C", TOP, "ls-files", "-co", "--exclude-standard"],
                             capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        return [path for path in listing.stdout.splitlines() if (TOP / path).is_file()]
    tops = ("common", "daemon", "cli", "tests", "conf")
    return [str(path.relative_to(TOP)) for top in tops for path in (TOP / top).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts]


def main():
    findings = []
    paths = tracked_files()
    for path in paths:
        if path.endswith(rules.CHECKED_SUFFIXES):
            for number, what in rules.check(path, (TOP / path).read_text()):
                findings.append(f"{path}:{number}: {what}")
    for folder in FOLDERS_WITH_README:
        filled = any(rules.is_under(path, folder) for path in paths)
        if filled and f"{folder}/README.md" not in paths:
            findings.append(f"{folder}: no README.md")
    for finding in findings:
        print(finding)
    print(f"{len(paths)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
