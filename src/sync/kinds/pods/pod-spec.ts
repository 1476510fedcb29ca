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
 * What a Pod asks for, in the words of the host. What the host decides itself is left out. What the policy has to judge
 * stays, whatever it is: only fields that the policy knows are sent.
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

/** What a Pod has on the host besides the copies that it names. */
interface NamedCompanions {
  readonly tokenSecret: string
  readonly first: HostEnvironment['first']
}

const noCompanions: NamedCompanions = { tokenSecret: '', first: [] }

/** The variables of the API are always there; those of Services as the Pod asks for. */
function variablesOf({ metadata, spec }: Pod, names: HostNames): HostEnvironment['first'] {
  const links = { name: linksEnvironmentName(metadata.namespace ?? '', names), optional: true }
  return [
    { configMapRef: { name: apiEnvironmentName(names) } },
    ...(spec.enableServiceLinks === false ? [] : [{ configMapRef: links }]),
  ]
}

/** The names of what a Pod has on the host besides copies, by which its translated spec may call it. */
export function companionNames(pod: Pod, { names }: Pick<KindSetting, 'names'>): readonly string[] {
  const maps = variablesOf(pod, names).flatMap(({ configMapRef }) => configMapRef?.name ?? [])
  return [tokenSecretName(pod, names), ...maps]
}

/** The objects that a Pod cannot do without. */
export function namedIn(pod: Pod): readonly Reference[] {
  return referencesBy(pod.metadata, (rename) => named(pod, rename, noCompanions))
}

/** The spec with every object that it names called by `rename`. */
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

/** Without what the host fills in, and what admission of the virtual cluster has filled in for its own sake. */
function ownDecisions(spec: PodSpec): PodSpec {
  const { serviceAccountName: _, serviceAccount: __, nodeName: ___, subdomain: ____, ...others } = spec
  const { priority: _____, preemptionPolicy: ______, overhead: _______, schedulerName, ...rest } = others
  return { ...rest, ...(schedulerName && schedulerName !== defaultScheduler && { schedulerName }) }
}

/** Seen from inside, the Pod is called as in the virtual cluster, and knows neither accounts nor Services of the host. */
function identity({ metadata, spec }: Pod): Partial<PodSpec> {
  return {
    hostname: spec.hostname || hostnameOf(metadata.name ?? ''),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
  }
}

/** As kubelet makes it of the name of a Pod. A kubelet keeps dots, which no API server takes where a Pod says its host name. */
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
