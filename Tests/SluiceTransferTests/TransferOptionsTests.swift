// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceTransfer

@Suite("Options of transfers", .timeLimit(.minutes(10))) struct TransferOptionsTests {
    @Test(
        "Connections share the memory for receive buffers, which have 4 to 64 KiB",
        arguments: [(1, 64 << 10), (128, 64 << 10), (512, 16 << 10), (1024, 8 << 10), (2000, 4194), (10_000, 4 << 10)])
    func chunkSize(connections: Int, expected: Int) {
        var options = TransferOptions(userAgent: "Sluice/test")
        (options.bufferMemory, options.connections) = (8 << 20, connections)
        #expect(options.chunkSize == expected)
    }
}
