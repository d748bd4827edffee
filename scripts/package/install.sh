#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh [--remove] TOOL... - copies what make install installs below $DESTDIR$PREFIX, or removes it again.
#
# Manual pages and completions are made from what the tools themselves print, so they must run on this machine: those that do not
# (built for another one) get none, which is said, unless RUN=DIR names a folder with the same tools for this one.
#
# BUILD, VERSION (0.1.0), SONAME (libdelegauge.so.0.1), PREFIX, DESTDIR and LIBDIR (lib, below PREFIX) come from the environment;
# make sets them. Prints each path. --remove removes these files, and of folders only Delegauge's own two, with those below them.
set -eu
remove=
[ "$1" != --remove ] || { remove=1; shift; }
case $PREFIX in
    /*) ;;
    *)
        echo "install.sh: PREFIX=$PREFIX: it begins with /, since DESTDIR comes before it and the pkg-config file holds it" >&2
        exit 2
        ;;
esac
case /${LIBDIR:-}/ in
    //?* | */../*)
        echo "install.sh: LIBDIR=$LIBDIR: it is a folder below PREFIX=$PREFIX, as lib is" >&2
        exit 2
        ;;
esac
root=$DESTDIR$PREFIX
doc=share/doc/delegauge
lib=${LIBDIR:-lib}

# put MODE SOURCE TARGET, TARGET below PREFIX
put() {
    if [ -n "$remove" ]; then
        rm -f "$root/$3"
    else
        mkdir -p "$(dirname "$root/$3")"
        install -m "$1" "$2" "$root/$3"
    fi
    echo "$root/$3"
}

# link NAME TO FOLDER
link() {
    rm -f "$root/$3/$1"
    [ -n "$remove" ] || ln -s "$2" "$root/$3/$1"
    echo "$root/$3/$1"
}

pc() {
    cat <<END
prefix=$PREFIX
libdir=\${prefix}/$lib
includedir=\${prefix}/include

Name: Delegauge
Description: Runs TensorFlow Lite models on the CPU and on the GPU, and says what ran where
Version: $VERSION
Requires.private: epoxy
Libs: -L"\${libdir}" -ldelegauge
Libs.private: -lm -pthread
Cflags: -I"\${includedir}"
END
}

# A tool's manual page and completions.
about() {
    if [ -n "$remove" ]; then
        : >"$tmp/page"
    elif ! "${RUN:-$BUILD}/$1" --help >"$tmp/help" 2>/dev/null || ! "${RUN:-$BUILD}/$1" --list_flags >"$tmp/flags"; then
        echo "install.sh: no manual page and no completion of $1: it does not run on this machine" >&2
        return
    fi
    guide=$(grep -lx "# Guide to $1" cmd/*/GUIDE.md || echo /dev/null)
    made "share/man/man1/$1.1" man.awk -v version="$VERSION" "$tmp/help"
    guide=
    completions "$1"
}

# completions NAME [TOOLS]: for each shell, of the flags in $tmp/flags; TOOLS: what NAME calls, by their names or as WORD=NAME
completions() {
    commands=${2:-}
    made "share/bash-completion/completions/$1" completion.awk -v shell=bash
    made "share/zsh/site-functions/_$1" completion.awk -v shell=zsh
    made "share/fish/vendor_completions.d/$1.fish" completion.awk -v shell=fish
}

# made TARGET SCRIPT -v NAME=VALUE [FILE]
made() {
    [ -n "$remove" ] || awk -v tool="$tool" -v commands="${commands:-}" "$3" "$4" -f scripts/package/roff.awk \
        -f "scripts/package/$2" ${5:+"$5"} "$tmp/flags" ${guide:+"$guide"} >"$tmp/page"
    put 644 "$tmp/page" "$1"
}

guide=
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for tool; do
    put 755 "${BUILD:-}/$tool" "bin/$tool"
    about "$tool"
done
for script in adb_run.sh adb_all.sh adb_device.sh adb_measure.sh adb_json.awk; do
    put "$([ $script = adb_run.sh ] && echo 755 || echo 644)" "scripts/android/$script" "share/delegauge/$script"
done
for script in report/ab.sh report/board.py lib/signals.sh; do
    put "$([ $script = report/ab.sh ] && echo 755 || echo 644)" "scripts/$script" "share/delegauge/scripts/$script"
done
link adb_run ../share/delegauge/adb_run.sh bin
put 755 scripts/package/delegauge.sh bin/delegauge
tool=adb_run
sh scripts/android/adb_run.sh --help >"$tmp/help"
: >"$tmp/flags"
made share/man/man1/adb_run.1 man_help.awk -v version="$VERSION" "$tmp/help"
awk -f scripts/package/help_flags.awk "$tmp/help" >"$tmp/flags"
completions adb_run 'benchmark_model inference_diff op_coverage'
tool=delegauge
sh scripts/package/delegauge.sh --help >"$tmp/help"
: >"$tmp/flags"
made share/man/man1/delegauge.1 man_help.awk -v version="$VERSION" "$tmp/help"
awk -f scripts/package/help_flags.awk "$tmp/help" >"$tmp/flags"
commands='bench=benchmark_model coverage=op_coverage diff=inference_diff compare=benchmark_compare'
completions delegauge "$commands eval_classification eval_detection eval_segmentation"
put 644 schema/json/report.schema.json share/delegauge/report.schema.json
put 644 "${BUILD:-}/installed/libdelegauge.a" "$lib/libdelegauge.a"
put 755 "${BUILD:-}/installed/$SONAME" "$lib/$SONAME"
put 755 "${BUILD:-}/libdelegauge_gpu.so" "$lib/libdelegauge_gpu.so"
put 644 lib/api/delegauge.h include/delegauge.h
documents='README.md CHANGELOG.md cmd/*/GUIDE.md lib/*/GUIDE.md scripts/*/GUIDE.md lib/delegates/README.md schema/rules/README.md'
# shellcheck disable=SC2086  # patterns
printf '%s\n' $documents LICENSE >"$tmp/documents"
put 644 LICENSE "$doc/LICENSE"
# Links to what stays with the sources become words.
for document in $documents; do
    awk -v path="$document" -f scripts/package/links.awk "$tmp/documents" "$document" >"$tmp/page"
    put 644 "$tmp/page" "$doc/$document"
done
link libdelegauge.so "$SONAME" "$lib"
pc >"$tmp/delegauge.pc"
put 644 "$tmp/delegauge.pc" "$lib/pkgconfig/delegauge.pc"
[ -z "$remove" ] || find "$root/$doc" "$root/share/delegauge" -depth -type d -exec rmdir {} \; 2>/dev/null || :
