#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# drm_shim.sh [FOLDER] - Mesa's drivers of GPUs that are not here, with drm-shims in the place of the hardware; made once.
#
#   FOLDER/arm      libEGL, libGLESv2 with freedreno, panfrost and v3d, from Mesa's own source as Debian has it
#   FOLDER/shims    the libraries to be preloaded, one for each kernel driver
#   FOLDER/gl25     Debian's build of the same Mesa: iris, crocus, radeonsi, nouveau
#   FOLDER/lvp25    lavapipe, and FOLDER/angle ANGLE and SwiftShader of Debian's chromium, which compute on the CPU
#
# FOLDER is $ZOO, else ~/.cache/delegauge/drivers. Parts that are there stay. For the others a Debian of debootstrap in its
# folder chroot has the compilers (1.3 GB, as root; 12 minutes of two processors); it may be removed later. Status 3: what is
# missing cannot be made here, and why.
set -eu
cd "$(dirname "$0")/../.."
. scripts/package/debian_root.sh
dir=$(realpath -m -- "${1:-${ZOO:-${XDG_CACHE_HOME:-$HOME/.cache}/delegauge/drivers}}")
root=$dir/chroot
version=25.0.7
jobs=${JOBS:-$(nproc)}
libraries=usr/lib/$(uname -m)-linux-gnu
arm_shims='freedreno panfrost v3d'
x86_shims='amdgpu nouveau intel'
mesa="dri_gbm.so libEGL.so.1 libGLESv2.so.2 libgallium-$version.so libgbm.so.1"
packages='libdrm-amdgpu1 libdrm-common libdrm-intel1 libdrm-nouveau2 libdrm-radeon1 libdrm2 libegl-mesa0 libgbm1 libgl1-mesa-dri
  mesa-libgallium'
chromium=150.0.7871.100-1~deb12u1 # the last that has ANGLE as libraries

# ---- what is there ----

all_exist() {    # all_exist FOLDER NAME...
    in=$1
    shift
    for name; do
        [ -e "$in/$name" ] || return 1
    done
}

# shellcheck disable=SC2086  # words
has_arm() { all_exist "$dir/arm" $mesa; }
has_shims() {
    for shim in $arm_shims $x86_shims; do
        [ -e "$dir/shims/lib${shim}_noop_drm_shim.so" ] || return 1
    done
}
has_debian() { all_exist "$dir/gl25" "$libraries/libEGL_mesa.so.0" usr/share/glvnd/egl_vendor.d/50_mesa.json; }
has_lavapipe() { all_exist "$dir/lvp25" libvulkan_lvp.so lvp25_icd.json; }
has_angle() { all_exist "$dir/angle" libEGL.so.1 libGLESv2.so.2 libvk_swiftshader.so libvulkan.so.1 vk_swiftshader_icd.json; }

give_up() {
    echo "drm_shim.sh: $1" >&2
    exit 3
}

# ---- the Debian that builds ----

inside() { chroot "$root" /bin/sh -ec "$1"; }

# Mesa of bookworm is too old; its backports have that of the next Debian.
make_root() {
    [ "$(id -u)" -eq 0 ] || give_up "only root can make a Debian in $root"
    if [ ! -x "$root/usr/bin/apt-get" ]; then
        debian_root "$root" >"$dir/root.log" || give_up "$(tail -n 1 "$dir/root.log")"
        for kind in deb deb-src; do
            echo "$kind ${debian_mirror:-http://deb.debian.org/debian} $debian_suite-backports main"
        done >"$root/etc/apt/sources.list.d/backports.list"
    fi
    mkdir -p "$root/src"
    # shellcheck disable=SC1091,SC2031  # names what it is
    debian_suite=$(. "$root/etc/os-release" && echo "$VERSION_CODENAME")
    [ -x "$root/usr/bin/meson" ] || inside "export DEBIAN_FRONTEND=noninteractive
        apt-get -q update
        apt-get -qy --no-install-recommends -o APT::Default-Release=$debian_suite-backports install meson libdrm-dev
        apt-get -qy --no-install-recommends install gcc g++ bison flex python3-mako python3-yaml python3-packaging libexpat1-dev \
            libzstd-dev libelf-dev zlib1g-dev xz-utils pkg-config ninja-build" >"$dir/root.log" 2>&1 ||
        give_up "the packages to build Mesa with are not to be had: $dir/root.log"
}

# The packages whose names begin so, unpacked into a folder.
unpack() {    # unpack FOLDER PACKAGE...
    into=$1
    shift
    mkdir -p "$root/src/debs" "$into"
    inside "cd /src/debs && apt-get -q update && apt-get -q -o APT::Default-Release=$debian_suite-backports download $*" \
        >>"$dir/root.log" 2>&1 || return 1
    for package; do
        dpkg-deb -x "$root/src/debs/${package%=*}"_*.deb "$into"
    done
}

# ---- Mesa from source ----

# Its disk cache would hide what a compiler says; and the shim answers "how many resets?" with what memory held.
fetch_source() {
    [ ! -e "$root/src/mesa-$version/meson.build" ] || return 0
    source=mesa_$version.orig.tar.xz
    # The other files of the package may be gone, and are not wanted.
    [ -e "$root/src/$source" ] ||
        inside "cd /src && apt-get -q update && apt-get -q --download-only source mesa" >>"$dir/root.log" 2>&1 || :
    [ -e "$root/src/$source" ] || give_up "Debian's source of Mesa $version is not to be had: $dir/root.log"
    cat >"$root/src/query.c" <<'QUERY'

static int
msm_ioctl_submitqueue_query(int fd, unsigned long request, void *arg)
{
   struct drm_msm_submitqueue_query *args = arg;

   memset((void *)(uintptr_t)args->data, 0, args->len);
   return 0;
}
QUERY
    inside "cd /src && tar -xf $source && cd mesa-$version
        sed -i 's/return screen->disk_cache;/return NULL;/' src/gallium/drivers/v3d/v3d_screen.c
        sed -i -e '/^#include \"util.u_math.h\"/r /src/query.c' \
            -e '/SUBMITQUEUE_QUERY/s/msm_ioctl_noop/msm_ioctl_submitqueue_query/' src/freedreno/drm-shim/freedreno_noop.c
        grep -q '^msm_ioctl_submitqueue_query' src/freedreno/drm-shim/freedreno_noop.c"
}

build_mesa() {
    options='-Dbuildtype=plain -Dc_args=-O1 -Dcpp_args=-O1 -Db_ndebug=true -Dplatforms= -Dvulkan-drivers= -Dglx=disabled
        -Dglvnd=disabled -Dgles1=disabled -Dllvm=disabled -Dvideo-codecs= -Dgallium-va=disabled -Dgallium-vdpau=disabled
        -Dshader-cache=disabled -Dxmlconfig=disabled'
    # shellcheck disable=SC2086  # one line of words
    set -- $options
    nice -n 10 chroot "$root" /bin/sh -ec "cd /src/mesa-$version
        [ -d arm ] || meson setup --wrap-mode=nodownload arm $* -Dgallium-drivers=freedreno,panfrost,v3d -Dtools=drm-shim
        [ -d x ] || meson setup --wrap-mode=nodownload x $* -Dgallium-drivers=crocus,radeonsi,nouveau -Dtools=drm-shim,intel
        ninja -j$jobs -C arm
        ninja -j$jobs -C x src/amd/drm-shim/libamdgpu_noop_drm_shim.so src/nouveau/drm-shim/libnouveau_noop_drm_shim.so \
            src/intel/tools/libintel_noop_drm_shim.so" >"$dir/build.log" 2>&1 ||
        give_up "Mesa does not build: $(tail -n 1 "$dir/build.log"); $dir/build.log has the rest"
    built=$root/src/mesa-$version
    mkdir -p "$dir/arm" "$dir/shims"
    for name in $mesa; do
        cp -L "$(find "$built/arm/src" -name "$name" | head -n 1)" "$dir/arm/$name"
    done
    for shim in $arm_shims $x86_shims; do
        cp "$(find "$built/arm" "$built/x" -name "lib${shim}_noop_drm_shim.so" | head -n 1)" "$dir/shims/"
    done
}

# ---- Debian's builds ----

# shellcheck disable=SC2086  # words
make_debian() { unpack "$dir/gl25" $packages; }

make_lavapipe() {
    unpack "$dir/lvp" mesa-vulkan-drivers || return 1
    mkdir -p "$dir/lvp25"
    cp "$dir/lvp/$libraries/libvulkan_lvp.so" "$dir/lvp25/"
    printf '{"ICD": {"api_version": "1.4.305", "library_path": "%s"}, "file_format_version": "1.0.0"}' \
        "$dir/lvp25/libvulkan_lvp.so" >"$dir/lvp25/lvp25_icd.json"
}

make_angle() {
    unpack "$dir/c" "chromium-common=$chromium" libxnvctrl0 || return 1
    mkdir -p "$dir/angle"
    from=$dir/c/usr/lib/chromium
    cp "$from/libEGL.so" "$dir/angle/libEGL.so.1"
    cp "$from/libGLESv2.so" "$dir/angle/libGLESv2.so.2"
    cp "$from/libvk_swiftshader.so" "$from/vk_swiftshader_icd.json" "$from/libvulkan.so.1" "$dir/angle/"
    cp -P "$dir/c/$libraries"/libXNVCtrl.so.0* "$dir/angle/"
    ln -sf libEGL.so.1 "$dir/angle/libEGL.so"
    ln -sf libGLESv2.so.2 "$dir/angle/libGLESv2.so"
}

# ---- all of it ----

missing=
has_arm && has_shims || missing="$missing mesa"
has_debian || missing="$missing debian"
has_lavapipe || missing="$missing lavapipe"
has_angle || missing="$missing angle"
[ -n "$missing" ] || { echo "drm_shim.sh: all is there: $dir"; exit 0; }
mkdir -p "$dir"
make_root
for part in $missing; do
    echo "drm_shim.sh: making $part in $dir"
    case $part in
    mesa) fetch_source; build_mesa ;;
    debian) make_debian || give_up "Debian's Mesa is not to be had: $dir/root.log" ;;
    lavapipe) make_lavapipe || echo "drm_shim.sh: NOT MADE: lavapipe: Debian's package is not to be had: $dir/root.log" ;;
    angle) make_angle || echo "drm_shim.sh: NOT MADE: angle: chromium-common $chromium is not to be had: $dir/root.log" ;;
    esac
done
