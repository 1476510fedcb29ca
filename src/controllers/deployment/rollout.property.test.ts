import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../api/types/apps-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { planDeployment } from './plan.ts'
import { occupiedBy, sortedOut, total, totalAvailable, totalSize } from './replica-sets.ts'
import { rolloutLimits } from './rollout-limits.ts'
import { isScaled } from './scaling.ts'

/** What may happen to a Deployment, in any order. */
type Happening =
  | { readonly what: 'reconcile' }
  | { readonly what: 'image'; readonly image: string }
  | { readonly what: 'scale'; readonly replicas: number }
  | { readonly what: 'pause'; readonly paused: boolean }
  /** The controller of a ReplicaSet creates or removes Pods, or a Pod becomes available. */
  | { readonly what: 'follow' | 'ready'; readonly index: number }

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ what: 'reconcile' } as const) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('image' as const), image: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('scale' as const), replicas: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('pause' as const), paused: fc.boolean() }) },
  {
    weight: 10,
    arbitrary: fc.record({ what: fc.constantFrom('follow' as const, 'ready' as const), index: fc.nat(5) }),
  },
)

const shares = fc.oneof(
  fc.nat(3),
  fc.nat(100).map((percent) => `${percent}%`),
)

/** A Deployment and its ReplicaSets, without a server: plans are carried out immediately. */
class World {
  deployment: Deployment
  sets: readonly ReplicaSet[] = []
  #nowMs = Date.UTC(2030, 0, 1)

  constructor(maxSurge: number | string, maxUnavailable: number | string) {
    this.deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'a', uid: 'web', generation: 1 },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: templateOf('a'),
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
        revisionHistoryLimit: 2,
        progressDeadlineSeconds: 600,
      },
      status: {},
    }
  }

  happens(happening: Happening): void {
    this.#nowMs += 1_000
    switch (happening.what) {
      case 'reconcile':
        this.reconcile()
        break
      case 'image':
        this.#wish({ template: templateOf(happening.image) })
        break
      case 'scale':
        this.#wish({ replicas: happening.replicas })
        break
      case 'pause':
        this.#wish({ paused: happening.paused })
        break
      case 'follow':
        this.#report(happening.index, (set) => ({ there: sizeIn(set), available: availableIn(set) }))
        break
      case 'ready':
        this.#report(happening.index, (set) => ({ there: set.status.replicas, available: availableIn(set) + 1 }))
        break
    }
  }

  reconcile(): void {
    const plan = planDeployment({
      deployment: this.deployment,
      replicaSets: this.sets,
      hasRunningPods: () => false,
      nowMs: this.#nowMs,
    })
    const changed = new Map(plan.change.map(({ before, after }) => [before, nextGeneration(before, after)]))
    const kept = this.sets.filter((set) => !plan.remove.includes(set)).map((set) => changed.get(set) ?? set)
    this.sets = plan.create === undefined ? kept : [...kept, this.#stored(plan.create)]
    this.deployment = { ...this.deployment, status: plan.status }
  }

  status(): DeploymentStatus {
    return this.deployment.status
  }

  /** Nothing else changes, all Pods work, and the rest is up to the controllers. */
  settle(): void {
    this.happens({ what: 'pause', paused: false })
    for (let round = 0; round < 40; round++) {
      this.happens({ what: 'reconcile' })
      for (const [index, set] of this.sets.entries()) {
        this.happens({ what: 'follow', index })
        for (let pod = 0; pod < sizeIn(set); pod++) this.happens({ what: 'ready', index })
      }
    }
  }

  #stored(set: ReplicaSet): ReplicaSet {
    const uid = set.metadata.name ?? ''
    const metadata = { ...set.metadata, uid, creationTimestamp: timestamp(this.#nowMs), generation: 1 }
    return { ...set, metadata }
  }

  #wish(spec: Partial<Deployment['spec']>): void {
    this.deployment = { ...this.deployment, spec: { ...this.deployment.spec, ...spec } }
  }

  #report(at: number, report: (set: ReplicaSet) => { readonly there: number; readonly available: number }): void {
    this.sets = this.sets.map((set, index) => {
      if (index !== at % this.sets.length) return set
      const { there, available } = report(set)
      const availableReplicas = Math.min(there, available)
      const observedGeneration = set.metadata.generation ?? 0
      return {
        ...set,
        status: { replicas: there, readyReplicas: availableReplicas, availableReplicas, observedGeneration },
      }
    })
  }
}

function nextGeneration(before: ReplicaSet, after: ReplicaSet): ReplicaSet {
  if (sizeIn(before) === sizeIn(after)) return after
  return { ...after, metadata: { ...after.metadata, generation: (before.metadata.generation ?? 0) + 1 } }
}

function templateOf(image: string) {
  const container = { name: 'c', image, resources: {}, imagePullPolicy: 'Always' }
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } }
}

function sizeIn({ spec }: ReplicaSet): number {
  return spec.replicas ?? 0
}

function availableIn({ status }: ReplicaSet): number {
  return status.availableReplicas ?? 0
}

/** Working Pods that are not being removed. */
function keptAvailable(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + Math.min(sizeIn(set), availableIn(set)), 0)
}

const sequences = Number(process.env.FUZZ_SEQUENCES ?? 80)
const timeout = 30_000 + sequences * 100

it('a rollout never exceeds maxSurge or maxUnavailable, and completes', { timeout }, () => {
  fc.assert(
    fc.property(shares, shares, fc.array(happenings, { minLength: 60, maxLength: 120 }), (surge, missing, all) => {
      const world = new World(surge, missing)
      for (const happening of all) {
        const { desired, most, maxUnavailable } = rolloutLimits(world.deployment)
        const before = world.sets
        const sets = sortedOut(world.deployment, before)
        const isResized = isScaled(world.deployment, sets, rolloutLimits(world.deployment))
        world.happens(happening)
        if (happening.what !== 'reconcile') continue
        expect(total(world.sets, occupiedBy)).toBeLessThanOrEqual(Math.max(total(before, occupiedBy), most))
        if (isResized || world.deployment.spec.paused === true) continue
        const enough = Math.min(keptAvailable(before), desired - maxUnavailable)
        expect(keptAvailable(world.sets)).toBeGreaterThanOrEqual(enough)
      }
      world.settle()
      const { spec } = world.deployment
      const { current, older } = sortedOut(world.deployment, world.sets)
      expect([current && sizeIn(current), totalSize(older), totalAvailable(world.sets)]).toEqual([
        spec.replicas,
        0,
        spec.replicas,
      ])
      expect(older.length).toBeLessThanOrEqual(2)
      expect(world.status().updatedReplicas ?? 0).toBe(spec.replicas)
    }),
    { numRuns: sequences },
  )
})
