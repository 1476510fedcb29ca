import type { ContextUse, Evaluation, EvaluationContext, ObjectUse, VirtualClusterContext } from './contract.ts'
import type { Batch, BatchContext, EvaluationGroup } from './protocol.ts'

export type EncodedBatch = Pick<Batch, 'text' | 'fresh' | 'definitions' | 'kept'>

const maxDefinitions = 1000
const maxDescriptions = 16

/** Encodes batches for one sandbox thread, and tracks what that thread already knows. */
export class BatchEncoder {
  readonly #definitions = new Map<string, number>()
  readonly #slots = new Map<VirtualClusterContext, number>()
  #fresh = true

  encode(batch: readonly Evaluation[]): EncodedBatch {
    if (this.#definitions.size > maxDefinitions || this.#slots.size > maxDescriptions) this.reset()
    try {
      return this.#encode(batch)
    } catch (error) {
      // Half of what was recorded has not been sent.
      this.reset()
      throw error
    }
  }

  /** Afterward nothing counts as known, on either side. */
  reset(): void {
    this.#definitions.clear()
    this.#slots.clear()
    this.#fresh = true
  }

  #encode(batch: readonly Evaluation[]): EncodedBatch {
    const definitions: [number, string][] = []
    const kept: [number, string][] = []
    const shared: SharedContext[] = []
    const groups: OpenGroup[] = []
    for (const { expression, value, context } of batch) {
      const id = this.#idOf(expression.source, definitions)
      const index = usesNothing(expression.uses) ? -1 : shareContext(shared, context, expression.uses)
      const group = groupFor(groups, { expression: id, context: index }, value !== undefined, expression.uses.path)
      group.count++
      group.values?.push(value)
      group.paths?.push(context.path)
    }
    const contexts = shared.map((context) => this.#contextText(context, kept))
    const text = JSON.stringify({ contexts, groups })
    const fresh = this.#fresh
    this.#fresh = false
    return { text, fresh, definitions, kept }
  }

  #idOf(source: string, definitions: [number, string][]): number {
    const known = this.#definitions.get(source)
    if (known !== undefined) return known
    const id = this.#definitions.size
    this.#definitions.set(source, id)
    definitions.push([id, source])
    return id
  }

  #contextText(
    { context, vcluster, hostObject, virtualObject }: SharedContext,
    kept: [number, string][],
  ): BatchContext {
    return {
      slot: vcluster ? this.#slotOf(context.vcluster, kept) : -1,
      ...partOf('hostObject', context.hostObject, hostObject),
      ...partOf('virtualObject', context.virtualObject, virtualObject),
    }
  }

  #slotOf(vcluster: VirtualClusterContext, kept: [number, string][]): number {
    const known = this.#slots.get(vcluster)
    if (known !== undefined) return known
    const slot = this.#slots.size
    this.#slots.set(vcluster, slot)
    kept.push([slot, JSON.stringify(vcluster)])
    return slot
  }
}

/** What several evaluations of a batch access together. */
interface SharedContext {
  readonly context: EvaluationContext
  vcluster: boolean
  hostObject: ObjectUse
  virtualObject: ObjectUse
}

function usesNothing({ vcluster, path, hostObject, virtualObject }: ContextUse): boolean {
  return !vcluster && !path && hostObject.length === 0 && virtualObject.length === 0
}

function shareContext(shared: SharedContext[], context: EvaluationContext, uses: ContextUse): number {
  const index = indexOfSame(shared, context)
  const existing = shared[index]
  if (existing === undefined) return shared.push({ ...uses, context }) - 1
  existing.vcluster ||= uses.vcluster
  existing.hostObject = together(existing.hostObject, uses.hostObject)
  existing.virtualObject = together(existing.virtualObject, uses.virtualObject)
  return index
}

/** Evaluations of one object follow each other, so only the last contexts are searched: each may have its own. */
const searchedContexts = 8

function indexOfSame(shared: readonly SharedContext[], context: EvaluationContext): number {
  const first = Math.max(0, shared.length - searchedContexts)
  for (let index = shared.length - 1; index >= first; index--) {
    const other = shared[index]
    if (other !== undefined && isSame(other.context, context)) return index
  }
  return -1
}

function isSame(left: EvaluationContext, right: EvaluationContext): boolean {
  return (
    left.virtualObject === right.virtualObject &&
    left.hostObject === right.hostObject &&
    left.vcluster === right.vcluster
  )
}

function together(left: ObjectUse, right: ObjectUse): ObjectUse {
  if (left === right || right.length === 0) return left
  if (left === 'all' || right === 'all') return 'all'
  return [...new Set([...left, ...right])]
}

function partOf(name: string, object: object | null, use: ObjectUse): Record<string, unknown> {
  if (use.length === 0) return {}
  if (use === 'all' || object === null) return { [name]: object }
  const used = new Set(use)
  return { [name]: Object.fromEntries(Object.entries(object).filter(([field]) => used.has(field))) }
}

/** A group that may still get more members. */
interface OpenGroup extends EvaluationGroup {
  count: number
  readonly paths?: string[]
}

/** The last group if the evaluation fits into it, otherwise a new one. */
function groupFor(
  groups: OpenGroup[],
  { expression, context }: Pick<EvaluationGroup, 'expression' | 'context'>,
  hasValue: boolean,
  usesPath: boolean,
): OpenGroup {
  const last = groups.at(-1)
  const fits = last?.expression === expression && last.context === context && (last.values !== undefined) === hasValue
  if (last !== undefined && fits) return last
  const created = { expression, context, count: 0, ...(hasValue && { values: [] }), ...(usesPath && { paths: [] }) }
  groups.push(created)
  return created
}
