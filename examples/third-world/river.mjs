/**
 * A world of your own: it watches the level of a river and tells you when it passes a mark. A profile says what there is to
 * see and what to make of it; when it ticks, that no two of its ticks overlap, what happens after a crash and how it is shown
 * is undermind's business. It has no power but what it is handed: here `gauge`, and the ports of its tick.
 */
export const river = (gauge, mark = 250) => ({
  id: 'river',
  title: 'River level',
  description: 'Watches the level of the river and tells you when it passes the mark.',

  /** Minutes between ticks. */
  cadence: () => 15,

  /** What there is to see. What is thrown here fails the tick: it is tried again later, and nothing is taken for seen. */
  async observe({ kept }, signal) {
    const level = await gauge(signal)
    const wasAbove = kept('above') ?? false
    return {
      rendered: `${level} cm`,
      hasChanges: level >= mark !== wasAbove,
      hasExternalContent: false,
      commitToken: level,
    }
  },

  /** What is to be done about it. One that needs a model would answer `{ kind: 'ask', ask, parse }`. */
  reflect: () => ({ kind: 'idle' }),

  /** Makes good what the tick came to, and runs for no tick that failed or was superseded. */
  async commit({ at, kept, conclude }, level) {
    const above = level >= mark
    if (above === (kept('above') ?? false)) return
    const title = above ? 'The river is above the mark' : 'The river is below the mark again'
    await conclude({ keep: { above }, tell: { key: String(at), title, body: `${level} cm` } })
  },

  /** Whether anything that was seen is somebody else's words. */
  origin: () => 'trusted',
})
