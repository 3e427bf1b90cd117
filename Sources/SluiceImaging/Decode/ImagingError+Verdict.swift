// SPDX-License-Identifier: MIT

internal import CSluice

extension ImagingError {
    /// The error that a C codec's verdict stands for; `nil` if it went well.
    init?(verdict: CodecVerdict, _ message: @autoclosure () -> String) {
        switch verdict {
        case .ok: return nil
        case .corrupt: self.init(.corrupt, message())
        case .truncated: self.init(.truncated, message())
        case .unsupported: self.init(.unsupported, message())
        case .memory: self.init(.decodeLimit, message())
        case .disk: self.init(.disk, message())
        }
    }
}
