// SPDX-License-Identifier: MIT

internal import CPSL

/// Finds the domain under which a host's owner registered it: `example.co.uk` for `img.example.co.uk`.
///
/// Hosts of one registrable domain usually belong to one operator. The list of public suffixes is that of libpsl.
package enum RegistrableDomain {
    /// Returns the registrable domain of a host in lower case; the host itself if it is an address or a public suffix.
    package static func of(_ host: String) -> String {
        guard !isAddress(host), let list = unsafe psl_builtin() else { return host }
        // libpsl returns a part of its argument, so the argument must outlive the result.
        return unsafe host.withCString { name in
            guard let domain = unsafe psl_registrable_domain(list, name) else { return host }
            return unsafe String(cString: domain)
        }
    }
}

extension RegistrableDomain {
    /// Whether a host is a number instead of a name.
    static func isAddress(_ host: String) -> Bool {
        host.utf8.contains(UInt8(ascii: ":"))
            || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }

    /// Whether hosts of several owners are below a name in lower case: `com` and `github.io`.
    static func isPublicSuffix(_ name: String) -> Bool {
        guard let list = unsafe psl_builtin() else { return !name.utf8.contains(UInt8(ascii: ".")) }
        return unsafe psl_is_public_suffix(list, name) != 0
    }
}
