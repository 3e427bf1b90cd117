// SPDX-License-Identifier: MIT

public import SluiceEngine
public import SluiceFeeds
public import SluiceImaging
public import SluiceModel

// The types of other modules that belong to the library's API. Clients need to import `Sluice` only.

// Options
/// The options of a mirror run.
public typealias MirrorOptions = SluiceEngine.MirrorOptions
/// The options of a thumbnail run.
public typealias ThumbnailRunOptions = SluiceEngine.ThumbnailRunOptions
/// The options of connections.
public typealias NetworkOptions = SluiceEngine.NetworkOptions
/// The options of pruning.
public typealias PruneOptions = SluiceEngine.PruneOptions
/// Limits that end a run early.
public typealias RunLimits = SluiceEngine.RunLimits
/// The number or share of failures that ends a run.
public typealias FailureLimit = SluiceEngine.FailureLimit
/// When files are flushed to disk.
public typealias Durability = SluiceModel.Durability
/// Where photos are decoded.
public typealias Isolation = SluiceEngine.Isolation
/// How to reach a bucket.
public typealias S3Options = SluiceModel.S3Options
/// Which photos of a feed to process.
public typealias Selection = SluiceFeeds.Selection
/// A condition on the facts of a photo.
public typealias Filter = SluiceFeeds.Filter
/// A text that cannot be read, with the place of the mistake.
public typealias InvalidText = SluiceModel.InvalidText
/// A fact of photos, by its name in filters.
public typealias PhotoValue = SluiceFeeds.PhotoValue
/// Ranges of positions in a feed.
public typealias PositionRanges = SluiceFeeds.PositionRanges
/// The columns of a list.
public typealias ListOptions = SluiceFeeds.ListOptions
/// How thumbnails are made.
public typealias ThumbnailOptions = SluiceImaging.ThumbnailOptions
/// The size of a thumbnail.
public typealias ThumbnailSize = SluiceImaging.ThumbnailSize
/// Limits for decoding.
public typealias ImageLimits = SluiceImaging.ImageLimits
/// The colour behind transparency and padding.
public typealias BackgroundColor = SluiceImaging.BackgroundColor
/// The title and colours of a gallery.
public typealias GalleryAppearance = SluiceModel.GalleryAppearance
/// A version of HTTP.
public typealias HTTPVersion = SluiceModel.HTTPVersion
/// A set of causes.
public typealias CauseSet = SluiceModel.CauseSet

// Runs and their results
/// A run, which can be followed and stopped.
public typealias Run = SluiceEngine.Run
/// A run that its caller performs and stops.
public typealias ControlledRun = SluiceEngine.ControlledRun
/// A run that its caller also follows.
public typealias SingleRun = SluiceEngine.SingleRun
/// A piece of work that a dry run finds.
public typealias PlannedWork = SluiceEngine.PlannedWork
/// Advice on how to correct an error.
public typealias Hint = SluiceModel.Hint
/// An event of a run.
public typealias Event = SluiceModel.Event
/// The events of a run as a sequence.
public typealias RunEvents = SluiceEngine.RunEvents
/// The beginning of a run.
public typealias RunStart = SluiceModel.RunStart
/// Why a run stopped early.
public typealias StopReason = SluiceModel.StopReason
/// The counts of a run.
public typealias Summary = SluiceModel.Summary
/// What limits a run.
public typealias Bottleneck = SluiceModel.Bottleneck
/// The loading state of a list of photos.
public typealias PageLoadingState = SluiceModel.PageLoadingState
/// A run that the ledger remembers.
public typealias PastRun = SluiceModel.PastRun
/// A change of a photo between runs.
public typealias ItemChange = SluiceModel.ItemChange
/// An error that prevents a run.
public typealias MirrorError = SluiceEngine.MirrorError

// Photos and items
/// A feed's record of one picture.
public typealias Photo = SluiceModel.Photo
/// One rendition of a photo.
public typealias Variant = SluiceModel.Variant
/// One photo in one run.
public typealias Item = SluiceModel.Item
/// The result of an item.
public typealias ItemOutcome = SluiceModel.ItemOutcome
/// The ledger's record of a result.
public typealias Receipt = SluiceModel.Receipt
/// A file with its size and checksum.
public typealias StoredFile = SluiceModel.StoredFile
/// A stored thumbnail.
public typealias Thumb = SluiceModel.Thumb
/// Why an item or a page failed.
public typealias Failure = SluiceModel.Failure
/// The cause of a failure.
public typealias Cause = SluiceModel.Cause
/// What may recover a failed photo.
public typealias Remedy = SluiceModel.Remedy
/// A photo and its copies.
public typealias DuplicateGroup = SluiceEngine.DuplicateGroup
/// The options of a search for copies.
public typealias DuplicateOptions = SluiceEngine.DuplicateOptions
/// The result of a search for copies.
public typealias DuplicateReport = SluiceEngine.DuplicateReport
/// Finds copies of photos in a mirror.
public typealias DuplicateSearch = SluiceEngine.DuplicateSearch
/// Pairs of photos that are no copies.
public typealias IgnoredPairs = SluiceEngine.IgnoredPairs
/// A file in an adopted folder.
public typealias FoundFile = SluiceModel.FoundFile
/// A fault of a file in a mirror.
public typealias FileFault = SluiceEngine.FileFault
/// The photos whose thumbnails a verification makes again.
public typealias ThumbnailSample = SluiceEngine.ThumbnailSample
/// The items to repair.
public typealias BrokenItems = SluiceEngine.BrokenItems

// Services and the process
/// A photo service and its rules.
public typealias ServiceInfo = SluiceModel.ServiceInfo
/// An error in a recipe.
public typealias RecipeDiagnostic = SluiceModel.RecipeDiagnostic
/// The decoding side of a worker process.
public typealias DecodeWorker = SluiceEngine.DecodeWorker
/// The versions of Sluice and its libraries.
public typealias Version = SluiceEngine.Version
/// The version of a C library.
public typealias LibraryVersion = SluiceModel.LibraryVersion
