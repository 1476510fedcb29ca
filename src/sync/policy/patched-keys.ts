import type { KeyMap } from '../../api/host-controllers.ts'
import type { CompiledPatch } from '../../patches/contract.ts'

/** The labels or annotations that patches to the host name one by one: what becomes of them is the operator's own doing. */
export function patchedKeys(map: KeyMap, patches: readonly CompiledPatch[]): ReadonlySet<string> {
  return new Set(patches.filter(runsToHost).flatMap((patch) => keyAt(map, patch) ?? []))
}

function runsToHost({ action }: CompiledPatch): boolean {
  return action.type === 'expression' ? action.toHost !== undefined : action.type === 'reference'
}

function keyAt(map: KeyMap, { path }: CompiledPatch): string | undefined {
  const [metadata, place, key, ...more] = path.map((element) => (element.type === 'member' ? element.name : undefined))
  return metadata === 'metadata' && place === map && more.length === 0 ? key : undefined
}
