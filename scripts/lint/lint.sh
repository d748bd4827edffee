#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lint.sh [SINCE] - everything that can be said about the sources without running them; see CONTRIBUTING.md.
#
# With SINCE, a git revision, clang-format and clang-tidy look at the files changed since it alone. BUILD holds the generated
# headers (make lint makes them), IMAGE_FLAGS and XNNPACK_FLAGS what cmd/input/image_*.c and lib/delegates/xnnpack/xnnpack_*.c are
# compiled with; without the latter, what includes that library's header is not looked at. A tool that is missing is a failure,
# which names the package, but for ruff where MISSING, a list of what could not be had, names it; nothing is installed. The last
# line is "N passed, N failed, N skipped".
set -u
BUILD=${BUILD:-build}
since=${1:-}
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0 skipped=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

# part NAME FUNCTION: runs it, prints what it found.
part() {
    start=$(date +%s)
    if "$2" >"$out" 2>&1; then
        passed=$((passed + 1)) word=ok
    else
        failed=$((failed + 1)) word=FAILED
    fi
    printf '%-14s %-6s %3d s\n' "$1" "$word" "$(($(date +%s) - start))"
    [ $word = ok ] || cat "$out"
}

need() {    # need COMMAND PACKAGE
    command -v "$1" >/dev/null && return 0
    echo "lint: $1 is not installed: $2 (make lint-deps installs all that lint needs)"
    return 1
}

# Files that git knows, or would if they were added, by pattern; without those of bench/cases with -n.
files() {
    git ls-files -co --exclude-standard -- "$@" | while read -r f; do [ ! -f "$f" ] || echo "$f"; done
}

c_files() {
    if [ -n "$since" ]; then
        { git diff --name-only --diff-filter=d "$since" -- "$@"; git ls-files -o --exclude-standard -- "$@"; }
    else
        files "$@"
    fi
}

format() {
    tool=clang-format-14
    command -v $tool >/dev/null || tool=clang-format
    need $tool 'Debian package clang-format-14' || return 1
    if ! $tool --version | grep -q ' version 14\.'; then
        echo "lint: the settled layout is that of version 14, this is $($tool --version): Debian package clang-format-14"
        return 1
    fi
    c_files '*.c' '*.h' | grep -v '^bench/cases/' | xargs -r $tool -n --Werror
}

tidy() {
    tool=clang-tidy-14
    command -v $tool >/dev/null || tool=clang-tidy
    need $tool 'Debian package clang-tidy-14' || return 1
    [ -f "$BUILD/gen/shaders.h" ] || { echo "lint: $BUILD/gen/shaders.h is missing: run make lint, not this script"; return 1; }
    # clang-tidy counts the warnings that it does not show; they are no finding.
    without='^$'
    [ -n "${XNNPACK_FLAGS:-}" ] || without='/xnnpack_(net|nodes|run)\.c$'
    # shellcheck disable=SC2016  # the inner shell expands
    c_files '*.c' | grep -Ev "$without" | xargs -r -P "$jobs" -n 8 sh -c '
        build=$1 tool=$2 flags=$3; shift 3
        "$tool" --quiet "$@" -- -std=gnu17 -ffp-contract=off -pthread -I. -Ilib/api -I"$build/gen" $flags 2>&1' \
        sh "$BUILD" $tool "${IMAGE_FLAGS:-} ${XNNPACK_FLAGS:-}" >"$out.tidy"
    status=$?
    grep -v 'warnings\{0,1\} generated\.$' "$out.tidy"
    rm -f "$out.tidy"
    return $status
}

spelling() {
    need codespell 'Debian package codespell' || return 1
    files ':!testdata' ':!*.tflite' ':!LICENSE' | xargs codespell --ignore-words=scripts/lint/codespell.txt
}

shell() {
    need shellcheck 'Debian package shellcheck' || return 1
    files '*.sh' .ci/run | xargs shellcheck
}

python() {
    tool=ruff
    [ ! -x build/venv/bin/ruff ] || tool=build/venv/bin/ruff
    need $tool 'PyPI package ruff, or make lint-deps' || return 1
    files '*.py' | xargs $tool check --quiet --no-cache --config scripts/lint/ruff.toml --output-format concise
}

# Every scripts/lint/lint_X.py and .sh is a check of our own.
own() {
    case $own_script in
    *.py) need python3 'Debian package python3' && python3 "$own_script" ;;
    *) sh "$own_script" ;;
    esac
}

need git 'Debian package git' || exit 1
part clang-format format
part clang-tidy tidy
part codespell spelling
part shellcheck shell
case " ${MISSING:-} " in
*' ruff '*) echo 'NOT RUN (ruff): it could not be had from PyPI'; skipped=$((skipped + 1)) ;;
*) part ruff python ;;
esac
for own_script in scripts/lint/lint_*.py scripts/lint/lint_*.sh; do
    [ ! -f "$own_script" ] || part "$(basename "$own_script")" own
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
