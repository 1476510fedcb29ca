import type { KubeObject } from '../../api/object.ts'
import type { Pair, Plan, Reference, SyncKind } from '../contract.ts'
import { isImport } from '../imports/marks.ts'
import { copiedUid } from '../names/markers.ts'
import { nameOf } from '../names/names.ts'
import type { Refusal } from '../policy/contract.ts'
import { newCopy } from './copy.ts'
import { endCopy, isOver, planEnding, waitForEnd } from './ending.ts'
import { type Forwarded, forward } from './forward.ts'
import { isToldByHost } from './host-set.ts'
import type { AcceptedFields } from './host-write.ts'
import { readLastSync } from './last-sync.ts'
import { planBoth } from './plan-both.ts'
import type { KindRules } from './rules.ts'

export interface Planned {
  readonly plan: Plan
  /** What the object refers to; nothing if that is not known. */
  readonly references?: readonly Reference[]
  /** What of it the policy keeps from the host. Absent: nothing. */
  readonly refusals?: readonly Refusal[]
}

export interface Circumstances {
  readonly accepted?: AcceptedFields
  /** Whether the object is to have a copy: some kinds are carried only when something refers to them. */
  readonly isWanted: boolean
  /** A controller of the host makes it there, of what is synced. */
  readonly isMadeByHost?: boolean
}

/** What to do about one object: it is on one side only, or on both. */
export async function planObject(pair: Pair, rules: KindRules, circumstances: Circumstances): Promise<Planned> {
  const { virtual, copy } = pair
  const { kind } = rules
  const ending = kind.endsWithCopy && (await planEnding(pair, kind.endsWithCopy, rules))
  if (ending !== undefined) return { plan: ending, ...referencesAtEnd(pair, kind) }
  if (virtual === undefined) return unreferring(removal(copy, 'the virtual object is gone', kind))
  const leaves = whyItLeaves(virtual, rules, circumstances)
  if (leaves !== undefined)
    return unreferring(copy === undefined ? { action: 'leave out' } : removal(copy, leaves, kind))
  const place = rules.hostOf(nameOf(virtual))
  if (place === undefined) return unreferring({ action: 'leave out' })
  if (copy?.metadata.deletionTimestamp !== undefined) return { plan: waitForEnd(copy) }
  if (copy !== undefined && copiedUid(copy) !== virtual.metadata.uid) {
    return { plan: removal(copy, 'the virtual object was made anew', kind) }
  }
  const wanted = await forward(virtual, copy, place, rules)
  if (!wanted.ok) return notForwarded(wanted, copy, rules)
  const anew = copy && kind.whyAnew?.(wanted.fields, copy)
  if (copy !== undefined && anew !== undefined) return { plan: removal(copy, anew, kind) }
  const plan: Plan =
    copy === undefined
      ? { action: 'create', host: newCopy(virtual, place, wanted, rules) }
      : await planBoth({ virtual, copy }, wanted, rules, circumstances.accepted)
  const references = [...wanted.references, ...(kind.references?.(virtual) ?? [])]
  return { plan, references, refusals: refusalsOf(wanted, virtual, copy) }
}

/** What is held back loses its copy and refers to nothing; after any other failure the host stays as it is. */
function notForwarded(
  { trouble, held }: Forwarded & { readonly ok: false },
  copy: KubeObject | undefined,
  { mayRefer, kind }: KindRules,
): Planned {
  if (held === undefined) return { plan: { action: 'fail', trouble }, ...(mayRefer ? {} : { references: [] }) }
  if (copy !== undefined) return unreferring(removal(copy, trouble.message, kind))
  return { ...unreferring({ action: 'hold back', trouble }), refusals: held }
}

/** Without what the tenant's object has only because the host has set it there. */
function refusalsOf(
  { refusals }: Forwarded & { readonly ok: true },
  virtual: KubeObject,
  copy: KubeObject | undefined,
): readonly Refusal[] {
  if (copy === undefined || refusals.length === 0) return refusals
  const base = readLastSync(copy)
  return refusals.filter(({ key }) => key === undefined || !isToldByHost(virtual, base, key.map, key.name))
}

function whyItLeaves(
  virtual: KubeObject,
  { kind, setting }: KindRules,
  { isWanted, isMadeByHost = false }: Circumstances,
): string | undefined {
  if (virtual.metadata.deletionTimestamp !== undefined) return 'the virtual object is being deleted'
  if (isImport(virtual)) return 'it came from the host'
  if (!isWanted) return 'nothing refers to the virtual object any more'
  if (isMadeByHost) return 'a controller of the host makes it'
  return kind.leavesOut?.(virtual, setting)
}

/** Whether an object that something refers to gets a copy, as far as the policy lets it pass. */
export function isCarried(virtual: KubeObject, rules: KindRules): boolean {
  return whyItLeaves(virtual, rules, { isWanted: true }) === undefined && rules.hostOf(nameOf(virtual)) !== undefined
}

/** Whether an object without a copy is likely to get one: what it refers to, and the policy, are not looked at. */
export function isToBeCopied(virtual: KubeObject, rules: KindRules): boolean {
  return isCarried(virtual, rules) && !isOver(virtual, rules.kind)
}

function removal(copy: KubeObject, because: string, { endsWithCopy }: SyncKind): Plan {
  if (copy.metadata.deletionTimestamp !== undefined) return waitForEnd(copy)
  return endsWithCopy === undefined ? { action: 'delete', copy, because } : endCopy(copy, because)
}

/** What a copy needs stays until it is gone. What one refers to whose virtual object is gone is not known any more. */
function referencesAtEnd({ virtual, copy }: Pair, kind: SyncKind): Pick<Planned, 'references'> {
  if (copy === undefined) return { references: [] }
  return virtual === undefined ? {} : { references: kind.references?.(virtual) ?? [] }
}

function unreferring(plan: Plan): Planned {
  return { plan, references: [] }
}
