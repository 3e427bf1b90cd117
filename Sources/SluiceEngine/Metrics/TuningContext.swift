// SPDX-License-Identifier: MIT

package import SluiceModel

/// The settings and limits of a run that the advice about its bottleneck depends on.
package struct TuningContext: Sendable, Hashable {
    /// The number of slots for items.
    package var slots = 1
    /// Whether the run adjusts the number of slots itself.
    package var adaptsSlots = false
    /// The maximum number of concurrent transfers per host.
    package var perHost = 1
    package var decoders = 1
    /// The number of cores: the most decoders that are useful.
    package var cores = 1
    /// The requested number of photos per page; `nil` if the user set none.
    package var perPage: Int?
    /// The memory limit for all decodes, in MB.
    package var memory = 0
    /// Whether the user limits the request rate.
    package var hasRate = false
    /// When files are flushed to disk.
    package var durability = Durability.batch
    /// Whether photos are downloaded over the network.
    package var isRemote = true
    /// Whether the feed is a list on standard input.
    package var readsInput = false
}
