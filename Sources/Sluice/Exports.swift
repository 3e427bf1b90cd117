// SPDX-License-Identifier: MIT

// Whoever imports the library speaks its words: photos, items, receipts, events, what is selected, and the sizes of
// thumbnails.
@_exported public import SluiceFeeds
@_exported public import SluiceImaging
@_exported public import SluiceModel
