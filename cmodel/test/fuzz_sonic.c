/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_sonic.c: any bytes as a config_db.json (libFuzzer). What is accepted writes only what its
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

static void take_note(void *ctx, const char *text)
{
    assert(text[0]);
    ++*(unsigned *)ctx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct egret_settings s;
    unsigned notes = 0;
    struct egret_trace_error err = {""};
    int code = egret_sonic_parse((const char *)data, size, "f.json", &s, take_note, &notes, &err);
    if (code) {
        assert(err.text[0]);
        return 0;
    }
    assert(egret_settings_writes(&s, write_one, &s) == EGRET_OK);
    egret_settings_free(&s);
    return 0;
}
