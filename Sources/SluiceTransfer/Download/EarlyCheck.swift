// SPDX-License-Identifier: MIT

public import SluiceModel

/// Inspects the first bytes of a download while it arrives, and decides whether the rest is wanted.
///
/// It receives all bytes so far, at least twice as many with each call, up to 256 KiB. It runs on the transfer loop's
/// thread, so it must be quick. An error that it throws ends the download with that failure.
public typealias EarlyCheck = @Sendable (_ start: [UInt8], _ headers: HeaderFields) throws(Failure) -> EarlyDecision

/// The result of an ``EarlyCheck``.
public enum EarlyDecision: Sendable, Hashable {
    /// More bytes are needed to decide.
    case undecided
    /// The rest is wanted.
    case accepted
    /// One of the user's rules excludes the file, for this reason; the download stops without a failure.
    case rejected(String)
}

/// The result of a download that did not fail.
public enum DownloadResult: Sendable, Hashable {
    /// The file is complete.
    case complete(Response)
    /// The server confirmed ``Request/cachedVersion`` and sent no body.
    case unchanged(Response)
    /// The early check rejected the file, which is removed.
    case rejected(RejectedDownload)
}

/// A download that an ``EarlyCheck`` stopped.
public struct RejectedDownload: Sendable, Hashable {
    /// The reason why it was rejected.
    public var reason: String
    /// The number of bytes received.
    public var received: Int
    /// The announced size in bytes, if any.
    public var announced: Int?
    /// The address that answered, if it differs because of redirects.
    public var finalURL: String?

    /// The number of bytes that were not downloaded, if the size is known.
    public var saved: Int? { announced.map { max(0, $0 - received) } }
}
