import { withTemplateDefaults } from '../../api/core/pods/pod-template.ts'
import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'
import type { PodTemplateSpec } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { controllerReference } from '../ownership/owned.ts'
import { templateHash } from '../pods/template-hash.ts'

const hashLabel = 'pod-template-hash'

/**
 * Whether another template makes the same Pods, whichever ReplicaSet it belongs to. It may have been stored with fewer
 * defaults: an omitted field means the default.
 */
export function sameTemplateAs(template: PodTemplateSpec): (other: PodTemplateSpec) => boolean {
  const wanted = completed(template)
  return (other) => deepEqual(completed(other), wanted)
}

function completed(template: PodTemplateSpec): PodTemplateSpec {
  return withTemplateDefaults(withoutHash(template))
}

/** A ReplicaSet for the current template, without Pods yet. */
export function newReplicaSet(deployment: Deployment): ReplicaSet {
  const { metadata, spec, status } = deployment
  const mark = { [hashLabel]: templateHash(spec.template, status.collisionCount) }
  const labels = { ...spec.template.metadata.labels, ...mark }
  const { minReadySeconds = 0 } = spec
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${mark[hashLabel]}`,
      namespace: metadata.namespace ?? '',
      labels,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      ...(minReadySeconds > 0 && { minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, ...mark } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: { replicas: 0 },
  }
}

function withoutHash({ metadata, spec }: PodTemplateSpec): PodTemplateSpec {
  const { [hashLabel]: _, ...labels } = metadata.labels ?? {}
  return { metadata: { ...metadata, labels }, spec }
}
