#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install_test.sh BUILD - installs into a scratch folder and uses what is there as a stranger would: through pkg-config alone.
#
# Holds: every file is where it belongs, every global symbol of the libraries begins with dg_ and their interface is that on record
# (abi.sh), the header compiles as strict C11 and as C++, the example builds against the shared and the static library and runs,
# uninstall leaves nothing. The compiler is CC (cc), CXX (c++) for C++. The last line is "N passed, N failed, N skipped".
# shellcheck disable=SC2317  # functions are called through try
set -u
build=$1
cc=${CC:-cc}
cxx=${CXX:-c++}
. scripts/lib/try.sh
root=$tmp/dest/opt/dg
strict='-std=c11 -Wall -Wextra -Wpedantic -Werror'

skip() {    # skip WHAT WHY
    echo "NOT RUN ($1): $2"
    skipped=$((skipped + 1))
}

installs() {
    ${MAKE:-make} --no-print-directory BUILD="$build" CC="$cc" PREFIX="${2:-/opt/dg}" DESTDIR="${3-$tmp/dest}" "$1"
}

# What would be removed tells where it would have been put.
goes_to() { installs uninstall "$1" "$2" | grep -Fx "$2$1/bin/op_coverage"; }

refuses_to_go_to() { ! installs uninstall "$1" "$tmp/dest" >"$tmp/said" 2>&1 && grep "PREFIX=$1: it begins with /" "$tmp/said"; }

refuses_libraries_in() {
    ! LIBDIR=$1 installs uninstall /opt "$tmp/dest" >"$tmp/said" 2>&1 &&
        grep "LIBDIR=$1: it is a folder below PREFIX=/opt" "$tmp/said"
}

# A compiler finds what pkg-config names.
takes_spaces() {
    installs install "$tmp/a b" '' >/dev/null && echo '#include <delegauge.h>' >"$tmp/include.c" || return 1
    flags=$(PKG_CONFIG_PATH="$tmp/a b/lib/pkgconfig" pkg-config --cflags delegauge) || return 1
    eval "$cc -fsyntax-only $flags '$tmp/include.c'"
}

# Every file of the list, and no other.
files_are_there() {
    find "$root" ! -type d | sed "s|^$root/||" | sort >"$tmp/found"
    sort >"$tmp/expected" <<END
bin/adb_run
bin/benchmark_compare
bin/benchmark_model
bin/delegauge
bin/eval_classification
bin/eval_detection
bin/eval_segmentation
bin/inference_diff
bin/op_coverage
include/delegauge.h
lib/libdelegauge.a
lib/libdelegauge.so
lib/$(basename "$build"/installed/libdelegauge.so.*)
lib/libdelegauge_gpu.so
lib/pkgconfig/delegauge.pc
$(for tool in adb_run benchmark_compare benchmark_model delegauge eval_classification eval_detection eval_segmentation \
    inference_diff op_coverage; do
        printf 'share/%s\n' "bash-completion/completions/$tool" "fish/vendor_completions.d/$tool.fish" "man/man1/$tool.1" \
            "zsh/site-functions/_$tool"
    done)
share/delegauge/adb_all.sh
share/delegauge/adb_device.sh
share/delegauge/adb_json.awk
share/delegauge/adb_measure.sh
share/delegauge/adb_run.sh
share/delegauge/report.schema.json
share/delegauge/scripts/lib/signals.sh
share/delegauge/scripts/report/ab.sh
share/delegauge/scripts/report/board.py
share/doc/delegauge/CHANGELOG.md
share/doc/delegauge/LICENSE
share/doc/delegauge/README.md
$(for document in cmd/*/GUIDE.md lib/*/GUIDE.md scripts/*/GUIDE.md lib/delegates/README.md schema/rules/README.md; do
        echo "share/doc/delegauge/$document"
    done)
END
    diff "$tmp/expected" "$tmp/found"
}

# As a reader sees them: no warning, every flag of the tool, and as examples what its guide shows.
pages() {
    for page in "$root"/share/man/man1/*.1; do
        LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l -P cat "$page" >"$tmp/page" 2>"$tmp/warnings" || return 1
        ! grep . "$tmp/warnings" || return 1
        case ${page##*/} in adb_run.1 | delegauge.1) continue ;; esac
        "$root/bin/$(basename "$page" .1)" --list_flags | awk -F'\t' 'NR > 1 { print "--" $1 }' >"$tmp/flags"
        grep -q '^ *\$ '"$(basename "$page" .1) " "$tmp/page" || { echo "$page: no transcript of the guide"; return 1; }
        while read -r flag; do grep -q -e "$flag\\b" "$tmp/page" || { echo "$page: no $flag"; return 1; }; done <"$tmp/flags"
    done
}

# completes WORDS... WANTED: the last of the words is completed to WANTED, as bash takes words apart, at "=".
completes() {
    bash -c 'for tool in "$1"/*; do . "$tool"; done; shift; wanted=${*: -1}
        COMP_WORDS=("${@:1:$#-1}"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        compopt() { :; }; "_$1"; echo "${COMPREPLY[@]}"; [[ ${COMPREPLY[*]} == "$wanted" ]]' \
        bash "$root/share/bash-completion/completions" "$@"
}

# fish_completes COMMAND WANTED: WANTED alone is what the line may go on with. fish asks for a home, and knows what it finds.
fish_completes() {
    # shellcheck disable=SC2016  # fish expands them
    HOME=$tmp PATH="$root/bin:$PATH" fish --no-config -c 'for tool in $argv[1]/*; source $tool; end; complete -C $argv[2]' -- \
        "$root/share/fish/vendor_completions.d" "$1" | cut -f 1 >"$tmp/offered"
    cat "$tmp/offered"
    [ "$(cat "$tmp/offered")" = "$2" ]
}

# Every relative link of an installed document leads to an installed file.
links_are_there() {
    find "$root/share/doc/delegauge" -name '*.md' | while read -r document; do
        awk '/^```/ { code = !code } !code' "$document" | grep -o ']([^()# ]*[^() ]*)' | sed 's/^](//; s/)$//; s/#.*//' |
            while read -r target; do
                case $target in '' | *:*) continue ;; esac
                [ -e "$(dirname "$document")/$target" ] || echo "$document: $target"
            done
    done >"$tmp/dead"
    ! grep . "$tmp/dead"
}

# front_door STATUS TEXT ARGUMENTS
front_door() {
    wanted=$1 text=$2
    shift 2
    "$root/bin/delegauge" "$@" >"$tmp/said" 2>&1
    [ $? -eq "$wanted" ] && grep -F -e "$text" "$tmp/said"
}

# Debian's awk, GNU's and busybox's make the same of the tables.
same_of_every_awk() {
    "$root/bin/benchmark_model" --list_flags >"$tmp/flags"
    for shell in bash zsh fish; do
        awk -v tool=x -v shell="$shell" -f scripts/package/completion.awk "$tmp/flags" >"$tmp/first"
        for other in mawk gawk 'busybox awk'; do
            command -v "${other%% *}" >/dev/null || continue
            $other -v tool=x -v shell="$shell" -f scripts/package/completion.awk "$tmp/flags" >"$tmp/second"
            cmp "$tmp/first" "$tmp/second" || { echo "$other for $shell"; return 1; }
        done
    done
}

# parses SHELL FILE...: where that shell is here
parses() {
    shell=$1
    shift
    for file; do "$shell" -n "$file" || return 1; done
}

# only_ours NM_FLAGS FILE: it defines dg_ symbols, and no other global ones.
only_ours() {
    # shellcheck disable=SC2086  # flags
    nm $1 --defined-only --extern-only "$2" | awk 'NF > 2 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' >"$tmp/symbols"
    ! grep -v '^dg_' "$tmp/symbols" && grep -q '^dg_session_run$' "$tmp/symbols"
}

# Each declared function is there, each that is there is declared.
declared() {
    grep -o '\bdg_[a-z_]*(' "$root/include/delegauge.h" | tr -d '(' | sort -u >"$tmp/declared"
    nm --defined-only --extern-only "$root/lib/libdelegauge.a" | awk 'NF > 2 { print $3 }' | sort >"$tmp/symbols"
    diff "$tmp/declared" "$tmp/symbols"
}

interface() { RECORD=$1 sh scripts/package/abi.sh check "$root/lib/libdelegauge.so"; }

# A record that differs from the library as LINE, a sed script, says: that must be seen, and named.
sees_change() {    # sees_change SED NAME
    sed "$1" "$record" >"$tmp/record.xml"
    ! cmp -s "$record" "$tmp/record.xml" || return 1
    interface "$tmp/record.xml" >"$tmp/said"
    [ $? -eq 1 ] && grep "$2" "$tmp/said"
}

config() {
    PKG_CONFIG_PATH=$root/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$tmp/dest pkg-config "$@" delegauge |
        sed "s|-I$tmp/dest/usr/|-I/usr/|g"
}

# example NAME SOURCE_FLAGS LIBRARIES...
example() {
    name=$1
    shift
    # shellcheck disable=SC2086,SC2046  # flags
    $cc $strict $(config --cflags) -o "$tmp/$name" bench/example/run_model.c "$@"
}

prints() {    # prints PROGRAM MODEL PATTERN
    LD_LIBRARY_PATH=$root/lib "$1" "$2" >"$tmp/printed" 2>&1 || { cat "$tmp/printed"; return 1; }
    cat "$tmp/printed"
    grep -q "$3" "$tmp/printed"
}

same_outputs() {
    sed -n 's/^CPU: output/output/p' "$tmp/printed" >"$tmp/cpu"
    sed -n 's/^GPU: output/output/p' "$tmp/printed" >"$tmp/gpu"
    [ -s "$tmp/cpu" ] && diff "$tmp/cpu" "$tmp/gpu"
}

try "make install" installs install
try "the files are there" files_are_there
if command -v man >/dev/null; then
    try "manual pages" pages
else
    skip man "there is no man (Debian package man-db)"
fi
if command -v bash >/dev/null; then
    try "completion of a flag" completes benchmark_model --num_t --num_threads=
    try "completion of a word" completes benchmark_model --cpu_kernels = f fast
    try "completion after a space" completes benchmark_model --cpu_kernels r reference
    try "completion of true and false" completes benchmark_model --use_gpu = t true
    touch "$tmp/a  model"
    try "completion of a path" completes benchmark_model --graph = "$tmp/a" "$tmp/a  model"
    try "completion of adb_run's flag" completes adb_run --task --taskset=
    try "completion of a flag's word" completes adb_run --taskset = l little
    try "completion of a tool" completes adb_run -s SERIAL --all op op_coverage
    try "completion of the tool's flag" completes adb_run --all benchmark_model --num_t --num_threads=
    try "completion of a command" completes delegauge cov coverage
    try "completion of the command's flag" completes delegauge bench --num_t --num_threads=
fi
for shell in zsh/site-functions/_ fish/vendor_completions.d/; do
    name=${shell%%/*}
    if command -v "$name" >/dev/null; then
        try "completion of $name" parses "$name" "$root/share/$shell"*
    else
        skip "$name" "there is no $name (Debian package $name)"
    fi
done
if command -v fish >/dev/null; then
    try "fish completes a flag's word" fish_completes 'benchmark_model --use_gpu=t' --use_gpu=true
    try "fish completes a tool" fish_completes 'adb_run -s SERIAL --all op' op_coverage
    try "fish completes the tool's flag" fish_completes 'adb_run -s SERIAL benchmark_model --num_t' --num_threads
    try "fish completes a command" fish_completes 'delegauge cov' coverage
    try "fish completes the command's flag" fish_completes 'delegauge bench --num_t' --num_threads
fi
try "completion by every awk" same_of_every_awk
try "odd folders" goes_to /opt "$tmp/it's a place"
try "a relative folder" refuses_to_go_to opt
try "libraries elsewhere" refuses_libraries_in /usr/lib64
try "libraries beside PREFIX" refuses_libraries_in ../x
try "a folder with a space" takes_spaces
try "links of documents" links_are_there
try "delegauge bench" front_door 0 benchmark_model bench --version
try "delegauge help diff" front_door 0 'usage: inference_diff' help diff
try "delegauge help eval detection" front_door 0 'usage: eval_detection' help eval detection
try "delegauge eval classification" front_door 0 eval_classification eval classification --version
try "delegauge eval" front_door 2 'classification, detection or segmentation' eval
try "delegauge ab --help" front_door 0 'usage: ab.sh' ab --help
try "delegauge ab" front_door 2 'two commands are needed' ab
try "delegauge help board" front_door 0 'usage: board.py' help board
try "delegauge compare" front_door 2 'two reports' compare
try "an unknown command" front_door 2 "no command 'bank'" bank
try "adb_run" sh -c "'$root/bin/adb_run' --help | grep -q '^usage'"
try "the archive has only dg_ symbols" only_ours '' "$root/lib/libdelegauge.a"
try "the shared library has only dg_ symbols" only_ours -D "$root/lib/libdelegauge.so"
try "header and library name the same functions" declared
record=testdata/abi/$(uname -m).xml
if ! command -v abidiff >/dev/null; then
    skip abi "there is no abidiff (Debian package abigail-tools)"
elif [ ! -r "$record" ]; then
    skip abi "there is no $record"
else
    try "the interface is that on record" interface "$record"
    try "a function that is gone is seen" sees_change "s/ name='dg_version' version=/ name='dg_gone' version=/" 'dg_gone'
    try "a struct that has changed is seen" sees_change \
        "/'dg_session_options'/s/192/256/; /offset-in-bits='160'/{N;/min_nodes/s/160/192/}" 'struct dg_session_options'
    try "another version of symbols is seen" sees_change 's/DELEGAUGE_[0-9.]*/DELEGAUGE_0.0/' 'DELEGAUGE_0\.0'
fi
try "the version is that of the tools" sh -c "'$root/bin/op_coverage' --version | grep -F \" \$(sed -n 's/^Version: //p' \
    '$root/lib/pkgconfig/delegauge.pc')\""
echo '#include <delegauge.h>
int main() { return dg_version() == DG_VERSION ? 0 : 1; }' >"$tmp/plain.c"
# shellcheck disable=SC2046,SC2086  # flags
{
    try "the header as C11" $cc $strict $(config --cflags) -fsyntax-only "$tmp/plain.c"
    if command -v "${cxx%% *}" >/dev/null; then
        try "the header as C++" $cxx -Wall -Wextra -Wpedantic -Werror $(config --cflags) -x c++ "$tmp/plain.c" -x none \
            -o "$tmp/plain" $(config --libs)
        try "a C++ program runs" env LD_LIBRARY_PATH="$root/lib" "$tmp/plain"
    else
        skip "C++" "there is no $cxx (Debian package g++)"
    fi
    try "the example with the shared library" example shared $(config --libs)
    try "the example with the archive" example static "$root/lib/libdelegauge.a" -lepoxy -lm -pthread
}
"$build/make_models" --cli "$tmp/models" >"$tmp/out" 2>&1 || { cat "$tmp/out"; failed=$((failed + 1)); }
model=$(find "$tmp/models" -name '*relu*.tflite' | sort | head -n 1)
[ -n "$model" ] || model=$(find "$tmp/models" -name '*.tflite' | sort | head -n 1)
for program in static shared; do
    try "the example runs ($program)" prints "$tmp/$program" "$model" '^CPU: output 0 '
done
if grep -q '^GPU: none' "$tmp/printed"; then
    skip gpu "the example on the GPU: $(sed -n 's/^GPU: none: //p' "$tmp/printed")"
else
    try "the example's GPU gives what the CPU gives" same_outputs
fi
try "make uninstall" installs uninstall
try "uninstall leaves no file" sh -c "! find '$root' ! -type d | grep ."
finish
