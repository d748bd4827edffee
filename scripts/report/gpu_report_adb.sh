# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# shellcheck disable=SC2154  # variables of gpu_report.sh
# gpu_report_adb.sh - the part of gpu_report.sh that runs on an Android device: the same folders there as here, and in the place of
# the programs scripts that start them there.

there_is() { adb -s "$serial" shell "$1" </dev/null 2>/dev/null | tr -d '\r'; }

# Leaves a device's name in $serial, or says what is wrong with it.
choose_device() {
    command -v adb >/dev/null || die 2 "adb is not here (Debian: apt install adb)"
    adb start-server >/dev/null 2>&1 3>&- </dev/null # which goes on, and must not hold what the caller reads
    [ -n "$serial" ] || serial=$(adb devices 2>/dev/null | awk 'NR > 1 && NF { print $1 }')
    case $serial in
    '') die 2 "no device: connect one with USB debugging on (adb devices shows none)" ;;
    *[!A-Za-z0-9._:-]*) die 2 "several devices, or an odd one: choose by --adb=SERIAL of adb devices" ;;
    esac
    [ "$(there_is 'echo here')" = here ] || die 2 "$serial does not answer: $(adb -s "$serial" get-state 2>&1 | tail -n 1)"
    # shellcheck disable=SC2034  # gpu_report.sh looks for it
    serial_there=$(there_is 'getprop ro.serialno')
}

push() {    # push PATH PATH-THERE
    adb -s "$serial" push "$1" "$there/$2" >adb.log 2>&1 </dev/null || die 4 "cannot push $(basename "$1"): $(tail -n 1 adb.log)"
}

on_the_device() {
    choose_device
    abi=$(there_is 'getprop ro.product.cpu.abi' | tr -cd 'A-Za-z0-9_-')
    bins=${bins:-$tree/build/android}/$abi
    for tool in $tools; do
        [ -e "$bins/$tool" ] || die 2 "$tool is not built for it: make android ABI=$abi ANDROID_NDK=DIR"
    done
    there=${DELEGAUGE_DEVICE_DIR:-/data/local/tmp}/delegauge-report-$$
    [ "$(there_is "mkdir -p $there/build/models $there/gpu_report $there/testdata && echo made")" = made ] ||
        die 4 "cannot make folders in ${there%/*} of the device"
    mkdir build || die 4 "no room for temporary files"
    ln -s "$build/models" build/ || die 4 "no room for temporary files"
    echo "gpu_report: pushing" >&2
    for folder in golden conformance gpu; do push "$tree/testdata/$folder" testdata/; done
    for model in "$build"/models/${ONLY:-*}.tflite; do push "$model" build/models/; done
    for tool in $tools; do
        push "$bins/$tool" build/
        # The tool's own number, by which an interrupt here reaches it. Words become words of the device's shell.
        cat >"build/$tool" <<END
#!/bin/sh
words=
for word; do words="\$words '\$(printf '%s' "\$word" | sed "s/'/'\\\\\\\\''/g")'"; done
exec adb -s '$serial' shell "cd $there && exec sh -c 'echo \\\$\\\$ >pid; exec \"\\\$@\"' sh build/$tool\$words" </dev/null
END
        chmod 755 "build/$tool" || die 4 "no room for temporary files"
    done
    there_is "cd $there && chmod 755 build/*" >/dev/null
}

bring() {    # bring PATH - the same one, from there
    adb -s "$serial" pull "$there/$1" "$1" >adb.log 2>&1 </dev/null || { tail -n 1 adb.log; return 2; }
}

off_the_device() { there_is "cd $there && kill \$(cat pid); rm -rf $there" >/dev/null; }

# What kind of device it is; nothing that tells one from another of its kind.
machine_there() {
    # shellcheck disable=SC2016  # expanded there
    there_is 'uname -srm; for p in ro.product.manufacturer ro.product.model ro.soc.model ro.board.platform ro.hardware.egl \
        ro.build.version.release ro.build.version.security_patch; do echo "$p $(getprop $p)"; done
        sed -n "s/^MemTotal: */memory /p" /proc/meminfo'
}
