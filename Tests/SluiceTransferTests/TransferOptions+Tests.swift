// SPDX-License-Identifier: MIT

@testable import SluiceTransfer

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
}
