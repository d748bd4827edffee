#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install_deps.sh [GROUP...] - installs the Debian packages that are missing, and says first which, what for, and how.
#
# GROUP is build, check (the default: both), static (programs without libraries), android (android-check), networks (nightly's
# part), lint, ci or nightly; check, ci and nightly bring build with them, nightly android and networks as well. With --list it only
# prints what is missing. Not as root it uses sudo, which may ask for a password. ruff, zig, TensorFlow and LiteRT, which Debian 12
# lacks, come from PyPI into build/venv, cJSON's source into build/cjson. Where there is no apt-get it names what to install by hand
# and fails. The status is 3 where nothing is missing but what comes from PyPI, and that cannot be reached.
set -eu
cd "$(dirname "$0")/../.."

# group package what for
table() {
    cat <<END
build gcc compiler
build libc6-dev headers of the C library
build make runs the build
build pkg-config finds the libraries
build libepoxy-dev OpenGL ES and EGL entry points, loaded when first used
build libegl1-mesa-dev EGL headers
build libegl1 hands EGL calls to the driver
build libgles2 hands OpenGL ES calls to the driver
build libegl-mesa0 Mesa: EGL for most GPUs
build libgl1-mesa-dri Mesa: drivers for most GPUs, and llvmpipe where there is none
build libcjson-dev JSON output
build libpng-dev PNG images as inputs (make works without)
build libjpeg62-turbo-dev JPEG images as inputs (make works without)
build libxnnpack-dev the delegate --use_xnnpack (make works without)
check libcmocka-dev unit tests
check glslang-tools compiles shaders with types that drivers here lack
check python3 validates JSON reports, runs small helpers
check python3-fastjsonschema validates JSON reports
check python3-jsonschema tells what is wrong with JSON reports
lint clang-format-14 layout of the sources
lint clang-tidy-14 likely bugs and long functions
lint codespell spelling
lint shellcheck shell scripts
lint git lists the files
lint python3 reads the source tree
lint python3-venv makes room for ruff
lint ruff Python scripts
static libgles-dev OpenGL ES headers
static dpkg-dev unpacks the source of cJSON
static cjson-source JSON output, compiled in
static python3-venv makes room for zig
static ziglang compiler for static programs
android clang compiles for Android
android lld links for Android
android libgles-dev OpenGL ES headers
android dpkg-dev unpacks the source of cJSON
android cjson-source JSON output, compiled in
android python3-venv makes room for zig
android ziglang headers of musl
networks python3-venv makes room for TensorFlow
networks tensorflow converts networks
networks ai-edge-litert TensorFlow Lite, which says what is right
ci qemu-user-static runs binaries of other CPUs
ci clang second compiler, sanitizers
ci git fresh clone
ci abigail-tools compares binary interfaces
ci debhelper makes Debian packages
ci lintian judges Debian packages
ci adb the client that adb_run.sh wants
ci mksh the shell of Android
ci zsh reads its completions
ci fish reads its completions
ci parallel runs on several devices at once
ci toybox the commands of Android
nightly clang thread sanitizer, libFuzzer
nightly mesa-vulkan-drivers lavapipe, under Mesa's zink driver
nightly gcc-aarch64-linux-gnu compiler for arm64
nightly libc6-dev-arm64-cross C library for arm64
nightly debootstrap makes a clean Debian to install into
nightly debian-archive-keyring checks the signatures of what make sysroot fetches
nightly debhelper makes Debian packages
nightly lintian judges Debian packages
nightly gcc-arm-linux-gnueabihf compiler for 32-bit ARM
nightly libc6-dev-armhf-cross C library for 32-bit ARM
nightly qemu-user-static runs binaries of other CPUs
END
}

have() {
    case $1 in
    gcc) command -v cc ;;
    libc6-dev) [ -e /usr/include/stdio.h ] ;;
    make | pkg-config | codespell | shellcheck | git | clang | python3 | clang-format-14 | clang-tidy-14) command -v "$1" ;;
    libepoxy-dev) pkg-config --exists epoxy ;;
    libegl1-mesa-dev) pkg-config --exists egl ;;
    libcjson-dev) pkg-config --exists libcjson ;;
    libpng-dev) pkg-config --exists libpng ;;
    libjpeg62-turbo-dev) pkg-config --exists libjpeg ;;
    # Not to be had everywhere, and make works without.
    libxnnpack-dev) [ -e /usr/include/xnnpack.h ] || ! command -v apt-get ;;
    glslang-tools) command -v glslangValidator || ! command -v apt-get ;;
    libcmocka-dev) pkg-config --exists cmocka ;;
    libegl1) has_library libEGL ;;
    libgles2) has_library libGLESv2 ;;
    libegl-mesa0 | libgl1-mesa-dri) ls /usr/share/glvnd/egl_vendor.d/*.json || ls /etc/glvnd/egl_vendor.d/*.json ;;
    # Of use in one interpreter only.
    python3-*jsonschema) for p in python3 /usr/bin/python3; do $p -c 'import fastjsonschema, jsonschema' && break; done ;;
    python3-venv) python3 -c 'import ensurepip' ;;
    gcc-aarch64-linux-gnu) command -v aarch64-linux-gnu-gcc ;;
    libc6-dev-arm64-cross) [ -e /usr/aarch64-linux-gnu/include/stdio.h ] ;;
    qemu-user-static) command -v qemu-aarch64-static ;;
    cjson-source) [ -e build/cjson/cJSON.c ] ;;
    ziglang) command -v zig || ls build/venv/lib/python3*/site-packages/ziglang/zig ;;
    tensorflow) ls -d build/venv/lib/python3*/site-packages/tensorflow ;;
    ai-edge-litert) ls -d build/venv/lib/python3*/site-packages/ai_edge_litert ;;
    ruff) command -v ruff || [ -x build/venv/bin/ruff ] ;;
    *) dpkg-query -W -f='${Status}' "$1" | grep -q 'ok installed' ;;
    esac >/dev/null 2>&1
}

has_library() {
    { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q "$1\.so"
}

# Of lines "package what for" the packages of PyPI, or with -v what is not from there.
of_pypi() {
    cut -d ' ' -f 1 | grep "$@" -x -e ruff -e ziglang -e tensorflow -e ai-edge-litert
}

# Missing packages of the groups that were asked for; "package what for" lines.
missing() {
    table | while read -r group package why; do
        case " $groups " in
        *" $group "*) have "$package" || echo "$package $why" ;;
        esac
    done | sort -u
}

apt_install() {
    $sudo apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}

# Together, and where that fails one by one: what cannot be had keeps nothing from the others.
install_all() {
    apt_install "$@" && return
    echo "install_deps: apt-get install: status $?; trying them one by one" >&2
    for package; do apt_install "$package" || echo "install_deps: going on without $package" >&2; done
}

table_of_lines() {
    while read -r package why; do printf '  %-22s %s\n' "$package" "$why"; done
}

list_only=
[ "${1:-}" != --list ] || { list_only=1; shift; }
groups=${*:-build check}
for group in $groups; do
    case $group in
    build | check | static | android | networks | lint | ci | nightly) ;;
    *) echo "install_deps: no group $group; there are build, check, static, android, networks, lint, ci and nightly" >&2; exit 2 ;;
    esac
done
case " $groups " in
*" check "* | *" ci "* | *" nightly "*) groups="$groups build" ;;
esac
case " $groups " in
*" nightly "*) groups="$groups android networks" ;;
esac

lines=$(missing)
[ -n "$lines" ] || exit 0
if [ -n "$list_only" ]; then
    echo "$lines"
    exit 0
fi
packages=$(echo "$lines" | of_pypi -v | grep -vx cjson-source | tr '\n' ' ')
wheels=$(echo "$lines" | of_pypi | sort -u | tr '\n' ' ')
echo "install_deps: missing for $groups, and about to be installed:" >&2
echo "$lines" | table_of_lines >&2

if [ -n "$packages" ]; then
    if ! command -v apt-get >/dev/null; then
        echo "install_deps: no apt-get here; please install by hand what these Debian packages hold: $packages" >&2
        exit 1
    fi
    sudo=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "install_deps: run as root: apt-get install $packages" >&2; exit 1; }
        sudo=sudo
    fi
    export DEBIAN_FRONTEND=noninteractive
    echo "install_deps: running: ${sudo:+sudo }apt-get install --no-install-recommends $packages" >&2
    # A list that a mirror just changes is there a moment later; else it is no reason to stop: what is there may do, and installing
    # says what does not.
    tries=1
    until $sudo apt-get update -qq </dev/null; do
        status=$?
        [ $((tries += 1)) -le 3 ] || {
            echo "install_deps: apt-get update: status $status; going on with the package lists there are" >&2
            break
        }
        sleep 20
    done
    # shellcheck disable=SC2086  # a list of words
    install_all $packages
fi
case $lines in
*cjson-source*) sh scripts/package/fetch_cjson.sh build/cjson ;;
esac
away=
if [ -n "$wheels" ]; then
    echo "install_deps: running: python3 -m venv build/venv; build/venv/bin/pip install $wheels" >&2
    mkdir -p build
    python3 -m venv build/venv
    # shellcheck disable=SC2086  # a list of words
    build/venv/bin/pip install --quiet --disable-pip-version-check --timeout 30 --retries 2 $wheels 2>build/pip.log || away=$?
    cat build/pip.log >&2
    # pip's words of each attempt at a server that does not answer.
    [ -z "$away" ] || grep -q 'connection broken' build/pip.log || exit "$away"
fi
lines=$(missing)
[ -z "$lines" ] || {
    echo "install_deps: still not found:" >&2
    echo "$lines" | table_of_lines >&2
    [ -z "$away" ] || echo "$lines" | of_pypi -v >/dev/null || exit 3
    exit 1
}
