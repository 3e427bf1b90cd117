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

extension AddressGuard {
    /// Allows all addresses, because tests request their own servers.
    static let open: AddressGuard = {
        var addressGuard = AddressGuard()
        addressGuard.allowsPrivate = true
        addressGuard.ports = Set(1...65535)
        return addressGuard
    }()
}

extension TransferOptions {
    /// Has long timeouts: all tests start at the same time, and a busy machine must not look like a silent host.
    static var patient: TransferOptions {
        var options = TransferOptions(userAgent: "Sluice/test")
        options.connectTimeout = .seconds(1000)
        options.firstByteTimeout = .seconds(1000)
        options.minimumSpeedTime = .seconds(1000)
        options.idleTime = .seconds(1000)
        return options
    }

    /// Options for servers of the tests, with short pauses between attempts.
    static func open(retries: Int = 0, _ change: (inout TransferOptions) -> Void = { _ in }) -> TransferOptions {
        var options = patient
        options.retry.retries = retries
        options.retry.baseDelay = .milliseconds(1)
        options.addressGuard = .open
        change(&options)
        return options
    }
}

/// Transfers from servers of the tests.
func transfers(retries: Int = 0, _ change: (inout TransferOptions) -> Void = { _ in }) -> Transfers {
    Transfers(.open(retries: retries, change))
}
