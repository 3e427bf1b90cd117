// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceDatasets

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
