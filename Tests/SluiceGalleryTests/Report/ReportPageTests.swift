// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

@Suite("ReportPage", .timeLimit(.minutes(10))) struct ReportPageTests {
    private let page = String(decoding: RunReport.sample().page, as: UTF8.self)

    @Test("The page allows only its own style, by hash, and has no scripts, URLs or other styles")
    func policy() throws {
        let hash = Data(sha256(PackageResources.report_css).chunks(of: 2).compactMap { UInt8($0, radix: 16) })
        #expect(Assets.reportStyleHash == "sha256-\(hash.base64EncodedString())")
        #expect(page.contains("default-src 'none'; style-src '\(Assets.reportStyleHash)'"))
        for word in ["<script", "<link", "<img", " style=", " on", "@import", "url("] where word != " on" {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test("Untrusted text is escaped") func hostile() {
        let hostile = #"</title><script>alert(1)</script><img src=x onerror=alert(1)>" onload="x' & ]]>"#
        let page = String(decoding: RunReport.sample(words: hostile).page, as: UTF8.self)
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("\" onload"))
        #expect(page.contains("&lt;script&gt;"))
    }

    @Test("Each chart has a title, a description and its numbers in a table") func charts() {
        let pictures = page.matches(
            of:
                /<svg role="img"(?: preserveAspectRatio="none")? viewBox="[^"]+" aria-labelledby="([a-z-]+)-title ([a-z-]+)-desc">/
        )
        #expect(pictures.count == 6)
        for picture in pictures {
            #expect(
                page.contains("<title id=\"\(picture.1)-title\">") && page.contains("<desc id=\"\(picture.2)-desc\">"))
        }
        #expect(page.matches(of: /<details>/).count == 4)
        #expect(page.matches(of: /<table>/).count == page.matches(of: /<caption>/).count)
        #expect(!page.contains("nan") && !page.contains("inf\""))
    }

    @Test("Failures are listed with their remedy and a link to the gallery") func failures() {
        #expect(page.contains("The first 2 of 31 failed photos."))
        #expect(page.contains("<a href=\"index.html#/photo/29\">p29</a>"))
        #expect(page.contains("--salvage"))
    }

    @Test("The report links to the gallery if the run wrote one") func gallery() {
        #expect(page.contains("Run report · <a href=\"index.html\">Gallery</a>"))
        var report = RunReport.sample()
        report.hasGallery = false
        let alone = String(decoding: report.page, as: UTF8.self)
        #expect(!alone.contains("index.html") && alone.contains(">p29<"))
    }

    @Test("The figures of earlier runs are next to this run's, with the change since the latest") func comparison()
        throws
    {
        #expect(!page.contains("earlier runs"))
        var report = RunReport.sample()
        var before = RunFigures(startedAt: 1_795_807_800, seconds: 368)
        (before.done, before.failed, before.bytesReceived) = (4870, 62, 642_000_000)
        (before.cpu, before.peakMemory, before.bottleneck) = (230, 118_000_000, .decode)
        var oldest = before
        (oldest.startedAt, oldest.seconds, oldest.failed, oldest.medianTime) = (1_795_000_000, 36, 7, 0.2)
        report.earlier = [before, oldest]
        let page = String(decoding: report.page, as: UTF8.self)
        let table = try #require(page.firstMatch(of: /<table><caption>Figures of this run.*?<\/table>/)).output
        let rows = table.matches(of: /<tr>(.*?)<\/tr>/).map { row in
            row.output.1.matches(of: /<bdi>(.*?)<\/bdi>/).map { String($0.output.1) }
        }
        #expect(rows.contains(["photos done", "4\u{202F}870", "same", "4\u{202F}870", "4\u{202F}870"]))
        #expect(rows.contains(["photos failed", "31", "−50 %", "62", "7"]))
        #expect(rows.contains(["duration", "3 min 4 s", "−50 %", "6 min 8 s", "36 s"]))
        #expect(rows.contains(["photos per second", "26.5", "+100 %", "13.2", "135"]))
        #expect(rows.contains(["limited by", "network", "", "decode", "decode"]))
        #expect(
            rows.contains {
                $0.count == 5 && $0[0] == "median time per photo" && $0[2].isEmpty && $0[3] == "–" && $0[4] == "200 ms"
            })
        #expect(table.contains("2026-11-"))
        #expect(report.page.count < 300_000)
    }

    @Test("Photos per second do not fall to zero between two commits") func batches() throws {
        var report = RunReport.sample()
        report.timeline = (0..<6).map { second in
            var interval = RunReport.Interval()
            (interval.begin, interval.length, interval.done) = (Double(second), 1, second % 3 == 2 ? 30 : 0)
            return interval
        }
        let page = String(decoding: report.page, as: UTF8.self)
        let table = try #require(page.firstMatch(of: /<table><caption>Photos done, photos\/s.*?<\/table>/))
        #expect(table.output.matches(of: /<bdi>10<\/bdi>/).count == 6, "\(table.output)")
    }

    @Test("Flags in sentences are code, which stays on one line") func flags() {
        #expect(page.contains("<code>--concurrency</code> 32 may be faster"))
    }

    @Test("A run without photos has a page") func empty() {
        let report = RunReport(start: RunStart(source: "x", feed: "x", folder: "x", width: 1), startedAt: 0)
        let page = String(decoding: report.page, as: UTF8.self)
        #expect(
            page.contains("No bottleneck limited this run") && page.contains("0 photos · in 0 s · 1970-01-01 00:00 UTC")
        )
    }

    @Test("Axes end at round numbers above the largest value", arguments: [0.003, 0.9, 1, 7, 99, 100, 101, 48_000])
    func scales(most: Double) {
        let scale = AxisScale(upTo: most)
        #expect(scale.end >= most && scale.end <= most * 2.6 && (2...5).contains(scale.ticks.count), "\(scale)")
    }
}

extension String {
    func chunks(of length: Int) -> [String] {
        stride(from: 0, to: count, by: length).map { String(dropFirst($0).prefix(length)) }
    }
}

@Suite("CopiesPage", .timeLimit(.minutes(10))) struct CopiesPageTests {
    private func page(
        name: String = "originals/a.jpg", command: String = "sluice duplicates m", reference: Bool = false
    ) -> String {
        let photos = [
            CopiesPage.Photo(
                2, name: name, picture: "thumbs/256/a b?.jpg", bytes: 2000, facts: "best, 480 × 320",
                isReference: reference),
            CopiesPage.Photo(1, name: name, picture: nil, bytes: 1000, facts: "copy"),
        ]
        let page = CopiesPage(
            [photos], of: name, command: CopiesPage.Command(command, drop: "--drop", move: "--move"),
            folders: ("../m/", "../../other/"))
        return String(decoding: page.bytes, as: UTF8.self)
    }

    @Test("The page allows only its own style and script, by their hashes")
    func policy() throws {
        func hash(_ bytes: [UInt8]) -> String {
            "sha256-" + Data(sha256(bytes).chunks(of: 2).compactMap { UInt8($0, radix: 16) }).base64EncodedString()
        }
        #expect(Assets.copiesStyleHash == hash(PackageResources.copies_css))
        #expect(Assets.copiesScriptHash == hash(PackageResources.copies_js))
        let (page, hashes) = (page(), (Assets.copiesStyleHash, Assets.copiesScriptHash))
        #expect(page.contains("default-src 'none'; style-src '\(hashes.0)'; script-src '\(hashes.1)'; img-src 'self'"))
        for word in ["<link", " style=", " onclick", "url(", "innerHTML", "eval("] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test("The best photo is checked, the command drops the others, and addresses are relative and encoded")
    func content() {
        let page = page()
        #expect(page.contains("value=\"2\" data-bytes=\"2000\" data-best=\"1\" checked"))
        #expect(page.contains("sluice duplicates m --drop 1 --move copies</code>"))
        #expect(page.contains("src=\"../m/thumbs/256/a%20b%3F.jpg\""))
        let other = self.page(reference: true)
        #expect(
            other.contains("src=\"../../other/thumbs/256/a%20b%3F.jpg\"") && other.contains("Stays, in the reference"))
        #expect(!other.contains("value=\"2\""))
    }

    @Test("Untrusted text is escaped") func hostile() {
        let hostile = #"</title><script>alert(1)</script><img src=x onerror=alert(1)>" onload="x' & ]]>"#
        let page = page(name: hostile, command: hostile)
        #expect(page.components(separatedBy: "<script").count == 2 && page.components(separatedBy: "<img").count == 2)
        #expect(!page.contains("\" onload") && page.contains("&lt;script&gt;"))
    }
}
