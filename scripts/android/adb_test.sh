#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# adb_test.sh BUILD - adb_run.sh with the real adb client against adb_stand_in.py: what is pushed and pulled, statuses, failures.
#
# The stand-in runs commands in mksh with toybox's commands alone, as Android has them; its own adb server listens on a port of its
# own. The last line is "N passed, N failed, N skipped".
set -u
build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd) || exit 1
passed=0 failed=0 skipped=0
for command in adb mksh toybox python3; do
    command -v "$command" >/dev/null || {
        echo "NOT RUN (adb): there is no $command (Debian package $command)"
        echo '0 passed, 0 failed, 1 skipped'
        exit 0
    }
done
tmp=$(mktemp -d) || exit 1
ANDROID_ADB_SERVER_PORT=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
HOME=$tmp
DELEGAUGE_ANDROID=$tmp/bins
DELEGAUGE_SYS=$tmp/sys
export ANDROID_ADB_SERVER_PORT HOME DELEGAUGE_ANDROID DELEGAUGE_SYS
unset ANDROID_SERIAL
trap 'adb kill-server >/dev/null 2>&1; kill $(cat "$tmp"/pid.*) 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
out=$tmp/out

# shellcheck source=scripts/android/adb_test_device.sh
. "$here/adb_test_device.sh"
# shellcheck source=scripts/android/adb_test_failures.sh
. "$here/adb_test_failures.sh"
# shellcheck source=scripts/android/adb_test_measure.sh
. "$here/adb_test_measure.sh"

adb_run() { sh "$here/adb_run.sh" --device_dir="$base" "$@" </dev/null >"$out" 2>"$tmp/err"; }

# ---- checks

ok() {      # ok WHAT COMMAND...
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $what: $*"
        tail -n 5 "$out" "$tmp/err"
    fi
}

ends() {    # ends STATUS FLAG... - runs it
    wanted=$1
    shift
    adb_run "$@"
    [ $? -eq "$wanted" ]
}

without_environment() { (unset DELEGAUGE_ANDROID && adb_run "$@"); }

says() { grep -q -e "$1" "$tmp/err"; }          # on standard error
one_line() { [ "$(grep -c '^adb_run:' "$tmp/err")" -eq 1 ] && says "$1"; }
prints() { grep -q -e "$1" "$out"; }
nothing_left() { [ -z "$(find "$base" -maxdepth 1 -name 'run-*')" ]; }

# json FILE EXPRESSION - Python's, of r, the report, and adb, what it has of the device
json() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
adb = r["environment"]["adb"] if "environment" in r else None
sys.exit(not eval(sys.argv[2]))' "$1" "$2"
}

no_device() {
    base=$tmp/dg
    PATH=$tmp/few sh "$here/adb_run.sh" op_coverage x 2>"$tmp/err"
    ok 'no adb' test $? -eq 2
    ok 'no adb' one_line 'adb is not here'
    ok 'no device' ends 2 op_coverage "$model"
    ok 'no device' one_line 'no device: connect one'
    ok 'unknown flag' ends 2 --taskest=big op_coverage "$model"
    ok 'no number' ends 2 --cooldown=x op_coverage "$model"
    ok 'no whole number' ends 2 --thermal_wait=1.5 op_coverage "$model"
    ok 'no whole number' one_line '--thermal_wait=1.5: a whole number'
    ok 'parallel of one' ends 2 --parallel op_coverage "$model"
    ok 'parallel of one' one_line '--parallel goes with --all'
    ok 'all and one' ends 2 --all -s here op_coverage "$model"
    ok 'all and one' one_line '--all is every device, -s here one'
}

files() {
    device 1
    ok 'first run' ends 0 op_coverage "$model"
    ok 'first run pushes tool and model' says 'x86_64): 2 pushed'
    ok 'second run' ends 0 op_coverage "$model"
    ok 'second run pushes nothing' says 'x86_64): 0 pushed'
    # Another name of its graph, in as many bytes.
    sed 's/main/niam/' "$model" >"$tmp/same_size.tflite"
    ok 'a model of the same size' test "$(wc -c <"$model")" -eq "$(wc -c <"$tmp/same_size.tflite")"
    cp "$tmp/same_size.tflite" "$model"
    ok 'changed model' ends 0 op_coverage "$model"
    ok 'changed at equal size it is pushed again' says 'x86_64): 1 pushed'
    mkdir "$tmp/it's a \$HOME folder"
    cp "$model" "$tmp/it's a \$HOME folder/a b;c.tflite"
    ok 'odd names' ends 0 op_coverage "$tmp/it's a \$HOME folder/a b;c.tflite"
    ok 'odd names' prints 'a b;c.tflite'
    cp "$model" "$tmp/it's a \$HOME folder/-x.tflite"
    (cd "$tmp/it's a \$HOME folder" && ends 0 op_coverage --graph=-x.tflite --json=-r.json && [ -s ./-r.json ])
    ok 'names that begin with a dash' test $? -eq 0
    ok 'newline in a name' ends 2 op_coverage "$model" --json="$tmp/a
b.json"
    ok 'newline in a name' one_line 'a?b.json: a newline in the name'
    ok 'missing file' ends 2 op_coverage "$tmp/nope/../nope.tflite" # an absolute path may be the device's
    ok 'missing file' says 'taken for a path on the device'
    ok 'missing file of here' ends 2 op_coverage nope.tflite
    ok 'missing file of here' one_line 'nope.tflite: no such file'
    ok 'bad flag of the tool' ends 2 op_coverage "$model" --graf=x
    ok 'bad flag of the tool' says 'unknown flag --graf'
    ok 'help of the tool' ends 0 op_coverage --help
    ok 'help of the tool' prints '^usage: '
    ok 'unknown tool' ends 2 no_tool
    ok 'unknown tool' one_line 'no no_tool for x86_64 in .*bins: make android'
    printf '\177ELF of no machine\0' >"$tmp/bins/x86_64/broken"
    chmod 755 "$tmp/bins/x86_64/broken"
    (mkdir "$tmp/elsewhere" && cd "$tmp/elsewhere" && without_environment no_tool)
    ok 'unknown tool, the folders of sources' one_line \
        "no no_tool for x86_64 in $tmp/elsewhere/build/android or ${here%/*/*}/build/a"
    ok 'no program of that machine' ends 4 broken "$model"
    ok 'no program of that machine' one_line 'broken does not run on 127.0.0.1:[0-9]*: .*not executable'
    ok 'requirement not met' ends 1 op_coverage "$tmp/models/custom.tflite" --require=full
    # What something cut off on the device is pushed again, and runs.
    find "$base/store" -name chain.tflite -exec truncate -s 0 {} +
    ok 'a model that was cut off' ends 0 op_coverage "$model"
    ok 'a model that was cut off is pushed' says 'x86_64): 1 pushed'
    ok 'a model that was cut off, once' ends 0 op_coverage "$model"
    ok 'a model that was cut off, once' says 'x86_64): 0 pushed'
    ok 'a run that fails' ends 4 benchmark_model "$model" --use_dummy_delegate --dummy_delegate_options=fail:invoke
}

# Links are followed, also where what they lead to changes; files among the names of --rules are pushed.
links_and_lists() {
    mkdir "$tmp/links"
    printf 'rules mine\nevery\nno DRIVER: not here\n' >"$tmp/mine.rules"
    ln -s "$model" "$tmp/links/a.tflite"
    ok 'folder of links, own rules' ends 0 op_coverage "$tmp/links" --rules="$tmp/mine.rules,tflite-gpu" --json="$tmp/.links.json"
    ok 'own rules' json "$tmp/.links.json" 'r["models"][0]["node_count"] == 2 and r["models"][0]["covered"] == 0'
    ln -sf "$tmp/models/custom.tflite" "$tmp/links/a.tflite"
    (cd "$tmp/links" && ends 1 op_coverage . --require=full)
    ok 'links to another file' test $? -eq 0
    ends 1 op_coverage "$tmp/links" --require=full
    find "$base/store" -name a.tflite -exec truncate -s 9 {} +
    ok 'a folder that was cut off' ends 1 op_coverage "$tmp/links" --require=full
    ok 'a folder that was cut off is pushed' says 'x86_64): 1 pushed'
    ok 'a folder that was cut off, once' ends 1 op_coverage "$tmp/links" --require=full
    ok 'a folder that was cut off, once' says 'x86_64): 0 pushed'
    mkdir "$tmp/a::b"
    head -c 16 /dev/zero >"$tmp/a::b/in.bin"
    ok 'values by name' ends 0 --thermal_wait=0 benchmark_model "$model" --num_runs=1 --min_secs=0 --warmup_runs=0 \
        --input_layer_value_files="x:$tmp/a::b/in.bin"
    ok 'a model in a bundle' ends 0 op_coverage "$tmp/models/pair.task#PRODUCT"
    ok 'a model in a bundle' prints 'pair.task#PRODUCT (bytes='
    cp "$tmp/models/outside.bin" "$tmp/a::b/weights.bin"
    ok 'weights outside of the model' ends 0 op_coverage "$tmp/models/outside.tflite" --weights="$tmp/a::b/weights.bin:outside.bin"
    echo 'no library' >"$tmp/one.so"
    echo 'nor is this' >"$tmp/two.so"
    DELEGAUGE_GIVEN=$tmp/given
    export DELEGAUGE_GIVEN
    ok 'a flag that stands twice' ends 4 op_coverage "$model" --external_delegate_path="$tmp/one.so" --use_dummy_delegate \
        --external_delegate_options= --external_delegate_path="$tmp/two.so" --external_delegate_options=a:b
    unset DELEGAUGE_GIVEN
    ok 'both files are pushed' says 'x86_64): 2 pushed'
    ok 'the first is loaded first' says 'one.so: .*too short'
    ok 'all in their order' test "$(cut -d"$(printf '\037')" -f1 "$tmp/given" | grep . | tr '\n' ' ')" = \
        'external_delegate_path use_dummy_delegate external_delegate_options external_delegate_path external_delegate_options '
    mkdir "$tmp/libs"
    cc -fPIC -shared -o "$tmp/libs/libtensorflowlite_c.so" "$here/../../testdata/runtimes/tensorflowlite_c.c" &&
        cp "$tmp/one.so" "$tmp/libs/libtensorflowlite_other.so" && cp "$tmp/one.so" "$tmp/libs/libpng.so"
    ok 'a library of a runtime runs there' ends 0 inference_diff "$tmp/models/add.tflite" --num_runs=1 \
        --tflite_lib="$tmp/libs/libtensorflowlite_c.so"
    there=$(find "$base/store" -name libtensorflowlite_c.so | head -n 1)
    ok 'it has its neighbours' test -e "${there%/*}/libtensorflowlite_other.so"
    ok 'and no others' test -z "$(find "$base/store" -name libpng.so)"
    mkdir "$tmp/folder"
    ok 'a folder in the place of a file' ends 2 op_coverage "$model" --json="$tmp/folder"
    ok 'a folder in the place of a file' one_line "$tmp/folder is a folder"
}

outputs() {
    echo '{"num_runs": 3, "min_secs": 0, "warmup_min_secs": 0, "cpu_kernels": "reference"}' >"$tmp/config.json"
    ok 'report' ends 0 --sample=1 --thermal_wait=0 benchmark_model "$model" --config="$tmp/config.json" --json="$tmp/r.json" \
        --output_dir="$tmp/outputs" --html="$tmp/r.html"
    ok 'flags of --config' json "$tmp/r.json" 'r["parameters"]["num_runs"] == 3 and r["parameters"]["cpu_kernels"] == "reference"'
    ok 'the device in the report' json "$tmp/r.json" 'adb["model"] == "Stand-in \"5\"" and adb["android"] == "14"'
    odd=$(printf '%s/a\\t\tb.json' "$tmp")
    ok 'report of an odd name' ends 0 --thermal_wait=0 op_coverage "$model" --delegate=none --json="$odd"
    ok 'the device in the report of an odd name' json "$odd" 'adb["android"] == "14"'
    ok 'samples' json "$tmp/r.json" 'len(adb["looks"]) >= 2 and adb["looks"][0]["gpu_clock"] == 680000000'
    ok 'samples' json "$tmp/r.json" 'adb["looks"][-1]["hottest_celsius"] == 41.5 and adb["throttled"] is None'
    ok 'schema' python3 "$here/../test/json_check.py" "$here/../../schema/json/report.schema.json" "$tmp/r.json" >"$out"
    ok 'folder of outputs' test -s "$tmp/outputs/output_0.bin"
    ok 'page' test -s "$tmp/r.html"
    ok 'binaries elsewhere, a profile' without_environment --bins="$tmp/bins" --thermal_wait=0 benchmark_model "$model" \
        --num_runs=2 --min_secs=0 --warmup_min_secs=0 --enable_op_profiling --profiling_output_csv_file="$tmp/profile.csv"
    ok 'a profile' grep -q 'RELU\|ADD' "$tmp/profile.csv"
    ok 'report on standard output' ends 0 op_coverage "$model" --json=-
    ok 'report on standard output' json "$out" 'r["tool"] == "op_coverage" and adb["android"] == "14" and adb["looks"]'
    cp "$tmp/outputs/output_0.bin" "$tmp/in.bin"
    ok 'folder that is not there' ends 2 op_coverage "$model" --json="$tmp/nope/r.json"
    ok 'folder that is not there' one_line "no folder $tmp/nope"
    ok 'nothing is left' nothing_left
}

# starts FLAG... - starts adb_run.sh as a terminal does, which a shell does not, as what it starts in the background ignores SIGINT.
# begun WORD FLAG... - also waits for the word. ctrl_c: what the terminal sends.
starts() {
    : >"$out"
    python3 -c 'import os, signal, sys
os.setsid()
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' sh "$here/adb_run.sh" --device_dir="$base" "$@" >"$out" 2>"$tmp/err" </dev/null &
    pid=$!
}

begun() {
    word=$1
    shift
    starts "$@"
    n=0
    until prints "$word" || [ $((n += 1)) -gt 600 ]; do sleep 0.1; done
}

ctrl_c() { kill -s INT -- "-$pid"; }

# interrupt FLAG [SUFFIX] - with a flag of adb_run.sh; SUFFIX of what is written then
interrupt() {
    begun 'Running benchmark for at least 1000000' "$1" benchmark_model "$model" --num_runs=1000000 --min_secs=100 \
        --json="$tmp/cut.json"
    ctrl_c
    wait "$pid"
    ok "Ctrl-C $1" test $? -eq 130
    ok "Ctrl-C $1 reaches the tool, whose results come" json "$tmp/cut.json${2:-}" 'r["interrupted"]'
    ok "Ctrl-C $1 leaves nothing" nothing_left
}

interrupts() {
    : >"$tmp/home1/cmd"
    interrupt --fixed_performance
    ok 'Ctrl-C, and fixed performance goes' test "$(tail -n 1 "$tmp/home1/cmd")" = 'power set-fixed-performance-mode-enabled false'
    interrupt --all ".$serial"
    : >"$tmp/home1/cmd"
    set_up_interrupted cmd --fixed_performance
    ok 'Ctrl-C while fixed performance is set' \
        test "$(cat "$tmp/home1/cmd")" = "$(printf 'power set-fixed-performance-mode-enabled %s\n' true false)"
    touch "$tmp/home1/rooted"
    set_up_interrupted su --root
    ok 'Ctrl-C while governors are set' grep -qx schedutil "$tmp/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor"
    rm "$tmp/home1/rooted"
}

# set_up_interrupted COMMAND FLAG - Ctrl-C while the device's command, which takes two seconds for it, does what the flag wants
set_up_interrupted() {
    echo 1 >"$tmp/home1/slow"
    starts "$2" op_coverage "$model"
    n=0
    until [ -e "$tmp/home1/begun.$1" ] || [ $((n += 1)) -gt 200 ]; do sleep 0.1; done
    ctrl_c
    wait "$pid"
    ok "Ctrl-C while $1 is at it" test $? -eq 130 -a -e "$tmp/home1/begun.$1"
    ok "Ctrl-C while $1 is at it leaves nothing" nothing_left
    rm -f "$tmp/home1/slow" "$tmp/home1/begun.$1"
}

# Programs of arm64, by QEMU in the place of a phone.
arm64() {
    programs=
    root=$(pwd)/build/sysroot/aarch64-linux-gnu
    [ -d "$root" ] || root=/
    for programs in "$build/aarch64-linux-gnu" "$build/aarch64-linux-musl" ''; do [ ! -x "$programs/op_coverage" ] || break; done
    qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
    if [ -z "$programs" ] || [ -z "$qemu" ]; then
        echo 'NOT RUN (adb arm64): it wants make CROSS=aarch64-linux-gnu- test-programs, and qemu-user-static'
        skipped=$((skipped + 1))
        return
    fi
    device 1
    mkdir -p "$tmp/bins/arm64-v8a"
    for tool in benchmark_model inference_diff op_coverage; do
        printf '#!/bin/sh\nexec %s -L %s %s "$@"\n' "$qemu" "$root" "$programs/$tool" >"$tmp/bins/arm64-v8a/$tool"
        chmod 755 "$tmp/bins/arm64-v8a/$tool"
    done
    echo arm64-v8a >"$tmp/home1/abi"
    ok 'arm64' ends 0 --thermal_wait=0 benchmark_model "$model" --num_runs=2 --min_secs=0 --warmup_min_secs=0 --json="$tmp/arm.json"
    ok 'arm64' says 'arm64-v8a): [1-3] pushed'
    ok 'arm64 in the report' json "$tmp/arm.json" 'adb["abi"] == "arm64-v8a"'
    ok 'arm64, a comparison' ends 0 --thermal_wait=0 inference_diff "$model" --delegate= --json="$tmp/arm.json"
    ok 'arm64, status 1' ends 1 op_coverage "$tmp/models/custom.tflite" --require=full
    ok 'arm64, status 2' ends 2 op_coverage "$model" --graf=x
    ok 'arm64, status 4' ends 4 benchmark_model "$model" --use_dummy_delegate --dummy_delegate_options=fail:invoke
    ok 'arm64 leaves nothing' nothing_left
    rm "$tmp/home1/abi"
}

# adb_run.sh as it is installed, and programs where that looks, here, and in what make android-dist packs.
installed() {
    device 1
    mkdir -p "$tmp/opt/share/delegauge" "$tmp/cwd/build" "$tmp/cjson" "$tmp/packed"
    cp "$here"/adb_run.sh "$here"/adb_all.sh "$here"/adb_device.sh "$here"/adb_measure.sh "$here"/adb_json.awk \
        "$tmp/opt/share/delegauge"
    ok 'installed' from_there 2
    ok 'installed, no program' one_line \
        "no op_coverage for x86_64 in $tmp/cwd/build/android or $tmp/opt/lib/delegauge/android: make android ABI=x86_64"
    mkdir -p "$tmp/opt/lib/delegauge"
    ln -s "$tmp/bins" "$tmp/opt/lib/delegauge/android"
    ok 'installed, programs there' from_there 0
    rm "$tmp/opt/lib/delegauge/android"
    ln -s "$tmp/bins" "$tmp/cwd/build/android"
    ok 'installed, programs here' from_there 0
    printf '/* a notice */\n#define CJSON_VERSION_MAJOR 1\n' >"$tmp/cjson/cJSON.h"
    ln -s "$build/op_coverage" "$tmp/packed/"
    (cd "$here/../.." && VERSION=1.2 CJSON=$tmp/cjson python3 scripts/package/dist.py --android x86_64 "$tmp/packed" "$tmp/rel") \
        >"$out"
    ok 'a tarball' test $? -eq 0
    ok 'programs in a tarball' ends 0 --bins="$tmp/rel/delegauge-1.2-android-x86_64.tar.gz" op_coverage "$model"
    ok 'none in a tarball' ends 2 --bins="$tmp/rel/delegauge-1.2-android-x86_64.tar.gz" no_tool
    ok 'none in a tarball' one_line "no no_tool for x86_64 in $tmp/rel/delegauge-1.2-android-x86_64.tar.gz: make android"
    head -c 100000 "$tmp/rel/delegauge-1.2-android-x86_64.tar.gz" >"$tmp/half.tar.gz"
    ok 'half a tarball' ends 2 --bins="$tmp/half.tar.gz" op_coverage "$model"
    ok 'half a tarball' one_line "cannot unpack $tmp/half.tar.gz"
}

from_there() {  # from_there STATUS
    (cd "$tmp/cwd" && unset DELEGAUGE_ANDROID &&
        sh "$tmp/opt/share/delegauge/adb_run.sh" --device_dir="$base" op_coverage "$model") </dev/null >"$out" 2>"$tmp/err"
    [ $? -eq "$1" ]
}

# What `litert benchmark --android` (litert-cli 0.2.1) sends, flag by flag, with all that it has but those of an NPU; its folder
# is no other program's.
litert() {
    device 1
    root=$tmp/home1/litert_cli
    to="adb -s $serial"
    {
        $to shell mkdir -p "$root" &&
            $to push "$model" "$root/model.tflite" &&
            $to shell stat -c %s "$root/model.tflite" &&
            $to push "$(readlink -f "$build/benchmark_model")" "$root/benchmark_model" &&
            $to shell chmod +x "$root/benchmark_model" &&
            $to shell "$root/benchmark_model --graph=$root/model.tflite"
    } >"$out" 2>"$tmp/err" </dev/null
    ok 'litert benchmark --android' test $? -eq 0
    ok 'litert benchmark --android' prints 'Inference timings in us: Init: '
    $to shell "$root/benchmark_model --graph=$root/model.tflite --num_runs=3 --warmup_runs=2 --min_secs=0.1 --max_secs=5.0 \
--warmup_min_secs=0.1 --input_layer_value_range='x,0,1'" >"$out" 2>"$tmp/err" </dev/null
    ok 'litert benchmark --android with its flags' test $? -eq 0
    ok 'litert benchmark --android with its flags' prints 'Inference timings in us: Init: '
    # What of it its user sees: lines with two of these, where a delegate took something.
    ok 'litert benchmark --android shows nothing of the CPU' test -z "$(litert_shows)"
    $to shell "$root/benchmark_model --graph=$root/model.tflite --use_gpu=true" >"$out" 2>"$tmp/err" </dev/null
    status=$?
    if "$build/benchmark_model" --list_gpus >/dev/null 2>&1; then
        ok 'litert benchmark --android --gpu' test $status -eq 0
        ok 'litert benchmark --android --gpu shows what it took' test "$(litert_shows | grep -c '2 out of 2')" -eq 1
    else
        ok 'litert benchmark --android --gpu without a GPU' test $status -ne 0
    fi
    $to shell "$root/benchmark_model --graph=$root/model.tflite --signature_to_run_for=none" >"$out" 2>"$tmp/err" </dev/null
    ok 'litert benchmark --android of a signature that is not there' test $? -ne 0
}

litert_shows() {
    cat "$out" "$tmp/err" | grep -e benchmark_litert_model -e compiler_plugin.cc -e 'Replacing.*node(s) with delegate'
}

# gpu_report.sh on the device; without a GPU it says so.
report() {
    device 2 --unauthorized
    device 1
    DELEGAUGE_DEVICE_DIR=$tmp/home1/local_tmp
    export DELEGAUGE_DEVICE_DIR
    mkdir -p "$tmp/here/models" "$DELEGAUGE_DEVICE_DIR"
    cp "$model" "$tmp/here/models/mobilenet_v1_tiny.tflite"     # by its name the one that --quick takes
    touch "$tmp/here/models/.done"
    sh "$here/../report/gpu_report.sh" --quick --adb --out="$tmp/report.tar.gz" "$tmp/here" </dev/null \
        >"$out" 2>"$tmp/err"
    ok 'report of several' test $? -eq 2
    ok 'report of several' grep -q 'several devices' "$tmp/err"
    sh "$here/../report/gpu_report.sh" --quick --adb="$serial" --out="$tmp/report.tar.gz" "$tmp/here" </dev/null \
        >"$out" 2>"$tmp/err"
    status=$?
    if ! "$build/benchmark_model" --list_gpus >/dev/null 2>&1; then
        ok 'report without a GPU' test $status -eq 3
        return
    fi
    ok 'report' test $status -eq 0
    ok 'report of all' report_is_whole
    ok 'no serial number in the report' test -z "$(grep -rlF -e SERIAL-5B2F -e "$serial" -e "$tmp" "$tmp/sent")"
    mkdir -p "$tmp/fakes/x86_64"
    printf '#!/bin/sh\necho "GPU of SERIAL-5B2F"\necho {} >gpu_report/limits.json\n' |
        tee "$tmp/fakes/x86_64/benchmark_model" "$tmp/fakes/x86_64/gpu_limits" >"$tmp/fakes/x86_64/opcheck"
    DELEGAUGE_ANDROID=$tmp/fakes sh "$here/../report/gpu_report.sh" --quick --adb="$serial" --out="$tmp/leak.tar.gz" "$tmp/here" \
        >"$out" 2>"$tmp/err" </dev/null
    ok 'a serial number is seen' test $? -eq 4 -a ! -e "$tmp/leak.tar.gz"
    ok 'a serial number is seen' grep -q ':SERIAL-5B2F: a name of this machine' "$tmp/err"
    ok 'report leaves nothing on the device' test -z "$(ls "$DELEGAUGE_DEVICE_DIR")"
}

report_is_whole() {
    mkdir "$tmp/sent" && tar -xzf "$tmp/report.tar.gz" --strip-components=1 -C "$tmp/sent" || return 1
    for file in device machine limits operators conformance models tuned; do
        grep -q '^exit status 0$' "$tmp/sent/$file.txt" || { cat "$tmp/sent/$file.txt"; return 1; }
    done
    grep -q '^ro.product.model Stand-in' "$tmp/sent/machine.txt" && grep -q '^mobilenet_v1_tiny *[0-9.]* *[0-9.]* *[0-9.]' \
        "$tmp/sent/models.txt" && grep -q mad_fp32 "$tmp/sent/limits.json"
}

in_parallel() {
    if command -v parallel >/dev/null; then
        ok 'all at once' ends 0 --all --parallel --thermal_wait=0 op_coverage "$model" --json="$tmp/all.json"
        ok 'all at once, one array' json "$tmp/all.json" 'len({x["environment"]["adb"]["serial"] for x in r}) == 2'
    else
        ok 'no GNU parallel' ends 2 --all --parallel op_coverage "$model"
        ok 'no GNU parallel' one_line 'GNU parallel is not installed'
        echo 'NOT RUN (parallel): several devices at once: there is no GNU parallel (Debian package parallel)'
        skipped=$((skipped + 1))
    fi
}

several() {
    device 1
    device 2
    ok 'several' ends 2 op_coverage "$model"
    ok 'several' one_line "several devices: .*$serial"
    ok 'one of several' ends 0 -s "$serial" op_coverage "$model"
    ANDROID_SERIAL=$serial
    export ANDROID_SERIAL
    ok 'one of several by ANDROID_SERIAL' ends 0 op_coverage "$model"
    ok 'one of several by ANDROID_SERIAL' says "^adb_run: $serial "
    unset ANDROID_SERIAL
    ok 'none of several' ends 2 -s nobody op_coverage "$model"
    ok 'none of several' one_line "no device nobody: adb devices shows .*$serial"
    base=$tmp/dg
    ok 'all' ends 0 --all --thermal_wait=0 benchmark_model "$model" --num_runs=2 --min_secs=0 --warmup_min_secs=0 \
        --json="$tmp/all.json"
    ok 'one array' json "$tmp/all.json" 'len(r) == 2 and len({x["environment"]["adb"]["serial"] for x in r}) == 2'
    ok 'one table' test "$(grep -c "^127.0.0.1:[0-9]* *0 *[0-9.e+]* *[0-9.]" "$out")" -eq 2
    ok 'none was throttled' test "$(grep -c '^127.0.0.1:.* -$' "$out")" -eq 2
    for n in 1 2; do echo 0 >"$tmp/home$n/heats"; done
    ok 'all throttled' ends 0 --all --thermal_wait=0 op_coverage "$model"
    ok 'all throttled' test "$(grep -c '^127.0.0.1:.* yes$' "$out")" -eq 2
    ok 'all throttled' prints 'was throttled: thermal status 0 before and 1 after it'
    rm "$tmp/home1/heats" "$tmp/home2/heats"
    ok 'one report on standard output for all' ends 2 --all --thermal_wait=0 op_coverage "$model" --json=-
    ok 'one report on standard output for all' prints 'a report on standard output is one device'
    printf '{"num_runs": 2, "min_secs": 0, "warmup_min_secs": 0, "json": "%s"}\n' "$tmp/told.json" >"$tmp/told.config"
    ok 'report named by --config' ends 0 --all --thermal_wait=0 benchmark_model "$model" --config="$tmp/told.config"
    ok 'report named by --config is one array' json "$tmp/told.json" 'len(r) == 2'
    in_parallel
    ok 'no parts left' test ! -e "$tmp/all.json.$serial"
    device 2 --unauthorized
    base=$tmp/home1/dg
    mkdir -p "$base"
    touch "$base/mine"
    ok 'worst status of all' ends 2 --all op_coverage "$tmp/models/custom.tflite" --require=full
    ok 'worst status of all' test "$(grep -c "^127.0.0.1:[0-9]* *[12] " "$out")" -eq 2
    ok 'one of all that is not ready' prints 'is not authorized'
    ok 'clean' ends 0 -s "$(cat "$tmp/serial.1")" --clean
    ok 'clean leaves what is not its own' test "$(ls "$base")" = mine
}

mkdir -p "$tmp/bins/x86_64" "$tmp/models" "$tmp/few" "$tmp/here_first"
# What is waited for, and the waiting.
# shellcheck disable=SC2016  # expanded there
printf '#!/bin/sh\necho "$1" >>%s\nexec %s "$@"\n' "$tmp/slept" "$(command -v sleep)" >"$tmp/here_first/sleep"
chmod 755 "$tmp/here_first/sleep"
PATH=$tmp/here_first:$PATH
for tool in benchmark_model inference_diff op_coverage opcheck gpu_limits; do ln -s "$build/$tool" "$tmp/bins/x86_64/"; done
for command in dirname readlink sh grep; do ln -s "$(command -v $command)" "$tmp/few/"; done
"$build/make_models" --cli "$tmp/models" >/dev/null || exit 1
model=$tmp/models/chain.tflite
[ -e "$model" ] || model=$(find "$tmp/models" -name '*.tflite' | sort | head -n 1)
commands
machine
parts='no_device files links_and_lists outputs installed litert hostile measuring gpu_clocks throttling default_length interrupts
deaf cut_push at_once arm64 failures left_over several report'
for part in ${PARTS:-$parts}; do $part; done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
