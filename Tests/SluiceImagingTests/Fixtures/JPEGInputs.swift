// SPDX-License-Identifier: MIT

import CJPEG
import Foundation
import SluiceModel

@testable import SluiceImaging

/// Inputs for tests that compare decodes of JPEGs.
enum JPEGInputs {
    /// A picture whose samples differ between neighbours and components.
    static func image(_ width: Int, _ height: Int, _ layout: PixelLayout = .rgb) -> Raster {
        SampleImages.make(width, height, layout) { x, y in
            let samples = [x * y / 3 + x * 40, (x + y * 2) * 11, x * x / 7 + y * 90].map { UInt8($0 % 256) }
            return layout == .grey ? [samples[0]] : samples
        }
    }

    /// A decode at a scale in eighths.
    static func job(_ file: [UInt8], eighths: Int, cancellation: CancellationCheck = .never) throws -> DecodeJob {
        let header = try ImageHeader(of: ImageInput(file))
        let size = (header.info.width * eighths / 8, header.info.height * eighths / 8)
        return DecodeJob(
            input: ImageInput(file), header: header, minimumSize: (max(1, size.0), max(1, size.1)),
            limits: ImageLimits(), watchdog: DecodeWatchdog(cancellation, seconds: 60))
    }

    /// Returns a copy with one to three wrong bytes, sometimes truncated, or `nil` if its header is large or unusable.
    static func damaged(_ file: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
        var damaged = file
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            damaged[Int.random(in: 2..<file.count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            damaged.removeLast(.random(in: 0..<file.count / 2, using: &random))
        }
        guard let info = try? ImageHeader(of: ImageInput(damaged)).info, info.width < 500, info.height < 500 else {
            return nil
        }
        return damaged
    }
}

/// JPEGs that Sluice's encoder does not write, made with libjpeg.
enum CustomJPEGs {
    /// Encodes an image without alpha; its first channel has `across` times `down` the resolution of the others.
    ///
    /// CMYK images (255 means no ink) are written with Adobe's inversion. With `scans` the file is progressive. Restart
    /// markers follow each `restartInterval` MCUs, unless that is 0.
    static func file(
        _ image: Raster, across: Int32 = 1, down: Int32 = 1, quality: Int32 = 100, scans: [jpeg_scan_info] = [],
        restartInterval: UInt32 = 0
    ) -> [UInt8] {
        let codec = UnsafeMutablePointer<jpeg_compress_struct>.allocate(capacity: 1)
        let errors = UnsafeMutablePointer<jpeg_error_mgr>.allocate(capacity: 1)
        unsafe codec.initialize(to: jpeg_compress_struct())
        unsafe errors.initialize(to: jpeg_error_mgr())
        let script = UnsafeMutableBufferPointer<jpeg_scan_info>.allocate(capacity: scans.count)
        unsafe _ = script.initialize(from: scans)
        var out: UnsafeMutablePointer<UInt8>? = nil
        var count: UInt = 0
        defer {
            unsafe codec.deallocate()
            unsafe errors.deallocate()
            unsafe script.deallocate()
            unsafe free(out)
        }
        unsafe codec.pointee.err = jpeg_std_error(errors)
        unsafe jpeg_CreateCompress(codec, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
        unsafe jpeg_mem_dest(codec, &out, &count)
        unsafe codec.pointee.image_width = UInt32(image.width)
        unsafe codec.pointee.image_height = UInt32(image.height)
        unsafe codec.pointee.input_components = Int32(image.layout.channels)
        unsafe codec.pointee.in_color_space =
            image.layout == .grey ? JCS_GRAYSCALE : image.layout == .cmyk ? JCS_CMYK : JCS_RGB
        unsafe jpeg_set_defaults(codec)
        unsafe jpeg_set_quality(codec, quality, 1)
        unsafe codec.pointee.comp_info[0].h_samp_factor = across
        unsafe codec.pointee.comp_info[0].v_samp_factor = down
        unsafe codec.pointee.restart_interval = restartInterval
        if !scans.isEmpty {
            unsafe codec.pointee.scan_info = UnsafePointer(script.baseAddress)
            unsafe codec.pointee.num_scans = Int32(scans.count)
        }
        unsafe jpeg_start_compress(codec, 1)
        let rowBytes = image.width * image.layout.channels
        for row in 0..<image.height {
            var samples = Array(image.bytes[row * rowBytes..<(row + 1) * rowBytes])
            unsafe samples.withUnsafeMutableBufferPointer { samples in
                var row = samples.baseAddress
                unsafe _ = jpeg_write_scanlines(codec, &row, 1)
            }
        }
        unsafe jpeg_finish_compress(codec)
        unsafe jpeg_destroy_compress(codec)
        return unsafe [UInt8](UnsafeBufferPointer(start: out, count: Int(count)))
    }
}

/// A random order of the scans of a progressive JPEG, in which all bits of all coefficients arrive.
struct ScanScript {
    /// Coefficients of a component; `lowBit` is the lowest bit in the scans so far.
    private struct Band {
        let component: Int32
        let coefficients: ClosedRange<Int32>
        var lowBit: Int32?
    }

    private(set) var scans: [jpeg_scan_info] = []
    private var random: SplitMix64

    /// `joinsComponents` decides whether scans of the first coefficients contain all components.
    init(components: Int32, joinsComponents: Bool, seed: Int) {
        random = SplitMix64(seed: UInt64(seed))
        var lowBit = next(3)
        appendFirst(components, joinsComponents, high: 0, low: lowBit)
        var bands = (0..<components).flatMap { self.bands(of: $0) }
        while lowBit > 0 || !bands.isEmpty {
            if lowBit > 0, next(2) == 0 || bands.isEmpty {
                lowBit -= 1
                appendFirst(components, joinsComponents, high: lowBit + 1, low: lowBit)
            } else {
                let index = Int(next(Int32(bands.count)))
                let (band, low) = (bands[index], bands[index].lowBit.map { $0 - 1 } ?? next(4))
                append([band.component], band.coefficients, high: band.lowBit ?? 0, low: low)
                bands[index].lowBit = low
                if low == 0 { bands.remove(at: index) }
            }
        }
    }

    private mutating func next(_ count: Int32) -> Int32 { .random(in: 0..<count, using: &random) }

    private mutating func bands(of component: Int32) -> [Band] {
        var (bands, first): ([Band], Int32) = ([], 1)
        while first < 64 {
            let last = next(2) == 0 ? 63 : first + next(64 - first)
            bands.append(Band(component: component, coefficients: first...last))
            first = last + 1
        }
        return bands
    }

    private mutating func appendFirst(_ components: Int32, _ joinsComponents: Bool, high: Int32, low: Int32) {
        let all = Array(0..<components)
        for part in joinsComponents ? [all] : all.map({ [$0] }) { append(part, 0...0, high: high, low: low) }
    }

    private mutating func append(_ components: [Int32], _ band: ClosedRange<Int32>, high: Int32, low: Int32) {
        let indices = components + [0, 0, 0]
        scans.append(
            jpeg_scan_info(
                comps_in_scan: Int32(components.count), component_index: (indices[0], indices[1], indices[2], 0),
                Ss: band.lowerBound, Se: band.upperBound, Ah: high, Al: low))
    }
}
