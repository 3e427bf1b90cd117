// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

/// What going through some pictures once has come to.
public struct ImagingSample: Sendable, Hashable {
    /// Pictures a second, all workers together.
    public var rate: Double
    /// The processors' milliseconds for a picture.
    public var cpu: Double
    /// Pictures a second that the workers would come to if they did nothing but this part; `nil` where it was not done.
    public var decode: Double?
    /// See ``decode``.
    public var resample: Double?
    /// See ``decode``.
    public var encode: Double?

    /// What `count` pictures took `workers`: on the clock, of the processors, and part by part, all of them together.
    init(count: Int, workers: Int, seconds: Double, cpu: Double, _ parts: PictureTimes) {
        func rate(_ time: Duration) -> Double? {
            time > .zero ? Double(count * workers) / (time / .seconds(1)) : nil
        }
        self.rate = Double(count) / max(seconds, 1e-9)
        self.cpu = cpu * 1000 / Double(count)
        (decode, resample, encode) = (rate(parts.decode), rate(parts.resample), rate(parts.encode))
    }
}

/// A setting with all its samples, and the floor's beside them.
public struct ImagingPoint: Sendable, Hashable {
    /// What was measured.
    public var setting: ImagingSetting
    /// What came of it, each time.
    public var samples: [ImagingSample] = []
    /// What the least that it can cost came to, each time; none of the encoder alone, which is its own floor.
    public var floors: [ImagingSample] = []

    /// Pictures a second.
    public var rate: Spread { Spread(samples.map(\.rate)) }

    /// The median of a figure over samples; `nil` where it was not measured.
    func middle(_ samples: [ImagingSample], _ figure: (ImagingSample) -> Double?) -> Double? {
        let values = samples.compactMap(figure)
        return values.isEmpty ? nil : median(values)
    }
}

extension ImagingPoint {
    func write(to json: inout JSONWriter) {
        json.member("name", setting.name)
        rate.write(to: &json)
        if let cpu = middle(samples, \.cpu) { json.member("cpu_ms", decimal: cpu) }
        json.member("parts", object: { write(samples, to: &$0) })
        guard let floor = middle(floors, \.rate) else { return }
        json.member(
            "floor",
            object: { json in
                json.member("rate", decimal: floor)
                write(floors, to: &json)
            })
    }

    private func write(_ samples: [ImagingSample], to json: inout JSONWriter) {
        let parts = [("decode", \ImagingSample.decode), ("resample", \.resample), ("encode", \.encode)]
        for (name, part) in parts {
            if let rate = middle(samples, { $0[keyPath: part] }) { json.member(name, decimal: rate) }
        }
    }
}
