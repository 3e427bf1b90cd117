// SPDX-License-Identifier: MIT

import CSQLite
import Foundation
import TestSupport
import Testing

@testable import SluiceCookies

/// The user's cookies in files and in databases of browsers.
@Suite("Cookies of the user", .timeLimit(.minutes(1))) struct CookieSourceTests {
    private let folder = TemporaryFolder()

    private func header(_ source: CookieSource, _ host: String, page: String? = nil) throws -> String? {
        let jar = try CookieJar(source)
        let request = CookieRequest(scheme: "https", host: host, path: "/", page: page)
        _ = try jar.load(for: request)
        return jar.header(for: request)
    }

    private func reason(_ body: () throws -> Void) -> String {
        do { try body() } catch { return (error as? CookieError)?.message ?? "\(error)" }
        return "none"
    }

    @Test("Files in Netscape's format are read as curl reads them")
    func netscape() throws {
        let path = try folder.write(
            """
            # Netscape HTTP Cookie File

            a.example\tFALSE\t/\tTRUE\t0\tone\t1
            #HttpOnly_.a.example\tTRUE\t/\tTRUE\t4102444800\ttwo\tx y\r
            .a.example\tTRUE\t/deep\tFALSE\t0\tthree\t3
            .a.example\tTRUE\t/\tFALSE\t1000000000\told\t4
            b.example\tFALSE\t/\tFALSE\t0\tempty

            """, to: "c.txt")
        let source = try CookieSource(file: path)
        #expect(try header(source, "a.example") == "one=1; two=x y")
        #expect(try header(source, "img.a.example") == "two=x y")
        #expect(try header(source, "b.example") == "empty=")
        #expect(try header(source, "c.example") == nil)
        // Without SameSite in the file, another site's page gets none, as in browsers.
        #expect(try header(source, "a.example", page: "b.example") == nil)
    }

    @Test(
        "Exports of extensions and of Playwright are read",
        arguments: [
            #"[{"domain":".a.example","name":"s","value":"1","path":"/","secure":true,"sameSite":"no_restriction","expirationDate":4102444800.5,"hostOnly":false,"session":false}]"#,
            #"{"cookies":[{"domain":".a.example","name":"s","value":"1","path":"/","expires":-1,"httpOnly":true,"secure":true,"sameSite":"None"}],"origins":[]}"#,
        ])
    func json(_ text: String) throws {
        let source = try CookieSource(file: try folder.write(text, to: "c.json"))
        #expect(try header(source, "img.a.example", page: "b.example") == "s=1")
    }

    @Test("Other files are refused with the line or the cookie that is wrong")
    func refused() throws {
        func message(_ text: String) throws -> String {
            let path = try folder.write(text, to: "c")
            return reason { _ = try CookieJar(CookieSource(file: path)) }.replacing(path, with: "FILE")
        }
        #expect(try message("a\tb\n").hasPrefix("cannot read line 1 of FILE: expected a cookie of 7 fields"))
        #expect(try message("# nothing\n") == "FILE has no cookies")
        #expect(try message("{\"a\":1}") == "cannot read FILE: expected an array of cookies")
        #expect(try message("[{\"name\":\"a\"}]") == "cannot read cookie 1 of FILE: it has no domain or no name")
        #expect(reason { _ = try CookieJar(CookieSource(file: folder.path("none"))) }.contains("none"))
        #expect(reason { _ = try CookieSource(browser: "lynx", home: folder.path) }.contains("firefox, chromium"))
        let missing = reason { _ = try CookieSource(browser: "chromium:Work", home: folder.path) }
        #expect(missing.hasPrefix("cannot find a profile 'Work' of chromium in ~/.config/chromium"))
    }

    // MARK: Browsers

    private func database(_ name: String, _ sql: String) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: name).deletingLastPathComponent(), withIntermediateDirectories: true)
        var handle: OpaquePointer?
        #expect(unsafe sqlite3_open(folder.path(name), &handle) == SQLITE_OK)
        defer { unsafe sqlite3_close_v2(handle) }
        try #require(unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    private static let firefox = """
        CREATE TABLE moz_cookies (host TEXT, name TEXT, value TEXT, path TEXT, isSecure INTEGER, expiry INTEGER,
            sameSite INTEGER, originAttributes TEXT);
        INSERT INTO moz_cookies VALUES ('.a.example', 's', '1', '/', 1, 4102444800000, 0, ''),
            ('a.example', 'box', '2', '/', 1, 4102444800000, 1, '^userContextId=1'),
            ('a.example', 'old', '3', '/', 1, 1000000000000, 1, '');
        PRAGMA user_version = 16;
        """

    @Test("The profile of Firefox that was used last is read, and any by its name")
    func firefoxProfiles() throws {
        try database(".mozilla/firefox/abc.default/cookies.sqlite", Self.firefox)
        try database(
            ".mozilla/firefox/xyz.work/cookies.sqlite", Self.firefox.replacing("'1'", with: "'work'"))
        for (name, age) in [("abc.default", 0), ("xyz.work", 1000)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 - Double(age))],
                ofItemAtPath: folder.path(".mozilla/firefox/\(name)/cookies.sqlite"))
        }
        let home = folder.path
        #expect(try header(CookieSource(browser: "firefox", home: home), "img.a.example") == "s=1")
        #expect(try header(CookieSource(browser: "firefox:work", home: home), "a.example") == "s=work")
        let path = folder.path(".mozilla/firefox/xyz.work")
        #expect(try header(CookieSource(browser: "firefox:\(path)", home: home), "a.example") == "s=work")
    }

    /// The values were made by `openssl enc -aes-128-cbc` with Chromium's key; the second has a digest before it.
    @Test("Chromium's encrypted values are read, of all versions")
    func chromium() throws {
        let sql = """
            CREATE TABLE meta (key TEXT, value TEXT);
            CREATE TABLE cookies (host_key TEXT, name TEXT, value TEXT, encrypted_value BLOB, path TEXT,
                is_secure INTEGER, expires_utc INTEGER, samesite INTEGER, top_frame_site_key TEXT);
            INSERT INTO meta VALUES ('version', '24');
            INSERT INTO cookies VALUES ('.a.example', 's', '', X'\(Self.encrypted)', '/', 1, 15746918400000000, 0, ''),
                ('.a.example', 'part', 'x', X'', '/', 1, 15746918400000000, 0, 'https://b.example'),
                ('k.example', 's', '', X'763131AABB', '/', 1, 0, 0, '');
            """
        try database(".config/chromium/Default/Cookies", sql)
        let source = try CookieSource(browser: "chromium", home: folder.path)
        #expect(try header(source, "a.example") == "s=secret value")
        #expect(reason { _ = try header(source, "k.example") }.contains("keyring"))
    }

    private static let encrypted =
        "763130AF8331524B2E3009F4693F3075EF5B829922ABB07DAB39D2DC9F7BCEBAB09CD9BAF9F7525E1ACB88FB65C751BF"
        + "BF1F43"
}
