#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_readmes.py - the documents against the tree: the map of README.md, and the names, paths and links of all documents.

Every room has a README.md and stands in the map, every folder of the map is there. In all documents but CHANGELOG.md

- a name in backticks that ends as a source file does is a file, seen from the document's folder or from the top of the tree (a name
  without a folder: in the README.md and GUIDE.md of a folder alone);
- a path in backticks that begins with a folder of the tree is there; X and words in capitals stand for any name, * for several;
- `NAME` in `FILE`: the file has the name, so that the tables that answer "where is" stay true;
- a link leads to a file, and to a heading of it.

Prints one line per finding; exit status 1 if there was any."""
import glob
import os
import re
import subprocess
import sys

from lint_rooms import ROOMS, floors

SOURCE = re.compile(r"`([\w/.]+\.(?:c|h|def|comp|py|sh|awk|mk))`")
PATH = re.compile(r"`([\w.]+/[\w./*-]*)`")
NAME_IN_FILE = re.compile(r"`(?:struct |enum )?(\w+)` in `([\w/.]+)`")
LINK = re.compile(r"\[[^][]*\]\(([^)\s]+)\)")
PLACEHOLDER = re.compile(r"X|[A-Z]{3,}(?![A-Z0-9]*\.md)")
WRITTEN_BY_READERS = ("mine.c", "pelu.c", "pelu.comp")
# Rooms whose files need no page of their own.
WITHOUT_README = ("example", "peers")

findings = []


def is_open(name):
    """Whether a path stands for any, or is one that a reader makes."""
    base = os.path.basename(name)
    return base in WRITTEN_BY_READERS or "/mine" in name or PLACEHOLDER.search(name) is not None


def there(document, name):
    """Whether a path leads somewhere, seen from the document's folder or from the top of the tree."""
    return any(glob.glob(os.path.normpath(os.path.join(at, name))) for at in (os.path.dirname(document) or ".", "."))


def anchors(text):
    """The headings of a document as links have them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w -]", "", plain).strip().replace(" ", "-"))
    return found


def is_small(folder):
    """A delegate of one source with its header and its test, which lib/delegates/README.md is enough for."""
    return folder.startswith("lib/delegates/") and len(os.listdir(folder)) <= 3


def check_rooms():
    """A README for each room."""
    for part in ROOMS:
        for room in floors(part):
            path = os.path.normpath(f"{part}/{room}/README.md")
            if room != "." and not os.path.isfile(path) and os.path.basename(room) not in WITHOUT_README and \
                    not is_small(os.path.dirname(path)):
                findings.append(f"{path}: there is none")


def check_map(tops):
    """Each room and each folder at the top in the map of README.md, and nothing there that is not in the tree."""
    with open("README.md", encoding="utf-8") as file:
        section = re.search(r"^## Map$(.*?)^## ", file.read(), re.M | re.S).group(1)
    mapped = set()
    for row in re.findall(r"^\| `([\w/]+)/` \|.*\|(.*)\|$", section, re.M):
        mapped |= {row[0]} | {f"{row[0]}/{room}" for room in re.findall(r"`(\w+)`", row[1])}
    for folder in sorted(mapped):
        if not os.path.isdir(folder):
            findings.append(f"README.md: the map has {folder}/, which is not there")
    rooms = {os.path.normpath(f"{part}/{room}") for part in ROOMS for room in floors(part)}
    for folder in sorted(f for f in (rooms | tops) - mapped if not is_small(f)):
        findings.append(f"README.md: the map does not have {folder}/")


def check_document(path, text, tops):
    """Names, paths and links of one document."""
    near = path.endswith(("/README.md", "/GUIDE.md"))
    for name in sorted(set(SOURCE.findall(text))):
        if not is_open(name) and (near or "/" in name) and not there(path, name):
            findings.append(f"{path}: names {name}, which is not there")
    for name in sorted(set(PATH.findall(text))):
        if name.split("/")[0] in tops and not is_open(name) and not there(path, name):
            findings.append(f"{path}: names {name}, which is not there")
    for name, at in NAME_IN_FILE.findall(text):
        target = next((f for f in (os.path.join(os.path.dirname(path), at), at) if os.path.isfile(f)), None)
        if target is None or is_open(at):
            continue
        with open(target, encoding="utf-8") as file:
            if not re.search(rf"\b{name}\b", file.read()):
                findings.append(f"{path}: {name} is not in {at}")
    for link in sorted(set(LINK.findall(re.sub(r"```.*?```", "", text, flags=re.S)))):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(target):
            findings.append(f"{path}: links to {name}, which is not there")
        elif anchor and target.endswith(".md"):
            with open(target, encoding="utf-8") as file:
                if anchor not in anchors(file.read()):
                    findings.append(f"{path}: links to {link}: {target} has no such heading")


def main():
    """Reads every document once, but for CHANGELOG.md, which is about the past."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True).stdout
    files = [f for f in listed.split("\n") if os.path.isfile(f)]
    tops = {f.split("/")[0] for f in files if "/" in f and not f.startswith(".")}
    check_rooms()
    check_map(tops)
    for path in files:
        if path.endswith(".md") and path != "CHANGELOG.md" and not path.startswith("testdata/"):
            with open(path, encoding="utf-8") as file:
                check_document(path, file.read(), tops)
    print("\n".join(dict.fromkeys(findings)), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
