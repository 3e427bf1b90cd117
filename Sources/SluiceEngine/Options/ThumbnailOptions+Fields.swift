// SPDX-License-Identifier: MIT

package import SluiceImaging
internal import SluiceModel

extension ThumbnailOptions: OptionGroup {
    /// Every field of the options; decode workers receive all of them.
    ///
    /// Those with ``OptionEffects/files`` determine the bytes of a thumbnail and are in its fingerprint. The sizes, the
    /// limits and the treatment of damage are not, because they only determine whether there is a thumbnail. The
    /// decoder is not, because all decoders give the same pixels.
    package static let fields: [OptionField<ThumbnailOptions>] = [
        OptionField(worker: "sizes", \.sizes, .files, ledger: .constant("sizes:[]")),
        OptionField(worker: "fit", \.fit, .files, ledger: .always("fit")),
        OptionField(worker: "gravity", \.gravity, .files, ledger: .always("gravity")),
        OptionField(worker: "enlarge", \.enlarges, .files, ledger: .always("enlarges")),
        OptionField(worker: "only-shrink", \.onlyShrinks, .files, ledger: .ifChanged("onlyShrinks")),
        OptionField(worker: "background", \.background, .files, ledger: .always("background")),
        OptionField(worker: "kernel", \.kernel, .files, ledger: .always("kernel")),
        OptionField(
            worker: "sharpen", \.sharpen, .files, ledger: .always("sharpen"), text: { "\(Int(rounding: $0 * 100))" }),
        OptionField(worker: "quality-mode", \.qualityMode, .files, ledger: .always("qualityMode")),
        OptionField(worker: "linear", \.isLinear, .files, ledger: .always("isLinear")),
        OptionField(worker: "profile", \.profile, .files, ledger: .always("profile")),
        OptionField(
            worker: "keep", \.keptMetadata, .files, ledger: .always("keeps"),
            ledgerValue: { $0.isEmpty ? "[]" : "(\($0.map { ":\($0.rawValue)" }.sorted().joined(separator: ",")))" }),
        OptionField(worker: "format", \.format, .files, ledger: .always("format")),
        OptionField(worker: "quality", \.quality, .files, ledger: .always("quality")),
        OptionField(worker: "target-score", \.targetScore, .files, ledger: .ifChanged("targetScore")),
        OptionField(worker: "progressive", \.isProgressive, .files, ledger: .always("isProgressive")),
        OptionField(worker: "subsampling", \.subsampling, .files, ledger: .always("subsampling")),
        OptionField(worker: "lossless", \.isLossless, .files, ledger: .always("isLossless")),
        OptionField(
            worker: "max-kb", \.maxBytes, .files, ledger: .always("maxBytes"),
            text: { $0.map { "\($0 >> 10)" } }, ledgerValue: { $0.map { "(some:\($0))" } ?? "nil" }),
        OptionField(worker: "salvage", \.salvages, .files, ledger: .constant("salvages:false")),
        OptionField(
            worker: "max-pixels", \.limits.pixels, .files,
            ledger: .constant("limits:(pixels:100000000,scans:100,memory:536870912,seconds:20.0)")),
        OptionField(worker: "decode-timeout", \.limits.seconds, text: { "\($0)s" }),
        OptionField(worker: nil, \.limits.scans),
        OptionField(worker: nil, \.limits.memory),
        OptionField(worker: "speed", \.speed, .files, ledger: .ifChanged("speed")),
        OptionField(worker: "animated", \.animation, .files, ledger: .ifChanged("animation")),
        OptionField(worker: "max-frames", \.maxFrames, .files, ledger: .ifChanged("maxFrames")),
        OptionField(worker: "max-duration", \.maxMilliseconds, .files, ledger: .ifChanged("maxMilliseconds")),
        OptionField(worker: "hdr", \.dynamicRange, .files, ledger: .ifChanged("dynamicRange")),
        OptionField(worker: "decoder", \.decoder),
        OptionField(worker: nil, \.acceptsMissingEnd),
        OptionField(worker: nil, \.sampling),
        OptionField(worker: "allow-format", \.allowedFormats),
    ]

    /// Identifies the options that determine the bytes of a thumbnail; receipts store it.
    ///
    /// A run makes every thumbnail again whose fingerprint differs.
    package var fingerprint: String {
        Fingerprint("(\(ledgerTexts(affecting: .files, separator: ":").joined(separator: ",")))").text
    }
}

extension ThumbnailSize: OptionValue {}
extension ThumbnailOptions.Fit: OptionValue, WorkerCodable {}
extension ThumbnailOptions.Gravity: OptionValue, WorkerCodable {}
extension ThumbnailOptions.Kernel: OptionValue, WorkerCodable {}
extension ThumbnailOptions.QualityMode: OptionValue, WorkerCodable {}
extension ThumbnailOptions.Decoder: OptionValue, WorkerCodable {}
extension ThumbnailOptions.Profile: OptionValue, WorkerCodable {}
extension ThumbnailOptions.DynamicRange: OptionValue, WorkerCodable {}
extension ThumbnailOptions.Animation: OptionValue, WorkerCodable {}
extension ThumbnailOptions.Sampling: OptionValue, WorkerCodable {}

extension ThumbnailOptions.Metadata: OptionValue, WorkerElement {
    static var placeholder: Self { .exif }
}

extension ThumbnailOptions.Format: OptionValue, WorkerCodable {
    package var optionText: String { rawValue }
}

extension ImageFormat: OptionValue, WorkerElement {
    package var optionText: String { name }
    static var placeholder: Self { .jpeg }
}

extension BackgroundColor: OptionValue {
    package var ledgerText: String { "(red:\(red),green:\(green),blue:\(blue),alpha:\(alpha))" }
}

extension ThumbnailOptions.Subsampling: OptionValue, WorkerCodable {
    package var ledgerText: String {
        switch self {
        case .half: "half"
        case .columns: "columns"
        case .full: "full"
        }
    }
}
