/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_goal.c: any bytes as GOAL, text or binary (libFuzzer).
 */
#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_import(data, size, "f.goal");
    return 0;
}
