# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034  # variables of adb_test.sh
# adb_test_measure.sh - parts of adb_test.sh: on which CPUs, how warm, at which clocks.

# CPU 1 is the fast one; the tool counts the CPUs that it may use.
masks() {
    for mask in 'little 1' '1 1' 'big 2' '2 2'; do
        [ "${mask#* }" -eq 1 ] || [ "$(nproc)" -gt 1 ] || continue
        ok "mask $mask" ends 0 --taskset="${mask% *}" --thermal_wait=0 op_coverage "$model" --json="$tmp/mask.json"
        ok "mask $mask" json "$tmp/mask.json" "adb['cpu_mask'] == '${mask#* }' and r['environment']['cores'] == 1"
        ok "mask $mask, the clock of its CPU" json "$tmp/mask.json" \
            "{look['cpu_khz'] for look in adb['looks']} == {500000 + 500000 * ${mask#* }}"
    done
}

# Where drivers show the clock of a GPU.
gpu_clocks() {
    mkdir -p "$tmp/clock_run"
    for path in class/kgsl/kgsl-3d0/gpuclk class/devfreq/3d00000.qcom,kgsl-3d0/cur_freq class/devfreq/13000000.mali/cur_freq \
        class/devfreq/fde60000.gpu/cur_freq class/misc/mali0/device/devfreq/x/cur_freq kernel/gpu/gpu_clock; do
        rm -rf "$tmp/clocks"
        mkdir -p "$tmp/clocks/${path%/*}"
        echo 123 >"$tmp/clocks/$path"
        DELEGAUGE_SYS=$tmp/clocks mksh "$here/adb_device.sh" run "$tmp/clock_run" '' 1 true
        ok "clock in $path" grep -q '^[0-9.]* - 123 -$' "$tmp/clock_run/looks"
    done
}

measuring() {
    device 1
    # Warm until it has been asked three times.
    echo 3 >"$tmp/home1/warm"
    ok 'waits until it is cool' ends 0 --thermal_wait=300 op_coverage "$model" --json="$tmp/cool.json"
    ok 'waits until it is cool' says 'thermal status 2, waiting'
    ok 'cool before the run' json "$tmp/cool.json" 'adb["thermal_status"] == {"before": 0, "after": 0}'
    echo 100 >"$tmp/home1/warm"
    ok 'does not wait for ever' ends 0 --thermal_wait=1 op_coverage "$model" --json="$tmp/cool.json"
    ok 'does not wait for ever' says 'still warm (thermal status 2) after 1 s'
    ok 'warm before the run' json "$tmp/cool.json" 'adb["thermal_status"]["before"] == 2'
    rm "$tmp/home1/warm"
    ok 'cooldown' ends 0 --cooldown=0.25 op_coverage "$model"
    ok 'cooldown' grep -qx 0.25 "$tmp/slept"
    echo Asleep >"$tmp/home1/screen"
    rm -f "$tmp/home1/cmd"
    ok 'fixed performance' ends 0 --fixed_performance --taskset=big op_coverage "$model"
    ok 'fixed performance, and back' \
        test "$(cat "$tmp/home1/cmd")" = "$(printf 'power set-fixed-performance-mode-enabled %s\n' true false)"
    ok 'screen' says 'the screen is off'
    rm "$tmp/home1/screen"
    masks
    ok 'bad mask' ends 2 --taskset=xyz op_coverage "$model"
    for mask in 0 40000000; do
        ok "mask $mask of no CPU" ends 2 --taskset=$mask op_coverage "$model"
        ok "mask $mask of no CPU" one_line "--taskset=$mask: 127.0.0.1:[0-9]* refuses that: taskset: "
    done
    ok 'root is not asked unless --root says so' test ! -e "$tmp/home1/su"
    ok 'no root' ends 4 --root op_coverage "$model"
    ok 'no root' says 'does not let root'
    touch "$tmp/home1/rooted"
    ok 'root' ends 0 --root op_coverage "$model"
    ok 'governors as before' grep -qx schedutil "$tmp/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor"
}

# looks CPU GPU CPU GPU - 8 looks of which 6 were during the run: clocks of its first third and of its last.
looks() {
    echo '0.0 300 300 -'
    for i in 1 2 3; do echo "0.$i $1 $2 40"; done
    for i in 4 5 6; do echo "0.$i $3 $4 40"; done
    echo '0.7 300 300 -'
}

# What had the work counts.
throttling() {
    for clocks in '2000 500 1900 500 cpu false' '2000 500 1600 500 cpu true' '2000 500 2000 300 cpu false' \
        '2000 500 300 500 gpu false' '2000 500 300 400 gpu true' '- 500 - 500 cpu none'; do
        # shellcheck disable=SC2086
        set -- $clocks
        looks "$@" >"$tmp/looks"
        printf '{"environment": {\n"adb":\tnull\n}}\n' >"$tmp/report"
        awk -v serial=s -v works="$5" -f "$here/adb_json.awk" "$tmp/looks" "$tmp/report" >"$tmp/device.json"
        ok "clocks $clocks" json "$tmp/device.json" "adb['throttled'] is $(echo "$6" | sed 's/^./\u&/')"
    done
    looks 2000 500 1600 500 >"$tmp/looks"
    ok 'in words' test "$(awk -v before=0 -v after=2 -f "$here/adb_json.awk" "$tmp/looks")" = \
        'yes thermal status 0 before and 2 after it, CPU clock 20 % lower at its end'
}

# A run as long as it is where nobody says how long: enough looks to see that its clock falls.
default_length() {
    device 1
    cp "$tmp/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq" "$tmp/as_before"
    begun 'Running benchmark for at least 50' benchmark_model "$model" --json="$tmp/default.json"
    echo 1000000 >"$tmp/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq"
    wait "$pid"
    ok 'default length' test $? -eq 0
    ok 'default length, a lower clock' json "$tmp/default.json" '0.33 < adb["clock_lost"]["cpu"] < 0.34 and adb["throttled"]'
    ok 'default length, a lower clock is said' says "^adb_run: $serial was throttled: CPU clock 33 % lower at its end"
    ok 'the times of looks' json "$tmp/default.json" '1 < adb["looks"][-1]["seconds"] < 60 and adb["looks"][1]["seconds"] < 1'
    cp "$tmp/as_before" "$tmp/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq"
}
