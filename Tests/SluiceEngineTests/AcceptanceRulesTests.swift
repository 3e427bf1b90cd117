// SPDX-License-Identifier: MIT

import SluiceImaging
import SluiceModel
import SluiceTransfer
import Testing

@testable import SluiceEngine

@Suite("AcceptanceRules", .timeLimit(.minutes(10))) struct AcceptanceRulesTests {
    /// Makes the header of a PNG of this size, without pixels.
    private func png(_ width: UInt8, _ height: UInt8) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header: [UInt8] =
            [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0] + [0, 0, 0, 0]
        return signature + header + [0, 0, 0, 0] + Array("IDAT".utf8) + [0, 0, 0, 0]
    }

    private func rules(_ change: (inout MirrorOptions) -> Void = { _ in }) -> AcceptanceRules {
        var options = MirrorOptions()
        change(&options)
        return AcceptanceRules(options)
    }

    @Test(
        "A web page instead of a photo is recognised by its first bytes",
        arguments: ["<!doctype html><p>Sign in to continue.</p>", "{\"error\":\"gone\"}"])
    func pages(text: String) {
        let failure = #expect(throws: Failure.self) { try rules().earlyCheck(Array(text.utf8), HeaderFields()) }
        #expect(failure?.cause == .notAnImage)
    }

    @Test("A picture is accepted as soon as its header is complete, and not earlier")
    func heads() throws {
        let head = png(200, 100)
        for count in 1..<29 {
            #expect(try rules().earlyCheck(Array(head.prefix(count)), HeaderFields()) == .undecided, "\(count)")
        }
        #expect(try rules().earlyCheck(head, HeaderFields()) == .accepted)
    }

    @Test("Photos with too many pixels fail if nothing of them would be kept")
    func largePhotos() throws {
        let changes: [(isKept: Bool, change: (inout MirrorOptions) -> Void)] = [
            (true, { _ in }), (false, { $0.keepsOriginals = false }), (false, { $0.keepsUndecodable = false }),
            (true, { ($0.keepsUndecodable, $0.thumbnails.sizes) = (false, []) }),
        ]
        for (isKept, change) in changes {
            let rules = rules {
                $0.thumbnails.limits.pixels = 19_999
                change(&$0)
            }
            if isKept {
                #expect(try rules.earlyCheck(png(200, 100), HeaderFields()) == .accepted)
            } else {
                let failure = #expect(throws: Failure.self) { try rules.earlyCheck(png(200, 100), HeaderFields()) }
                #expect(failure?.cause == .tooManyPixels)
            }
        }
    }

    @Test("Photos that are too small or of the wrong aspect ratio are rejected")
    func sizes() throws {
        let head = png(200, 100)
        for (size, isWanted) in [("200x100", true), ("201x", false), ("x101", false), ("100", true), ("101", false)] {
            let decision = try rules { $0.minSize = ThumbnailSize(size) }.earlyCheck(head, HeaderFields())
            #expect((decision == .accepted) == isWanted, "\(size)")
            #expect(
                isWanted || decision == .rejected("200x100 is smaller than \(ThumbnailSize(size)?.description ?? "")"))
        }
        #expect(try rules { $0.aspect = 2...3 }.earlyCheck(head, HeaderFields()) == .accepted)
        let other = rules { $0.aspect = 0.5...1.9 }
        guard case .rejected = try other.earlyCheck(head, HeaderFields()) else {
            Issue.record("a photo of the wrong aspect ratio was accepted")
            return
        }
    }
}
