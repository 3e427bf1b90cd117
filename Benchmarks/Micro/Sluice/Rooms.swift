// SPDX-License-Identifier: MIT

import CSluice
import SluiceFeeds
import SluiceFiles
import SluiceGallery
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import SluiceTransfer

/// JSON in and out.
func modelBenchmarks() -> [Benchmark] {
    let bytes = Samples.json
    let receipt = Samples.receipt("a-lake")
    return [
        Benchmark("model: JSON is read, a page of 30 photos", 30, "photos") { keep(try JSON(parsing: bytes)) },
        Benchmark("model: JSON is written, a line of 12 members", 1, "lines") {
            var json = JSONWriter()
            json.object { json in
                for number in 0..<6 { json.member("member\(number)", number) }
                for text in [
                    receipt.url, receipt.finalURL, receipt.color, receipt.phash, receipt.format, "A <b> & \"c\"",
                ] {
                    json.member("text", text)
                }
            }
            keep(json.bytes)
        },
    ]
}

/// Lists, and what is selected of them.
func feedBenchmarks(in place: String) throws -> [Benchmark] {
    let lines = 5000
    let text = (0..<lines).map { "https://photos.example/\($0).jpg\n" }.joined()
    let table =
        "url,id,caption\n" + (0..<lines).map { "https://photos.example/\($0).jpg,\($0),\"A lake, at dawn\"\n" }.joined()
    try Folder(place).write(Array(text.utf8), to: "list.txt")
    try Folder(place).write(Array(table.utf8), to: "list.csv")
    let transfers = Transfers(TransferOptions(userAgent: "Sluice/micro"), pool: WorkPool(width: 1, backlog: 1))
    func reading(_ name: String) throws -> () async throws -> Void {
        let source = try Source("\(place)/\(name)")
        return {
            var walk = Walk(try source.feed(through: transfers, options: FeedOptions()))
            while let page = try await walk.nextPage(token: Token()) { keep(page) }
        }
    }
    let filter = try Filter("width>=2000 && (caption~lake || author=Ada)")
    let photos = (0..<1000).map(Samples.photo)
    return [
        Benchmark("feeds: lines of a list", lines, "lines", try reading("list.txt")),
        Benchmark("feeds: rows of a table", lines, "rows", try reading("list.csv")),
        Benchmark("feeds: a filter looks at photos", photos.count, "photos") {
            for photo in photos { keep(filter.accepts(photo)) }
        },
    ]
}

/// The pool's state machine, with work that is none, and the one that finds its width.
func transferBenchmarks() -> [Benchmark] {
    let items = 2000
    return [
        Benchmark("transfer: items pass a pool of 64 slots and 50 hosts", items, "items") {
            let pool = WorkPool(width: 64, backlog: 64)
            for number in 0..<items {
                await pool.room()
                pool.submit(host: "h\(number % 50).test", work: { _ in }, dropped: { _ in })
            }
            await pool.drained()
        },
        Benchmark("transfer: rounds of the width's controller", 1000, "rounds") {
            var controller = WidthController(from: 16, upTo: 256)
            for number in 0..<1000 {
                let items = 400 + number % 7
                keep(controller.note(WidthController.Round(seconds: 0.5, items: items, bytes: items * 130_000)))
            }
        },
    ]
}

/// The kernels of the resampler, and a thumbnail as a whole.
func imagingBenchmarks() throws -> [Benchmark] {
    let picture = Painting(number: 7).picture(width: 1080)
    let file = try PictureEncoder(.jpeg).encode(picture.rgba, width: picture.width, height: picture.height)
    let thumbnailer = Thumbnailer()
    let (taps, samples, narrow) = (8, 1080 * 3, 256)
    let slack = Int(csluice_slack)
    let pairs = [UInt16](repeating: 0x4080, count: (samples + slack) * taps)
    let weights = [Int16](repeating: 1024, count: taps * 2)
    var mixed = [Int16](repeating: 0, count: samples + slack)
    let firsts = (0..<Int32(narrow + slack)).map { min($0 * 4, 1000) }
    let narrowing = [Int16](repeating: 1024, count: (narrow + slack) * 16)
    var row = [UInt8](repeating: 0, count: narrow + slack)
    return [
        Benchmark("imaging: a row is mixed of 8 pairs, 1080 pixels", 1080, "pixels") {
            pairs.withUnsafeBufferPointer { pairs in
                guard let rows = pairs.baseAddress else { return }
                let ring = csluice_ring(rows: rows, stride: samples + slack, capacity: taps)
                csluice_mix_pairs(ring, 0, weights, taps, &mixed, samples)
            }
            keep(mixed[0])
        },
        Benchmark("imaging: a row of 1080 is narrowed to 256, 16 taps", narrow, "samples") {
            csluice_narrow(mixed, firsts, narrowing, 16, &row, narrow)
            keep(row[0])
        },
        Benchmark("imaging: a thumbnail of 256 of a JPEG of 1080", 1, "thumbnails") {
            keep(try thumbnailer.thumbnails(of: file))
        },
    ]
}

/// Claims, names, and batches of receipts, without the disk's flushes.
func ledgerBenchmarks(in place: String) throws -> [Benchmark] {
    let folder = try Folder("\(place)/ledger", create: true)
    let ledger = try Ledger(in: folder)
    let run = try ledger.beginRun(source: "micro", feed: "micro", options: "", startedAt: 0)
    let naming = try NameTemplate("{feed}/{author}/{caption:40}-{id}.{ext}")
    var number = 0
    func page(_ count: Int) -> Page {
        number += 1
        return Samples.page(number, of: count)
    }
    let known = page(64)
    let claimed = try ledger.claim(known, in: run)
    let ends = claimed.map { (item: $0.item, receipt: Samples.receipt("\($0.item.seq)")) }
    let items = claimed.map(\.item)
    return [
        Benchmark("ledger: new photos are claimed", 100, "photos") { keep(try ledger.claim(page(100), in: run)) },
        Benchmark("ledger: the same, with names by a template", 100, "photos") {
            keep(try ledger.claim(page(100), in: run, naming: naming))
        },
        Benchmark("ledger: receipts in batches of 64", 64, "receipts") { try ledger.record(ends, flushed: false) },
        Benchmark("ledger: the default's stems", items.count, "names") {
            for item in items { keep(FileStem(for: item)) }
        },
    ]
}

/// A gallery of some thousand photos, with all its files.
func galleryBenchmarks(in place: String) throws -> [Benchmark] {
    let entries = (1...2000).map { number in
        let item = Item(seq: number, feed: "micro", page: number / 30, photo: Samples.photo(number))
        return Entry(item: item, receipt: Samples.receipt("\(number)"))
    }
    var count = 0
    return [
        Benchmark("gallery: photos of a new gallery of 2,000", entries.count, "photos") {
            count += 1
            let folder = try Folder("\(place)/gallery-\(count)", create: true)
            var options = GalleryOptions(title: "micro")
            options.flushed = false
            var writer = try GalleryWriter(into: folder, options: options)
            for entry in entries { try writer.add(entry) }
            keep(try writer.finish())
        }
    ]
}
