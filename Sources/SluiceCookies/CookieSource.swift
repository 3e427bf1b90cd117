// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Where the user's cookies are.
///
/// It is read when a host needs its cookies, and only these are kept.
package enum CookieSource: Sendable, CustomStringConvertible {
    /// A file; its bytes are kept if it is a pipe, which cannot be read twice.
    case file(String, bytes: [UInt8]?)
    case firefox(String)
    /// A database of Chromium or a browser that is made from it.
    case chromium(String)

    private static let limit = 64 << 20

    /// Opens the file of `--cookies`: in the format of Netscape, curl, wget and yt-dlp, or a JSON export.
    package init(file path: String) throws(CookieError) {
        do throws(FileError) {
            var file = try InputFile(path)
            guard file.size == nil else {
                self = .file(path, bytes: nil)
                return
            }
            self = .file(path, bytes: try file.readRest(limit: Self.limit))
        } catch {
            throw CookieError(error.description)
        }
    }

    package var description: String {
        switch self {
        case .file(let path, _), .firefox(let path), .chromium(let path): path
        }
    }

    /// Returns the domains that have cookies.
    func domains() throws(CookieError) -> TextSet {
        switch self {
        case .file: TextSet(try fileCookies().map(\.domain))
        case .firefox(let path): try CookieDatabase(path).domains(in: "moz_cookies", column: "host")
        case .chromium(let path): try CookieDatabase(path).domains(in: "cookies", column: "host_key")
        }
    }

    /// Returns the cookies of a domain.
    func cookies(of domain: String) throws(CookieError) -> [Cookie] {
        let all =
            switch self {
            case .file: try fileCookies()
            case .firefox(let path): try CookieDatabase(path).firefoxCookies(of: domain)
            case .chromium(let path): try CookieDatabase(path).chromiumCookies(of: domain)
            }
        return all.filter { $0.domain === domain && $0.isSendable }
    }

    private func fileCookies() throws(CookieError) -> [Cookie] {
        guard case .file(let path, let known) = self else { return [] }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes =
                if let known { known } else { try OpenFile.reading(path, followsLink: true).readAll(limit: Self.limit) }
        } catch {
            throw CookieError(error.description)
        }
        let isJSON = bytes.first { !$0.isSpace }.map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } ?? false
        return isJSON ? try Self.json(bytes, path) : try Self.netscape(bytes, path)
    }

    // MARK: Formats

    /// Reads lines of a domain, whether its subdomains count, a path, whether it needs TLS, an expiry, a name and a
    /// value, with tabs between them.
    private static func netscape(_ bytes: [UInt8], _ path: String) throws(CookieError) -> [Cookie] {
        var cookies: [Cookie] = []
        let httpOnly = "#HttpOnly_"
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            var text = String(decoding: line, as: UTF8.self)
            if text.hasSuffix("\r") { text.removeLast() }
            if text.hasPrefix(httpOnly) { text.removeFirst(httpOnly.count) }
            if text.hasPrefix("#") || text.trimmed.isEmpty { continue }
            let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            // An empty value at the end may be missing.
            guard (6...7).contains(fields.count), !fields[0].isEmpty,
                ["TRUE", "FALSE"].contains(fields[1].uppercased())
            else {
                throw CookieError(
                    "cannot read line \(number) of \(path): expected a cookie of 7 fields with tabs between them, "
                        + "as browsers' extensions, curl and yt-dlp write it, or JSON")
            }
            var cookie = Cookie(
                fields[5], fields.count > 6 ? fields[6] : "", domain: fields[0],
                isHostOnly: fields[1].uppercased() == "FALSE")
            cookie.path = fields[2].hasPrefix("/") ? fields[2] : "/"
            cookie.isSecure = fields[3].uppercased() == "TRUE"
            cookie.expiry = Double(fields[4]).flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 > 0 ? $0 : nil }
            cookies.append(cookie)
        }
        return cookies
    }

    /// Reads an array of cookies, or an object with such an array, as extensions and Playwright write it.
    private static func json(_ bytes: [UInt8], _ path: String) throws(CookieError) -> [Cookie] {
        let json: JSON
        do throws(InvalidText) { json = try JSON(parsing: bytes) } catch {
            throw CookieError("cannot read \(path): \(error)")
        }
        guard let elements = json.elements ?? json["cookies"]?.elements else {
            throw CookieError("cannot read \(path): expected an array of cookies")
        }
        var cookies: [Cookie] = []
        for element in elements {
            guard let domain = element["domain"]?.text, let name = element["name"]?.text else {
                throw CookieError("cannot read cookie \(cookies.count + 1) of \(path): it has no domain or no name")
            }
            var cookie = Cookie(
                name, element["value"]?.text ?? "", domain: domain,
                isHostOnly: element["hostOnly"].flatMap { if case .bool(let value) = $0 { value } else { nil } })
            cookie.path = element["path"]?.text ?? "/"
            if case .bool(true) = element["secure"] { cookie.isSecure = true }
            cookie.sameSite = Cookie.SameSite(element["sameSite"]?.text ?? "")
            let expiry = (element["expirationDate"] ?? element["expires"])?.text.flatMap(Double.init)
            cookie.expiry = expiry.flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 > 0 ? $0 : nil }
            cookies.append(cookie)
        }
        return cookies
    }
}
