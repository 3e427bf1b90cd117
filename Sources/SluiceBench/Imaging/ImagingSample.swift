// SPDX-License-Identifier: MIT

package import SluiceImaging
internal import SluiceModel

/// The result of processing a number of pictures once.
package struct ImagingSample: Sendable, Hashable {
    /// The rate of all workers together, in pictures per second.
    package var rate: Double
    /// The CPU time per picture, in milliseconds.
    package var cpu: Double
    /// The rate if the workers did nothing but decode, in pictures per second; `nil` if they did not decode.
    package var decode: Double?
    /// The rate if the workers did nothing but resample; `nil` if they did not resample.
    package var resample: Double?
    /// The rate if the workers did nothing but encode; `nil` if they did not encode.
    package var encode: Double?

    /// Creates a sample of `count` pictures from the elapsed time and the CPU time, both in seconds, and the parts'
    /// times summed over all workers.
    init(count: Int, workers: Int, seconds: Double, cpu: Double, _ parts: ImagingTimes) {
        func rate(_ time: Duration) -> Double? {
            time > .zero ? Double(count * workers) / (time / .seconds(1)) : nil
        }
        self.rate = Double(count) / max(seconds, 1e-9)
        self.cpu = cpu * 1000 / Double(count)
        (decode, resample, encode) = (rate(parts.decode), rate(parts.resample), rate(parts.encode))
    }
}

/// A setting with its samples and the floor's samples.
package struct ImagingPoint: Sendable, Hashable {
    /// The measured setting.
    package var setting: ImagingSetting
    /// The samples in the order in which they were taken.
    package var samples: [ImagingSample] = []
    /// The samples of the codec alone; empty for encoding, which is its own floor.
    package var floors: [ImagingSample] = []

    /// The rate in pictures per second.
    package var rate: SampleStatistics { SampleStatistics(samples.map(\.rate)) }

    /// Returns the median of a measurement over samples; `nil` if it was not taken.
    func medianValue(of figure: (ImagingSample) -> Double?, in samples: [ImagingSample]) -> Double? {
        let values = samples.compactMap(figure)
        return values.isEmpty ? nil : median(values)
    }
}

extension ImagingPoint {
    func write(to json: inout JSONWriter) {
        json.member("name", setting.name)
        rate.write(to: &json)
        if let cpu = medianValue(of: \.cpu, in: samples) { json.member("cpu_ms", decimal: cpu) }
        json.object("parts") { write(samples, to: &$0) }
        guard let floor = medianValue(of: \.rate, in: floors) else { return }
        json.object("floor") { json in
            json.member("rate", decimal: floor)
            write(floors, to: &json)
        }
    }

    private func write(_ samples: [ImagingSample], to json: inout JSONWriter) {
        let parts = [("decode", \ImagingSample.decode), ("resample", \.resample), ("encode", \.encode)]
        for (name, part) in parts {
            if let rate = medianValue(of: { $0[keyPath: part] }, in: samples) { json.member(name, decimal: rate) }
        }
    }
}

/// The work and options that an imaging benchmark varies.
package struct ImagingSetting: Sendable, Hashable {
    /// The measured work.
    package enum Work: String, Sendable, Hashable, CaseIterable {
        /// Decoding, resampling and encoding.
        case thumbnail
        /// Encoding a picture's pixels at full size.
        case encode
    }

    /// The measured work.
    package var work: Work
    /// The format to decode, or to encode if only encoding is measured.
    package var format: ImageFormat
    /// The picture's width in pixels.
    package var width: Int
    /// The quality mode.
    package var mode: ThumbnailOptions.QualityMode
    /// The number of workers.
    package var workers: Int

    /// The name in exported results; comparisons match points by it.
    var name: String {
        let modeName = work == .thumbnail ? "\(mode.rawValue), " : ""
        return
            "\(work.rawValue) \(format.name) \(width), \(modeName)\(workers == 1 ? "1 worker" : "\(workers) workers")"
    }
}
