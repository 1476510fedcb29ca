import { type Kind, qualifiedResource } from '../../api/kind.ts'
import type { Evaluator } from './contract.ts'

/** Names without `count/`, from before every kind could be counted. */
const olderNames: ReadonlySet<string> = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'])

function countName(kind: Pick<Kind, 'group' | 'plural'>): string {
  return `count/${qualifiedResource(kind)}`
}

/** Counts objects, which is all that applies to most kinds. */
export function countEvaluator(kind: Kind): Evaluator {
  const hasOlderName = kind.group === '' && olderNames.has(kind.plural)
  const names = hasOlderName ? [countName(kind), kind.plural] : [countName(kind)]
  const usage = Object.fromEntries(names.map((name) => [name, '1']))
  return { measures: (name) => names.includes(name), usage: () => usage, onlyCounts: names, grows: false }
}
