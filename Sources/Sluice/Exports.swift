// SPDX-License-Identifier: MIT

// Whoever imports the library speaks its words: photos, items, receipts, events.
@_exported public import SluiceModel
