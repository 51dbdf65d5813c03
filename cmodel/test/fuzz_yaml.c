/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_yaml.c: any bytes as settings in YAML (libFuzzer). What is accepted writes only what its
 * hardware takes.
 */
#include <assert.h>

#include "egret/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int write_one(void *ctx, uint32_t addr, uint32_t data)
{
    const struct egret_settings *s = ctx;
    assert(egret_ctl_check_write(&s->cfg, addr, data, NULL) == EGRET_OK);
    return EGRET_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct egret_settings s;
    struct egret_trace_error err = {""};
    int code = egret_settings_parse((const char *)data, size, "f.yaml", &s, &err);
    if (code) {
        assert(err.text[0]);
        return 0;
    }
    assert(egret_settings_writes(&s, write_one, &s) == EGRET_OK);
    egret_settings_free(&s);
    return 0;
}
