import { isReference } from './reference.ts'
import type { SourceRule } from './source-rules.ts'
import { nameOf, nodesOf } from './tree.ts'

/** What every file can reach without an import. */
const powers = new Set([
  'process',
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'Worker',
  'BroadcastChannel',
  'globalThis',
  'global',
  'require',
  'eval',
  'Function',
  'performance',
  'console',
])

/** Policy and charts are without power: they may not take from the surroundings what they may not import. */
export const ambientPower: SourceRule = {
  appliesTo: (path) => /^(domain|machines|profiles|diagrams)\//.test(path),
  *check(file) {
    for (const [node, place] of nodesOf(file.syntax)) {
      const name = nameOf(node)
      if (name !== undefined && powers.has(name) && isReference(place))
        yield { offset: node.start, says: `takes ${name} from its surroundings` }
    }
  },
}
