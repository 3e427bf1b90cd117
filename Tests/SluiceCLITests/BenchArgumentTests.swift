// SPDX-License-Identifier: MIT

import Sluice
import SluiceBench
import SluiceEngine
import SluiceImaging
import Testing

@testable import SluiceCLI

@Suite("Bench arguments", .timeLimit(.minutes(10))) struct BenchArgumentTests {
    private func arguments(_ line: String) throws -> BenchArguments {
        try Parser.parse(line.split(separator: " ").map(String.init)).options[BenchArguments.self]
    }

    @Test("The options set the sweep")
    func sweep() throws {
        let sweep = try arguments(
            "bench loader -j 8,1,8 --per-host 2 --thumbnails none,256 --workers 1,2 --latency 5ms --jitter none "
                + "--bandwidth none --per-connection 1M --loss 0.5% --images 9 --bytes 4k --seed 7 --repeat 3"
        ).loader
        #expect(sweep.concurrency == [1, 8] && sweep.perHost == [2])
        #expect(sweep.thumbnails == [nil, 256] && sweep.workers == [1, 2])
        #expect(sweep.origin.latency == .milliseconds(5) && sweep.origin.jitter == .zero)
        #expect(sweep.origin.bandwidth == nil && sweep.origin.perConnection == 1 << 20)
        #expect(sweep.origin.loss == 0.005 && sweep.origin.images == 9 && sweep.origin.bytes == 4096)
        #expect(sweep.origin.seed == 7 && sweep.repeats == 3)
        // The number of workers varies only for settings with thumbnails.
        #expect(sweep.settings.count == 2 + 4)
    }

    @Test("Every codec can be measured, and every encoder can write thumbnails")
    func formats() throws {
        for format in ImagingBenchOptions.measurableFormats {
            #expect(try arguments("bench imaging --formats \(format.name)").imaging.formats == [format])
        }
        let names = ImageFormat.encodable.map(\.name) + ["auto"]
        let flag = try #require(Flag.all.first { $0.long == "format" && $0.commands.contains(.thumbs) })
        #expect(flag.value?.completion == .words(names))
        for name in names {
            let options = try Parser.parse(["thumbs", "photos", "--format", name]).options
            #expect(options.mirror.thumbnails.format.rawValue == name)
        }
    }

    @Test("auto is measured by default, and next to numbers if it is listed")
    func auto() throws {
        #expect(try arguments("bench loader").loader.auto == 16...256)
        #expect(try arguments("bench loader -j 1,4").loader.auto == nil)
        let both = try arguments("bench loader -j 4,auto,1").loader
        #expect(both.auto == 16...256 && both.concurrency == [1, 4])
        #expect(both.settings.map(\.adaptsFrom) == [nil, nil, 16])
        let alone = try arguments("bench loader -j auto").loader
        #expect(alone.settings.map(\.concurrency) == [256])
    }

    @Test("The first --fault replaces the preset's faults, and further ones accumulate")
    func faults() throws {
        #expect(try arguments("bench loader").loader.origin.faults == [])
        #expect(try arguments("bench loader --network faulty").loader.origin.faults.map(\.share) == [0.02, 0.02, 0.01])
        #expect(try arguments("bench loader --network faulty --fault none").loader.origin.faults == [])
        let one = try arguments("bench loader --network faulty --fault 3%:cut").loader.origin.faults
        #expect(one == [BenchFault(share: 0.03, kind: .cut)])
        let two = try arguments("bench loader --fault 10%:503 --fault 1%:cut").loader.origin.faults
        #expect(two == [BenchFault(share: 0.1, kind: .unavailable), BenchFault(share: 0.01, kind: .cut)])
    }

    @Test(
        "An option replaces its part of the network's preset, before and after --network",
        arguments: [
            "--network mobile --latency 7ms --bandwidth none --loss 0%",
            "--latency 7ms --bandwidth none --loss 0% --network mobile",
        ])
    func networks(words: String) throws {
        let origin = try arguments("bench loader \(words)").loader.origin
        let mobile = OriginProfile(.mobile)
        #expect(origin.network == .mobile && origin.latency == .milliseconds(7))
        #expect(origin.bandwidth == nil && origin.loss == 0)
        #expect(origin.jitter == mobile.jitter && origin.perConnection == mobile.perConnection)
    }

    @Test("The default network loses nothing and fails nowhere, and each preset differs from it")
    func presets() throws {
        #expect(try arguments("bench loader").loader.origin == OriginProfile(.clean))
        #expect(OriginProfile(.clean).loss == 0 && OriginProfile(.clean).faults.isEmpty)
        #expect(Set(NetworkPreset.allCases.map { OriginProfile($0) }).count == NetworkPreset.allCases.count)
    }

    @Test("Results are exported to every named file")
    func exports() throws {
        let exports = try arguments("bench loader --export-json a --export-html b --export-csv -").exports
        #expect(exports.map(\.format) == [.json, .html, .csv])
        #expect(exports.map(\.file) == ["a", "b", "-"])
    }

    @Test("A slower result exits with 3, and the exit codes in help say so")
    func slower() throws {
        #expect(ExitCode.slower.number == 3)
        let meaning = try #require(ExitCode.meanings.first { $0.numbers == "3" }?.meaning)
        #expect(meaning.contains("photos failed") && meaning.contains("`bench compare`"))
    }

    @Test(
        "Invalid arguments are rejected with a specific message",
        arguments: [
            ("bench", "bench needs a loader|replay|imaging|compare, for example: sluice bench loader"),
            (
                "bench loadr",
                "invalid argument 'loadr' for bench: expected loader, replay, imaging or compare (did you mean loader?)"
            ),
            (
                "bench loader -j 0",
                "invalid value '0' for -j: expected comma-separated whole numbers from 1 to 4096, e.g. 1,4,16"
            ),
            (
                "bench loader --fault 5%:tmeout",
                "invalid value '5%:tmeout' for --fault: expected none, or a percentage and a fault, e.g. 5%:timeout "
                    + "(faults: timeout, stall, cut, close, 503, 429, 404)"
            ),
            ("bench imaging --formats gif", "invalid value 'gif' for --formats: expected jpeg, png, webp or avif"),
        ])
    func usageErrors(line: String, message: String) throws {
        let error = #expect(throws: UsageError.self) { try arguments(line) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }
}
