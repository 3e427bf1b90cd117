// SPDX-License-Identifier: MIT
#pragma once

#ifdef __linux__
/// Brings all that waits to be written to a file system to its disk.
///
/// Exists because the C library declares it for _GNU_SOURCE alone, without which Swift reads its headers.
int syncfs(int descriptor);
#endif
