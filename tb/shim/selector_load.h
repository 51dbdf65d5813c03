/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector_load.h: the table of a selector's shared object, for the small programs that test one.
 * The object stays loaded.
 */
#ifndef EGRET_SELECTOR_LOAD_H
#define EGRET_SELECTOR_LOAD_H

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "egret/selector.h"

/* Null if there is none; the reason is printed behind `who`. */
static inline const struct egret_selector_ops *selector_load(const char *who, const char *path)
{
    egret_selector_fn fn = NULL;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = object != NULL ? dlsym(object, EGRET_SELECTOR_SYMBOL) : NULL;
    if (symbol == NULL) {
        printf("%s: %s\n", who, dlerror());
        return NULL;
    }
    memcpy(&fn, &symbol, sizeof fn);
    return fn();
}

#endif
