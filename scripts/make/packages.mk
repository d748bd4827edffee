# SPDX-License-Identifier: Apache-2.0
# packages.mk - libraries that the tools use if they are installed.

# XNNPACK, a delegate of the tools that they do without, and the installed libraries do. WITH_XNNPACK= builds without it. Debian's
# libxnnpack-dev comes without the header of its thread pool. It is found where it has every function that is called.
xnnpack_found = { printf '%s\n' '\#include <xnnpack.h>' 'void *volatile all[] = {pthreadpool_create, pthreadpool_destroy,'; \
  grep -ohE 'xnn_(define|create|delete|initialize|invoke|setup)[a-z0-9_]*' lib/delegates/xnnpack/*.c | sort -u | tr '\n' ','; \
  echo '}; int main(void) { return !all[0]; }'; } | \
  $(CC) $(machine) -idirafter lib/delegates/xnnpack/pthreadpool -x c -o /dev/null - -lXNNPACK -l:libpthreadpool.so.0 2>&- && \
  echo 1
ifeq ($(origin WITH_XNNPACK),undefined)
WITH_XNNPACK := $(shell $(xnnpack_found))
endif
xnnpack_flags := $(if $(WITH_XNNPACK),-idirafter lib/delegates/xnnpack/pthreadpool \
  -DXNNPACK_VERSION=$(or $(shell dpkg-query -W -f='$${Version}' libxnnpack-dev 2>/dev/null),unknown))

# Images as inputs: libraries that the tools do without. WITH_PNG= and WITH_JPEG= build without them.
PKG_CONFIG ?= $(if $(CROSS),$(sysroot:%=PKG_CONFIG_SYSROOT_DIR=%) \
  PKG_CONFIG_LIBDIR=$(sysroot)/usr/lib/$(CROSS:%-=%)/pkgconfig:$(sysroot)/usr/share/pkgconfig )pkg-config
ifeq ($(origin WITH_PNG),undefined)
WITH_PNG := $(shell $(PKG_CONFIG) --exists libpng 2>/dev/null && echo 1)
endif
ifeq ($(origin WITH_JPEG),undefined)
WITH_JPEG := $(shell $(PKG_CONFIG) --exists libjpeg 2>/dev/null && echo 1)
endif
image_packages := $(strip $(if $(WITH_PNG),libpng) $(if $(WITH_JPEG),libjpeg))
image_flags := $(if $(WITH_PNG),-DWITH_PNG) $(if $(WITH_JPEG),-DWITH_JPEG) \
  $(if $(image_packages),$(shell $(PKG_CONFIG) --cflags $(image_packages)))
TOOL_LIBS := $(if $(CJSON),,-lcjson) $(if $(image_packages),$(shell $(PKG_CONFIG) --libs $(image_packages)))
