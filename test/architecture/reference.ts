import type { Place } from './tree.ts'

/** True when an identifier in this place stands for a value, and is not just the name of a member, a key or a type. */
export const isReference = ({ parents, key }: Place): boolean => {
  const parent = parents.at(-1)
  switch (parent?.type) {
    case undefined:
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return key === 'value'
    case 'MemberExpression':
      return key === 'object' || parent?.computed === true
    case 'Property':
      return key === 'value' || parent?.computed === true
    default:
      // `x as Y` holds a value in `expression`; everything else of TypeScript's own holds types.
      return !parent?.type.startsWith('TS') || key === 'expression'
  }
}
