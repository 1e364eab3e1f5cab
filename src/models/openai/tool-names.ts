import type { ChatRequest } from '../../domain/chat.ts'

/** Tools by the names that the protocol allows, and back. */
export interface ToolNames {
  wire(own: string): string
  own(wire: string): string
  /** Whether a tool on offer has this name, or one that begins so. */
  has(wire: string): boolean
  begins(wire: string): boolean
}

const longest = 64

/** The protocol allows letters, digits, `_` and `-`; ours have dots too. Every name of a conversation has one of its own. */
export const toolNames = ({ tools = [], messages }: ChatRequest): ToolNames => {
  const wires = new Map<string, string>()
  const owns = new Map<string, string>()
  const add = (own: string): string => {
    const known = wires.get(own)
    if (known !== undefined) return known
    const plain = own.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || '_'
    let wire = plain
    for (let n = 2; owns.has(wire); n++) wire = `${plain.slice(0, longest - String(n).length - 1)}_${n}`
    wires.set(own, wire)
    owns.set(wire, own)
    return wire
  }
  for (const { name } of tools) add(name)
  const offered = [...owns.keys()]
  for (const message of messages) if (message.role === 'assistant') for (const { tool } of message.calls) add(tool)
  return {
    wire: add,
    own: (wire) => owns.get(wire) ?? wire,
    has: (wire) => offered.includes(wire),
    begins: (wire) => offered.some((name) => name.startsWith(wire)),
  }
}
