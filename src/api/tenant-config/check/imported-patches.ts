import { memberOf } from '../../../base/yaml-source/node.ts'
import type { ReportFinding } from '../problem.ts'
import type { KindEntry } from './kind-entries.ts'

/** Imported objects never go back to the host, so an expression for that direction would silently have no effect. */
export function checkImportedPatches({ section, path, settings }: KindEntry, report: ReportFinding): void {
  const patches = memberOf(settings, 'patches')?.value
  if (section !== 'fromHost' || patches?.type !== 'list') return
  for (const [index, patch] of patches.items.entries()) {
    const expression = patch.type === 'map' ? memberOf(patch, 'expression') : undefined
    if (expression === undefined) continue
    report({
      code: 'bad-value',
      path: [...path, 'patches', index, 'expression'],
      span: expression.keySpan,
      message: 'expression is for the way to the host, and these objects only come from the host',
      suggestion: 'call it reverseExpression',
    })
  }
}
