// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Adopting", .serialized, .timeLimit(.minutes(10))) struct AdoptTests: MirrorSuite {
    /// Serves a different picture for every URL and logs the requests.
    private final class Service: OriginService {
        let asked = Locked<[String]>([])

        static func picture(_ path: String) -> [UInt8] {
            let seed = path.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
            let pixels = (0..<(32 * 32)).flatMap { place -> [UInt8] in
                let light = UInt8(truncatingIfNeeded: place &* (seed % 13 + 1))
                return [light, light &+ UInt8(truncatingIfNeeded: seed), light, 255]
            }
            return (try? ImageEncoder(.png).encode(pixels, width: 32, height: 32)) ?? []
        }

        func reply(to request: OriginRequest) -> OriginReply {
            asked.withLock { $0.append(request.path) }
            return OriginReply(type: "image/png", Self.picture(request.path))
        }
    }

    let folder = TemporaryFolder()
    private let service = Service()
    let origin: OriginServer

    init() throws {
        origin = try OriginServer(service)
        try folder.makeFolder("files")
    }

    func prepare(_ options: inout MirrorOptions) {
        options.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
    }

    /// Writes a JSON list of URLs with their other fields.
    private func list(_ photos: [(path: String, more: String)]) throws {
        let lines = photos.map { "{\"url\":\"\(address($0.path.dropFirst()))\"\($0.more)}" }
        try folder.write(lines.joined(separator: "\n"), to: "list.jsonl")
    }

    private func put(_ bytes: [UInt8], _ name: String) throws {
        try folder.write(bytes, to: "files/\(name)")
    }

    private func mirror() async throws -> Summary {
        try await PhotoMirror(of: folder.path("list.jsonl"), into: folder.path("out"), options: options()).run()
    }

    private func adopt(walking: Bool = true) async throws -> (summary: Summary, files: [String: FoundFile]) {
        let files = Locked<[String: FoundFile]>([:])
        let adopting = PhotoMirror(
            of: folder.path("list.jsonl"), into: folder.path("out"), options: options(), adopting: folder.path("files"),
            walkingFeed: walking)
        let summary = try await adopting.run { event in
            if case .fileFound(let file) = event { files.withLock { $0[file.path] = file } }
        }
        return (summary, files.withLock(\.self))
    }

    private func receipts() throws -> [Receipt?] {
        let place = try MirrorFolder.open(reading: folder.path("out"))
        let receipts = try place.ledger.entries(after: 0, limit: 100).map(\.receipt)
        place.close()
        return receipts
    }

    @Test("Facts of sidecars complete those of the feed, and survive later runs and XMP sidecars")
    func facts() async throws {
        try list([("/x/1.png", ",\"caption\":\"feed\""), ("/x/IMG.png", ""), ("/x/IMG(1).png", ""), ("/x/4.png", "")])
        for name in ["1", "IMG", "IMG(1)", "4"] { try put(Service.picture("/x/\(name).png"), "\(name).png") }
        try put(Array(#"{"description":"other","author":"Ida","tags":["a","b"]}"#.utf8), "1.png.json")
        let takeout = #"{"title":"x","photoTakenTime":{"timestamp":"1594000000"},"description":"#
        try put(Array((takeout + "\"first\"}").utf8), "IMG.png.supplemental-meta.json")
        try put(Array((takeout + "\"second\"}").utf8), "IMG.png.supplemental-metadata(1).json")
        let xmp = "<rdf:RDF xmlns:rdf='r' xmlns:d='d'><rdf:Description d:title='third'/></rdf:RDF>"
        try put(Array(xmp.utf8), "4.xmp")
        func photos() throws -> [Photo] {
            let place = try MirrorFolder.open(reading: folder.path("out"))
            let photos = try place.ledger.entries(after: 0, limit: 10).map(\.item.photo)
            place.close()
            return photos
        }
        let (summary, files) = try await adopt()
        #expect(summary.done == 4 && files.count == 4, "sidecars are no photos: \(files.keys)")
        for run in 0..<2 {
            let found = try photos()
            #expect(found.map(\.caption) == ["feed", "first", "second", "third"], "\(run)")
            #expect(found[0].author == "Ida" && found[0].tags == "a, b" && found[1].date == 1_594_000_000)
            #expect(try await mirror("list.jsonl") { $0.writesSidecars = true }.run().kept == 4)
        }
        let sidecar = try #require(
            folder.names().first { $0.hasPrefix("out/originals/") && $0.contains("00004") && $0.hasSuffix(".xmp") })
        #expect(try folder.text(sidecar).contains("third"))
    }

    @Test("Captions beside the pictures, as img2dataset writes them, are no photos")
    func captions() async throws {
        try list([("/x/1.png", ""), ("/x/2.png", "")])
        for number in 1...2 {
            let key = "00000/00000000\(number)"
            try put(Service.picture("/x/\(number).png"), "\(key).jpg")
            try put(Array("a caption".utf8), "\(key).txt")
            try put(Array("{\"key\":\"\(number)\",\"url\":\"\(address("x/\(number).png"))\"}".utf8), "\(key).json")
        }
        let (summary, files) = try await adopt()
        #expect(summary.done == 2 && files.count == 2, "\(files.keys)")
    }

    @Test("Files are adopted by hash, note, name and ID; the next run requests only the others")
    func fresh() async throws {
        let hash = SHA256.digest(of: Service.picture("/x/hashed.png"))
        try list([
            ("/x/hashed.png", ",\"sha256\":\"\(hash)\""), ("/x/noted.png", ""), ("/a/same.png", ""),
            ("/b/same.png", ""),
            ("/q?n=1", ",\"id\":\"photo-71\""), ("/x/none.png", ""),
        ])
        try put(Service.picture("/x/hashed.png"), "whatever.dat")
        try put(Service.picture("/x/noted.png"), "000000007.jpg")
        try put(Array("{\"key\":\"7\",\"url\":\"\(address("x/noted.png"))\"}".utf8), "000000007.json")
        try put(Service.picture("/a/same.png"), "a/same.png")
        try put(Service.picture("/b/same.png"), "b/same.png")
        try put(Service.picture("/q"), "list_photo-71.png")
        try put(Array("no picture".utf8), "readme.txt")
        let before = folder.names().filter { $0.hasPrefix("files/") }

        let (summary, files) = try await adopt()
        #expect(summary.done == 5 && summary.failed == 0 && summary.failedPages == 0)
        #expect(service.asked.withLock(\.self) == [])
        #expect(files["whatever.dat"]?.basis == .hash && files["000000007.jpg"]?.basis == .address)
        #expect(files["a/same.png"]?.items == [3] && files["b/same.png"]?.items == [4])
        #expect(files["list_photo-71.png"]?.basis == .id && files["readme.txt"]?.verdict == .unknown)
        #expect(files["000000007.json"] == nil && files.count == 6)
        #expect(folder.names().filter { $0.hasPrefix("files/") } == before)

        // A receipt records the origin of the bytes and has no response headers, because no host was contacted.
        let receipt = try #require(try receipts()[0])
        #expect(receipt.finalURL == "file://\(folder.path("files/whatever.dat"))")
        #expect(receipt.status == nil && receipt.etag == nil && receipt.original?.sha256 == hash)
        #expect(receipt.thumbs.count == 1 && receipt.url == address("x/hashed.png"))

        let run = try await mirror()
        #expect(run.kept == 5 && run.done == 1)
        let asked = service.asked.withLock(\.self)
        #expect(asked.filter { !["/robots.txt", "/.well-known/tdmrep.json"].contains($0) } == ["/x/none.png"])
    }

    @Test("Failed photos and missing files are adopted without reading the feed")
    func known() async throws {
        try list([("/one.png", ""), ("/two.png", ""), ("/three.png", "")])
        #expect(try await mirror().done == 3)
        let names = folder.names().filter { $0.hasPrefix("out/originals/") }
        try folder.remove(names[1])
        service.asked.withLock { $0 = [] }
        // Under any name, because the ledger has the hash. Another picture with the same name is not adopted.
        try put(Service.picture("/two.png"), "renamed")
        try put(Service.picture("/other.png"), "two.png")
        try folder.remove("list.jsonl")
        try list([])
        let (summary, files) = try await adopt(walking: false)
        #expect(summary.done == 1 && files["renamed"]?.items == [2] && files["two.png"]?.verdict == .unknown)
        #expect(service.asked.withLock(\.self) == [])
        #expect(try receipts()[1]?.finalURL?.hasPrefix("file://") == true)
    }

    @Test("A file whose name is not valid UTF-8 is adopted")
    func invalidName() async throws {
        let hash = SHA256.digest(of: Service.picture("/cafe.png"))
        try list([("/cafe.png", ",\"sha256\":\"\(hash)\"")])
        try folder.write(Service.picture("/cafe.png"), named: Array("files/caf".utf8) + [0xE9] + Array(".png".utf8))
        let (summary, files) = try await adopt()
        #expect(summary.done == 1 && files["caf%E9.png"]?.items == [1], "\(files)")
        #expect(try receipts()[0]?.finalURL?.hasSuffix("/files/caf%E9.png") == true)
        #expect(try receipts()[0]?.finalURL?.hasPrefix("file:///") == true)
        #expect(service.asked.withLock(\.self) == [])
    }

    @Test("A file that contradicts the feed is not adopted, and the photo's state is unchanged")
    func unfit() async throws {
        let wrong = String(repeating: "0", count: 64)
        try list([
            ("/cut.png", ""), ("/small.png", ",\"width\":640,\"height\":480"),
            ("/other.png", ",\"sha256\":\"\(wrong)\""),
        ])
        try put(Array(Service.picture("/cut.png").dropLast(40)), "cut.png")
        try put(Service.picture("/small.png"), "small.png")
        try put(Service.picture("/other.png"), "other.png")
        let (summary, files) = try await adopt()
        #expect(summary.done == 0 && files["other.png"]?.verdict == .unknown)
        #expect(summary.causes == [.truncated: 1, .policy: 1])
        #expect(try receipts().allSatisfy { $0 == nil })
        // The host does not serve a file with that hash either.
        let run = try await mirror()
        #expect(run.done == 2 && run.causes == [.corrupt: 1])
    }

    @Test("A dry run reports the same verdicts and creates nothing")
    func rehearsal() async throws {
        try list([("/one.png", ""), ("/a/two.png", ""), ("/b/two.png", "")])
        try put(Service.picture("/one.png"), "one.png")
        try put(Service.picture("/a/two.png"), "two.png")
        let found = Locked<[FoundFile]>([])
        let notes = Locked<[String]>([])
        let rehearsal = try await PhotoMirror(
            of: folder.path("list.jsonl"), into: folder.path("out"), options: options(), adopting: folder.path("files"),
            walkingFeed: true
        ).dryRun { work in
            if case .file(let file) = work { found.withLock { $0.append(file) } }
            return true
        } recording: { event in
            if case .note(let text, _) = event { notes.withLock { $0.append(text) } }
        }
        let verdicts = found.withLock(\.self)
        #expect(!folder.names().contains { $0.hasPrefix("out") })
        let (_, files) = try await adopt()
        #expect(verdicts.sorted { $0.path < $1.path } == files.values.sorted { $0.path < $1.path })
        #expect(verdicts.map(\.verdict) == [.match, .ambiguous] && rehearsal.causes == [.deferred: 1])
        #expect(notes.withLock(\.self) == ["2 files: 1 matched, 1 ambiguous"])
    }

    @Test("A missing folder is refused with a message before a mirror is created")
    func refused() async throws {
        try list([("/one.png", "")])
        let adopting = PhotoMirror(
            of: folder.path("list.jsonl"), into: folder.path("out"), options: options(),
            adopting: folder.path("nowhere"),
            walkingFeed: true)
        await #expect(throws: MirrorError.self) { try await adopting.run() }
        #expect(!folder.names().contains { $0.hasPrefix("out") })
    }
}

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
