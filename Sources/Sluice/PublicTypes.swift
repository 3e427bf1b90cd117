// SPDX-License-Identifier: MIT

public import SluiceEngine
public import SluiceFeeds
public import SluiceImaging
public import SluiceModel

// The types of other modules that belong to the library's API. Clients need to import `Sluice` only.

// Options
public typealias MirrorOptions = SluiceEngine.MirrorOptions
public typealias ThumbnailRunOptions = SluiceEngine.ThumbnailRunOptions
public typealias NetworkOptions = SluiceEngine.NetworkOptions
public typealias PruneOptions = SluiceEngine.PruneOptions
public typealias RunLimits = SluiceEngine.RunLimits
public typealias FailureLimit = SluiceEngine.FailureLimit
public typealias Durability = SluiceEngine.Durability
public typealias Isolation = SluiceEngine.Isolation
public typealias Selection = SluiceFeeds.Selection
public typealias Filter = SluiceFeeds.Filter
public typealias FilterError = SluiceFeeds.FilterError
public typealias PositionRanges = SluiceFeeds.PositionRanges
public typealias PublishedDate = SluiceFeeds.PublishedDate
public typealias ListOptions = SluiceFeeds.ListOptions
public typealias ThumbnailOptions = SluiceImaging.ThumbnailOptions
public typealias ThumbnailSize = SluiceImaging.ThumbnailSize
public typealias ImageLimits = SluiceImaging.ImageLimits
public typealias BackgroundColor = SluiceImaging.BackgroundColor
public typealias GalleryAppearance = SluiceModel.GalleryAppearance
public typealias HTTPVersion = SluiceModel.HTTPVersion
public typealias CauseSet = SluiceModel.CauseSet

// Runs and their results
public typealias Hint = SluiceModel.Hint
public typealias Event = SluiceModel.Event
public typealias RunEvents = SluiceEngine.RunEvents
public typealias RunStart = SluiceModel.RunStart
public typealias StopReason = SluiceModel.StopReason
public typealias Summary = SluiceModel.Summary
public typealias Bottleneck = SluiceModel.Bottleneck
public typealias PageLoadingState = SluiceModel.PageLoadingState
public typealias PastRun = SluiceModel.PastRun
public typealias ItemChange = SluiceModel.ItemChange
public typealias MirrorError = SluiceEngine.MirrorError

// Photos and items
public typealias Photo = SluiceModel.Photo
public typealias Variant = SluiceModel.Variant
public typealias Item = SluiceModel.Item
public typealias ItemOutcome = SluiceModel.ItemOutcome
public typealias Receipt = SluiceModel.Receipt
public typealias StoredFile = SluiceModel.StoredFile
public typealias Thumb = SluiceModel.Thumb
public typealias Failure = SluiceModel.Failure
public typealias Cause = SluiceModel.Cause
public typealias Remedy = SluiceModel.Remedy
public typealias FoundFile = SluiceModel.FoundFile
public typealias FileFault = SluiceEngine.FileFault
public typealias BrokenItems = SluiceEngine.BrokenItems

// Services and the process
public typealias ServiceInfo = SluiceModel.ServiceInfo
public typealias RecipeDiagnostic = SluiceModel.RecipeDiagnostic
public typealias DecodeWorker = SluiceEngine.DecodeWorker
public typealias MallocArenas = SluiceEngine.MallocArenas
public typealias Version = SluiceEngine.Version
public typealias LibraryVersion = SluiceModel.LibraryVersion
