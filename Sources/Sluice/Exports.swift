// SPDX-License-Identifier: MIT

// Whoever imports the library speaks its words: photos, items, receipts, events, and the sizes of thumbnails.
@_exported public import SluiceImaging
@_exported public import SluiceModel
