#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_test.sh - tests the harness: check.sh over made-up suites that crash, say nothing, shrink or skip, parts.sh over made-up
# parts that are killed, install_deps.sh with a made-up apt-get, and mutants.py in a made-up tree.
#
# Each test makes a build folder of small scripts, runs check.sh over it, and looks at its exit status and its output.
set -u
scripts=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
unset REQUIRE_GPU REQUIRE_MODELS TESTS SAN LOG
ALL=1   # suites have their plain names
export ALL
export JOBS=1   # the programs made here do not share their work

# program NAME: makes a program of the build folder from its standard input.
program() {
    mkdir -p "$(dirname "$tmp/build/$1")"
    { echo '#!/bin/sh'; cat; } >"$tmp/build/$1"
    chmod +x "$tmp/build/$1"
}

# A build folder where everything passes, with a GPU and without models.
begin() {
    rm -rf "$tmp/build" "$tmp/models"
    printf '# pinned\nlib/a_test 2 2\nopcheck 10 20\n' >"$tmp/counts"
    program units/lib/a_test <<'END'
printf '1..2\nok 1 - one\nok 2 - two\n'
END
    program opcheck <<'END'
echo "20 passed, 0 failed, 1 skipped"
END
    program benchmark_model <<'END'
echo "0: a device"
END
    cp "$tmp/build/benchmark_model" "$tmp/build/op_coverage"
}

# expect NAME STATUS TEXT [SUITE...]: runs check.sh (units and opcheck) and looks for a line with TEXT, a basic regular expression.
expect() {
    name=$1 want=$2 text=$3
    shift 3
    [ $# -gt 0 ] || set -- units opcheck
    (cd "$tmp" && BUILD=$tmp/build COUNTS=$tmp/counts MODELS=$tmp/models sh "$scripts/test/check.sh" "$@") >"$tmp/out" 2>&1
    status=$?
    if [ $status -eq "$want" ] && grep -q -- "$text" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: exit status $status, expected $want and a line with \"$text\":"
        cat "$tmp/out"
    fi
}

begin
expect "all is well" 0 '^22 passed, 0 failed, 1 skipped$'

begin
program units/lib/a_test <<'END'
printf '1..2\nok 1 - one\n'
kill -SEGV $$
END
expect "a unit test crashes: the test that did not run has failed" 1 '^21 passed, 1 failed, 1 skipped$'

begin
program units/lib/a_test <<'END'
printf '1..2\nok 1 - one\nok 2 - two\n'
[ -e "$BUILD/crashed" ] && exit
touch "$BUILD/crashed"
echo "Tracer caught signal 11: addr=0x360"
exit 1
END
expect "a unit test is run once more after LeakSanitizer crashed" 0 '^lib/a_test: LeakSanitizer crashed'

begin
program units/lib/a_test <<'END'
printf '1..2\nok 1 - one\nok 2 - two\n'
echo "Tracer caught signal 11: addr=0x360"
exit 1
END
expect "but not for ever" 1 'lib/a_test: ended with exit status 1'

begin
program opcheck <<'END'
[ -e "$BUILD/crashed" ] || { touch "$BUILD/crashed"; echo "Tracer caught signal 11: addr=0x360"; exit 1; }
echo "20 passed, 0 failed, 0 skipped"
END
expect "so is another suite" 0 '^opcheck: LeakSanitizer crashed'

begin
program units/lib/a_test <<'END'
printf '1..2\nok 1 - one\n'
END
expect "a unit test that ends early with status 0 does not pass" 1 '^lib/a_test .* 1 passed, 1 failed'

begin
program units/lib/b_test <<'END'
printf '1..2\nok 1 - one\n'
END
expect "nor does one whose count is not pinned" 1 '^lib/b_test .* 1 passed, 1 failed'

begin
program units/lib/a_test <<'END'
printf '1..2\nok 1 - one\nok 2 - two\n'
exit 3
END
expect "a unit test passes and ends with another status" 1 'lib/a_test: ended with exit status 3'

begin
program units/lib/a_test <<'END'
printf '1..3\nok 1 - one\nnot ok 2 # SKIP two\nok 3 - three\n'
printf '[  SKIPPED ] two\n 1 SKIPPED TEST(S)\n[  SKIPPED ] two\n' >&2
END
expect "one skipped unit test counts once" 0 '^lib/a_test .* 2 passed, 0 failed, 1 skipped'
expect "a skipped unit test is named at the end" 0 '^NOT RUN (lib/a_test): skipped two$'

begin
program units/lib/a_test <<'END'
printf '1..2\nok 1 - one\nnot ok 2 - two\n# a.c:9: error: Failure!\n# not ok - tests\n'
exit 1
END
expect "one failed unit test counts once" 1 '^lib/a_test .* 1 passed, 1 failed, 0 skipped'

begin
program units/lib/a_test <<'END'
exit 0
END
expect "a unit test without tests" 1 'lib/a_test: 0 tests passed, .* has at least 2'

begin
rm "$tmp/build/units/lib/a_test"
expect "a unit test that is gone" 1 '^FAIL lib/a_test: in .*counts, but there is no such test$'

begin
program opcheck <<'END'
echo "10 passed, 0 failed, 0 skipped"
echo "and then some"
exit 139
END
expect "a suite crashes after its sums" 1 'opcheck: ended with exit status 139'

begin
program opcheck <<'END'
echo "FAIL something"
END
expect "a suite without a last line" 1 '^FAIL opcheck: ended without saying how it went$'

begin
program opcheck <<'END'
echo "10 passed, 2 failed, 0 skipped"
END
expect "failures with exit status 0 fail" 1 '^12 passed, 2 failed, 0 skipped$'

begin
program opcheck <<'END'
echo "19 passed, 0 failed, 9 skipped"
END
expect "a suite that shrinks" 1 '^FAIL opcheck: 19 tests passed, .*counts has at least 20$'

begin
program opcheck <<'END'
echo "NOT RUN (phones): there is no adb (Debian package adb)"
echo "0 passed, 0 failed, 1 skipped"
END
program units/lib/a_test <<'END'
printf '1..2\nok 1 - one\nNOT RUN (png): it is not here (Debian package libpng-dev)\nnot ok 2 # SKIP two\n'
END
expect "what lacks a package is held to no count" 0 '^1 passed, 0 failed, 2 skipped$'
expect "and told" 0 '^NOT RUN (phones): there is no adb (Debian package adb)$'
expect "so is a unit test" 0 '^NOT RUN (png): it is not here (Debian package libpng-dev)$'
program opcheck <<'END'
echo "NOT RUN (phones): nobody has any"
echo "0 passed, 0 failed, 1 skipped"
END
expect "for no other reason" 1 '^FAIL opcheck: 0 tests passed, .*counts has at least 20$'
program opcheck <<'END'
echo "NOT RUN (phones): there is no adb (Debian package adb)"
echo "FAIL something"
echo "0 passed, 1 failed, 1 skipped"
END
expect "a failure stays one" 1 '^1 passed, 1 failed, 2 skipped$'

begin
program benchmark_model <<'END'
echo "ERROR: no driver" >&2
exit 3
END
program opcheck <<'END'
echo "10 passed, 0 failed, 10 skipped"
END
expect "without a GPU fewer tests are enough" 0 '^12 passed, 0 failed, 10 skipped$'
expect "without a GPU the end says so" 0 '^NOT RUN (gpu): everything on the GPU: ERROR: no driver$'
REQUIRE_GPU=1
export REQUIRE_GPU
expect "a GPU that is demanded and not there" 1 '^FAIL REQUIRE_GPU=1: NOT RUN (gpu): .*no driver'
expect "a demanded GPU counts as a failure" 1 '^12 passed, 1 failed, 10 skipped$'
unset REQUIRE_GPU

begin
expect "no folder of models" 0 '^NOT RUN (models): real models: there is no folder' units models
REQUIRE_MODELS=1
export REQUIRE_MODELS
expect "models that are demanded and not there" 1 '^FAIL REQUIRE_MODELS=1: NOT RUN (models)' units models
unset REQUIRE_MODELS

begin
mkdir -p "$tmp/models/bad"
expect "an empty folder of models passes nothing" 0 '^models .* 0 passed, 0 failed, 6 skipped' units models
expect "an empty folder of models is told" 0 '^NOT RUN (models): broken models' units models

begin
mkdir -p "$tmp/models/bad"
echo x >"$tmp/models/bad/x.tflite"
expect "a broken model that is taken" 0 '^models .* 2 passed, 0 failed' units models
program benchmark_model <<'END'
kill -SEGV $$
END
expect "a broken model that crashes" 1 '^models .* 1 passed, 1 failed' units models

begin
rm "$tmp/counts"
expect "no pinned counts" 2 'there is no .*counts'

begin
expect "no such suite" 2 'there is no suite nonsense' nonsense

begin
expect "before pinning" 0 '^22 passed, 0 failed'
program units/lib/b_test <<'END'
printf '1..1\nok 1 - one\n'
END
expect "a test that is not pinned yet" 0 '^23 passed, 0 failed'
expect "pinning" 0 'counts: 3 suites pinned$' --pin
program units/lib/b_test <<'END'
printf '1..1\nnot ok 1 # SKIP one\n'
END
expect "a pinned test that only skips" 1 '^FAIL lib/b_test: 0 tests passed, .* at least 1$'

begin
program opcheck <<'END'
kill -KILL "$PPID"
END
expect "a suite whose runner is killed" 1 '^FAIL a runner of suites was killed$'

begin
program opcheck <<'END'
[ "$*" = --modes=turns ] && echo "9 passed, 0 failed, 0 skipped"
END
printf 'opcheck-turns 9 9\n' >>"$tmp/counts"
unset ALL
expect "modes by turns have a count of their own" 0 '^opcheck-turns .* 9 passed, 0 failed'
printf 'opcheck-turns 9 10\n' >"$tmp/counts"
expect "and it is demanded" 1 '^FAIL opcheck-turns: 9 tests passed, .*counts has at least 10$'
program opcheck <<'END'
[ "$*" = "--conformance=testdata/conformance --modes=default,exact,turns" ] &&
    echo "9 passed, 0 failed, 0 skipped"
END
printf 'conformance-turns 9 9\n' >>"$tmp/counts"
expect "conformance has fewer of them" 0 '^conformance-turns .* 9 passed, 0 failed' conformance
expect "which it says" 0 '^NOT RUN (modes): conformance in other modes than default and exact' conformance
ALL=1
export ALL

begin
program opcheck <<'END'
sleep 2
echo "20 passed, 0 failed, 0 skipped"
END
(cd "$tmp" && BUILD=$tmp/build COUNTS=$tmp/counts python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
    sh "$scripts/test/check.sh" units opcheck) >"$tmp/out" 2>&1 </dev/null
if grep -q '1 of 2 suites, [0-9]* s: opcheck' "$tmp/out" && grep -q '22 passed, 0 failed, 0 skipped' "$tmp/out"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL a terminal shows what runs:"
    cat "$tmp/out"
fi

JOBS=2
begin
program opcheck <<'END'
[ "$1" != --share=1/2 ] || { echo "12 passed, 0 failed, 0 skipped"; exit 0; }
echo "9 passed, 0 failed, 1 skipped"
END
expect "two halves are added up" 0 '^23 passed, 0 failed, 1 skipped$'
program opcheck <<'END'
[ "$1" = --share=1/2 ] || { echo "22 passed, 0 failed, 0 skipped"; exit 0; }
kill -SEGV $$
END
expect "a half crashes" 1 '^FAIL opcheck: a half ended without its sums$'
program opcheck <<'END'
[ "$1" != --share=1/2 ] || echo "not run here: conv|4x1"
echo "not run here: conv|any rows"
echo "11 passed, 0 failed, 0 skipped"
END
expect "a variant that neither half runs" 1 '^FAIL conv|any rows: no case runs this variant$'
expect "and no other" 1 '^opcheck .* 22 passed, 1 failed'

# session COMMAND...: starts it, a session of its own as a terminal would, in a folder for what it leaves.
session() {
    mkdir -p "$tmp/left"
    : >"$tmp/out"       # until_said reads it at once
    # Python gives signals back their meaning: what a shell starts beside itself ignores INT, what nohup starts HUP.
    TMPDIR=$tmp/left python3 -c 'import os, signal, sys
for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(number, signal.SIG_DFL)
os.setsid()
os.execvp(sys.argv[1], sys.argv[1:])' "$@" >"$tmp/out" 2>&1 &
    session=$!
}

# parts LINE...: starts a script of parts.
parts() {
    # shellcheck disable=SC2016  # for that script
    { echo 'cd "$1" && . scripts/lib/parts.sh'; printf '%s\n' "$@" finish; } >"$tmp/parts"
    session sh "$tmp/parts" "$scripts/.."
}

# The processes of the session which have not ended.
alive() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed -n "s/^\([0-9]*\) (.*) [^Z] [0-9]* [0-9]* $session .*/\1/p"
}

# ended NAME STATUS TEXT: how the session ended, what it said, and that nothing of it is left.
ended() {
    wait "$session" 2>/dev/null
    status=$?
    for _ in $(seq 50); do      # what was told to end is given the time
        [ -n "$(alive)" ] || break
        sleep 0.1
    done
    left=$(ls "$tmp/left"; alive)
    if [ $status -eq "$2" ] && grep -q -- "$3" "$tmp/out" && [ -z "$left" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: exit status $status, expected $2 and a line with \"$3\"; left: $left"
        cat "$tmp/out"
    fi
}

# until_said TEXT: waits till the session says so.
until_said() {
    for _ in $(seq 100); do
        grep -q -- "$1" "$tmp/out" && return
        sleep 0.1
    done
}

parts 'lane part beside echo "3 passed, 0 failed, 1 skipped"' 'part here echo "4 passed, 0 failed"'
ended "the parts of a lane are added up" 0 '^7 passed, 0 failed, 1 skipped$'
parts 'part here sh -c "echo 4 passed, 0 failed; exit 3"'
ended "a part that ends with another status" 1 '^4 passed, 1 failed, 0 skipped$'
parts 'part here sh -c "echo FAIL this one; echo 4 passed, 1 failed"' 'part there echo "1 passed, 0 failed"'
ended "the end names what failed" 1 '^here: FAIL this one$'
parts 'part here sh -c "echo a.c: error: no such thing; exit 2"'
ended "or shows how it ended" 1 '^here: a.c: error: no such thing$'
parts 'part here sh -c "seq -f FAIL%g 50; echo 0 passed, 50 failed"'
ended "or how many more there are" 1 '^here: and 10 more$'
# shellcheck disable=SC2016
parts 'dies() { kill -KILL "$(exec sh -c '"'echo \$PPID'"')"; }' 'lane dies' 'part here true'
ended "a lane that is killed has failed" 1 '^1 passed, 1 failed, 0 skipped$'
for signal in TERM:143 INT:130 HUP:129; do
    parts 'lane part beside sh -c "sleep 100; :"' 'sleep 0.2' 'part here sh -c "sleep 100; :"'
    until_said '^==== here'
    kill -"${signal%:*}" "$session"
    ended "a signal ends parts and lanes: $signal" "${signal#*:}" '^==== beside'
done

begin
program opcheck <<END
echo begun >>"$tmp/out"
sleep 100
:
END
for signal in TERM:143 INT:130 HUP:129; do
    session env BUILD="$tmp/build" COUNTS="$tmp/counts" sh "$scripts/test/check.sh" opcheck
    until_said begun
    kill -"${signal%:*}" "$session"
    ended "a signal ends check.sh and its suites: $signal" "${signal#*:}" begun
done

# What is started while the others are looked for.
program opcheck <<END
echo begun >>"$tmp/out"
for _ in \$(seq 2000); do
    sleep 100 &
    sleep 0.002
done
END
session env BUILD="$tmp/build" COUNTS="$tmp/counts" sh "$scripts/test/check.sh" opcheck
until_said begun
kill -TERM "$session"
ended "a signal ends what a suite is just starting" 143 begun

mkdir -p "$tmp/models/float"
python3 "$scripts/test/gpu_counts_test.py" "$tmp/build" "$tmp/models" >"$tmp/out" 2>&1
if [ "$(grep -c '^NOT RUN (models): ' "$tmp/out")" -eq 8 ] && grep -qx '0 passed, 0 failed, 8 skipped' "$tmp/out"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL models whose nodes and dispatches are to be counted and that are not there:"
    cat "$tmp/out"
fi

# A Debian whose archive has no debootstrap, and where nothing is installed.
mkdir -p "$tmp/tree/scripts/package" "$tmp/debian"
cp "$scripts/package/install_deps.sh" "$tmp/tree/scripts/package"
: >"$tmp/tree/scripts/package/fetch_cjson.sh"
for command in pkg-config dpkg-query python3 zig; do printf '#!/bin/sh\nexit 1\n' >"$tmp/debian/$command"; done
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/debian/sudo"
# Its lists are just changing when they are asked for first.
printf '#!/bin/sh\necho "sleep $*" >>"%s"\n' "$tmp/asked" >"$tmp/debian/sleep"
cat >"$tmp/debian/apt-get" <<END
#!/bin/sh
echo "\$*" >>"$tmp/asked"
case \$* in
*debootstrap*) exit 100 ;;
update*) mkdir "$tmp/updated" 2>/dev/null && exit 100 ;;
esac
exit 0
END
chmod 755 "$tmp"/debian/*
PATH=$tmp/debian:$PATH sh "$tmp/tree/scripts/package/install_deps.sh" nightly >"$tmp/out" 2>&1
status=$?
# asked WHAT REGULAR-EXPRESSION: one of the lines in which apt-get and sleep were called, or of what was said, has it.
asked() {
    if grep -q -- "$2" "$tmp/asked" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: nothing with \"$2\":"
        cat "$tmp/asked" "$tmp/out"
    fi
}
sed -i "1i status $status\nupdates $(grep -c '^update' "$tmp/asked")" "$tmp/out"
asked "packages that are not to be had fail" '^status 1$'
asked "lists that change are asked for again" '^sleep 20$'
asked "and no more often than that" '^updates 2$'
asked "packages come together" '^install .* debootstrap .* libepoxy-dev .*$'
asked "what cannot be had keeps nothing from the others" '-recommends debhelper$'
asked "and is named" 'going on without debootstrap$'
asked "what is missing is named at the end" '^  debootstrap  *makes a clean Debian to install into$'

# A machine that lacks only what PyPI has, and a pip that says what it is told to.
mkdir "$tmp/pypi"
for command in clang-format-14 clang-tidy-14 codespell shellcheck git; do printf '#!/bin/sh\n' >"$tmp/pypi/$command"; done
printf '#!/bin/sh\ncat "%s" >&2\nexit 2\n' "$tmp/pip_says" >"$tmp/pip"
# shellcheck disable=SC2016  # for that script
printf '#!/bin/sh\n[ "$2" != venv ] || { mkdir -p "$3/bin"; cp "%s" "$3/bin/pip"; }\n' "$tmp/pip" >"$tmp/pypi/python3"
chmod 755 "$tmp/pip" "$tmp"/pypi/*
# pip_fails WHAT STATUS TEXT
pip_fails() {
    echo "$3" >"$tmp/pip_says"
    PATH=$tmp/pypi:/usr/bin:/bin sh "$tmp/tree/scripts/package/install_deps.sh" lint >"$tmp/out" 2>&1
    echo "status $?" >>"$tmp/out"
    asked "$1: the status" "^status $2\$"
    asked "$1: pip's own words" "^$3\$"
}
pip_fails "PyPI is away" 3 "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError'"
pip_fails "pip fails otherwise" 2 'ERROR: No space left on device'

# A tree of one program and two errors, of which its check sees one.
mkdir -p "$tmp/mutants/scripts/test" "$tmp/mutants/testdata"
cp "$scripts/test/mutants.py" "$tmp/mutants/scripts/test"
# shellcheck disable=SC2016  # for make
printf 'all build/two: two.c\n\t@mkdir -p build\n\t@$(CC) -o build/two two.c\n' >"$tmp/mutants/Makefile"
printf 'static int two(void)\n{\n    return 1 + 1;\n}\n\nint main(void)\n{\n    return two() != 2;\n}\n' >"$tmp/mutants/two.c"
printf 'build/\n' >"$tmp/mutants/.gitignore"
cat >"$tmp/mutants/testdata/mutants" <<'END'
mutant three
why    two is three
in     two
check  build/two
- 1 + 1
+ 1 + 2

mutant turned
why    nobody can tell
in     two.c:two
check  build/two
- 1 + 1
+ 2 * 1
END
git -C "$tmp/mutants" init -q 2>/dev/null   # without git every file counts
(cd "$tmp/mutants" && python3 scripts/test/mutants.py --fast --jobs=1; echo "status $?") >"$tmp/out" 2>&1
asked "an error that its check sees" '^ok   three  *seen'
asked "an error that its check does not see" '^FAIL turned  *SURVIVED its check: build/two'
asked "and the status is 1" '^status 1$'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
