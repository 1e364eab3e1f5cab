/** Text for any place in a state diagram that takes text. Mermaid reads `#58;` as the character with that number. */
export const mermaidText = (text: string): string =>
  // Where it expects text it does not take none.
  (text.trim() === '' ? '\u00a0' : text)
    .replace(/[^\p{L}\p{N} _.,/()[\]→⟳-]/gu, (character) => `#${character.codePointAt(0)};`)
    // Mermaid takes any line that holds `direction TB` for a statement, and ends a note at `end note`, wherever they stand.
    .replace(/\b(direction|end) /gi, '$1#32;')

export type MermaidIds = (stateId: string) => string

/** Names that Mermaid's grammar accepts, one for each state, readable and never the same for two. */
export const mermaidIds = (stateIds: string[]): MermaidIds => {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const id of stateIds) {
    const plain = id.replace(/[^A-Za-z0-9_]/g, '_')
    // Its lexer looks for these words at the start of a name, in any case.
    const safe =
      /^(?![a-z])|^(accdescr|acctitle|class|click|default|direction|end|hide|note|root|scale|state|style)/i.test(plain)
        ? `s_${plain}`
        : plain
    // The dots of a composite `x` are called `x_start` and `x_end`.
    const own = /_(start|end)$/.test(safe) ? `${safe}_state` : safe
    let name = own
    for (let n = 2; taken.has(name); n++) name = `${own}_${n}`
    taken.add(name)
    names.set(id, name)
  }
  return (stateId) => names.get(stateId) ?? stateId
}
