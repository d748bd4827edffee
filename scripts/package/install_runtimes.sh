#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install_runtimes.sh [openvino] - puts the libraries of LiteRT and of TensorFlow Lite's C interface into build/runtimes, from
# PyPI's wheels.
#
# build/runtimes/litert-VERSION/libLiteRt.so with its accelerators, for each version whose interface differs, and
# build/runtimes/tflite/libtensorflowlite_c.so. scripts/test/runtimes_test.py takes them from there; without them it says NOT RUN.
# With the word openvino also build/runtimes/openvino, 160 MB: what LiteRT 2.3.0's way to Intel's NPUs wants.
# The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/../.." || exit 1
to=build/runtimes passed=0 skipped=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# fetch DIR LIBRARY PACKAGE==VERSION: all shared libraries of the wheel that begin with lib.
fetch() {
    if [ -e "$to/$1/$2" ]; then
        passed=$((passed + 1))
        return
    fi
    rm -rf "$tmp/wheel"
    if timeout 300 python3 -m pip download --quiet --disable-pip-version-check --timeout 20 --retries 1 --no-deps -d "$tmp/wheel" \
        "$3" >"$tmp/log" 2>&1 && mkdir -p "$to/$1" &&
        (cd "$to/$1" && unzip -qoj "$tmp"/wheel/*.whl '*/lib*.so*') && [ -e "$to/$1/$2" ]; then
        passed=$((passed + 1))
    else
        echo "NOT RUN (runtimes): $3 could not be had from PyPI: $(grep . "$tmp/log" | tail -n 1)"
        skipped=$((skipped + 1))
    fi
}

for version in 2.1.6 2.2.0 2.3.0; do
    fetch "litert-$version" libLiteRt.so "ai-edge-litert==$version"
done
fetch tflite libtensorflowlite_c.so pymicro-wakeword==2.5.0
[ "${1-}" != openvino ] || fetch openvino libopenvino_intel_cpu_plugin.so openvino==2026.3.1
echo "$passed passed, 0 failed, $skipped skipped"
