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

/// Reads a file while it is downloaded, and decides when its first bytes suffice.
///
/// A copy made before the first call starts over with the file. It runs on the transfer loop's thread, so it must be
/// quick.
package protocol PrefixReading: Sendable {
    /// Reads the next bytes; returns the part that suffices, once it is known.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> SufficientPart?
}

/// The first bytes of a file, and what completes them to a smaller file.
package struct SufficientPart: Sendable, Hashable {
    /// The number of bytes from the file.
    package var length: Int
    /// The bytes that follow them.
    package var ending: [UInt8]
    /// The photo, if the part has only a preview of it.
    package var previewed: PreviewedPhoto?

    package init(length: Int, ending: [UInt8], previewed: PreviewedPhoto? = nil) {
        (self.length, self.ending, self.previewed) = (length, ending, previewed)
    }
}

/// A photo of which only the preview was downloaded.
package struct PreviewedPhoto: Sendable, Hashable {
    /// The width of the stored photo in pixels.
    package var width: Int
    /// The height of the stored photo in pixels.
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// A successful download of a part that suffices.
package struct StoppedDownload: Sendable, Hashable {
    /// The number of bytes received.
    package var received: Int
    /// The announced size of the whole file in bytes, if any.
    package var announced: Int?
    /// The photo, if the part has only a preview of it.
    package var previewed: PreviewedPhoto?

    /// The number of bytes that were not downloaded, if the size is known.
    package var saved: Int? { announced.map { max(0, $0 - received) } }
}
