import type { KubeObject } from '../../api/object.ts'
import { nanosOf } from '../../api/quantity.ts'
import { type Amounts, increase, onlyNamed, printedAmount, sumOf } from '../amounts.ts'
import type { Charge, ChargedQuota } from './charge.ts'
import type { Evaluator } from './contract.ts'
import { isInScopes, limitedNames, requirementsOf } from './matching.ts'

/** A write that needs room. */
export interface WantedCharge {
  readonly charge: Omit<Charge, 'added'>
  readonly evaluator: Evaluator
  readonly object: KubeObject
  /** The object that is replaced. */
  readonly old: KubeObject | undefined
  /** Only checks whether there is room, without taking any. */
  readonly isDryRun: boolean
}

type Planned =
  | { readonly outcome: 'charged'; readonly quotas: readonly ChargedQuota[] }
  | { readonly outcome: 'refused'; readonly reason: string }

export interface PlannedTogether<T extends WantedCharge> {
  /** The quotas with everything that was charged. */
  readonly quotas: readonly ChargedQuota[]
  readonly charged: readonly T[]
  readonly refused: readonly { readonly wanted: T; readonly reason: string }[]
}

/** One after the other, in order of arrival. */
export function planTogether<T extends WantedCharge>(
  quotas: readonly ChargedQuota[],
  together: readonly T[],
): PlannedTogether<T> {
  let left = quotas
  const charged: T[] = []
  const refused: { readonly wanted: T; readonly reason: string }[] = []
  for (const wanted of together) {
    const planned = planCharge(left, wanted)
    if (planned.outcome === 'refused') {
      refused.push({ wanted, reason: planned.reason })
    } else {
      if (!wanted.isDryRun) left = planned.quotas
      charged.push(wanted)
    }
  }
  return { quotas: left, charged, refused }
}

/**
 * Charges a write to every quota that counts it, or to none. Existing charges are not repeated. What the object must say
 * for any of them is told before any amount, as at Kubernetes.
 */
function planCharge(quotas: readonly ChargedQuota[], wanted: WantedCharge): Planned {
  const missing = firstMissing(quotas, wanted)
  if (missing !== undefined) return { outcome: 'refused', reason: missing }
  const charged: ChargedQuota[] = []
  for (const quota of quotas) {
    const added = addedTo(quota, wanted)
    const reason = added === undefined ? undefined : reasonAgainst(quota, wanted, added)
    if (reason !== undefined) return { outcome: 'refused', reason }
    charged.push(added === undefined ? quota : withCharge(quota, { ...wanted.charge, added }))
  }
  return { outcome: 'charged', quotas: charged }
}

function firstMissing(quotas: readonly ChargedQuota[], { evaluator, object }: WantedCharge): string | undefined {
  if (evaluator.missing === undefined) return undefined
  for (const {
    object: { metadata, spec },
  } of quotas) {
    const names = limitedNames(spec, evaluator)
    if (names.length === 0 || !isInScopes(requirementsOf(spec), evaluator.scopesOf?.(object))) continue
    const missing = evaluator.missing(object, names)
    if (missing !== undefined) return `failed quota: ${metadata.name}: ${missing}`
  }
  return undefined
}

/** Undefined if the quota does not count the object. */
function addedTo({ object: { spec } }: ChargedQuota, { evaluator, object, old }: WantedCharge): Amounts | undefined {
  const names = limitedNames(spec, evaluator)
  const requirements = requirementsOf(spec)
  const isCounted = (each: KubeObject) => isInScopes(requirements, evaluator.scopesOf?.(each))
  if (names.length === 0 || !isCounted(object)) return undefined
  const before = old !== undefined && isCounted(old) ? evaluator.usage(old) : {}
  const limited = new Set(names)
  return onlyNamed(increase(evaluator.usage(object), before), (name) => limited.has(name))
}

function reasonAgainst(quota: ChargedQuota, wanted: WantedCharge, added: Amounts): string | undefined {
  if (isCharged(quota, wanted.charge.id)) return undefined
  const used = sumOf([quota.used, added])
  const exceeded = Object.keys(added).filter((name) => nanosOf(used[name] ?? 0) > nanosOf(quota.hard[name] ?? 0))
  if (exceeded.length === 0) return undefined
  const told = (amounts: Amounts) => printed(amounts, exceeded)
  const amounts = `requested: ${told(added)}, used: ${told(quota.used)}, limited: ${told(quota.hard)}`
  return `exceeded quota: ${quota.object.metadata.name}, ${amounts}`
}

function withCharge(quota: ChargedQuota, charge: Charge): ChargedQuota {
  if (isCharged(quota, charge.id) || Object.keys(charge.added).length === 0) return quota
  return { ...quota, used: sumOf([quota.used, charge.added]), charges: [...quota.charges, charge] }
}

function isCharged({ charges }: ChargedQuota, id: string): boolean {
  return charges.some((charge) => charge.id === id)
}

function printed(amounts: Amounts, names: readonly string[]): string {
  return names
    .toSorted()
    .map((name) => `${name}=${printedAmount(amounts[name] ?? 0)}`)
    .join(',')
}
