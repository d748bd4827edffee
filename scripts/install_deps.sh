#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install_deps.sh - installs the Debian packages that the build and the tests need; does nothing where they are there.
#
#   gcc make pkg-config          compiler and build
#   libepoxy-dev                 OpenGL ES and EGL entry points, loaded when first used
#   libegl1-mesa-dev             EGL headers
#   libegl1 libgles2             the libraries that hand calls to the driver
#   libegl-mesa0 libgl1-mesa-dri Mesa: a driver for most GPUs, and llvmpipe where there is none
#   libcjson-dev                 JSON output
#   libcmocka-dev                unit tests
set -eu

have_all() {
    command -v cc >/dev/null && command -v make >/dev/null && command -v pkg-config >/dev/null &&
        pkg-config --exists epoxy egl libcjson cmocka && have_mesa
}

# The driver has no .pc file: the loader's cache or the vendor list tells.
have_mesa() {
    { ldconfig -p 2>/dev/null || /sbin/ldconfig -p; } | grep -q 'libGLESv2\.so\.2' &&
        { ls /usr/share/glvnd/egl_vendor.d/*.json || ls /etc/glvnd/egl_vendor.d/*.json; } >/dev/null 2>&1
}

have_all && exit 0

packages="gcc make pkg-config libc6-dev libepoxy-dev libegl1-mesa-dev libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri \
libcjson-dev libcmocka-dev"
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
echo "install_deps: installing $packages" >&2
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo apt-get install -y -qq --no-install-recommends $packages >/dev/null
pkg-config --exists epoxy egl libcjson cmocka || { echo "install_deps: installed, but pkg-config does not find all of it" >&2; exit 1; }
