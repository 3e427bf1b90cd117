// SPDX-License-Identifier: MIT

import Foundation
import SluiceFeeds
import SluiceModel
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Matching files and photos", .timeLimit(.minutes(10))) struct MatchTests {
    /// Returns the verdict and the photos of each file; `same` groups the files with equal bytes.
    private func settled(
        _ files: Int, same: Set<Int> = [], _ photos: [(seq: Int, isWanted: Bool, candidates: [FileMatcher.Candidate])]
    ) async -> [FoundFile] {
        var match = FileMatcher(of: (0..<files).map { "\($0)" })
        for photo in photos { match.add(photo.candidates, for: photo.seq, isWanted: photo.isWanted) }
        await match.resolve { Set($0).isSubset(of: same) }
        return match.found
    }

    @Test("A file with one matching photo belongs to that photo")
    func one() async {
        let found = await settled(2, [(7, true, [FileMatcher.Candidate(0, .name, 3)])])
        #expect(found.map(\.verdict) == [.match, .unknown])
        #expect(found[0].items == [7] && found[0].basis == .name)
    }

    @Test("A name that two photos share matches neither, even if one of them is done", arguments: [true, false])
    func rivals(isWanted: Bool) async {
        let found = await settled(
            1, [(1, true, [FileMatcher.Candidate(0, .name)]), (2, isWanted, [FileMatcher.Candidate(0, .name)])])
        #expect(found[0].verdict == .ambiguous && found[0].items == [1, 2])
    }

    @Test("More of the path decides between two photos, whichever comes first", arguments: [[1, 2], [2, 1]])
    func likeness(order: [Int]) async {
        let photos = order.map { (seq: $0, isWanted: true, candidates: [FileMatcher.Candidate(0, .name, $0)]) }
        let found = await settled(1, photos)
        #expect(found[0].verdict == .match && found[0].items == [2])
    }

    @Test("A weaker match resolves an ambiguous stronger one, never the other way round")
    func strength() async {
        // All URLs end in the same name, as on IIIF servers; the ID decides.
        let found = await settled(
            2,
            [
                (1, true, [FileMatcher.Candidate(0, .name), FileMatcher.Candidate(0, .id)]),
                (2, true, [FileMatcher.Candidate(0, .name)]),
                (3, true, [FileMatcher.Candidate(1, .hash), FileMatcher.Candidate(1, .id)]),
                (4, true, [FileMatcher.Candidate(1, .id)]),
            ])
        #expect(found.map(\.verdict) == [.match, .match] && found.map(\.items) == [[1], [3]])
        #expect(found.map(\.basis) == [.id, .hash])
    }

    @Test("Several files that match one photo are ambiguous, unless they have the same bytes")
    func choices() async {
        let candidates = [FileMatcher.Candidate(0, .id), FileMatcher.Candidate(1, .id)]
        #expect(await settled(2, [(1, true, candidates)]).map(\.verdict) == [.ambiguous, .ambiguous])
        let found = await settled(2, same: [0, 1], [(1, true, candidates)])
        #expect(found.map(\.verdict) == [.match, .needless] && found[0].items == [1])
    }

    @Test("One file serves all photos with its hash")
    func sameHash() async {
        let found = await settled(
            1, [(1, true, [FileMatcher.Candidate(0, .hash)]), (2, true, [FileMatcher.Candidate(0, .hash)])])
        #expect(found[0].verdict == .match && found[0].items == [1, 2])
    }

    @Test("A file of a finished photo is redundant, and matches no other photo by a weaker key")
    func needless() async {
        let found = await settled(
            1, [(1, false, [FileMatcher.Candidate(0, .name)]), (2, true, [FileMatcher.Candidate(0, .id)])])
        #expect(found[0].verdict == .needless && found[0].items == [1])
    }

    @Test("Of a name that thousands of photos share only the first few are stored, and it matches none")
    func many() async {
        let photos = (1...5000).map { (seq: $0, isWanted: true, candidates: [FileMatcher.Candidate(0, .name)]) }
        let found = await settled(1, photos)
        #expect(found[0].verdict == .ambiguous && found[0].items == Array(1...8))
    }
}

/// The names of sidecars in real exports of Google Takeout, and the files that they belong to.
@Suite("Names of sidecars", .timeLimit(.minutes(5))) struct SidecarNameTests {
    @Test(
        "Numbered, shortened and cut names lead to their file, and to its edited copy",
        arguments: [
            (
                "PXL_1.PORTRAIT.jpg.json",
                ["PXL_1.PORTRAIT.jpg", "PXL_1.PORTRAIT-modifi\u{E9}.jpg", "PXL_2.PORTRAIT.jpg"], 2
            ),
            ("DSC_1.JPG(1).json", ["DSC_1(1).JPG", "DSC_1.JPG", "DSC_1(2).JPG"], 1),
            ("Facebook.jpg.supple(1).json", ["Facebook(1).jpg", "Facebook.jpg", "Facebook-edited.jpg"], 1),
            ("Scan35.jpg.supplemental-metadata.json", ["Scan35.jpg", "Scan35-edited.jpg", "Scan35(1).jpg"], 2),
            ("2234089303984509579.supplemental-metadata.json", ["2234089303984509579-edited.jpg"], 1),
            // These are cut after 46 characters.
            (
                "a/PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json",
                ["a/PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg"], 1
            ),
            (
                "05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w01 2.jp.json",
                ["05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w01 2.jpg"], 1
            ),
            (
                "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json",
                [
                    "Backyard_ceremony_wedding_photography_xxxxxxx_m(494).jpg",
                    "Backyard_ceremony_wedding_photography_xxxxxxx_m(185).jpg",
                ], 1
            ),
            (
                "13039_327707840323_537645323_9470255_27214_n.j(1).json",
                ["13039_327707840323_537645323_9470255_27214_n(1).jpg"], 1
            ),
            // Two files begin like it.
            (
                "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json",
                [
                    "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg",
                    "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_Q.jpg",
                ], 0
            ),
            ("short.json", ["shorter.jpg"], 0),
            (
                "20220322.jpg.supplemental-metadata(1).json",
                ["20220322(1).jpg", "20220322-edited(1).jpg", "20220322-edited.jpg"], 2
            ),
            (
                "a.jpg.supplemental-metadata.json",
                ["a.jpg", "a-ha editado.jpg", "a-bearbeitet.jpg", "a-bear.jpg", "a-edited.png"], 3
            ),
            (
                "123456789_123456789_123456789_12345678.jpg.sup.json",
                ["123456789_123456789_123456789_12345678.jpg", "123456789_123456789_123456789_12345678-ha edit.jpg"], 2
            ),
            ("IMG_1.LONG_EXPOSURE-01.COVER..json", ["IMG_1.LONG_EXPOSURE-01.COVER.jpg", "IMG_1.jpg"], 1),
        ])
    func owners(sidecar: String, files: [String], count: Int) {
        let owners = SidecarOwners(TextSet(files)).owners(of: sidecar)
        #expect(owners.count == count && owners.allSatisfy(files.contains), "\(owners)")
        #expect(count == 0 || owners.contains(files[0]))
    }

    // Takeout cuts the name of a sidecar after 46 UTF-16 units, and that of a photo after 51. Numbers come last.
    @Test("Every sidecar of a folder that is named by Takeout's rules leads to its file and its edited copy")
    func wholeFolder() {
        var files: TextSet = []
        var names: TextSet = []
        var sidecars: [(name: String, owners: Set<String>)] = []
        for length in 1...60 {
            for (index, ending) in [".jpg", ".jpeg", ".HEIC", ".PORTRAIT.jpg"].enumerated() {
                let title = String(repeating: "\(index)_\u{E4}", count: 20).prefix(length) + "-\(length)" + ending
                let fileEnding = ending == ".PORTRAIT.jpg" ? ".jpg" : ending
                let stem = title.dropLast(fileEnding.count).prefix(51 - fileEnding.count)
                for number in ["", "(1)", "(12)"] {
                    let file = "Photos from 2024/\(stem)\(number)\(fileEnding)"
                    let copy = "Photos from 2024/\(stem)-edited\(number)\(fileEnding)"
                    let sidecar = (title + ".supplemental-metadata").prefix(46) + number + ".json"
                    // Of photos with the same cut name, only the first one has no number.
                    guard names.insert(String(sidecar)) else { continue }
                    files.insert(file)
                    let isEdited = stem.utf16.count < 40 && number != "(12)" && files.insert(copy)
                    sidecars.append(("Photos from 2024/\(sidecar)", isEdited ? [file, copy] : [file]))
                }
            }
        }
        let index = SidecarOwners(files)
        for sidecar in sidecars { #expect(Set(index.owners(of: sidecar.name)) == sidecar.owners, "\(sidecar.name)") }
    }
}
