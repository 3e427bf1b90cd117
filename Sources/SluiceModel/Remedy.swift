// SPDX-License-Identifier: MIT

/// What may turn a failed item into one that is done.
public enum Remedy: Sendable, Hashable {
    /// The same once more: whatever it was may have passed.
    case retry
    /// Another option of the user's, with a value that goes further than the default.
    case option(String)
    /// Nothing that this side can do.
    case none
}

extension Cause {
    /// What may help against it.
    public var remedy: Remedy {
        switch self {
        case .tooLarge: .option("--max-bytes=1G")
        case .tooManyPixels: .option("--max-pixels=1G")
        case .decodeLimit: .option("--memory=4G --decode-timeout=300s")
        case .corrupt: .option("--salvage")
        case .decoderCrashed, .quarantined: .option("--retry-quarantined")
        case .disk: .retry
        default: isWorthRetry ? .retry : .none
        }
    }

    /// What it means for whoever wants the photo, in a few words.
    public var meaning: String {
        switch self {
        case .dns: "the host's name has no address"
        case .connect: "the host cannot be reached"
        case .tls: "the host's certificate is not trusted here"
        case .timeout: "the host was silent or too slow"
        case .httpClientError(401), .httpClientError(403): "the host refuses it"
        case .httpClientError(404), .httpClientError(410): "the host has it no more"
        case .httpClientError: "the host takes the request for a mistake"
        case .httpTooManyRequests, .deferred: "the host wants to be asked later"
        case .httpServerError: "the host was in trouble"
        case .unexpectedStatus: "the host answers what is no photo"
        case .badFraming, .badHeaders, .contentEncoding, .encodingBomb: "the host's reply breaks the rules of HTTP"
        case .emptyBody, .truncated: "less arrived than a whole photo"
        case .tooLarge, .tooManyPixels, .decodeLimit: "it is beyond a limit of yours"
        case .notAnImage: "what is there is no photo"
        case .corrupt, .badChunk, .tooManyScans: "the photo is damaged where it comes from"
        case .unsupported: "it is a kind of picture that Sluice does not read"
        case .decoderCrashed: "it ended the process that decoded it"
        case .quarantined: "it ended its decoder twice, and is left alone"
        case .addressRefused: "its address leads into a private network"
        case .redirectLoop, .redirectScheme, .redirectDowngrade: "it is redirected where nobody should follow"
        case .optedOut: "its host does not want it in collections"
        case .policy: "a rule of yours leaves it out, or it has no such variant"
        case .duplicate: "it is there under another name"
        case .cancelled: "the run was ended first"
        case .disk: "this machine could not keep it"
        case .internal: "a fault of Sluice's own: please report it"
        case .feedParse, .paginationLoop, .crossOriginNext: "what the feed says of it is no photo"
        }
    }
}
