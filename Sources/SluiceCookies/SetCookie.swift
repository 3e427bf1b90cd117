// SPDX-License-Identifier: MIT

internal import SluiceModel

extension Cookie {
    /// The most bytes of a name and its value together.
    private static let maxBytes = 4096
    private static let maxAttributeBytes = 1024
    /// The longest life in seconds.
    private static let maxAge = 400 * 86_400

    /// Reads a `Set-Cookie` header of the reply to a request; `nil` if the host may not set this cookie.
    init?(header: String, of request: CookieRequest, now: Int) {
        let parts = header.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
        guard let pair = parts.first else { return nil }
        let hasName = pair.utf8.contains(UInt8(ascii: "="))
        let (name, value) = Self.split(pair)
        self.init(hasName ? name : "", hasName ? value : name, domain: request.host, isHostOnly: true)
        guard isSendable, self.name.utf8.count + self.value.utf8.count <= Self.maxBytes else { return nil }
        path = Self.defaultPath(of: request.path)
        isConfidential = request.isProtected
        var (hasPath, hasMaxAge) = (false, false)
        var statedSameSite: SameSite?
        for (name, value) in parts.dropFirst().map(Self.split) where value.utf8.count <= Self.maxAttributeBytes {
            switch name.lowercased() {
            case "secure": isSecure = true
            case "samesite": statedSameSite = SameSite(value)
            case "path":
                hasPath = value.hasPrefix("/")
                path = hasPath ? value : Self.defaultPath(of: request.path)
            case "domain":
                guard setDomain(value, of: request) else { return nil }
            case "max-age":
                guard let seconds = Self.seconds(value) else { continue }
                (hasMaxAge, expiry) = (true, seconds <= 0 ? 0 : now + min(seconds, Self.maxAge))
            case "expires":
                guard !hasMaxAge, let time = Self.time(value) else { continue }
                expiry = min(time, now + Self.maxAge)
            default: break
            }
        }
        sameSite = statedSameSite ?? .lax
        guard isAllowed(from: request, hasRootPath: hasPath && path === "/") else { return nil }
    }

    /// Whether a host may set the cookie with these attributes.
    private func isAllowed(from request: CookieRequest, hasRootPath: Bool) -> Bool {
        if isSecure, !request.isProtected { return false }
        if sameSite == .none {
            guard isSecure else { return false }
        } else {
            guard request.isNavigation || request.isSameSite else { return false }
        }
        // A value without a name must not look like a cookie with a prefix.
        let start = pair.lowercased()
        if start.hasPrefix("__secure-") { return isSecure && !name.isEmpty }
        if start.hasPrefix("__host-") { return isSecure && isHostOnly && hasRootPath && !name.isEmpty }
        return true
    }

    /// Sets the domain of the attribute; returns whether the host may choose it.
    private mutating func setDomain(_ text: String, of request: CookieRequest) -> Bool {
        let text = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
        (domain, isHostOnly) = (request.host, true)
        // A host that is itself a public suffix gets its own cookies only.
        if text.isEmpty || text === request.host && RegistrableDomain.isPublicSuffix(text) { return true }
        guard request.isBelow(text), !RegistrableDomain.isPublicSuffix(text) else { return false }
        (domain, isHostOnly) = (text, RegistrableDomain.isAddress(text))
        return true
    }

    private static func split(_ text: String) -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }

    /// The folder of a request's path.
    private static func defaultPath(of path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func seconds(_ text: String) -> Int? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return text.hasPrefix("-") ? 0 : Int(digits)?.within(0...maxAge) ?? maxAge
    }

    // MARK: Dates

    /// Reads a date as lenient as browsers: its parts are recognised by their form, in any order.
    static func time(_ text: String) -> Int? {
        var (clock, day, month, year): (String?, Int?, Int?, Int?) = (nil, nil, nil, nil)
        let isDelimiter = { (byte: UInt8) in
            byte == 0x09 || (0x20...0x2F).contains(byte) || (0x3B...0x40).contains(byte)
                || (0x5B...0x60).contains(byte) || (0x7B...0x7E).contains(byte)
        }
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            let word = String(Substring(token))
            if clock == nil, let found = Self.clock(word) {
                clock = found
            } else if day == nil, let found = number(word, 1...2) {
                day = found
            } else if month == nil, let found = Self.month(word) {
                month = found
            } else if year == nil, let found = number(word, 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let clock, let day, let month, let year, year >= 1601 else { return nil }
        let date = [year.padded(4), month.padded(2), day.padded(2)].joined(separator: "-")
        return UTCTime.seconds(ofISO: "\(date)T\(clock)Z")
    }

    /// Returns the number at a word's start, if it has a permitted number of digits.
    private static func number(_ word: String, _ digits: ClosedRange<Int>) -> Int? {
        let number = word.utf8.prefix(while: \.isDigit)
        return digits.contains(number.count) ? Int(Substring(number)) : nil
    }

    private static func clock(_ word: String) -> String? {
        let fields = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 3, let hour = number(fields[0], 1...2), let minute = number(fields[1], 1...2),
            let second = number(fields[2], 1...2), hour < 24, minute < 60, second < 60
        else { return nil }
        return [hour, minute, second].map { $0.padded(2) }.joined(separator: ":")
    }

    private static func month(_ word: String) -> Int? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        return names.firstIndex(of: String(word.prefix(3)).lowercased()).map { $0 + 1 }
    }
}

extension Int {
    fileprivate func padded(_ digits: Int) -> String { String(self).zeroPadded(to: digits) }
}
