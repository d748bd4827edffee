#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz_replay.sh BUILD - the files of testdata/fuzz and the models of opcheck's cases once through each fuzz target.
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
for target in "$build"/lib/model_fuzz "$build"/lib/session_fuzz; do
    for dir in testdata/fuzz "$models"; do
        list=$(find "$dir" -name '*.tflite' | sort)
        count=$(echo "$list" | grep -c .)
        # shellcheck disable=SC2086  # file names without blanks
        if timeout 600 "$target" $list >"$models/log" 2>&1 && [ "$count" -gt 0 ]; then
            passed=$((passed + count))
        else
            echo "FAIL $target on the files of $dir:"
            tail -n 30 "$models/log"
            failed=$((failed + 1))
        fi
    done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
