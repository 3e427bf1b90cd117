// SPDX-License-Identifier: MIT

package import SluiceModel

/// Decides which addresses may be connected to, so that URLs from feeds cannot reach the user's own network.
///
/// A transfer asks twice for each hop: about the address as written, and about the numeric address of the socket that
/// is about to be opened. No spelling and no DNS answer can disguise the second one.
public struct AddressGuard: Sendable {
    /// Whether private, loopback and other special addresses are allowed.
    public var allowsPrivate = false
    /// Special addresses that are allowed anyway.
    public var allowed: [NetworkRange] = []
    /// The allowed ports.
    public var ports: Set<Int> = [80, 443]
    /// Addresses that the user named; their origins are allowed on any port, and at any address unless their names are
    /// public.
    package internal(set) var trustedOrigins: [WebAddress] = []
    /// The host names of SOURCEs that the user has not confirmed as private.
    ///
    /// The owner of a name can later make it resolve to an address in the user's network.
    package var publicNames: TextSet = []

    /// Creates a guard that allows only public hosts on the standard ports.
    public init() {}

    /// Allows the origins of these addresses if the user wrote them; anyone else could name a private address.
    package mutating func trust(_ addresses: [WebAddress], writtenBy author: Provenance) {
        if author == .user { trustedOrigins += addresses }
    }

    /// Throws if the address has a refused port, a refused numeric or local host, or a name all of whose `numbers` are
    /// refused.
    func check(_ address: WebAddress, at numbers: [NetworkAddress] = []) throws(Failure) {
        guard !mayBePrivate(address) else { return }
        let own = NetworkAddress(address.isLocal ? "127.0.0.1" : address.hostName)
        let refusals = (own.map { [$0] } ?? numbers).map { self.refusal(of: $0, for: address) }
        let refusal = refusals.contains(nil) ? nil : refusals.first ?? nil
        guard !ports.contains(address.port), !isTrusted(address) else {
            if let refusal { throw refusal }
            return
        }
        guard let refusal, case .allowAddresses(let range) = refusal.hint else {
            throw Failure(
                .addressRefused, "port \(address.port) of \(address.host) is not allowed",
                hint: .allowPort(address.port))
        }
        throw Failure(
            .addressRefused, "\(refusal.detail), and port \(address.port) is not allowed",
            hint: .allowAddressesAndPort(range, address.port))
    }

    /// The reason why a socket to `number` must not be opened for `address`; `nil` if it may.
    func refusal(of number: NetworkAddress, for address: WebAddress) -> Failure? {
        guard !allowsPrivate, !mayBePrivate(address) else { return nil }
        for reached in number.reachableAddresses {
            guard let use = SpecialUse(of: reached), !allowed.contains(where: { $0.contains(reached) }) else {
                continue
            }
            let target = reached == number ? "\(reached)" : "\(reached) (through \(number))"
            let isNumber = address.hostName == number.description
            let subject = isNumber ? target : "\(address.hostName) resolves to \(target), which"
            return Failure(.addressRefused, "\(subject) is \(use.name)", hint: .allowAddresses("\(use.range)"))
        }
        return nil
    }

    private func isTrusted(_ address: WebAddress) -> Bool { trustedOrigins.contains { $0.hasOrigin(of: address) } }

    /// Whether the user named the origin and it may be at any address; numbers and `localhost` mean what they say.
    private func mayBePrivate(_ address: WebAddress) -> Bool {
        isTrusted(address) && (address.isNumberOrLocal || !publicNames.contains(address.hostName))
    }
}

extension WebAddress {
    /// Whether the host is `localhost`, or below it.
    ///
    /// RFC 6761: this name always means the local machine, and a proxy would resolve it to the proxy's own.
    fileprivate var isLocal: Bool { hostName == "localhost" || hostName.hasSuffix(".localhost") }

    /// Whether no server of names decides to which machine the host leads.
    package var isNumberOrLocal: Bool { isLocal || NetworkAddress(hostName) != nil }
}
