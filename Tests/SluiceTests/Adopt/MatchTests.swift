// SPDX-License-Identifier: MIT

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
