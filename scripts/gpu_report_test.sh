#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpu_report_test.sh BUILD - gpu_limits and gpu_report.sh: what they write, that nothing private is in it, and how they fail.
#
# The last line is "N passed, N failed, N skipped".
# shellcheck disable=SC2317  # functions are called through try
set -u
build=$(cd "$1" && pwd) || exit 1
cd "$(dirname "$0")/.." || exit 1
. scripts/try.sh
home=$tmp/Hermengarde
mkdir "$home"

# fails STATUS TEXT COMMAND...: with that exit status, one line on standard error and this in it.
fails() {
    wanted=$1 text=$2
    shift 2
    "$@" >"$tmp/said" 2>"$tmp/err"
    status=$?
    cat "$tmp/err"
    [ "$status" -eq "$wanted" ] && grep -v '^gpu_report: [a-z]*$' "$tmp/err" >"$tmp/message"
    [ "$(wc -l <"$tmp/message")" -eq 1 ] && grep -q -e "$text" "$tmp/message"
}

usage() { ! "$build/gpu_limits" "$@" >/dev/null 2>"$tmp/err" && grep '^usage: gpu_limits' "$tmp/err"; }

report() { env HOME="$home" USER=Hermengarde LOGNAME=Hermengarde sh scripts/gpu_report.sh --quick "$@"; }

# Of a tiny model, by its name the one that --quick takes.
a_report() {
    mkdir -p "$tmp/here/models" && "$build/make_models" --cli "$tmp/models" >/dev/null || return 1
    cp "$tmp/models/chain.tflite" "$tmp/here/models/mobilenet_v1_tiny.tflite" && : >"$tmp/here/models/.done" || return 1
    for tool in benchmark_model opcheck gpu_limits; do ln -s "$build/$tool" "$tmp/here/" || return 1; done
    report --out="$home/r.tar.gz" "$tmp/here"
}

holds_all() {
    mkdir -p "$tmp/x" && tar -xzf "$home/r.tar.gz" -C "$tmp/x" || return 1
    for file in device machine limits operators conformance models; do
        grep -q '^exit status 0$' "$tmp/x/gpu_report/$file.txt" || { echo "$file"; cat "$tmp/x/gpu_report/$file.txt"; return 1; }
    done
    grep -q '^mobilenet_v1_tiny  *[0-9.]*  *[0-9.]*  *[0-9.]' "$tmp/x/gpu_report/models.txt" &&
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

# stand_in COMMAND [COMMAND]: a folder of what make built, where benchmark_model, and gpu_limits, are these, and all else passes.
stand_in() {
    mkdir -p "$tmp/stand_in/models" && : >"$tmp/stand_in/models/.done" || return 1
    for tool in "benchmark_model:$1" "gpu_limits:${2:-:}" opcheck::; do
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
    stand_in 'echo "GPU 0"' 'echo "gpu_limits: lost"; exit 4' &&
        fails 1 'not all is well: limits.txt' report --out="$home/weak.tar.gz" "$tmp/stand_in" &&
        tar -xzOf "$home/weak.tar.gz" gpu_report/limits.txt | grep 'gpu_limits: lost'
}

interrupted() {
    # Not in the background of this shell, where SIGINT is ignored.
    timeout -s INT 1 env HOME="$home" sh scripts/gpu_report.sh --out="$home/i.tar.gz" "$build" >"$tmp/said" 2>"$tmp/err"
    cat "$tmp/err"
    [ "$(grep -c 'interrupted, nothing was written' "$tmp/err")" -eq 1 ] && nothing_there i.tar
}

full_disk() {
    (ulimit -f 1; trap '' XFSZ; fails 4 'could not be written' report --out="$home/f.tar.gz" "$build") && nothing_there f.tar
}

no_temporary_files() {
    fails 4 'no room for temporary files' env TMPDIR=/proc sh scripts/gpu_report.sh --out="$home/t.tar.gz" "$build"
}

try "usage of gpu_limits" usage --nonsense
try "a row that does not exist" usage --only=nonsense
try "nothing is built" fails 2 'is not built: make gpu-report' sh scripts/gpu_report.sh "$home"
try "a folder that is not there" fails 4 'there is no folder' sh scripts/gpu_report.sh --out=/nonexistent/x.tar.gz "$build"
try "a folder that takes no file" fails 4 'cannot write into /proc; --out' sh scripts/gpu_report.sh --out=/proc/x.tar.gz "$build"
try "no temporary files" no_temporary_files
try "a folder in its place" fails 4 'is a folder' sh scripts/gpu_report.sh --out="$home" "$build"
try "without a GPU there is no report" fails 3 . env __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent sh scripts/gpu_report.sh \
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
    try "interrupted" interrupted
    try "a full disk" full_disk
    try "a file that cannot be written" sh -c "! '$build/gpu_limits' --quick --only=dispatch --json=/nonexistent/x 2>/dev/null"
fi
finish
