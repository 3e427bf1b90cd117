// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Looks for photos' files in a folder that is adopted: photos come one after the other, the answers at the end.
struct AdoptSearch {
    private var folder: AdoptedFolder
    private var match: Match
    private let choice: VariantChoice
    /// What those of the photos must be that may have a file, where that is known.
    private var checksums: [Int: Checksum] = [:]

    /// Reads the names in the folder.
    init(in path: String, choice: VariantChoice) {
        folder = AdoptedFolder(path)
        match = Match(of: folder.files.map(\.relative))
        self.choice = choice
    }

    /// Takes in a photo; one that has need of no file may be the one that a file belongs to all the same.
    mutating func add(_ photo: Photo, at seq: Int, isWanted: Bool, earlier: StoredFile?) async {
        guard let variant = choice.variant(of: photo) else { return }
        var hits: [Match.Hit] = []
        // A file that was there and is gone was this one and no other.
        let known = variant.checksum ?? earlier.flatMap { Checksum(.sha256, $0.sha256) }
        if isWanted, let known {
            hits = await folder.files(with: known).map { Match.Hit($0, .hash) }
            if !hits.isEmpty { checksums[seq] = known }
        } else {
            hits = folder.files(for: PhotoNames(of: photo, as: variant))
        }
        match.add(hits, for: seq, isWanted: isWanted)
    }

    /// What each file was found to be, in the order of their names, and which photos have one.
    mutating func settle() async -> (files: [FoundFile], choices: [Int: Adoption.Choice]) {
        await match.settle { [folder] in await folder.areSame($0) }
        let choices = match.files.map { seq, file in
            (seq, Adoption.Choice(path: folder.files[file].path, checksum: checksums[seq]))
        }
        return (match.found, Dictionary(uniqueKeysWithValues: choices))
    }
}
