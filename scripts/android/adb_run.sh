#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# adb_run.sh - runs a tool on an Android device: pushes it and the files that its flags name, pulls what it writes.
# adb_run.sh --help lists the flags; scripts/android/GUIDE.md explains them.
set -u
base=/data/local/tmp/delegauge
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd) || exit 2
bins=${DELEGAUGE_ANDROID:-}
serial=${ANDROID_SERIAL:-}
all='' parallel='' fixed='' mask='' cooldown=0 root='' clean='' thermal_wait=300 sample=0.2 chosen=''
# What is found out on the way, whatever the environment calls so.
tmp='' run='' running='' open='' found='' keep='' last='' status=0 heat='' interrupts=0 failure='' report='' placed=''
tab=$(printf '\t') unit=$(printf '\037') newline='
'

usage() {
    cat <<'END'
usage: adb_run.sh [flags] TOOL [flags and files of the tool]

Runs benchmark_model, inference_diff or op_coverage on an Android device. Files that the tool's flags name are pushed to it, each
content once; what the flags write is pulled back. The tool's exit status is that of this command.

  -s SERIAL               use this device; default: ANDROID_SERIAL, else the only one
  --all                   use every device, one after the other; written files end in .SERIAL, --json is one array
  --parallel              with --all: use all devices at once (GNU parallel)
  --bins=DIR|TARBALL      take the tool from ABI/TOOL there, or from a tarball of make android-dist; default: DELEGAUGE_ANDROID,
                          else build/android here or of this script's sources, or PREFIX/lib/delegauge/android if installed
  --device_dir=DIR        use this folder on the device (/data/local/tmp/delegauge)
  --taskset=big|little|MASK  run on these CPUs; MASK in hexadecimal
  --fixed_performance     run in Android's fixed-performance mode
  --thermal_wait=SECONDS  wait at most this long until the device is cool (300; 0: do not wait)
  --cooldown=SECONDS      wait this long before each run (0)
  --sample=SECONDS        sample clocks and temperature at this interval, for the JSON report (0.2; 0: do not)
  --root                  set the CPU governors to "performance" during the run, as root
  --clean                 remove this command's files from that folder at the end, and those of interrupted runs;
                          without a TOOL do nothing else

Exit status, beside the tool's: 2 for bad flags and where no device or binary is found; 4 for a device that fails or goes away.
END
}

say() { printf 'adb_run: %s\n' "$*" >&2; }

die() {     # die STATUS WORD... - tidy says it, with what could not be cleaned up
    status=$1
    shift
    failure=$*
    exit "$status"
}

quote() {   # as one word of the device's shell
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

sha() {     # of standard input
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi
}

content() { # a name for what PATH holds
    if [ -d "$1" ]; then
        (cd "$1" && find -L . -type f -exec sh -c 'for f; do printf "%s\n" "$f"; done' sh {} + | LC_ALL=C sort |
            while IFS= read -r file; do printf '%s ' "$file"; sha <"$file"; done) | sha
    else
        sha <"$1"
    fi | cut -c1-24
}

why() {     # what adb said last of an error
    { grep -i 'error\|failed' "$tmp/adb" || grep . "$tmp/adb"; } | tail -n 1
}

# ---- the device

devices() { # "SERIAL STATE" of each
    adb devices 2>"$tmp/adb" | sed -n "s/^\([^ $tab*][^$tab]*\)$tab\([a-z][a-z ]*\).*/\1 \2/p"
}

find_device() {
    devices >"$tmp/devices"
    if [ -n "$serial" ]; then
        state=$(awk -v serial="$serial" '$1 == serial { $1 = ""; print substr($0, 2) }' "$tmp/devices")
        [ -n "$state" ] || die 2 "no device $serial: adb devices shows $(names)"
    else
        case $(grep -c . "$tmp/devices") in
            0) die 2 "no device: connect one with USB debugging on (adb devices shows none)" ;;
            1) read -r serial state <"$tmp/devices" ;;
            *) die 2 "several devices: $(names); choose with -s SERIAL or ANDROID_SERIAL, or take --all" ;;
        esac
    fi
    case $state in
        device) ;;
        unauthorized | authorizing) die 2 "$serial is not authorized: allow USB debugging on its screen" ;;
        *) die 2 "$serial is $state" ;;
    esac
}

names() {
    if [ -s "$tmp/devices" ]; then awk '{ printf "%s%s", (NR > 1 ? ", " : ""), $1 }' "$tmp/devices"; else printf none; fi
}

on_device() { adb -s "$serial" shell "$1" </dev/null; }

half() {    # half WORD... - the other half of this script, on the device
    words=
    for word; do words="$words $(quote "$word")"; done
    printf 'sh -c %s adb_device.sh%s' "$device_half" "$words"
}

# "SIZE PATH" of each file of PATH, which is called NAME there.
sizes() {   # sizes PATH NAME
    if [ -d "$1" ]; then
        (cd "$1" && find -L . -type f -exec sh -c 'name=$1; shift; for f; do echo $(($(wc -c <"$f"))) "$name${f#.}"; done' \
            sh "$2" {} +)
    else
        echo $(($(wc -c <"$1"))) "$2"
    fi | LC_ALL=C sort
}

# whole HASH NAME PATH: whether the device has all of it, as long as it is here; something may have cut it off since it was pushed.
whole() {
    sizes "$3" "$2" >"$tmp/sizes"
    [ -s "$tmp/sizes" ] && sed -n "s|^file=\([0-9]*\) \./$1/|\1 |p" "$tmp/probe" | called=$2 awk '
        { path = substr($0, index($0, " ") + 1) }
        path == ENVIRON["called"] || index(path, ENVIRON["called"] "/") == 1' | LC_ALL=C sort | cmp -s "$tmp/sizes" -
}

# store PATH: leaves in $stored where the device has it, pushed now where it was not there yet.
store() {
    hash=$(content "$1")
    { [ -n "$hash" ] && [ -r "$1" ]; } || die 2 "cannot read $1"
    called=$(basename -- "$1")
    case $called in . | .. | /) called=folder ;; esac
    stored=$base/store/$hash/$called
    whole "$hash" "$called" "$1" && return
    kb=$(du -skL "$1" | head -n 1 | cut -f1)
    plain "$1"
    part=$run/part
    on_device "mkdir -p $(quote "$part")" >"$tmp/adb" 2>&1 || die 4 "cannot make folders in $base on $serial: $(why)"
    if ! adb -s "$serial" push "$plain" "$part/$called" >"$tmp/adb" 2>&1; then
        free=$(fact free_kb)
        die 4 "cannot push $1 ($kb kB) to $serial${free:+, which has $free kB free}: $(why)"
    fi
    # Only what is whole has its name. A file takes the place of the same that somebody else pushed meanwhile, or of what was cut
    # off; a folder of that name has to go first.
    on_device "cd $(quote "$part") && chmod -R 755 . && mkdir -p ../../store/$hash && cd ../../store/$hash && {
        [ ! -d $(quote "./$called") ] || mv $(quote "./$called") $(quote "$run/old"); } &&
        mv -f $(quote "$part/$called") . && rm -rf $(quote "$part") $(quote "$run/old")" >"$tmp/adb" 2>&1 ||
        die 4 "$serial: $(tail -n 1 "$tmp/adb")"
    sed "s|^\([0-9]*\) |file=\1 ./$hash/|" "$tmp/sizes" >>"$tmp/probe"
    pushed=$((pushed + 1)) pushed_kb=$((pushed_kb + kb))
}

# plain PATH: leaves in $plain the same without symbolic links in it, which adb would push as such.
plain() {
    plain=$1
    [ -d "$1" ] && [ -n "$(find "$1/" -type l | head -n 1)" ] || return 0
    plain=$tmp/plain
    rm -rf "$plain"
    cp -RL "$1/" "$plain" || die 2 "cannot read $1"
}

fact() { sed -n "s/^$1=//p" "$tmp/probe" | head -n 1; }

probe() {
    on_device "$(half probe "$base")" 2>"$tmp/adb" | tr -d '\r' >"$tmp/probe"
    abi=$(fact abi)
    # It becomes part of a path here.
    case $abi in
        '') die 4 "$serial does not tell its ABI (getprop ro.product.cpu.abi): $(tail -n 1 "$tmp/adb")" ;;
        *[!A-Za-z0-9_-]*) die 4 "$serial calls its ABI $(printf '%s' "$abi" | tr -cd '[:print:]'), which is none" ;;
    esac
}

# Of a run of this user here that is no more, or of anybody's that is days old.
remove_left_over() {
    sed -n 's/^run=//p' "$tmp/probe" >"$tmp/runs"
    while read -r name age; do
        case $name in
            */*) continue ;;
            "$owner"*) kill -0 "${name#"$owner"}" 2>/dev/null && continue ;;
            *) [ "$age" = old ] || continue ;;
        esac
        what=removed
        on_device "$(half undo "$base/$name")" >"$tmp/adb" 2>&1 || what="could not remove ($(why))"
        say "$serial: $what what a run that was cut off left, $base/$name"
    done <"$tmp/runs"
}

push_tool() {
    case $bins in
        *.tar.gz | *.tgz)
            mkdir "$tmp/bins"
            tar -xzf "$bins" -C "$tmp/bins" 2>"$tmp/adb" || die 2 "cannot unpack $bins: $(tail -n 1 "$tmp/adb")"
            set -- "$tmp/bins"
            ;;
        ?*) set -- "$bins" ;;
        *) case $here in
            */share/delegauge) set -- "$PWD/build/android" "${here%/*/*}/lib/delegauge/android" ;;
            *) set -- "$PWD/build/android" "${here%/*/*}/build/android" ;;
        esac ;;
    esac
    for folder; do
        for file in "$folder/$abi/$tool" "$folder"/*-android-"$abi/$tool"; do
            { [ -f "$file" ] && [ -x "$file" ]; } || continue
            store "$file"
            device_tool=$stored
            return
        done
    done
    [ -z "$bins" ] || set -- "$bins"
    [ "$1" != "${2:-}" ] || shift
    die 2 "no $tool for $abi in $1${2:+ or $2}: make android ABI=$abi ANDROID_NDK=DIR, in Delegauge's" \
        "sources, makes it; --bins=DIR or --bins=TARBALL says where it is"
}

# ---- the command line

# --config must be there before the tool can say what its flags name.
push_config() {
    config=
    for word; do
        case $word in --config=*) config=${word#--config=} ;; esac
        [ "$last" != --config ] || config=$word
        last=$word
    done
    [ -f "$config" ] || return 0
    store "$config"
    config=$stored
}

# arguments WORD...: leaves in $command what the device's shell runs, paths there instead of paths here; in $tmp/outputs lines of
# "FOLDER PATH": what comes back from where.
arguments() {
    words=
    for word; do words="$words $(quote "$word")"; done
    [ -z "$config" ] || words="$words --config=$(quote "$config")"
    on_device "$(quote "$device_tool")$words --list_flags" >"$tmp/flags" 2>"$tmp/adb"
    status=$?
    # Android's shell says 1 of a program of another machine, which is a tool's word for results that differ.
    case $status:$(tail -n 1 "$tmp/adb") in
        126:* | 127:* | [!0]*': not executable: '*) die 4 "$tool does not run on $serial: $(tail -n 1 "$tmp/adb")" ;;
    esac
    [ $status -eq 0 ] || { cat "$tmp/flags" "$tmp/adb" >&2; exit $status; }
    # --help and --version leave no list.
    head -n 1 "$tmp/flags" | grep -q "^name$tab" || { cat "$tmp/flags"; exit 0; }
    tr -d '\r' <"$tmp/flags" | LC_ALL=C sort -t"$tab" -k6,6n | awk -F"$tab" -v OFS="$unit" '
        $6 + 0 > 0 && $1 != "list_flags" && $1 != "config" { print $1, $3, $7 }' >"$tmp/given"
    [ -z "${DELEGAUGE_GIVEN:-}" ] || cp "$tmp/given" "$DELEGAUGE_GIVEN"
    command=$(quote "$device_tool") n=0
    : >"$tmp/outputs"
    while IFS=$unit read -r flag file value; do
        case $value in *\\*) value=$(printf '%b' "$value") ;; esac
        place "$file" "$value"
        [ -z "$flag" ] || placed=--$flag=$placed
        command="$command $(quote "$placed")"
    done <"$tmp/given"
}

# place KIND VALUE: leaves in $placed what stands for it on the device.
place() {
    placed=$2
    [ -n "$2" ] || return 0
    case $1$2 in
        read*"$newline"* | keep*"$newline"* | write*"$newline"*)
            die 2 "$(printf '%s' "$2" | tr '\n' '?'): a newline in the name of a file, which adb_run does not take" ;;
    esac
    case $1 in
        read) place_input "$2" ;;
        read-library) place_library "$2" ;;
        read-named) place_named "$2" ;;
        read-listed) place_listed "$2" ;;
        keep) placed=$base/keep/$(printf '%s' "$2" | sha | cut -c1-24); keep="$keep $(quote "$placed")" ;;
        write-report)
            report=$2
            if [ "$2" != - ]; then
                place_output "$2" "$(dirname -- "$2")" "/$(basename -- "$2")"
            elif [ -n "${DELEGAUGE_SUFFIX:-}" ]; then
                die 2 "a report on standard output is one device's: --all wants the name of a file"
            fi
            ;;
        write) [ "$2" = - ] || place_output "$2" "$(dirname -- "$2")" "/$(basename -- "$2")" ;;
        write-dir) place_output "$2" "$2" '' ;;
    esac
}

place_input() {
    if [ -e "$1" ]; then
        # What begins with a dash is a flag to du, find and adb.
        case $1 in -) ;; -*) set -- "./$1" ;; esac
        store "$1"
        placed=$stored
    elif [ -f "${1%[#:]*}" ]; then
        # A model in a bundle, FILE#NAME; a group of weights, FILE:GROUP.
        behind=${1#"${1%[#:]*}"}
        place_input "${1%[#:]*}"
        placed=$placed$behind
    else
        case $1 in /*) say "$1 is not here: taken for a path on the device" ;; -) ;; *) die 2 "$1: no such file" ;; esac
    fi
}

# A library with those that it looks for beside it: LiteRT's accelerators and compilers, and the C++ library of the NDK.
place_library() {
    [ -f "$1" ] || { place_input "$1"; return; }
    rm -rf "$tmp/libraries"
    mkdir "$tmp/libraries"
    folder=$(dirname -- "$1")
    for file in "$folder"/libLiteRt*.so "$folder"/libtensorflowlite*.so "$folder/libc++_shared.so" "$1"; do
        [ ! -f "$file" ] || cp -L -- "$file" "$tmp/libraries/" || die 2 "cannot read $file"
    done
    store "$tmp/libraries"
    placed=$stored/$(basename -- "$1")
}

# NAME:PATH,NAME:PATH, where :: in a name is a colon.
place_named() {
    list=
    while IFS= read -r pair; do
        path=$(printf '%s' "$pair" | sed 's/^\([^:]*::\)*[^:]*://')
        tensor=${pair%"$path"}
        place_input "$path"
        list="$list${list:+,}$tensor$placed"
    done <<END
$(printf '%s' "$1" | tr ',' '\n')
END
    placed=$list
}

# NAME,PATH: what is no file here, the tool knows.
place_listed() {
    list='' comma=''
    while IFS= read -r placed; do
        case $placed in *[./]*) [ ! -e "$placed" ] || place_input "$placed" ;; esac
        list=$list$comma$placed comma=,
    done <<END
$(printf '%s' "$1" | tr ',' '\n')
END
    placed=$list
}

place_output() {    # place_output PATH FOLDER-HERE NAME
    n=$((n + 1))
    target=$1${DELEGAUGE_SUFFIX:-}
    if [ -d "$2" ]; then
        [ -w "$2" ] || die 2 "cannot write into $2"
        [ -z "$3" ] || [ ! -d "$target" ] || die 2 "$target is a folder"
    elif [ -z "$3" ]; then
        mkdir -p -- "$2" || exit 2
    else
        die 2 "$1: no folder $2"
    fi
    printf '%s\n' "$n $2" >>"$tmp/outputs"
    placed=$run/out/$n$3
}

# ---- one run

run_tool() {
    folders=$(cut -d' ' -f1 "$tmp/outputs" | tr '\n' ' ')
    on_device "mkdir -p $(quote "$run/out") $keep && cd $(quote "$run/out") && mkdir -p . $folders" >"$tmp/adb" 2>&1 ||
        die 4 "cannot make folders in $base on $serial: $(why)"
    running=1 open=1
    # A report on standard output is alone there.
    [ "$report" != - ] || exec 4>"$tmp/report.json"
    # In the background, where an interrupt from the terminal does not reach adb, only us.
    adb -s "$serial" shell "$(half run "$run" "$mask" "$sample") $command" <&3 >&4 &
    adb_pid=$!
    wait_for $adb_pid
    running=
    [ "$interrupts" -le 2 ] || die 130 "$tool on $serial did not end by two interrupts; it was killed, where that is heard"
    status=$(on_device "cat $(quote "$run/status")" 2>"$tmp/adb" | tr -d '\r')
    case $status in '' | *[!0-9]*) die 4 "$serial went away while $tool ran: $(tail -n 1 "$tmp/adb")" ;; esac
    open=
}

wait_for() {    # a trapped signal ends wait before the process has ended
    wait "$1" 2>/dev/null
    while kill -0 "$1" 2>/dev/null; do wait "$1" 2>/dev/null; done
}

# The tool ends by the first or, at once, by the second; one that hears neither, in a driver that hangs, is left with the third.
interrupted() {
    [ -n "$running" ] || exit 130
    interrupts=$((interrupts + 1))
    if [ "$interrupts" -le 2 ]; then
        on_device "$(half signal INT "$run")" >/dev/null 2>&1
    else
        on_device "$(half signal KILL "$run")" >/dev/null 2>&1
        kill "$adb_pid" 2>/dev/null
    fi
}

pull_outputs() {
    while read -r number folder; do
        adb -s "$serial" pull "$run/out/$number" "$tmp/" >"$tmp/adb" 2>&1 </dev/null ||
            die 4 "cannot pull what belongs into $folder from $serial: $(why)"
        [ ! -f "$tmp/$number/$(basename -- "$report")" ] || add_device "$tmp/$number/$(basename -- "$report")"
        for file in "$tmp/$number"/* "$tmp/$number"/.[!.]*; do
            [ ! -e "$file" ] || bring "$file" "$folder" "${file##*/}${DELEGAUGE_SUFFIX:-}" ||
                die 4 "cannot write ${file##*/} into $folder"
        done
    done <"$tmp/outputs"
    if [ "$report" = - ]; then
        add_device "$tmp/report.json"
        cat "$tmp/report.json" || die 4 "cannot write the report to standard output"
    fi
}

# bring FILE FOLDER NAME: whole or not at all, but where what is there is no plain file.
bring() {
    if [ -d "$1" ]; then
        mkdir -p -- "$2/$3" && cp -R -- "$1/." "$2/$3"
    elif [ -h "$2/$3" ] || { [ -e "$2/$3" ] && [ ! -f "$2/$3" ]; }; then
        cat "$1" >"$2/$3"
    elif ! { cp -- "$1" "$2/.$3.$$" && mv -f -- "$2/.$3.$$" "$2/$3"; }; then
        rm -f -- "$2/.$3.$$"
        return 1
    fi
}

tidy() {
    status=$?
    trap '' INT TERM HUP
    [ -z "$run" ] || on_device "$(half undo "$run")" >"$tmp/adb" 2>&1 || left_behind
    if [ -n "$clean" ] && [ -n "$found" ] && ! on_device "$(half clean "$base")" >"$tmp/adb" 2>&1; then
        failure="${failure:+$failure; }$serial: --clean failed: $(why)"
        [ "$status" -ne 0 ] || status=4
    fi
    [ -z "$failure" ] || say "$failure"
    [ -z "$tmp" ] || rm -rf "$tmp"
    exit $status
}

# What a device that cannot be reached, or does not do as it is told, is left with.
left_behind() {
    failure="${failure:+$failure; }left on $serial, where it could not be undone ($(why)): $run${open:+, $tool if it runs on}\
${fixed:+, fixed-performance mode}${root:+, governors}; the next run there undoes it, as adb_run --clean does"
    [ "$status" -ne 0 ] || status=4
}

one_device() {
    find_device
    found=1
    [ -n "$tool" ] || return 0
    pushed=0 pushed_kb=0
    probe
    owner=run-$(uname -n)-$(id -u)-
    remove_left_over
    settle_mask
    run=$base/$owner$$
    push_tool
    push_config "$@"
    arguments "$@"
    say "$serial ($(fact model), Android $(fact android), $abi): $pushed pushed ($pushed_kb kB)"
    case $(fact screen) in Awake | '') ;; *) say "$serial: the screen is off, which slows many devices" ;; esac
    [ "$cooldown" = 0 ] || sleep "$cooldown"
    wait_until_cool
    set_up
    run_tool
    look_back
    pull_outputs
    exit "$status"
}

# shellcheck source=scripts/android/adb_measure.sh
. "$here/adb_measure.sh"
# shellcheck source=scripts/android/adb_all.sh
. "$here/adb_all.sh"
trap tidy EXIT

flags=
while [ $# -gt 0 ]; do
    case $1 in
        --) shift; break ;;
        -s)
            [ $# -gt 1 ] || die 2 "-s wants a serial number"
            serial=$2 chosen=1
            shift 2
            continue
            ;;
        --all) all=1 ;;
        --parallel) parallel=1 ;;
        --bins=*) bins=${1#*=} ;;
        --device_dir=*) base=${1#*=} ;;
        --taskset=*) mask=${1#*=} ;;
        --fixed_performance) fixed=1 ;;
        --thermal_wait=*) thermal_wait=${1#*=} ;;
        --cooldown=*) cooldown=${1#*=} ;;
        --sample=*) sample=${1#*=} ;;
        --root) root=1 ;;
        --clean) clean=1 ;;
        -h | --help) usage; exit 0 ;;
        -*) die 2 "unknown flag $1; --help lists them" ;;
        *) break ;;
    esac
    case $1 in --all | --parallel) ;; *) flags="$flags $(quote "$1")" ;; esac
    shift
done
[ $# -gt 0 ] || [ -n "$clean" ] || { usage >&2; exit 2; }
tool=${1:-}
[ $# -eq 0 ] || shift
for number in "$cooldown" "$sample"; do
    case $number in '' | . | *[!0-9.]* | *.*.*) die 2 "'$number': a number of seconds is wanted" ;; esac
done
case $thermal_wait in '' | *[!0-9]*) die 2 "--thermal_wait=$thermal_wait: a whole number of seconds is wanted" ;; esac
case $sample in *[1-9]*) ;; *) sample=0 ;; esac
[ -z "$all" ] || [ -z "$chosen" ] || die 2 "--all is every device, -s $serial one of them"
[ -n "$all" ] || [ -z "$parallel" ] || die 2 "--parallel goes with --all"
case $base in /*) ;; *) die 2 "--device_dir=$base: begins with /" ;; esac
command -v adb >/dev/null || die 2 "adb is not here (Debian: apt install adb)"
tmp=$(mktemp -d) || exit 2
device_half=$(quote "$(cat "$here/adb_device.sh")") || exit 2
exec 3<&0 4>&1
trap interrupted INT TERM HUP
if [ -n "$all" ]; then every_device "$tool" "$@"; else one_device "$@"; fi
