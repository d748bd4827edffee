#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cli_test.sh BUILD [--golden] - runs the command lines of testdata/cli/*.txt and holds what they print against the files.
#
# A file is a transcript. "$ COMMAND" is run by sh in a new folder, with the tiny models of make_models --cli in models/ and links
# to testdata/digits and testdata/detection; below it stand its standard output, its standard error after "! ", and "[N]" where the
# exit status is N, not 0. What changes from run to run (times, memory) is replaced by N. Lines that begin with # are comments.
# Files named gpu_* are skipped where there is no GPU, xnnpack_* in a build without XNNPACK, memory_* under sanitizers (SAN), which
# map more memory than the limits allow. --golden writes the files anew: read
# the difference before committing it. ONLY='diff gpu_tools' runs these files alone.
#
# A command with --json leaves its report in a file *.json (of what goes to standard output, tee keeps one); all of them are held
# against schema/json/report.schema.json at the end, where python3 has fastjsonschema and jsonschema. A page of --html in a file
# X.html is held against the report X.json beside it.
set -u
build=$(cd "$1" && pwd)
golden=${2:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
cases=$root/testdata/cli
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0 skipped=0
PATH=$build:$PATH
export PATH LC_ALL=C
# That models of short dispatches ask for none, where there are several processors, driver_threads_test sees.
export LP_NUM_THREADS=2
# Where Mesa keeps what it compiled is what some of the commands are about.
unset MESA_SHADER_CACHE_DIR MESA_SHADER_CACHE_DISABLE MESA_SHADER_CACHE_MAX_SIZE

steady() {
    sed -E \
        -e '/^WARN: (the (run times scatter|last quarter|load was|CPU.s clock|CPU quota)|CPU cores were|thermal zone)/d' \
        -e '/^WARN: [^ ]+( and [0-9]+ more)?: (run times|the load was|the CPU.s clock|the CPU quota|CPU cores|thermal zone)/d' \
        -e 's/^INFO: (Warm-up ended|Sustained:|Speed-up:) .*/INFO: \1 N/' \
        -e 's/^(RESULT .* on the GPU \()[^,)]*/\1DEVICE/' \
        -e ':trust' -e '/^  trust /{ $!N' -e '/\n    [a-z0-9]/{ s/\n   //; btrust' -e '}' \
        -e 's/^  trust [^\n]*/  trust N/; P; D' -e '}' \
        -e 's/^  (latency|throughput|first|speed-up|sustained) .*/  \1 N/' \
        -e '/^    (p[0-9.]+ [0-9.e+]+( max)? +)*([0-9.e+]+ +)?runs\/s mean$/d' \
        -e 's/^INFO: count=([0-9]+) .*/INFO: count=\1 N/' \
        -e 's/^(Timings \(microseconds\): count=[0-9]+) .*/\1 N/' \
        -e 's/(Init|First inference|Warmup \(avg\)|Inference \(avg\)): [0-9.e+]+/\1: N/g' \
        -e 's/(Initialized session in )[0-9.e+]+/\1N/' \
        -e 's/libxnnpack [0-9][^ ,"]*/libxnnpack VERSION/' \
        -e 's/(init|overall)=[0-9.e+]+/\1=N/g' \
        -e 's/(latency: avg=)[0-9.e+]+(\(us\), std_dev=)[0-9.e+]+/\1N\2N/' \
        -e 's/\t *[0-9]+\.[0-9]+(%?)/\tN\1/g' \
        -e 's/^(INFO: Process memory \(MB\):).*/\1 N/' \
        -e 's/^(A profiled run takes ).*/\1N/' -e 's/^Shares .*/Shares N/' \
        -e 's/^(GPU: ).*/\1DEVICE/' -e 's/^(INFO: GPU: ).*/\1DEVICE/'
}

# keep_reports COMMAND STATUS: takes the reports that the command left; one that can have left one and did not says so. Its
# status is 2 or 4 where nothing could be written.
keep_reports() {
    kept=0
    for page in *.html; do
        [ -f "$page" ] || continue
        pages=$((pages + 1))
        mv "$page" "$tmp/html/$name.$pages.html"
        cp "${page%.html}.json" "$tmp/html/$name.$pages.json"
    done
    for report in *.json */*.json; do
        [ -f "$report" ] || continue
        reports=$((reports + 1)) kept=1
        mv "$report" "$tmp/json/$name.$reports.json"
    done
    case $1 in
    *--json*) [ $kept -eq 1 ] || [ "$2" -eq 2 ] || [ "$2" -eq 4 ] || echo 'no report was left in a file *.json' ;;
    esac
}

# validate: one test for all reports together.
validate() {
    complete=
    $gpu && [ -z "${ONLY:-}" ] && complete=--complete
    python3 "$root/scripts/test/json_check.py" "$root/schema/json/report.schema.json" $complete "$tmp"/json/*.json >"$tmp/out" 2>&1
    case $? in
    0) printf 'ok   reports (%d)\n' "$(find "$tmp/json" -name '*.json' | wc -l)"; passed=$((passed + 1)); return ;;
    77 | 126 | 127) ;;
    *) echo 'FAIL reports'; cat "$tmp/out"; failed=$((failed + 1)); return ;;
    esac
    echo 'NOT RUN (reports): no JSON report was validated (Debian package python3-fastjsonschema)'
    skipped=$((skipped + 1))
}

# look_at_pages: one test for all pages together.
look_at_pages() {
    if python3 "$root/scripts/test/html_check.py" "$tmp"/html/*.html >"$tmp/out" 2>&1; then
        printf 'ok   pages (%d)\n' "$(find "$tmp/html" -name '*.html' | wc -l)"
        passed=$((passed + 1))
    else
        echo 'FAIL pages'
        cat "$tmp/out"
        failed=$((failed + 1))
    fi
}

transcript() {
    reports=0 pages=0
    while IFS= read -r line; do
        case $line in
        '#'*) printf '%s\n' "$line" ;;
        '$ '*)
            printf '%s\n' "$line"
            sh -c "${line#??}" >"$tmp/out" 2>"$tmp/err" </dev/null
            status=$?
            steady <"$tmp/out"
            steady <"$tmp/err" | sed 's/^/! /'
            [ $status -eq 0 ] || printf '[%d]\n' $status
            keep_reports "$line" $status
            ;;
        esac
    done <"$1"
}

make_models --cli "$tmp/models" >"$tmp/out" || { cat "$tmp/out"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
mkdir "$tmp/json" "$tmp/html"
gpu=true xnnpack=true
op_coverage "$tmp/models/add.tflite" --delegate=xnnpack >"$tmp/out" 2>&1 || xnnpack=false
benchmark_model --list_gpus >"$tmp/out" 2>&1 || gpu=false
for f in "$cases"/*.txt; do
    name=$(basename "$f" .txt)
    case " ${ONLY:-$name} " in
    *" $name "*) ;;
    *) continue ;;
    esac
    case $name in
    xnnpack_*)
        if ! $xnnpack; then
            printf 'NOT RUN (xnnpack): command lines of %s (Debian package libxnnpack-dev)\n' "$name"
            skipped=$((skipped + 1))
            continue
        fi
        ;;
    memory_*)
        if [ -n "${SAN:-}" ]; then
            echo 'NOT RUN (memory limits): sanitizers map more than they allow'
            skipped=$((skipped + 1))
            continue
        fi
        ;;
    gpu_*) $gpu || { printf 'NOT RUN (gpu): command lines of %s, without a GPU\n' "$name"; skipped=$((skipped + 1)); continue; } ;;
    esac
    mkdir -p "$tmp/run/$name" && cp -r "$tmp/models" "$tmp/run/$name" && cd "$tmp/run/$name" || exit 1
    ln -s "$root/testdata/digits" "$root/testdata/detection" . || exit 1
    transcript "$f" >"$tmp/$name.got"
    if [ "$golden" = --golden ]; then
        cp "$tmp/$name.got" "$f"
    fi
    if diff -u "$f" "$tmp/$name.got" >"$tmp/diff"; then
        commands=$(grep -c '^\$ ' "$f")
        printf 'ok   %s (%d commands)\n' "$name" "$commands"
        passed=$((passed + commands))
    else
        printf 'FAIL %s\n' "$name"
        cat "$tmp/diff"
        failed=$((failed + 1))
    fi
done
[ -z "$(ls "$tmp/json")" ] || validate
[ -z "$(ls "$tmp/html")" ] || look_at_pages
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
