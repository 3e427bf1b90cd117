// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The user's request headers for the hosts of sources: `Name: value`, or `HOST: Name: value` for one host.
struct SourceHeaders {
    private struct Field {
        /// The host, with a port if the user wrote one; `nil` for the host of all sources.
        var host: String?
        var text: String
    }

    /// The headers, each for the origin of a source; no other origin receives them.
    let secrets: [Secret]

    /// Assigns headers to the hosts of the addresses that the user named.
    ///
    /// A header without a host may be a key, so it must not reach the hosts of several sources.
    init(_ texts: [String], for addresses: [WebAddress]) throws(MirrorError) {
        let fields = texts.map(Self.field)
        let hosts = TextSet(addresses.map(\.host))
        for field in fields {
            let name = field.text.prefix { $0 != ":" }
            if let host = field.host {
                guard addresses.contains(where: { Self.matches(host, $0) }) else {
                    throw MirrorError(.usage, "cannot send the header '\(name)' to '\(host)': no SOURCE is there")
                }
            } else if hosts.count > 1 {
                let example = "\(CommandFlag.header) '\(hosts.sorted().first ?? ""): \(name): …'"
                throw MirrorError(
                    .usage, "cannot send the header '\(name)' to the hosts of several sources: write \(example)")
            }
        }
        var secrets: [Secret] = []
        for field in fields {
            for address in addresses where field.host.map({ Self.matches($0, address) }) ?? true {
                let secret = Secret(header: field.text, for: address)
                // Several sources may have one origin.
                if !secrets.contains(secret) { secrets.append(secret) }
            }
        }
        self.secrets = secrets
    }

    private static func matches(_ host: String, _ address: WebAddress) -> Bool {
        let host = host.lowercased()
        return host === address.host || host === "\(address.host):\(address.port)"
    }

    /// Separates the host from a header; names of headers have no dots in practice.
    private static func field(_ text: String) -> Field {
        let parts = text.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return Field(text: text) }
        let isHost = parts[0].contains(".") || parts[0] == "localhost" || parts[0].hasPrefix("localhost:")
        let name = parts[1].prefix { $0 != ":" }
        guard isHost, parts[1].contains(": "), !name.isEmpty, !name.contains(" ") else { return Field(text: text) }
        return Field(host: String(parts[0]), text: String(parts[1]))
    }
}
