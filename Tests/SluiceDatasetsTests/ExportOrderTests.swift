// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceDatasets

/// The order and the splits of exports.
@Suite("Export order", .timeLimit(.minutes(10))) struct ExportOrderTests {
    @Test("A seeded order has every number once, and differs between seeds", arguments: [1, 2, 3, 16, 17, 1000, 4097])
    func permutation(count: Int) {
        let orders = (0..<3).map { seed in
            (1...count).map(SeededPermutation(of: count, seed: seed).number(at:))
        }
        for order in orders { #expect(order.sorted() == Array(1...count)) }
        if count > 16 { #expect(Set(orders).count == 3 && orders[0] != orders[0].sorted()) }
        #expect(orders[1] == (1...count).map(SeededPermutation(of: count, seed: 1).number(at:)))
    }

    /// A host of one hundred photos in a list of ten thousand must not stay together: a run of its photos in the
    /// order is as rare as chance makes it.
    @Test("Neighbours in the feed are not neighbours in the order")
    func spread() {
        let order = SeededPermutation(of: 10_000, seed: 42)
        let places = (1...10_000).filter { order.number(at: $0) <= 100 }
        let adjacent = zip(places, places.dropFirst()).filter { $1 - $0 == 1 }.count
        #expect(places.count == 100 && adjacent < 8)
        let quarters = (0..<4).map { quarter in places.filter { ($0 - 1) / 2500 == quarter }.count }
        #expect(quarters.allSatisfy { (10...45).contains($0) }, "\(quarters)")
    }

    @Test("Splits have their share of the sources, and a source always has the same one")
    func splits() {
        let splits = [DatasetSplit("train", weight: 90), DatasetSplit("val", weight: 10)]
        let sources = (0..<5000).map { "https://host\($0 % 7).test/\($0).jpg" }
        let chosen = sources.map { splits.index(ofSource: $0) }
        #expect((400...600).contains(chosen.filter { $0 == 1 }.count))
        // The first four bytes of the SHA-256 of "a" are ca978112.
        let halves = [DatasetSplit("even", weight: 1), DatasetSplit("odd", weight: 1)]
        #expect(halves.index(ofSource: "a") == 0xCA97_8112 % 2)
    }

    @Test("Every beginning of a value's photos has the shares of the splits", arguments: ["", "=cat", "=dog"])
    func strata(value: String) {
        let splits = [
            DatasetSplit("train", weight: 90), DatasetSplit("val", weight: 7), DatasetSplit("test", weight: 3),
        ]
        var counts = [0, 0, 0]
        for number in 0..<100_000 {
            counts[splits.index(at: StratifiedSplits.place(of: UInt64(number), with: value))] += 1
            let difference = zip(counts, splits).map { abs(Double($0) - Double(number + 1) * Double($1.weight) / 100) }
            guard difference.allSatisfy({ $0 < 4 }) else {
                Issue.record("\(number + 1) photos: \(counts)")
                return
            }
        }
    }

    /// A value with one photo must not always be in the first split.
    @Test("Values with one photo are in all splits, by their weights")
    func rareValues() {
        let splits = [DatasetSplit("train", weight: 9), DatasetSplit("val", weight: 1)]
        let chosen = (0..<5000).map { splits.index(at: StratifiedSplits.place(of: 0, with: "=\($0)")) }
        #expect((400...600).contains(chosen.count { $0 == 1 }))
    }
}

/// The time that a host may take for failed requests of a check.
@Suite("Slow hosts", .timeLimit(.minutes(10))) struct SlowHostsTests {
    private let slow = Failure(.timeout, "no answer")

    @Test("A host is excluded once its failed requests have taken four times the limit of one")
    func limit() {
        var hosts = SlowHosts(timeout: .seconds(20))
        for _ in 0..<3 {
            hosts.add(slow, of: "a.test", after: .seconds(20))
            hosts.add(slow, of: "b.test", after: .seconds(10))
        }
        #expect(hosts.refusal(of: "a.test") == nil)
        hosts.add(slow, of: "a.test", after: .seconds(20))
        let refusal = hosts.refusal(of: "a.test")
        #expect(refusal?.cause == .timeout)
        #expect(refusal?.detail == "a.test: not requested after failed requests of 80 s in all")
        #expect(hosts.refusal(of: "b.test") == nil)
        hosts.add(Failure(.httpServerError, "503"), of: "a.test", after: .seconds(20))
        #expect(hosts.refusal(of: "a.test") == refusal, "requests in flight change no reason")
    }

    @Test("Answers about a photo are no lost time", arguments: [Cause.httpClientError(404), .notAnImage, .cancelled])
    func answers(cause: Cause) {
        var hosts = SlowHosts(timeout: .seconds(1))
        hosts.add(Failure(cause, ""), of: "a.test", after: .seconds(100))
        #expect(hosts.refusal(of: "a.test") == nil)
    }
}

/// The lines of locks, and the states of single photos.
@Suite("Comparison with locks", .timeLimit(.minutes(10))) struct LockComparisonTests {
    private static let locked = LockedPhoto(
        url: "https://a.test/1.jpg", sha256: String(repeating: "a", count: 64), bytes: 5, phash: 0xFF00)

    @Test("A line is read as it was written, also without a perceptual hash and with blanks in the address")
    func lines() {
        var photo = Self.locked
        #expect(photo.line.hasSuffix(" 5 000000000000ff00 https://a.test/1.jpg"))
        #expect(LockedPhoto(line: photo.line) == photo)
        photo.phash = nil
        photo.url = "https://a.test/a b.jpg"
        #expect(LockedPhoto(line: photo.line) == photo)
        let hash = String(repeating: "0", count: 64)
        for line in ["", "x", "\(hash) 5 - ", "\(hash) -1 - u", "\(hash) 5 x u", "\(hash.dropLast()) 5 - u"] {
            #expect(LockedPhoto(line: line) == nil)
        }
    }

    @Test("A photo with other bytes is re-encoded if its picture is alike, and replaced otherwise")
    func pictures() {
        var receipt = Receipt(.done)
        receipt.original = StoredFile(path: "a", bytes: 5, sha256: Self.locked.sha256)
        #expect(LockComparison.state(of: Self.locked, receipt) == .same)
        receipt.original?.sha256 = String(repeating: "b", count: 64)
        #expect(LockComparison.state(of: Self.locked, receipt) == .replaced)
        receipt.phash = "000000000000ff0f"
        #expect(LockComparison.state(of: Self.locked, receipt) == .reencoded)
        receipt.phash = "ffffffffffff0000"
        #expect(LockComparison.state(of: Self.locked, receipt) == .replaced)
        receipt.finalURL = "https://i.imgur.com/removed.png?1"
        #expect(LockComparison.state(of: Self.locked, receipt) == .placeholder)
    }

    @Test("A photo is gone if the server says so, and other failures may be temporary")
    func failures() {
        let states = [Cause.httpClientError(404), .httpClientError(410), .httpClientError(403), .timeout].map {
            LockComparison.state(of: Self.locked, Receipt(.failed, failure: Failure($0, "")))
        }
        #expect(states == [.gone, .gone, .failed, .failed])
    }

    @Test("A web page in place of a photo is told from other files, and a home page from other pages")
    func pages() {
        func state(_ detail: String, _ finalURL: String? = nil) -> LockedState {
            let failure = Failure(.notAnImage, detail, finalURL: finalURL)
            return LockComparison.state(of: Self.locked, Receipt(.failed, failure: failure))
        }
        #expect(state("text/html; charset=utf-8, starts with \"hello\"") == .page)
        #expect(state("starts with \"<!DOCTYPE ht\"") == .page && state("starts with \"{\"") == .failed)
        #expect(
            state("text/html, x", "https://a.test/") == .home && state("text/html", "https://b.test/?from=1") == .home)
        #expect(state("text/html", "https://a.test/404") == .page)
    }

    @Test("A page is recognised by its type or its beginning")
    func pageStarts() {
        #expect(Substitute.isPage(type: "Text/HTML; charset=x", start: []))
        #expect(Substitute.isPage(type: nil, start: Array(" \n<!doctype HTML>".utf8)))
        #expect(
            !Substitute.isPage(type: "image/jpeg", start: [0xFF, 0xD8]) && !Substitute.isPage(type: nil, start: []))
    }
}
