# SPDX-License-Identifier: GPL-2.0-only
# Builds scaler-bpf: BPF objects -> one skeleton -> one binary. "make help" lists the targets.

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build

CC      := gcc
CXX     := g++
CLANG   ?= clang
# Debian keeps bpftool in /usr/sbin, which is not in every PATH.
BPFTOOL ?= $(shell PATH="$$PATH:/usr/sbin" command -v bpftool)

ARCH := $(shell uname -m | sed -e s/x86_64/x86/ -e s/aarch64/arm64/)
MULTIARCH := $(shell $(CC) -print-multiarch)

WARN := -Wall -Wextra -Werror
# Of an architecture, by libbpf's name for it, with the folder of its system's own headers.
bpf_flags = -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_$(1) -std=gnu11 $(WARN) \
	-Wno-unused-parameter -Ivmlinux -Iinclude -Ibpf -idirafter $(2)
BPF_CFLAGS := $(call bpf_flags,$(ARCH),/usr/include/$(MULTIARCH))
CFLAGS := -g -O2 -std=gnu11 $(WARN) -D_GNU_SOURCE -DSCALER_VERSION='"$(VERSION)"' \
	-Iinclude -Iuser -I$(BUILD)
# What user/elf, user/code and user/target need, and what everything but libbpf's part does.
TARGET_LIBS := -llzma -lz -liberty -lcapstone
LIBS := $(TARGET_LIBS) -ljansson -lsystemd -lxxhash -lzstd -lm
WORKLOAD_CFLAGS := -g -O2 -std=gnu11 $(WARN) -D_GNU_SOURCE
WORKLOAD_CXXFLAGS := -g -O2 -std=c++17 $(WARN)
# The unit tests run under sanitizers, so what they test is compiled a second time: with -O1 in half of -O2's time.
SAN := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# One program is loaded by itself, before it is known what the others need.
BPF_EARLY := bpf/mapped_file.bpf.c
BPF_SRC  := $(filter-out $(BPF_EARLY),$(wildcard bpf/*.bpf.c))
USER_SRC := $(wildcard user/*/*.c)
# Only these lead to libbpf (scripts/check-layers), so only these are out of the unit tests' reach.
KERNEL_SRC := $(filter-out $(patsubst %,user/stream/%.c,placement waiting_stacks),$(wildcard user/stream/*.c)) \
	$(wildcard user/probe/*.c user/cmd/*.c)
UNIT_SRC := $(wildcard tests/unit/*.c)
BPF_OBJ  := $(BPF_SRC:%.c=$(BUILD)/%.o)
USER_OBJ := $(USER_SRC:%.c=$(BUILD)/%.o)
UNIT_OBJ := $(patsubst %.c,$(BUILD)/san/%.o,$(filter-out $(KERNEL_SRC),$(USER_SRC)) $(UNIT_SRC))
# Call frame information of every kind, and none.
FRAMES := $(patsubst %,$(BUILD)/tests/unit/%.so,eh_frame debug_frame packed_frame old_packed_frame no_frame)
FUZZERS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/*.c))
FUZZED_OBJ := $(patsubst %.c,$(BUILD)/fuzz/%.o,$(wildcard $(patsubst %,user/%/*.c,base elf code parser target model trace analysis render)) \
	$(patsubst %,user/%.c,control/control_text plan/call_exits plan/costly_cache plan/exit_cache plan/file_cache))
# What benchmarks compare with.
EMPTY := $(patsubst %,$(BUILD)/tests/bench/%,empty_pair empty_probes)
SKELETONS := $(BUILD)/scaler.skel.h $(BUILD)/mapped_file.skel.h
SCHEMA := $(BUILD)/report_schema.h
MAN_PAGES := $(wildcard doc/man/*.8)
# doc/figures.md as a page.
FIGURES := $(BUILD)/scaler-bpf-figures.7

PACKAGES := clang libclang-rt-dev lld gcc g++ make pkg-config libc6-dev linux-libc-dev libbpf-dev bpftool libelf-dev \
	libdw-dev libdebuginfod1 liblzma-dev libiberty-dev libcapstone-dev zlib1g-dev libjansson-dev libxxhash-dev libzstd-dev libsystemd-dev libcriterion-dev python3 python3-jsonschema strace valgrind libbpf-tools lowdown \
	clang-format clang-tidy cppcheck shellcheck groff-base linux-perf ltrace uftrace bpftrace curl hyperfine sqlite3 redis-tools wrk libcrypt1 libpcre2-8-0 libssl3 \
	linux-libc-dev-arm64-cross libgssapi-krb5-2 libicu72 libldap-2.5-0 liblz4-1 libpam0g libpq5 libsystemd0 libxml2 libzstd1 \
	golang-go musl-tools nodejs openjdk-17-jdk-headless perl rustc
# Only unpacked, for the tests: installed, they would start a service.
UNPACKED := $(addprefix $(BUILD)/packages/,fzf nginx postgresql-15)
# What boots other kernels.
VM_PACKAGES := qemu-system-x86 busybox-static cpio kmod xz-utils iproute2 netcat-openbsd
# What "make bench" compares with.
BENCH_PACKAGES := util-linux

# "make V=1" shows the commands.
ifneq ($(V),1)
Q := @
say = @printf '  %-8s %s\n' $(1) $@
endif

.DEFAULT_GOAL := all
include tests/workloads/build.mk

.DELETE_ON_ERROR:
.SECONDARY: $(FUZZED_OBJ)
.PHONY: all deps check check-vm demo fuzz bench lint format install clean help

all: $(BUILD)/scaler-bpf $(FIGURES) ## build the tracer

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

deps: ## install what building and testing need (Debian, as root)
	@scripts/install-packages $(PACKAGES)

# After deps, in a make of its own: the variables above must see what was just installed.
check: deps ## install what is needed, build, run every test
	@$(MAKE) --no-print-directory -j$$(nproc) --output-sync run-tests
fuzz: deps ## install what is needed, build, run the fuzzers for an hour
	@$(MAKE) --no-print-directory -j$$(nproc) run-fuzz
check-vm: deps ## run live tests on Debian's kernels 6.1 and 6.12 in virtual machines
	@scripts/install-packages $(VM_PACKAGES)
	@$(MAKE) --no-print-directory -j$$(nproc) run-vm
demo: deps ## install what is needed, build, trace a multi-threaded program
	@$(MAKE) --no-print-directory -j$$(nproc) run-demo
bench: deps ## install what is needed, build, measure what tracing costs beside other tools (PART=... for less)
	@scripts/install-packages $(BENCH_PACKAGES)
	@$(MAKE) --no-print-directory run-bench

test-programs: all $(BUILD)/unit-tests $(FUZZERS) $(WORKLOADS) $(UNPACKED) ## build what tests run, for single ones

.PHONY: test-programs run-tests run-fuzz run-vm run-demo run-bench
run-tests: test-programs lint
	@tests/run $(BUILD)
run-fuzz: $(FUZZERS)
	@tests/run $(BUILD) --fuzz 3600
run-vm: test-programs
	@$(MAKE) --no-print-directory $$(tests/vm/kernels | sed 's,^,$(BUILD)/packages/,')
	@tests/vm/run $(BUILD)
run-demo: all $(WORKLOADS)
	@scripts/demo $(BUILD)
run-bench: all $(WORKLOADS) $(EMPTY) $(BUILD)/tests/bench/chains
	@tests/bench/run $(BUILD) $(PART)

# The BPF side for the other machine, to see that it can be built.
ARM64_OBJ := $(BPF_SRC:%.c=$(BUILD)/arm64/%.o)
ARM64_EARLY := $(BPF_EARLY:%.c=$(BUILD)/arm64/%.o)
$(BUILD)/arm64/%.bpf.o: %.bpf.c
	@mkdir -p $(@D)
	$(call say,CLANG)
	$(Q)$(CLANG) $(call bpf_flags,arm64,/usr/aarch64-linux-gnu/include) -MMD -MP -c $< -o $@
$(BUILD)/arm64/scaler.bpf.o: $(ARM64_OBJ)
	$(call say,BPFTOOL)
	$(Q)$(BPFTOOL) gen object $@ $^

lint: $(SKELETONS) $(SCHEMA) $(BUILD)/arm64/scaler.bpf.o $(ARM64_EARLY) ## check the source: include directions, sizes, layout, clang-tidy, cppcheck, shellcheck
	@scripts/lint $(BUILD)

format: ## lay out the C code as .clang-format says
	@clang-format -i $(wildcard bpf/*.[ch] include/*/*.h user/*/*.[ch] tests/*/*.[ch] tests/*/*.cc)

install: all ## install below $(DESTDIR)$(PREFIX): the tracer, its man pages, bash completion
	install -D -m 755 $(BUILD)/scaler-bpf "$(DESTDIR)$(PREFIX)/sbin/scaler-bpf"
	install -d "$(DESTDIR)$(PREFIX)/share/man/man7" "$(DESTDIR)$(PREFIX)/share/man/man8"
	install -m 644 $(FIGURES) "$(DESTDIR)$(PREFIX)/share/man/man7"
	install -m 644 $(MAN_PAGES) "$(DESTDIR)$(PREFIX)/share/man/man8"
	install -D -m 644 scripts/scaler-bpf.bash-completion \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/scaler-bpf"

clean: ## remove what was built
	rm -rf $(BUILD)

$(BUILD)/%.bpf.o: %.bpf.c
	@mkdir -p $(@D)
	$(call say,CLANG)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/scaler.bpf.o: $(BPF_OBJ)
	$(call say,BPFTOOL)
	$(Q)$(BPFTOOL) gen object $@ $^

$(BUILD)/mapped_file.bpf.o: $(BPF_EARLY:%.c=$(BUILD)/%.o)
	$(Q)cp $< $@

$(SKELETONS): %.skel.h: %.bpf.o
	$(call say,BPFTOOL)
	$(Q){ echo "/* NOLINTBEGIN: bpftool's */"; \
	$(BPFTOOL) gen skeleton $< name $(*F)_skeleton && echo "/* NOLINTEND */"; } > $@

$(patsubst %.c,$(BUILD)/%.o,$(wildcard user/probe/*.c user/stream/*.c)): | $(SKELETONS)

# A string of all its lines.
$(SCHEMA): user/render/report.schema.json
	@mkdir -p $(@D)
	$(Q){ echo 'static const char report_schema_text[] ='; sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $<; echo ';'; } > $@
$(BUILD)/user/render/schema.o $(BUILD)/san/user/render/schema.o: $(SCHEMA)

$(FIGURES): doc/figures.md
	@mkdir -p $(@D)
	$(Q)sed '1s/.*/# NAME\n\nscaler-bpf-figures - what the figures of reports mean\n\n# DESCRIPTION/' $< | \
		lowdown -s -Tman -M title=SCALER-BPF-FIGURES -M section=7 -M source="scaler-bpf $(VERSION)" \
		-M volume="Miscellaneous information" -o $@

$(BUILD)/user/%.o: user/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/scaler-bpf: $(USER_OBJ)
	$(call say,LD)
	$(Q)$(CC) $(LDFLAGS) $^ -lbpf $(LIBS) -o $@

$(BUILD)/san/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) $(SAN) -MMD -MP -c $< -o $@

# Of what reads untrusted files; clang's, because gcc has no libFuzzer.
$(BUILD)/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CLANG)
	$(Q)$(CLANG) $(CFLAGS) $(SAN) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

$(BUILD)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/changed_file.h $(FUZZED_OBJ) $(FRAMES) $(BUILD)/tests/unit/exits.so \
		$(BUILD)/tests/workloads/libfirst.so
	@mkdir -p $(@D)
	$(call say,CLANG)
	$(Q)$(CLANG) $(CFLAGS) $(SAN) -DFRAMES='"$(abspath $(BUILD))/tests/unit"' \
		-DEXITS='"$(abspath $(BUILD))/tests/unit/exits.so"' -DLIBRARY='"$(abspath $(BUILD))/tests/workloads/libfirst.so"' \
		-DRECORDING='"$(abspath tests/data/convoy.trace)"' -fsanitize=fuzzer $< $(FUZZED_OBJ) $(LIBS) -o $@

# ELF files for the tests of what reads them.
$(BUILD)/san/tests/unit/test_linkage.o $(BUILD)/san/tests/unit/test_probe_refusals.o: CFLAGS += -DSTATIC_PROGRAM='"$(abspath $(BUILD))/tests/workloads/static_first"'
$(patsubst %,$(BUILD)/san/tests/unit/test_%.o,symbols linkage parser): CFLAGS += -DLIBRARY='"$(abspath $(BUILD))/tests/workloads/libfirst.so"'
$(patsubst %,$(BUILD)/san/tests/unit/test_%.o,symbols unwind_table parser): CFLAGS += -DFRAMES='"$(abspath $(BUILD))/tests/unit"'

$(patsubst %,$(BUILD)/san/tests/unit/test_%.o,code_exits parser): CFLAGS += -DEXITS='"$(abspath $(BUILD))/tests/unit/exits.so"'

$(BUILD)/unit-tests: $(UNIT_OBJ) $(BUILD)/tests/unit/exits.so $(patsubst %,$(BUILD)/tests/workloads/%,libfirst.so static_first) $(FRAMES)
	$(call say,LD)
	$(Q)$(CC) $(SAN) $(UNIT_OBJ) -lcriterion $(LIBS) -ldw -lelf -o $@

$(BUILD)/tests/unit/debug_frame.so: FRAME_FLAGS := -DDEBUG_FRAME
$(BUILD)/tests/unit/packed_frame.so: FRAME_FLAGS := -DDEBUG_FRAME -Wl,--compress-debug-sections=zlib
$(BUILD)/tests/unit/old_packed_frame.so: FRAME_FLAGS := -DDEBUG_FRAME -Wl,--compress-debug-sections=zlib-gnu
$(BUILD)/tests/unit/no_frame.so: FRAME_FLAGS := -DDEBUG_FRAME -Wl,--strip-debug,--no-ld-generated-unwind-info
$(BUILD)/tests/unit/exits.so: tests/unit/exits.S
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -shared -nostartfiles $< -o $@

$(FRAMES): tests/unit/frames.S
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -shared -nostdlib -Wl,-e,entry,--build-id=none $(FRAME_FLAGS) $< -o $@

$(EMPTY): $(BUILD)/tests/bench/%: tests/bench/%.c $(BUILD)/tests/bench/%.bpf.o
	$(call say,CC)
	$(Q)$(BPFTOOL) gen skeleton $@.bpf.o name $* > $@.skel.h
	$(Q)$(CC) $(CFLAGS) -I$(BUILD)/tests/bench $< -lbpf -o $@

# Without its sanitizers, what the unit tests test.
$(BUILD)/tests/bench/chains: tests/bench/chains.c $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(KERNEL_SRC),$(USER_SRC)))
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) $^ $(LIBS) -o $@

$(BUILD)/packages/%:
	@scripts/unpack-package $* $@

-include $(BPF_OBJ:.o=.d) $(BPF_EARLY:%.c=$(BUILD)/%.d) $(ARM64_OBJ:.o=.d) $(ARM64_EARLY:.o=.d) $(USER_OBJ:.o=.d) $(UNIT_OBJ:.o=.d) $(FUZZED_OBJ:.o=.d)
