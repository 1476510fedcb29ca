import type { Pod, PodSpec } from '../../../api/types/core-v1.ts'
import type { HostNames, KindSetting, Reference } from '../../contract.ts'
import { hostContainer } from './containers.ts'
import { type Rename, referencesBy, withHostName } from './renaming.ts'
import { hostAffinity, hostSpread, type PlacedPod } from './scheduling.ts'
import { withoutTokenVolume } from './token-volume.ts'
import { hostVolume } from './volumes.ts'

const longestHostname = 63
const defaultScheduler = 'default-scheduler'

/**
 * What a Pod asks for, in the words of the host. What the host decides itself is left out. What the policy has to judge
 * stays, whatever it is: only fields that the policy knows are sent.
 */
export function hostSpec(pod: Pod, { names }: KindSetting): PodSpec {
  const renaming: Rename = (_kind, name) => names.of(pod.metadata.namespace ?? '', name).name
  return { ...named(pod, renaming), ...identity(pod), ...placement(pod, names) }
}

/** The objects that a Pod cannot do without. */
export function namedIn(pod: Pod): readonly Reference[] {
  return referencesBy(pod.metadata.namespace ?? '', (rename) => named(pod, rename))
}

/** The spec with every object that it names called by `rename`. */
function named(pod: Pod, rename: Rename): PodSpec {
  const spec = withoutTokenVolume(pod.spec)
  const { containers, initContainers, volumes, imagePullSecrets } = spec
  return {
    ...ownDecisions(spec),
    containers: containers?.map((each) => hostContainer(each, pod, rename)) ?? null,
    ...(initContainers && { initContainers: initContainers.map((each) => hostContainer(each, pod, rename)) }),
    ...(volumes && { volumes: volumes.map((each) => hostVolume(each, rename)) }),
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
    dnsPolicy: spec.dnsPolicy === 'None' ? 'None' : 'Default',
  }
}

/** As kubelet makes it of the name of a Pod. */
function hostnameOf(name: string): string {
  return name.slice(0, longestHostname).replace(/[-.]+$/, '')
}

function placement({ metadata, spec }: Pod, names: HostNames): Partial<PodSpec> {
  const pod: PlacedPod = { namespace: metadata.namespace ?? '', labels: metadata.labels ?? {}, names }
  const affinity = hostAffinity(spec, pod)
  const { topologySpreadConstraints } = spec
  return {
    ...(affinity && { affinity }),
    ...(topologySpreadConstraints && {
      topologySpreadConstraints: topologySpreadConstraints.map((each) => hostSpread(each, pod)),
    }),
  }
}
