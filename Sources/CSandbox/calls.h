// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

/// Has the kernel refuse this process every system call but those that decoding a picture needs; they fail with EPERM.
bool csandbox_filter_calls(void);
