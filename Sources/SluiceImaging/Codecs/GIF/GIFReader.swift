// SPDX-License-Identifier: MIT

internal import CGIF

/// Owns a giflib decoder, positioned at a GIF's first frame.
///
/// The decoder sees the screen's description and the frame only: its parser of extensions is not used.
@safe struct GIFReader: ~Copyable {
    private let handle: UnsafeMutablePointer<GifFileType>
    private let source: GIFSource

    init(_ frame: GIFFrame, of input: ImageInput) throws(ImagingError) {
        let source = GIFSource(input, frame)
        var code: Int32 = 0
        let opened = unsafe DGifOpen(
            Unmanaged.passUnretained(source).toOpaque(),
            { file, bytes, count in
                guard let file = unsafe file, let bytes = unsafe bytes, let user = unsafe file.pointee.UserData else {
                    return 0
                }
                return unsafe Int32(
                    Unmanaged<GIFSource>.fromOpaque(user).takeUnretainedValue().read(bytes, Int(count)))
            }, &code)
        guard let opened = unsafe opened else { throw source.error ?? Self.error(code) }
        self.source = source
        unsafe handle = opened
    }

    deinit {
        var code: Int32 = 0
        unsafe DGifCloseFile(handle, &code)
    }

    /// Reads up to the frame's first row.
    func start(_ frame: GIFFrame) throws(ImagingError) {
        var record = UNDEFINED_RECORD_TYPE
        try check(unsafe DGifGetRecordType(handle, &record))
        try check(unsafe DGifGetImageDesc(handle))
        guard unsafe Int(handle.pointee.Image.Width) == frame.width,
            unsafe Int(handle.pointee.Image.Height) == frame.height
        else { throw ImagingError(.internal, "giflib reads another frame") }
    }

    /// Decodes the next stored row of the frame into `rows`, starting at `offset`.
    func readRow(_ width: Int, into rows: borrowing SampleBuffer<UInt8>, at offset: Int = 0) throws(ImagingError) {
        precondition(offset >= 0 && offset + width <= rows.count, "the row fits into the buffer")
        try check(unsafe DGifGetLine(handle, rows.base + offset, Int32(width)))
    }

    private func check(_ verdict: Int32) throws(ImagingError) {
        guard verdict != GIF_OK else { return }
        throw unsafe source.error ?? Self.error(handle.pointee.Error)
    }

    private static func error(_ code: Int32) -> ImagingError {
        switch code {
        // The file is complete at this point, so it is the image data inside it that is too short.
        case D_GIF_ERR_EOF_TOO_SOON: ImagingError(.truncated, "GIF image data ends early")
        case D_GIF_ERR_NOT_ENOUGH_MEM: ImagingError(.decodeLimit, "no memory for a GIF decoder")
        default: ImagingError(.corrupt, "invalid GIF image data")
        }
    }
}

/// Gives giflib the bytes of a GIF, without those between the screen's description and the first frame.
private final class GIFSource {
    private var window: ByteWindow
    private var offset = 0
    private let screenEnd: Int
    private let frameStart: Int
    /// The reason why the last read failed.
    private(set) var error: ImagingError?

    init(_ input: ImageInput, _ frame: GIFFrame) {
        window = ByteWindow(input)
        screenEnd = frame.globalColors.upperBound
        frameStart = frame.start
    }

    /// Copies the next bytes; returns 0 if they cannot be read.
    func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        if offset == screenEnd { offset = frameStart }
        do throws(ImagingError) {
            for byte in try window.bytes(at: offset, count: count).enumerated() {
                unsafe target[byte.offset] = byte.element
            }
            offset += count
            return count
        } catch {
            self.error = error
            return 0
        }
    }
}
