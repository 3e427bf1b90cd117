// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Recognises the pages that sites show in place of photos: logins, requests for consent, challenges, paywalls.
struct PageDiagnosis {
    private static let challengeTitles = [
        "just a moment", "attention required", "pardon our interruption", "robot check", "are you a robot",
        "security check", "ddos-guard", "verify you are human", "checking your browser", "access denied",
    ]
    /// Texts in the pages of services that check visitors.
    private static let challengeMarks = [
        "/cdn-cgi/challenge-platform/", "captcha-delivery.com", "_Incapsula_Resource", "px-captcha",
        "awsWafCookieDomainList",
        "hcaptcha.com/1/api.js", "google.com/recaptcha/api.js",
    ]
    private static let consentWords: Set<String> = ["consent", "cookiewall", "cookie-consent", "privacywall", "cmp"]
    let page: WebPage
    let bytes: [UInt8]
    /// The address that was requested, and the one that answered.
    let requested: String
    let address: WebAddress?

    /// The failure of a page that a redirect shows in place of another; its pictures are not those of the other.
    var replacement: Failure? {
        guard let address, let wanted = WebAddress(requested), address.isElsewhere(than: wanted) else { return nil }
        if LoginForm.isShown(at: address, inPlaceOf: wanted, bytes) {
            return failure(.login, "leads to a login at \(address.text)", .sendCookies)
        }
        let names = address.host.split(separator: ".").map(String.init) + address.pathComponents.prefix(3)
        guard names.contains(where: { Self.consentWords.contains($0.lowercased()) }) else { return nil }
        return failure(.consent, "leads to a request for consent at \(address.text)", .sendCookies)
    }

    /// The failure of a page without photos.
    var absence: Failure {
        let title = page.title?.lowercased() ?? ""
        if Self.challengeTitles.contains(where: title.hasPrefix)
            || Self.challengeMarks.contains(where: { bytes.firstRange(of: $0.utf8) != nil })
        {
            return failure(.challenge, "is a check of its visitors, which Sluice does not answer", .sendCookies)
        }
        if LoginForm.isIn(bytes) { return failure(.login, "is a login and has no photos", .sendCookies) }
        let isRestricted = page.structuredTexts.contains { text in
            LenientJSON.value(text).map { Self.isRestricted($0, depth: 0) } ?? false
        }
        if isRestricted { return failure(.paywall, "says that it is for subscribers, and has no photos", .sendCookies) }
        if page.hasScripts {
            return failure(.scripts, "has no photos without its scripts, which are not run", .useBrowser)
        }
        return Self.empty
    }

    /// The failure of a document without photos for no known reason.
    static let empty = Failure(.feedParse, "there are no photos here", hint: .chooseFeed)

    private func failure(_ cause: Cause, _ text: String, _ hint: Hint) -> Failure {
        Failure(cause, "the page \(text)", finalURL: address?.text, hint: hint)
    }

    /// Whether an item of JSON-LD says that its text is not free.
    private static func isRestricted(_ json: JSON, depth: Int) -> Bool {
        guard depth < 4 else { return false }
        if let elements = json.elements { return elements.contains { isRestricted($0, depth: depth + 1) } }
        if case .bool(false)? = json["isAccessibleForFree"] { return true }
        return json["isAccessibleForFree"]?.text?.lowercased().hasSuffix("false") == true
            || json["@graph"].map { isRestricted($0, depth: depth + 1) } ?? false
    }
}
