#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nightly.sh [PART...] - what takes too long for every change: the documents, other CPUs, threads, fuzzing, planted errors,
# every GL driver, compilers of GPUs that are not here, rewritten models in TensorFlow Lite, the plugin in it, all quantized models,
# float ones in float16, networks of TensorFlow's converter.
#
# Parts: check-all bare optional readme clang drivers zoo fix fixed extract plugin gpu-fuzz gpu-chains gpu-scales gpu-pairs gpu-walk
# agree planted quantized float16 networks static arm64 arm64-sdot arm64-static android haswell nehalem zen threads store
# store-stress faults faults-leaks fuzz-model fuzz-session fuzz-store deb-root dist-twice pipx teflon mutants litert; when named
# only: plugin-models (all of them, 40 minutes on llvmpipe), armhf (as arm64: unit tests, opcheck and command lines under
# emulation), arm64-gpu (opcheck on llvmpipe under emulation), armhf-static (32-bit ARM, by zig, without its packages).
# One whose tools are missing is listed as NOT RUN with the package that it wants (scripts/package/install_deps.sh nightly installs
# all). FUZZ_SECONDS (default 600) is for each fuzz target; `store` and `store-stress` take two minutes each. The last line is "N
# passed, N failed, N skipped"; a part that did not run counts as skipped.
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/lib/parts.sh
MAKE=${MAKE:-make}
FUZZ_SECONDS=${FUZZ_SECONDS:-600}
BUILD=${BUILD:-build}
MODELS=${MODELS:-../shared/models}

# have NAME COMMAND PACKAGE: whether the part NAME can run as far as COMMAND goes.
have() {
    command -v "$2" >/dev/null && return 0
    absent "$1" "$2 is not installed: Debian package $3"
    return 1
}

# What Debian's archive does not give is told as missing; the part that wants it is not run then.
libraries() {    # libraries ARCH FOLDER
    sh scripts/package/sysroot.sh "$@"
    status=$?
    [ $status -eq 3 ] || return $status
    echo '0 passed, 0 failed, 1 skipped'
}

# Another machine's unit tests, opcheck and command lines, where there is no GPU.
cross() {    # cross NAME PREFIX QEMU [FLAG...]
    name=$1 triplet=${2%-}
    have "$name" "${2}gcc" "gcc-$triplet" && have "$name" "$3" qemu-user-static || return 0
    qemu=$3 root=$(pwd)/build/sysroot/$triplet
    case $triplet in
    aarch64-*) arch=arm64 ;;
    arm-*) arch=armhf ;;
    esac
    [ -d "$root" ] || part "$name-sysroot" libraries "$arch" "$root"
    [ -d "$root" ] || { absent "$name" "there are no libraries of $triplet: make CROSS=$2 sysroot"; return 0; }
    case $name in
    *-gpu)
        part "$name-build" "$MAKE" CROSS="$2" CC="${2}gcc" BUILD="build/$triplet" "build/$triplet/opcheck"
        # LLVM under emulation is slow enough without its optimizations.
        part "$name" env QEMU_LD_PREFIX="$root" REQUIRE_GPU=1 GALLIVM_PERF=nopt "$qemu" "build/$triplet/opcheck" --gpu \
            --modes=default
        ;;
    teflon)
        part "$name-build" "$MAKE" CROSS="$2" CC="${2}gcc" BUILD="build/$triplet" test-programs
        part "$name" sh scripts/test/teflon_test.sh "build/$triplet" "$qemu"
        ;;
    *-sdot)
        part "$name-build" "$MAKE" CROSS="$2" CC="${2}gcc" BUILD="build/$triplet" "build/$triplet/opcheck"
        shift 3
        part "$name" env QEMU_LD_PREFIX="$root" "$qemu" "$@" "build/$triplet/opcheck" --cpu
        ;;
    *)
        part "$name-build" "$MAKE" CROSS="$2" CC="${2}gcc" BUILD="build/$triplet" test-programs
        part "$name" env QEMU_LD_PREFIX="$root" sh scripts/test/emulated.sh "build/$triplet" "$qemu"
        [ "$name" = arm64 ] || return 0
        part arm64-adb-build "$MAKE" BUILD="$BUILD" tools "$BUILD/make_models"
        part arm64-adb env PARTS='files arm64' sh scripts/android/adb_test.sh "$BUILD"
        ;;
    esac
}

# The fast CPU kernels choose by CPU; llvmpipe would only be slower under emulation. What QEMU has not of a CPU and warns of is left
# out.
x86() {    # x86 NAME CPU PROGRAM [ARGUMENT...]
    name=$1 cpu_model=$2
    have "$name" qemu-x86_64-static qemu-user-static || return 0
    [ "$(uname -m)" = x86_64 ] || { absent "$name" "this is no x86-64 machine"; return 0; }
    shift 2
    part "$name" qemu-x86_64-static -cpu "$cpu_model" "$@"
}

threads() {
    have threads clang clang || return 0
    # The drivers' threads are not ours: without a driver only our own are watched.
    __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent
    export __EGL_VENDOR_LIBRARY_FILENAMES
    part threads env ALL=1 "$MAKE" check CC=clang SAN=thread BUILD=build/tsan COUNTS=/dev/null SUITES='units opcheck conformance'
    unset __EGL_VENDOR_LIBRARY_FILENAMES
}

# What op_coverage says of real models is what sessions do with them.
agree_on_models() {
    find "$MODELS" -name '*.tflite' -print0 | sort -z | xargs -0 -n 100000 "$BUILD/gpu_fuzz" --agree
}

agree() {
    [ -d "$MODELS" ] || { absent agree "there is no folder $MODELS"; return 0; }
    part agree agree_on_models
}

# The real interpreter, with our delegate made and destroyed a thousand times, on two threads, and as fast as our own tool.
plugin_in_tflite() {
    "$MAKE" "$BUILD/make_models" && "$BUILD/make_models" --cli "$BUILD/plugin_models" >/dev/null || return 1
    small=$BUILD/plugin_models
    "$peer_python" bench/peers/plugin.py --plugin "$BUILD/libdelegauge_gpu.so" --cycles 1000 "$small/add.tflite" &&
        "$peer_python" bench/peers/plugin.py --plugin "$BUILD/libdelegauge_gpu.so" --threads "$small/branches.tflite" \
            "$small/dense.tflite" &&
        "$peer_python" bench/peers/plugin.py --plugin "$BUILD/libdelegauge_gpu.so" --bin "$BUILD/benchmark_model" --latency \
            "$small/branches.tflite" "$small/dense.tflite"
}

# Mesa's drivers are built once, in the folder ZOO. ZOO_FLAGS are those of zoo_test.py.
zoo() {
    if ! why=$(sh scripts/package/drm_shim.sh 2>&1); then
        absent zoo "$(echo "$why" | tail -n 1)"
        return 0
    fi
    # shellcheck disable=SC2086  # words
    part zoo python3 scripts/test/zoo_test.py "$BUILD" "$MODELS" ${ZOO_FLAGS-}
}

# LiteRT's GPU, on the Vulkan driver that is there, or on lavapipe of the folder ZOO.
litert_gpu() {
    drivers=${ZOO:-${XDG_CACHE_HOME:-$HOME/.cache}/delegauge/drivers}
    if [ -z "${VK_DRIVER_FILES-}${VK_ICD_FILENAMES-}" ] && [ -e "$drivers/lvp25/lvp25_icd.json" ]; then
        VK_ICD_FILENAMES=$drivers/lvp25/lvp25_icd.json LD_LIBRARY_PATH=$drivers/lvp25:$drivers/angle
        export VK_ICD_FILENAMES LD_LIBRARY_PATH
    fi
    python3 scripts/test/runtimes_real_test.py "$BUILD" "$MODELS" gpu
}

plugin() {    # plugin NAME COMMAND...
    peer_python=${PYTHON:-python3}
    if "$peer_python" -c 'import ai_edge_litert, numpy' 2>/dev/null; then
        part "$@"
    else
        absent "$1" "PYTHON names no Python that has the PyPI packages ai-edge-litert and numpy"
    fi
}

[ $# -gt 0 ] ||
    set -- check-all bare optional readme clang drivers zoo fix fixed extract plugin gpu-fuzz gpu-chains gpu-scales \
        gpu-pairs gpu-walk agree planted quantized float16 networks static arm64 arm64-sdot arm64-static android haswell nehalem \
        zen threads store store-stress faults faults-leaks fuzz-model fuzz-session fuzz-store deb-root dist-twice pipx teflon \
        mutants litert
for name; do
    case $name in
    check-all) part check-all "$MAKE" check-all ;;
    bare) part bare sh scripts/test/bare_test.sh ;;
    optional)
        part optional-build "$MAKE" check-built SUITES=harness
        part optional sh scripts/test/optional_test.sh "$BUILD" every
        ;;
    readme) part readme python3 scripts/test/readme_test.py "$BUILD" ;;
    clang) have clang clang clang && part clang "$MAKE" check CC=clang BUILD=build/clang SUITES='units install plugin' ;;
    drivers) part drivers "$MAKE" check-drivers MODELS="$MODELS" ;;
    zoo) zoo ;;
    fix) part fix "${PYTHON:-python3}" scripts/test/fix_tflite_test.py "$BUILD" "$MODELS" ;;
    plugin) plugin plugin plugin_in_tflite ;;
    plugin-models)
        plugin plugin-models "${PYTHON:-python3}" bench/peers/plugin.py --plugin "$BUILD/libdelegauge_gpu.so" --quiet \
            "$MODELS/float" "$MODELS/quant" "$MODELS/ops"
        ;;
    extract) part extract "${PYTHON:-python3}" scripts/test/extract_tflite_test.py "$BUILD" "$MODELS" ;;
    fixed) part fixed python3 scripts/test/fix_models_test.py "$BUILD" "$MODELS" ;;
    gpu-fuzz) part gpu-fuzz "$BUILD/gpu_fuzz" --first=1000000 --count=29000 --run=10 ;;
    gpu-chains)
        for k in 1 2 3 4 5 6 7 8; do
            part "gpu-chains-$k" "$BUILD/gpu_fuzz" --chains=2000 --first=1000000 --share="$k/8"
        done
        ;;
    gpu-scales) part gpu-scales "$BUILD/gpu_fuzz" --scales=50 ;;
    agree) agree ;;
    gpu-pairs) part gpu-pairs "$BUILD/gpu_fuzz" --pairs=1 --compile=300 ;;
    gpu-walk) for k in 1 2 3 4 5 6 7 8; do part "gpu-walk-$k" "$BUILD/gpu_fuzz" --walk=1 --share="$k/8"; done ;;
    planted) part planted sh scripts/test/models_test.sh "$BUILD" "$MODELS" planted ;;
    quantized) part quantized python3 scripts/test/quantized_test.py "$BUILD" "$MODELS" ;;
    float16) part float16 python3 scripts/test/float16_test.py "$BUILD" "$MODELS" ;;
    networks)
        if [ -n "$(sh scripts/package/install_deps.sh --list networks)" ]; then
            absent networks "sh scripts/package/install_deps.sh networks installs what it wants (TensorFlow: 2 GB)"
        else
            rm -rf "$BUILD/networks"
            part networks-made build/venv/bin/python3 scripts/reference/networks.py "$BUILD/networks"
            part networks build/venv/bin/python3 scripts/reference/networks_test.py "$BUILD" "$BUILD/networks"
        fi
        ;;
    arm64) cross arm64 aarch64-linux-gnu- qemu-aarch64-static ;;
    # A CPU that has SDOT and no SMMLA; that of arm64 has both, that of arm64-static neither.
    arm64-sdot) cross arm64-sdot aarch64-linux-gnu- qemu-aarch64-static -cpu neoverse-n1 ;;
    arm64-gpu) cross arm64-gpu aarch64-linux-gnu- qemu-aarch64-static ;;
    arm64-static)
        have arm64-static qemu-aarch64-static qemu-user-static && part arm64-static "$MAKE" check-static \
            STATIC=aarch64-linux-musl QEMU='qemu-aarch64-static -cpu cortex-a53'
        ;;
    armhf-static)
        have armhf-static qemu-arm-static qemu-user-static &&
            part armhf-static "$MAKE" check-static STATIC=arm-linux-musleabihf QEMU=qemu-arm-static
        ;;
    teflon) cross teflon aarch64-linux-gnu- qemu-aarch64-static ;;
    armhf) cross armhf arm-linux-gnueabihf- qemu-arm-static ;;
    android)
        if [ -n "$(sh scripts/package/install_deps.sh --list android)" ]; then
            absent android "sh scripts/package/install_deps.sh android installs what it wants"
        else
            part android "$MAKE" android-check
        fi
        ;;
    haswell) x86 haswell Haswell,-pcid,-x2apic,-tsc-deadline,-hle,-invpcid,-rtm "$BUILD/opcheck" --cpu ;;
    nehalem) x86 nehalem Nehalem "$BUILD/opcheck" --cpu ;;
    # For which XNNPACK of 2022 splits fully connected layers wrongly (xnnpack_splits).
    zen)
        x86 zen EPYC,-rdseed,-sha-ni,-fxsr-opt,-misalignsse,-3dnowprefetch,-osvw,-topoext,-nrip-save,-xsavec \
            "$BUILD/units/bench/opcheck/xnnpack_test"
        ;;
    threads) threads ;;
    store) STORE_TEST_SECONDS=120 part store sh -c "$MAKE $BUILD/lib/base/store_test && $BUILD/lib/base/store_test" ;;
    store-stress) part store-stress python3 scripts/test/store_stress.py --build "$BUILD" ;;
    faults) part faults "$MAKE" faults ;;
    faults-leaks) part faults-leaks "$MAKE" faults SAN=address ;;
    fuzz-*) have "$name" clang clang && part "$name" "$MAKE" fuzz FUZZ="${name#fuzz-}" FUZZ_SECONDS="$FUZZ_SECONDS" ;;
    static) part static "$MAKE" check-static STATIC="$(uname -m)-linux-musl" ;;
    # With the flags that Debian builds with.
    deb-root) have deb-root dh debhelper && part deb "$MAKE" deb &&
        part deb-root sh scripts/test/deb_test.sh build/deb/build root ;;
    dist-twice) part dist-twice sh scripts/test/dist_test.sh "$BUILD" twice ;;
    pipx)
        part pipx-build "$MAKE" DESTDIR="$BUILD/pipx" install
        part pipx sh scripts/test/dist_test.sh "$BUILD" pipx
        ;;
    mutants) part mutants "$MAKE" mutants ;;
    litert)
        part litert-libraries sh scripts/package/install_runtimes.sh openvino
        # A host is disturbed a thousand times, and a node of a fake library is wrong at every place.
        part litert-ends python3 scripts/test/runtimes_test.py "$BUILD" --every --kills=500
        part litert-gpu litert_gpu
        part litert-npu python3 scripts/test/runtimes_real_test.py "$BUILD" "$MODELS" npu
        ;;
    *) part "$name" false ;;
    esac
done
finish
