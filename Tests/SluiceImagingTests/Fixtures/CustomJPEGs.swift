// SPDX-License-Identifier: MIT

import CJPEG
import Foundation

@testable import SluiceImaging

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
