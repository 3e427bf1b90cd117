// SPDX-License-Identifier: MIT

internal import CCrypto
internal import CSQLite
internal import SluiceFiles
internal import SluiceModel

/// A copy of a browser's database of cookies, which the browser may change meanwhile.
struct CookieDatabase {
    private let path: String
    private let copy: ScratchFolder

    init(_ path: String) throws(CookieError) {
        self.path = path
        do throws(FileError) {
            copy = try ScratchFolder()
            let folder = try Folder(copy.path)
            // The last changes are in the second file.
            for suffix in ["", "-wal"] {
                do throws(FileError) {
                    let bytes = try OpenFile.reading(path + suffix, followsLink: true).readAll(limit: 1 << 30)
                    try folder.write(bytes, to: "cookies" + suffix, flushed: false)
                } catch {
                    guard suffix == "-wal", error.isMissing else { throw error }
                }
            }
        } catch {
            throw CookieError(error.description)
        }
    }

    /// Returns the domains in a table, without a dot in front.
    func domains(in table: String, column: String) throws(CookieError) -> TextSet {
        let rows = try rows("SELECT DISTINCT \(column) FROM \(table)", columns: 1)
        return TextSet(rows.map { Cookie("", "", domain: $0[0]).domain })
    }

    func firefoxCookies(of domain: String) throws(CookieError) -> [Cookie] {
        let version =
            try rows("PRAGMA user_version", columns: 1).first.flatMap { Int($0[0])?.within(Quantity.range) } ?? 0
        // Cookies of containers and of other sites' frames do not belong to the user's visits.
        let rows = try rows(
            """
            SELECT host, name, value, path, isSecure, expiry, sameSite FROM moz_cookies
            WHERE originAttributes = '' AND host IN (?1, '.' || ?1)
            """, domain, columns: 7)
        return rows.map { row in
            var cookie = Cookie(row[1], row[2], domain: row[0])
            (cookie.path, cookie.isSecure) = (row[3], row[4] != "0")
            // Version 16 counts milliseconds.
            cookie.expiry = Int(row[5])?.within(Quantity.range).map { version >= 16 ? $0 / 1000 : $0 }
            cookie.sameSite = row[6] == "0" ? .none : row[6] == "2" ? .strict : .lax
            return cookie
        }
    }

    func chromiumCookies(of domain: String) throws(CookieError) -> [Cookie] {
        let version = try rows("SELECT value FROM meta WHERE key = 'version'", columns: 1).first
            .flatMap { Int($0[0])?.within(Quantity.range) }
        let rows = try rows(
            """
            SELECT host_key, name, value, hex(encrypted_value), path, is_secure, expires_utc, samesite FROM cookies
            WHERE top_frame_site_key = '' AND host_key IN (?1, '.' || ?1)
            """, domain, columns: 8)
        var cookies: [Cookie] = []
        for row in rows {
            var value = row[2]
            if value.isEmpty, !row[3].isEmpty {
                // Since version 24, a digest of the domain precedes the value.
                value = try decrypted(row[3], droppingFirst: version ?? 0 >= 24 ? 32 : 0)
            }
            var cookie = Cookie(row[1], value, domain: row[0])
            (cookie.path, cookie.isSecure) = (row[4], row[5] != "0")
            // Microseconds since 1601.
            cookie.expiry = Int(row[6])?.within(Quantity.range).flatMap {
                $0 > 0 ? $0 / 1_000_000 - 11_644_473_600 : nil
            }
            cookie.sameSite = row[7] == "0" ? .none : row[7] == "2" ? .strict : .lax
            cookies.append(cookie)
        }
        return cookies
    }

    // MARK: Encryption

    /// The key of systems without a keyring, which is made from a password in Chromium's source.
    private static let key: [UInt8] = [
        0xFD, 0x62, 0x1F, 0xE5, 0xA2, 0xB4, 0x02, 0x53, 0x9D, 0xFA, 0x14, 0x7C, 0xA9, 0x27, 0x27, 0x78,
    ]

    private func decrypted(_ digits: String, droppingFirst dropped: Int) throws(CookieError) -> String {
        let digits = Array(digits.utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        guard bytes.starts(with: "v10".utf8) else {
            throw CookieError(
                "cannot read the cookies in \(path): their key is in the desktop's keyring, so export them to a file",
                hint: .sendCookies)
        }
        guard let plain = Self.decrypted(Array(bytes.dropFirst(3))) else {
            throw CookieError("cannot read the cookies in \(path): another key than Chromium's own encrypts them")
        }
        return String(decoding: plain.dropFirst(dropped), as: UTF8.self)
    }

    private static func decrypted(_ bytes: [UInt8]) -> [UInt8]? {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let start = [UInt8](repeating: UInt8(ascii: " "), count: 16)
        var plain = [UInt8](repeating: 0, count: bytes.count + 16)
        var (count, rest): (Int32, Int32) = (0, 0)
        guard unsafe EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, start) == 1,
            unsafe EVP_DecryptUpdate(context, &plain, &count, bytes, Int32(bytes.count)) == 1
        else { return nil }
        let isComplete = unsafe plain.withUnsafeMutableBufferPointer { buffer in
            unsafe EVP_DecryptFinal_ex(context, buffer.baseAddress.map { unsafe $0 + Int(count) }, &rest) == 1
        }
        return isComplete ? Array(plain.prefix(Int(count + rest))) : nil
    }

    // MARK: SQLite

    /// Returns the columns of a query's rows as texts.
    private func rows(_ sql: String, _ parameter: String? = nil, columns: Int32) throws(CookieError) -> [[String]] {
        var handle: OpaquePointer?
        // The index of the second file is made again, for which the copy must be writable.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE
        var code = unsafe sqlite3_open_v2("\(copy.path)/cookies", &handle, flags, nil)
        defer { unsafe sqlite3_close_v2(handle) }
        if code == SQLITE_OK, let handle = unsafe handle { code = unsafe csqlite_harden(handle) }
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        if code == SQLITE_OK { code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) }
        if code == SQLITE_OK, let parameter, let statement = unsafe statement {
            code = unsafe csqlite_bind_text(statement, 1, parameter, Int32(parameter.utf8.count))
        }
        var rows: [[String]] = []
        while code == SQLITE_OK || code == SQLITE_ROW {
            code = unsafe sqlite3_step(statement)
            guard code == SQLITE_ROW else { break }
            rows.append(
                (0..<columns).map { column in
                    unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? ""
                })
        }
        guard code == SQLITE_DONE else {
            let reason = unsafe String(cString: sqlite3_errmsg(handle))
            throw CookieError("cannot read the cookies in \(path): \(reason)")
        }
        return rows
    }
}
