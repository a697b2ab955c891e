# SPDX-License-Identifier: GPL-2.0-only
# How the programs that tests trace are built. A source of its own name is a program; the others are listed here.

W := $(BUILD)/tests/workloads

# $(call workload,NAME,FROM...,FLAGS): FROM are sources beside this file, and libraries and objects built by other calls.
# A library is lib*.so; what links one finds it beside itself.
workload_from = $(foreach from,$(1),$(if $(filter %.so %.o,$(from)),$(W)/$(from),tests/workloads/$(from)))
workload_compiler = $(if $(filter %.cc,$(1)),$(CXX) $(WORKLOAD_CXXFLAGS),$(CC) $(WORKLOAD_CFLAGS))
workload_kind = $(if $(filter lib%.so,$(1)),-fPIC -shared -Wl$(comma)-soname$(comma)$(1),$(if $(filter %.o,$(1)),-c,-pthread))
comma := ,
beside_itself := -Wl,-rpath,'$$$$ORIGIN'
define workload
WORKLOADS += $(W)/$(1)
$(W)/$(1): $(call workload_from,$(2))
	@mkdir -p $$(@D)
	$$(call say,$(if $(filter %.cc,$(2)),CXX,CC))
	$$(Q)$(call workload_compiler,$(2)) $(call workload_kind,$(1)) $(3) \
		$(filter-out %.h %.map,$(call workload_from,$(2))) $(if $(filter lib%.so,$(2)),$(beside_itself)) -o $$@
endef
build = $(eval $(call workload,$(strip $(1)),$(2),$(3)))

frameless := -fomit-frame-pointer

# Parts: each is built under several names, or belongs to one program.
$(foreach name,first second,\
	$(call build,lib$(name).so,site_library.c,-DSITE_NAME=$(name)_call -s)\
	$(call build,static_$(name),site_static.c,-DSITE_NAME=$(name)_call -static -no-pie))
$(W)/static_first $(W)/static_second: tests/workloads/site_library.c

chain_libraries := libchain_outer.so libchain_middle.so libchain_inner.so
$(foreach name,outer middle inner,\
	$(call build,libchain_$(name).so,chain_library.c,$(frameless) -DCHAIN_NAME=$(name)_call -s))
$(foreach name,chain sleepers blocks,$(call build,$(name),$(name).c $(chain_libraries),$(frameless)))

$(call build,frameless_part.o,frameless_part.c,-g0 -fno-asynchronous-unwind-tables -fno-unwind-tables $(frameless))
$(call build,frameless,frameless.c frameless_part.o,-fno-omit-frame-pointer)

$(call build,waits,$(notdir $(wildcard tests/workloads/waits*.[ch])))

$(call build,onces,onces.cc)
$(call build,unwinds,unwinds.cc)
$(call build,libthrows.so,throws_library.cc)
$(call build,loads,loads.c,$(beside_itself))

$(call build,libobjects.so,objects_library.cc objects_library.h,$(frameless) -s)
$(call build,objects,objects.cc libobjects.so,$(frameless))

$(call build,libedges_first.so,edges_library.c edges.map,-Wl$(comma)--version-script=tests/workloads/edges.map)
$(call build,libedges_second.so,edges_library.c libedges_first.so,-DEDGES_SECOND)
$(foreach name,edges hot,$(call build,$(name),$(name).c libedges_first.so libedges_second.so,-fno-builtin))

$(call build,libreturns_first.so,returns_library.c)
$(call build,libreturns_second.so,returns_library.c libreturns_first.so,-DRETURNS_SECOND)
$(call build,returns,returns.c libreturns_first.so libreturns_second.so)

$(call build,libshares_first.so,share_library.c,$(frameless) -s \
	-DSHARE_NAME=share_half -DSHARE_OTHER=share_third -DSHARE_NOTHING=share_nothing)
$(call build,libshares_second.so,share_library.c,$(frameless) -s -DSHARE_NAME=share_fifth)
$(foreach name,shares paced,$(call build,$(name),$(name).c libshares_first.so libshares_second.so,$(frameless)))

$(call build,libvectors.so,vectors_library.c vectors.h)
$(call build,vectors,vectors.c vectors.h libvectors.so)

moves_library = $(call build,libmoves_$(1).so,moves_library.S,-DNAME=$(1)_call -s -nostdlib $(2))
$(call moves_library,small,-DFRAME=136 -DDECOY_AT=128)
$(call moves_library,large,-DFRAME=1032 -DDECOY_AT=136)
$(call moves_library,lld,-DFRAME=136 -DDECOY_AT=128 -fuse-ld=lld)
$(call build,moves,moves.c libmoves_small.so libmoves_large.so,$(frameless))
$(call build,hugetext,hugetext.c libmoves_small.so libmoves_lld.so,$(frameless))

$(call build,readers_static,readers.c,-static)

$(call build,parser_confined,parser_confined.c ../../user/parser/confine.c,-Iuser)
$(W)/parser_confined: user/parser/confine.h

# All others, each by its own source.
workload_parts := site_library site_static chain_library share_library edges_library frameless_part returns_library \
	vectors_library waits_objects waits_pauses waits_rings
$(foreach name,$(filter-out $(workload_parts) $(notdir $(WORKLOADS)),$(patsubst tests/workloads/%.c,%,$(wildcard tests/workloads/*.c))),\
	$(call build,$(name),$(name).c))
