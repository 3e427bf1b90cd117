// SPDX-License-Identifier: MIT

package import SluiceFeeds
package import SluiceLedger
internal import SluiceModel

/// Submits the photos of feeds.
package struct FeedIntake: Intake {
    package let feeds: [SourceFeed]
    package let limits: ReadingLimits
    /// The file name template for new items; `nil` if the feed determines the names.
    package let naming: NameTemplate?
    /// Stops reading after this many consecutive kept items; `nil` for never.
    package let stopAfterSeen: Int?
    /// Whether the pages that an interrupted run has recorded are read from the ledger.
    package let resumes: Bool
    package var keepsEarlierReceipts: Bool { false }

    package init(
        _ feeds: [SourceFeed], limits: ReadingLimits = ReadingLimits(), naming: NameTemplate? = nil,
        stopAfterSeen: Int? = nil, resumes: Bool = false
    ) {
        (self.feeds, self.limits, self.naming) = (feeds, limits, naming)
        (self.stopAfterSeen, self.resumes) = (stopAfterSeen, resumes)
    }

    package func submitItems(to driver: RunDriver) async -> Bool {
        await read(in: driver) { claims, streak in await driver.submit(claims, &streak) }
    }

    /// Reads the feeds up to the limits and passes each page's claims to `handle`.
    ///
    /// Returns whether it read all feeds to their ends, all pages and all photos.
    package func read(
        in driver: RunDriver, _ handle: (ArraySlice<Claim>, inout KeptStreak) async -> Void
    ) async -> Bool {
        var streak = KeptStreak(limit: stopAfterSeen ?? .max)
        let reader = PageReader(
            resumedFeeds(in: driver), limits: limits, claims: LedgerClaims(driver: driver, naming: naming),
            token: driver.intakeToken,
            report: driver.record)
        var (claims, position) = await nextPage(of: reader, in: driver)
        while let current = claims {
            if stopAfterSeen != nil {
                // This page may be the last: the next one is requested now but claimed only when it is needed.
                position.requestPage()
                await handle(current, &streak)
                if streak.hasReachedLimit {
                    // The other feeds may have new photos.
                    guard position.skipFeed() else { break }
                    streak = KeptStreak(limit: stopAfterSeen ?? .max)
                }
                (claims, position) = await nextPage(of: position, in: driver)
            } else {
                // The ledger claims the next page while this one is processed.
                let reader = position
                async let next = nextPage(of: reader, in: driver)
                await handle(current, &streak)
                (claims, position) = await next
            }
        }
        position.finish()
        let isComplete = streak.hasReachedLimit || position.isComplete
        recordEnd(of: position, isComplete: isComplete, in: driver)
        return position.hasReachedLastPage && !isComplete && limits.pages == nil && limits.selection == Selection()
    }

    /// Returns the feeds, with the pages that an interrupted run has recorded if there are any.
    private func resumedFeeds(in driver: RunDriver) -> [SourceFeed] {
        let since = Machine.secondsSince1970 - ResumedFeed.lifetime
        // If the ledger cannot be read, the run only takes longer. Local feeds, which have no page limit, are quick to
        // read again.
        guard resumes, feeds.contains(where: { $0.feed.maxPages != nil }),
            let walk = try? driver.ledger.interruptedWalk(before: driver.run, since: since)
        else { return feeds }
        return feeds.enumerated().map { index, known in
            guard known.feed.maxPages != nil else { return known }
            var known = known
            known.feed = ResumedFeed(
                feed: known.feed, ledger: driver.ledger, walk: walk,
                pages: feeds.count > 1 ? walk.pageNumbers(ofFeed: index) : nil)
            return known
        }
    }

    /// Reads and claims the next page, and reports failures; returns `nil` claims at the end.
    private func nextPage(
        of reader: PageReader<LedgerClaims>, in driver: RunDriver
    ) async -> (claims: ArraySlice<Claim>?, reader: PageReader<LedgerClaims>) {
        var reader = reader
        driver.metrics.enter(.readingFeed)
        defer { driver.metrics.leave(.readingFeed) }
        do throws(Failure) {
            return (try await reader.next(), reader)
        } catch {
            if let reason = StopReason(error) {
                driver.stop(reason)
            } else if error.cause != .cancelled {
                driver.record(.pageFailed(number: reader.pageNumber, error))
                // The next run would refuse this cursor again, so it starts from the first page.
                if error.cause == .crossOriginNext { try? driver.ledger.finishWalk(of: driver.run) }
            }
            return (nil, reader)
        }
    }

    /// Records in the ledger that reading has finished, so that the next run starts from the first page.
    private func recordEnd(of reader: PageReader<LedgerClaims>, isComplete: Bool, in driver: RunDriver) {
        // One of several feeds that fails in every run must not keep the next runs from reading the others again.
        guard !driver.intakeToken.isCancelled, feeds.count > 1 || !reader.hasFailed,
            reader.hasVisitedAllFeeds || isComplete
        else { return }
        do throws(LedgerError) {
            try driver.ledger.finishWalk(of: driver.run)
            // If only some positions were selected, the others may still have invalid records.
            if limits.selection.positions == nil, !reader.hasFailed {
                let isWhole = limits.pages == nil && reader.hasReachedLastPage
                // The pages of several feeds are numbered together.
                guard isWhole || feeds.count == 1 else { return }
                try driver.ledger.removeCorrectedRecords(in: driver.run, whole: isWhole)
            }
        } catch {
            driver.stop(StopReason(error))
        }
    }
}

private struct LedgerClaims: PageClaiming {
    let driver: RunDriver
    let naming: NameTemplate?

    func claim(_ page: Page, conflict: (Photo) -> Void) throws(Failure) -> [Claim] {
        do throws(LedgerError) {
            return try driver.ledger.claim(page, in: driver.run, naming: naming, noting: conflict)
        } catch {
            driver.stop(StopReason(error))
            throw Failure(error)
        }
    }
}
