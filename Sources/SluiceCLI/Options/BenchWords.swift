// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench

/// What `bench` can be asked to do.
enum BenchSubject: String, CaseIterable {
    case loader, replay, imaging, compare
}

/// What the command line says of a bench.
struct BenchWords: Sendable {
    /// From how many loads to how many a mirror goes that finds the number by itself.
    static let auto = MirrorOptions.firstWidth...MirrorOptions.mostWidth

    /// How the loader is swept.
    var loader: LoaderBenchOptions = {
        var sweep = LoaderBenchOptions()
        sweep.auto = auto
        return sweep
    }()
    /// How the codecs are measured.
    var imaging = ImagingBenchOptions()
    /// The list whose addresses are loaded in place of the origin's pictures.
    var list: String?
    /// Whether the user agrees that strangers' hosts are asked.
    var agrees = false
    /// The files to write results to, by what they are.
    var exports: [(format: BenchFormat, file: String)] = []
    /// Whether the user named what is swept of concurrency.
    var namesConcurrency = false
    /// Whether the user named faults: the first one takes the place of the default.
    var hasFaults = false
}
