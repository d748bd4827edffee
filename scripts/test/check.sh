#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh [SUITE...] - runs every test that make built, or only these suites, and adds up what they say.
# check.sh --pin - writes testdata/counts anew from the last run of all suites: run once with a GPU and once without
# (__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent), each time with MODELS=/nonexistent, since real models are not everywhere.
#
# Suites: units opcheck gpu-fuzz gpu-chains gpu-scales gpu-pairs gpu-walk gpu-refusals gpu-table gpu-ranks conformance command-lines
# coverage-time readers terminal faults profiles models install deb dist plugin external runtimes adb gpu-report sysroot shader-db
# wrong-ops harness optional.
# As many run at once as JOBS says (one per processor); each shows its line when it ends, with the seconds that it took, by the
# clock and of the processors. Unit tests (TESTS, or what $BUILD has) are asked for TAP; of the others the last line "N passed,
# N failed[, N skipped]" counts. All output goes to $BUILD/log/SUITE (or LOG/SUITE). A suite fails by a failed test, by its exit
# status, by ending before it has said how it went, by testing nothing, and by passing fewer tests than testdata/counts (COUNTS)
# demands, so that tests cannot vanish.
#
# opcheck and conformance try modes by turns, so that each case has some of them (then they are called opcheck-turns and
# conformance-turns, with counts of their own), and llvmpipe compiles thousands of shaders without LLVM's optimizations and for
# vectors of 128 bits, in a third less time; they are kept in build/shader_cache, as Mesa's own cache does not tell widths apart.
# Command lines have the driver as users have it.
# ALL=1 (make check-all) has every mode of every case, optimized, with the driver's own width and cache.
#
# At the start it says how long it may take. A terminal shows at its last line what runs.
#
# What a suite leaves out it says in lines "NOT RUN (WHAT): why". They are repeated at the end, before the sums. Where the line ends
# with "(Debian package NAME)" or "(PyPI package NAME)" it is for want of what nobody has to have: the suite is not held to its
# count then. With REQUIRE_GPU=1 or REQUIRE_MODELS=1 what is left out for want of a GPU or of real models is a failure.
set -u
BUILD=${BUILD:-build}
MODELS=${MODELS:-../shared/models}
COUNTS=${COUNTS:-testdata/counts}
few=1
[ "${ALL:-0}" = 0 ] || few=
if [ -n "$few" ]; then
    export GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128
    MESA_SHADER_CACHE_DIR=$PWD/build/shader_cache && mkdir -p "$MESA_SHADER_CACHE_DIR" && export MESA_SHADER_CACHE_DIR
fi
export BUILD MODELS
scripts=$(dirname "$0")/..
# shellcheck source=scripts/lib/cpu_time.sh
. "$scripts/lib/cpu_time.sh"
# shellcheck source=scripts/lib/signals.sh
. "$scripts/lib/signals.sh"
# As lib/testing/require_gpu.h reads it: anything but nothing and 0.
[ "${REQUIRE_GPU:-0}" = 0 ] || REQUIRE_GPU=1
[ "${REQUIRE_MODELS:-0}" = 0 ] || REQUIRE_MODELS=1
passed=0 failed=0 skipped=0 gpu=yes
log_dir=${LOG:-$BUILD/log}
mkdir -p "$log_dir"

pin() {
    [ -s "$log_dir/counts" ] || { echo "check.sh: no counts of a run in $log_dir; run make check first" >&2; exit 2; }
    sed '/^[^#]/,$d' "$COUNTS" >"$log_dir/pinned"
    awk '/^#/ { next }
        FILENAME == ARGV[1] { without[$1] = $2; with[$1] = $3; next }
        { gpu = $3; seen[$1] = 1
          if (gpu == "yes") { with[$1] = $2; if (!($1 in without)) without[$1] = $2 }
          else { without[$1] = $2; if (!($1 in with)) with[$1] = $2 } }
        END { for (s in seen) if (without[s] || with[s]) printf "%-48s %6d %6d\n", s, without[s], with[s] }' \
        "$COUNTS" "$log_dir/counts" | sort >>"$log_dir/pinned"
    cp "$log_dir/pinned" "$COUNTS"
    echo "$COUNTS: $(grep -c '^[^#]' "$COUNTS") suites pinned"
}

# The least that a suite must pass; 0 where nothing is pinned.
minimum() {
    awk -v suite="$1" -v gpu="$gpu" '$1 == suite { n = gpu == "yes" && NF > 2 ? $3 : $2 } END { print n + 0 }' "$COUNTS"
}

not_run() {     # not_run WHAT WHY
    echo "NOT RUN ($1): $2" >>"$log_dir/not_run"
}

# Whether a suite's log tells of a package that is not here.
lacks_package() {
    grep -q '^NOT RUN (.*): .* (\(Debian\|PyPI\) package [^()]*)$' "$1"
}

# Before a suite, for account.
start() {
    cpu_time "$1.times"
    started=$(date +%s) cpu_before=$cpu
}

# account SUITE PASSED FAILED SKIPPED STATUS LOG: one line for people, the sums, and the end of the log where something failed.
account() {
    least=$(minimum "$1")
    ! lacks_package "$6" || least=0
    bad=$3 why=
    if [ "$bad" -eq 0 ] && [ "$5" -ne 0 ]; then
        bad=1 why="ended with exit status $5"
    elif [ "$bad" -eq 0 ] && [ "$2" -lt "$least" ]; then
        bad=1 why="$2 tests passed, $COUNTS has at least $least"
    elif [ "$bad" -eq 0 ] && [ "$2" -eq 0 ] && [ "$4" -eq 0 ]; then
        bad=1 why="tested nothing"
    fi
    seconds=$(($(date +%s) - started))
    cpu_time "$6.times"
    [ "$seconds" -gt 0 ] && seconds="   $seconds s, $((cpu - cpu_before)) s of CPU" || seconds=
    printf '%-44s %4d passed, %d failed, %d skipped%s\n' "$1" "$2" "$bad" "$4" "$seconds"
    if [ "$bad" -ne 0 ]; then
        echo "exit status $5; what failed, and the end of $6:"
        grep '^FAIL\|^not ok' "$6" | head -n 40
        tail -n 20 "$6"
        [ -z "$why" ] || echo "FAIL $1: $why"
    fi
    echo "$1 $2 $gpu" >>"$log_dir/counts"
    passed=$((passed + $2)) failed=$((failed + bad)) skipped=$((skipped + $4))
}

# LeakSanitizer stops all threads to look for leaks, and now and then crashes at that itself: then it has said nothing of them.
leaks_unknown() {
    [ "$status" -ne 0 ] && grep -q '^Tracer caught signal' "$log" &&
        echo "$name: LeakSanitizer crashed, so that it is run once more"
}

run_unit() {
    CMOCKA_MESSAGE_OUTPUT=TAP "$1" >"$log" 2>&1
    status=$?
}

# One program of cmocka's. TAP tells the number of tests before the first runs: those that a crash leaves out have failed.
unit() {
    name=${1#"$BUILD"/}
    name=${name#units/}
    log=$log_dir/$(echo "$name" | tr / _)
    start "$log"
    run_unit "$1"
    ! leaks_unknown || run_unit "$1"
    counts=$(awk '/^1\.\.[0-9]+$/ { planned += substr($0, 4) }
        /^ok [0-9]/ { ok++ }
        /^not ok [0-9]+ # SKIP / { skip++ }
        /^not ok [0-9]+ - / { bad++ }
        END { left = planned - ok - skip - bad; print ok + 0, bad + (left > 0 ? left : 0), skip + 0 }' "$log")
    # shellcheck disable=SC2086
    account "$name" $counts "$status" "$log"
    left_out=$(sed -n 's/^not ok [0-9]* # SKIP //p' "$log" | tr '\n' ' ')
    [ -z "$left_out" ] || not_run "$name" "skipped ${left_out% }"
    grep '^NOT RUN (' "$log" >>"$log_dir/not_run"
}

units() {
    : "${TESTS:=$(find "$BUILD/units" -name '*_test' | LC_ALL=C sort)}"
    for t in $TESTS; do
        unit "$t"
    done
    awk '$1 ~ /_test$/ { print $1 }' "$COUNTS" >"$log_dir/pinned"
    while read -r t; do
        grep -q "^$t " "$log_dir/counts" || { echo "FAIL $t: in $COUNTS, but there is no such test"; failed=$((failed + 1)); }
    done <"$log_dir/pinned"
}

# part SUITE COMMAND...: the last line tells; it is looked for, not trusted to be there.
part() {
    name=$1 log=$log_dir/$1
    start "$log"
    shift
    "$@" >"$log" 2>&1
    status=$?
    ! leaks_unknown || { "$@" >"$log" 2>&1; status=$?; }
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\1 \2 \4/p' "$log" | tail -n 1)
    case $counts in
    '') echo "FAIL $name: ended without saying how it went" >>"$log"; counts='0 1 0' ;;
    *' ') counts="${counts}0" ;;
    esac
    # shellcheck disable=SC2086
    account "$name" $counts "$status" "$log"
    grep '^NOT RUN (' "$log" >>"$log_dir/not_run"
}

# All operators, half of them in each of two processes where two may run: most of the time is the driver's compiler.
opcheck() {
    [ "${JOBS:-$(nproc)}" -gt 1 ] || { "$BUILD/opcheck" "$@"; return; }
    "$BUILD/opcheck" --share=1/2 "$@" >"$log_dir/opcheck.1" 2>&1 &
    "$BUILD/opcheck" --share=2/2 "$@" >"$log_dir/opcheck.2" 2>&1
    second=$?
    wait $!
    first=$?
    cat "$log_dir/opcheck.1" "$log_dir/opcheck.2"
    # Variants of the GPU's kernels that neither half ran: bench/opcheck/variant.h.
    sed -n 's/^not run here: //p' "$log_dir/opcheck.1" "$log_dir/opcheck.2" | sort | uniq -d >"$log_dir/unmet"
    sed 's/.*/FAIL &: no case runs this variant/' "$log_dir/unmet"
    tail -q -n 1 "$log_dir/opcheck.1" "$log_dir/opcheck.2" | awk -v f="$(wc -l <"$log_dir/unmet")" '
        $2 == "passed," { p += $1; f += $3; s += $5; n++ }
        END { if (n == 2) print p " passed, " f + 0 " failed, " s " skipped"
              else print "FAIL opcheck: a half ended without its sums" }'
    [ $first -eq 0 ] && [ $second -eq 0 ] && [ ! -s "$log_dir/unmet" ]
}

# cases SUITE MODES COMMAND...: every operator's cases, in as many modes as this run has the time for: MODES where it has little.
# Sanitizers watch our own code: that every mode's shaders are right is seen without them.
cases() {
    name=$1 modes=
    [ -z "$few" ] || modes=$2
    shift 2
    [ -z "${SAN:-}" ] || name=$name-sanitized modes=default
    [ -z "$few" ] || name=$name-turns modes=${modes:+$modes,}turns
    part "$name" "$@" ${modes:+"--modes=$modes"}
}

# fewer SUITE FLAG FLAG-UNDER-SANITIZERS FLAG...: random models or pairs, fewer under sanitizers, which watch but our own code.
fewer() {
    name=$1 flag=$2
    [ -z "${SAN:-}" ] || name=$1-sanitized flag=$3
    shift 3
    part "$name" "$BUILD/gpu_fuzz" "$flag" "$@"
}

suite() {
    case $1 in
    units) units ;;
    opcheck) cases opcheck '' opcheck ;;
    gpu-fuzz) fewer gpu-fuzz --count=2200 --count=1100 --run=25 ;;
    gpu-chains) part gpu-chains "$BUILD/gpu_fuzz" --chains=12 ;;
    gpu-scales) fewer gpu-scales --scales=2 --scales=1 ;;
    gpu-walk) part gpu-walk "$BUILD/gpu_fuzz" --walk=101 ;;
    gpu-refusals) part gpu-refusals "$BUILD/opcheck" --refusals ;;
    gpu-table)
        if [ -z "${SAN:-}" ]; then
            part gpu-table python3 "$scripts/test/gpu_table_test.py" "$BUILD"
        else
            not_run gpu-table "sanitizers slow a thousand answers down"
        fi
        ;;
    gpu-ranks)
        if [ -z "${SAN:-}" ]; then
            part gpu-ranks python3 "$scripts/test/gpu_ranks_test.py" "$BUILD"
        else
            not_run gpu-ranks "sanitizers slow thousands of answers down"
        fi
        ;;
    gpu-pairs) fewer gpu-pairs --pairs=97 --pairs=293 --compile=40 ;;
    conformance)
        [ -z "$few" ] || not_run modes "conformance in other modes than default and exact, which cases of opcheck have"
        cases conformance default,exact "$BUILD/opcheck" --conformance=testdata/conformance
        ;;
    # As users have the driver.
    command-lines)
        part command-lines env -u GALLIVM_PERF -u LP_NATIVE_VECTOR_WIDTH -u MESA_SHADER_CACHE_DIR \
            sh "$scripts/test/cli_test.sh" "$BUILD"
        ;;
    coverage-time)
        if [ -z "${SAN:-}" ]; then
            part coverage-time python3 "$scripts/test/coverage_time_test.py" "$BUILD" "$MODELS"
        else
            not_run coverage-time "sanitizers slow answers down"
        fi
        ;;
    readers) part readers python3 "$scripts/test/readers_test.py" "$BUILD" ;;
    terminal) part terminal python3 "$scripts/test/terminal_test.py" "$BUILD" ;;
    # A few of those of make faults.
    faults) [ -n "${SAN:-}" ] || part faults python3 "$scripts/test/faults_test.py" --build="$BUILD" --most=3 ;;
    profiles) part profiles "${PYTHON:-python3}" "$scripts/test/profile_test.py" "$BUILD" ;;
    models) part models sh "$scripts/test/models_test.sh" "$BUILD" "$MODELS" ;;
    install)
        if [ -d "$BUILD/installed" ]; then
            part install sh "$scripts/test/install_test.sh" "$BUILD"
        else
            not_run install "no library to install in $BUILD: sanitizers go with their program"
        fi
        ;;
    # Of the scripts alone, whatever the compiler.
    deb | dist)
        if [ -d "$BUILD/installed" ]; then
            part "$1" sh "$scripts/test/$1_test.sh" "$BUILD"
        else
            not_run "$1" "no library to pack in $BUILD: sanitizers go with their program"
        fi
        ;;
    plugin)
        if [ -z "${SAN:-}" ]; then
            part plugin "${PYTHON:-python3}" "$scripts/test/plugin_test.py" "$BUILD"
        else
            not_run plugin "libdelegauge_gpu.so: sanitizers go with their program"
        fi
        ;;
    external)
        if [ -z "${SAN:-}" ]; then
            part external python3 "$scripts/test/external_test.py" "$BUILD"
        else
            not_run external "libdelegauge_gpu.so: sanitizers go with their program"
        fi
        ;;
    # What a library does in a process of its own under sanitizers is theirs, not ours.
    runtimes)
        if [ -z "${SAN:-}" ]; then
            part runtimes python3 "$scripts/test/runtimes_test.py" "$BUILD"
        else
            not_run runtimes "libraries that err on purpose: sanitizers see them first"
        fi
        ;;
    # Of the script alone: the tools that it starts are the other suites' business.
    adb) [ -n "${SAN:-}" ] || part adb sh "$scripts/android/adb_test.sh" "$BUILD" ;;
    # Sanitizers are for what it starts, which other suites run.
    gpu-report)
        if [ -n "$few" ]; then
            not_run gpu-report "the script gpu_report.sh, which measures for minutes: make check-all has it"
        elif [ -z "${SAN:-}" ]; then
            part gpu-report sh "$scripts/test/gpu_report_test.sh" "$BUILD"
        fi
        ;;
    # Of the scripts alone, whatever the compiler.
    sysroot) [ -n "${SAN:-}" ] || part sysroot sh "$scripts/test/sysroot_test.sh" ;;
    shader-db) [ -n "${SAN:-}" ] || part shader-db python3 "$scripts/test/shader_db_test.py" ;;
    wrong-ops) part wrong-ops python3 "$scripts/test/wrong_ops_test.py" "$BUILD" ;;
    board) [ -n "${SAN:-}" ] || part board python3 "$scripts/test/board_test.py" "$BUILD" ;;
    harness) [ -n "${SAN:-}" ] || part harness sh "$scripts/test/check_test.sh" ;;
    optional) [ -n "${SAN:-}" ] || part optional sh "$scripts/test/optional_test.sh" "$BUILD" ;;
    *) echo "check.sh: there is no suite $1" >&2; exit 2 ;;
    esac
}

# lane SUITE...: runs the suites that no other lane has taken. What they say goes to 3, the lane's own sums to standard output.
lane() {
    for s; do
        mkdir "$log_dir/lanes/$s" 2>/dev/null || continue
        suite "$s" >"$log_dir/lanes/$s/said"
        { printf '%s' "$erase"; cat "$log_dir/lanes/$s/said"; } >&3
        : >"$log_dir/lanes/$s/ended"
    done
    echo "$passed $failed $skipped"
}

# progress ALL-SUITES: a line of a terminal, written again and again, until it is killed.
progress() {
    while sleep 1; do
        running='' ended=0
        for folder in "$log_dir"/lanes/*/; do
            folder=${folder%/}
            if [ -e "$folder/ended" ]; then ended=$((ended + 1)); else running="$running ${folder##*/}"; fi
        done
        printf '%s%.79s' "$erase" "$ended of $1 suites, $(($(date +%s) - began)) s:$running"
    done
}

# What is known of how long all suites take, for two processors; one takes twice as long.
foretell() {
    if [ -n "${SAN:-}" ]; then
        return
    elif [ -n "$few" ]; then
        minutes='5 minutes on two processors, and 2'
    else
        minutes='70 minutes on two processors, and 12'
    fi
    echo "$1 suites, ${JOBS:-$(nproc)} at once: about $minutes once the GPU's driver keeps their shaders compiled"
}

# Whatever was left out, once; for want of something that was demanded, a failure.
summary() {
    sort -u "$log_dir/not_run" | while IFS= read -r line; do
        case ${REQUIRE_GPU:-}:${REQUIRE_MODELS:-}:$line in
        1:*:"NOT RUN (gpu)"*) echo "FAIL REQUIRE_GPU=1: $line" ;;
        *:1:"NOT RUN (models)"*) echo "FAIL REQUIRE_MODELS=1: $line" ;;
        *) echo "$line" ;;
        esac
    done >"$log_dir/summary"
    [ ! -s "$log_dir/summary" ] || { echo; cat "$log_dir/summary"; }
    failed=$((failed + $(grep -c '^FAIL' "$log_dir/summary")))
}

[ -r "$COUNTS" ] || { echo "check.sh: there is no $COUNTS, which says how many tests there must be" >&2; exit 2; }
[ "${1:-}" != --pin ] || { pin; exit; }
: >"$log_dir/not_run"
: >"$log_dir/counts"
if ! "$BUILD/benchmark_model" --list_gpus >"$log_dir/gpu" 2>&1; then
    gpu=no
    not_run gpu "everything on the GPU: $(tail -n 1 "$log_dir/gpu")"
fi
# The longest first, so that no processor waits long for the last.
all='opcheck units command-lines models install deb dist conformance gpu-fuzz gpu-chains gpu-scales gpu-pairs gpu-walk'
all="$all readers terminal profiles coverage-time plugin external runtimes adb gpu-report gpu-refusals gpu-table gpu-ranks sysroot"
all="$all shader-db board wrong-ops harness optional faults"
# shellcheck disable=SC2086  # words
[ $# -gt 0 ] || { set -- $all; foretell $#; }
for s; do
    case " $all " in
    *" $s "*) ;;
    *) echo "check.sh: there is no suite $s" >&2; exit 2 ;;
    esac
done
rm -rf "$log_dir/lanes"
mkdir "$log_dir/lanes"
lanes=0 pids='' shows='' erase='' began=$(date +%s)
if [ -t 1 ]; then
    erase=$(printf '\r\033[K')
    progress $# &
    shows=$!
fi
while [ $lanes -lt "${JOBS:-$(nproc)}" ]; do
    lanes=$((lanes + 1))
    lane "$@" 3>&1 >"$log_dir/lanes/sums.$lanes" &
    pids="$pids $!"
done
# shellcheck disable=SC2086  # words
wait $pids
[ -z "$shows" ] || { kill "$shows"; wait "$shows" 2>/dev/null; printf '%s' "$erase"; }
# shellcheck disable=SC2046  # four words
set -- $(awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0, NR }' "$log_dir"/lanes/sums.*)
passed=$1 failed=$2 skipped=$3
[ "$4" -eq $lanes ] || { echo "FAIL a runner of suites was killed"; failed=$((failed + 1)); }
summary
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
