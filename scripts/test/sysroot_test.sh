#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sysroot_test.sh - tests apt.sh and sysroot.sh: which archive, whose folders, and what a signal leaves, with a made-up apt-get.
#
# The last line is "N passed, N failed, N skipped".
# shellcheck disable=SC2317  # functions are called through try
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/lib/try.sh
scripts=$(pwd)/scripts
mkdir "$tmp/bin"

# Which archive a machine's lists name.
mkdir -p "$tmp/etc/sources.list.d"
# shellcheck source=scripts/package/apt.sh
archive() { (. scripts/package/apt.sh && [ "$(apt_archive "$tmp/etc")" = "$1" ]); }
try "lists that name no archive of Debian's" archive http://deb.debian.org/debian
printf 'Types: deb\nURIs: https://docker.example/linux/debian\nSuites: bookworm\n' >"$tmp/etc/sources.list.d/a.sources"
try "a folder of such a name, and no other" archive https://docker.example/linux/debian
printf 'deb\t[arch=amd64 signed-by=/a]  http://mirror.example/debian/ bookworm main\n' >"$tmp/etc/sources.list"
try "an archive in a list of lines" archive http://mirror.example/debian/
printf 'Types: deb\nURIs: https://a.example/debian https://b.example/debian\n' >"$tmp/etc/sources.list.d/b.sources"
try "the first of two archives" archive https://a.example/debian

# made_up COMMAND: puts one before the real, from its standard input.
made_up() {
    { echo '#!/bin/sh'; cat; } >"$tmp/bin/$1"
    chmod 755 "$tmp/bin/$1"
}

# What it fetches are files of a folder.
made_up apt-get <<END
for word; do case \$word in -oDir::Cache=*) cache=\${word#*=} ;; esac; done
case \$* in
*' install -- '*nothing*) exit 100 ;;
*' install -- '*) cp "$tmp"/archive/*.deb "\$cache/archives" ;;
esac
END

# make_sysroot DIR [SUITE PACKAGE...]: where signals mean what they do for who calls it from a terminal.
make_sysroot() { env --default-signal=HUP,INT,PIPE,TERM PATH="$tmp/bin:$PATH" sh "$scripts/package/sysroot.sh" arm64 "$@"; }

# What is no folder of packages is not theirs to replace.
mkdir -p "$tmp/mine" "$tmp/system/var/lib/dpkg/info"
: >"$tmp/mine/text"
: >"$tmp/system/var/lib/dpkg/info/format"
: >"$tmp/system/var/lib/dpkg/lock"
refuses() {     # refuses FOLDER
    (cd "$1" && make_sysroot . stable libone) >"$tmp/said" 2>&1
    status=$?
    cat "$tmp/said"
    [ "$status" -eq 2 ] && grep -q '^sysroot.sh: .* it stays as it is$' "$tmp/said"
}
try "somebody's folder is no place for a sysroot" refuses "$tmp/mine"
try "and keeps what it has" [ -e "$tmp/mine/text" ]
try "nor is a whole system" refuses "$tmp/system"

if ! command -v dpkg-deb >/dev/null || [ ! -e /usr/share/keyrings/debian-archive-keyring.gpg ]; then
    echo 'NOT RUN (sysroot): there is no keyring of the archive (Debian package debian-archive-keyring)'
    skipped=1
    finish
fi

# Two packages for another machine; a link of theirs names a file of that machine.
lib=usr/lib/aarch64-linux-gnu
mkdir "$tmp/archive"
for name in libone libtwo; do
    mkdir -p "$tmp/$name/DEBIAN" "$tmp/$name/$lib"
    echo of arm64 >"$tmp/$name/$lib/$name.so.1"
    ln -s "/$lib/$name.so.1" "$tmp/$name/$lib/$name.so"
    printf 'Package: %s\nVersion: 1.5\nArchitecture: arm64\nMulti-Arch: same\nMaintainer: n <n@n>\nDescription: d\n' $name \
        >"$tmp/$name/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$tmp/$name" "$tmp/archive" >/dev/null
done

root=$tmp/sysroot
# whole STATUS [SUITE PACKAGE...]: how it ends for the folder $root, which is whole then, with nothing beside it.
whole() {
    wanted=$1
    shift
    make_sysroot "$root" "$@"
    status=$?
    echo "status $status; $(echo "$root"*)"
    [ "$status" -eq "$wanted" ] && [ "$(echo "$root"*)" = "$root" ] && grep -qx 'of arm64' "$root/$lib/libtwo.so" &&
        [ -e "$root/var/lib/dpkg/info/libtwo:arm64.list" ]
}
# dpkg_says TEXT WORD...
dpkg_says() {
    text=$1
    shift
    [ "$(dpkg-query --admindir="$root/var/lib/dpkg" "$@")" = "$text" ]
}
try "two packages" whole 0 stable libone libtwo
try "dpkg knows whose a file is" dpkg_says "libone:arm64: /$lib/libone.so.1" -S "/$lib/libone.so.1"
# shellcheck disable=SC2016  # dpkg's
try "and of what version" dpkg_says 1.5 -W -f='${Version}' libone:arm64
not_had() { whole 3 stable nothing >"$tmp/said" 2>&1 && grep '^sysroot.sh: arm64: .* not to be had$' "$tmp/said"; }
try "what is not to be had leaves the old one, and is told" not_had
try "again" whole 0
try "a suite without packages" whole 2 stable

# interrupted AFTER SIGNAL: the signal comes when so many folders have been moved.
interrupted() {
    : >"$tmp/moves"
    made_up mv <<END
/bin/mv "\$@" || exit
echo >>"$tmp/moves"
[ "\$(wc -l <"$tmp/moves")" -ne $1 ] || kill -$2 \$PPID
END
}
for signal in TERM:143 INT:130 HUP:129 PIPE:141; do
    interrupted 1 "${signal%:*}"
    try "a signal while there is neither the old one nor the new: $signal" whole "${signal#*:}"
done
interrupted 2 TERM
try "a signal when the new one is there" whole 143
rm "$tmp/bin/mv"

# dpkg-deb removes files, too.
made_up rm <<'END'
for last; do :; done
case $last in
*/sysroot*)
    /bin/rm -rf "$last/usr" "$last/old/usr"
    kill -INT $PPID
    ;;
esac
exec /bin/rm "$@"
END
try "a signal while the old one is removed" whole 0
rm "$tmp/bin/rm"

made_up tar <<'END'
case $1 in t*) exit 1 ;; esac
exec /bin/tar "$@"
END
try "a package that cannot be listed leaves the old one" whole 1
finish
