// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem
internal import SluiceTransfer

/// The reason why a request to a bucket failed.
struct S3Error: Error, Sendable, Hashable {
    /// The service's name for an error, or one of Sluice's own.
    struct Code: RawRepresentable, Sendable, Hashable {
        var rawValue: String

        static let noCredentials = Code(rawValue: "sluice:credentials")
        /// There was no complete response.
        static let connection = Code(rawValue: "sluice:connection")
        /// The response contradicts the request or itself.
        static let invalidResponse = Code(rawValue: "sluice:response")
        static let cancelled = Code(rawValue: "sluice:cancelled")
        static let noSuchKey = Code(rawValue: "NoSuchKey")
        static let noSuchBucket = Code(rawValue: "NoSuchBucket")
        static let accessDenied = Code(rawValue: "AccessDenied")
        static let preconditionFailed = Code(rawValue: "PreconditionFailed")
        static let conflict = Code(rawValue: "ConditionalRequestConflict")
    }

    var code: Code
    /// The HTTP status, if there was a response.
    var status: Int?
    /// Whether the request had no signature.
    var isAnonymous = false
    /// The service's message, or the evidence.
    var message: String
    /// The number of the attempt that failed.
    var attempt = 1
    /// The reason why there was no complete response.
    private(set) var transferFailure: Failure?

    init(code: Code, status: Int? = nil, message: String = "") {
        self.code = code
        self.status = status
        // Some services repeat what they were sent.
        self.message = String(message.prefix(300))
    }

    /// The error of a response that contradicts the request or itself.
    static func invalid(_ message: String) -> S3Error { S3Error(code: .invalidResponse, message: message) }

    /// Converts a request that got no complete response.
    init(_ failure: Failure) {
        self.init(code: failure.cause == .cancelled ? .cancelled : .connection, message: failure.detail)
        if !failure.cause.isRetryable, code == .connection { self.code = .invalidResponse }
        transferFailure = failure
    }

    /// Converts a response that reports an error; a response to `HEAD` has no body, and the status stands for it.
    init(_ response: ServiceResponse, isAnonymous: Bool = false) {
        let error = ReplyElement(parsing: response.body, limit: 64 << 10).flatMap { $0.name == "Error" ? $0 : nil }
        let usual: Code =
            switch response.status {
            case 301, 307: Code(rawValue: "PermanentRedirect")
            case 403: .accessDenied
            case 404: .noSuchKey
            case 409: .conflict
            case 412: .preconditionFailed
            case 503: Code(rawValue: "SlowDown")
            default: Code(rawValue: "status \(response.status)")
            }
        let code = error?["Code"].map { Code(rawValue: $0) } ?? usual
        self.init(code: code, status: response.status, message: error?["Message"] ?? "")
        self.isAnonymous = isAnonymous
        if let region = response.headers["x-amz-bucket-region"] ?? error?["Region"], isWrongRegion {
            message = region
        }
    }

    /// Whether the object does not exist.
    var isMissing: Bool { code == .noSuchKey || status == 404 && code != .noSuchBucket }

    /// Whether the same request may succeed later.
    var isTransient: Bool {
        if code == .connection || code == .conflict { return true }
        let codes = [
            "SlowDown", "InternalError", "RequestTimeout", "ServiceUnavailable", "OperationAborted", "Throttling",
        ]
        if codes.contains(code.rawValue) { return true }
        return status == 429 || (status ?? 0) >= 500 && status != 501
    }

    /// Whether the temporary keys have expired.
    var isExpiry: Bool { ["ExpiredToken", "TokenRefreshRequired"].contains(code.rawValue) }

    private var isWrongRegion: Bool {
        let codes = [
            "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException",
        ]
        return codes.contains(code.rawValue)
    }

    /// The reason in a message, without a subject.
    func reason(bucket: String) -> String {
        switch code.rawValue {
        case Code.noCredentials.rawValue:
            let hint = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile"
            return message.isEmpty ? "there are no credentials; \(hint)" : message
        case Code.noSuchBucket.rawValue: return "the bucket '\(bucket)' does not exist"
        case "InvalidAccessKeyId": return "the service does not know the access key"
        case "SignatureDoesNotMatch": return "the secret key is wrong, or the request was changed on its way"
        case _ where isExpiry: return "the session token has expired"
        case "InvalidToken": return "the session token is invalid"
        case "RequestTimeTooSkewed": return "this machine's clock differs too much from the service's"
        case Code.accessDenied.rawValue where isAnonymous: return "the bucket is not public"
        case Code.accessDenied.rawValue: return "the credentials do not permit this"
        case Code.noSuchKey.rawValue: return "the object does not exist"
        case Code.preconditionFailed.rawValue: return "the object exists already"
        case Code.connection.rawValue, Code.invalidResponse.rawValue, Code.cancelled.rawValue: return message
        case _ where isWrongRegion:
            return message.isEmpty ? "the bucket is in another region" : "the bucket is in another region: \(message)"
        default:
            let text = [code.rawValue, message].filter { !$0.isEmpty }.joined(separator: ": ")
            return status.map { "\(text) (status \($0))" } ?? text
        }
    }

    /// The failure of an item, whose object is at this URL.
    func failure(at url: String, bucket: String) -> Failure {
        if var failure = transferFailure {
            failure.finalURL = url
            return failure
        }
        let cause = status.flatMap { Cause(status: $0) } ?? (code == .connection ? .connect : .badFraming)
        let mayBePublic = status == 403 && !isAnonymous
        return Failure(
            cause, reason(bucket: bucket), status: status, finalURL: url, hint: mayBePublic ? .readAnonymously : nil)
    }

    /// The error of a store's operation.
    func fileError(_ operation: String, _ location: String, bucket: String) -> FileError {
        let number =
            switch code {
            case _ where isMissing: ENOENT
            case .accessDenied where isAnonymous: EPERM
            case .accessDenied, .noCredentials: EACCES
            case _ where status == 403 && !isAnonymous: EACCES
            case .preconditionFailed: EEXIST
            default: EIO
            }
        return FileError(code: number, operation: operation, path: location, reason: reason(bucket: bucket))
    }
}
