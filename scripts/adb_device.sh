# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# adb_device.sh - the half of adb_run.sh that runs on the device, in its shell (mksh) with toybox's commands alone.
#
#   adb_device.sh probe BASE                     facts, one "name=value" a line, then what BASE/store holds
#   adb_device.sh run RUN MASK SECONDS COMMAND   COMMAND below RUN, on the CPUs of MASK ("" for all), its state looked at
#                                                every SECONDS (0: never) into RUN/looks; its exit status also in RUN/status
#   adb_device.sh signal NAME RUN                a signal (INT, KILL) for that command
#   adb_device.sh governors                      "path value" of each CPU's governor
#
# DELEGAUGE_SYS stands for /sys in tests.
sys=${DELEGAUGE_SYS:-/sys}

# The first that can be read of the files, and its first word.
first_of() {
    for file; do
        [ -r "$file" ] && read -r word rest <"$file" 2>/dev/null && { echo "$word"; return; }
    done
    echo -
}

cpus() {
    for cpu in "$sys"/devices/system/cpu/cpu[0-9]*; do
        [ -r "$cpu/cpufreq/cpuinfo_max_freq" ] && read -r khz <"$cpu/cpufreq/cpuinfo_max_freq" && echo "${cpu##*cpu} $khz"
    done
}

probe() {
    echo "abi=$(getprop ro.product.cpu.abi)"
    echo "model=$(getprop ro.product.model)"
    echo "android=$(getprop ro.build.version.release)"
    echo "gpu=$(getprop ro.hardware.egl)"
    echo "screen=$(dumpsys power 2>/dev/null | sed -n 's/.*mWakefulness=//p' | head -n 1)"
    echo "free_kb=$(df -k "$1" 2>/dev/null | tail -n 1 | { read -r _ _ _ free _ && echo "$free"; })"
    cpus | sed 's/^/cpu=/'
    for entry in "$1"/store/*/*; do
        [ -e "$entry" ] && echo "stored=${entry#"$1/store/"}"
    done
}

# One line: seconds since the epoch, kHz of the fastest CPU just now, GPU clock and heat as their files have them; "-" unknown.
sample() {
    fastest=-
    for file in "$sys"/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq; do
        { [ -r "$file" ] && read -r khz <"$file" 2>/dev/null; } || continue
        [ "$fastest" != - ] && [ "$fastest" -ge "$khz" ] || fastest=$khz
    done
    hottest=-
    for file in "$sys"/class/thermal/thermal_zone*/temp; do
        { [ -r "$file" ] && read -r heat <"$file" 2>/dev/null; } || continue
        case $heat in '' | *[!0-9]*) continue ;; esac
        [ "$hottest" != - ] && [ "$hottest" -ge "$heat" ] || hottest=$heat
    done
    echo "$(date +%s) $fastest $(first_of "$sys"/class/kgsl/kgsl-3d0/gpuclk "$sys"/class/devfreq/*kgsl*/cur_freq \
        "$sys"/class/devfreq/*mali*/cur_freq "$sys"/class/devfreq/*gpu*/cur_freq "$sys"/class/misc/mali0/device/devfreq/*/cur_freq \
        "$sys"/kernel/gpu/gpu_clock) $hottest"
}

run() {
    dir=$1 mask=$2 seconds=$3
    shift 3
    cd "$dir" || exit 4
    sampler=
    if [ "$seconds" != 0 ]; then
        sample >looks
        while sleep "$seconds"; do sample; done >>looks 2>/dev/null </dev/null &
        sampler=$!
    fi
    [ -z "$mask" ] || set -- taskset "$mask" "$@"
    # The shell that becomes the command tells its own number, by which Ctrl-C reaches it.
    sh -c 'echo $$ >pid; exec "$@"' sh "$@"
    status=$?
    # A shell that has only just begun may still have this one's handler of SIGTERM.
    [ -z "$sampler" ] || { kill -KILL "$sampler" 2>/dev/null; sample >>looks; }
    echo "$status" >status
    exit "$status"
}

case $1 in
    probe) probe "$2" ;;
    run) shift; run "$@" ;;
    signal) kill "-$2" "$(cat "$3/pid")" ;;
    governors)
        for file in "$sys"/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do
            [ -r "$file" ] && echo "$file $(cat "$file")"
        done
        ;;
esac
