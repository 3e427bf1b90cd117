// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Detail") struct DetailTests {
        private func samples(_ count: Int) -> [LedgerEntry] { (0..<count).map { LedgerEntry.sample($0 + 1) } }

        @Test("A click opens a photo, and Escape returns to the same scroll position") func opensByClick() async throws
        {
            try await withGallery(of: samples(300)) { page in
                try await page.open()
                try await page.browser.scroll("scrollTo(0, 2000)")
                try await page.browser.wait(for: "\(GalleryPage.isReady) && scrollY === 2000")
                let place: String = try await page.browser.value(
                    """
                    [...document.querySelectorAll('.tile')].find((tile) => tile.getBoundingClientRect().top > 200)
                        .dataset.place
                    """)
                try await page.browser.click("[data-place=\"\(place)\"]")
                let seq = try #require(Int(place)) + 1
                try await page.waitForDetail(of: seq)
                try await page.browser.wait(for: "document.querySelector('.sharp.there')?.naturalWidth > 0")
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "!document.getElementById('detail').open && location.hash === ''")
                #expect(try await page.browser.value("scrollY", as: Int.self) == 2000)
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"\(place)\"]')")
            }
        }

        @Test("The scripts of the detail view are loaded when the first photo is opened") func loadsScripts()
            async throws
        {
            try await withGallery(of: samples(12)) { page in
                let isLoaded = "sluice.detail !== undefined"
                try await page.open()
                #expect(try await page.browser.value(isLoaded) == false)
                try await page.browser.click("[data-place=\"3\"]")
                try await page.waitForDetail(of: 4)
                #expect(try await page.browser.value(isLoaded) == true)
            }
        }

        @Test("Enter opens a photo, arrow keys and buttons change it, and one Escape closes it") func opensByKey()
            async throws
        {
            try await withGallery(of: samples(12)) { page in
                try await page.open()
                try await page.browser.run("document.querySelector('#grid a').focus()")
                try await page.browser.press(.enter)
                try await page.waitForDetail(of: 1)
                #expect(try await page.browser.value("document.getElementById('previous').disabled"))
                try await page.browser.press(.right)
                try await page.waitForDetail(of: 2)
                try await page.browser.press(.right)
                try await page.waitForDetail(of: 3)
                try await page.browser.press(.left)
                try await page.waitForDetail(of: 2)
                try await page.browser.click("#next")
                try await page.waitForDetail(of: 3)
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "!document.getElementById('detail').open")
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"2\"]')")
            }
        }

        @Test("A URL opens its photo with all known details") func opensByAddress() async throws {
            let entries = samples(450).map { entry in
                entry.with {
                    $0.item.photo.attribution = "Photo by \($0.item.photo.author ?? "")"
                    $0.item.photo.authorURL = "https://example.org/@author"
                    $0.item.photo.date = 1_700_000_000
                    $0.item.photo.camera = "Box camera, 80 mm, f/8"
                    $0.item.photo.columns = #"{"score":0.30,"tags":["lake","<b>dawn"],"deep":{"a":1}}"#
                }
            }
            try await withGallery(of: entries) { page in
                try await page.open("#/photo/444")
                try await page.waitForDetail(of: 444)
                let text: String = try await page.browser.value("document.getElementById('sheet').innerText")
                for fact in [
                    "Caption 444", "Author 3", "Photo by Author 3", "CC BY 4.0", "90 × 60 pixels", "PNG", "444 of 450",
                    "14 November 2023", "Box camera, 80 mm, f/8", "score\n0.3", "tags\nlake, <b>dawn",
                    "deep\n{\"a\":1}",
                ] {
                    #expect(text.contains(fact))
                }
                let links: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('#sheet a')].map((link) => `${link.getAttribute('href')} ${link.rel}`)"
                )
                #expect(
                    links == [
                        "https://example.org/@author noopener noreferrer nofollow",
                        "https://creativecommons.org/licenses/by/4.0/ noopener noreferrer nofollow",
                        "originals/4.png noopener", "https://example.org/photos/444 noopener noreferrer nofollow",
                    ])
                #expect(try await page.browser.value("document.title") == "Caption 444 · Sample")
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "!document.getElementById('detail').open")
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"443\"]')")
            }
        }

        @Test("A photo without a page links to the address that its file came from, unless it is no web address")
        func linksSource() async throws {
            let links = ["https://img.example.org/a.jpg", "javascript:alert(1)", "file:///etc/passwd"]
            let entries = links.enumerated().map { index, link in
                LedgerEntry.sample(index + 1).with {
                    $0.item.photo.pageURL = nil
                    $0.receipt?.url = link
                }
            }
            try await withGallery(of: entries) { page in
                for seq in 1...3 {
                    try await page.open("#/photo/\(seq)")
                    try await page.waitForDetail(of: seq)
                    let shown: [String] = try await page.browser.value(
                        """
                        [...document.querySelectorAll('.links > :not(button)')].map((link) =>
                            `${link.textContent} ${link.getAttribute('href')} ${link.rel}`)
                        """)
                    let source = "Source https://img.example.org/a.jpg noopener noreferrer nofollow"
                    #expect(shown == ["Original originals/\(seq).png noopener"] + (seq == 1 ? [source] : []))
                }
            }
        }

        @Test("Photos that look alike are linked on request") func similar() async throws {
            let hashes = [2: "0f0f0f0f80000000", 5: "0f0f0f0f80000001", 7: "00ff00ff00ff00ff"]
            let entries = samples(8).map { entry in entry.with { $0.receipt?.phash = hashes[entry.item.seq] } }
            try await withGallery(of: entries) { page in
                let button =
                    "[...document.querySelectorAll('#sheet button')].find((button) => button.textContent.match(/Similar|None/))"
                try await page.open("#/photo/2")
                try await page.waitForDetail(of: 2)
                try await page.browser.run("\(button).click()")
                try await page.browser.wait(for: "document.querySelectorAll('.similar a').length === 1")
                #expect(try await page.browser.value("document.querySelector('.similar a').hash") == "#/photo/5")
                try await page.browser.click(".similar a")
                try await page.waitForDetail(of: 5)
                #expect(try await page.browser.value("document.querySelectorAll('.similar a').length === 0"))
                try await page.browser.press(.right)
                try await page.browser.press(.right)
                try await page.waitForDetail(of: 7)
                try await page.browser.run("\(button).click()")
                try await page.browser.wait(for: "\(button).textContent === 'None found'")
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "!document.getElementById('detail').open")
            }
        }

        @Test("The facts of the camera are shown as photographers write them, and invalid ones are ignored")
        func camera() async throws {
            let facts = [
                #"{"DateTimeOriginal":"2024:05:06 07:08:10","ExposureTime":"10/2500","FNumber":2.8,"#
                    + #""FocalLength":85,"ISOSpeedRatings":400,"LensModel":"Petzval","Make":"KODAK AG","Model":"Kodak 2"}"#,
                #"{"ExposureTime":"25/10","Make":"Ada","Model":"One","GPSLatitude":"48.5","GPSLongitude":"-11.25"}"#,
                #"{"Make":"#, #"[1,null]"#,
            ]
            let entries = facts.enumerated().map { index, text in
                LedgerEntry.sample(index + 1).with { $0.receipt?.exif = text }
            }
            let expected = [
                ["Taken\n2024-05-06 07:08:10", "Camera\nKodak 2", "Lens\nPetzval", "1/250 s, f/2.8, ISO 400, 85 mm"],
                ["Camera\nAda One", "Exposure\n2.5 s", "Place\n48.5, -11.25"], [], [],
            ]
            try await withGallery(of: entries) { page in
                for (index, texts) in expected.enumerated() {
                    try await page.open("#/photo/\(index + 1)")
                    try await page.waitForDetail(of: index + 1)
                    let text: String = try await page.browser.value("document.getElementById('sheet').innerText")
                    for fact in texts { #expect(text.contains(fact), "\(text)") }
                    #expect(text.contains("Camera") == !texts.isEmpty, "\(text)")
                }
            }
        }

        @Test("A place is a dot on a map of the world, which needs no network") func map() async throws {
            let entry = LedgerEntry.sample(1).with {
                $0.receipt?.exif = #"{"GPSLatitude":"-33.86","GPSLongitude":"151.21"}"#
            }
            try await withGallery(of: [entry]) { page in
                try await page.open("#/photo/1")
                try await page.waitForDetail(of: 1)
                try await page.browser.wait(for: "document.querySelector('.map img')?.naturalWidth === 720")
                // The dot's centre, in percent of the map.
                let dot: [Double] = try await page.browser.value(
                    """
                    (() => {
                        const map = document.querySelector('.map img').getBoundingClientRect();
                        const dot = document.querySelector('.map i').getBoundingClientRect();
                        return [
                            100 * (dot.left + dot.width / 2 - map.left) / map.width,
                            100 * (dot.top + dot.height / 2 - map.top) / map.height,
                        ];
                    })()
                    """)
                #expect(abs(dot[0] - 92) < 0.5 && abs(dot[1] - 68.8) < 0.5, "\(dot)")
            }
        }

        @Test("An original that browsers cannot show is offered as a download, with the largest thumbnail")
        func download() async throws {
            try await withGallery(of: [LedgerEntry.sample(1).with { $0.receipt?.format = "nef" }]) { page in
                try await page.open("#/photo/1")
                try await page.waitForDetail(of: 1)
                try await page.browser.wait(for: "document.querySelector('.sharp.there')?.naturalWidth > 0")
                let shown: String = try await page.browser.value("document.querySelector('.sharp').getAttribute('src')")
                #expect(shown.hasPrefix("thumbs/"))
                let link = "document.querySelector('#sheet a[download]')"
                #expect(try await page.browser.value("\(link).textContent", as: String.self) == "Download original")
                #expect(
                    try await page.browser.value("\(link).getAttribute('href')", as: String.self) == "originals/1.png")
            }
        }

        @Test("Back closes the detail view, and forward opens it again") func goesBack() async throws {
            try await withGallery(of: samples(12)) { page in
                try await page.open()
                try await page.browser.click("[data-place=\"4\"]")
                try await page.waitForDetail(of: 5)
                try await page.browser.run("history.back()")
                try await page.browser.wait(for: "!document.getElementById('detail').open")
                try await page.browser.run("history.forward()")
                try await page.waitForDetail(of: 5)
            }
        }

        @Test(
            "Escape returns to the gallery, also from a zoomed photo, after a reload and if it is pressed twice",
            arguments: ["zoom", "reload", "deep link", "twice", "forward"])
        func staysInGallery(way: String) async throws {
            try await withGallery(of: samples(12)) { page in
                let browser = page.browser
                try await browser.open("about:blank")
                try await page.open(way == "deep link" ? "#/photo/5" : "")
                if way != "deep link" { try await browser.click("[data-place=\"4\"]") }
                try await page.waitForDetail(of: 5)
                switch way {
                case "zoom":
                    try await browser.wait(for: "document.querySelector('.sharp.there')")
                    try await browser.click("#stage")
                    try await browser.wait(for: "document.querySelector('.stage.zoomed')")
                    try await browser.press(.escape)
                    try await browser.wait(for: "!document.querySelector('.stage.zoomed')")
                case "reload":
                    try await browser.run("document.body.dataset.old = 'yes'; location.reload()")
                    try await browser.wait(for: "document.body?.dataset.old === undefined")
                    try await page.waitForDetail(of: 5)
                case "twice": try await browser.press(.escape)
                case "forward":
                    try await browser.run("history.back()")
                    try await browser.wait(for: "!document.getElementById('detail').open")
                    try await browser.run("history.forward()")
                    try await page.waitForDetail(of: 5)
                default: break
                }
                try await browser.press(.escape)
                try await browser.wait(
                    for: "document.getElementById('detail')?.open === false && document.title === 'Sample'")
            }
        }

        @Test("A delayed close event does not close a view that is open again")
        func ignoresDelayedEvent() async throws {
            try await withGallery(of: samples(12)) { page in
                try await page.open("#/photo/5")
                try await page.waitForDetail(of: 5)
                try await page.browser.run(
                    """
                    sluice.leave = () => { document.body.dataset.left = 'yes'; };
                    document.getElementById('detail').dispatchEvent(new Event('close'));
                    """)
                #expect(try await page.browser.value("document.body.dataset.left === undefined"))
            }
        }

        @Test("A click zooms to at least twice the size, centred, and Escape zooms out first") func zooms() async throws
        {
            try await withGallery(of: samples(3)) { page in
                try await page.open("#/photo/2")
                try await page.waitForDetail(of: 2)
                try await page.browser.wait(for: "document.querySelector('.sharp.there')")
                let fit: Double = try await page.browser.value(
                    """
                    ((stage, { naturalWidth, naturalHeight }) => Math.min(
                        stage.clientWidth / naturalWidth, stage.clientHeight / naturalHeight, 4) * naturalWidth)(
                        document.getElementById('stage'), document.querySelector('.sharp'))
                    """)
                try await page.browser.click("#stage")
                try await page.browser.wait(for: "document.querySelector('.stage.zoomed')")
                let sharp = "document.querySelector('.sharp').getBoundingClientRect()"
                try await page.browser.wait(for: "Math.abs(\(sharp).width - \(2 * fit)) < 1")
                // A panorama is lower than the window.
                try await page.browser.run("document.querySelector('.sharp').style.height = '40px'")
                let gaps: [Double] = try await page.browser.value(
                    """
                    ((picture, stage) => [picture.top - stage.top, stage.bottom - picture.bottom])(
                        \(sharp), document.getElementById('stage').getBoundingClientRect())
                    """)
                #expect(gaps[0] > 100 && abs(gaps[0] - gaps[1]) < 2)
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "!document.querySelector('.stage.zoomed')")
                #expect(try await page.browser.value("document.getElementById('detail').open"))
            }
        }

        @Test("A failed photo shows the reason and the command that may download it") func explainsFailure()
            async throws
        {
            try await withGallery(of: [.failed(1, .truncated, "20000 of 30000 bytes")]) { page in
                try await page.open("#/photo/1")
                try await page.waitForDetail(of: 1)
                let text: String = try await page.browser.value("document.querySelector('.why').innerText")
                #expect(text.contains("20000 of 30000 bytes"))
                #expect(text.hasSuffix("sluice mirror --retry=truncated"))
            }
        }

        @Test("An unknown photo shows a message", arguments: ["#/photo/99", "#/photo/0"])
        func knowsNoSuchPhoto(address: String) async throws {
            try await withGallery(of: samples(3)) { page in
                try await page.open(address)
                try await page.browser.wait(for: "document.getElementById('stage').innerText.includes('not found')")
                let number = address.dropFirst("#/photo/".count)
                #expect(try await page.browser.value("document.title") == "Photo \(number) · Sample")
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "!document.getElementById('detail').open")
                // The title follows the address, which the browser changes after the dialog has closed.
                try await page.browser.wait(for: "document.title === 'Sample'")
            }
        }

        @Test("The main colours are shown, and the address and the credit of a photo can be copied") func shares()
            async throws
        {
            let entry = LedgerEntry.sample(1).with { $0.receipt?.placeholder = "GZkKNYZ2eHeJiIiAeHh3lnaGgOcI" }
            try await withGallery(of: [entry]) { page in
                let browser = page.browser
                try await page.open("#/photo/1")
                try await page.waitForDetail(of: 1)
                try await browser.wait(for: "document.querySelector('.palette i')")
                let colors: [String] = try await browser.value(
                    "[...document.querySelectorAll('.palette i')].map((swatch) => getComputedStyle(swatch).backgroundColor)"
                )
                #expect(Set(colors).count == colors.count && (2...6).contains(colors.count))
                try await browser.command("Browser.grantPermissions", ["permissions": ["clipboardReadWrite"]])
                try await browser.run("Object.defineProperty(navigator, 'share', { value: undefined })")
                for (text, copied) in [
                    ("Share", "https://example.org/photos/1"),
                    (
                        "Copy credit",
                        "“Caption 1”, by Author 1, CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), "
                            + "https://example.org/photos/1"
                    ),
                ] {
                    try await browser.run(
                        """
                        window.pressed = [...document.querySelectorAll('.links button')].find((button) =>
                            button.textContent === '\(text)');
                        pressed.click();
                        """)
                    try await browser.wait(for: "pressed.textContent === 'Copied'")
                    #expect(try await browser.value("navigator.clipboard.readText()") == copied)
                }
            }
        }
    }
}
