// SPDX-License-Identifier: MIT

import CSluice
import SluiceDemo
import SluiceFeeds
import SluiceFiles
import SluiceGallery
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import SluiceParquet
import SluiceStore
import SluiceTransfer

/// Parsing and writing JSON.
func modelBenchmarks() -> [Benchmark] {
    let bytes = Samples.json
    let receipt = Samples.receipt("a-lake")
    return [
        Benchmark("model: parse JSON, a page of 30 photos", 30, "photos") { keep(try JSON(parsing: bytes)) },
        Benchmark("model: write JSON, a line of 12 members", 1, "lines") {
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

/// Reading and filtering lists.
func feedBenchmarks(in path: String) throws -> [Benchmark] {
    let lines = 5000
    let text = (0..<lines).map { "https://photos.example/\($0).jpg\n" }.joined()
    let table =
        "url,id,caption\n" + (0..<lines).map { "https://photos.example/\($0).jpg,\($0),\"A lake, at dawn\"\n" }.joined()
    try Folder(path).write(Array(text.utf8), to: "list.txt")
    try Folder(path).write(Array(table.utf8), to: "list.csv")
    let transfers = Transfers(TransferOptions(userAgent: "Sluice/micro"), pool: WorkPool(width: 1, backlog: 1))
    func reading(_ name: String) throws -> () async throws -> Void {
        let source = try Source("\(path)/\(name)")
        return {
            var walk = PageWalker(try source.feeds(through: transfers, options: FeedOptions())[0].feed)
            while let page = try await walk.nextPage(token: CancellationToken()) { keep(page) }
        }
    }
    let filter = try Filter("width>=2000 && (caption~lake || author=Ada)")
    let photos = (0..<1000).map(Samples.photo)
    return [
        Benchmark("feeds: read a list of URLs", lines, "lines", try reading("list.txt")),
        Benchmark("feeds: read a CSV list", lines, "rows", try reading("list.csv")),
        Benchmark("feeds: filter photos", photos.count, "photos") {
            for photo in photos { keep(filter.accepts(photo)) }
        },
    ]
}

/// The pool with empty work items, and the concurrency controller.
func transferBenchmarks() -> [Benchmark] {
    let items = 2000
    return [
        Benchmark("transfer: schedule items in a pool of 64 slots and 50 hosts", items, "items") {
            let pool = WorkPool(width: 64, backlog: 64)
            for number in 0..<items {
                await pool.waitForRoom()
                pool.submit(host: "h\(number % 50).test", work: { _ in }, dropped: { _ in })
            }
            await pool.waitUntilIdle()
        },
        Benchmark("transfer: rounds of the concurrency controller", 1000, "rounds") {
            var controller = ConcurrencyController(from: 16, upTo: 256)
            for number in 0..<1000 {
                let items = 400 + number % 7
                keep(controller.record(ConcurrencyController.Round(seconds: 0.5, items: items, bytes: items * 130_000)))
            }
        },
    ]
}

/// The resampling kernels, and a whole thumbnail.
func imagingBenchmarks() throws -> [Benchmark] {
    let picture = GeneratedPicture(number: 7).bitmap(width: 1080)
    let file = try ImageEncoder(.jpeg).encode(picture.rgba, width: picture.width, height: picture.height)
    let thumbnailer = Thumbnailer()
    let (taps, samples, narrow) = (8, 1080 * 3, 256)
    let slack = Int(csluice_padding)
    let pairs = [UInt16](repeating: 0x4080, count: (samples + slack) * taps)
    let weights = [Int16](repeating: 1024, count: taps * 2)
    var mixed = [Int16](repeating: 0, count: samples + slack)
    let firsts = (0..<Int32(narrow + slack)).map { min($0 * 4, 1000) }
    let narrowing = [Int16](repeating: 1024, count: (narrow + slack) * 16)
    var row = [UInt8](repeating: 0, count: narrow + slack)
    return [
        Benchmark("imaging: mix 8 pairs of rows, 1080 pixels", 1080, "pixels") {
            pairs.withUnsafeBufferPointer { pairs in
                guard let rows = pairs.baseAddress else { return }
                let ring = csluice_ring(rows: rows, stride: samples + slack, capacity: taps)
                csluice_vertical_int(ring, 0, weights, taps, &mixed, samples)
            }
            keep(mixed[0])
        },
        Benchmark("imaging: narrow a row from 1080 to 256, 16 taps", narrow, "samples") {
            csluice_horizontal_int(mixed, firsts, narrowing, 16, &row, narrow)
            keep(row[0])
        },
        Benchmark("imaging: make a thumbnail of 256 from a JPEG of 1080", 1, "thumbnails") {
            keep(try thumbnailer.thumbnails(of: file))
        },
    ]
}

/// Writing and reading lists and manifests as Parquet, without flushing to disk.
func parquetBenchmarks(in path: String) throws -> [Benchmark] {
    let folder = try Folder("\(path)/parquet", create: true)
    let (rows, name) = (50_000, "list.parquet")
    let columns = [
        ParquetColumn("url", .text), ParquetColumn("caption", .text), ParquetColumn("width", .integer),
        ParquetColumn("height", .integer), ParquetColumn("license", .text),
    ]
    let texts = (0..<rows).map { number in
        (url: "https://photos.example/\(number &* 2_654_435_761)/raw.jpg", caption: Samples.photo(number).caption)
    }
    let writing = {
        var writer = try ParquetWriter(columns, to: NewFile(name, in: folder))
        for (number, text) in texts.enumerated() {
            writer.add(text.url)
            writer.add(text.caption)
            writer.add(number % 4000)
            writer.add(number % 3000)
            writer.add("CC BY 4.0")
            try writer.endRow()
        }
        try writer.finish().finish(flushed: false)
    }
    try writing()
    let entries = (1...5000).map { number in
        let item = Item(seq: number, feed: "micro", page: number / 30, photo: Samples.photo(number))
        return LedgerEntry(item: item, receipt: Samples.receipt("\(number)"))
    }
    let list = try Source("\(path)/parquet/\(name)")
    let transfers = Transfers(TransferOptions(userAgent: "Sluice/micro"), pool: WorkPool(width: 1, backlog: 1))
    return [
        Benchmark("parquet: write rows of 5 columns", rows, "rows", writing),
        Benchmark("parquet: read rows of 5 columns", rows, "rows") {
            var reader = try ParquetReader(.reading("\(path)/parquet/\(name)", followsLink: true))
            try reader.select(reader.fields)
            while let row = try reader.next() { keep(row) }
        },
        Benchmark("feeds: read a Parquet list", rows, "rows") {
            var walk = PageWalker(try list.feeds(through: transfers, options: FeedOptions())[0].feed)
            while let page = try await walk.nextPage(token: CancellationToken()) { keep(page) }
        },
        Benchmark("ledger: write a manifest with Parquet", entries.count, "photos") {
            var manifest = try ManifestWriter(in: LocalStore(folder), withParquet: true)
            for entry in entries { try manifest.add(entry) }
            try manifest.finish()
        },
    ]
}

/// Claims, names and batches of receipts, without flushing to disk.
func ledgerBenchmarks(in path: String) throws -> [Benchmark] {
    let folder = try Folder("\(path)/ledger", create: true)
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
        Benchmark("ledger: claim new photos", 100, "photos") { keep(try ledger.claim(page(100), in: run)) },
        Benchmark("ledger: claim new photos with a name template", 100, "photos") {
            keep(try ledger.claim(page(100), in: run, naming: naming))
        },
        Benchmark("ledger: record receipts in batches of 64", 64, "receipts") {
            try ledger.record(ends, flushed: false)
        },
        Benchmark("ledger: default file names", items.count, "names") {
            for item in items { keep(FileStem(for: item)) }
        },
    ]
}

/// Writing a gallery of 2,000 photos with all its files.
func galleryBenchmarks(in path: String) throws -> [Benchmark] {
    let entries = (1...2000).map { number in
        let item = Item(seq: number, feed: "micro", page: number / 30, photo: Samples.photo(number))
        return LedgerEntry(item: item, receipt: Samples.receipt("\(number)"))
    }
    var count = 0
    return [
        Benchmark("gallery: write a new gallery of 2,000 photos", entries.count, "photos") {
            count += 1
            let folder = try Folder("\(path)/gallery-\(count)", create: true)
            var options = GalleryOptions(title: "micro")
            options.flushed = false
            var writer = GalleryWriter(into: LocalStore(folder), options: options)
            for entry in entries { try writer.add(entry) }
            keep(try writer.finish())
        }
    ]
}
