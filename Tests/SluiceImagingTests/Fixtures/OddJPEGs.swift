// SPDX-License-Identifier: MIT

import CJPEG
import Foundation

@testable import SluiceImaging

/// JPEGs that Sluice does not write, by libjpeg itself.
enum OddJPEGs {
    /// A picture of any layout without alpha, its first channel `across` times `down` as fine as the others.
    ///
    /// Inks, of which 255 is none, are written as Adobe does: full is 0.
    static func file(_ picture: Raster, across: Int32 = 1, down: Int32 = 1, quality: Int32 = 100) -> [UInt8] {
        let codec = UnsafeMutablePointer<jpeg_compress_struct>.allocate(capacity: 1)
        let errors = UnsafeMutablePointer<jpeg_error_mgr>.allocate(capacity: 1)
        unsafe codec.initialize(to: jpeg_compress_struct())
        unsafe errors.initialize(to: jpeg_error_mgr())
        var out: UnsafeMutablePointer<UInt8>? = nil
        var count: UInt = 0
        defer {
            unsafe codec.deallocate()
            unsafe errors.deallocate()
            unsafe free(out)
        }
        unsafe codec.pointee.err = jpeg_std_error(errors)
        unsafe jpeg_CreateCompress(codec, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
        unsafe jpeg_mem_dest(codec, &out, &count)
        unsafe codec.pointee.image_width = UInt32(picture.width)
        unsafe codec.pointee.image_height = UInt32(picture.height)
        unsafe codec.pointee.input_components = Int32(picture.layout.channels)
        unsafe codec.pointee.in_color_space =
            picture.layout == .grey ? JCS_GRAYSCALE : picture.layout == .cmyk ? JCS_CMYK : JCS_RGB
        unsafe jpeg_set_defaults(codec)
        unsafe jpeg_set_quality(codec, quality, 1)
        unsafe codec.pointee.comp_info[0].h_samp_factor = across
        unsafe codec.pointee.comp_info[0].v_samp_factor = down
        unsafe jpeg_start_compress(codec, 1)
        let rowBytes = picture.width * picture.layout.channels
        for row in 0..<picture.height {
            var samples = Array(picture.bytes[row * rowBytes..<(row + 1) * rowBytes])
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
