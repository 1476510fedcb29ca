import type { Pod, PodSpec } from '../../../api/types/core-v1.ts'
import { apiEnvironmentName, linksEnvironmentName } from '../../companions/environment/environment-names.ts'
import { tokenSecretName } from '../../companions/tokens/wanted-tokens.ts'
import type { HostNames, KindSetting, Reference } from '../../contract.ts'
import { type HostEnvironment, hostContainer } from './containers.ts'
import { hostDebuggerName } from './debugging.ts'
import { hostDns } from './dns.ts'
import { canBeNamed, type Rename, referencesBy, withHostName } from './renaming.ts'
import { hostAffinity, hostSpread, type PlacedPod } from './scheduling.ts'
import { hostVolume } from './volumes.ts'

const longestHostname = 63
const defaultScheduler = 'default-scheduler'

/**
 * The spec of a Pod for the host, without what the host decides itself. Everything that the policy must judge stays:
 * only fields known to the policy are sent.
 */
export function hostSpec(pod: Pod, { names, podNames, cordonedNodes }: KindSetting): PodSpec {
  const { namespace = '' } = pod.metadata
  const companions = { tokenSecret: tokenSecretName(pod, names), first: variablesOf(pod, names) }
  const rename: Rename = (_kind, name) => (canBeNamed(name) ? names.of(namespace, name).name : name)
  return {
    ...named(pod, rename, companions),
    ...identity(pod),
    ...hostDns(pod.spec, namespace, podNames?.()),
    ...placement(pod, names, cordonedNodes?.() ?? []),
  }
}

/** Objects that a Pod has on the host besides the copies it names. */
interface NamedCompanions {
  readonly tokenSecret: string
  readonly first: HostEnvironment['first']
}

const noCompanions: NamedCompanions = { tokenSecret: '', first: [] }

/** The variables of the API are always present; those of Services only if the Pod wants them. */
function variablesOf({ metadata, spec }: Pod, names: HostNames): HostEnvironment['first'] {
  const links = { name: linksEnvironmentName(metadata.namespace ?? '', names), optional: true }
  return [
    { configMapRef: { name: apiEnvironmentName(names) } },
    ...(spec.enableServiceLinks === false ? [] : [{ configMapRef: links }]),
  ]
}

/** The names of a Pod's companions on the host, which its translated spec may contain. */
export function companionNames(pod: Pod, { names }: Pick<KindSetting, 'names'>): readonly string[] {
  const maps = variablesOf(pod, names).flatMap(({ configMapRef }) => configMapRef?.name ?? [])
  return [tokenSecretName(pod, names), ...maps]
}

/** The objects that a Pod needs. */
export function namedIn(pod: Pod): readonly Reference[] {
  return referencesBy(pod.metadata, (rename) => named(pod, rename, noCompanions))
}

/** The spec with every object name translated by `rename`. */
function named(pod: Pod, rename: Rename, { tokenSecret, first }: NamedCompanions): PodSpec {
  const { spec, metadata } = pod
  const { containers, initContainers, ephemeralContainers, volumes, imagePullSecrets } = spec
  const environment = { rename, first }
  return {
    ...ownDecisions(spec),
    containers: containers?.map((each) => hostContainer(each, pod, environment)) ?? null,
    ...(initContainers && { initContainers: initContainers.map((each) => hostContainer(each, pod, environment)) }),
    ...(ephemeralContainers && {
      ephemeralContainers: ephemeralContainers.map((each) => ({
        ...hostContainer(each, pod, environment),
        name: hostDebuggerName(metadata.uid ?? '', each.name),
      })),
    }),
    ...(volumes && {
      volumes: volumes.map((each) => hostVolume(each, rename, { podName: metadata.name ?? '', tokenSecret })),
    }),
    ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((each) => withHostName(each, 'Secret', rename)) }),
  }
}

/** Drops fields that the host fills in, and those that the virtual cluster's admission filled in for itself. */
function ownDecisions(spec: PodSpec): PodSpec {
  const { serviceAccountName: _, serviceAccount: __, nodeName: ___, subdomain: ____, ...others } = spec
  const { priority: _____, preemptionPolicy: ______, overhead: _______, schedulerName, ...rest } = others
  return { ...rest, ...(schedulerName && schedulerName !== defaultScheduler && { schedulerName }) }
}

/** Seen from inside, the Pod has its virtual name, and knows neither accounts nor Services of the host. */
function identity({ metadata, spec }: Pod): Partial<PodSpec> {
  return {
    hostname: spec.hostname || hostnameOf(metadata.name ?? ''),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
  }
}

/**
 * The host name that kubelet derives from the name of a Pod. Kubelets keep dots, which API servers refuse in a Pod's
 * `hostname`.
 */
function hostnameOf(name: string): string {
  return name
    .slice(0, longestHostname)
    .replace(/[-.]+$/, '')
    .replaceAll('.', '-')
}

function placement({ metadata, spec }: Pod, names: HostNames, cordoned: readonly string[]): Partial<PodSpec> {
  const pod: PlacedPod = { namespace: metadata.namespace ?? '', labels: metadata.labels ?? {}, names, cordoned }
  const affinity = hostAffinity(spec, pod)
  const { topologySpreadConstraints } = spec
  return {
    ...(affinity && { affinity }),
    ...(topologySpreadConstraints && {
      topologySpreadConstraints: topologySpreadConstraints.map((each) => hostSpread(each, pod)),
    }),
  }
}
