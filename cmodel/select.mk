# SPDX-License-Identifier: Apache-2.0
# The select library: rules for the top Makefile. Needs a C compiler, ar, awk and make only.
# Everything is built under $(BUILD).

CC ?= cc
CXX ?= c++
AR ?= ar
AWK ?= awk
BUILD ?= build

EGRET_WARN := -std=c11 -pedantic -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror
# The vectoriser makes the table hash slower (docs/spec/hash.md); -fPIC because selectors are shared
# objects that link this library.
EGRET_OPT ?= -O3 -fno-tree-vectorize
CFLAGS_EGRET := $(EGRET_WARN) $(EGRET_OPT) -g -fPIC -fno-semantic-interposition -Icmodel/include

SELECT_SRC := $(sort $(wildcard cmodel/select/*.c))
SELECT_HDR := $(wildcard cmodel/include/egret/*.h) $(wildcard cmodel/select/*.h)
SELECT_OBJ := $(SELECT_SRC:cmodel/select/%.c=$(BUILD)/obj/select/%.o)
SELECT_LIB := $(BUILD)/lib/libegret_select.a

$(BUILD)/gen/egret_configs.h: configs.mk scripts/gen_configs.awk
	@mkdir -p $(@D)
	$(AWK) -f scripts/gen_configs.awk configs.mk > $@.tmp && mv $@.tmp $@

$(BUILD)/obj/select/%.o: cmodel/select/%.c $(SELECT_HDR) $(BUILD)/gen/egret_configs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -I$(BUILD)/gen -c -o $@ $<

$(SELECT_LIB): $(SELECT_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(SELECT_OBJ)
