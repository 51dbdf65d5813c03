/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_parse.c: any bytes as a frame (libFuzzer), kept whole and kept short. A result never depends
 * on how much behind the headers was kept.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "egret/trace_front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct egret_front *front;
    struct egret_parsed whole;
    struct egret_parsed part;
    struct egret_event ev;
    if (!front && egret_front_create(&front)) {
        abort();
    }
    if (size < 2) {
        return 0;
    }
    size_t keep = (size_t)data[0] << 8 | data[1];
    const uint8_t *frame = data + 2;
    size -= 2;
    keep = keep < size ? keep : size;
    int code = egret_parse(frame, size, size, &whole);
    assert(code == EGRET_OK);
    uint8_t *copy = malloc(keep ? keep : 1u); /* so that a read beyond `keep` shows */
    if (!copy) {
        abort();
    }
    memcpy(copy, frame, keep);
    if (egret_parse(copy, keep, size, &part) == EGRET_OK) {
        assert(memcmp(part.record, whole.record, EGRET_RECORD_BYTES) == 0);
        assert(part.opcode == whole.opcode && part.family == whole.family);
    }
    free(copy);
    memset(&ev, 0, sizeof ev);
    (void)egret_front_resolve(front, &whole, (uint32_t)(size & 0xffffu), &ev);
    for (size_t i = 0; i + 8 <= size; i += 8) { /* and as writes */
        uint32_t addr =
            0xf00000u | (uint32_t)frame[i + 1] << 16 | (uint32_t)frame[i + 2] << 8 | frame[i + 3];
        uint32_t word = (uint32_t)frame[i + 4] << 24 | (uint32_t)frame[i + 5] << 16 |
                        (uint32_t)frame[i + 6] << 8 | frame[i + 7];
        (void)egret_front_write(front, addr & 0xf201ffu, word);
    }
    (void)egret_front_resolve(front, &whole, (uint32_t)(size & 0xffffu), &ev);
    return 0;
}
