#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh [--remove] TOOL... - copies what make install installs below $DESTDIR$PREFIX, or removes it again.
#
# BUILD, VERSION (0.1.0), SONAME (libdelegauge.so.0.1), PREFIX and DESTDIR come from the environment; make sets them. Prints each
# path. --remove removes these files, and of folders only the one of the documents.
set -eu
remove=
[ "$1" != --remove ] || { remove=1; shift; }
root=$DESTDIR$PREFIX
doc=share/doc/delegauge

# put MODE SOURCE TARGET, TARGET below PREFIX
put() {
    if [ -n "$remove" ]; then
        rm -f "$root/$3"
    else
        mkdir -p "$(dirname "$root/$3")"
        install -m "$1" "$2" "$root/$3"
    fi
    echo "$root/$3"
}

pc() {
    cat <<END
prefix=$PREFIX
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: Delegauge
Description: Runs TensorFlow Lite models on the CPU and on the GPU, and says what ran where
Version: $VERSION
Requires.private: epoxy
Libs: -L\${libdir} -ldelegauge
Libs.private: -lm -pthread
Cflags: -I\${includedir}
END
}

for tool; do
    put 755 "${BUILD:-}/$tool" "bin/$tool"
done
put 644 "${BUILD:-}/installed/libdelegauge.a" lib/libdelegauge.a
put 755 "${BUILD:-}/installed/$SONAME" "lib/$SONAME"
put 644 lib/delegauge.h include/delegauge.h
for document in README.md CHANGELOG.md LICENSE; do
    put 644 "$document" "$doc/$document"
done
link=$root/lib/libdelegauge.so
pc_file=$root/lib/pkgconfig/delegauge.pc
if [ -n "$remove" ]; then
    rm -f "$link" "$pc_file"
    rmdir "$root/$doc" 2>/dev/null || :
else
    ln -sf "$SONAME" "$link"
    mkdir -p "$(dirname "$pc_file")"
    pc >"$pc_file"
    chmod 644 "$pc_file"
fi
echo "$link"
echo "$pc_file"
