// SPDX-License-Identifier: MIT

internal import SluiceFiles
public import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file of options: a JSON object with a member for each.
public struct SettingsFile: Sendable {
    /// Its name in a mirror's folder, and in a user's folder for settings.
    public static let name = "sluice.json"
    /// Nobody writes more by hand.
    private static let limit = 1 << 20

    /// The path that it was read from.
    public let path: String
    /// What it says, in its order.
    public let members: [JSON.Member]

    /// Reads a file that must be there.
    public init(reading path: String) throws(MirrorError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.reading(path, followsLink: true).read(at: 0, count: Self.limit + 1)
        } catch {
            throw MirrorError(.usage, "\(path) cannot be read: \(error.reason)")
        }
        guard bytes.count <= Self.limit else {
            throw MirrorError(.usage, "\(path) is larger than \(Self.limit >> 20) MB, and no file of options")
        }
        let value: JSON
        do throws(JSONError) {
            value = try JSON(parsing: bytes)
        } catch {
            throw MirrorError(.usage, "\(path): \(error)")
        }
        guard case .object(let members) = value else {
            throw MirrorError(.usage, "\(path): takes an object of options, such as {\"per-host\": 3}")
        }
        (self.path, self.members) = (path, members)
    }

    /// Reads a file that need not be there; `nil` if it is not.
    public static func found(at path: String) throws(MirrorError) -> SettingsFile? {
        unsafe access(path, F_OK) == 0 ? try SettingsFile(reading: path) : nil
    }
}
