// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// A local output folder that was missing or empty before a run.
///
/// A run that could not read any source leaves it so, because there is nothing to repeat or to show.
struct NewMirror {
    private let path: String
    /// The folder and its parents that the run creates, the innermost first.
    private let missing: [String]

    /// Looks at an output folder before the run; `nil` if it has files, or if the output is a bucket.
    init?(_ path: String) {
        guard !S3Location.isLocation(path) else { return nil }
        self.path = path
        do throws(FileError) {
            guard try Folder(path).names().isEmpty else { return nil }
            missing = []
        } catch {
            guard error.isMissing else { return nil }
            var (folders, next) = ([path], Self.parent(of: path))
            while let folder = next, (try? Folder(folder)) == nil {
                folders.append(folder)
                next = Self.parent(of: folder)
            }
            missing = folders
        }
    }

    /// Removes the files of a run that ended like this, if it could not read any source.
    func remove(after summary: Summary) {
        guard summary.pages == 0, summary.ended == 0, summary.failedPages > 0 || summary.stop?.isTrouble == true,
            let folder = try? Folder(path)
        else { return }
        for name in MirrorFolder.rewritten.union(ManifestWriter.names) {
            do throws(FileError) { try folder.remove(name) } catch { try? folder.removeTree(name) }
        }
        for folder in missing { Folder.removeEmpty(folder) }
    }

    /// The path without its last component; `nil` if it has only one.
    private static func parent(of path: String) -> String? {
        let parts = path.split(separator: "/").dropLast()
        return parts.isEmpty ? nil : (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
