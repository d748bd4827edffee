# SPDX-License-Identifier: Apache-2.0
# faults.mk - targets of the Makefile that let calls of the C library fail, one at a time.

$(BUILD)/libfaults.so: scripts/test/faults.c
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -std=gnu17 $(WARN) -O1 -g -fPIC -shared -o $@ $< -ldl

$(BUILD)/obj/lib/base/arena.o: BASE += $(arena_flags)

# Each allocation of an arena can fail there. Of compilers gcc has the address sanitizer in a library, which a library may precede.
faults_build = $(if $(SAN),build/faults-san,build/faults)
faults: ## each allocation and each step of writing fails once, in every tool (FAULTS=--all; SAN=address: leaks, too)
	@$(MAKE) -j$(JOBS) --no-print-directory BUILD=$(faults_build) arena_flags=-DARENA_ALONE \
	  $(if $(SAN),CC=gcc OPT='-O1 -g' CFLAGS=-Wno-error) $(addprefix $(faults_build)/,$(tool_names) make_models libfaults.so)
	$(PYTHON) scripts/test/faults_test.py --build=$(faults_build) --gpu --most=500 $(FAULTS)
