// SPDX-License-Identifier: MIT

@testable import SluiceTransfer

extension AddressGuard {
    /// Lets everything through: what a test asks for is its own server.
    static let open: AddressGuard = {
        var guarding = AddressGuard()
        guarding.allowsPrivate = true
        guarding.ports = Set(1...65535)
        return guarding
    }()
}

extension TransferOptions {
    /// Has time: all tests start at once, and a machine that is busy with others is no silent host.
    static var patient: TransferOptions {
        var options = TransferOptions(userAgent: "Sluice/test")
        options.connectTimeout = .seconds(1000)
        options.firstByteTimeout = .seconds(1000)
        options.leastSpeedTime = .seconds(1000)
        return options
    }
}
