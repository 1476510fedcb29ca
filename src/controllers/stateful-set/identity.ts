import type { KubeObject } from '../../api/object.ts'
import type { StatefulSet } from '../../api/types/apps-v1.ts'
import type { PodTemplateSpec, Volume } from '../../api/types/core-v1.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { podFromTemplate } from '../pods/pod-from-template.ts'
import { maxInt32 } from '../pods/share.ts'
import { volumeClaimName } from './volume-claims.ts'

export const revisionLabel = 'controller-revision-hash'
const podNameLabel = 'statefulset.kubernetes.io/pod-name'
const podIndexLabel = 'apps.kubernetes.io/pod-index'

export interface Identity {
  /** The name of the StatefulSet. */
  readonly set: string
  readonly ordinal: number
}

/** Each identity has one name, so that there cannot be two Pods with it. Undefined for other names, such as `web-01`. */
export function identityIn(podName: string): Identity | undefined {
  const [, set, digits] = /^(.+)-(0|[1-9][0-9]{0,9})$/.exec(podName) ?? []
  if (set === undefined || Number(digits) > maxInt32) return undefined
  return { set, ordinal: Number(digits) }
}

export function podNameOf({ metadata }: StatefulSet, ordinal: number): string {
  return `${metadata.name}-${ordinal}`
}

export function startOrdinal({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0
}

export function replicasOf({ spec }: StatefulSet): number {
  return spec.replicas ?? 1
}

/** The first ordinal that is not wanted. Ordinals above the maximum of the API do not exist. */
export function endOrdinal(set: StatefulSet): number {
  return Math.min(startOrdinal(set) + replicasOf(set), maxInt32 + 1)
}

export function isWanted(set: StatefulSet, ordinal: number): boolean {
  return ordinal >= startOrdinal(set) && ordinal < endOrdinal(set)
}

/** The Pods that belong to the set by name, by ordinal. */
export function podsByOrdinal(set: StatefulSet, pods: readonly PodFacts[]): ReadonlyMap<number, PodFacts> {
  const found = new Map<number, PodFacts>()
  for (const pod of pods) {
    const identity = identityIn(pod.name)
    if (identity !== undefined && identity.set === set.metadata.name) found.set(identity.ordinal, pod)
  }
  return found
}

export function identityLabels(set: StatefulSet, ordinal: number): Readonly<Record<string, string>> {
  return { [podNameLabel]: podNameOf(set, ordinal), [podIndexLabel]: String(ordinal) }
}

/** Whether its labels identify the Pod. */
export function hasIdentity(set: StatefulSet, ordinal: number, { labels }: PodFacts): boolean {
  return Object.entries(identityLabels(set, ordinal)).every(([key, value]) => labels[key] === value)
}

/** `revision` is the name of the template's revision. */
export function statefulPod(
  set: StatefulSet,
  ordinal: number,
  template: PodTemplateSpec,
  revision: string,
): KubeObject {
  const pod = podFromTemplate(set, template)
  const name = podNameOf(set, ordinal)
  const volumes = volumesOf(set, ordinal, template.spec.volumes ?? [])
  const { serviceName } = set.spec
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      labels: { ...pod.metadata.labels, ...identityLabels(set, ordinal), [revisionLabel]: revision },
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(serviceName !== '' && { subdomain: serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  }
}

/** Claims replace volumes of the same name. */
function volumesOf(set: StatefulSet, ordinal: number, volumes: readonly Volume[]): readonly Volume[] {
  const claimed = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => ({
    name: metadata.name ?? '',
    persistentVolumeClaim: { claimName: volumeClaimName(set, metadata.name ?? '', ordinal) },
  }))
  const names = new Set(claimed.map(({ name }) => name))
  return [...claimed, ...volumes.filter(({ name }) => !names.has(name))]
}
