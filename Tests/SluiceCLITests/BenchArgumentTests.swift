// SPDX-License-Identifier: MIT

import SluiceBench
import Testing

@testable import SluiceCLI

@Suite("Bench arguments") struct BenchArgumentTests {
    private func words(_ line: String) throws -> BenchWords {
        try Parser.parse(line.split(separator: " ").map(String.init)).options.bench
    }

    @Test("A sweep is what the line says")
    func sweep() throws {
        let sweep = try words(
            "bench loader -j 8,1,8 --per-host 2 --thumbnails none,256 --workers 1,2 --latency 5ms --jitter none "
                + "--bandwidth none --per-connection 1M --loss 0.5% --images 9 --bytes 4k --seed 7 --repeat 3"
        ).loader
        #expect(sweep.concurrency == [1, 8] && sweep.perHost == [2])
        #expect(sweep.thumbnails == [nil, 256] && sweep.workers == [1, 2])
        #expect(sweep.origin.latency == .milliseconds(5) && sweep.origin.jitter == .zero)
        #expect(sweep.origin.bandwidth == nil && sweep.origin.perConnection == 1 << 20)
        #expect(sweep.origin.loss == 0.005 && sweep.origin.images == 9 && sweep.origin.bytes == 4096)
        #expect(sweep.origin.seed == 7 && sweep.repeats == 3)
        // How many decode at once is varied only where anything is decoded.
        #expect(sweep.settings.count == 2 + 4)
    }

    @Test("auto is measured unless other numbers are named, and beside those where it is among them")
    func auto() throws {
        #expect(try words("bench loader").loader.auto == 16...256)
        #expect(try words("bench loader -j 1,4").loader.auto == nil)
        let both = try words("bench loader -j 4,auto,1").loader
        #expect(both.auto == 16...256 && both.concurrency == [1, 4])
        #expect(both.settings.map(\.adaptsFrom) == [nil, nil, 16])
        let alone = try words("bench loader -j auto").loader
        #expect(alone.settings.map(\.concurrency) == [256])
    }

    @Test("Faults take the default's place, and add to each other")
    func faults() throws {
        #expect(try words("bench loader").loader.origin.faults == [BenchFault(share: 0.05, kind: .timeout)])
        #expect(try words("bench loader --fault none").loader.origin.faults == [])
        let two = try words("bench loader --fault 10%:503 --fault 1%:cut").loader.origin.faults
        #expect(two == [BenchFault(share: 0.1, kind: .unavailable), BenchFault(share: 0.01, kind: .cut)])
    }

    @Test("Results go into as many files as are named")
    func exports() throws {
        let exports = try words("bench loader --export-json a --export-html b --export-csv -").exports
        #expect(exports.map(\.format) == [.json, .html, .csv])
        #expect(exports.map(\.file) == ["a", "b", "-"])
    }

    @Test("What became slower ends a comparison with 3, and the table of exit codes says so")
    func slower() throws {
        #expect(ExitCode.slower.number == 3)
        let meaning = try #require(ExitCode.meanings.first { $0.numbers == "3" }?.meaning)
        #expect(meaning.contains("photos failed") && meaning.contains("`bench compare`"))
    }

    @Test(
        "Sentences",
        arguments: [
            ("bench", "bench needs a loader|replay|imaging|compare, as in: sluice bench loader"),
            ("bench loadr", "bench loadr: takes loader, replay, imaging or compare (did you mean loader?)"),
            (
                "bench loader -j 0",
                "-j 0: takes whole numbers from 1 to 4096 with commas between them, such as 1,4,16"
            ),
            (
                "bench loader --fault 5%:tmeout",
                "--fault 5%:tmeout: takes none, or a share and what goes wrong with it, such as 5%:timeout, of timeout, stall, cut, close, 503, 429, 404"
            ),
            ("bench imaging --formats gif", "--formats gif: takes jpeg, png or webp"),
        ])
    func refusals(line: String, sentence: String) throws {
        let error = #expect(throws: UsageError.self) { try words(line) }
        #expect(error?.message.hasPrefix(sentence) == true, "\(error?.message ?? "")")
    }
}
