#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpu_report_test.sh BUILD - gpu_limits, bench.sh and gpu_report.sh: what they write, that nothing private is in it, how they
# fail.
#
# The last line is "N passed, N failed, N skipped".
# shellcheck disable=SC2317  # functions are called through try
set -u
build=$(cd "$1" && pwd) || exit 1
cd "$(dirname "$0")/../.." || exit 1
. scripts/lib/try.sh
home=$tmp/Hermengarde
mkdir "$home"

# fails STATUS TEXT COMMAND...: with that exit status, one line on standard error and this in it.
fails() {
    wanted=$1 text=$2
    shift 2
    "$@" >"$tmp/said" 2>"$tmp/err"
    status=$?
    cat "$tmp/err"
    [ "$status" -eq "$wanted" ] || { echo "status $status"; return 1; }
    grep -v '^gpu_report: [a-z]*$' "$tmp/err" >"$tmp/message"
    [ "$(wc -l <"$tmp/message")" -eq 1 ] && grep -q -e "$text" "$tmp/message"
}

usage() { ! "$build/gpu_limits" "$@" >/dev/null 2>"$tmp/err" && grep '^usage: gpu_limits' "$tmp/err"; }
no_usage() { fails 2 "^gpu_limits: $1" "$build/gpu_limits" "$2" && ! grep usage "$tmp/err"; }

report() { env HOME="$home" USER=Hermengarde LOGNAME=Hermengarde sh scripts/report/gpu_report.sh --quick "$@"; }

# Of a tiny model, by its name the one that --quick takes.
a_report() {
    mkdir -p "$tmp/here/models" && "$build/make_models" --cli "$tmp/models" >/dev/null || return 1
    cp "$tmp/models/chain.tflite" "$tmp/here/models/mobilenet_v1_tiny.tflite" && : >"$tmp/here/models/.done" || return 1
    for tool in benchmark_model opcheck gpu_limits; do ln -s "$build/$tool" "$tmp/here/" || return 1; done
    report --out="$home/r.tar.gz" "$tmp/here"
}

holds_all() {
    mkdir -p "$tmp/x" && tar -xzf "$home/r.tar.gz" -C "$tmp/x" || return 1
    for file in device machine limits operators conformance models tuned; do
        grep -q '^exit status 0$' "$tmp/x/gpu_report/$file.txt" || { echo "$file"; cat "$tmp/x/gpu_report/$file.txt"; return 1; }
    done
    grep -q '^mobilenet_v1_tiny  *[0-9.]*  *[0-9.]*  *[0-9.]' "$tmp/x/gpu_report/models.txt" &&
        grep -q '^mobilenet_v1_tiny  *fp32  *[0-9.]*  *[0-9.]*  *[0-9.]*x .*; [0-9]* trial' "$tmp/x/gpu_report/tuned.txt" &&
        grep -q '^mobilenet_v1_tiny  *fp16' "$tmp/x/gpu_report/tuned.txt" &&
        grep -q '^The mark.* RTX 3090 0.60, V100 1.05, Adreno 740 10.9, Mali-G610 9.16$' "$tmp/x/gpu_report/tuned.txt" &&
        grep -q 'mad_fp32' "$tmp/x/gpu_report/limits.txt" && grep -q 'passed, 0 failed' "$tmp/x/gpu_report/conformance.txt"
}

# Names of files, owners and contents.
is_private() {
    { tar -tvzf "$home/r.tar.gz" && cat "$tmp"/x/gpu_report/*; } >"$tmp/all" || return 1
    name=$(uname -n)
    ! grep -n -e Hermengarde -e "$tmp" -e "$PWD" -e "^Serial" "$tmp/all" || return 1
    [ ${#name} -lt 5 ] || ! grep -n -w -F -e "$name" "$tmp/all" || return 1
    ! tar -tvzf "$home/r.tar.gz" | grep -v ' 0/0 ' | grep -v ' root/root '
}

json_fits() {
    python3=$(for p in python3 /usr/bin/python3; do "$p" -c 'import jsonschema' 2>/dev/null && echo "$p" && break; done)
    [ -n "$python3" ] || { echo "no python3-jsonschema"; return 1; }
    "$python3" -c 'import json, sys, jsonschema
schema, document = [json.load(open(f)) for f in sys.argv[1:]]
jsonschema.validate(document, schema)
rows = document["limits"]
assert {"mad_fp32", "buffer_read", "texture_read", "dispatch", "readback"} <= {r["name"] for r in rows}
assert all((r["value"] is None) == (r["why_not"] is not None) for r in rows)' schema/json/gpu_limits.schema.json "$1"
}

nothing_there() { ! find "$home" -name "$1*" | grep .; }

# One row, as JSON and nothing else; a full disk loses neither table nor JSON silently.
to_stdout() {
    "$build/gpu_limits" --quick --only=dispatch --json=- >"$tmp/one.json" && python3 -c 'import json, sys
assert [row["name"] for row in json.load(open(sys.argv[1]))["limits"]] == ["dispatch"]' "$tmp/one.json" &&
        fails 4 '^gpu_limits: standard output cannot be written$' full "$build/gpu_limits" --json= &&
        fails 4 '^gpu_limits: standard output cannot be written$' full "$build/gpu_limits" --json=-
}
full() { "$@" --quick --only=dispatch >/dev/full; }

# shellcheck disable=SC2016  # expanded there
full_list() { fails 4 '^opcheck: standard output cannot be written$' sh -c '"$1" --list >/dev/full' sh "$build/opcheck"; }

# stand_in COMMAND [COMMAND [COMMAND]]: a folder of what make built, where benchmark_model, gpu_limits and opcheck are these, or
# pass.
stand_in() {
    mkdir -p "$tmp/stand_in/models" || return 1
    for file in .done mobilenet_v1_1.0_224.tflite mobilenet_v1_tiny.tflite; do : >"$tmp/stand_in/models/$file" || return 1; done
    for tool in "benchmark_model:$1" "gpu_limits:${2:-:}" "opcheck:${3:-:}"; do
        printf '#!/bin/sh\n%s\n' "${tool#*:}" >"$tmp/stand_in/${tool%%:*}" && chmod 755 "$tmp/stand_in/${tool%%:*}" || return 1
    done
}

# What the device is called holds a name of this machine: there is no archive then.
leak() {
    stand_in "echo 'GPU 0 of $1'" &&
        fails 4 "^gpu_report: [a-z]*.txt:$1: a name of this machine" report --out="$home/leak.tar.gz" "$tmp/stand_in" &&
        nothing_there leak
}

# What a GPU cannot do is what a report is for.
weak_gpu() {
    stand_in 'echo "INFO: count=1 curr=5"' 'echo "gpu_limits: lost"; exit 4' &&
        fails 1 'not all is well: limits.txt' report --out="$home/weak.tar.gz" "$tmp/stand_in" &&
        tar -xzOf "$home/weak.tar.gz" gpu_report/limits.txt | grep 'gpu_limits: lost'
}

# Beside a model that runs: the table goes on, its name is told, and the report says so.
broken_model() {
    cp -r "$tmp/here" "$tmp/broken" && echo broken >"$tmp/broken/models/mobilenet_v1_broken.tflite" &&
        fails 1 'not all is well: models.txt tuned.txt in it say what' report --out="$home/broken.tar.gz" "$tmp/broken" &&
        tar -xzOf "$home/broken.tar.gz" gpu_report/models.txt >"$tmp/models.txt" &&
        grep '^bench: failed: mobilenet_v1_broken (CPU, fp32, fp16_storage, fp16)$' "$tmp/models.txt" &&
        grep '^mobilenet_v1_tiny  *[0-9]' "$tmp/models.txt"
}

broken_bench() {
    RUNS=1 ONLY='*_broken' sh scripts/report/bench.sh "$tmp/broken" 2>"$tmp/err" >"$tmp/said"
    [ $? -eq 1 ] && tail -n 1 "$tmp/err" | grep '^bench: failed: mobilenet_v1_broken (' &&
        grep '^mobilenet_v1_broken  *-  ' "$tmp/said"
}

# Tuned and untuned runs differ in the time and in the first two of three convolutions, the last of which is no large one.
fake_runs() {
    cat <<'END'
way=4x1 times='min=500 median=600'
case " $* " in
*' --list_gpus '*) echo "0: $GPU"; exit ;;
*' --gpu_tuning='*) way=8x2 times='min=300 median=400'; echo 'INFO: Tuned on the GPU: 2 nodes are computed in another way' ;;
esac
case " $* " in *' --gpu_precision=fp16 '*) echo 'INFO: GPU precision: fp16 (stored as float16)' ;; esac
echo "INFO: GPU: $GPU, OpenGL ES 3.2"
echo "INFO: count=2 first=1 $times"
echo 'INFO: Delegate: 1 GFLOP/s over whole runs; a probe of the device: 400 GFLOP/s, 5 GB/s'
echo '=== Work by row ==='
for row in "20 conv $way" "40 conv $way" '2 conv small'; do
    printf '\t1\t   CONV_2D\tgpu\t0.5\t%s\t1\t1\t1\t1%%\tx\t%s\n' "${row%% *}" "${row#* }"
done
END
}

# mark NAME DEVICE TIMES: a device that is called so is held against that mark; none: against none.
mark() {
    stand_in "$(fake_runs)" || return 1
    GPU=$1 ONLY='mobilenet_v1_1*' sh scripts/report/bench.sh --tuned "$tmp/stand_in" >"$tmp/table" || return 1
    cat "$tmp/table"
    grep -q '^mobilenet_v1_1.0_224  *fp16  *0.600  *0.400  *1.50x  *0.300  *120.0  *30.0  *2 nodes' "$tmp/table" || return 1
    grep -q '^    2 x CONV_2D: conv 4x1 -> conv 8x2$' "$tmp/table" && ! grep small "$tmp/table" || return 1
    if [ -n "$2" ]; then
        grep "^Here, $2: 0.300 ms in the best run, median 0.400 (fp.*, tuned), so $3 times as long\$" "$tmp/table"
    else
        ! grep '^Here' "$tmp/table"
    fi
}

# All of the report is about the device that was chosen.
one_device() {
    log="echo \"\${0##*/} \$*\" >>'$tmp/asked'"
    stand_in "$log; printf '0: one\n1: other\nINFO: count=1 curr=5\n'" "$log; echo {} >gpu_report/limits.json" "$log" &&
        rm -f "$tmp/asked" && report --device=1 --out="$home/one.tar.gz" "$tmp/stand_in" >"$tmp/said" 2>&1 || return 1
    cat "$tmp/asked"
    [ "$(grep -c -e 'opcheck .*--device=1' -e 'gpu_limits .*--device=1' "$tmp/asked")" -eq 3 ] || return 1
    grep -q 'gpu_device=1.*gpu_tuning=fast' "$tmp/asked" && ! grep -e --use_gpu=true "$tmp/asked" | grep -v -e --gpu_device=1
}

# tuning HOW FLAG...: the table is made so. One device of two is software.
tuning() {
    how=$1
    shift
    log="echo \"\$*\" >>'$tmp/asked'"
    stand_in "$log; printf '0: one\n1: other (software)\nINFO: count=1 curr=5\n'" 'echo {} >gpu_report/limits.json' &&
        rm -f "$tmp/asked" &&
            sh scripts/report/gpu_report.sh "$@" --out="$home/t.tar.gz" "$tmp/stand_in" >"$tmp/said" 2>&1 || return 1
    cat "$tmp/asked"
    grep -q "gpu_tuning=$how" "$tmp/asked" && ! grep gpu_tuning "$tmp/asked" | grep -v "gpu_tuning=$how"
}

no_such_device() {
    fails 2 "^gpu_report: there is no GPU device 7: benchmark_model --list_gpus shows 2" \
        report --device=7 --out="$home/seven.tar.gz" "$tmp/stand_in" &&
        fails 2 "^gpu_report: --device=x is no number" report --device=x --out="$home/seven.tar.gz" "$tmp/stand_in" &&
        nothing_there seven
}

opcheck_device() {
    "$build/opcheck" --op=neg --gpu --modes=default --device=0 && ! "$build/opcheck" --op=neg --gpu --modes=default --device=7 \
        >"$tmp/said" && grep '^FAIL .*there is no GPU device 7' "$tmp/said" &&
        ! "$build/opcheck" --device=x 2>"$tmp/said" && grep '^opcheck: --device=x is no number' "$tmp/said"
}

# Two at once, each of which finds its own times.
beside() {
    # shellcheck disable=SC2016  # expanded there
    stand_in 'echo "INFO: count=2 min=$US median=$US"; sleep 0.3' || return 1
    US=20000 ONLY='*_tiny' sh scripts/report/bench.sh "$tmp/stand_in" >"$tmp/one" &
    US=30000 ONLY='*_tiny' sh scripts/report/bench.sh "$tmp/stand_in" >"$tmp/other" || return 1
    wait $! || return 1
    cat "$tmp/one" "$tmp/other"
    grep '^mobilenet_v1_tiny  *20.00 .* 20.00 .* 20.00 .* 20.00 ' "$tmp/one" &&
        grep '^mobilenet_v1_tiny  *30.00 .* 30.00 .* 30.00 .* 30.00 ' "$tmp/other"
}

# By a signal to the script alone, while a part runs that heeds none of a terminal.
stopped() {
    rm -f "$tmp/pid"
    stand_in 'echo "0: one"' 'echo {} >gpu_report/limits.json' "echo \$\$ >'$tmp/pid'; exec sleep 30" || return 1
    HOME=$home sh scripts/report/gpu_report.sh --quick --out="$home/s.tar.gz" "$tmp/stand_in" 2>"$tmp/err" &
    for _ in $(seq 100); do [ ! -s "$tmp/pid" ] || break; sleep 0.1; done
    began=$(date +%s)
    kill -TERM $!
    wait $!
    [ $? -eq 130 ] && [ $(($(date +%s) - began)) -lt 20 ] && grep 'interrupted, nothing was written' "$tmp/err" || return 1
    ! kill -0 "$(cat "$tmp/pid")" && nothing_there s.tar
}

interrupted() {
    # Not in the background of this shell, where SIGINT is ignored.
    timeout -s INT 1 env HOME="$home" sh scripts/report/gpu_report.sh --out="$home/i.tar.gz" "$build" >"$tmp/said" 2>"$tmp/err"
    cat "$tmp/err"
    [ "$(grep -c 'interrupted, nothing was written' "$tmp/err")" -eq 1 ] && nothing_there i.tar
}

full_disk() {
    (ulimit -f 1; trap '' XFSZ; fails 4 'could not be written' report --out="$home/f.tar.gz" "$build") && nothing_there f.tar
}

no_temporary_files() {
    fails 4 'no room for temporary files' env TMPDIR=/proc sh scripts/report/gpu_report.sh --out="$home/t.tar.gz" "$build"
}

try "usage of gpu_limits" usage --nonsense
try "a row that does not exist" no_usage '--only=mad_fp3: there is no such row but mad_fp32, .*, readback$' --only=mad_fp3
try "a device that is no number" no_usage '--device=x is no number from 0 to 999$' --device=x
try "no flag" no_usage 'mad_fp32: there are flags alone$' mad_fp32
try "a list onto a full disk" full_list
mkdir -p "$tmp/none/models"
ln -s "$build/benchmark_model" "$tmp/none/"
try "no model" fails 2 "^bench: there is no model $tmp/none/models/\*.tflite$" sh scripts/report/bench.sh "$tmp/none"
try "tuning of no kind" fails 2 "^bench: TUNING=zz: fast or exhaustive$" env TUNING=zz sh scripts/report/bench.sh "$tmp/none"
try "times of two at once" beside
try "a mark, and what was tuned" mark 'NVIDIA GeForce RTX 3090/PCIe/SSE2' 'RTX 3090' 0.50
try "another mark" mark 'Adreno (TM) 740' 'Adreno 740' 0.03
try "no mark" mark 'NVIDIA GeForce RTX 3090 Ti/PCIe/SSE2' ''
try "one device" one_device
try "a GPU is tuned exhaustively" tuning exhaustive
try "software is tuned fast" tuning fast --device=1
try "a device that is not there" no_such_device
try "stopped" stopped
try "nothing is built" fails 2 'is not built: make gpu-report' sh scripts/report/gpu_report.sh "$home"
try "a folder that is not there" fails 4 'there is no folder' sh scripts/report/gpu_report.sh --out="$tmp/nowhere/x.tar.gz" "$build"
try "a folder that takes no file" fails 4 'cannot write into /proc; --out' \
    sh scripts/report/gpu_report.sh --out=/proc/x.tar.gz "$build"
try "no temporary files" no_temporary_files
try "a folder in its place" fails 4 'is a folder' sh scripts/report/gpu_report.sh --out="$home" "$build"
try "without a GPU there is no report" fails 3 . env __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent sh scripts/report/gpu_report.sh \
    --out="$home/n.tar.gz" "$build"
try "nothing is left of it" nothing_there n.tar
if ! "$build/benchmark_model" --list_gpus >"$tmp/out" 2>&1; then
    echo "NOT RUN (gpu): gpu_limits and gpu_report.sh: $(tail -n 1 "$tmp/out")"
    skipped=$((skipped + 1))
else
    try "a report" a_report
    try "all is in it" holds_all
    try "nothing private is in it" is_private
    try "limits.json fits its schema" json_fits "$tmp/x/gpu_report/limits.json"
    for word in "$home" "$(uname -n)" "/home/$(id -un)" "$(cat /etc/machine-id 2>/dev/null)"; do
        [ ${#word} -lt 4 ] || try "a name of this machine is seen" leak "$word"
    done
    try "a GPU that fails is reported" weak_gpu
    try "a model that fails is reported" broken_model
    try "a model that fails in a table" broken_bench
    try "limits to standard output" to_stdout
    try "opcheck on one device" opcheck_device
    try "interrupted" interrupted
    try "a full disk" full_disk
    try "a file that cannot be written" sh -c "! '$build/gpu_limits' --quick --only=dispatch --json=$tmp/nowhere/x 2>/dev/null"
fi
finish
