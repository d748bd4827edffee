#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_sentences.py - sentences for users are short: half of them have at most MEDIAN words, and none has more than MOST.

Of README.md, of the guides (GUIDE.md), and of the help lines in tables of flags. A code span counts as one word; tables, headings
and examples of documents do not count. Prints a line for each sentence that is too long; --all prints the figures of each
document, too. Exit status 1 if a limit is exceeded."""
import re
import statistics
import subprocess
import sys

MEDIAN, MOST = 18, 35

STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORD = re.compile(r"[\w'/%.-]*\w[\w'/%.-]*")
ITEM = re.compile(r"\s*([-*]|\d+\.) ")


def listed(*patterns):
    """The files of the tree that fit."""
    return subprocess.run(["git", "ls-files", *patterns], check=True, capture_output=True, text=True).stdout.split()


def paragraphs(path):
    """Paragraphs and items of a list, each as one line."""
    found, lines, code = [], [], False
    with open(path, encoding="utf-8") as file:
        text = file.read().splitlines()
    for line in [*text, ""]:
        item = ITEM.match(line)
        code ^= line.startswith("```")
        example = code or (line.startswith("    ") and not lines)
        if example or item or not line.strip() or line.startswith(("#", "|", "```")):
            found += [" ".join(lines)] if lines else []
            lines = []
        if item and not example:
            line = line[item.end():]
        if line.strip() and not example and not line.startswith(("#", "|", "```")):
            lines.append(line.strip())
    return found


def help_lines(path):
    """Texts of a source that are whole sentences: those that tables of flags have."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if "const struct flag " not in text:
        return []
    joined = ["".join(STRING.findall(m)) for m in STRINGS.findall(text)]
    return [t for t in joined if re.match(r"[A-Z].* .*\.$", t)]


def sentences(text):
    """The sentences of a paragraph."""
    plain = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "Code", text))
    return [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9*(\[]|\w+:)", plain) if re.search(r"[a-z]", s)]


def main():
    """The documents one by one, and all help lines together."""
    bad, counts = False, {"help": []}
    sources = [(p, "help", help_lines(p)) for p in listed("*.c")]
    sources += [(p, p, paragraphs(p)) for p in listed("README.md", "*GUIDE.md")]
    for path, where, texts in sources:
        for sentence in (s for t in texts for s in sentences(t)):
            words = len(WORD.findall(sentence))
            counts.setdefault(where, []).append(words)
            if words > MOST:
                bad = True
                print(f"{path}: a sentence of {words} words, at most {MOST}: {sentence[:100]}")
    for where, words in counts.items():
        if "--all" in sys.argv:
            print(f"{where}: {len(words)} sentences, median {statistics.median(words):g}, most {max(words)}")
        if statistics.median(words) > MEDIAN:
            bad = True
            print(f"{where}: half of the sentences have more than {statistics.median(words):g} words, at most {MEDIAN}")
    return bad


sys.exit(main())
