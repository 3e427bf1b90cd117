// SPDX-License-Identifier: MIT

// The public API uses types of these modules, such as photos, items, receipts, events, selections and thumbnail sizes.
@_exported public import SluiceFeeds
@_exported public import SluiceImaging
@_exported public import SluiceModel
