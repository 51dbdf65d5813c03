// SPDX-License-Identifier: Apache-2.0
// For `make coverage` alone: a Verilator bench that counts lines writes its counts when it ends,
// to a file of its own in the folder that the environment variable COVERAGE names.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "verilated.h"
#include "verilated_cov.h"

void vl_finish(const char*, int, const char*)
{
    VerilatedContext* const context = Verilated::threadContextp();
    context->gotFinish(true);
    const char* const folder = std::getenv("COVERAGE");
    std::string name = std::string(folder ? folder : ".") + "/XXXXXX.dat";
    const int file = mkstemps(&name[0], 4);
    if (file < 0) {
        std::perror(name.c_str());
        std::exit(1);
    }
    close(file);
    context->coveragep()->write(name.c_str());
}
