#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ab.sh [--rounds=N] [--dir=DIR] OLD_COMMAND NEW_COMMAND [BENCHMARK_COMPARE_FLAG...] - two commands by turns, then their comparison.
#
# Each command is a text for the shell that runs benchmark_model, to which --json=FILE is added:
#
#   ab.sh --rounds=10 "old/benchmark_model m.tflite" "new/benchmark_model m.tflite" --fail_if_slower=3%
#   ab.sh "benchmark_model m.tflite" "benchmark_model m.tflite --gpu_variant=conv:4x1"
#
# Each of N rounds (5) runs both, in the order A B, B A, A B, so that a steady drift of the machine meets both alike. Reports are
# DIR/old-01.json and so on; without --dir they are removed at the end. The programs are those of PATH, or of build/. What a command
# prints is in DIR/log. The exit status is that of benchmark_compare; 2 if a command fails.
set -u
# shellcheck source=scripts/lib/signals.sh
. "$(dirname "$0")/../lib/signals.sh"
rounds=5 dir='' kept=

usage() {
    cat <<'END'
usage: ab.sh [--rounds=N] [--dir=DIR] OLD_COMMAND NEW_COMMAND [BENCHMARK_COMPARE_FLAG...]

Runs two commands of benchmark_model by turns, each several times, and compares them with benchmark_compare.

  --rounds=N  run each command this many times: 1 to 99; default: 5
  --dir=DIR   keep the reports and the log in this folder; default: remove them
  --help      print this text

ab.sh "old/benchmark_model m.tflite" "new/benchmark_model m.tflite" --fail_if_slower=3%

Exit status: that of benchmark_compare; 2 if a command fails.
END
}

while :; do
    case ${1:-} in
    -h | --help) usage; exit 0 ;;
    --rounds=*) rounds=${1#*=} ;;
    --dir=*) dir=${1#*=} ;;
    *) break ;;
    esac
    shift
done
case $rounds in
'' | *[!0-9]* | 0* | ???*) echo "ab.sh: --rounds=$rounds: expected a number from 1 to 99" >&2; exit 2 ;;
esac
[ $# -ge 2 ] || { echo "ab.sh: two commands are needed, OLD_COMMAND and NEW_COMMAND: ab.sh --help" >&2; exit 2; }
old=$1 new=$2
shift 2
compare=benchmark_compare
command -v $compare >/dev/null || compare=build/benchmark_compare
command -v $compare >/dev/null || { echo "ab.sh: there is no benchmark_compare in PATH, and no $compare" >&2; exit 2; }
if [ -n "$dir" ]; then
    kept=1
    mkdir -p "$dir" || exit 2
    set_aside=$(find "$dir" -name 'old-[0-9][0-9].json' -o -name 'new-[0-9][0-9].json' | head -n 1)
    [ -z "$set_aside" ] || { echo "ab.sh: $set_aside is there already, of another comparison" >&2; exit 2; }
else
    dir=$(mktemp -d) || exit 2
    # shellcheck disable=SC2034  # signals.sh removes it
    signals_folder=$dir
fi

end() {
    [ -n "$kept" ] || rm -rf "$dir"
    exit "$1"
}

# run NAME COMMAND, of this round
run() {
    number=$(printf %02d "$round")
    if ! sh -c "$2 --json='$dir/$1-$number.json'" >>"$dir/log" 2>&1 || [ ! -s "$dir/$1-$number.json" ]; then
        tail -n 5 "$dir/log" >&2
        echo "ab.sh: round $round: the $1 command failed: $2" >&2
        end 2
    fi
}

round=1
while [ "$round" -le "$rounds" ]; do
    [ ! -t 2 ] || printf '\rround %d of %d ' "$round" "$rounds" >&2
    if [ $((round % 2)) -eq 1 ]; then
        run old "$old"
        run new "$new"
    else
        run new "$new"
        run old "$old"
    fi
    round=$((round + 1))
done
[ ! -t 2 ] || printf '\r\033[K' >&2
$compare "$dir"/old-*.json -- "$dir"/new-*.json "$@"
end $?
