/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_nccl.c: any bytes as an NCCL log (libFuzzer).
 */
#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_import(data, size, "f.nccl");
    return 0;
}
