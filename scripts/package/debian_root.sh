# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# debian_root.sh - a Debian of its own in a folder, made by debootstrap: nothing is in it but what every Debian has.
#
#   . scripts/package/debian_root.sh
#   debian_root FOLDER        makes it; else it prints why it could not, and the status is 1. It has this machine's suite, mirror,
#                             names of hosts and settings of apt
debian_root() {
    [ "$(id -u)" -eq 0 ] || { echo "debootstrap wants root"; return 1; }
    command -v debootstrap >/dev/null || { echo "there is no debootstrap (Debian package debootstrap)"; return 1; }
    # shellcheck disable=SC1091
    debian_suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
    debian_mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.* 2>/dev/null |
        sed -n 's/^URIs: //p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' | grep '/debian/\{0,1\}$' | head -n 1)
    mkdir -p "$1"
    if ! debootstrap --variant=minbase "$debian_suite" "$1" "${debian_mirror:-http://deb.debian.org/debian}" >"$1.log" 2>&1; then
        echo "debootstrap made no Debian: $(tail -n 1 "$1.log")"
        return 1
    fi
    # What this machine's apt needs to reach its archive.
    cp /etc/apt/apt.conf.d/* "$1/etc/apt/apt.conf.d/" 2>/dev/null
    cp /etc/resolv.conf /etc/hosts "$1/etc/" 2>/dev/null
    return 0
}
