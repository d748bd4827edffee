# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# try.sh - for tests that are scripts: runs commands, counts, and cleans up.
#
#   . scripts/lib/try.sh
#   try WHAT COMMAND...       passes where the command ends with 0; else its last output is shown
#   finish                    "N passed, N failed, N skipped" as the last line, and the end: status 1 if anything failed
#
# $tmp is a folder that goes when the script ends; $tmp/out has the last command's output. passed, failed and skipped may be counted
# by the script, too.
passed=0 failed=0 skipped=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

try() {
    what=$1
    shift
    if "$@" >"$tmp/out" 2>&1; then
        echo "ok   $what"
        passed=$((passed + 1))
    else
        echo "FAIL $what: $*"
        tail -n 20 "$tmp/out"
        failed=$((failed + 1))
    fi
}

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit
}
