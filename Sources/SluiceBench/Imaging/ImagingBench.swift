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

/// How fast pictures are made of pictures: each setting again and again, in an order that is shuffled in each round, and
/// the least that it can cost right behind it, each time.
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
        var points = settings.map { ImagingPoint(setting: $0) }
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
                points[place].samples.append(try sample(settings[place], pictures, count: counts[place]))
                guard settings[place].work == .thumbnail else { continue }
                points[place].floors.append(try sample(settings[place], pictures, count: counts[place], isFloor: true))
            }
        }
        return ImagingReport(
            host: .own, side: options.side, seed: options.seed, points: points.filter { !$0.samples.isEmpty })
    }

    private func sample(
        _ setting: ImagingSetting, _ pictures: TestPictures, count: Int, isFloor: Bool = false
    ) throws(BenchError) -> ImagingSample {
        let work = pictures.work(setting, side: options.side, isFloor: isFloor)
        let left = Locked(count)
        let total = Locked((failures: 0, times: PictureTimes()))
        let (start, cpu) = (ContinuousClock.now, OwnCost.cpu)
        let lanes = DispatchGroup()
        for lane in 0..<setting.workers {
            DispatchQueue(label: "sluice.bench.imaging.\(lane)").async(group: lanes) {
                var times = PictureTimes()
                var failures = 0
                while let number = left.withLock({ left -> Int? in
                    left -= 1
                    return left >= 0 ? left : nil
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
            throw BenchError(.broken, "\(setting.name) failed on a picture of ours")
        }
        return ImagingSample(
            count: count, workers: setting.workers, seconds: time, cpu: OwnCost.cpu - cpu, times)
    }
}
