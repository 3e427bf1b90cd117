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
