import { inOrder, type Sight } from './history.ts'
import { IdentityRules } from './identities.ts'
import { JobRules } from './jobs.ts'
import { RolloutRules } from './rollouts.ts'
import { World } from './world.ts'

/** Everything in a history of Deployments, ReplicaSets, StatefulSets, Jobs and their Pods that must never happen. */
export function check(history: Iterable<Sight>): readonly string[] {
  const world = new World()
  const rules = [new RolloutRules(world), new IdentityRules(world), new JobRules(world)]
  return inOrder(history).flatMap((sight) => {
    const before = world.apply(sight)
    return rules.flatMap((rule) => rule.judge(sight, before))
  })
}
