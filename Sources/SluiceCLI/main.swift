// SPDX-License-Identifier: MIT

internal import Sluice

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

// Before there is anything else in the process that a decoder must not have.
DecodeWorker.serveIfAsked()
Arenas.limit()
exit(await Tool.run(Console.open()).number)
