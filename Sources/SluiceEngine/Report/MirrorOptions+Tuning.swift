// SPDX-License-Identifier: MIT

extension MirrorOptions {
    /// The settings that the advice about a bottleneck depends on.
    package func tuning(width: Int, isRemote: Bool) -> TuningContext {
        var tuning = run.tuning(slots: width, perHost: perHost, cores: Machine.cores, isRemote: isRemote)
        tuning.adaptsSlots = adaptsConcurrency
        tuning.perPage = perPage
        tuning.hasRate = network.rate != nil
        return tuning
    }
}

extension ThumbnailRunOptions {
    /// The settings that the advice about a bottleneck depends on.
    package func tuning(width: Int, jobs: Int) -> TuningContext {
        run.tuning(slots: width, perHost: width, cores: jobs, isRemote: false)
    }
}

extension RunOptions {
    fileprivate func tuning(slots: Int, perHost: Int, cores: Int, isRemote: Bool) -> TuningContext {
        TuningContext(
            slots: slots, perHost: perHost, decoders: MemoryBudget(memory).decoders(upTo: cores, isolation),
            cores: cores, memory: memory >> 20, durability: durability, isRemote: isRemote)
    }
}
