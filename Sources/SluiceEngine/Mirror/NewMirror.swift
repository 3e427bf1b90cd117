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
    private let isMissing: Bool

    /// Looks at an output folder before the run; `nil` if it has files, or if the output is a bucket.
    init?(_ path: String) {
        guard !S3Location.isLocation(path) else { return nil }
        self.path = path
        do throws(FileError) {
            guard try Folder(path).names().isEmpty else { return nil }
            isMissing = false
        } catch {
            guard error.isMissing else { return nil }
            isMissing = true
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
        if isMissing { Folder.removeEmpty(path) }
    }
}
