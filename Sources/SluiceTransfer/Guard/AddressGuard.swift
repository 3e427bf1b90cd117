// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Decides which places may be connected to: text from strangers must not lead into the user's own network.
///
/// It is a pure value. The transfer asks twice for each hop: of the address as it is spelled, and of the number that a
/// socket is about to be opened to, which no spelling and no name server can disguise.
public struct AddressGuard: Sendable {
    /// Whether private, loopback and other special addresses may be connected to.
    public var allowsPrivate = false
    /// Special addresses that may be connected to all the same.
    public var allowed: [NetworkRange] = []
    /// The ports that may be connected to.
    public var ports: Set<Int> = [80, 443]
    /// Addresses that the user named: their origins may be wherever they are, on whatever port.
    public var homes: [WebAddress] = []

    /// Makes the guard that lets nobody but the internet's own hosts through.
    public init() {}

    /// Refuses an address for its port, or for a host that is spelled as a number.
    func check(_ address: WebAddress) throws(Failure) {
        guard !isHome(address) else { return }
        guard ports.contains(address.port) else {
            let advice = "allow with --allow-port \(address.port)"
            throw Failure(.addressRefused, "\(address.host) is asked for on port \(address.port) (\(advice))")
        }
        if let number = NetworkAddress(address.hostName), let refusal = refusal(of: number, for: address) {
            throw refusal
        }
        // However a resolver answers, this name means this machine (RFC 6761); a proxy would look it up at its own.
        let isLocal = address.hostName == "localhost" || address.hostName.hasSuffix(".localhost")
        if isLocal, let loopback = NetworkAddress("127.0.0.1"), let refusal = refusal(of: loopback, for: address) {
            throw refusal
        }
    }

    /// Why a socket to `number` must not be opened for `address`; `nil` if it may.
    func refusal(of number: NetworkAddress, for address: WebAddress) -> Failure? {
        guard !allowsPrivate, !isHome(address) else { return nil }
        for way in number.ways {
            guard let use = SpecialUse(of: way), !allowed.contains(where: { $0.contains(way) }) else { continue }
            let place = way == number ? "\(way)" : "\(way) by way of \(number)"
            let isNumber = address.hostName == number.description
            let subject = isNumber ? place : "\(address.hostName) leads to \(place), which"
            let advice = "allow with --allow-address \(use.range)"
            return Failure(.addressRefused, "\(subject) is \(use.name) (\(advice))")
        }
        return nil
    }

    private func isHome(_ address: WebAddress) -> Bool { homes.contains { $0.hasOrigin(of: address) } }
}
