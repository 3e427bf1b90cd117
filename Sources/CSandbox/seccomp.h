// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

/// Makes the kernel reject every system call of this process except those that decoding needs; they fail with EPERM.
bool csandbox_filter_calls(void);
