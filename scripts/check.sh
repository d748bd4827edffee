#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh - runs every test that make built and adds up what they say. BUILD and MODELS come from the environment.
#
# A part prints its own lines; its last line "N passed, N failed[, N skipped]" counts. Output goes to $BUILD/log/PART too.
set -u
BUILD=${BUILD:-build}
MODELS=${MODELS:-../shared/models}
passed=0 failed=0 skipped=0
mkdir -p "$BUILD/log"

add() {    # add PASSED FAILED SKIPPED
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# cmocka's own lines, as counts.
unit() {
    log=$BUILD/log/$(basename "$1")
    "$1" >"$log" 2>&1
    status=$?
    ok=$(grep -c '^\[       OK \]' "$log")
    skip=$(grep -c '^\[  SKIPPED \]' "$log")
    bad=$(grep -c '^\[  FAILED  \] [^0-9]' "$log")
    [ $status -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    [ "$bad" -eq 0 ] && [ "$ok" -eq 0 ] && [ "$skip" -eq 0 ] && bad=1     # a test that tested nothing
    printf '%-44s %4d passed, %d failed, %d skipped\n' "$1" "$ok" "$bad" "$skip"
    [ "$bad" -eq 0 ] || cat "$log"
    add "$ok" "$bad" "$skip"
}

# A command whose last line tells; the line is looked for, not trusted to be there.
part() {
    name=$1
    shift
    log=$BUILD/log/$name
    "$@" >"$log" 2>&1
    status=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    counts=$(printf '%s\n' "$line" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}.*/\1 \2 \4/p')
    set -- $counts
    if [ $# -lt 2 ]; then
        set -- 0 1 0
    elif [ $status -ne 0 ] && [ "$2" -eq 0 ]; then
        set -- "$1" 1 "${3:-0}"
    fi
    printf '%-44s %4d passed, %d failed, %d skipped\n' "$name" "$1" "$2" "${3:-0}"
    [ "$2" -eq 0 ] || { echo "exit status $status; the end of $log:"; tail -n 40 "$log"; }
    add "$1" "$2" "${3:-0}"
}

for t in "$BUILD"/lib/*_test "$BUILD"/lib/gl/*_test "$BUILD"/cmd/*_test; do
    [ -x "$t" ] && unit "$t"
done
part opcheck "$BUILD/opcheck"
part conformance "$BUILD/opcheck" --conformance=testdata/conformance
part command-lines sh scripts/cli_test.sh "$BUILD"
part models sh scripts/models_test.sh "$BUILD" "$MODELS"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
