# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# shellcheck disable=SC2154  # variables of adb_run.sh
# adb_measure.sh - the part of adb_run.sh that has to do with measuring well: on which CPUs, how warm, at which clocks.

# Leaves in $mask what the device's taskset takes, which is tried.
settle_mask() {
    case $mask in
        big | little)
            mask=$(sed -n 's/^cpu=//p' "$tmp/probe" | awk -v which="$mask" '
                { khz[$1] = $2; if (NR == 1 || (which == "big" ? $2 > best : $2 < best)) best = $2 }
                END { for (c in khz) if (khz[c] == best) sum += 2 ^ c; if (NR) printf "%x", sum }')
            [ -n "$mask" ] || die 4 "$serial does not tell its CPUs' clocks: --taskset wants a MASK there"
            ;;
        *[!0-9a-fA-F]*) die 2 "--taskset=$mask: big, little or a mask in hexadecimal" ;;
        '') return ;;
    esac
    on_device "taskset $mask true 2>&1 || echo refused" >"$tmp/adb" 2>&1 || die 4 "$serial: $(why)"
    ! grep -q refused "$tmp/adb" || die 2 "--taskset=$mask: $serial refuses that: $(grep -v refused "$tmp/adb" | head -n 1)"
}

thermal_status() { on_device 'dumpsys thermalservice 2>/dev/null' | tr -d '\r' | sed -n 's/^Thermal Status: *//p' | head -n 1; }

wait_until_cool() {
    waited=0
    while heat=$(thermal_status) && [ "${heat:-0}" != 0 ] && [ "$waited" -lt "$thermal_wait" ]; do
        [ "$waited" -gt 0 ] || say "$serial: thermal status $heat, waiting until it is 0"
        sleep 1
        waited=$((waited + 1))
    done
    [ "${heat:-0}" = 0 ] || say "$serial is still warm (thermal status $heat) after $waited s"
}

# An interrupt meanwhile, which this shell hears afterwards, does not cut it off: it must be undone after it, not before.
set_up() {
    if [ -n "$fixed" ]; then
        (trap '' INT TERM HUP; on_device "$(half fixed "$run")") >"$tmp/adb" 2>&1 ||
            die 4 "$serial has no fixed-performance mode: $(tail -n 1 "$tmp/adb")"
    fi
    if [ -n "$root" ]; then
        (trap '' INT TERM HUP; on_device "$(half governors "$run")") >"$tmp/adb" 2>&1 ||
            die 4 "--root: $serial does not let root set its governors: $(tail -n 1 "$tmp/adb")"
    fi
}

# How it went: into $tmp/looks and $after, and what was throttled is said.
look_back() {
    on_device "cat $(quote "$run/looks") 2>/dev/null" | tr -d '\r' >"$tmp/looks"
    after=$(thermal_status)
    works=cpu
    ! grep -Eq "^(use_gpu$unit.*${unit}true|delegate$unit.*${unit}gpu)\$" "$tmp/given" || works=gpu
    judge >"$tmp/verdict"
    [ -z "${DELEGAUGE_GIVEN:-}" ] || cp "$tmp/verdict" "$DELEGAUGE_GIVEN.verdict"
    ! grep -q '^yes ' "$tmp/verdict" || say "$serial was throttled:$(sed 's/^yes//' "$tmp/verdict")"
}

judge() {   # judge [REPORT]
    awk -v serial="$serial" -v model="$(fact model)" -v android="$(fact android)" -v abi="$abi" -v screen="$(fact screen)" \
        -v before="$heat" -v after="$after" -v mask="$mask" -v fixed="${fixed:-0}" -v works="$works" -f "$here/adb_json.awk" \
        "$tmp/looks" "$@"
}

# What the device was and how it fared, into a JSON report.
add_device() {
    judge "$1" >"$tmp/judged" && mv "$tmp/judged" "$1"
}
