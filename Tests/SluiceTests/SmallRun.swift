// SPDX-License-Identifier: MIT

import Sluice
import SluiceEngine
import SluiceImaging
import SluiceModel

extension MirrorOptions {
    /// Options for two pages of small pictures.
    static func small(_ change: (inout MirrorOptions) -> Void = { _ in }) -> MirrorOptions {
        var options = MirrorOptions()
        options.pages = 2
        options.perPage = 6
        options.variant = "thumb"
        options.thumbnails.sizes = [ThumbnailSize(width: 64, height: 64)]
        change(&options)
        return options
    }
}
