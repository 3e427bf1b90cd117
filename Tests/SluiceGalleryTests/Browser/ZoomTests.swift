// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Zoom") struct ZoomTests {
        private let samples = (1...5).map { seq in
            LedgerEntry.sample(seq).with { entry in
                guard seq == 3 else { return }
                entry.receipt?.width = 240
                entry.receipt?.height = 90
            }
        }

        /// A script for the width of the photo in proportion to the width that fits the stage.
        private let level = """
            ((stage, picture) => picture.getBoundingClientRect().width / Math.min(stage.clientWidth,
                stage.clientHeight * picture.naturalWidth / picture.naturalHeight))(
                document.getElementById('stage'), document.querySelector('.sharp'))
            """
        private let left = "document.querySelector('.sharp').getBoundingClientRect().left"

        private func withPhoto(isTouch: Bool = false, _ body: (GalleryPage) async throws -> Void) async throws {
            let (width, height) = isTouch ? (390, 844) : (1280, 800)
            try await withGallery(of: samples, width: width, height: height, isTouch: isTouch) { page in
                // Smaller pictures do not fill the window.
                let picture = TinyPNG(width: 240, height: 90, color: (90, 120, 60)).bytes
                try page.mirror.folder.write(picture, to: "originals/3.png", flushed: false)
                try await page.open("#/photo/3")
                try await page.waitForDetail(of: 3)
                try await page.browser.wait(
                    for: "document.querySelector('.sharp.there') && Math.abs(\(level) - 1) < 0.01")
                try await body(page)
            }
        }

        private func waitForLevel(_ expected: Double, _ page: GalleryPage) async throws {
            try await page.browser.wait(for: "Math.abs(\(level) / \(expected) - 1) < 0.01")
        }

        @Test("Keys and buttons zoom in and out, fill the window and show the original size") func zoomsByKey()
            async throws
        {
            try await withPhoto { page in
                let browser = page.browser
                try await browser.type("+")
                try await waitForLevel(1.5, page)
                try await browser.type("-")
                try await waitForLevel(1, page)
                try await browser.type("1")
                try await browser.wait(
                    for: "Math.abs(document.querySelector('.sharp').getBoundingClientRect().width - 240) < 1")
                #expect(try await browser.value("document.getElementById('zoom-level').textContent") == "100\u{202F}%")
                try await browser.type("0")
                try await waitForLevel(1, page)
                try await browser.click("[data-zoom=fill]")
                try await browser.wait(
                    for: """
                        ((picture, stage) => picture.height >= stage.height - 1 && picture.width >= stage.width - 1)(
                            document.querySelector('.sharp').getBoundingClientRect(),
                            document.getElementById('stage').getBoundingClientRect())
                        """)
                try await browser.click("[data-zoom=fit]")
                try await waitForLevel(1, page)
                try await browser.click("[data-zoom=in]")
                try await waitForLevel(1.5, page)
                try await browser.click("[data-zoom=out]")
                try await waitForLevel(1, page)
                #expect(try await browser.value("location.hash") == "#/photo/3")
            }
        }

        @Test("The wheel zooms at the pointer, and the mouse drags the photo") func zoomsByWheel() async throws {
            try await withPhoto { page in
                let browser = page.browser
                try await mouse("mouseWheel", 200, 400, ["deltaX": 0, "deltaY": -200], page)
                try await browser.wait(for: "\(level) > 1.5")
                let before: Double = try await browser.value(left)
                try await mouse("mousePressed", 300, 400, ["button": "left", "clickCount": 1], page)
                for x in [330, 380] { try await mouse("mouseMoved", x, 400, ["button": "left", "buttons": 1], page) }
                try await mouse("mouseReleased", 380, 400, ["button": "left", "clickCount": 1], page)
                // The left edge of the photo does not move into the stage.
                try await browser.wait(for: "Math.abs(\(left) - \(min(before + 80, 0))) < 1")
                #expect(try await browser.value("document.querySelector('.stage.zoomed') !== null"))
                // Arrow keys move a zoomed photo, and otherwise show the next one.
                try await browser.press(.right)
                try await browser.wait(for: "\(left) < \(min(before + 80, 0)) - 10")
                try await browser.press(.escape, .right)
                try await page.waitForDetail(of: 4)
            }
        }

        @Test("Two fingers zoom, and the second of two taps zooms in and out") func zoomsByTouch() async throws {
            try await withPhoto(isTouch: true) { page in
                try await touch("touchStart", [[180, 200]], page)
                try await touch("touchStart", [[180, 200], [220, 200]], page)
                try await touch("touchMove", [[160, 200], [240, 200]], page)
                try await touch("touchEnd", [], page)
                try await waitForLevel(2, page)
                let now: Double = try await page.browser.value("(performance.timeOrigin + performance.now()) / 1000")
                try await tap(at: now, page)
                try await waitForLevel(2, page)
                try await tap(at: now + 0.1, page)
                try await waitForLevel(1, page)
            }
        }

        @Test("Swiping down closes the view, also after a swipe that was too short") func swipesDown() async throws {
            try await withPhoto(isTouch: true) { page in
                for length in [50, 160] {
                    try await touch("touchStart", [[200, 100]], page)
                    for share in [2, 1] { try await touch("touchMove", [[200, 100 + length / share]], page) }
                    try await touch("touchEnd", [], page)
                    if length == 50 { #expect(try await page.browser.value("document.getElementById('detail').open")) }
                }
                try await page.browser.wait(for: "!document.getElementById('detail').open")
            }
        }

        @Test("The next and the previous photo are loaded before they are shown") func preloads() async throws {
            try await withPhoto { page in
                // The requests follow that of the photo shown.
                var requests: [String] = []
                while !["/originals/2.png", "/originals/4.png"].allSatisfy({ file in
                    requests.contains { $0.hasSuffix(file) }
                }) {
                    try Task.checkCancellation()
                    requests += try await page.browser.requests()
                }
            }
        }

        private func mouse(_ type: String, _ x: Int, _ y: Int, _ more: [String: Any], _ page: GalleryPage) async throws
        {
            let event: [String: Any] = ["type": type, "x": x, "y": y]
            try await page.browser.command("Input.dispatchMouseEvent", event.merging(more) { $1 })
        }

        private func touch(_ type: String, _ points: [[Int]], at time: Double? = nil, _ page: GalleryPage) async throws
        {
            let points = points.enumerated().map { ["x": $1[0], "y": $1[1], "id": $0] }
            var event: [String: Any] = ["type": type, "touchPoints": points]
            // Stated times do not depend on the speed of the test.
            event["timestamp"] = time
            try await page.browser.command("Input.dispatchTouchEvent", event)
        }

        private func tap(at time: Double, _ page: GalleryPage) async throws {
            try await touch("touchStart", [[200, 200]], at: time, page)
            try await touch("touchEnd", [], at: time + 0.02, page)
        }
    }
}
