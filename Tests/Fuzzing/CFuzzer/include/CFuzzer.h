// The part of libFuzzer that starts it: see https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Feeds inputs to `callback` until a limit among the arguments is reached or something goes wrong.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
