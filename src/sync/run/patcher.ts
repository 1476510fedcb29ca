import type { KubeObject } from '../../api/object.ts'
import type { ExpressionEngine, VirtualClusterContext } from '../../expression/contract.ts'
import { applyPatches } from '../../patches/apply.ts'
import type {
  CompiledPatch,
  LabelTranslator,
  NameTranslator,
  ObjectName,
  PatchCounters,
  ReferencedKind,
} from '../../patches/contract.ts'
import { type NameMemory, rememberingNames } from '../../patches/name-memory.ts'
import type { KindRules } from '../plan/rules.ts'

export interface PatcherParts {
  readonly patches: readonly CompiledPatch[]
  readonly engine: ExpressionEngine
  readonly vcluster: VirtualClusterContext
  readonly names: Pick<NameTranslator, 'multiNamespace' | 'toHost'>
  readonly labels: LabelTranslator
  /** The virtual object that an object of the host is the copy of. */
  readonly findVirtual: (kind: ReferencedKind, hostNamespace: string, hostName: string) => ObjectName | undefined
  readonly counted: (counters: readonly PatchCounters[]) => void
}

/** The compiled patches of one kind. A kind without patches costs nothing. */
export function patcherOf(parts: PatcherParts): KindRules['patch'] {
  const { patches, engine, vcluster, names, labels, findVirtual, counted } = parts
  if (patches.length === 0) return unpatched
  /** Names on the host cannot be reversed, so the names given to an object are remembered with it. */
  const given = new WeakMap<KubeObject, NameMemory>()
  return async (object, direction, sides) => {
    const memory: NameMemory = (sides.virtualObject && given.get(sides.virtualObject)) ?? new Map()
    if (sides.virtualObject !== null) given.set(sides.virtualObject, memory)
    const run = {
      direction,
      context: { vcluster, ...sides },
      names: rememberingNames(names, memory, findVirtual),
      labels,
      engine,
    }
    const outcome = await applyPatches(object, patches, run)
    counted(outcome.counters)
    return outcome
  }
}

const unpatched: KindRules['patch'] = (object) =>
  Promise.resolve({ state: 'applied', object, references: [], counters: [] })
