// SPDX-License-Identifier: MIT

import Foundation
import SluiceBench
import SluiceFeeds
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceCLI
@testable import SluiceDatasets
@testable import SluiceEngine

@Suite("Parser", .timeLimit(.minutes(10))) struct ParserTests {
    private func options(_ line: String) throws -> RawOptions {
        try Parser.parse(line.split(separator: " ").map(String.init)).options
    }

    @Test("Every option of mirror sets its field, with an attached or a separate value")
    func fields() throws {
        let line =
            "mirror demo -p 3 --per-page=9 --max-items 7 --variant small --order popular --sizes 256,x200 --fit cover "
            + "--format webp --quality 70 --max-pixels 5M -j8 --per-host 2 --timeout 500ms --retries 0 --max-bytes 2k "
            + "--user-agent me --header A:1 --header B:2 -o out --no-originals --no-gallery -q --json --color never"
        let options = try options(line)
        let mirror = options.mirror
        #expect(mirror.pages == 3 && mirror.perPage == 9 && mirror.maxItems == 7)
        #expect(mirror.variant == "small" && mirror.order == "popular")
        #expect(mirror.thumbnails.sizes.map(\.description) == ["256", "x200"])
        #expect(mirror.thumbnails.fit == .cover && mirror.thumbnails.format == .webp)
        #expect(mirror.thumbnails.quality == 70 && mirror.thumbnails.limits.pixels == 5_000_000)
        #expect(mirror.concurrency == 8 && mirror.perHost == 2 && mirror.timeout == .milliseconds(500))
        #expect(mirror.retries == 0)
        #expect(mirror.userAgent == "me" && mirror.headers == ["A:1", "B:2"])
        #expect(!mirror.keepsOriginals && !mirror.writesGallery)
        #expect(
            options.output.folder == "out" && options.output.isQuiet && options.output.isJSON && options.color == .never
        )
        #expect(options.positionals == ["demo"])
    }

    @Test("The ledger records options of the mirror, but no secrets and no single-run options")
    func recordedArguments() throws {
        let line =
            "mirror demo -p3 --sizes 64,x200 --no-gallery --gallery --filter width>=9 -o out --json -q --header K:secret "
            + "--proxy http://me:secret@proxy:1 --refresh --color never"
        let request = try MirrorRequest(options(line))
        let wanted = [
            "mirror", "demo", "--pages=3", "--sizes=64,x200", "--no-gallery", "--gallery", "--filter=width>=9",
        ]
        #expect(request.options.commandLine == wanted)
        let again = try MirrorRequest(Parser.parse(wanted).options)
        #expect(again.options.commandLine == wanted && again.options.fingerprint == request.options.fingerprint)
    }

    @Test("mirror and thumbs share their common options; the defaults that differ are known")
    func sharedOptions() throws {
        let flags =
            "--sizes 64 --fit cover --max-bytes 7M --memory 99M --isolate --retry-quarantined --durability each "
            + "--force --no-gallery --title T --trace t.json --metrics m.prom --max-time 9s --drain-timeout 8s"
        var mirror = try MirrorRequest(options("mirror demo -o x \(flags)")).options.run
        var thumbs = try ThumbsRequest(options("thumbs / -o x \(flags)")).options.run
        #expect(mirror.limits.time == .seconds(9) && mirror.retriesQuarantined && mirror.appearance.title == "T")
        #expect(mirror != RunOptions() && mirror.commandLine.dropFirst(2) == thumbs.commandLine.dropFirst(2))
        (mirror.commandLine, thumbs.commandLine) = ([], [])
        #expect(mirror.thumbnails.allowedFormats == [] && thumbs.thumbnails.allowedFormats == ImageFormat.restricted)
        mirror.thumbnails.allowedFormats = thumbs.thumbnails.allowedFormats
        #expect(mirror == thumbs)
        mirror = try MirrorRequest(options("mirror demo -o x")).options.run
        thumbs = try ThumbsRequest(options("thumbs / -o x")).options.run
        #expect((mirror.maxBytes, thumbs.maxBytes) == (64 << 20, 1 << 30))
        #expect(mirror.isolation == .ownWorkers)
        #expect(thumbs.isolation == .workersForRestrictedFormats(executable: Isolation.ownExecutable))
        (mirror.commandLine, thumbs.commandLine) = ([], [])
        (mirror.maxBytes, mirror.isolation) = (thumbs.maxBytes, thumbs.isolation)
        mirror.thumbnails.allowedFormats = thumbs.thumbnails.allowedFormats
        #expect(mirror == thumbs)
    }

    @Test("Files are recorded with absolute paths, service names are not changed")
    func recordedPaths() throws {
        let folder = TemporaryFolder()
        try folder.write([], to: "a.csv")
        let file = "\(folder.path)/./a.csv"
        let request = try MirrorRequest(Parser.parse(["mirror", file, "--ca-file", file]).options)
        let whole = absolutePath(folder.path) + "/a.csv"
        #expect(request.options.commandLine == ["mirror", whole, "--ca-file=\(whole)"])
        #expect(try ThumbsRequest(options("thumbs . - -o x")).options.commandLine == [])
        #expect(try ThumbsRequest(options("thumbs / none -o x")).options.commandLine == ["thumbs", "/", "none"])
    }

    @Test("A quality is a number, or a score for each thumbnail; the last one counts")
    func quality() throws {
        func thumbnails(_ words: String) throws -> ThumbnailOptions {
            try ThumbsRequest(options("thumbs a -o small \(words)")).options.thumbnails
        }
        #expect(try thumbnails("--quality auto").targetScore == 80)
        #expect(try thumbnails("--quality auto:65").targetScore == 65)
        let last = try thumbnails("--quality auto:65 --quality 70")
        #expect(last.targetScore == nil && last.quality == 70)
    }

    @Test("thumbs accepts any number of paths and the thumbnail options of mirror")
    func thumbs() throws {
        let raw = try options("thumbs a b/c - -o small --sizes 64 --format webp -j 3 --no-gallery --quality 70")
        let request = try ThumbsRequest(raw)
        #expect(request.paths == ["a", "b/c", "-"] && request.folder == "small" && request.options.jobs == 3)
        #expect(request.options.thumbnails.sizes.map(\.description) == ["64"])
        #expect(request.options.thumbnails.format == .webp && request.options.thumbnails.quality == 70)
        #expect(!request.options.writesGallery)
    }

    @Test("Options for resampling, colour and metadata")
    func pictures() throws {
        let options = try options("thumbs a --linear --subsampling 422 --profile strip --hdr keep --keep exif,gps")
            .mirror.thumbnails
        #expect(options.isLinear && options.subsampling == .columns && options.profile == .strip)
        #expect(options.keptMetadata == [.exif, .gps] && options.dynamicRange == .keep)
    }

    @Test(
        "--keep icc equals --profile keep, and the last option wins",
        arguments: [
            ("--keep icc", .keep, []), ("--keep icc,copyright", .keep, [.copyright]), ("--profile keep", .keep, []),
            ("--keep icc --profile srgb", .srgb, []), ("--profile strip --keep exif,icc", .keep, [.exif]),
            ("--profile strip --keep exif", .strip, [.exif]), ("--keep exif --keep none", .srgb, []),
        ] as [(String, ThumbnailOptions.Profile, Set<ThumbnailOptions.Metadata>)])
    func kept(_ line: String, profile: ThumbnailOptions.Profile, keeps: Set<ThumbnailOptions.Metadata>) throws {
        let options = try options("thumbs a \(line)").mirror.thumbnails
        #expect(options.profile == profile && options.keptMetadata == keeps)
    }

    @Test("Without options, mirror uses the defaults of the library")
    func defaults() throws {
        let mirror = try options("mirror demo").mirror
        let library = MirrorOptions()
        #expect(mirror.pages == nil && mirror.thumbnails == library.thumbnails)
        #expect(mirror.concurrency == library.concurrency && mirror.timeout == library.timeout)
        #expect(mirror.keepsOriginals && mirror.writesGallery)
    }

    @Test(
        "Short forms of options",
        arguments: [
            ("mirror demo -p3", 3), ("mirror demo -p=3", 3), ("mirror -p 3 demo", 3), ("mirror demo -qp3", 3),
            ("mirror demo --pages 4 --pages 3", 3), ("--color never mirror demo -p 3", 3),
        ])
    func shorthands(_ line: String, pages: Int) throws {
        #expect(try options(line).mirror.pages == pages)
    }

    @Test("A reversing name undoes an option, and the last one wins")
    func undo() throws {
        #expect(try options("mirror demo --no-gallery --gallery").mirror.writesGallery)
        #expect(try !options("mirror demo --gallery --no-gallery").mirror.writesGallery)
    }

    @Test("Arguments after -- are not options, and - is a source")
    func words() throws {
        #expect(try options("mirror -- -p").positionals == ["-p"])
        #expect(try options("mirror -").positionals == ["-"])
    }

    @Test(
        "Durations",
        arguments: [
            ("500ms", 0.5), ("30s", 30), ("1.5m", 90), ("1h", 3600), ("45", 45), ("0.25", 0.25), ("5min", 300),
            ("30sec", 30),
        ])
    func times(_ text: String, seconds: Double) throws {
        #expect(try options("mirror demo --timeout \(text)").mirror.timeout == .seconds(seconds))
    }

    @Test("Only a time for waiting may be zero") func zero() throws {
        #expect(try options("mirror demo --wait 0").mirror.lockTimeout == .zero)
        #expect(throws: UsageError.self) { try options("mirror demo --timeout 0") }
    }

    @Test(
        "Numbers of bytes",
        arguments: [
            ("1", 1), ("25M", 26_214_400), ("1.5k", 1536), ("2G", 2_147_483_648), ("64m", 67_108_864),
            ("5MB", 5_242_880), ("5MiB", 5_242_880), ("1T", 1_099_511_627_776), ("100B", 100),
        ] as [(String, Int)])
    func bytes(_ text: String, count: Int) throws {
        #expect(try options("mirror demo --max-bytes \(text)").decoding.maxBytes == count)
    }

    @Test(
        "Aspect ratios",
        arguments: [("1:2..2:1", 0.5...2.0), ("1.3..1.8", 1.3...1.8), ("1..1", 1.0...1.0), ("1/2..2/1", 0.5...2.0)])
    func aspects(_ text: String, range: ClosedRange<Double>) throws {
        #expect(try options("mirror demo --aspect \(text)").mirror.aspect == range)
    }

    /// People write these, and they were refused.
    @Test("A single aspect ratio allows a difference of 1 percent, and jpg stands for jpeg")
    func commonSpellings() throws {
        let aspect = try #require(try options("mirror demo --aspect 16/9").mirror.aspect)
        #expect(aspect.contains(16.0 / 9) && aspect.contains(1366.0 / 768) && !aspect.contains(1.5))
        #expect(try options("mirror demo --format jpg").mirror.thumbnails.format == .jpeg)
        #expect(try options("export d --recode jpg").dataset.recodedFormat == .jpeg)
        #expect(try options("mirror demo --allow-format heif").mirror.thumbnails.allowedFormats == [.heic])
        #expect(try options("mirror demo --rate 90/min").mirror.network.rate == 1.5)
        #expect(try options("mirror demo --bandwidth 25MB").mirror.network.bandwidth == 25_000_000)
    }

    @Test("Repeatable options accumulate")
    func repeated() throws {
        let line = "mirror demo --allow-port 81 --allow-port 82 --allow-address 10.0.0.1 --resolve a:80:10.0.0.1"
        let network = try options(line).mirror.network
        #expect((network.allowedPorts, network.allowedAddresses) == ([81, 82], ["10.0.0.1"]))
        #expect(network.resolved == ["a:80:10.0.0.1"])
        #expect(try options("mirror demo --min-speed none --http 1.1").mirror.network.minimumSpeed == 0)
    }

    /// The last of several columns was taken without a word.
    @Test("Two different columns for one fact are refused")
    func uniqueValues() throws {
        #expect(try options("mirror l.csv --url-column a --url-column=a").mirror.list.urlColumn == "a")
        let error = #expect(throws: UsageError.self) { try options("mirror l.csv --url-column a --url-column=b") }
        #expect(error?.message == "--url-column takes one name: 'a' or 'b'")
    }

    @Test("Older names of options still work")
    func aliases() throws {
        let line = "mirror demo --least-speed none --drain 3s --leave-deleted"
        let mirror = try options(line).mirror
        #expect(mirror.network.minimumSpeed == 0 && mirror.limits.drain == .seconds(3) && mirror.skipsDeleted)
        #expect(try options("bench loader --longest 3s").bench.loader.maximumSampleTime == .seconds(3))
        #expect(try options(line).recordedArguments(of: .mirror, []).contains("--drain-timeout=3s"))
    }

    @Test("Sizes can be none, and duplicates are dropped")
    func sizes() throws {
        #expect(try options("mirror demo --sizes none").mirror.thumbnails.sizes == [])
        #expect(try options("mirror demo --sizes 64,64x64,32").mirror.thumbnails.sizes.count == 2)
    }

    @Test("auto adapts the concurrency, unless a later option sets a number")
    func concurrency() throws {
        let auto = try options("mirror demo -j auto").mirror
        #expect(auto.adaptsConcurrency && auto.concurrency == MirrorOptions.maximumConcurrency)
        let number = try options("mirror demo -j auto -j 4").mirror
        #expect(!number.adaptsConcurrency && number.concurrency == 4)
    }

    @Test("auto lets the feed choose the variant")
    func variant() throws {
        #expect(try options("mirror demo --variant small --variant auto").mirror.variant == nil)
    }

    @Test(
        "Every upkeep command takes the current folder as its mirror",
        arguments: ["verify", "explain", "gallery", "duplicates", "diff", "serve", "export", "lock", "drift"])
    func currentFolder(_ command: String) throws {
        #expect(try options(command).positionals == ["."])
        #expect(try options("\(command) photos").positionals == ["photos"])
        let flags = Flag.of(CommandName(rawValue: command))
        #expect(flags.contains { $0.long == "config" }, "the settings of the folder apply")
    }

    @Test("Help and version are accepted anywhere, without a source")
    func requests() throws {
        #expect(try options("mirror --help").request == .help(.long))
        #expect(try options("-h").request == .help(.short))
        #expect(try options("--help mirror").request == .help(.long))
        #expect(try Parser.parse(["--help", "mirror"]).command?.name == .mirror)
        #expect(try options("doctor -V").request == .version)
    }
}
