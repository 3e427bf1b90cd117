// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Collects a sample's events; safe to call from several threads.
final class LoaderTally: Sendable {
    private struct State {
        var sample = LoaderSample()
        var starts: [String: ContinuousClock.Instant] = [:]
        var latencies: [Double] = []
        /// The time that loads in progress have waited between attempts, without a slot, in seconds.
        var retryDelays: [String: Double] = [:]
    }

    private let state = Locked(State())

    /// Records an event; returns a file's name if the file is now complete.
    func record(_ event: LoaderEvent) -> String? {
        let now = ContinuousClock.now
        return state.withLock { state in
            switch event {
            case .started(let load): state.starts[load.name] = now
            case .transferEvent(let load, .retried(_, _, let delay)):
                state.sample.retries += 1
                state.retryDelays[load.name, default: 0] += delay.seconds
            case .transferEvent: break
            case .ended(let load, let result): return Self.end(load.name, result, at: now, &state)
            }
            return nil
        }
    }

    /// Returns the sample after all events.
    func sample(of time: Duration, _ decoding: ThumbnailWorkers.Report) -> LoaderSample {
        state.withLock { state in
            var sample = state.sample
            sample.seconds = time.seconds
            sample.done -= decoding.failed
            sample.failed += decoding.failed
            sample.decodingSeconds = decoding.seconds
            sample.cpuSeconds = ProcessUsage.cpu
            sample.peakMemory = ProcessUsage.peakMemory
            sample.latency = LoaderSample.Latency(state.latencies)
            return sample
        }
    }

    private static func end(
        _ name: String, _ result: Result<DownloadResult, Failure>, at now: ContinuousClock.Instant, _ state: inout State
    ) -> String? {
        // A load that ended before it had a slot took no time.
        let time = state.starts.removeValue(forKey: name).map { (now - $0).seconds } ?? 0
        state.sample.slotSeconds += max(0, time - (state.retryDelays.removeValue(forKey: name) ?? 0))
        guard case .success(.complete(let response)) = result else {
            state.sample.failed += 1
            return nil
        }
        state.latencies.append(time * 1000)
        state.sample.done += 1
        state.sample.bytes += response.bytes
        return name
    }
}
