import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StatefulSet, StatefulSetSpec } from '../../api/types/apps-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { type PodFacts, podFactsFrom } from '../pods/pod-facts.ts'
import { endOrdinal, isWanted, podNameOf, revisionLabel, startOrdinal } from './identity.ts'
import { planStatefulSet } from './plan.ts'
import { isHeldBack, maxUnavailable } from './rolling-update.ts'
import { isWorking, type StatefulSetState } from './state.ts'
import { statefulSetStatus } from './status.ts'

/** What may happen to a StatefulSet, in any order. */
type Happening =
  | { readonly what: 'reconcile' }
  /** All Pods under deletion are gone, and all others are ready. */
  | { readonly what: 'catchUp' }
  | { readonly what: 'image'; readonly image: string }
  | { readonly what: 'scale' | 'partition' | 'start'; readonly to: number }
  /** A Pod becomes ready, becomes unready, fails, is deleted by a user, or finally disappears. */
  | { readonly what: 'ready' | 'unready' | 'fail' | 'delete' | 'end'; readonly index: number }

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ what: 'reconcile' } as const) },
  { weight: 5, arbitrary: fc.constant({ what: 'catchUp' } as const) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('image' as const), image: fc.constantFrom('a', 'b', 'c') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom('scale' as const, 'scale' as const, 'partition' as const, 'start' as const),
      to: fc.nat(6),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      what: fc.constantFrom(...(['ready', 'ready', 'ready', 'end', 'end', 'unready', 'fail', 'delete'] as const)),
      index: fc.nat(7),
    }),
  },
)

/** A StatefulSet and its Pods, without a server: plans are carried out immediately. */
class World {
  set: StatefulSet
  pods: ReadonlyMap<number, PodFacts> = new Map()
  current = 'a'
  readonly #nowMs = Date.UTC(2030, 0, 1)

  constructor(podManagementPolicy: string, most: number | string | undefined) {
    this.set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'web', namespace: 'a', uid: 'web', generation: 1 },
      spec: {
        replicas: 3,
        serviceName: '',
        podManagementPolicy,
        selector: { matchLabels: { app: 'web' } },
        template: templateOf('a'),
        updateStrategy: {
          type: 'RollingUpdate',
          rollingUpdate: { partition: 0, ...(most !== undefined && { maxUnavailable: most }) },
        },
      },
      status: { replicas: 0, availableReplicas: 0 },
    }
  }

  state(): StatefulSetState {
    return { set: this.set, pods: this.pods, updateRevision: imageOf(this.set), nowMs: this.#nowMs }
  }

  happens(happening: Happening): void {
    switch (happening.what) {
      case 'reconcile':
        this.reconcile()
        break
      case 'catchUp':
        this.#catchUp()
        break
      case 'image':
        this.#wish({ template: templateOf(happening.image) })
        break
      case 'scale':
        this.#wish({ replicas: happening.to })
        break
      case 'start':
        this.#wish({ ordinals: { start: happening.to } })
        break
      case 'partition': {
        const { updateStrategy } = this.set.spec
        const rollingUpdate = { ...updateStrategy.rollingUpdate, partition: happening.to }
        this.#wish({ updateStrategy: { ...updateStrategy, rollingUpdate } })
        break
      }
      default:
        this.#podHappens(happening.what, happening.index)
    }
  }

  reconcile(): void {
    const plan = planStatefulSet(this.state())
    const pods = new Map(this.pods)
    for (const [ordinal, pod] of this.pods) {
      if (plan.remove.includes(pod)) pods.set(ordinal, { ...pod, isBeingDeleted: true })
    }
    for (const ordinal of plan.create) {
      pods.set(ordinal, podOf(this.set, ordinal, isHeldBack(this.set, ordinal) ? this.current : imageOf(this.set)))
    }
    this.pods = pods
    const names = { current: this.current, update: imageOf(this.set) }
    const status = statefulSetStatus(this.set, [...pods.values()], names, this.#nowMs)
    this.current = status.currentRevision ?? this.current
    this.set = { ...this.set, status }
  }

  /** Nothing else changes, all Pods work, and the rest is up to the controller. */
  settle(): void {
    for (let idle = 0, round = 0; idle < 3 && round < 100; round++) {
      const before = this.pods
      this.reconcile()
      idle = deepEqual([...this.pods], [...before]) ? idle + 1 : 0
      this.#catchUp()
    }
  }

  #catchUp(): void {
    const left = [...this.pods].filter(([, { isBeingDeleted }]) => !isBeingDeleted)
    this.pods = new Map(left.map(([ordinal, pod]) => [ordinal, changedPod('ready', pod) ?? pod]))
  }

  #podHappens(what: string, index: number): void {
    const [ordinal, pod] = [...this.pods][index % this.pods.size] ?? []
    if (ordinal === undefined || pod === undefined) return
    const after = changedPod(what, pod)
    const pods = new Map(this.pods)
    if (after === undefined) pods.delete(ordinal)
    else pods.set(ordinal, after)
    this.pods = pods
  }

  #wish(spec: Partial<StatefulSetSpec>): void {
    this.set = { ...this.set, spec: { ...this.set.spec, ...spec } }
  }
}

/** Undefined: the Pod is gone. */
function changedPod(what: string, pod: PodFacts): PodFacts | undefined {
  switch (what) {
    case 'ready':
      return pod.phase === 'Failed' ? pod : { ...pod, phase: 'Running', isReady: true }
    case 'unready':
      return { ...pod, isReady: false }
    case 'fail':
      return { ...pod, phase: 'Failed', isReady: false }
    case 'delete':
      return { ...pod, isBeingDeleted: true }
    default:
      return pod.isBeingDeleted ? undefined : pod
  }
}

function templateOf(image: string) {
  const container = { name: 'c', image, resources: {}, imagePullPolicy: 'Always' }
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } }
}

/** The revisions of this world are named after their images. */
function imageOf({ spec }: StatefulSet): string {
  return spec.template.spec.containers?.[0]?.image ?? ''
}

function podOf(set: StatefulSet, ordinal: number, revision: string): PodFacts {
  const name = podNameOf(set, ordinal)
  const labels = { app: 'web', [revisionLabel]: revision }
  return podFactsFrom({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'a', uid: name, labels },
    spec: { containers: [] },
    status: { phase: 'Pending' },
  })
}

function unavailableIn(state: StatefulSetState): number {
  const working = [...state.pods].filter(([ordinal, pod]) => isWanted(state.set, ordinal) && isWorking(state, pod))
  return endOrdinal(state.set) - startOrdinal(state.set) - working.length
}

function checkOneByOne(before: StatefulSetState, created: readonly number[], removed: readonly PodFacts[]): void {
  expect(created.length).toBeLessThanOrEqual(1)
  for (const ordinal of created) {
    for (let lower = startOrdinal(before.set); lower < ordinal; lower++) {
      const pod = before.pods.get(lower)
      expect(pod !== undefined && isWorking(before, pod), `${lower} works before ${ordinal} comes`).toBe(true)
    }
  }
  const condemned = [...before.pods].filter(([ordinal]) => !isWanted(before.set, ordinal))
  const highest = Math.max(...condemned.map(([ordinal]) => ordinal))
  for (const [ordinal, pod] of condemned) if (removed.includes(pod)) expect(ordinal).toBe(highest)
}

/** Invariants of every reconciliation, whatever came before it. */
function checkReconcile(before: StatefulSetState, after: StatefulSetState): void {
  const created = [...after.pods.keys()].filter((ordinal) => !before.pods.has(ordinal))
  const removed = [...before.pods].filter(
    ([ordinal, pod]) => !pod.isBeingDeleted && after.pods.get(ordinal)?.isBeingDeleted === true,
  )
  for (const ordinal of created) expect(isWanted(before.set, ordinal)).toBe(true)
  expect(
    [...before.pods.keys()].every((ordinal) => after.pods.has(ordinal)),
    'no Pod takes the place of another',
  ).toBe(true)
  if (before.set.spec.podManagementPolicy === 'OrderedReady') {
    checkOneByOne(
      before,
      created,
      removed.map(([, pod]) => pod),
    )
  }
  const replaced = removed.filter(([ordinal, pod]) => isWanted(before.set, ordinal) && pod.phase !== 'Failed')
  for (const [ordinal, pod] of replaced) {
    expect(isHeldBack(before.set, ordinal), `${ordinal} is below the partition`).toBe(false)
    expect(pod.labels[revisionLabel]).not.toBe(before.updateRevision)
  }
  if (replaced.some(([, pod]) => isWorking(before, pod))) {
    expect(unavailableIn(after)).toBeLessThanOrEqual(maxUnavailable(before.set))
  }
}

const policies = fc.constantFrom('OrderedReady', 'Parallel')
const limits = fc.constantFrom(undefined, 1, 2, '50%')

const sequences = Number(process.env.FUZZ_SEQUENCES ?? 80)
const timeout = 30_000 + sequences * 100

it('Pods are created, deleted and replaced in order and within the limits, and finally all are current', {
  timeout,
}, () => {
  fc.assert(
    fc.property(policies, limits, fc.array(happenings, { minLength: 40, maxLength: 120 }), (policy, most, all) => {
      const world = new World(policy, most)
      for (const happening of all) {
        const before = world.state()
        world.happens(happening)
        if (happening.what === 'reconcile') checkReconcile(before, world.state())
      }
      world.happens({ what: 'partition', to: 0 })
      world.settle()
      const { set, pods } = world.state()
      const wanted = Array.from({ length: set.spec.replicas ?? 0 }, (_, index) => startOrdinal(set) + index)
      expect([...pods.keys()].toSorted((a, b) => a - b)).toEqual(wanted)
      expect([...pods.values()].every(({ labels }) => labels[revisionLabel] === imageOf(set))).toBe(true)
      const { currentRevision, updateRevision, readyReplicas = 0, updatedReplicas = 0 } = set.status
      expect([currentRevision, updateRevision]).toEqual([imageOf(set), imageOf(set)])
      expect([readyReplicas, updatedReplicas]).toEqual([wanted.length, wanted.length])
    }),
    { numRuns: sequences },
  )
})
