/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_hpcc.c: any bytes as an HPCC flow file (libFuzzer).
 */
#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_import(data, size, "f.hpcc");
    return 0;
}
