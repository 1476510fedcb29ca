import type { PriorityLevelConfiguration, PriorityLevelConfigurationSpec } from '../types/flowcontrol-v1.ts'

/** Shares, the percentage that others may borrow, queues, and how many of them one flow may use. */
type QueuedLevel = readonly [name: string, shares: number, lendable: number, queues: number, handSize: number]

const queued: readonly QueuedLevel[] = [
  ['system', 30, 33, 64, 6],
  ['node-high', 40, 25, 64, 6],
  ['leader-election', 10, 0, 16, 4],
  ['workload-high', 40, 50, 128, 6],
  ['workload-low', 100, 90, 128, 6],
  ['global-default', 20, 50, 128, 6],
]

const specs: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map<string, PriorityLevelConfigurationSpec>([
  ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
    },
  ],
  ...queued.map((level) => [level[0], queuedSpec(level)] as const),
])

/** Levels that may not be changed. */
export const fixedLevels: ReadonlySet<string> = new Set(['exempt', 'catch-all'])

/** The spec of a level that Kubernetes itself has. */
export function ownLevelSpec(name: string): PriorityLevelConfigurationSpec | undefined {
  return specs.get(name)
}

/** How Kubernetes marks what it has created itself. Nothing here acts on it. */
export const ownByAnnotation = { 'apf.kubernetes.io/autoupdate-spec': 'true' }

export type OwnLevel = Pick<PriorityLevelConfiguration, 'spec'> & {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations: typeof ownByAnnotation }
}

/** The priority levels that every cluster starts with. */
export const ownLevels: readonly OwnLevel[] = [...specs].map(([name, spec]) => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name, annotations: ownByAnnotation },
  spec,
}))

function queuedSpec([, shares, lendablePercent, queues, handSize]: QueuedLevel): PriorityLevelConfigurationSpec {
  const queuing = { queues, handSize, queueLengthLimit: 50 }
  return {
    type: 'Limited',
    limited: { nominalConcurrencyShares: shares, limitResponse: { type: 'Queue', queuing }, lendablePercent },
  }
}
