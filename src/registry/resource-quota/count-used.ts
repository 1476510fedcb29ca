import type { Quantity } from '../../api/quantity.ts'
import { Pace } from '../../base/pace.ts'
import { type Amounts, addTo, onlyNamed, type ParsedAmounts, parsedAmounts, printedAmounts } from '../amounts.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { documentsIn } from '../documents-in.ts'
import type { Charge, ChargedQuota } from './charge.ts'
import type { Evaluator, IsInScope, ScopeRequirement } from './contract.ts'
import { evaluatorOf } from './evaluator-of.ts'
import { isInScopes, limitedNames, requirementsOf } from './matching.ts'

/** What quotas need to know about an object. */
interface Measured {
  readonly usage: ParsedAmounts
  readonly isInScope: IsInScope | undefined
}

/** The usage of objects, computed once for each document. */
export type UsageMemory = WeakMap<StoredDocument, Measured>

/** The objects of one kind, and the total usage of those in certain scopes. */
interface Share {
  readonly evaluator: Evaluator
  readonly documents: readonly StoredDocument[]
  readonly totals: ReadonlyMap<string, Total>
}

interface Total {
  readonly requirements: readonly ScopeRequirement[]
  readonly amounts: Map<string, Quantity>
}

/**
 * The quotas of a namespace according to the objects in the caches and the open charges. Objects and charges are read
 * synchronously, before any wait, so that each charged object is counted once, by either. Quotas with the same scopes
 * share their sums.
 */
export async function countUsed(
  namespace: string,
  quotas: readonly ChargedQuota[],
  contexts: readonly ResourceContext[],
  isOpen: (charge: Charge) => boolean,
  memory: UsageMemory,
): Promise<readonly ChargedQuota[]> {
  const shares = sharesOf(namespace, quotas, contexts)
  const open = quotas.map((quota) => ({ ...quota, charges: quota.charges.filter(isOpen) }))
  const pace = new Pace({ stepsPerTurn: 1_000 })
  for (const share of shares) await sumUp(share, memory, pace)
  return open.map((quota) => ({ ...quota, used: usedOf(quota, shares) }))
}

function sharesOf(
  namespace: string,
  quotas: readonly ChargedQuota[],
  contexts: readonly ResourceContext[],
): readonly Share[] {
  return contexts.flatMap((context) => {
    const evaluator = context.kind.storedAs === undefined ? evaluatorOf(context.kind) : undefined
    if (evaluator === undefined) return []
    const limiting = quotas.filter(({ object }) => limitedNames(object.spec, evaluator).length > 0)
    if (limiting.length === 0) return []
    return [{ evaluator, documents: documentsIn(context, namespace), totals: new Map(limiting.map(emptyTotal)) }]
  })
}

function emptyTotal({ object }: ChargedQuota): [string, Total] {
  const requirements = requirementsOf(object.spec)
  return [scopesKey(requirements), { requirements, amounts: new Map() }]
}

function scopesKey(requirements: readonly ScopeRequirement[]): string {
  return JSON.stringify(requirements)
}

async function sumUp({ evaluator, documents, totals }: Share, memory: UsageMemory, pace: Pace): Promise<void> {
  if (evaluator.onlyCounts !== undefined) {
    const amounts = parsedAmounts(each(evaluator.onlyCounts, documents.length))
    for (const total of totals.values()) if (total.requirements.length === 0) addTo(total.amounts, amounts)
    return
  }
  for (const document of documents) {
    await pace.step()
    const { usage, isInScope } = remembered(memory, document, evaluator)
    for (const { requirements, amounts } of totals.values()) {
      if (isInScopes(requirements, isInScope)) addTo(amounts, usage)
    }
  }
}

function usedOf({ object, hard, charges }: ChargedQuota, shares: readonly Share[]): Amounts {
  const total = new Map<string, Quantity>()
  addTo(total, parsedAmounts(each(Object.keys(hard), 0)))
  for (const { added } of charges) addTo(total, parsedAmounts(added))
  const key = scopesKey(requirementsOf(object.spec))
  for (const { evaluator, totals } of shares) {
    const amounts = [...(totals.get(key)?.amounts ?? [])]
    addTo(
      total,
      amounts.filter(([name]) => evaluator.measures(name)),
    )
  }
  return onlyNamed(printedAmounts(total), (name) => name in hard)
}

function remembered(memory: UsageMemory, document: StoredDocument, evaluator: Evaluator): Measured {
  const known = memory.get(document)
  if (known !== undefined) return known
  const { object } = document
  const measured = { usage: parsedAmounts(evaluator.usage(object)), isInScope: evaluator.scopesOf?.(object) }
  memory.set(document, measured)
  return measured
}

function each(names: readonly string[], count: number): Amounts {
  return Object.fromEntries(names.map((name) => [name, count]))
}
