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
# shellcheck source=scripts/package/apt.sh
. "$(dirname "$0")/apt.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$to"
apt_begin "$tmp" deb-src "$(apt_suite)"
apt update
# With Debian's patches, which mend what was found since the release.
(cd "$tmp" && apt source cjson >"$tmp/log" 2>&1) || { cat "$tmp/log" >&2; exit 1; }
cp "$tmp"/cjson-*/cJSON.[ch] "$to"
