import type { Container, PodSpec } from '../../api/types/core-v1.ts'
import { type Amounts, largestOf, onlyNamed, sumOf } from '../amounts.ts'

export interface PodResources {
  readonly requests: Amounts
  readonly limits: Amounts
}

/** The maximum that a pod needs at one time. Overhead is added only to existing limits. */
export function podResources(spec: PodSpec): PodResources {
  const overhead = spec.overhead ?? {}
  const limits = atOnce(spec, ({ resources }) => resources.limits ?? {})
  return {
    requests: sumOf([atOnce(spec, ({ resources }) => resources.requests ?? {}), overhead]),
    limits: sumOf([limits, onlyNamed(overhead, (name) => name in limits)]),
  }
}

/** Init containers run one after the other, before the rest; restartable ones keep running beside the rest. */
function atOnce({ containers, initContainers = [] }: PodSpec, amountsOf: (container: Container) => Amounts): Amounts {
  let staying: Amounts = {}
  const whilePreparing: Amounts[] = []
  for (const container of initContainers) {
    const together = sumOf([staying, amountsOf(container)])
    whilePreparing.push(together)
    if (container.restartPolicy === 'Always') staying = together
  }
  return largestOf([sumOf([...(containers ?? []).map(amountsOf), staying]), ...whilePreparing])
}
