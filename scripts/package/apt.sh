# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# apt.sh - apt-get that fetches from Debian's archive with lists of its own: nothing of this machine's changes, and root is not
# wanted; for scripts/package/fetch_cjson.sh and scripts/package/sysroot.sh.
#
#   . scripts/package/apt.sh
#   apt_suite                   prints which Debian this is; bookworm, where it is another system
#   apt_archive ETC             prints the Debian archive that the lists of the folder ETC (/etc/apt) name, else Debian's own
#   apt_begin DIR TYPE SUITE    from now on apt has its files in DIR, and of the archive's SUITE what TYPE says (deb or deb-src)
#   apt WORD...                 apt-get; what it fetches comes into DIR/cache/archives. Of the machine's settings those count that
#                               say how to fetch (proxies); those that choose among its own versions do not
#
# The archive is signed by one of $apt_keys, which the Debian package debian-archive-keyring has.
apt_keys=/usr/share/keyrings/debian-archive-keyring.gpg

apt_suite() {
    # shellcheck disable=SC1091  # names what this machine is
    (. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME") || echo bookworm
}

apt_archive() {
    # Of either form of a list.
    apt_archives=$({
        cat "$1"/sources.list.d/*.sources 2>/dev/null | sed -n 's/^URIs://p'
        cat "$1/sources.list" "$1"/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb[[:space:]]*\(\[[^]]*\]\)\{0,1\}//p'
    } | tr -s ' \t' '\n')
    # Others who have packages for Debian call a folder of theirs so, too.
    for apt_form in '^[^/]*//[^/]*/debian/*$' '//.*/debian/*$'; do
        ! echo "$apt_archives" | grep -m 1 "$apt_form" || return 0
    done
    echo http://deb.debian.org/debian
}

apt_begin() {
    apt_dir=$1
    mkdir -p "$apt_dir/lists/partial" "$apt_dir/cache/archives/partial"
    : >"$apt_dir/status"
    echo "$2 [signed-by=$apt_keys] $(apt_archive /etc/apt) $3 main" >"$apt_dir/sources"
}

apt() {
    apt-get -qq -oAPT::Sandbox::User= -oAPT::Default-Release= -oDebug::NoLocking=1 \
        -oDir::Etc::SourceList="$apt_dir/sources" -oDir::Etc::SourceParts=/dev/null \
        -oDir::Etc::Preferences=/dev/null -oDir::Etc::PreferencesParts=/dev/null \
        -oDir::State::status="$apt_dir/status" -oDir::State::Lists="$apt_dir/lists" -oDir::Cache="$apt_dir/cache" "$@" </dev/null
}
