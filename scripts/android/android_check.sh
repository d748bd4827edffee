#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# android_check.sh [ABI...] - runs `make android` with a stand-in for an NDK: clang for Android's targets, headers of musl (from the
# ziglang package) and of Khronos (Debian's), and libraries that have exactly the symbols of testdata/bionic.
#
# What bionic of API 24 does not have does not compile or does not link. Prints the sizes of the stripped programs and of the GPU's
# part in them, and fails beyond their limits. Nothing is run: these programs have no C library. ABIs: arm64-v8a armeabi-v7a x86_64.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- arm64-v8a armeabi-v7a x86_64
zig=$(ls -d "$PWD"/build/venv/lib/python3*/site-packages/ziglang 2>/dev/null ||
    dirname "$(readlink -f "$(command -v zig || echo ./zig)")")
musl=$zig/lib/libc/include
[ -d "$musl/generic-musl" ] || { echo "android-check: no headers of musl: sh scripts/package/install_deps.sh android" >&2; exit 1; }
out=$PWD/build/android-check
ndk=$out/ndk/toolchains/llvm/prebuilt/linux-x86_64
mkdir -p "$ndk/bin" "$ndk/khronos"
for folder in EGL GLES2 GLES3 KHR; do ln -sfn "/usr/include/$folder" "$ndk/khronos/$folder"; done
status=0

# library FILE SYMBOLS...: makes a shared library that has them and no more, as words of 8 bytes.
library() {
    file=$1
    shift
    for name; do
        printf '.globl %s\n.type %s,%%object\n.size %s,8\n%s: .zero 8\n' "$name" "$name" "$name" "$name"
    done | clang --target="$target" -shared -nostdlib -fuse-ld=lld -Wl,-soname,"${file##*/}" -o "$file" -x assembler -
}

# stand_in TARGET MUSL-ARCH LINUX-ARCH SYMBOLS: the NDK's clang for it, and what of SYMBOLS its compiler-rt has.
stand_in() {
    target=$1
    libraries=$ndk/lib/$target
    mkdir -p "$libraries"
    # shellcheck disable=SC2046  # a list of words
    library "$libraries/libc.so" $(sed 's/#.*//' testdata/bionic)
    # shellcheck disable=SC2086  # a list of words
    library "$libraries/libcompiler_rt.so" $4
    for name in libm libdl liblog; do library "$libraries/$name.so"; done
    cat >"$ndk/bin/$target-clang" <<END
#!/bin/sh
exec clang --target=$target -Wno-unused-command-line-argument -nostdinc -isystem '$(clang -print-resource-dir)/include' \\
    -isystem '$musl/$2-linux-musl' -isystem '$musl/generic-musl' -isystem '$musl/$3-linux-any' -isystem '$musl/any-linux-any' \\
    -isystem '$ndk/khronos' -nostdlib -fuse-ld=lld -Wl,--entry=main -L'$libraries' "\$@" -lcompiler_rt -lc
END
    chmod 755 "$ndk/bin/$target-clang"
}

# What 32-bit ARM calls by its run-time ABI, and what the headers of musl, whose time_t has 64 bits there, call in place of what
# bionic has.
eabi='__aeabi_ldivmod __aeabi_uldivmod __aeabi_idivmod __aeabi_uidivmod __aeabi_idiv __aeabi_uidiv __aeabi_d2lz __aeabi_d2ulz
__aeabi_l2d __aeabi_l2f __aeabi_ul2d __aeabi_ul2f __aeabi_f2lz __aeabi_f2ulz __aeabi_memclr __aeabi_memclr4 __aeabi_memclr8
__aeabi_memcpy __aeabi_memcpy4 __aeabi_memcpy8 __aeabi_memmove __aeabi_memmove4 __aeabi_memmove8 __aeabi_memset __aeabi_memset4
__aeabi_memset8'
time64='__clock_gettime64 __fstat_time64 __fstatat_time64 __futimens_time64 __gmtime64_r __lstat_time64 __stat_time64 __time64
__localtime64_r __nanosleep_time64 __clock_nanosleep_time64 __select_time64 __timegm_time64 __gmtime64 __wait4_time64
__getrusage_time64 __dlsym_time64 __pthread_cond_timedwait_time64'

stand_in aarch64-linux-android24 aarch64 aarch64 ''
stand_in armv7a-linux-androideabi24 arm arm "$eabi $time64"
stand_in x86_64-linux-android24 x86_64 x86 '__cpu_model __cpu_features2 __cpu_indicator_init'
for abi; do
    if ! ${MAKE:-make} --no-print-directory android ANDROID_NDK="$out/ndk" ANDROID_BUILD=build/android-check ABI="$abi"; then
        echo "android-check: $abi: does not build; what is undefined is not in testdata/bionic" >&2
        status=1
        continue
    fi
    python3 scripts/android/android_sizes.py "$abi" "build/android-check/$abi" || status=1
done
exit $status
