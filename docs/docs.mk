# SPDX-License-Identifier: Apache-2.0
# Tests of the documentation; included by the top Makefile after cmodel/*.mk.

SPEC_EXAMPLES := $(BUILD)/test/spec_examples

# -rdynamic: a selector uses the program's copy of the libraries.
$(SPEC_EXAMPLES): cmodel/test/spec_examples.c cmodel/test/spec_examples.h \
		cmodel/test/spec_examples_load.h \
		cmodel/test/select_test.h $(SELECT_HDR) $(TRACE_LIB) $(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) -O2 -g -rdynamic -Icmodel/include -Icmodel/test -o $@ $< $(TRACE_LIB) \
		$(SELECT_LIB) $(TRACE_LIBS) -ldl

$(BUILD)/test/spec_tiers: cmodel/test/spec_tiers.c cmodel/test/select_test.h \
		cmodel/test/select_sut.h cmodel/test/select_chi.h $(SELECT_HDR) $(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) -O2 -g -Icmodel/include -Icmodel/test -o $@ $< $(SELECT_LIB) -lm -ldl

TEST_LISTS += docs/docs_tests.list
TEST_DEPS += $(SPEC_EXAMPLES) $(BUILD)/test/spec_tiers $(EGRET_BIN)
