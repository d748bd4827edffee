# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# parts.sh - runs a list of commands as named parts, times each (also on the processors, which other load does not change), and adds
# up what they say; for .ci/run and scripts/test/nightly.sh.
#
#   . scripts/lib/parts.sh
#   part NAME COMMAND...      runs it, shows its output; its last "N passed, N failed[, N skipped]" counts, else it counts as one
#   absent NAME WHY           a part that cannot run here, and why
#   lane COMMAND...           runs it beside what follows: `part` and `absent` in it count as anywhere, and each line of their
#                             output begins with the part's name. It has the processors when others leave them (nice)
#   finish                    waits for the lanes; what failed once more, the table of parts, then the sums as the last line; status
#                             1 if anything failed
#
# A part that ends with another status than 0 has failed, whatever it counts. INT, HUP and TERM end all that was started here, and
# nothing else, remove what was written for the table, and then end the script itself as they end any.
. scripts/lib/cpu_time.sh
. scripts/lib/signals.sh
parts_dir=$(mktemp -d) || exit 1
trap 'rm -rf "$parts_dir"' EXIT
signals_folder=$parts_dir
: >"$parts_dir/table"
parts_lane='' parts_lanes=0
parts_began=$(date +%s)

# parts_note NAME PASSED FAILED SKIPPED TEXT: a row of the table; the first three numbers are added up in the end.
parts_note() {
    printf '%-16s %6d passed %4d failed %5d skipped   %s\n' "$1" "$2" "$3" "$4" "$5" >>"$parts_dir/table"
    echo "$2 $3 $4" >>"$parts_dir/sums"
}

part() {
    parts_name=$1 parts_log=$parts_dir/log$parts_lane parts_times=$parts_dir/times$parts_lane
    shift
    echo
    echo "==== $parts_name: $*"
    parts_start=$(date +%s)
    rm -f "$parts_log.status" "$parts_times"
    # A shell heeds signals while it waits, but not while a command runs in its foreground. Lanes that end meanwhile count for this
    # shell, not for the part's own.
    {
        "$@" 2>&1 </dev/null
        echo $? >"$parts_log.status"
        cpu_time "$parts_times"
        echo "$cpu" >"$parts_times"
    } | tee "$parts_log" | sed -u "${parts_lane:+s/^/$parts_name: /}" &
    wait $!
    parts_status=$(cat "$parts_log.status")
    parts_counts='s/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\1 \2 \4/p'
    # shellcheck disable=SC2046  # three words
    set -- $(sed -n "$parts_counts" "$parts_log" | tail -n 1)
    if [ $# -lt 2 ]; then
        set -- 1 0
        [ "$parts_status" -eq 0 ] || set -- 0 1
    elif [ "$parts_status" -ne 0 ] && [ "$2" -eq 0 ]; then
        set -- "$1" 1 "${3:-0}"
    fi
    [ "$2" -eq 0 ] || parts_failures >>"$parts_dir/failures"
    parts_note "$parts_name" "$1" "$2" "${3:-0}" \
        "$(printf '%5d s  %5d s of CPU' "$(($(date +%s) - parts_start))" "$(cat "$parts_times")")"
}

# What failed in a part, for the end of the output, which is all that is left of a long one: lines that say so, or else its last.
parts_failures() {
    grep -E '^ *(FAIL|not ok)|^[^ ]+ +[0-9]+ passed, [1-9][0-9]* failed' "$parts_log" | grep -v '^not ok [0-9]* # SKIP' |
        awk '!seen[$0]++' >"$parts_log.failed"
    [ -s "$parts_log.failed" ] || tail -n 10 "$parts_log" >"$parts_log.failed"
    awk -v part="$parts_name" 'NR <= 40 { print part ": " $0 } END { if (NR > 40) print part ": and " NR - 40 " more" }' \
        "$parts_log.failed"
}

absent() {
    printf '%-16s NOT RUN: %s\n' "$1" "$2" >>"$parts_dir/table"
    echo 0 0 1 >>"$parts_dir/sums"
}

lane() {
    parts_lanes=$((parts_lanes + 1))
    (
        trap - EXIT INT HUP TERM
        parts_lane=.$parts_lanes
        renice -n 10 "$(exec sh -c 'echo $PPID')" >/dev/null
        "$@"
        : >"$parts_dir/lane$parts_lane"
    ) &
}

finish() {
    wait
    echo
    [ ! -s "$parts_dir/failures" ] || { cat "$parts_dir/failures"; echo; }
    cat "$parts_dir/table"
    # A lane that was killed has not said how it went.
    for parts_lane in $(seq "$parts_lanes"); do
        [ -e "$parts_dir/lane.$parts_lane" ] || { echo "FAIL a lane of parts was killed"; echo 0 1 0 >>"$parts_dir/sums"; }
    done
    cpu_time "$parts_dir/times"
    echo "$(($(date +%s) - parts_began)) s in all, $cpu s of CPU"
    # shellcheck disable=SC2046  # three words
    set -- $(awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }' "$parts_dir/sums")
    echo "$1 passed, $2 failed, $3 skipped"
    [ "$2" -eq 0 ] && [ "$1" -gt 0 ]
}
