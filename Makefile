# SPDX-License-Identifier: Apache-2.0
# make help lists the targets. BUILD, CC, CFLAGS, SAN (address,undefined), DEBUG=1 may be given on the command line.
# OP=conv narrows opcheck and golden to one operator.
SHELL := /bin/sh
OP     ?=
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
MODELS ?= ../shared/models
PYTHON ?= python3
PREFIX ?= /usr/local
DESTDIR ?=
LIBDIR  ?= lib

version := $(shell sed -n 's/^\#define DG_VERSION_STRING *"\(.*\)"/\1/p' lib/api/delegauge.h)
# A new minor version may change the interface while the major one is 0.
soname  := libdelegauge.so.$(basename $(version))

include scripts/make/toolchain.mk scripts/make/packages.mk scripts/make/sources.mk

# REQUIRE_GPU=1: having no GPU is a failure of the tests.
export REQUIRE_GPU SAN

# make V=1 shows the commands.
say = $(if $(V),,@printf '  %-6s %s\n' $(1) $@;)

.PHONY: FORCE all help deps build-deps demo check check-all lint lint-deps bench clean fuzz fuzz-replay golden gpu-record opcheck \
  conformance check-built check-drivers demo-built bench-built models mutants nightly install uninstall abi-record deb deb-packed \
  dist dist-packed gpu-report gpu-report-built \
  faults android android-check android-dist check-static sysroot tools test-programs unit-tests
.DELETE_ON_ERROR:
.SECONDARY:

all: $(bins) $(plugin) $(BUILD)/make_models $(BUILD)/opcheck $(BUILD)/gpu_fuzz $(BUILD)/gpu_limits ## build the tools (default)
	@$(if $(WITH_PNG),,echo 'note: without libpng (Debian: libpng-dev) the tools read no PNG images')
	@$(if $(WITH_JPEG),,echo 'note: without libjpeg-turbo (Debian: libjpeg62-turbo-dev) the tools read no JPEG images')
	@$(if $(WITH_XNNPACK),,echo 'note: without XNNPACK (Debian: libxnnpack-dev) the tools have no --use_xnnpack')

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' Makefile scripts/make/*.mk

deps: ## install what build and tests need and lack (Debian packages; says so, may use sudo)
	@sh scripts/package/install_deps.sh build check

build-deps:
	@sh scripts/package/install_deps.sh build

# Under the address sanitizer, which sees null pointers itself, checks of these would take half of the time to compile.
kernel_opt := $(if $(findstring address,$(SAN)),-fno-sanitize=null$(comma)pointer-overflow,-O3) -fno-math-errno -fno-trapping-math
# A test's main() has a name of its own, so that one program may have them all. Tests are compiled quickly.
test_flags := -Wno-missing-prototypes $(if $(DEBUG)$(ANDROID),,-O1 -g1)
main_of = $(subst /,_,$(1))_main
$(BUILD)/obj/%_test.o: own_flags = $(test_flags) -Dmain=$(call main_of,$(basename $<))

# Other flags or another compiler make all objects anew.
flags := $(CC) $(BASE) $(kernel_opt) $(gpu_size) $(image_flags) $(xnnpack_flags) $(test_flags)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(flags)' | cmp -s - $@ || echo '$(flags)' > $@

$(BUILD)/obj/kernels_cpu/%.o: kernels_cpu/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(BASE) $(kernel_opt) $(own_flags) -c -o $@ $<

$(BUILD)/obj/lib/gl/%.o $(BUILD)/obj/kernels_gl/%.o $(BUILD)/obj/gen/shaders.o: BASE += $(gpu_size)
$(BUILD)/obj/cmd/input/image_%.o: BASE += $(image_flags)
$(BUILD)/obj/lib/delegates/xnnpack/xnnpack_%.o: BASE += $(xnnpack_flags)
$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(BASE) $(own_flags) -c -o $@ $<

# Each kernels_gl/*/X.comp becomes the string X_comp; all are packed together.
$(BUILD)/gen/shaders.c: $(comp_src) scripts/make/embed.awk
	@mkdir -p $(@D)
	$(call say,GEN)LC_ALL=C awk -f scripts/make/embed.awk $(comp_src) > $@ || { rm -f $@; exit 1; }

$(BUILD)/gen/shaders.h: $(comp_src) scripts/make/embed.awk
	@mkdir -p $(@D)
	$(call say,GEN)LC_ALL=C awk -v header=1 -f scripts/make/embed.awk $(comp_src) > $@ || { rm -f $@; exit 1; }

# lib/ops/ops.def names GL kernels as &gl_conv; this declares each.
$(BUILD)/gen/gl_kernels.h: lib/ops/ops.def
	@mkdir -p $(@D)
	$(call say,GEN){ echo '/* made by make from lib/ops/ops.def */'; echo 'struct gl_kernel;'; \
	  grep -o '&gl_[a-z0-9_]*' $< | sort -u | sed 's/^&\(.*\)/extern const struct gl_kernel \1;/'; } > $@

# schema/rules/*.rules, for lib/rules/rules.c.
$(BUILD)/gen/rules_builtin.h: $(rules_src) scripts/make/embed_rules.awk
	@mkdir -p $(@D)
	$(call say,GEN)awk -f scripts/make/embed_rules.awk $(rules_src) > $@

$(BUILD)/obj/gen/shaders.o: $(BUILD)/gen/shaders.c $(BUILD)/gen/shaders.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(BASE) -include shaders.h -c -o $@ $<

# lib/gl/device/headers.h without libepoxy: glFlush is the pointer epoxy_glFlush.
$(BUILD)/gen/gl_names.h: lib/gl/device/egl_functions.def lib/gl/device/functions.def
	@mkdir -p $(@D)
	$(call say,GEN)sed -n -e 's/^EGL_[A-Z]*(\(.*\))$$/#define egl\1 epoxy_egl\1/p' \
	  -e 's/^GL_FUNCTION(\(.*\))$$/#define gl\1 epoxy_gl\1/p' $^ > $@

# Alone, away from the headers of this machine's C library.
$(BUILD)/gen/khronos/.done:
	@mkdir -p $(@D)
	@for d in EGL GLES2 GLES3 KHR; do ln -sfn "$(abspath $(KHRONOS))/$$d" $(@D)/$$d; done
	@[ -e $(@D)/EGL/egl.h ] && [ -e $(@D)/GLES3/gl32.h ] || { echo "$(KHRONOS): no EGL/egl.h and GLES3/gl32.h (Debian:" \
	  "libegl-dev, libgles-dev)" >&2; exit 1; }
	@touch $@

ifneq ($(CJSON),)
$(BUILD)/gen/cjson/cJSON.h: $(wildcard $(CJSON)/cJSON.h)
	@[ -e '$(CJSON)/cJSON.c' ] || { echo "CJSON=$(CJSON): no cJSON.c there; sh scripts/package/install_deps.sh static puts it into" \
	  "build/cjson" >&2; exit 1; }
	@mkdir -p $(@D)
	$(call say,GEN)cp $(CJSON)/cJSON.h $@

$(BUILD)/obj/gen/cJSON.o: $(BUILD)/gen/cjson/cJSON.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(BASE) -w -c -o $@ $(CJSON)/cJSON.c
endif
$(call obj,$(wildcard cmd/*/*.c)): | $(if $(CJSON),$(BUILD)/gen/cjson/cJSON.h)

$(call obj,$(glk_src) $(lib_src) $(plugin_src) $(helper_src) $(wildcard bench/*/*.c lib/*/*_test.c lib/*/*/*_test.c)): \
  | $(if $(WITH_EPOXY),,$(BUILD)/gen/gl_names.h) \
  $(if $(KHRONOS),$(BUILD)/gen/khronos/.done) $(BUILD)/gen/shaders.h $(BUILD)/gen/gl_kernels.h \
  $(BUILD)/gen/rules_builtin.h

# The commit that the tools were built from, for their reports; "" outside of a git checkout.
$(BUILD)/gen/commit.h: FORCE
	@mkdir -p $(@D)
	@commit=$$(git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null); \
	  text="#define DG_COMMIT \"$$commit\""; echo "$$text" | cmp -s - $@ || echo "$$text" > $@
$(BUILD)/obj/cmd/tool/report_parts.o: $(BUILD)/gen/commit.h

# What makes stored starts: their key has its hash, so that what other sources or flags made is not used. It does not have which
# program they are in, so that tools share them.
core_files := $(sort scripts/make/embed.awk $(comp_src) $(filter-out %_test.c %_fuzz.c $(helper_src) $(helper_src:.c=.h),\
  $(wildcard $(foreach d,lib/* lib/gl/* lib/delegates/* kernels_gl/* kernels_cpu/* schema,$(addprefix $(d)/*.,c h def)))))
$(if $(filter-out $(core_files),$(lib_src) $(kernel_src) $(glk_src)),$(error core_files does not have all sources of the library))
core_flags := $(filter-out -ffile-prefix-map=% -fdebug-prefix-map=%,$(flags))
$(BUILD)/gen/core_id.h: FORCE
	@mkdir -p $(@D)
	@sums=$$(sha256sum $(core_files)) || exit 1; id=$$(echo '$(core_flags)' "$$sums" | sha256sum | cut -d ' ' -f 1); \
	  text="#define DG_CORE_ID \"$$id\""; echo "$$text" | cmp -s - $@ || echo "$$text" > $@
$(BUILD)/obj/lib/gl/cache/serialization_cache.o: $(BUILD)/gen/core_id.h

$(lib_a): $(lib_obj) $(call obj,$(xnnpack_src))
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

# All of it, so that nothing is asked of the program that loads it; nothing but its two functions can be seen from there.
plugin_obj := $(call obj,$(plugin_src) $(xnnpack_without)) \
  $(filter-out $(call obj,$(plugin_src) lib/gl/device/functions.c),$(lib_obj))
$(BUILD)/libdelegauge_gpu.so: $(plugin_obj) lib/tflite/plugin.map
	$(call say,LD)$(CC) -shared -Wl,-soname,$(@F) -Wl,-z,defs -Wl,--version-script=lib/tflite/plugin.map -o $@ $(plugin_obj) \
	  $(machine) $(SANFLAG) $(LDFLAGS) -lm -ldl -pthread

# The linker's map names objects, but not those of archives: of it are the sizes that android-check prints.
linked := $(if $(ANDROID),$(lib_obj) $(call obj,$(xnnpack_src)),$(lib_a))
$(bins): $(BUILD)/%: $(cmd_obj) $(linked)
	$(call say,LD)$(CC) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(TOOL_LIBS)
$(foreach main,$(mains),$(eval $(BUILD)/$(notdir $(main)): $(BUILD)/obj/$(main).o))

$(BUILD)/make_models: $(call obj,$(wildcard bench/models/*.c)) $(lib_a)
	$(call say,LD)$(CC) -o $@ $^ $(LIBS)

limits_src := $(wildcard bench/limits/limits*.c)
bench_src := $(filter-out %_test.c bench/opcheck/opcheck.c bench/fuzz/gpu_fuzz.c bench/limits/gpu_limits.c $(limits_src),\
  $(wildcard $(addsuffix /*.c,bench/opcheck bench/fuzz bench/limits))) $(case_src) $(model_writers)
bench_obj := $(call obj,$(bench_src))

$(BUILD)/opcheck: $(BUILD)/obj/bench/opcheck/opcheck.o
$(BUILD)/gpu_fuzz: $(BUILD)/obj/bench/fuzz/gpu_fuzz.o
$(BUILD)/opcheck $(BUILD)/gpu_fuzz: $(bench_obj) $(linked)
	$(call say,LD)$(CC) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)

$(BUILD)/gpu_limits: $(call obj,bench/limits/gpu_limits.c $(filter-out %_test.c,$(limits_src))) $(linked)
	$(call say,LD)$(CC) -o $@ $^ $(LIBS)

$(BUILD)/libtest.a: $(call obj,$(helper_src))
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

$(tests): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/libtest.a $(cmd_obj) $(call obj,$(model_writers)) $(lib_a)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -o $@ $^ -Wl,--defsym=main=$(call main_of,$*) $(LIBS) $(TOOL_LIBS) -lcmocka

limits_obj := $(call obj,$(filter-out %_test.c,$(limits_src)))
$(filter $(BUILD)/bench/%,$(tests)): $(bench_obj)
$(BUILD)/bench/limits/limits_test: $(limits_obj)

$(BUILD)/gen/unit_tests.c: scripts/make/unit_tests.awk FORCE
	@mkdir -p $(@D)
	@awk -f $< $(together) > $@.new && if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(BUILD)/obj/gen/unit_tests.o: $(BUILD)/gen/unit_tests.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(BASE) -c -o $@ $<

$(BUILD)/unit_tests: $(BUILD)/obj/gen/unit_tests.o $(patsubst %,$(BUILD)/obj/%.o,$(together)) $(BUILD)/libtest.a $(cmd_obj) \
  $(bench_obj) $(limits_obj) $(lib_a)
	$(call say,LD)$(CC) -o $@ $^ $(LIBS) $(TOOL_LIBS) -lcmocka

$(addprefix $(BUILD)/units/,$(together)): $(BUILD)/unit_tests
	@mkdir -p $(@D)
	@ln -sf $(abspath $<) $@

$(addprefix $(BUILD)/units/,$(alone)): $(BUILD)/units/%: $(BUILD)/%
	@mkdir -p $(@D)
	@ln -sf $(abspath $<) $@

# What is installed: one object in which only the symbols of delegauge.h are global, as an archive and as a shared library.
$(BUILD)/installed/delegauge.o: $(lib_obj) $(call obj,$(xnnpack_without))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -r -nostdlib -o $@.all $^ && $(OBJCOPY) --wildcard --keep-global-symbol='dg_*' $@.all $@ && rm $@.all

$(BUILD)/installed/libdelegauge.a: $(BUILD)/installed/delegauge.o
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

# A symbol's version changes with the shared library's name: within one name the interface only grows (make abi-record).
$(BUILD)/installed/delegauge.map: lib/api/delegauge.h
	@mkdir -p $(@D)
	$(call say,GEN)echo 'DELEGAUGE_$(basename $(version)) { global: dg_*; local: *; };' > $@

$(BUILD)/installed/$(soname): $(BUILD)/installed/delegauge.o $(BUILD)/installed/delegauge.map
	$(call say,LD)$(CC) -shared -Wl,-soname,$(soname) -Wl,-z,defs -Wl,--version-script=$(BUILD)/installed/delegauge.map -o $@ $< \
	  $(LIBS)

installed := $(BUILD)/installed/libdelegauge.a $(BUILD)/installed/$(soname)

# As words of the shell, whatever is in them.
install_to = PREFIX='$(subst ','\'',$(PREFIX))' DESTDIR='$(subst ','\'',$(DESTDIR))' LIBDIR='$(subst ','\'',$(LIBDIR))'

install: $(bins) $(installed) $(BUILD)/libdelegauge_gpu.so ## install tools, manuals, libraries (PREFIX=, DESTDIR=, LIBDIR=lib)
	@BUILD=$(BUILD) VERSION=$(version) SONAME=$(soname) $(install_to) sh scripts/package/install.sh $(tool_names)

uninstall: ## remove what install put there (the same PREFIX and DESTDIR)
	@VERSION=$(version) SONAME=$(soname) $(install_to) sh scripts/package/install.sh --remove $(tool_names)

# Into build/deb, with the flags that Debian builds with.
deb: ## Debian packages of tools, library and development files
	@for i in dh dpkg-buildflags; do command -v $$i >/dev/null || \
	  { echo 'make deb wants the Debian packages debhelper and dpkg-dev' >&2; exit 2; }; done
	@$(MAKE) -j$(JOBS) --no-print-directory BUILD=build/deb/build \
	  CFLAGS="$$(dpkg-buildflags --get CPPFLAGS) $$(dpkg-buildflags --get CFLAGS)" \
	  LDFLAGS="$$(DEB_BUILD_MAINT_OPTIONS=hardening=+bindnow dpkg-buildflags --get LDFLAGS)" deb-packed

deb-packed: $(bins) $(installed) $(plugin) $(BUILD)/make_models
	@VERSION=$(version) SONAME=$(soname) sh scripts/package/deb.sh $(BUILD) build/deb $(tool_names)

# For others' machines: with the libraries that these may lack beside the programs, and no path of this one in them.
dist_flags = WITH_XNNPACK= CFLAGS='-ffile-prefix-map=$(CURDIR)=.' \
  LDFLAGS="-Wl,--disable-new-dtags -Wl,-rpath,'\$$\$$ORIGIN/../lib/delegauge'"
arm64      := aarch64-linux-gnu
has_arm64   = echo 'int main(void) { return 0; }' | $(arm64)-gcc $(patsubst %,--sysroot=%,$(call sysroot_of,$(arm64))) \
  -x c - -lcjson -lepoxy -o /dev/null 2>/dev/null
dist: ## tarballs and wheels for x86-64 and arm64, with checksums and SBOM, into build/dist/out
	@$(MAKE) -j$(JOBS) --no-print-directory BUILD=build/dist/native $(dist_flags) dist-packed
	@if [ "$$(uname -m)" = aarch64 ]; then :; elif $(has_arm64); then \
	  RUN=build/dist/native STRIP=$(arm64)-strip $(MAKE) -j$(JOBS) --no-print-directory BUILD=build/dist/arm64 CROSS=$(arm64)- \
	    CC=$(arm64)-gcc $(dist_flags) dist-packed; \
	else echo "NOT MADE: arm64: no $(arm64)-gcc that finds libcjson and libepoxy (make CROSS=$(arm64)- sysroot)"; fi

dist-packed: $(bins) $(installed) $(plugin)
	@VERSION=$(version) SONAME=$(soname) CC='$(CC) $(machine)' SYSROOT='$(sysroot)' \
	  $(PYTHON) scripts/package/dist.py $(BUILD) build/dist/out $(tool_names)

# Debian's name of the machine that CROSS stands for.
debian_arch = $(or $(patsubst aarch64-%,arm64,$(filter aarch64-%,$(CROSS))),\
  $(patsubst arm-%hf-,armhf,$(filter arm-%hf-,$(CROSS))),\
  $(error CROSS=$(CROSS): there are aarch64-linux-gnu- and arm-linux-gnueabihf-))
sysroot: ## fetch what CROSS=aarch64-linux-gnu- (or arm-linux-gnueabihf-) builds and tests with, into build/sysroot
	@sh scripts/package/sysroot.sh $(debian_arch) build/sysroot/$(CROSS:%-=%)

abi-record: $(BUILD)/installed/$(soname) ## write anew what the library's binary interface is, for a release; read the diff
	@sh scripts/package/abi.sh record $<

unit-tests: $(units)

tools: $(bins) $(addprefix $(BUILD)/,opcheck gpu_limits)
test-programs: $(bins) $(BUILD)/make_models $(BUILD)/opcheck $(BUILD)/gpu_fuzz $(units)

QEMU ?=
check-static: ## build static programs and run them (STATIC=aarch64-linux-musl QEMU=qemu-aarch64-static: another machine's)
	@$(MAKE) -j$(JOBS) --no-print-directory all
	@sh scripts/test/static_test.sh $(BUILD) $(QEMU)

include scripts/make/android.mk

opcheck: $(BUILD)/opcheck ## check each operator against golden outputs and the GPU against the CPU (OP=conv: only one)
	$(BUILD)/opcheck $(if $(OP),--op=$(OP))

# Needs no GPU: the record is about the least OpenGL ES 3.1 device.
gpu-record: $(BUILD)/gpu_fuzz
gpu-record: $(BUILD)/opcheck ## write anew which cases (OP=conv: only its) and ranks the GPU takes, and why not others; see the diff
	$(BUILD)/opcheck $(if $(OP),--op=$(OP)) --record
	$(BUILD)/opcheck $(if $(OP),--op=$(OP)) --record --conformance=testdata/conformance
	$(BUILD)/opcheck --refusals --record
	$(PYTHON) scripts/test/gpu_ranks_test.py $(BUILD) --record

golden: $(BUILD)/opcheck ## make golden outputs anew with TensorFlow Lite (OP=conv: only one; PYTHON with ai_edge_litert)
	@$(PYTHON) scripts/reference/pypi_packages.py
	rm -rf $(BUILD)/export
	$(BUILD)/opcheck $(if $(OP),--op=$(OP)) --export=$(BUILD)/export
	$(PYTHON) scripts/reference/golden.py $(BUILD)/export testdata/golden

COUNT ?= 3
SEED  ?= 1
KEEP ?=
# KEEP=DIR keeps some of the cases there, an archive per operator.
conformance: $(BUILD)/opcheck ## random single-op models against TensorFlow Lite's kernels (OP, COUNT, SEED; PYTHON as for golden)
	$(PYTHON) scripts/reference/conformance.py --opcheck $(BUILD)/opcheck $(if $(OP),--op=$(OP)) --count=$(COUNT) \
	  --seed=$(SEED) $(KEEP:%=--keep=%)

include scripts/make/fuzz.mk scripts/make/faults.mk

nightly: all ## what takes long: other CPUs, threads, fuzzing, planted errors, drivers (PARTS=...: only some; FUZZ_SECONDS=600 each)
	@MAKE="$(MAKE)" BUILD=$(BUILD) MODELS=$(MODELS) FUZZ_SECONDS=$(or $(FUZZ_SECONDS),600) sh scripts/test/nightly.sh $(PARTS)

check: deps ## run the tests: unit tests, opcheck, command lines, models (SAN=address,undefined: under sanitizers)
	@echo 'make check builds and tests: about 6 minutes on two processors, less where some of it was done before'
	@$(MAKE) -j$(JOBS) --no-print-directory check-built

check-all: deps ## the same, with every operator's cases in every mode (an hour and more)
	@ALL=1 $(MAKE) -j$(JOBS) --no-print-directory check-built

check_bins := $(bins) $(addprefix $(BUILD)/,make_models opcheck gpu_fuzz gpu_limits)
check-built: $(check_bins) $(if $(SAN),,$(BUILD)/libfaults.so) $(units) $(plugin) models $(if $(SAN),,$(installed))
	@BUILD=$(BUILD) MODELS=$(MODELS) PYTHON=$(PYTHON) JOBS=$(JOBS) TESTS="$(units)" sh scripts/test/check.sh $(SUITES)

DRIVERS ?=
driver_tests := $(patsubst %,$(BUILD)/lib/gl/%_test,passes/blend passes/fused_mlp device/context device/current lower/floor_div \
  ir/index_map device/limits device/policy device/wait)
$(if $(filter-out $(tests),$(driver_tests)),$(error no such tests: $(filter-out $(tests),$(driver_tests))))
driver_bins := $(addprefix $(BUILD)/,opcheck benchmark_model inference_diff)
check-drivers: $(driver_bins) $(driver_tests) models ## what the GPU runs, on every driver (DRIVERS=zink: only that)
	@TESTS="$(driver_tests)" MODELS=$(MODELS) sh scripts/test/drivers.sh $(BUILD) $(DRIVERS)

MUTANT ?=
mutants: ## plant known errors in a copy, one at a time: the tests must see each (MUTANT=name: only that one; half an hour)
	@CC="$(CC)" MODELS=$(MODELS) $(PYTHON) scripts/test/mutants.py --build=$(BUILD)/mutants --jobs=$(JOBS) --only=$(MUTANT)

demo: build-deps ## install, build, and show the tools on MobileNet v1
	@$(MAKE) -j$(JOBS) --no-print-directory demo-built

demo-built: $(bins) models
	@sh scripts/report/demo.sh $(BUILD)

bench: build-deps ## one table: latency on CPU and GPU, init time, GPU memory of the demo models
	@$(MAKE) -j$(JOBS) --no-print-directory bench-built

bench-built: $(bins) models
	@sh scripts/report/bench.sh $(BUILD)

gpu-report: build-deps ## everything about this machine's GPU in one file to send: conformance, limits, demo models, tuned (an hour)
	@$(MAKE) -j$(JOBS) --no-print-directory gpu-report-built

gpu-report-built: $(BUILD)/benchmark_model $(BUILD)/opcheck $(BUILD)/gpu_limits models
	@sh scripts/report/gpu_report.sh $(BUILD)

models: $(BUILD)/models/.done

$(BUILD)/models/.done: $(BUILD)/make_models
	$(call say,MODELS)$< $(BUILD)/models && touch $@

gen_headers := $(addprefix $(BUILD)/gen/,shaders.h gl_kernels.h rules_builtin.h commit.h core_id.h)
lint: $(gen_headers) ## all that can be checked without running (SINCE=REV: C files changed since)
	@BUILD=$(BUILD) IMAGE_FLAGS='$(image_flags)' XNNPACK_FLAGS='$(xnnpack_flags)' sh scripts/lint/lint.sh $(SINCE)

lint-deps: ## install what lint needs (Debian packages, ruff from PyPI)
	@sh scripts/package/install_deps.sh lint

clean: ## remove everything that make made
	rm -rf build

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
