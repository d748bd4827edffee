# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034  # variables of adb_test.sh
# adb_test_device.sh - the device of adb_test.sh: Android's own commands beside toybox's, what /sys says, and the stand-in itself.

# own NAME - a command of Android's own, from standard input; it comes before toybox's.
own() {
    { echo '#!/bin/sh'; cat; } >"$tmp/own/$1"
    chmod 755 "$tmp/own/$1"
}

commands() {
    mkdir "$tmp/own" "$tmp/toybox"
    for command in $(toybox); do ln -s "$(command -v toybox)" "$tmp/toybox/$command"; done
    ln -s "$(command -v mksh)" "$tmp/own/sh"
    own getprop <<'END'
case $1 in
    ro.product.cpu.abi) cat "$HOME/abi" 2>/dev/null || echo x86_64 ;;
    ro.product.model) echo 'Stand-in "5"' ;;
    ro.build.version.release) echo 14 ;;
    ro.serialno) echo SERIAL-5B2F ;;
esac
END
    own dumpsys <<'END'
case $1 in
    thermalservice)
        # A device that a run makes warm.
        [ ! -e "$HOME/heats" ] || { echo "Thermal Status: $(cat "$HOME/heats")"; echo 1 >"$HOME/heats"; exit; }
        warm=$(cat "$HOME/warm" 2>/dev/null || echo 0)
        [ "$warm" -eq 0 ] || echo $((warm - 1)) >"$HOME/warm"
        echo "Thermal Status: $((warm > 0 ? 2 : 0))"
        ;;
    power) echo "  mWakefulness=$(cat "$HOME/screen" 2>/dev/null || echo Awake)" ;;
esac
END
    own cmd <<'END'
[ ! -e "$HOME/slow" ] || { touch "$HOME/begun.cmd"; sleep 2; }
echo "$@" >>"$HOME/cmd"
END
    own su <<'END'
echo asked >>"$HOME/su"
[ -e "$HOME/rooted" ] || { echo 'su: not found'; exit 127; }
[ ! -e "$HOME/slow" ] || { touch "$HOME/begun.su"; sleep 2; }
shift
exec "$@"
END
}

# Two CPUs, a GPU and a thermal zone.
machine() {
    for cpu in 0 1; do
        mkdir -p "$tmp/sys/devices/system/cpu/cpu$cpu/cpufreq"
        echo $((1000000 + cpu * 500000)) | tee "$tmp/sys/devices/system/cpu/cpu$cpu/cpufreq/cpuinfo_max_freq" \
            >"$tmp/sys/devices/system/cpu/cpu$cpu/cpufreq/scaling_cur_freq"
        echo schedutil >"$tmp/sys/devices/system/cpu/cpu$cpu/cpufreq/scaling_governor"
    done
    mkdir -p "$tmp/sys/class/kgsl/kgsl-3d0" "$tmp/sys/class/thermal/thermal_zone0"
    echo 680000000 >"$tmp/sys/class/kgsl/kgsl-3d0/gpuclk"
    echo 41500 >"$tmp/sys/class/thermal/thermal_zone0/temp"
}

# device N [FLAG...] - stand-in N, anew; $serial is its name.
device() {
    number=$1
    shift
    [ ! -s "$tmp/serial.$number" ] || adb disconnect "$(cat "$tmp/serial.$number")" >/dev/null
    [ ! -s "$tmp/pid.$number" ] || kill "$(cat "$tmp/pid.$number")"
    mkdir -p "$tmp/home$number"
    : >"$tmp/port"
    python3 "$here/adb_stand_in.py" --root="$tmp/home$number" --path="$tmp/own:$tmp/toybox" --shell="$(command -v mksh)" "$@" \
        >"$tmp/port" 2>"$tmp/stand_in.$number" &
    echo $! >"$tmp/pid.$number"
    until [ -s "$tmp/port" ]; do sleep 0.05; done
    serial=127.0.0.1:$(cat "$tmp/port")
    echo "$serial" >"$tmp/serial.$number"
    base=$tmp/home$number/dg
    adb connect "$serial" >/dev/null 2>&1
}
