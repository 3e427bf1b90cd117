// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Sends requests to one bucket; repeats those that fail for a time.
///
/// Its methods block the calling thread until the response has arrived, and may be called from any thread.
package final class S3Client: Sendable {
    /// The most requests in flight.
    static let width = 32
    /// The most attempts for one request.
    private static let maxAttempts = 8
    /// The longest delay before the second attempt; it doubles with each attempt, up to the longest one.
    private static let firstDelay = Duration.milliseconds(100)
    private static let longestDelay = Duration.seconds(10)

    let endpoint: S3Endpoint
    private let configuration: AWSConfiguration
    /// Whether requests are sent without a signature.
    private let isAnonymous: Bool
    /// The role whose keys sign the requests, instead of those in the configuration.
    private let role: RoleCredentials?
    private let transfers: Transfers
    private let token: CancellationToken
    /// The threads for uploads and downloads of many objects.
    let threads = RequestThreads(width: S3Client.width)
    /// Until when no request is sent, because the service asked for fewer.
    private let resumeTime = Locked(ContinuousClock.now)

    /// Creates a client for a bucket; throws if the options or the credentials cannot be used.
    convenience init(bucket: String, options: S3Options, transfer: TransferOptions) throws(S3Error) {
        try self.init(
            bucket: bucket, options: options, transfer: transfer,
            configuration: AWSConfiguration(profile: options.profile))
    }

    init(
        bucket: String, options: S3Options, transfer: TransferOptions, configuration: AWSConfiguration,
        token: CancellationToken = CancellationToken()
    ) throws(S3Error) {
        isAnonymous = options.readsAnonymously
        if !options.usesRole, !isAnonymous { _ = try configuration.credentials() }
        let region =
            options.region ?? configuration.value("AWS_REGION", setting: "region")
            ?? configuration.value("AWS_DEFAULT_REGION", setting: "region") ?? "us-east-1"
        endpoint = try S3Endpoint(
            bucket: bucket, region: region,
            endpoint: options.endpoint ?? configuration.value("AWS_ENDPOINT_URL_S3", setting: "endpoint_url")
                ?? configuration.value("AWS_ENDPOINT_URL", setting: "endpoint_url"), addressing: options.addressing)
        role =
            options.usesRole && !isAnonymous
            ? RoleCredentials(
                RoleClient(try RoleSource(configuration, region: region), transfer: transfer),
                clock: SigningTime.secondsNow) : nil
        var transfer = transfer
        // The user named the service, whatever its address is.
        transfer.addressGuard.trust([endpoint.origin], writtenBy: .user)
        // One connection per request in flight is faster than one that all share.
        transfer.http = .http1
        transfer.connections = Self.width
        // The first byte of the response follows the whole upload.
        transfer.firstByteTimeout = .seconds(120)
        transfer.bandwidth = nil
        transfers = Transfers(transfer)
        self.configuration = configuration
        self.token = token
    }

    /// Sends a request until it succeeds, fails finally, or has failed too often.
    ///
    /// `read` converts a successful response, and throws if it is invalid.
    private func send<Value>(
        _ request: S3Request, token: CancellationToken,
        transfer: (ServiceRequest) throws(Failure) -> ServiceResponse,
        reading read: (ServiceResponse) throws(S3Error) -> Value
    ) throws(S3Error) -> Value {
        var attempt = 1
        while true {
            do throws(S3Error) {
                try waitUntilResumed(token)
                let credentials = try credentials(token)
                let signed = endpoint.signed(
                    request, by: credentials, at: .now, timeout: Self.timeout(of: request))
                let response: ServiceResponse
                do throws(Failure) { response = try transfer(signed) } catch { throw S3Error(error) }
                guard (200..<300).contains(response.status) else {
                    let error = S3Error(response, isAnonymous: isAnonymous)
                    if error.isExpiry, let credentials { role?.discard(credentials) }
                    throw error
                }
                return try read(response)
            } catch {
                let isRenewable = error.isExpiry && role != nil && attempt == 1
                guard error.isTransient || isRenewable, attempt < Self.maxAttempts else {
                    var error = error
                    error.attempt = attempt
                    throw error
                }
                pauseAfter(attempt: attempt, isOverload: error.status == 503 || error.status == 429, token)
            }
            attempt += 1
        }
    }

    private func credentials(_ token: CancellationToken) throws(S3Error) -> S3Credentials? {
        if isAnonymous { nil } else if let role { try role.current(token) } else { try configuration.credentials() }
    }

    /// Sends a request whose response is received in memory.
    func send<Value>(
        _ request: S3Request, reading read: (ServiceResponse) throws(S3Error) -> Value
    ) throws(S3Error) -> Value {
        try send(
            request, token: token,
            transfer: { (signed) throws(Failure) in try transfers.send(signed, token: token) }, reading: read)
    }

    /// Sends a request whose response is written to a file, until `token` is cancelled.
    ///
    /// After the last attempt has failed, the file is removed unless a later run can resume the download.
    func send<Value>(
        _ request: S3Request, into partial: PartialFile, earlyCheck: EarlyCheck? = nil,
        token: CancellationToken? = nil, reading read: (ServiceResponse) throws(S3Error) -> Value
    ) throws(S3Error) -> Value {
        let token = token ?? self.token
        do throws(S3Error) {
            return try send(
                request, token: token,
                transfer: { (signed) throws(Failure) in
                    try transfers.send(signed, into: partial, earlyCheck: earlyCheck, token: token)
                }, reading: read)
        } catch {
            if partial.note == nil { try? partial.remove() }
            throw error
        }
    }

    /// A minute, and the time that the bodies take at 64 KiB per second.
    private static func timeout(of request: S3Request) -> Duration {
        let bytes = request.method == "HEAD" ? 0 : request.body.count + request.limit
        return .seconds(min(60 + bytes >> 16, 86_400))
    }

    /// Delays the next attempt, or all requests to the bucket if it is overloaded.
    private func pauseAfter(attempt: Int, isOverload: Bool, _ token: CancellationToken) {
        let bound = min(Self.longestDelay, Self.firstDelay * (1 << (attempt - 1)))
        let delay = bound * Double.random(in: 0.5...1)
        if isOverload {
            resumeTime.withLock { $0 = max($0, .now + delay) }
        } else {
            wait(for: delay, token)
        }
    }

    private func waitUntilResumed(_ token: CancellationToken) throws(S3Error) {
        while true {
            let delay = resumeTime.withLock { $0 } - .now
            if delay > .zero { wait(for: delay, token) }
            if token.isCancelled { throw S3Error(code: .cancelled, message: "cancelled") }
            if delay <= .zero { return }
        }
    }

    /// Blocks the thread for a time, or until the token is cancelled.
    private func wait(for delay: Duration, _ token: CancellationToken) {
        let semaphore = DispatchSemaphore(value: 0)
        let handler = token.onCancel { _ in semaphore.signal() }
        _ = semaphore.wait(timeout: .now() + delay / .seconds(1))
        withExtendedLifetime(handler) {}
    }
}
