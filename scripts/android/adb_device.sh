# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# adb_device.sh - the half of adb_run.sh that the device's shell (mksh) runs, with toybox's commands alone; it goes there as a word
# of the command and is kept nowhere. A folder RUN is one run's own, and what that changes on the device stands in it.
#
#   adb_device.sh probe BASE                     facts, one "name=value" a line; "run=NAME old" of runs that are there (old: from
#                                                days ago, and no tool runs), "file=SIZE ./PATH" of what BASE/store holds
#   adb_device.sh run RUN MASK SECONDS COMMAND   COMMAND below RUN, on the CPUs of MASK ("" for all), its state looked at
#                                                every SECONDS (0: never) into RUN/looks; its exit status also in RUN/status
#   adb_device.sh signal NAME RUN                a signal (INT, KILL) for that command
#   adb_device.sh fixed RUN                      fixed-performance mode, until undo
#   adb_device.sh governors RUN                  each CPU's governor to "performance", as root, until undo
#   adb_device.sh undo RUN                       ends what runs, sets back what was changed, removes the folder
#   adb_device.sh clean BASE                     undo of each run, and the store goes
#
# DELEGAUGE_SYS stands for /sys in tests.
sys=${DELEGAUGE_SYS:-/sys}

cpus() {
    for cpu in "$sys"/devices/system/cpu/cpu[0-9]*; do
        [ -r "$cpu/cpufreq/cpuinfo_max_freq" ] && read -r khz <"$cpu/cpufreq/cpuinfo_max_freq" && echo "${cpu##*cpu} $khz"
    done
}

# Whether the tool of a run is there still: a number may be another program's by now, so by where the program lies.
alive() {
    pid=$(cat "$1/pid" 2>/dev/null) && grep -Fq "${1%/*}/store/" "/proc/$pid/cmdline" 2>/dev/null
}

probe() {
    echo "abi=$(getprop ro.product.cpu.abi)"
    echo "model=$(getprop ro.product.model)"
    echo "android=$(getprop ro.build.version.release)"
    echo "screen=$(dumpsys power 2>/dev/null | sed -n 's/.*mWakefulness=//p' | head -n 1)"
    echo "free_kb=$(df -k "$1" 2>/dev/null | tail -n 1 | { read -r _ _ _ free _ && echo "$free"; })"
    cpus | sed 's/^/cpu=/'
    for run in "$1"/run-*; do
        [ -d "$run" ] || continue
        age=
        alive "$run" || [ -z "$(find "$run" -maxdepth 0 -mtime +1)" ] || age=' old'
        echo "run=${run##*/}$age"
    done
    [ ! -d "$1/store" ] || { cd "$1/store" && find . -type f -exec stat -c 'file=%s %n' {} +; }
}

# The first that can be read of the files, its first word into $word.
first_of() {
    for file; do
        [ -r "$file" ] && read -r word rest <"$file" 2>/dev/null && return
    done
    word=-
}

# One line: seconds since the epoch, kHz of the fastest CPU of MASK just now, GPU clock and heat as their files have them; "-"
# unknown. A phone has a hundred thermal zones, some of them slow to read: they are once a second. Nothing is started for it where
# the shell tells the time.
sample() {
    # shellcheck disable=SC3028  # mksh has it
    now=${EPOCHREALTIME:-$(date +%s)}
    fastest=-
    for cpu in "$sys"/devices/system/cpu/cpu[0-9]*; do
        [ -z "$mask" ] || [ $((0x$mask >> ${cpu##*cpu} & 1)) -eq 1 ] || continue
        file=$cpu/cpufreq/scaling_cur_freq
        { [ -r "$file" ] && read -r khz <"$file" 2>/dev/null; } || continue
        [ "$fastest" != - ] && [ "$fastest" -ge "$khz" ] || fastest=$khz
    done
    [ "${now%.*}" = "${felt:-}" ] || feel
    first_of "$sys"/class/kgsl/kgsl-3d0/gpuclk "$sys"/class/devfreq/*kgsl*/cur_freq "$sys"/class/devfreq/*mali*/cur_freq \
        "$sys"/class/devfreq/*gpu*/cur_freq "$sys"/class/misc/mali0/device/devfreq/*/cur_freq "$sys"/kernel/gpu/gpu_clock
    echo "$now $fastest $word $hottest"
}

feel() {
    felt=${now%.*} hottest=-
    for file in "$sys"/class/thermal/thermal_zone*/temp; do
        { [ -r "$file" ] && read -r heat <"$file" 2>/dev/null; } || continue
        case $heat in '' | *[!0-9]*) continue ;; esac
        [ "$hottest" != - ] && [ "$hottest" -ge "$heat" ] || hottest=$heat
    done
}

run() {
    dir=$1 mask=$2 seconds=$3
    shift 3
    cd "$dir" || exit 4
    sampler=
    if [ "$seconds" != 0 ]; then
        sample >looks
        # It ends with this shell, also where that is killed as the connection drops.
        while sleep "$seconds" && kill -0 $$; do sample; done >>looks 2>/dev/null </dev/null &
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

governors() {
    for file in "$sys"/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do
        [ -r "$file" ] && read -r word <"$file" && echo "$file $word"
    done >"$1/governors"
    set_governors "$1" performance && return
    set_governors "$1" 2>/dev/null # some may have been set
    rm "$1/governors"
    return 1
}

fixed() {
    : >"$1/fixed"
    cmd power set-fixed-performance-mode-enabled true && return
    rm "$1/fixed"
    return 1
}

set_governors() {   # set_governors RUN [WORD] - all to WORD, or back to what each was
    lines=
    while read -r file word; do lines="$lines echo ${2:-$word} >$file || failed=1;"; done <"$1/governors"
    [ -z "$lines" ] || su 0 sh -c "$lines [ -z \"\$failed\" ]"
}

# What could not be set back is left to another try, with what tells of it.
undo() {
    ! alive "$1" || kill -KILL "$pid"
    if [ -e "$1/fixed" ]; then cmd power set-fixed-performance-mode-enabled false || return; fi
    if [ -s "$1/governors" ]; then set_governors "$1" || return; fi
    # The shell that ran the tool notes its status there yet, if it was not killed as well.
    tries=1
    until rm -rf "$1" 2>/dev/null; do
        [ $((tries += 1)) -le 20 ] || { rm -rf "$1"; return; }
        sleep 0.1
    done
}

# Not the folder itself, which may hold what is others'.
clean() {
    left=0
    for run in "$1"/run-*; do [ ! -d "$run" ] || undo "$run" || left=$?; done
    { [ ! -d "$1" ] || { cd "$1" && rm -rf store keep; }; } || left=$?
    rmdir "$1" 2>/dev/null
    return "$left"
}

case $1 in
    probe | undo | clean) "$1" "$2" ;;
    run) shift; run "$@" ;;
    signal) kill "-$2" "$(cat "$3/pid")" ;;
    fixed | governors) mkdir -p "$2" && "$1" "$2" ;;
esac
