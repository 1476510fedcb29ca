import { isRefusal } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { KubeClient } from '../../../client/contract.ts'
import type { HostNames, Pair, Reference } from '../../contract.ts'
import { managedBy } from '../../names/markers.ts'
import type { KindRules } from '../../plan/rules.ts'
import { NotYet, SyncTrouble } from '../failures/failure.ts'
import type { OtherKinds } from '../kind-parts.ts'
import { notOurs } from './required-references.ts'

/** Decides whether an object may hold what it names. */
export interface HoldParts {
  readonly rules: KindRules
  readonly others: OtherKinds
  readonly host: KubeClient
  readonly signal: AbortSignal
}

/** The objects that an object affects or leads to, if names are kept. */
export function heldBy({ virtual, copy }: Pair, rules: KindRules): readonly Reference[] {
  if (virtual === undefined || !rules.setting.names.multiNamespace) return []
  return [
    ...(rules.kind.takesHoldOf?.(virtual, copy) ?? []),
    ...ledTo(virtual, rules),
    ...(copy === undefined ? [] : heldWhenPlaced(virtual, copy, rules)),
  ]
}

function heldWhenPlaced(virtual: KubeObject, copy: KubeObject, { kind, setting }: KindRules): readonly Reference[] {
  return mayBeShared(kind.holdsWhenPlaced?.(virtual, copy) ?? [], setting.names)
}

/** A namespace from a pattern belongs only to the tenant. */
function mayBeShared(references: readonly Reference[], names: HostNames): readonly Reference[] {
  return references.filter(({ namespace }) => names.mappingOf(namespace)?.isPattern !== true)
}

/**
 * A namespace from a pattern belongs only to the tenant: there, an Ingress may wait for some of its Services, as in
 * Kubernetes.
 */
function ledTo(virtual: KubeObject, { kind, setting }: KindRules): readonly Reference[] {
  return mayBeShared(kind.leadsTo?.(virtual) ?? [], setting.names)
}

/**
 * If names are kept, an object must not lead to objects of others: the traffic of a Service, or the data of a claim.
 */
export async function requireOwnHold(pair: Pair, parts: HoldParts): Promise<void> {
  const { others } = parts
  const stranger = await firstNotOwn(pair, (each) => !others.hasCopy(each), parts)
  if (stranger === undefined) return
  throw others.isNotSynced(stranger) ? new SyncTrouble(notOurs(stranger)) : new NotYet(notOurs(stranger))
}

/** Whether a copy holds an object that was the tenant's when it was created, and may be another's by now. */
export async function lacksOwnHold(pair: Pair, parts: HoldParts): Promise<boolean> {
  if (pair.copy === undefined) return false
  const lacking = await firstNotOwn(pair, (each) => parts.others.lacksCopy(each), parts)
  return lacking !== undefined || (await isLeftByClaim(pair, parts))
}

/** Whether a copy without a node refers to a claim that was deleted, is being deleted, or was recreated. */
async function isLeftByClaim({ virtual, copy }: Pair, { rules, others, signal }: HoldParts): Promise<boolean> {
  if (virtual === undefined || copy === undefined || !rules.setting.names.multiNamespace) return false
  for (const claim of heldWhenPlaced(virtual, copy, rules)) {
    if (others.lacksCopy(claim) || (await others.whyAwaited(claim, signal)) === 'outdated') return true
  }
  return false
}

async function firstNotOwn(
  pair: Pair,
  isWithoutCopy: (reference: Reference) => boolean,
  parts: HoldParts,
): Promise<Reference | undefined> {
  const { virtual, copy } = pair
  const { kind, setting } = parts.rules
  if (virtual === undefined || !setting.names.multiNamespace) return undefined
  const held = kind.takesHoldOf?.(virtual, copy).find(isWithoutCopy)
  if (held !== undefined) return held
  for (const reference of ledTo(virtual, parts.rules)) {
    if (isWithoutCopy(reference) && !(await isOfOperator(reference, parts))) return reference
  }
  return undefined
}

/** Objects in a namespace that the operator gives to a tenant, and that no tenant created, may be led to. */
async function isOfOperator({ apiVersion, kind, namespace, name }: Reference, parts: HoldParts): Promise<boolean> {
  const { host, rules, signal } = parts
  const type = await host.served.findKind(apiVersion, kind, signal)
  if (type === undefined || name === '') return false
  try {
    const { metadata } = await host.get(type, rules.setting.names.of(namespace, name), signal)
    return metadata.labels?.[managedBy] === undefined
  } catch (error) {
    if (isRefusal(error, 403, 404)) return false
    throw error
  }
}
