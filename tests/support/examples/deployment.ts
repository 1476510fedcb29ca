import type { Deployment, DeploymentSpec, DeploymentStatus, ReplicaSet } from '../../../src/api/types/apps-v1.ts'
import { timestamp } from '../../../src/base/clock.ts'
import { planDeployment } from '../../../src/controllers/deployment/plan.ts'
import { newReplicaSet } from '../../../src/controllers/deployment/template.ts'

export const nowMs = Date.UTC(2030, 0, 1)

export interface Wish extends Partial<DeploymentSpec> {
  readonly image?: string
  readonly surge?: number | string
  readonly missing?: number | string
  readonly annotations?: Readonly<Record<string, string>>
}

export function deployment(
  { image = 'v1', surge = 1, missing = 0, annotations, ...spec }: Wish = {},
  status: DeploymentStatus = {},
): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'a', uid: 'web', generation: 1, ...(annotations && { annotations }) },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: template(image),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: missing } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      ...spec,
    },
    status,
  }
}

export function template(image: string) {
  const container = { name: 'c', image, resources: {}, imagePullPolicy: 'Always' }
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } }
}

interface Size {
  readonly available?: number
  /** The number of existing Pods; by default, as many as wanted. */
  readonly there?: number
  readonly desired?: number
  readonly most?: number
  readonly annotations?: Readonly<Record<string, string>>
}

/** The ReplicaSet of an image; `v1` is the oldest. */
export function replicaSet(
  image: string,
  size: number,
  { available = size, there = size, desired = 3, most = 4, annotations }: Size = {},
): ReplicaSet {
  const made = newReplicaSet(deployment({ image }))
  const revision = image.slice(1)
  return {
    ...made,
    metadata: {
      ...made.metadata,
      uid: image,
      generation: 1,
      creationTimestamp: timestamp(nowMs - 1_000_000 + Number(revision) * 1_000),
      annotations: {
        'deployment.kubernetes.io/revision': revision,
        'deployment.kubernetes.io/desired-replicas': String(desired),
        'deployment.kubernetes.io/max-replicas': String(most),
        ...annotations,
      },
    },
    spec: { ...made.spec, replicas: size },
    status: { replicas: there, readyReplicas: available, availableReplicas: available, observedGeneration: 1 },
  }
}

export function planned(wanted: Deployment, sets: readonly ReplicaSet[], running: readonly string[] = []) {
  return planDeployment({
    deployment: wanted,
    replicaSets: sets,
    hasRunningPods: ({ metadata }) => running.includes(metadata.uid ?? ''),
    nowMs,
  })
}

/** The effect of a plan on ReplicaSets, such as `v1 3→2`. */
export function inWords(
  wanted: Deployment,
  sets: readonly ReplicaSet[],
  running: readonly string[] = [],
): readonly string[] {
  const { create, change, remove } = planned(wanted, sets, running)
  const resized = change.filter(({ before, after }) => before.spec.replicas !== after.spec.replicas)
  return [
    ...(create === undefined ? [] : [`new ${imageOf(create)} ${create.spec.replicas}`]),
    ...resized.map(({ before, after }) => `${imageOf(before)} ${before.spec.replicas}→${after.spec.replicas}`),
    ...remove.map((each) => `${imageOf(each)} goes`),
  ]
}

function imageOf({ spec }: ReplicaSet): string {
  return spec.template.spec.containers?.[0]?.image ?? ''
}

/** Such as `Progressing=True NewReplicaSetAvailable: …`. */
export function conditionsOf({ conditions = [] }: DeploymentStatus): readonly string[] {
  return conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`)
}
