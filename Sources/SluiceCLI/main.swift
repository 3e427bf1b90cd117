// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

let console = Console.open()
exit(await Tool.run(console).number)
