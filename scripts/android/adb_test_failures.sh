# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034  # variables of adb_test.sh
# adb_test_failures.sh - parts of adb_test.sh: tools that hear no interrupt, two at once, devices that vanish, are full or lie.

# A tool that hears no interrupt: the third Ctrl-C ends it, and this.
deaf() {
    device 1
    printf '#!/bin/sh\ncase $* in *--list_flags*) printf "name\\tx\\n"; exit ;; esac\ntrap "" INT\necho begun\n%s\n' \
        'exec sleep 300' >"$tmp/bins/x86_64/deaf"
    chmod 755 "$tmp/bins/x86_64/deaf"
    begun begun deaf
    for _ in 1 2 3; do
        ctrl_c
        sleep 2
    done
    wait "$pid"
    ok 'three times Ctrl-C' test $? -eq 130
    ok 'three times Ctrl-C' says 'did not end by two interrupts'
    ok 'three times Ctrl-C leaves nothing' nothing_left
}

# What was pushed by half goes; the next run pushes it.
cut_push() {
    device 1 --slow
    rm -rf "$base"
    starts op_coverage "$model"
    n=0
    until [ -n "$(find "$base"/run-*/part -name op_coverage 2>/dev/null)" ] || [ $((n += 1)) -gt 200 ]; do sleep 0.1; done
    ok 'Ctrl-C during a push, which began' test "$n" -le 200
    ctrl_c
    wait "$pid"
    ok 'Ctrl-C during a push' test $? -eq 130
    ok 'Ctrl-C during a push leaves nothing' nothing_left
    device 1
    ok 'pushed after Ctrl-C' ends 0 op_coverage "$model"
    ok 'pushed after Ctrl-C' says 'x86_64): [2-9] pushed'
}

# Two on one device that has nothing yet, and a path as long as it may be.
at_once() {
    device 1
    rm -rf "$base"
    long=$tmp/$(printf %0200d 1)/$(printf %0200d 2)/$(printf %0200d 3)
    mkdir -p "$long"
    cp "$model" "$long/$(printf %0240d 4).tflite"
    for n in 1 2; do
        sh "$here/adb_run.sh" --device_dir="$base" op_coverage "$long/$(printf %0240d 4).tflite" --json="$tmp/at_once$n.json" \
            </dev/null >"$tmp/at_once$n" 2>&1 &
        pids="${pids:-} $!"
    done
    for pid in $pids; do
        wait "$pid"
        ok 'two at once' test $? -eq 0
    done
    for n in 1 2; do ok 'two at once' json "$tmp/at_once$n.json" 'r["tool"] == "op_coverage"'; done
    ok 'two at once leave nothing' nothing_left
}

failures() {
    device 1 --vanish-at=num_runs=1000000
    ok 'gone' ends 4 benchmark_model "$model" --num_runs=1000000 --min_secs=100
    ok 'gone' says 'went away while'
    rm -rf "$base"
    device 1 --vanish-after=100000
    ok 'gone while something is pushed' ends 4 op_coverage "$model"
    ok 'gone while something is pushed' one_line 'cannot push'
    rm -rf "$base"
    device 1 --room=100000
    ok 'full' ends 4 op_coverage "$model"
    ok 'full' one_line 'cannot push .*No space left'
    ok 'full' nothing_left
    device 1
    touch "$tmp/home1/file"
    base=$tmp/home1/file/dg
    ok 'read-only' ends 4 op_coverage "$model"
    ok 'read-only' one_line 'cannot make folders'
    device 1 --unauthorized
    ok 'unauthorized' ends 2 op_coverage "$model"
    ok 'unauthorized' one_line 'is not authorized'
}

hostile() {
    device 1
    # shellcheck disable=SC2016  # nothing is to be run
    for abi in '../../x' 'a b' '$(reboot)'; do
        echo "$abi" >"$tmp/home1/abi"
        ok "ABI $abi" ends 4 op_coverage "$model"
        ok "ABI $abi" one_line 'calls its ABI .*, which is none'
    done
    rm "$tmp/home1/abi"
}

# cut_off - a run whose connection goes; $left is what it left, $there the number of its tool, which goes on
cut_off() {
    : >"$tmp/home1/cmd"
    ok 'cut off' ends 4 --fixed_performance benchmark_model "$model" --num_runs=1000000 --min_secs=100
    left=$(find "$base" -maxdepth 1 -name 'run-*')
    ok 'cut off' says "went away while benchmark_model ran: .*; left on $serial, .*: $left, benchmark_model if it runs on, fixed-"
    n=0
    until [ -s "$left/pid" ] || [ $((n += 1)) -gt 100 ]; do sleep 0.1; done
    there=$(cat "$left/pid")
    ok 'cut off, but the tool goes on' kill -0 "$there"
    adb disconnect "$serial" >/dev/null
    adb connect "$serial" >/dev/null 2>&1
}

set_back() { [ "$(cat "$tmp/home1/cmd")" = "$(printf 'power set-fixed-performance-mode-enabled %s\n' true false)" ]; }

# A process that was killed is there for a moment longer, and may go between two questions about it.
ended() {
    n=0
    while kill -0 "$there" 2>/dev/null && [ "$(cut -d' ' -f3 "/proc/$there/stat" 2>/dev/null)" != Z ]; do
        [ $((n += 1)) -le 100 ] || return 1
        sleep 0.1
    done
}

left_over() {
    device 1 --vanish-at="adb_device.sh 'run'"
    cut_off
    ok 'clean after a run that was cut off' ends 0 --clean
    ok 'clean after a run that was cut off' test ! -e "$base"
    ok 'clean ends its tool' ended
    # What writes into the folder meanwhile keeps it from being removed at once.
    mkdir -p "$tmp/busy" "$tmp/run-busy"
    printf '#!/bin/sh\n[ -e "%s" ] || { : >"%s"; exit 1; }\nexec /bin/rm "$@"\n' "$tmp/busy/once" "$tmp/busy/once" >"$tmp/busy/rm"
    chmod 755 "$tmp/busy/rm"
    ok 'a folder that is written to yet goes' env PATH="$tmp/busy:$PATH" mksh "$here/adb_device.sh" undo "$tmp/run-busy"
    ok 'a folder that is written to yet goes' test ! -e "$tmp/run-busy"
    ok 'clean sets back what it changed' set_back
    cut_off
    device 1
    mkdir -p "$base/run-elsewhere-0-1" "$base/run-elsewhere-0-2"
    touch -d "3 days ago" "$base/run-elsewhere-0-1"
    touch -d "5 minutes ago" "$base/run-elsewhere-0-2"
    ok 'a run after one that was cut off' ends 0 op_coverage "$model"
    ok 'a run after one that was cut off' says "$serial: removed what a run that was cut off left, $left"
    ok 'the next run sets back what it changed' set_back
    ok 'what others left days ago goes, what may be in use stays' test "$(cd "$base" && echo run-*)" = run-elsewhere-0-2
    rmdir "$base/run-elsewhere-0-2"
}
