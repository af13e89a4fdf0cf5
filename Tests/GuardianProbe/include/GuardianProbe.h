#ifndef GUARDIAN_PROBE_H
#define GUARDIAN_PROBE_H

#include <stdint.h>

/// Takes the place of setting a control: writes "ID=VALUE\n" to the descriptor; async-signal-safe.
///
/// The control 13 fails with EIO.
int gpr_write_setting(int descriptor, uint32_t id, int32_t value);

#endif
