/**
 * A sequence that its reader takes as it can. Nothing is held for one who does not read: what it has not taken is still
 * where it comes from.
 */
export interface Feed<Item> {
  /** The next items; none when there is nothing just now. */
  take(): Item[]
  /** Calls `look` when there may be more to take; returns a way to stop. */
  wake(look: () => void): () => void
}

/** The same feed of something made of each item. */
export const mapFeed = <From, To>(feed: Feed<From>, change: (item: From) => To): Feed<To> => ({
  take: () => feed.take().map(change),
  wake: (look) => feed.wake(look),
})
