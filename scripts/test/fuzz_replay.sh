#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz_replay.sh BUILD - the files of testdata/fuzz, npy, coco, images and schema/rules once through their fuzz targets, and models
# of opcheck's cases.
#
# Each target takes the files of a folder in one process: a crash is one failure, whose log names the place. The last line is
# "N passed, N failed, 0 skipped".
set -u
build=$1
passed=0 failed=0
models=$(mktemp -d) || exit 1
trap 'rm -rf "$models"' EXIT
ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1:max_allocation_size_mb=1024}
export ASAN_OPTIONS

"$build/opcheck" --export="$models" >/dev/null || { echo "fuzz_replay: opcheck --export failed"; failed=1; }

replay() {    # replay TARGET FOLDER ENDING
    list=$(find "$2" -name "*.$3" | sort)
    count=$(echo "$list" | grep -c .)
    # shellcheck disable=SC2086  # file names without blanks
    if timeout 600 "$build/$1" $list >"$models/log" 2>&1 && [ "$count" -gt 0 ]; then
        passed=$((passed + count))
    else
        echo "FAIL $1 on the files of $2:"
        tail -n 30 "$models/log"
        failed=$((failed + 1))
    fi
}

for target in lib/model/model_fuzz lib/session/session_fuzz; do
    replay $target testdata/fuzz tflite
    replay $target "$models" tflite
done
replay lib/model/model_fuzz testdata/fuzz task
replay lib/model/model_fuzz testdata/fuzz litertlm
replay lib/base/store_fuzz testdata/fuzz dgs
replay lib/tensor/npy_fuzz testdata/npy npy
replay lib/eval/coco_fuzz testdata/coco json
replay lib/rules/rules_fuzz schema/rules rules
replay lib/rules/rules_fuzz testdata/fuzz rules
for ending in png jpg bmp ppm pgm; do
    replay cmd/input/image_fuzz testdata/images $ending
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
