import type { Kind } from '../../../api/kind.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { CheckedPod } from './check.ts'

/** Where kinds that create pods keep their pod template. */
const places: Readonly<Record<string, readonly string[]>> = {
  'apps/DaemonSet': ['spec', 'template'],
  'apps/Deployment': ['spec', 'template'],
  'apps/ReplicaSet': ['spec', 'template'],
  'apps/StatefulSet': ['spec', 'template'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
  'batch/Job': ['spec', 'template'],
  '/PodTemplate': ['template'],
  '/ReplicationController': ['spec', 'template'],
}

/** How to find the pod template of a kind; undefined if it has none. */
export function podTemplateOf({ group, kind }: Kind): ((object: KubeObject) => CheckedPod | undefined) | undefined {
  const place = places[`${group}/${kind}`]
  if (place === undefined) return undefined
  return (object) => {
    const template = place.reduce<unknown>(memberOf, object)
    if (typeof template !== 'object' || template === null || !('spec' in template)) return undefined
    return { metadata: {}, ...template } as CheckedPod
  }
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[member] : undefined
}
