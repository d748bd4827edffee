#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb.sh BUILD OUT TOOL... - Debian packages in OUT, of what was built in BUILD: delegauge, libdelegauge0.1 and libdelegauge-dev.
#
# scripts/package/debian is a template: @VERSION@, @SO@ (0.1), @MAINTAINER@, @DATE@ and @YEAR@ are filled in. VERSION and SONAME
# come from make; the maintainer is DEBFULLNAME and DEBEMAIL, else the last commit's author; dates are the last commit's
# (SOURCE_DATE_EPOCH). Prints the paths of the packages. Wants debhelper and dpkg-dev.
set -eu
cd "$(dirname "$0")/../.."
for tool in dh dpkg-buildpackage; do
    command -v $tool >/dev/null || { echo "deb.sh: there is no $tool (Debian packages debhelper and dpkg-dev)" >&2; exit 2; }
done
DELEGAUGE_SOURCE=$PWD
DELEGAUGE_BUILD=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y lib/api/delegauge.h)}"
maintainer=${DEBFULLNAME:-$(git log -1 --format=%an 2>/dev/null || echo Delegauge)}
maintainer="$maintainer <${DEBEMAIL:-$(git log -1 --format=%ae 2>/dev/null || echo delegauge@users.noreply.github.com)}>"
so=${SONAME#libdelegauge.so.}
rm -rf "$out/tree"
mkdir "$out/tree"
date=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
year=$(date -u +%Y -d "@$SOURCE_DATE_EPOCH")
cp -r scripts/package/debian "$out/tree/debian"
for file in "$out"/tree/debian/*; do
    sed -i "s/@VERSION@/$VERSION/g; s/@SO@/$so/g; s/@MAINTAINER@/$maintainer/g; s/@DATE@/$date/g; s/@YEAR@/$year/g" "$file"
    case $file in
    *@SO@*) mv "$file" "${file%@SO@*}$so${file#*@SO@}" ;;
    esac
done
export DELEGAUGE_SOURCE DELEGAUGE_BUILD SOURCE_DATE_EPOCH DELEGAUGE_TOOLS="$*"
export DELEGAUGE_VERSION="$VERSION" DELEGAUGE_SONAME="$SONAME"
# make's variables are not the packages'.
unset MAKEFLAGS MFLAGS MAKELEVEL
rm -f "$out"/*.deb "$out"/*.changes "$out"/*.buildinfo
(cd "$out/tree" && dpkg-buildpackage -b -us -uc -d) >"$out/log" 2>&1 || { tail -n 20 "$out/log" >&2; exit 1; }
rm -rf "$out/tree"
ls "$out"/*.deb
