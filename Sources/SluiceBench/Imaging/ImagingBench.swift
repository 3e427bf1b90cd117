// SPDX-License-Identifier: MIT

internal import Dispatch
public import SluiceImaging
internal import SluiceModel

/// What a bench of imaging varies, and how it is measured.
public struct ImagingBenchOptions: Sendable, Hashable {
    /// The formats.
    public var formats: [ImageFormat] = [.jpeg, .png, .webp]
    /// The pictures' widths.
    public var widths = [1080, 3000]
    /// What time is spent on quality.
    public var modes = ThumbnailOptions.QualityMode.allCases
    /// How many pictures are worked on at once.
    public var workers: [Int] = []
    /// The side of the thumbnails.
    public var side = 256
    /// How often each setting is measured.
    public var repeats = 5
    /// Decides what the pictures show.
    public var seed = 1
    /// How long a sample takes, about.
    public var time = Duration.milliseconds(300)

    /// Makes the defaults.
    public init() {}

    /// Every setting, in the order of the results.
    public var settings: [ImagingSetting] {
        let counts = workers.isEmpty ? Array(Set([1, Host.own.cores])).sorted() : workers
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

/// A setting with all its samples.
public struct ImagingPoint: Sendable, Hashable {
    /// What was measured.
    public var setting: ImagingSetting
    /// Pictures a second, each time.
    public var rates: [Double]
    /// The processors' milliseconds for a picture, each time.
    public var cpu: [Double]

    /// Pictures a second.
    public var rate: Spread { Spread(rates) }
}

/// How fast pictures are made of pictures: each setting again and again, in an order that is shuffled in each round.
public struct ImagingBench: Sendable {
    private let options: ImagingBenchOptions

    /// Describes a bench.
    public init(_ options: ImagingBenchOptions) { self.options = options }

    /// Measures all; between two samples it asks `goesOn`, and gives what it has when that says no.
    public func run(
        telling tell: (BenchProgress) -> Void = { _ in }, goesOn: () -> Bool = { true }
    ) throws(BenchError) -> ImagingReport {
        let settings = options.settings
        let pictures = try TestPictures(options)
        var points = settings.map { ImagingPoint(setting: $0, rates: [], cpu: []) }
        // Once all to warm up, which also tells how many pictures fill a sample's time.
        var counts: [Int] = []
        for setting in settings {
            guard goesOn() else { break }
            tell(BenchProgress(number: 0, count: settings.count * options.repeats, label: "warm-up, \(setting.name)"))
            let once = try sample(setting, pictures, count: TestPictures.count)
            counts.append(max(TestPictures.count, Int(once.rate * options.time.seconds)))
        }
        var chance = Chance(seed: UInt64(truncatingIfNeeded: options.seed))
        var number = 0
        for _ in 0..<options.repeats {
            for place in counts.indices.shuffled(using: &chance) {
                guard goesOn() else { break }
                number += 1
                tell(
                    BenchProgress(number: number, count: settings.count * options.repeats, label: settings[place].name))
                let sample = try sample(settings[place], pictures, count: counts[place])
                points[place].rates.append(sample.rate)
                points[place].cpu.append(sample.cpu)
            }
        }
        return ImagingReport(
            host: .own, side: options.side, seed: options.seed, points: points.filter { !$0.rates.isEmpty })
    }

    private func sample(
        _ setting: ImagingSetting, _ pictures: TestPictures, count: Int
    ) throws(BenchError) -> (rate: Double, cpu: Double) {
        let work = try pictures.work(setting, side: options.side)
        let left = Locked(count)
        let failures = Locked(0)
        let (start, cpu) = (ContinuousClock.now, OwnCost.cpu)
        let lanes = DispatchGroup()
        for lane in 0..<setting.workers {
            DispatchQueue(label: "sluice.bench.imaging.\(lane)").async(group: lanes) {
                while let number = left.withLock({ left -> Int? in
                    left -= 1
                    return left >= 0 ? left : nil
                }) {
                    if !work(number) { failures.withLock { $0 += 1 } }
                }
            }
        }
        lanes.wait()
        let time = (ContinuousClock.now - start).seconds
        guard failures.withLock({ $0 }) == 0 else {
            throw BenchError(.broken, "\(setting.name) failed on a picture of ours")
        }
        return (Double(count) / max(time, 1e-9), (OwnCost.cpu - cpu) * 1000 / Double(count))
    }
}
