# SPDX-License-Identifier: Apache-2.0
# make install, make uninstall; included after cmodel/trace.mk. scripts/install does the work.

PREFIX ?= /usr/local
DESTDIR ?=
# What the libraries need beyond the C library: egret.pc says so. The libraries are archives, so
# who links them needs it too.
EGRET_LIBS ?= $(TRACE_LIBS) -lm

.PHONY: install uninstall
install: $(EGRET_TARGETS)  ## command, libraries, headers, manual, completion: PREFIX= DESTDIR=
	@BUILD='$(BUILD)' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' LIBS='$(EGRET_LIBS)' scripts/install
uninstall:  ## what make install put there: PREFIX= DESTDIR=
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install --remove
