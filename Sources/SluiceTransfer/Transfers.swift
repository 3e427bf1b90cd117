// SPDX-License-Identifier: MIT

public import SluiceModel

/// The room's face: asks hosts for things, follows redirects, tries again, and gives every fault its name.
public final class Transfers: Sendable {
    /// How transfers behave.
    public let options: TransferOptions
    private let loop = TransferLoop()

    /// Told of a failed attempt that another follows: its number from 1, the failure, and the wait.
    public typealias RetryObserver = @Sendable (Int, Failure, Duration) -> Void

    /// Starts the transfer loop; it ends with this object, behind what is under way.
    public init(_ options: TransferOptions) {
        self.options = options
    }

    /// Fetches a reply into memory.
    public func fetch(
        _ request: Request, token: Token, onRetry: @escaping RetryObserver = { _, _, _ in }
    ) async throws(Failure) -> Response {
        try await attempts(request, into: .memory, token: token, onRetry: onRetry)
    }

    /// Downloads a reply into a file, which is emptied first.
    ///
    /// The descriptor is of a file open for writing that the caller keeps open, and leaves alone, until this returns.
    public func download(
        _ request: Request, into descriptor: Int32, token: Token, onRetry: @escaping RetryObserver = { _, _, _ in }
    ) async throws(Failure) -> Response {
        try await attempts(request, into: .file(descriptor), token: token, onRetry: onRetry)
    }

    private func attempts(
        _ request: Request, into target: Body.Target, token: Token, onRetry: RetryObserver
    ) async throws(Failure) -> Response {
        var attempt = 1
        while true {
            try token.check()
            let verdict: RetryPolicy.Verdict
            do throws(Failure) {
                return try await follow(request, into: target, token: token)
            } catch {
                verdict = options.retry.verdict(on: error, attempt: attempt, chance: .random(in: 0...1))
                if case .retry(let delay) = verdict, !token.isCancelled { onRetry(attempt, error, delay) }
            }
            switch verdict {
            case .giveUp(let failure): throw failure
            case .retry(let delay): try await pause(for: delay, token: token)
            }
            attempt += 1
        }
    }

    /// One attempt: the request and its redirects, hop by hop.
    private func follow(_ request: Request, into target: Body.Target, token: Token) async throws(Failure) -> Response {
        guard let origin = WebAddress(request.url) else {
            throw Failure(.policy, "\(request.url) is no address")
        }
        var address = origin
        var hops = 0
        while true {
            try Redirect.check(address)
            let wish = Exchange.Wish(request, at: address, origin: origin, into: target)
            let reply = try await loop.carry(wish, options: options, token: token)
            guard Redirect.isRedirect(reply.status) else {
                return try Response(reply, from: address, isElsewhere: hops > 0)
            }
            address = try Redirect.next(
                reply.headers["location"], from: address, followed: hops, limit: options.redirects)
            hops += 1
        }
    }
}
