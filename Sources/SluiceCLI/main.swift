// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

// A decode worker must start before the process holds anything that a decoder must not access.
DecodeWorker.serveIfAsked()
MallocArenas.limit()
exit(await Tool.run(Console.open()).number)
