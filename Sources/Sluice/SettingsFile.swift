// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
package import SluiceModel
internal import SluiceSystem

/// A JSON file of options: an object with one member per option.
package struct SettingsFile: Sendable {
    /// The file's name in a mirror's folder and in the user's configuration folder.
    package static let name = "sluice.json"
    /// The maximum size in bytes.
    ///
    /// Files written by hand are much smaller.
    private static let sizeLimit = 1 << 20

    package let path: String
    /// The options in the file's order.
    package let members: [JSON.Member]

    /// Reads a settings file.
    ///
    /// It must exist.
    package init(reading path: String) throws(MirrorError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.reading(path, followsLink: true).read(at: 0, count: Self.sizeLimit + 1)
        } catch {
            throw MirrorError(.usage, "cannot read settings '\(path)': \(error.reason)")
        }
        guard bytes.count <= Self.sizeLimit else {
            throw MirrorError(.usage, "cannot read settings '\(path)': larger than \(Self.sizeLimit >> 20) MB")
        }
        let value: JSON
        do throws(InvalidText) {
            value = try JSON(parsing: bytes)
        } catch {
            throw MirrorError(.usage, "\(path): \(error)")
        }
        guard case .object(let members) = value else {
            throw MirrorError(.usage, "\(path): expected an object of options, such as {\"per-host\": 3}")
        }
        (self.path, self.members) = (path, members)
    }

    /// Reads a settings file if it exists.
    package static func found(at path: String) throws(MirrorError) -> SettingsFile? {
        unsafe access(path, F_OK) == 0 ? try SettingsFile(reading: path) : nil
    }
}
