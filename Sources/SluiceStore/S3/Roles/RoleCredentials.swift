// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The temporary keys of a role, which are renewed before they expire.
final class RoleCredentials: Sendable {
    private struct State {
        var current: S3Credentials?
        /// When the next renewal may be tried, in seconds since 1970.
        var nextAttempt = 0
    }

    private let client: RoleClient
    private let clock: @Sendable () -> Int
    private let state = Locked(State())

    /// Keys are renewed when they expire within this time in seconds.
    private static let margin = 300
    /// The time in seconds between attempts to renew keys that are still valid.
    private static let pause = 15

    init(_ client: RoleClient, clock: @escaping @Sendable () -> Int) {
        self.client = client
        self.clock = clock
    }

    /// Returns valid keys; asks for new ones if necessary, while other callers wait.
    func current(_ token: CancellationToken) throws(S3Error) -> S3Credentials {
        try state.withLock { (state) throws(S3Error) in
            let now = clock()
            let remaining = state.current?.expiry.map { $0 - now } ?? 0
            if let current = state.current, remaining > Self.margin || remaining > 0 && now < state.nextAttempt {
                return current
            }
            state.nextAttempt = now + Self.pause
            do throws(S3Error) {
                let renewed = try client.credentials(token)
                state.current = renewed
                return renewed
            } catch {
                // The service may be away for a moment.
                guard let current = state.current, remaining > 0 else { throw error }
                return current
            }
        }
    }

    /// Forgets keys that the store calls expired.
    func discard(_ expired: S3Credentials) {
        state.withLock { state in
            if state.current == expired { state.current = nil }
        }
    }
}
