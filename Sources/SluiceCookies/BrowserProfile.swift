// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceSystem

extension CookieSource {
    /// A browser whose cookies can be read.
    package struct Browser: Sendable {
        /// The name that the user writes.
        package let name: String
        /// The folders of its profiles, below the user's home folder.
        let folders: [String]
        let isFirefox: Bool
    }

    /// The browsers, with the folders of Debian's packages, of snaps and of flatpaks.
    package static let browsers = [
        Browser(
            name: "firefox",
            folders: [
                ".mozilla/firefox", ".config/mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
                ".var/app/org.mozilla.firefox/.mozilla/firefox",
            ], isFirefox: true),
        Browser(
            name: "chromium",
            folders: [
                ".config/chromium", "snap/chromium/common/chromium", ".var/app/org.chromium.Chromium/config/chromium",
            ], isFirefox: false),
        Browser(
            name: "chrome",
            folders: [".config/google-chrome", ".var/app/com.google.Chrome/config/google-chrome"], isFirefox: false),
        Browser(
            name: "brave",
            folders: [
                ".config/BraveSoftware/Brave-Browser",
                ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
            ], isFirefox: false),
    ]

    /// Finds the cookies of a browser: `NAME`, or `NAME:PROFILE` with the name or the folder of a profile.
    ///
    /// Without a profile it is the one that was used last.
    package init(browser text: String, home: String) throws(CookieError) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard let browser = Self.browsers.first(where: { $0.name == parts.first?.lowercased() }) else {
            let names = Self.browsers.map(\.name).joined(separator: ", ")
            throw CookieError("cannot read the cookies of the browser '\(text)': expected one of \(names)")
        }
        let files = browser.isFirefox ? ["cookies.sqlite"] : ["Network/Cookies", "Cookies"]
        var folders = browser.folders.map { "\(home)/\($0)" }.flatMap(Self.profiles)
        if parts.count > 1 {
            let wanted = parts[1]
            // The folder of a profile of Firefox has a random part before its name.
            folders =
                wanted.contains("/")
                ? [wanted]
                : folders.filter { folder in
                    let name = folder.split(separator: "/").last ?? ""
                    return name == wanted || browser.isFirefox && name.hasSuffix(".\(wanted)")
                }
        }
        let found = folders.flatMap { folder in files.map { "\(folder)/\($0)" } }.compactMap { path in
            Self.changeTime(path).map { (path, $0) }
        }
        guard let last = found.max(by: { $0.1 < $1.1 }) else {
            let place = parts.count > 1 ? "profile '\(parts[1])'" : "profile with cookies"
            throw CookieError(
                "cannot find a \(place) of \(browser.name) in "
                    + browser.folders.map { "~/\($0)" }.joined(separator: ", "))
        }
        self = browser.isFirefox ? .firefox(last.0) : .chromium(last.0)
    }

    /// The folders in the folder of a browser, each of which may be a profile.
    private static func profiles(in folder: String) -> [String] {
        let names = (try? Folder(folder).names()) ?? []
        return names.map { "\(folder)/\($0)" }
    }

    private static func changeTime(_ path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            return status.st_mtimespec.tv_sec
        #else
            return status.st_mtim.tv_sec
        #endif
    }
}
