#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpu_report.sh [--quick] [--out=FILE] [--device=N] [--adb[=SERIAL]] BUILD - everything about this machine's GPU in one archive to
# send; with --adb about that of an Android device, on which the programs of build/android (DELEGAUGE_ANDROID) run.
#
# In it: what the driver says of itself, every operator held against the CPU and against TensorFlow Lite's record (opcheck), what
# the device reaches at best (gpu_limits), a table of the demo models, and one of what tuning makes of them, beside ncnn's figures
# for the devices that have some (bench.sh). All of it is about one device, N of benchmark_model --list_gpus, or the best. No name
# of user or machine, no path, no serial number: what is written is looked through for them, and where one is found there is no
# archive. FILE is gpu_report.tar.gz; --quick tries the script more than the device: one operator, one model, short timings, fast
# tuning. `make gpu-report` builds what this wants and runs it.
#
# Exit status: 0 all is well, 1 the GPU computes something else than the CPU or fails (the archive says at what), 2 bad usage or
# nothing built, 3 no GPU, 4 it failed or the archive could not be written, 130 interrupted. Only with 0 and 1 there is an archive.
set -u
quick='' out=gpu_report.tar.gz device='' build='' adb='' serial=${ANDROID_SERIAL:-} bins=${DELEGAUGE_ANDROID:-}
tmp='' there='' job=''

die() {    # die STATUS WORD...
    status=$1
    shift
    echo "gpu_report: $*" >&2
    exit "$status"
}

interrupted() {
    trap - EXIT
    [ -e /proc/self/stat ] || [ -z "$job" ] || kill "$job" 2>/dev/null
    signals_stop
    clean
    echo "gpu_report: interrupted, nothing was written" >&3
    exit 130
}

clean() {
    [ -z "$there" ] || off_the_device
    [ -z "$tmp" ] || rm -rf "$tmp"
    rm -f "$part"
}

while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 ;;
    --out=?*) out=${1#--out=} ;;
    --device=?*) device=${1#--device=} ;;
    --adb) adb=1 ;;
    --adb=?*) adb=1 serial=${1#--adb=} ;;
    -*) die 2 "$1: there are --quick, --out=FILE, --device=N and --adb[=SERIAL]" ;;
    *) build=$1 ;;
    esac
    shift
done
[ -n "$build" ] || die 2 "usage: gpu_report.sh [--quick] [--out=FILE] [--device=N] [--adb[=SERIAL]] BUILD"
case $out in
/*) ;;
*) out=$PWD/$out ;;
esac
build=$(cd "$build" 2>/dev/null && pwd) || die 2 "there is no such folder of what make built"
tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
tools='benchmark_model opcheck gpu_limits'
case $device in
*[!0-9]*) die 2 "--device=$device is no number of benchmark_model --list_gpus" ;;
esac
export DEVICE="$device"
[ -z "$quick" ] || export RUNS=2 ONLY='mobilenet_v1*' TUNING=fast
# shellcheck disable=SC2086  # a pattern
set -- "$build"/models/${ONLY:-*}.tflite
for tool in $([ -n "$adb" ] || echo "$tools") models/.done; do
    [ -e "$build/$tool" ] || die 2 "$tool is not built: make gpu-report"
done
[ -e "$1" ] || die 2 "there is no model $1: make gpu-report"
[ -d "$(dirname "$out")" ] || die 4 "there is no folder $(dirname "$out")"
[ ! -d "$out" ] || die 4 "$out is a folder"
# Another report may be on its way to the same place.
part=$out.$$
{ true >"$part"; } 2>/dev/null || die 4 "cannot write into $(dirname "$out"); --out=FILE names another place"
trap clean EXIT
# Standard error is a file of the report's while a part runs.
exec 3>&2
# shellcheck source=/dev/null
. "$tree/scripts/lib/signals.sh"
trap interrupted INT TERM HUP
tmp=$(mktemp -d 2>/dev/null) || die 4 "no room for temporary files"
export TMPDIR="$tmp"
# From here every path is one without a user's name in it.
if ! cd "$tmp" || ! mkdir gpu_report || ! ln -s "$tree/scripts" "$tree/testdata" .; then
    die 4 "no room for temporary files"
fi
if [ -n "$adb" ]; then
    . scripts/report/gpu_report_adb.sh
    on_the_device
else
    ln -s "$build" build || die 4 "no room for temporary files"
fi

# ---- what is measured ----

failed=0

# part NAME COMMAND...: its output as NAME.txt, its exit status at the end.
part() {
    name=$1
    shift
    echo "gpu_report: $name" >&2
    # A shell heeds signals while it waits, but not while a command runs in its foreground.
    "$@" >"gpu_report/$name.txt" 2>&1 </dev/null &
    job=$!
    wait $job
    status=$?
    echo "exit status $status" 2>/dev/null >>"gpu_report/$name.txt"
    tail -n 1 "gpu_report/$name.txt" | grep -q '^exit status' || die 4 "$name.txt could not be written: is the disk full?"
    return $status
}

# The processor, the board and the memory; of names and numbers that tell one machine from another nothing is asked.
machine() {
    if [ -n "$adb" ]; then
        machine_there
    else
        machine_here
    fi
    sed -n 's/^#define DG_VERSION_STRING *"\(.*\)"/Delegauge \1/p' "$tree/lib/api/delegauge.h"
    git -C "$tree" describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null
    return 0
}

machine_here() {
    uname -srm
    sed -n 's/^PRETTY_NAME=//p' /etc/os-release
    [ ! -r /proc/device-tree/model ] || { tr -d '\0' </proc/device-tree/model; echo; }
    sed -n 's/^model name[[:space:]]*: *//p' /proc/cpuinfo | sort | uniq -c
    sed -n 's/^MemTotal: */memory /p' /proc/meminfo
    for card in /sys/class/drm/card[0-9]; do
        [ ! -e "$card/device/vendor" ] || cat "$card/device/vendor" "$card/device/device"
        [ ! -e "$card/device/driver" ] || basename "$(readlink -f "$card/device/driver")"
    done
}

limits() {
    build/gpu_limits ${quick:+--quick} ${device:+--device="$device"} --json=gpu_report/limits.json || return
    [ -z "$adb" ] || bring gpu_report/limits.json
}

part device build/benchmark_model --list_gpus || die $? "$(sed -n 's/^ERROR: //p' gpu_report/device.txt)"
[ -z "$device" ] || grep -q "^$device: " gpu_report/device.txt ||
    die 2 "there is no GPU device $device: benchmark_model --list_gpus shows $(grep -c '^[0-9]*: ' gpu_report/device.txt)"
# Exhaustive tuning of a processor takes minutes for each model and tells nothing of a GPU.
grep "^${device:-[0-9]*}: " gpu_report/device.txt | grep -qv ' (software)$' || export TUNING="${TUNING:-fast}"
part machine machine
part limits limits
case $? in
0) ;;
4) failed=1 ;;    # of the GPU: that is news
*) die 4 "gpu_limits: $(grep -v '^exit status' gpu_report/limits.txt | tail -n 1)" ;;
esac
part operators build/opcheck ${quick:+--op=add} ${device:+--device="$device"} || failed=1
part conformance build/opcheck ${quick:+--op=add} ${device:+--device="$device"} --conformance=testdata/conformance || failed=1
part models sh scripts/report/bench.sh build || failed=1
part tuned sh scripts/report/bench.sh --tuned build || failed=1

# ---- what is sent ----

# Whole words only: many a user is called pi.
private_words() {
    for word in "$(uname -n)" "$(uname -n | cut -d . -f 1)" "${HOME:-}" "$tree" "$tmp" "$(cat /etc/machine-id 2>/dev/null)" \
        "$(sed -n 's/^Serial[[:space:]]*: *//p' /proc/cpuinfo)" \
        "$(tr -d '\0' 2>/dev/null </proc/device-tree/serial-number)" "/home/$(id -un)" "$(id -un)@" \
        ${adb:+"$serial" "$serial_there"}; do
        case $word in
        ????*) echo "$word" ;;
        esac
    done
}

private_words >private
found=$(grep -rowF -f private gpu_report | head -n 1)
[ -z "$found" ] || die 4 "${found#gpu_report/}: a name of this machine; nothing was written"
# GNU tar or bsdtar: each has its own way to leave the owner out.
{
    tar -cf tar --owner=0 --group=0 --numeric-owner gpu_report 2>/dev/null ||
        tar -cf tar --uid 0 --gid 0 --uname '' --gname '' gpu_report 2>/dev/null
} || die 4 "tar failed: is the disk full, or is it neither GNU tar nor bsdtar?"
{ gzip -n <tar >"$part" && mv "$part" "$out"; } 2>/dev/null || die 4 "$out could not be written"
echo "$out: $(wc -c <"$out") bytes; look at it with tar -xzf, then send it as scripts/report/GUIDE.md says"
[ $failed -eq 0 ] ||
    die 1 "not all is well:$(grep -L '^exit status 0$' gpu_report/*.txt | sed 's|.*/| |' | tr -d '\n') in it say what"
