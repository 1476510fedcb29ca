import type { KubeObject } from '../../../api/object.ts'
import { asMembers, asObjects } from '../../../base/json/lenient.ts'
import type { RolloutState } from './rollout-state.ts'

/** Events and conditions may contain any text. */
const longest = 400

/** Why Pods are missing or not ready, in one sentence, with what to do about it; undefined if unknown. */
export function whyWaiting(seen: RolloutState): string | undefined {
  const pods = comingPods(seen.pods)
  const reasons =
    pods.length === 0 ? [...refusedPods(seen), ...endingPods(seen)] : pods.flatMap((pod) => reasonsOf(pod, seen))
  return reasons[0]
}

/** A StatefulSet replaces a Pod only when the previous one is gone. */
function endingPods({ pods }: RolloutState): readonly string[] {
  return pods
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .map(({ metadata: { name } }) => `the previous ${name} has not ended yet`)
}

/** Pods under deletion say nothing about the new ones. */
export function comingPods(pods: readonly KubeObject[]): readonly KubeObject[] {
  return pods.filter(({ metadata, status }) => {
    const isReady = asObjects(asMembers(status).conditions).some(
      (each) => each.type === 'Ready' && each.status === 'True',
    )
    return metadata.deletionTimestamp === undefined && !isReady
  })
}

/** The controller cannot create any: a Deployment reports that in its status, a StatefulSet in Events. */
function refusedPods({ workload, pods, events = [] }: RolloutState): readonly string[] {
  const { name = '', namespace = '' } = workload?.metadata ?? {}
  const created = pods.map(({ metadata }) => metadata.creationTimestamp ?? '')
  const failures = asObjects(asMembers(workload?.status).conditions)
    .filter(({ type, status }) => type === 'ReplicaFailure' && status === 'True')
    .map(({ message }) => message)
  const told = latest(events, ({ kind, name: about }) => kind === workload?.kind && about === name)
  // A refusal from before a Pod was created is over.
  const refused = told.filter((event) => event.reason === 'FailedCreate' && created.every((at) => at <= timeOf(event)))
  return [...failures, ...refused.map(({ message }) => message)].map((message) =>
    refusalText(shortened(message), namespace),
  )
}

function refusalText(message: string, namespace: string): string {
  if (/exceeded quota|failed quota/.test(message)) {
    return `a ResourceQuota of namespace ${namespace} leaves no room for it: ${message}`
  }
  if (/violates PodSecurity/.test(message)) {
    return `the Pod Security level of namespace ${namespace} does not allow its Pods: ${message}`
  }
  return `the cluster refuses its Pods: ${message}`
}

function reasonsOf(pod: KubeObject, seen: RolloutState): readonly string[] {
  const found = [...containerReasons(pod), ...volumeReasons(pod, seen), ...schedulingReasons(pod), ...told(pod, seen)]
  return found.map((reason) => `${pod.metadata.name}: ${reason}`)
}

function containerReasons({ metadata, spec, status }: KubeObject): readonly string[] {
  const containers = asObjects(asMembers(spec).containers)
  return asObjects(asMembers(status).containerStatuses).flatMap(({ name, state, lastState, image: ran }) => {
    const { reason, message } = asMembers(asMembers(state).waiting)
    if (typeof reason !== 'string' || usual.has(reason)) return []
    const text = shortened(message)
    if (pullReasons.has(reason)) {
      // The status names the image that ran last.
      const { image = ran } = containers.find((each) => each.name === name) ?? {}
      return [`the image ${image} cannot be pulled (${reason}${text && `: ${text}`}); ${pullAdvice}`]
    }
    if (reason !== 'CrashLoopBackOff') return [`${reason}${text && `: ${text}`}`]
    const { exitCode, message: last } = asMembers(asMembers(lastState).terminated)
    const logs = `see kubectl logs -n ${metadata.namespace} ${metadata.name} --previous`
    return [`it ends right after its start, with exit code ${exitCode}: ${shortened(last) || logs}`]
  })
}

/** What every Pod waits for while it starts. */
const usual = new Set(['ContainerCreating', 'PodInitializing'])

const pullReasons = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'])
const pullAdvice = 'is that its name, do the nodes reach its registry, and may they pull from it?'

function volumeReasons(pod: KubeObject, { claims = [], events = [] }: RolloutState): readonly string[] {
  const own = asObjects(asMembers(pod.spec).volumes).map(
    ({ persistentVolumeClaim }) => asMembers(persistentVolumeClaim).claimName,
  )
  const pending = claims.filter(
    ({ metadata, status }) => own.includes(metadata.name) && asMembers(status).phase !== 'Bound',
  )
  return pending.map(({ metadata: { name } }) => {
    const [why] = latest(events, (about) => about.kind === 'PersistentVolumeClaim' && about.name === name)
    const text = why === undefined ? 'no volume has been found for it' : shortened(why.message)
    return `its volume claim ${name} is pending: ${text}; ${volumeAdvice}`
  })
}

const volumeAdvice =
  'does the cluster have a default StorageClass, or does the named one exist? A claim that was created before the class may have to be deleted'

function schedulingReasons({ status }: KubeObject): readonly string[] {
  return asObjects(asMembers(status).conditions).flatMap(({ type, status: is, message }) =>
    type === 'PodScheduled' && is === 'False' ? [shortened(message) || 'not scheduled'] : [],
  )
}

/** What neither its status nor its claims show: a missing Secret, or a failing probe. */
function told({ metadata: { name, uid } }: KubeObject, { events = [] }: RolloutState): readonly string[] {
  // The previous Pod of a StatefulSet had the same name.
  return latest(events, (about) => about.kind === 'Pod' && about.name === name && (about.uid ?? uid) === uid)
    .filter(({ reason }) => reason === 'FailedMount' || reason === 'Unhealthy' || reason === 'FailedCreatePodSandBox')
    .map(({ message }) => shortened(message))
}

interface About {
  readonly kind?: unknown
  readonly name?: unknown
  readonly uid?: unknown
}

function latest(events: readonly KubeObject[], isWanted: (about: About) => boolean): readonly KubeObject[] {
  return events
    .filter(({ involvedObject }) => isWanted(asMembers(involvedObject)))
    .sort((one, other) => timeOf(other).localeCompare(timeOf(one)))
}

function timeOf({ lastTimestamp, eventTime, metadata }: KubeObject): string {
  return String(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '')
}

function shortened(message: unknown): string {
  const text = typeof message === 'string' ? message.trim().replaceAll(/\s+/g, ' ') : ''
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
