import type { KubeObject } from '../../api/object.ts'
import type { Pair, Plan, Reference, SyncKind, Trouble } from '../contract.ts'
import { isImport } from '../names/import-marks.ts'
import { copiedUid } from '../names/markers.ts'
import { nameOf } from '../names/names.ts'
import type { Refusal } from '../policy/contract.ts'
import { newCopy, rememberedFixed } from './copy.ts'
import { awaitsEndOfCopy, protectedFinalizers } from './copy-protection.ts'
import { endCopy, isOver, planEnding, waitForEnd } from './ending.ts'
import { type Forwarded, forward } from './forward.ts'
import { isSetByHost } from './host-set.ts'
import type { AcceptedFields } from './host-write.ts'
import { readLastSync } from './last-sync.ts'
import { planBoth } from './plan-both.ts'
import type { KindRules } from './rules.ts'

export interface Planned {
  readonly plan: Plan
  /** The references of the object; undefined if they are not known. */
  readonly references?: readonly Reference[]
  /** The parts that the policy keeps from the host. Absent: none. */
  readonly refusals?: readonly Refusal[]
}

/** What decides the plan besides the two objects. */
export interface PairFacts {
  readonly accepted?: AcceptedFields
  /** Whether the object should have a copy: some kinds are synced only if they are referenced. */
  readonly isWanted: boolean
  /** Whether a controller of the host creates it there, from synced objects. */
  readonly isMadeByHost?: boolean
  /** Whether it affects, or leads to, an object that is no longer the tenant's. */
  readonly lacksHold?: boolean
  /** Whether it is known which nodes the tenant has cordoned. */
  readonly areNodesKnown?: boolean
  /**
   * Whether other objects of the tenant name it, while the next object of its name on the host could be another
   * tenant's.
   */
  readonly isStillNamed?: boolean
  /** Whether copies of the tenant hold it. */
  readonly isStillHeld?: boolean
}

/** Plans one object, which exists on one side or on both. */
export async function planObject(pair: Pair, rules: KindRules, facts: PairFacts): Promise<Planned> {
  const { virtual, copy } = pair
  const { kind } = rules
  const withdrawn = kind.endsWithCopy && withdrawnCopy(pair, facts)
  if (withdrawn !== undefined) return { plan: waitForEnd(withdrawn), ...referencesAtEnd(pair, kind) }
  const ending = kind.endsWithCopy && (await planEnding(pair, kind.endsWithCopy, rules))
  if (ending !== undefined) return { plan: ending, ...referencesAtEnd(pair, kind) }
  if (copy === undefined && awaitsEndOfCopy(virtual)) return unreferring({ action: 'release', virtual })
  const removed = (gone: KubeObject, because: string) => removalUnlessNamed(gone, because, kind, facts)
  if (virtual === undefined) return unreferring(removed(copy, 'the virtual object is gone'))
  const leaves = whyItLeaves(virtual, rules, facts)
  if (leaves !== undefined)
    return copy === undefined ? unreferring({ action: 'leave out' }) : leaving(pair, removed(copy, leaves), kind)
  const place = rules.hostOf(nameOf(virtual))
  if (place === undefined) return unreferring({ action: 'leave out' })
  if (copy?.metadata.deletionTimestamp !== undefined) return { plan: waitForEnd(copy) }
  if (copy !== undefined && copiedUid(copy) !== virtual.metadata.uid && facts.isStillNamed !== true) {
    return { plan: removed(copy, 'the virtual object was created again') }
  }
  if (copy !== undefined && isShownAnew(virtual, copy, kind)) return { plan: planShownAnew(copy, kind) }
  const named = kind.references?.(virtual) ?? []
  if (named.length > mostReferences) return namesTooMany(copy)
  const wanted = await forward(virtual, copy, place, rules)
  if (!wanted.ok) return notForwarded(wanted, pair, rules, removed)
  const trouble = copy && kind.onTrial?.(copy, wanted.fields)?.(copy)
  if (copy !== undefined && trouble !== undefined) return { plan: endCopy(copy, trouble.message, shortestGraceSeconds) }
  const anew = copy && kind.whyAnew?.(wanted.fields, copy)
  if (copy !== undefined && anew !== undefined && facts.areNodesKnown !== false)
    return { plan: kind.endsWithCopy ? { action: 'delete', copy, because: anew } : removed(copy, anew) }
  const references = [...wanted.references, ...named]
  if (references.length > mostReferences) return namesTooMany(copy)
  const refusals = refusalsOf(wanted, virtual, copy)
  const finalizers = protectedFinalizers(virtual, rules)
  if (finalizers !== undefined) return { plan: protection(finalizers), references, refusals }
  const plan: Plan =
    copy === undefined
      ? { action: 'create', host: newCopy(virtual, place, wanted, rules) }
      : await planBoth({ virtual, copy }, wanted, rules, facts.accepted)
  return { plan, references, refusals }
}

/** Each is translated and remembered, and an object has room for ten thousands of names. */
const mostReferences = 1_000

const tooManyReferences: Trouble = {
  reason: 'TooManyReferences',
  message: `it refers to more than ${mostReferences} other objects: refer to fewer`,
}

/** An existing copy keeps what it refers to. */
function namesTooMany(copy: KubeObject | undefined): Planned {
  return { plan: { action: 'fail', trouble: tooManyReferences }, ...(copy === undefined && { references: [] }) }
}

/** Written before the copy is created: an object that is protected later may be deleted in between. */
function protection(finalizers: readonly string[]): Plan {
  return { action: 'update', virtual: { body: { metadata: { finalizers } } } }
}

/**
 * A copy that ends because it lost what it held is created again. Like its absence, this does not end its virtual
 * object.
 */
function withdrawnCopy({ virtual, copy }: Pair, { lacksHold = false }: PairFacts): KubeObject | undefined {
  const isLeftAlone = virtual !== undefined && virtual.metadata.deletionTimestamp === undefined
  return lacksHold && isLeftAlone && copy?.metadata.deletionTimestamp !== undefined ? copy : undefined
}

/**
 * Whether a server shows another object under the uid of the one that was copied. A part that the host added to the
 * copy, such as a service mesh container, could then be taken for the tenant's by its name.
 */
function isShownAnew(virtual: KubeObject, copy: KubeObject, kind: SyncKind): boolean {
  const { fixed: before } = readLastSync(copy)
  return before !== undefined && before !== rememberedFixed(virtual, kind).fixed
}

/** What is the tenant's in it is not known any more, so a copy that could see what the host added to it is ended. */
function planShownAnew(copy: KubeObject, { onTrial }: SyncKind): Plan {
  if (onTrial?.(copy) === undefined) return { action: 'fail', trouble: shownAnew }
  return endCopy(copy, shownAnew.message, shortestGraceSeconds)
}

/** For copies that must not run: with none, the host would forget them while their containers still run. */
const shortestGraceSeconds = 1

const shownAnew: Trouble = {
  reason: 'ShownAnew',
  message: 'the virtual cluster shows another object under the same uid, so that the copy stays as it is',
}

/** A held object loses its copy and refers to nothing; after any other failure the host stays unchanged. */
function notForwarded(
  { trouble, held }: Forwarded & { readonly ok: false },
  pair: Pair,
  { mayRefer, kind }: KindRules,
  removed: (copy: KubeObject, because: string) => Plan,
): Planned {
  if (held === undefined) return { plan: { action: 'fail', trouble }, ...(mayRefer ? {} : { references: [] }) }
  if (pair.copy !== undefined) return leaving(pair, removed(pair.copy, trouble.message), kind)
  return { ...unreferring({ action: 'hold back', trouble }), refusals: held }
}

/** Without values that the tenant's object has only because the host set them. */
function refusalsOf(
  { refusals }: Forwarded & { readonly ok: true },
  virtual: KubeObject,
  copy: KubeObject | undefined,
): readonly Refusal[] {
  if (copy === undefined || refusals.length === 0) return refusals
  const base = readLastSync(copy)
  return refusals.filter(({ key }) => key === undefined || !isSetByHost(virtual, base, key.map, key.name))
}

function whyItLeaves(
  virtual: KubeObject,
  { kind, setting }: KindRules,
  { isWanted, isMadeByHost = false, lacksHold = false }: PairFacts,
): string | undefined {
  if (virtual.metadata.deletionTimestamp !== undefined) return 'the virtual object is being deleted'
  if (isImport(virtual)) return 'it came from the host'
  if (!isWanted) return 'nothing refers to the virtual object any more'
  if (isMadeByHost) return 'a controller of the host makes it'
  if (lacksHold) return 'its target no longer belongs to this tenant'
  return kind.leavesOut?.(virtual, setting)
}

/** Whether a referenced object gets a copy, as far as the policy allows. */
export function isCarried(virtual: KubeObject, rules: KindRules): boolean {
  return whyItLeaves(virtual, rules, { isWanted: true }) === undefined && rules.hostOf(nameOf(virtual)) !== undefined
}

/** Whether an object without a copy will probably get one: its references and the policy are not checked. */
export function isToBeCopied(virtual: KubeObject, rules: KindRules): boolean {
  return isCarried(virtual, rules) && !isOver(virtual, rules.kind)
}

/** Otherwise, Pods would get the content of another tenant's object once that tenant takes the name. */
function removalUnlessNamed(
  copy: KubeObject,
  because: string,
  kind: SyncKind,
  { isStillNamed, isStillHeld }: Pick<PairFacts, 'isStillNamed' | 'isStillHeld'>,
): Plan {
  return isStillNamed === true || isStillHeld === true
    ? { action: 'wait', trouble: stillNamed }
    : removal(copy, because, kind)
}

const stillNamed: Trouble = {
  reason: 'StillNamed',
  message:
    'the copy stays until nothing on the host names it: what another tenant puts there under its name would be meant',
}

function removal(copy: KubeObject, because: string, { endsWithCopy }: SyncKind): Plan {
  if (copy.metadata.deletionTimestamp !== undefined) return waitForEnd(copy)
  return endsWithCopy === undefined ? { action: 'delete', copy, because } : endCopy(copy, because)
}

/**
 * Objects that a copy needs stay until it is deleted. The references of a copy whose virtual object was deleted or
 * replaced are no longer known.
 */
function referencesAtEnd({ virtual, copy }: Pair, kind: SyncKind): Pick<Planned, 'references'> {
  if (copy === undefined) return { references: [] }
  if (virtual === undefined || copiedUid(copy) !== virtual.metadata.uid) return {}
  return { references: kind.references?.(virtual) ?? [] }
}

/** The copy is deleted: at once, or with its grace period. */
function leaving(pair: Pair, plan: Plan, kind: SyncKind): Planned {
  return kind.endsWithCopy === undefined ? unreferring(plan) : { plan, ...referencesAtEnd(pair, kind) }
}

function unreferring(plan: Plan): Planned {
  return { plan, references: [] }
}
