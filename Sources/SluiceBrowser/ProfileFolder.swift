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
    private let scratch: ScratchFolder?

    /// The longest name of a folder in which the browser's fits: it makes a socket, whose path may have 107 bytes.
    private static let maxParent = 24

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
        let parent = ScratchFolder.systemParent
        let scratch: ScratchFolder
        do throws(FileError) {
            scratch = try ScratchFolder(in: parent.utf8.count <= Self.maxParent ? parent : "/tmp")
        } catch { throw BrowserError("cannot create a folder for the browser in '\(error.path)': \(error.reason)") }
        (self.scratch, path) = (scratch, "\(scratch.path)/profile")
        // The browser's user can open the profile, and cannot list the folder around it.
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
