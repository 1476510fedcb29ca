import {
  controllerOf,
  inOrder,
  isReady,
  isTrue,
  type Seen,
  type Sight,
  trackingFinalizer,
  versionAsked,
  versionOfPod,
} from './history.ts'
import { World } from './world.ts'

/** The differences between the end of a history and what its objects ask for. */
export function unfinished(history: Iterable<Sight>): readonly string[] {
  const world = new World()
  for (const sight of inOrder(history)) world.apply(sight)
  return [
    ...world.all('Deployment').flatMap((each) => unfinishedRollout(each, world)),
    ...world.all('StatefulSet').flatMap((each) => [...unfinishedRollout(each, world), ...wrongNames(each, world)]),
    ...world.all('Job').flatMap((each) => unfinishedJob(each, world)),
    ...[...world.all('Pod'), ...world.all('ReplicaSet')].flatMap((each) => ownerless(each, world)),
  ]
}

function unfinishedRollout(workload: Seen, world: World): readonly string[] {
  const { spec, status = {}, metadata } = workload
  const wanted = spec?.replicas ?? 1
  const pods = world.podsOf(metadata.uid)
  const ready = pods.filter((each) => isReady(each) && versionOfPod(each) === versionAsked(workload)).length
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status
  const counts = [pods.length, ready, replicas, updatedReplicas, readyReplicas, availableReplicas]
  if (counts.every((each) => each === wanted) && status.observedGeneration === metadata.generation) return []
  return [
    `${workload.kind} ${metadata.name}: ${wanted} asked for; ${pods.length} Pods, ${ready} ready and up to date; status ${JSON.stringify(status)}`,
  ]
}

function wrongNames(set: Seen, world: World): readonly string[] {
  const names = world.podsOf(set.metadata.uid).map(({ metadata }) => metadata.name)
  const wanted = Array.from({ length: set.spec?.replicas ?? 1 }, (_, index) => `${set.metadata.name}-${index}`)
  const isRight = names.toSorted().join() === wanted.toSorted().join()
  return isRight ? [] : [`StatefulSet ${set.metadata.name}: its Pods are ${names.join(', ')}`]
}

function unfinishedJob(job: Seen, world: World): readonly string[] {
  const { succeeded = 0, active = 0 } = job.status ?? {}
  const wanted = job.spec?.completions ?? 1
  const tracked = world.podsOf(job.metadata.uid).filter((each) => each.metadata.finalizers?.includes(trackingFinalizer))
  if (isTrue(job, 'Complete') && succeeded === wanted && active === 0 && tracked.length === 0) return []
  return [
    `Job ${job.metadata.name}: ${wanted} asked for, ${tracked.length} Pods not let go; ${JSON.stringify(job.status)}`,
  ]
}

function ownerless(object: Seen, world: World): readonly string[] {
  const owner = controllerOf(object)
  if (owner === undefined || world.get(owner) !== undefined) return []
  return [`${object.kind} ${object.metadata.name}: its owner is gone`]
}
