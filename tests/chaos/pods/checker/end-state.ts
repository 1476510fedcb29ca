import { hasEnded, isReady, marks, originOf, originUid, type Seen } from './account.ts'
import { isHeld, waitsForClaim } from './held-claims.ts'

/** The objects of both worlds when all is quiet. */
export interface EndState {
  /** Pods, Services, claims, Secrets, ConfigMaps and Deployments of the checked namespaces. */
  readonly virtual: readonly Seen[]
  /** Objects of those namespaces with a mark of the tenant. */
  readonly host: readonly Seen[]
  /** By uid: objects that do not belong to the tenant, whatever marks they have. */
  readonly foreign: ReadonlySet<string>
}

const carried: ReadonlySet<string> = new Set(['Pod', 'Service', 'PersistentVolumeClaim'])

/** The objects that are left in either world after its users have deleted all of theirs. */
export function remains({ virtual, host, foreign }: EndState): readonly string[] {
  const own = host.filter(({ metadata }) => !foreign.has(metadata.uid))
  return [
    ...virtual.map((each) => `${nameOf(each)} is still there`),
    ...own.map((each) => `${originOf(each)} is left on the host`),
  ]
}

/** The differences between the worlds; empty if they are in step. */
export function differences({ virtual, host, foreign }: EndState): readonly string[] {
  const origins = new Map(virtual.map((each) => [each.metadata.uid, each]))
  const own = host.filter(({ metadata }) => !foreign.has(metadata.uid))
  const copies = new Map(own.filter(isNoCompanion).map((each) => [originUid(each) ?? '', each]))
  const isNotHeld = (each: Seen) => !isHeld(each, virtual) && !isHeld(each, host)
  const isExpected = (each: Seen) => isNotHeld(each) && !waitsForClaim(each, virtual, own)
  return [
    ...own
      .filter((each) => isNotHeld(each) && !origins.has(originUid(each) ?? ''))
      .map((each) => `${originOf(each)} is left on the host`),
    ...virtual.filter(isExpected).flatMap((each) => withoutStep(each, copies.get(each.metadata.uid))),
    ...virtual.filter(isNotHeld).flatMap(unfinished),
    ...own
      .filter((each) => isNotHeld(each) && each.metadata.deletionTimestamp)
      .map((each) => `the copy of ${originOf(each)} does not end`),
  ]
}

function isNoCompanion({ metadata }: Seen): boolean {
  return metadata.labels?.[marks.companion] === undefined
}

function withoutStep(object: Seen, copy: Seen | undefined): readonly string[] {
  const who = nameOf(object)
  if (!carried.has(object.kind)) return []
  if (copy === undefined) return hasEnded(object) ? [] : [`${who} is ${object.status?.phase} without a copy`]
  if (object.kind !== 'Pod' && object.kind !== 'PersistentVolumeClaim') return []
  const [shown, told] = [wordsOf(object), wordsOf(copy)]
  return shown === told ? [] : [`${who} says ${shown}, and its copy ${told}`]
}

function wordsOf(each: Seen): string {
  const { spec, status } = each
  return JSON.stringify([status?.phase, spec?.nodeName, status?.podIP, isReady(each)])
}

/** Nothing may be in progress. */
function unfinished({ kind, metadata, spec, status }: Seen): readonly string[] {
  const who = nameOf({ kind, metadata })
  const isDeploying = kind === 'Deployment' && (status?.readyReplicas ?? 0) !== (spec?.replicas ?? 1)
  return [
    ...(metadata.deletionTimestamp ? [`${who} does not end`] : []),
    ...(isDeploying ? [`${who} has ${status?.readyReplicas ?? 0} of ${spec?.replicas} ready`] : []),
  ]
}

function nameOf({ kind, metadata }: Pick<Seen, 'kind' | 'metadata'>): string {
  return `${kind} ${metadata.namespace}/${metadata.name}`
}
