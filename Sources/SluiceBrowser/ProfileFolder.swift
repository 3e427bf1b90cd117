// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem

/// The folder in which a browser keeps its files, and the user that the browser runs as: never root.
struct ProfileFolder: Sendable {
    /// The folder of the browser's profile.
    let path: String
    let user: uid_t
    let group: gid_t
    /// The folder around the profile, which is removed at the end; `nil` for a profile of the user.
    private let scratch: BrowserScratch?

    /// The file for the browser's messages, which tell why it does not start.
    var log: String? { scratch.map { "\($0.path)/log" } }

    /// Opens the user's folder, or creates a private one.
    init(_ own: String?) throws(BrowserError) {
        if let own {
            (path, scratch) = (own, nil)
            var status = stat()
            guard unsafe stat(own, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw BrowserError("cannot use the browser profile '\(own)': no such folder; create it first")
            }
            (user, group) = geteuid() == 0 ? (status.st_uid, status.st_gid) : (geteuid(), getegid())
            guard user != 0 else {
                throw BrowserError(
                    "cannot use the browser profile '\(own)': it is root's, for whom browsers have no sandbox; give it to another user with chown"
                )
            }
            return
        }
        (user, group) = try Self.unprivilegedUser()
        let scratch = try BrowserScratch()
        (self.scratch, path) = (scratch, "\(scratch.path)/profile")
        // The browser's user reaches the profile, and nothing else here.
        guard unsafe mkdir(path, 0o700) == 0, unsafe chown(path, user, group) == 0,
            unsafe chmod(scratch.path, 0o711) == 0
        else { throw BrowserError("cannot create the folder of the browser in '\(scratch.path)'") }
    }

    /// Returns the user that the browser runs as; for root, that is `nobody`.
    private static func unprivilegedUser() throws(BrowserError) -> (uid_t, gid_t) {
        guard geteuid() == 0 else { return (geteuid(), getegid()) }
        guard let entry = unsafe getpwnam("nobody"), unsafe entry.pointee.pw_uid != 0 else {
            throw BrowserError(
                "cannot start a browser as root: this system has no user 'nobody'; run Sluice as another user")
        }
        return unsafe (entry.pointee.pw_uid, entry.pointee.pw_gid)
    }
}

/// A temporary folder that is removed when it is released, or else, if the process is killed, by the next one.
///
/// It has a locked file, by which another process tells it from the folder of a killed one.
private final class BrowserScratch: Sendable {
    private static let prefix = "sluice-browser-"
    private static let lockName = "lock"
    private static let maxParent = 24

    let path: String
    private let parent: String
    private let lock: FolderLock

    init() throws(BrowserError) {
        // The browser makes a socket below this folder, whose path may have 107 bytes.
        let temporary = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        parent = temporary.utf8.count <= Self.maxParent ? temporary : "/tmp"
        Self.removeStale(in: parent)
        var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            let reason = unsafe String(cString: strerror(errno))
            throw BrowserError("cannot create a folder for the browser in '\(parent)': \(reason)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(FileError) {
            lock = try FolderLock(Self.lockName, in: Folder(path))
        } catch {
            throw BrowserError("cannot create a folder for the browser in '\(parent)': \(error.reason)")
        }
    }

    deinit {
        guard let folder = try? Folder(parent) else { return }
        let name = String(path.dropFirst(parent.count + 1))
        // Processes of the browser that are about to end may still write.
        for _ in 0..<50 where (try? folder.removeTree(name)) == nil { usleep(20_000) }
    }

    /// Removes the folders of killed processes of this user.
    private static func removeStale(in parent: String) {
        guard let folder = try? Folder(parent) else { return }
        for name in (try? folder.names()) ?? [] where name.hasPrefix(prefix) {
            var status = stat()
            guard unsafe lstat("\(parent)/\(name)", &status) == 0, status.st_uid == geteuid(),
                status.st_mode & S_IFMT == S_IFDIR, let stale = try? Folder("\(parent)/\(name)"),
                // The lock of a new folder may not be taken yet.
                stale.size(of: lockName) ?? 0 > 0,
                let lock = try? FolderLock(lockName, in: stale)
            else { continue }
            try? folder.removeTree(name)
            _ = consume lock
        }
    }
}
