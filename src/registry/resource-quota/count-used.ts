import type { Quantity } from '../../api/quantity.ts'
import { Pace } from '../../base/pace.ts'
import { type Amounts, addTo, onlyNamed, type ParsedAmounts, parsedAmounts, printedAmounts } from '../amounts.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { documentsIn } from '../documents-in.ts'
import type { Charge, ChargedQuota } from './charge.ts'
import type { Evaluator } from './contract.ts'
import { evaluatorOf } from './evaluator-of.ts'
import { hasScopes, isInScopes, limitedNames } from './matching.ts'

/** What objects use, worked out once for each that is read. */
export type UsageMemory = WeakMap<StoredDocument, ParsedAmounts>

interface Share {
  readonly evaluator: Evaluator
  readonly documents: readonly StoredDocument[]
}

/**
 * A quota as the objects in the caches and the charges that are still open make it. Objects and charges are looked at in
 * one go, before anything is waited for: what a charge was for is then counted once, by either.
 */
export async function countUsed(
  quota: ChargedQuota,
  contexts: readonly ResourceContext[],
  isOpen: (charge: Charge) => boolean,
  memory: UsageMemory,
): Promise<ChargedQuota> {
  const shares = sharesOf(quota, contexts)
  const charges = quota.charges.filter(isOpen)
  const total = new Map<string, Quantity>()
  addTo(total, parsedAmounts(each(Object.keys(quota.hard), 0)))
  for (const { added } of charges) addTo(total, parsedAmounts(added))
  const pace = new Pace({ stepsPerTurn: 1_000 })
  for (const share of shares) await addShare(total, quota, share, memory, pace)
  return { ...quota, charges, used: onlyNamed(printedAmounts(total), (name) => name in quota.hard) }
}

function sharesOf({ document, object }: ChargedQuota, contexts: readonly ResourceContext[]): readonly Share[] {
  return contexts.flatMap((context) => {
    const evaluator = context.kind.storedAs === undefined ? evaluatorOf(context.kind) : undefined
    if (evaluator === undefined || limitedNames(object.spec, evaluator).length === 0) return []
    return [{ evaluator, documents: documentsIn(context, document.namespace) }]
  })
}

async function addShare(
  total: Map<string, Quantity>,
  { object: { spec } }: ChargedQuota,
  { evaluator, documents }: Share,
  memory: UsageMemory,
  pace: Pace,
): Promise<void> {
  const isScoped = hasScopes(spec)
  if (evaluator.onlyCounts !== undefined) {
    if (!isScoped) addTo(total, parsedAmounts(each(evaluator.onlyCounts, documents.length)))
    return
  }
  for (const document of documents) {
    await pace.step()
    if (isScoped && !isInScopes(spec, evaluator, document.object)) continue
    addTo(total, remembered(memory, document, evaluator))
  }
}

function remembered(memory: UsageMemory, document: StoredDocument, evaluator: Evaluator): ParsedAmounts {
  const known = memory.get(document)
  if (known !== undefined) return known
  const usage = parsedAmounts(evaluator.usage(document.object))
  memory.set(document, usage)
  return usage
}

function each(names: readonly string[], count: number): Amounts {
  return Object.fromEntries(names.map((name) => [name, count]))
}
