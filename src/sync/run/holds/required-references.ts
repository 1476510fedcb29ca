import type { KubeObject } from '../../../api/object.ts'
import type { Reference, Trouble } from '../../contract.ts'
import type { KindRules } from '../../plan/rules.ts'
import { NotYet, SyncTrouble } from '../failures/failure.ts'
import type { OtherKinds } from '../kind-parts.ts'
import type { AwaitedCopy } from './awaited-copy.ts'

/** Each may cost a request. A Pod that names more waits only for the first ones. */
const mostAwaited = 100

export interface RequiredReferences {
  readonly rules: KindRules
  readonly others: OtherKinds
  readonly signal: AbortSignal
  readonly virtual: KubeObject | undefined
  /** Requeues the object when the reference changes, unless the returned function is called. */
  readonly awaits: (reference: Reference) => () => void
}

/**
 * A kubelet that does not find what a Pod needs waits for minutes before it tries again, so the copies come first. A
 * copy of an object that was deleted before is worse: the Pod would get a volume, or settings, that no longer exist.
 */
export async function requireReferences(
  references: readonly Reference[],
  { rules, others, signal, virtual, awaits }: RequiredReferences,
  tell: (trouble: Trouble) => void,
): Promise<void> {
  if (rules.kind.needsReferences !== true) return
  const areNamesKept = rules.setting.names.multiNamespace
  for (const reference of references.slice(0, mostAwaited)) {
    if (others.isNotSynced(reference)) tell(notSynced(reference, rules))
    // Changes during the request count.
    const callOff = awaits(reference)
    const why = await others.whyAwaited(reference, signal)
    if (why !== undefined) throw new NotYet(notYet(reference, why))
    callOff()
  }
  // Names from patches are the operator's decision.
  const own = (virtual && rules.kind.references?.(virtual)) ?? []
  const stranger = areNamesKept ? own.find((reference) => !others.hasCopy(reference)) : undefined
  if (stranger === undefined) return
  awaits(stranger)
  throw new SyncTrouble(notOurs(stranger))
}

const words: Readonly<Record<AwaitedCopy, string>> = {
  missing: 'is not there yet',
  outdated: 'is of one that was deleted, and is not gone yet',
  behind: 'is not in step yet',
}

function notYet({ kind, name }: Reference, why: AwaitedCopy): Trouble {
  const message = `the copy of the ${kind} ${name} that it refers to ${words[why]}`
  return { reason: 'WaitsForReferences', message }
}

/** If namespaces are synced, names are kept, and the name would refer to what others put there. */
export function notOurs({ kind, name }: Reference): Trouble {
  const message = `it refers to the ${kind} ${name}, which has no copy on the host: make it in the virtual cluster, and let sync.toHost in tenant.yaml sync its kind`
  return { reason: 'ReferenceNotCopied', message }
}

/** The operator may have created it manually, so the Pod still runs. */
function notSynced({ kind, name, namespace }: Reference, { hostOf }: KindRules): Trouble {
  const place = hostOf({ namespace, name })
  const message = `it refers to the ${kind} ${name}, and objects of this kind are not synced (sync.toHost in tenant.yaml): it must exist on the host as ${place?.name ?? name}`
  return { reason: 'ReferenceNotSynced', message }
}
