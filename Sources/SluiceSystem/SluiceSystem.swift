// SPDX-License-Identifier: MIT

// The C library of the system, under one name for all systems.
#if canImport(Darwin)
    @_exported public import Darwin
#else
    @_exported public import Glibc
#endif
