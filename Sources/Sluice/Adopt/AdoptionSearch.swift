// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel

/// Finds the files of an adopted folder that belong to a feed's photos.
///
/// Photos are added one at a time; ``resolve()`` returns the result after the last one.
struct AdoptionSearch {
    private var folder: AdoptedFolderIndex
    private var matcher: FileMatcher
    private let choice: VariantChoice
    /// The known checksums of photos that have candidates, by sequence number.
    private var checksums: [Int: Checksum] = [:]

    /// Throws if the folder at `path` cannot be read.
    static func checkFolder(_ path: String) throws(MirrorError) {
        do throws(FileError) { _ = try Folder(path).names() } catch {
            throw MirrorError(.usage, "cannot adopt '\(path)': \(error.reason)")
        }
    }

    /// Reads the names of the files in the folder at `path`.
    init(in path: String, choice: VariantChoice) {
        folder = AdoptedFolderIndex(path)
        matcher = FileMatcher(of: folder.files.map(\.relative))
        self.choice = choice
    }

    /// Adds a photo.
    ///
    /// Photos that need no file are added too, because a file may belong to one of them.
    mutating func add(_ photo: Photo, at seq: Int, isWanted: Bool, earlier: StoredFile?) async {
        guard let variant = choice.variant(of: photo) else { return }
        var candidates: [FileMatcher.Candidate] = []
        // The original of an earlier run that is now missing had exactly this hash.
        let known = variant.checksum ?? earlier.flatMap { Checksum(.sha256, $0.sha256) }
        if isWanted, let known {
            candidates = await folder.files(with: known).map { FileMatcher.Candidate($0, .hash) }
            if !candidates.isEmpty { checksums[seq] = known }
        } else {
            candidates = folder.files(for: LikelyFileNames(of: photo, as: variant))
        }
        matcher.add(candidates, for: seq, isWanted: isWanted)
    }

    /// Returns the verdict on each file, sorted by name, and the file chosen for each photo.
    mutating func resolve() async -> (files: [FoundFile], choices: [Int: AdoptedFile]) {
        await matcher.resolve { [folder] in await folder.haveSameBytes($0) }
        var choices: [Int: AdoptedFile] = [:]
        for (seq, file) in matcher.files {
            let sidecars = folder.sidecars[file] ?? []
            choices[seq] = AdoptedFile(path: folder.files[file].path, checksum: checksums[seq], sidecars: sidecars)
        }
        return (matcher.found, choices)
    }
}
