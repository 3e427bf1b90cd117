// SPDX-License-Identifier: MIT

internal import CLibraries
internal import CSluice

/// Owns a reader of libtiff for one page.
@safe struct TIFFReader: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file; `memory` limits each allocation.
    init(_ input: csluice_input, memory: Int) throws(ImagingError) {
        guard clibraries_is_loaded(clibraries_tiff) else {
            throw ImagingError(
                .unsupported, "TIFF needs a sandboxed process with libtiff (Debian package libtiff6)"
            ).of(.tiff)
        }
        guard let handle = unsafe csluice_tiff_open(input, memory) else {
            throw ImagingError(.decodeLimit, "no memory for a TIFF decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_tiff_close(handle) }

    /// Starts to read a page, whose rows must have a shape.
    func start(_ page: TIFFPage, _ shape: RowShape) throws(ImagingError) {
        guard let width = UInt32(exactly: shape.width), let height = UInt32(exactly: shape.height) else {
            throw ImagingError(.corrupt, "\(shape.width)x\(shape.height) pixels")
        }
        let wanted = csluice_tiff_shape(
            width: width, height: height, channels: Int32(shape.layout.channels), depth: Int32(shape.depth))
        try check(unsafe csluice_tiff_start(handle, UInt64(page.offset), wanted))
    }

    func readRow(into row: borrowing SampleBuffer<UInt8>) throws(ImagingError) {
        try check(unsafe csluice_tiff_read_row(handle, row.base))
    }

    /// The library's harmless complaints about the pixels.
    var notes: [String] {
        let note = unsafe String(cString: csluice_tiff_note(handle))
        return note.isEmpty ? [] : ["TIFF: \(note)"]
    }

    private func check(_ status: CodecStatus) throws(ImagingError) {
        let message = unsafe String(cString: csluice_tiff_message(handle))
        if let error = ImagingError(status: status, "TIFF: \(message)") { throw error }
    }
}
