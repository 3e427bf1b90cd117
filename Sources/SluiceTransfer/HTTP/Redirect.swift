// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The rules for following redirects.
///
/// Sluice follows redirects itself, one hop at a time, so that the address guard checks each hop before a connection.
enum Redirect {
    /// Returns whether the status is a redirect that is followed; the request stays a GET.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Returns the next address; `followed` counts the redirects before this one.
    static func next(
        _ location: String?, from address: WebAddress, followed: Int, limit: Int
    ) throws(Failure) -> WebAddress {
        guard followed < limit else { throw Failure(.redirectLoop, "more than \(limit) redirects") }
        guard let location, let next = WebAddress(location, relativeTo: address) else {
            throw Failure(.redirectScheme, "the redirect has no valid address")
        }
        try check(next)
        guard address.scheme != "https" || next.scheme == "https" else {
            throw Failure(.redirectDowngrade, "from https to \(next.scheme)")
        }
        return next
    }

    /// Throws unless the scheme is http or https.
    static func check(_ address: WebAddress) throws(Failure) {
        guard ["http", "https"].contains(address.scheme), !address.host.isEmpty else {
            throw Failure(.redirectScheme, address.scheme)
        }
    }
}
