#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fetch_cjson.sh DIR - puts cJSON.c and cJSON.h of Debian's source package of cJSON into DIR, for builds that compile it in.
#
# Debian has the library as a shared one alone, and an NDK has none. apt checks the archive's signature; root is not wanted,
# and nothing of the machine's own lists is touched. CJSON=DIR of make takes any other copy.
set -eu
to=$1
command -v apt-get >/dev/null || {
    echo "fetch_cjson: no apt-get here; put cJSON.c and cJSON.h of https://github.com/DaveGamble/cJSON into $to" >&2
    exit 1
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/lists/partial" "$tmp/cache/archives/partial" "$to"
# The Debian archives that this machine uses, of either form of a list.
{
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -n 's/^URIs: *//p'
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\).*/\2/p'
} | grep -m 1 '/debian/*$' >"$tmp/archive" || echo http://deb.debian.org/debian >"$tmp/archive"
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(cat "$tmp/archive") $release main" >"$tmp/list"
apt() {
    apt-get -qq -o Dir::Etc::SourceList="$tmp/list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$tmp/lists" \
        -o Dir::Cache="$tmp/cache" -o APT::Sandbox::User= "$@" </dev/null
}
apt update
# With Debian's patches, which mend what was found since the release.
(cd "$tmp" && apt source cjson >"$tmp/log" 2>&1) || { cat "$tmp/log" >&2; exit 1; }
cp "$tmp"/cjson-*/cJSON.[ch] "$to"
