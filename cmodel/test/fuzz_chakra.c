/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_chakra.c: any bytes as a Chakra trace of one rank (libFuzzer).
 */
#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_import(data, size, "f.chakra");
    return 0;
}
