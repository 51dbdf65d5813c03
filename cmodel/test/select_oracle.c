/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_oracle.c: CRC-32 against zlib, an implementation that is not ours. Without zlib's header
 * at build time (EGRET_HAVE_ZLIB not defined) it says so and exits 77.
 */
#include "egret/hash.h"
#include "select_test.h"

#ifdef EGRET_HAVE_ZLIB
#include <zlib.h>

int main(void)
{
    uint8_t bytes[600];

    for (unsigned n = 0; n <= sizeof bytes; n++) {
        for (unsigned trial = 0; trial < 4; trial++) {
            test_bytes(bytes, sizeof bytes);
            CHECK_EQ(egret_hash_crc32(bytes, n), crc32(crc32(0, NULL, 0), bytes, n), "zlib");
        }
    }
    return test_end();
}
#else
int main(void)
{
    printf("SKIP zlib1g-dev is not installed\n");
    return 77;
}
#endif
