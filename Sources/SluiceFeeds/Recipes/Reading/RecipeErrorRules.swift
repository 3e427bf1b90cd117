// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The rules of a recipe that recognise a service's errors, including those in replies with status 200.
struct RecipeErrorRules: Sendable {
    static let members = ["message", "code", "throttled", "busyPages", "limit", "rejected", "offline", "unknown"]

    /// The path of the error message.
    var message: FieldPath?
    /// The path of the error code.
    var code: FieldPath?
    /// The error codes that mean "too many requests".
    var throttled: Set<String> = []
    /// The error codes that mean that the key is invalid.
    var rejected: Set<String> = []
    /// Whether HTML instead of JSON means "too many requests".
    var treatsHTMLAsBusy = false
    /// A status that means "too many requests", in addition to 429.
    var limit: Int?

    /// The message for a service that cannot be reached.
    var offline: String?
    /// The message for a failure without a message from the service.
    var unknown: String?

    init() {}

    init(_ node: RecipeNode) {
        node.checkMembers(Self.members)
        message = node.text("message").flatMap { FieldPath($0) }
        code = node.text("code").flatMap { FieldPath($0) }
        throttled = Set<String>((node["throttled"]?.children ?? []).compactMap(\.node.text))
        rejected = Set<String>((node["rejected"]?.children ?? []).compactMap(\.node.text))
        treatsHTMLAsBusy = node.flag("busyPages")
        limit = node.integer("limit", atLeast: 400)
        offline = node.text("offline")
        unknown = node.text("unknown")
    }

    /// Throws if a reply with status 200 reports an error.
    func check(_ reply: JSON) throws(Failure) {
        let code = code?.text(in: reply)
        let text = message(in: reply)
        if let code, throttled.contains(code) { throw Failure(.httpTooManyRequests, text ?? code, status: 200) }
        guard let text else { return }
        throw Failure(.unexpectedStatus, code.map { "\(text) (\($0))" } ?? text, status: 200)
    }

    /// Returns the recipe's message for a failure without a message from the service, followed by the details.
    func fallbackMessage(for failure: Failure) -> String? {
        let text: String?
        switch failure.cause {
        case .cancelled: return nil
        case .dns, .connect, .timeout, .tls: text = offline
        default: text = unknown
        }
        return text.map { failure.detail.isEmpty ? $0 : "\($0) (\(failure.detail))" }
    }

    /// Returns the error message in a reply.
    func message(in reply: JSON) -> String? { message?.text(in: reply) }

    /// Whether a reply says that the key is invalid.
    func rejectsKey(_ reply: JSON) -> Bool { code?.text(in: reply).map { rejected.contains($0) } ?? false }
}
