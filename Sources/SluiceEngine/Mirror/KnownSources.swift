// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceStore
internal import SluiceSystem
internal import SluiceTransfer

/// Remembers which SOURCE this user has named or confirmed for which mirror on this machine, and whether its names
/// were private then.
///
/// The ledger of a mirror from a stranger names a SOURCE, too. Each pair has a file of its own, so that concurrent runs
/// need no lock. Without a home folder nothing is known.
package struct KnownSources: Sendable {
    private let path: String?

    /// Opens the memory in the user's folder for state.
    package init() { path = Self.userStateFolder.map { "\($0)/sources" } }

    /// The folder for the state of this user's runs; `nil` without a home folder.
    static var userStateFolder: String? {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }).map { "\($0)/sluice" }
    }

    /// Whether the user has named or confirmed the source for the mirror.
    package func contains(_ source: String, of mirror: String) -> Bool {
        guard let path, let folder = try? Folder(path) else { return false }
        return folder.size(of: Self.name(of: source, mirror)) != nil
    }

    /// Whether the source's names led to private addresses when the user named it for the mirror; `nil` if unknown.
    package func isPrivate(_ source: String, of mirror: String) -> Bool? {
        guard let path, let folder = try? Folder(path) else { return nil }
        let lines = (try? folder.read(Self.name(of: source, mirror)))?.split(separator: UInt8(ascii: "\n")) ?? []
        return lines.count < 3 ? nil : lines[2].elementsEqual(Self.privateNames.utf8)
    }

    /// Remembers the source of the mirror, and whether its names are private if that is known.
    ///
    /// A failure is ignored: the user is asked again.
    package func add(_ source: String, of mirror: String, isPrivate: Bool? = nil) {
        guard let path, let folder = try? Folder(path, create: true, isPrivate: true) else { return }
        let reach = isPrivate.map { $0 ? "\(Self.privateNames)\n" : "public\n" } ?? ""
        let text = "\(source)\n\(Self.location(of: mirror))\n\(reach)"
        try? folder.write(Array(text.utf8), to: Self.name(of: source, mirror))
    }

    private static let privateNames = "private"

    private static func name(of source: String, _ mirror: String) -> String {
        SHA256.digest(of: Array("\(location(of: mirror))\0\(source)".utf8))
    }

    /// Returns the path of a mirror without symbolic links, even if it does not exist yet; the location of a bucket.
    private static func location(of mirror: String) -> String {
        guard !S3Location.isLocation(mirror) else { return mirror }
        var head = mirror.hasPrefix("/") ? mirror : "./\(mirror)"
        while head.count > 1, head.hasSuffix("/") { head.removeLast() }
        var tail = ""
        while true {
            if let real = unsafe realpath(head, nil) {
                defer { unsafe free(real) }
                return unsafe String(cString: real) + tail
            }
            guard let slash = head.lastIndex(of: "/") else { return mirror }
            tail = head[slash...] + tail
            head = String(head[..<slash])
        }
    }
}
