// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Where a redirect leads, or why it is not followed.
///
/// Redirects are ours, one hop at a time, so that each is looked at before anybody connects.
enum Redirect {
    /// The statuses that are followed; what is asked for stays a GET.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The next address; `followed` counts the redirects before this one.
    static func next(
        _ location: String?, from address: WebAddress, followed: Int, limit: Int
    ) throws(Failure) -> WebAddress {
        guard followed < limit else { throw Failure(.redirectLoop, "more than \(limit) redirects") }
        guard let location, let next = WebAddress(location, relativeTo: address) else {
            throw Failure(.redirectScheme, "the redirect names no address")
        }
        try check(next)
        guard address.scheme != "https" || next.scheme == "https" else {
            throw Failure(.redirectDowngrade, "from https to \(next.scheme)")
        }
        return next
    }

    /// Refuses every scheme but the web's.
    static func check(_ address: WebAddress) throws(Failure) {
        guard ["http", "https"].contains(address.scheme), !address.host.isEmpty else {
            throw Failure(.redirectScheme, address.scheme)
        }
    }
}
