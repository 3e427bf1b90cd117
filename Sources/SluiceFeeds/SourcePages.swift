// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Requests the pages of a SOURCE, and nothing at another origin.
///
/// The addresses of pages come from cursors, and cursors come from a ledger that someone else may have written. A walk
/// that is opened again therefore trusts the origin of SOURCE only, and the one to which SOURCE redirects.
final class SourcePages: Sendable {
    private struct State {
        /// The origins of the replies so far, and that of SOURCE.
        var origins: [WebAddress]
        /// Whether SOURCE has been requested, so that its redirects are known.
        var knowsRedirects = false
    }

    private let source: String
    private let transfers: Transfers
    private let state: Locked<State>

    init(of source: String, through transfers: Transfers) {
        (self.source, self.transfers) = (source, transfers)
        state = Locked(State(origins: WebAddress(source).map { [$0] } ?? []))
    }

    func fetch(_ request: Request, token: CancellationToken) async throws(Failure) -> Response {
        try await check(request.url, token: token)
        return try await load(request, token: token)
    }

    /// Throws if an address is at no origin of SOURCE's pages.
    func check(_ address: String, token: CancellationToken) async throws(Failure) {
        if isKnown(address) { return }
        if !state.withLock(\.knowsRedirects), WebAddress(source) != nil {
            _ = try await load(Request(source, timeout: .seconds(60)), token: token)
        }
        guard isKnown(address) else { throw .foreignPage(address, of: source) }
    }

    private func load(_ request: Request, token: CancellationToken) async throws(Failure) -> Response {
        let response = try await transfers.fetch(request, token: token)
        let origin = isKnown(response.url) ? nil : WebAddress(response.url)
        state.withLock { state in
            if let origin { state.origins.append(origin) }
            state.knowsRedirects = state.knowsRedirects || request.url === source
        }
        return response
    }

    private func isKnown(_ address: String) -> Bool {
        guard let address = WebAddress(address) else { return false }
        return state.withLock { $0.origins.contains { $0.hasOrigin(of: address) } }
    }
}

extension Failure {
    /// The failure of a walk whose cursor leads away from its source.
    static func foreignPage(_ address: String, of source: String) -> Failure {
        Failure(
            .crossOriginNext,
            "the ledger of this mirror continues at \(address), which is not at the origin of \(source)")
    }
}
