// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceImaging
internal import SluiceModel

/// The settings that an imaging benchmark varies, and how it measures them.
package struct ImagingBenchOptions: Sendable, Hashable {
    /// The formats that can be measured, which need a decoder and an encoder.
    package static let measurableFormats = ImageFormat.encodable.filter(\.isDecodable)

    /// The formats.
    package var formats = measurableFormats
    /// The pictures' widths in pixels.
    package var widths = [1080, 3000]
    /// The quality modes.
    package var modes = ThumbnailOptions.QualityMode.allCases
    /// The numbers of workers; empty for 1 and one per core.
    package var workers: [Int] = []
    /// The thumbnail size in pixels.
    package var side = 256
    /// The number of samples per setting.
    package var repeats = 5
    /// The seed of the pictures' content.
    package var seed = 1
    /// The approximate time of a sample.
    package var time = Duration.milliseconds(300)

    /// Creates the default options.
    package init() {}

    /// All settings, in the order of the results.
    package var settings: [ImagingSetting] {
        let counts = workers.isEmpty ? Array(Set([1, BenchMachine.current.cores])).sorted() : workers
        return formats.flatMap { format in
            widths.flatMap { width in
                counts.flatMap { workers in
                    modes.map {
                        ImagingSetting(work: .thumbnail, format: format, width: width, mode: $0, workers: workers)
                    }
                        + [ImagingSetting(work: .encode, format: format, width: width, mode: .good, workers: workers)]
                }
            }
        }
    }
}

/// Measures how fast thumbnails are made and pictures are encoded.
///
/// The order of the settings is shuffled in every round. After each thumbnail sample, the floor is measured: the same
/// work by the codec alone.
package struct ImagingBench: Sendable {
    private let options: ImagingBenchOptions

    /// Creates a benchmark.
    package init(_ options: ImagingBenchOptions) { self.options = options }

    /// Measures all settings; if `shouldContinue` returns `false` between two samples, returns the results so far.
    package func run(
        progress report: (BenchProgress) -> Void = { _ in }, shouldContinue: () -> Bool = { true }
    ) throws(BenchError) -> ImagingReport {
        let settings = options.settings
        let pictures = try TestPictures(options)
        var points = settings.map { ImagingPoint(setting: $0) }
        // The warm-up also determines how many pictures fill a sample's time.
        var counts: [Int] = []
        for setting in settings {
            guard shouldContinue() else { break }
            report(.started(number: 0, count: settings.count * options.repeats, label: "warm-up, \(setting.name)"))
            let once = try sample(setting, pictures, count: TestPictures.count)
            counts.append(max(TestPictures.count, Int(once.rate * options.time.seconds)))
        }
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: options.seed))
        var number = 0
        for _ in 0..<options.repeats {
            for index in counts.indices.shuffled(using: &random) {
                guard shouldContinue() else { break }
                number += 1
                report(
                    .started(number: number, count: settings.count * options.repeats, label: settings[index].name))
                points[index].samples.append(try sample(settings[index], pictures, count: counts[index]))
                guard settings[index].work == .thumbnail else { continue }
                points[index].floors.append(try sample(settings[index], pictures, count: counts[index], isFloor: true))
            }
        }
        return ImagingReport(
            host: .current, side: options.side, seed: options.seed, points: points.filter { !$0.samples.isEmpty })
    }

    private func sample(
        _ setting: ImagingSetting, _ pictures: TestPictures, count: Int, isFloor: Bool = false
    ) throws(BenchError) -> ImagingSample {
        let work = pictures.work(setting, side: options.side, isFloor: isFloor)
        let remaining = Locked(count)
        let total = Locked((failures: 0, times: ImagingTimes()))
        let (start, cpu) = (ContinuousClock.now, ProcessUsage.cpu)
        let lanes = DispatchGroup()
        for lane in 0..<setting.workers {
            DispatchQueue(label: "sluice.bench.imaging.\(lane)").async(group: lanes) {
                var times = ImagingTimes()
                var failures = 0
                while let number = remaining.withLock({ remaining -> Int? in
                    remaining -= 1
                    return remaining >= 0 ? remaining : nil
                }) {
                    if (try? work(number, &times)) == nil { failures += 1 }
                }
                total.withLock { [times, failures] total in
                    total.failures += failures
                    total.times.decode += times.decode
                    total.times.resample += times.resample
                    total.times.encode += times.encode
                }
            }
        }
        lanes.wait()
        let time = (ContinuousClock.now - start).seconds
        let (failures, times) = total.withLock { $0 }
        guard failures == 0 else {
            throw BenchError(.broken, "cannot measure \(setting.name): the codec failed on a generated picture")
        }
        return ImagingSample(
            count: count, workers: setting.workers, seconds: time, cpu: ProcessUsage.cpu - cpu, times)
    }
}
