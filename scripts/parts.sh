# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# parts.sh - runs a list of commands as named parts, times each (also on the processors, which other load does not change), and adds
# up what they say; for .ci/run and scripts/nightly.sh.
#
#   . scripts/parts.sh
#   part NAME COMMAND...      runs it, shows its output; its last "N passed, N failed[, N skipped]" counts, else it counts as one
#   absent NAME WHY           a part that cannot run here, and why
#   finish                    the table of parts, then the sums as the last line; status 1 if anything failed
#
# A part that ends with another status than 0 has failed, whatever it counts.
. scripts/cpu_time.sh
parts_dir=$(mktemp -d) || exit 1
trap 'rm -rf "$parts_dir"' EXIT
: >"$parts_dir/table"
parts_passed=0 parts_failed=0 parts_skipped=0

part() {
    parts_name=$1
    shift
    echo
    echo "==== $parts_name: $*"
    cpu_time "$parts_dir/times"
    parts_start=$(date +%s) parts_cpu=$cpu
    { "$@" 2>&1 </dev/null; echo $? >"$parts_dir/status"; } | tee "$parts_dir/log"
    parts_status=$(cat "$parts_dir/status")
    parts_counts='s/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\1 \2 \4/p'
    # shellcheck disable=SC2046  # three words
    set -- $(sed -n "$parts_counts" "$parts_dir/log" | tail -n 1)
    if [ $# -lt 2 ]; then
        set -- 1 0
        [ "$parts_status" -eq 0 ] || set -- 0 1
    elif [ "$parts_status" -ne 0 ] && [ "$2" -eq 0 ]; then
        set -- "$1" 1 "${3:-0}"
    fi
    cpu_time "$parts_dir/times"
    printf '%-16s %6d passed %4d failed %5d skipped   %5d s  %5d s of CPU\n' "$parts_name" "$1" "$2" "${3:-0}" \
        "$(($(date +%s) - parts_start))" "$((cpu - parts_cpu))" >>"$parts_dir/table"
    parts_passed=$((parts_passed + $1)) parts_failed=$((parts_failed + $2)) parts_skipped=$((parts_skipped + ${3:-0}))
}

absent() {
    printf '%-16s NOT RUN: %s\n' "$1" "$2" >>"$parts_dir/table"
    parts_skipped=$((parts_skipped + 1))
}

finish() {
    echo
    cat "$parts_dir/table"
    echo "$parts_passed passed, $parts_failed failed, $parts_skipped skipped"
    [ "$parts_failed" -eq 0 ] && [ "$parts_passed" -gt 0 ]
}
