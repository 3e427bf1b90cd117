// SPDX-License-Identifier: MIT

internal import Dispatch

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Ends this process when standard input ends: whoever started it is gone, and nobody waits for the result.
final class ParentWatch {
    private let source: any DispatchSourceRead

    init() {
        source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: DispatchQueue(label: "sluice.bench.parent"))
        source.setEventHandler {
            var byte: UInt8 = 0
            if unsafe read(0, &byte, 1) <= 0 { _exit(0) }
        }
        source.activate()
    }

    func end() { source.cancel() }
}
