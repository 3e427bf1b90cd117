// SPDX-License-Identifier: MIT

/// A way to recover a failed item.
public enum Remedy: Sendable, Hashable {
    /// Run again; the problem may be temporary.
    case retry
    /// Allow larger files.
    case raiseSizeLimit
    /// Allow photos with more pixels.
    case raisePixelLimit
    /// Allow more memory and time for a decode.
    case raiseDecodeLimits
    /// Keep the readable part of damaged photos.
    case salvage
    /// Decode photos in quarantine.
    case liftQuarantine
    /// The user cannot fix the problem.
    case none
}

extension Cause {
    /// The recommended way to recover an item that failed with this cause.
    public var remedy: Remedy {
        switch self {
        case .tooLarge: .raiseSizeLimit
        case .tooManyPixels: .raisePixelLimit
        case .decodeLimit: .raiseDecodeLimits
        case .corrupt: .salvage
        case .decoderCrashed, .quarantined: .liftQuarantine
        case .disk, .sessionEnded: .retry
        default: isRetryable ? .retry : .none
        }
    }

    /// Another option to try if ``remedy`` does not help.
    ///
    /// Repeating a download may complete a truncated photo. If it does not, its readable part can be kept.
    package var alternative: Remedy? { self == .truncated ? .salvage : nil }

    /// A short explanation for users.
    public var meaning: String {
        switch self {
        case .dns: "the host name does not resolve"
        case .connect: "the host is unreachable"
        case .tls: "the host's certificate is not trusted"
        case .timeout: "the host did not respond in time"
        case .httpClientError(401), .httpClientError(403): "the host refuses access"
        case .httpClientError(404), .httpClientError(410): "the photo no longer exists on the host"
        case .httpClientError: "the host rejects the request"
        case .httpTooManyRequests, .deferred: "the host asks to retry later"
        case .httpServerError: "the host has an internal error"
        case .unexpectedStatus: "the host's reply is not a photo"
        case .badFraming, .badHeaders, .contentEncoding, .encodingBomb: "the host's reply violates HTTP"
        case .emptyBody: "the file is empty, or its download is incomplete"
        case .truncated: "the photo is incomplete"
        case .digestMismatch: "the photo is not the one whose digest the host states"
        case .tooLarge, .tooManyPixels, .decodeLimit: "the photo exceeds a configured limit"
        case .notAnImage: "the file is not a photo"
        case .corrupt, .badChunk, .tooManyScans: "the photo is damaged at its source"
        case .unsupported: "Sluice does not support this image format"
        case .decoderCrashed: "the photo crashed the decoder"
        case .quarantined: "the photo crashed the decoder twice and is skipped"
        case .addressRefused: "the address is in a private network"
        case .redirectLoop, .redirectScheme, .redirectDowngrade: "the redirect is invalid or unsafe"
        case .sessionEnded: "the host asks for a login again"
        case .optedOut: "the host opts out of collection"
        case .withdrawn: "the photo may no longer be kept, and `sluice recheck` removed it"
        case .blocked: "the photo is on the blocklist"
        case .policy: "a filter excludes the photo, or it lacks the variant"
        case .duplicate: "a copy of the photo is kept"
        case .cancelled: "the run ended first"
        case .disk: "the file could not be read or saved on this machine"
        case .internal: "a bug in Sluice: please report it"
        case .login: "the site shows the photos after a login only"
        case .consent: "the site asks for consent before it shows the page"
        case .challenge: "the site checks whether a person asks, which Sluice does not answer"
        case .paywall: "the site shows the page to subscribers only"
        case .scripts: "the page shows its photos with scripts, which only a browser runs"
        case .wrongType: "the address is neither a page, a list nor a photo"
        case .feedParse, .paginationLoop, .crossOriginNext: "the feed's record is invalid"
        }
    }
}
