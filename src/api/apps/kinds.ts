import type { Kind } from '../kind.ts'
import { controllerRevision } from './controller-revision.ts'
import { daemonSet } from './daemon-set.ts'
import { deployment } from './deployment.ts'
import { replicaSet } from './replica-set.ts'
import { statefulSet } from './stateful-set.ts'

export function appsKinds(): readonly Kind[] {
  return [controllerRevision, daemonSet, deployment, replicaSet, statefulSet]
}
