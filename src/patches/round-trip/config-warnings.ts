import type { Schema } from '../../api/schema.ts'
import { type ConfigDocument, positionOf } from '../../api/tenant-config/document.ts'
import { type PatchList, patchListsOf } from '../../api/tenant-config/patch-lists.ts'
import type { Problem } from '../../api/tenant-config/problem.ts'
import { printConfigPath } from '../../api/tenant-config/wording.ts'
import type { ExpressionEngine, VirtualClusterContext } from '../../expression/contract.ts'
import { compilePatches } from '../compile.ts'
import { checkRoundTrip } from './check.ts'
import { counterExampleText } from './wording.ts'

export interface ConfigCheck {
  readonly engine: ExpressionEngine
  readonly vcluster: VirtualClusterContext
  /** The schema of a kind by its name in tenant.yaml, such as `endpoints`; undefined if unknown. */
  readonly schemaOf: (resource: string) => Schema | undefined
}

/** A warning for every pair of expressions that does not cancel out. Lists that do not compile are skipped. */
export async function roundTripWarningsOf(document: ConfigDocument, check: ConfigCheck): Promise<readonly Problem[]> {
  const warnings: Problem[] = []
  for (const list of patchListsOf(document)) warnings.push(...(await warningsOfList(document, list, check)))
  return warnings
}

async function warningsOfList(
  document: ConfigDocument,
  list: PatchList,
  { engine, vcluster, schemaOf }: ConfigCheck,
): Promise<readonly Problem[]> {
  const compiled = compilePatches(list.patches)
  if (!compiled.ok) return []
  const schema = schemaOf(String(list.path.at(-2)))
  const warnings: Problem[] = []
  for (const [index, patch] of compiled.patches.entries()) {
    const verdict = await checkRoundTrip(patch, { engine, vcluster, ...(schema && { schema }) })
    if (verdict.verdict !== 'counter-example') continue
    const path = [...list.path, list.indexes[index] ?? index, 'reverseExpression']
    warnings.push({
      severity: 'warning',
      code: 'risk',
      file: document.file,
      ...positionOf(document, path),
      field: printConfigPath(path),
      message: `reverseExpression does not undo expression: ${counterExampleText(verdict.counterExample)}`,
      suggestion: 'values that do not come back as they were change the tenant’s object',
    })
  }
  return warnings
}
