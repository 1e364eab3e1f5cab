import { child, children, keyOf, nameOf, nodesOf, type SourceFile, type Syntax, stringOf } from './tree.ts'

export interface Import {
  /** What is written, or null when it is computed and cannot be known. */
  specifier: string | null
  /** True when nothing of it is left in the built program. */
  isType: boolean
  offset: number
}

/** Everything in a file that makes it depend on another module, whatever the form. */
export const importsOf = (file: SourceFile): Import[] => {
  const imports: Import[] = []
  for (const [node] of nodesOf(file.syntax)) {
    const source = sourceOf(node)
    if (source === undefined) continue
    const isType = node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType'
    imports.push({ specifier: stringOf(source) ?? null, isType, offset: node.start })
  }
  return imports
}

const sourceOf = (node: Syntax): Syntax | undefined => {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return child(node, 'source')
    case 'TSExternalModuleReference':
      return child(node, 'expression')
    case 'CallExpression':
      return isLoader(child(node, 'callee')) ? children(node, 'arguments')[0] : undefined
    case 'NewExpression':
      return workerOf(node)
    default:
      return undefined
  }
}

const isLoader = (callee: Syntax | undefined): boolean =>
  nameOf(callee) === 'require' || keyOf(callee, 'property') === 'getBuiltinModule'

/** `new URL('./worker.ts', import.meta.url)` is how a file names another that it will have run. */
const workerOf = (node: Syntax): Syntax | undefined => {
  const [path, base] = children(node, 'arguments')
  const isHere = nameOf(child(node, 'callee')) === 'URL' && child(base, 'object')?.type === 'MetaProperty'
  return isHere && /\.[cm]?[jt]sx?$/.test(stringOf(path) ?? '') ? path : undefined
}
