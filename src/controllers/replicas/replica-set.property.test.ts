import fc from 'fast-check'
import { expect, it } from 'vitest'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { ReplicaSet } from '../../api/types/apps-v1.ts'
import { planClaims } from '../ownership/claims.ts'
import { isActive, type PodFacts, podFactsFrom } from '../pods/pod-facts.ts'
import { planReplicas } from './plan.ts'
import { replicatedBySet } from './replicated.ts'
import { replicaStatus } from './status.ts'

const ownUid = 'web'
const strangerUid = 'stranger'
const matching = { app: 'web' }
const minReadySeconds = 10
const startMs = Date.UTC(2030, 0, 1)

/** What may happen to a ReplicaSet and to the Pods of its namespace, in any order. */
type Happening =
  | { readonly what: 'reconcile' | 'later' | 'adoptable' | 'foreign' }
  | { readonly what: 'scale'; readonly to: number }
  | {
      readonly what: 'bind' | 'ready' | 'unready' | 'fail' | 'succeed' | 'delete' | 'end' | 'relabel' | 'cost'
      readonly index: number
    }

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ what: 'reconcile' } as const) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('scale' as const), to: fc.nat(6) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('later', 'adoptable', 'foreign') }) },
  {
    weight: 12,
    arbitrary: fc.record({
      what: fc.constantFrom('bind', 'ready', 'ready', 'unready', 'fail', 'succeed', 'delete', 'end', 'relabel', 'cost'),
      index: fc.nat(9),
    }),
  },
)

/** A Pod in the naive model. */
interface NaivePod {
  owner: string
  matches: boolean
  phase: string
  bound: boolean
  readySinceMs: number | undefined
  going: boolean
  cost: number
}

const lives = ({ phase, going }: NaivePod) => !going && phase !== 'Failed' && phase !== 'Succeeded'

/** The naive model: a list of Pods, and the rules in the documentation of ReplicaSets, one after the other. */
class Model {
  readonly pods = new Map<string, NaivePod>()
  wanted = 3
  nowMs = startMs

  living(): readonly string[] {
    return [...this.pods].filter(([, pod]) => pod.owner === ownUid && pod.matches && lives(pod)).map(([name]) => name)
  }

  /** Which Pods it adopts and releases. */
  claim(): void {
    for (const pod of this.pods.values()) {
      if (pod.owner === '' && pod.matches && lives(pod)) pod.owner = ownUid
      else if (pod.owner === ownUid && !pod.matches && !pod.going) pod.owner = ''
    }
  }

  /** A Pod that is worth less is deleted first: unbound, then not running, then not ready, then cheaper. */
  worth(name: string): readonly number[] {
    const pod = this.pods.get(name) ?? expect.fail(name)
    return [Number(pod.bound), Number(pod.phase === 'Running'), Number(pod.readySinceMs !== undefined), pod.cost]
  }

  counts() {
    const living = this.living().map((name) => this.pods.get(name) ?? expect.fail(name))
    const ready = living.filter(({ readySinceMs }) => readySinceMs !== undefined)
    const isOld = ({ readySinceMs = this.nowMs }: NaivePod) => this.nowMs - readySinceMs >= minReadySeconds * 1000
    return { replicas: living.length, ready: ready.length, available: ready.filter(isOld).length }
  }
}

/** The Pods as the controller sees them. */
function factsOf(name: string, pod: NaivePod): PodFacts {
  const at = (ms: number) => new Date(ms).toISOString()
  const ready = pod.readySinceMs !== undefined && {
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(pod.readySinceMs) }],
  }
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid: pod.owner, controller: true }]
  return podFactsFrom({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'a',
      uid: name,
      labels: pod.matches ? matching : { app: 'else' },
      creationTimestamp: at(startMs),
      annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(pod.cost) },
      ...(pod.owner !== '' && { ownerReferences }),
      ...(pod.going && { deletionTimestamp: at(startMs) }),
    },
    spec: { containers: [], ...(pod.bound && { nodeName: 'n1' }) },
    status: { phase: pod.phase, ...ready },
  })
}

const newPod = (owner: string): NaivePod => ({
  owner,
  matches: true,
  phase: 'Pending',
  bound: false,
  readySinceMs: undefined,
  going: false,
  cost: 0,
})

class World {
  readonly model = new Model()
  #names = 0

  happens(happening: Happening): void {
    const { model } = this
    switch (happening.what) {
      case 'reconcile':
        this.reconcile()
        break
      case 'later':
        model.nowMs += 7_000
        return
      case 'scale':
        model.wanted = happening.to
        return
      case 'adoptable':
        this.#add('')
        break
      case 'foreign':
        this.#add(strangerUid)
        break
      default:
        this.#podHappens(happening.what, happening.index)
        break
    }
  }

  /** One reconciliation, compared with the model. */
  reconcile(): void {
    const { model } = this
    const facts = [...model.pods].map(([name, pod]) => factsOf(name, pod))
    const before = replicatedBySet(this.#object())
    const candidates = facts.filter((pod) => isActive(pod) || pod.controller?.uid === ownUid)
    const claims = planClaims(before.object, before.selector, candidates)
    const ownersBefore = new Map([...model.pods].map(([name, { owner }]) => [name, owner]))
    model.claim()
    const changed = [...model.pods].filter(([name, { owner }]) => owner !== ownersBefore.get(name))
    const planned = [...claims.adopted, ...claims.released].map(({ name }) => name)
    expect(planned.toSorted(), 'adopted and released').toEqual(changed.map(([name]) => name).toSorted())

    const active = this.#active()
    const plan = planReplicas(model.wanted, active, () => active, model.nowMs)
    const living = model.living()
    expect([plan.create, plan.remove.length]).toEqual([
      Math.max(0, model.wanted - living.length),
      Math.max(0, living.length - model.wanted),
    ])
    const removed = new Set(plan.remove.map(({ name }) => name))
    const kept = living.filter((name) => !removed.has(name))
    const isBetter = (name: string) => kept.some((each) => isWorthMore(model.worth(name), model.worth(each)))
    expect(
      [...removed].filter((name) => !living.includes(name) || isBetter(name)),
      'goes before others',
    ).toEqual([])
    for (const [name, pod] of model.pods) if (removed.has(name)) pod.going = true
    for (let count = 0; count < plan.create; count++) this.#add(ownUid)

    const status = replicaStatus(before, this.#active(), undefined, model.nowMs)
    const { replicas, readyReplicas: ready = 0, availableReplicas: available = 0 } = status
    expect({ replicas, ready, available }).toEqual(model.counts())
    expect(replicas).toBe(model.wanted)
  }

  #active(): readonly PodFacts[] {
    const { pods } = this.model
    return [...pods]
      .map(([name, pod]) => factsOf(name, pod))
      .filter((pod) => {
        return (
          isActive(pod) &&
          pod.controller?.uid === ownUid &&
          labelSelectorFrom({ matchLabels: matching }).matches(pod.labels)
        )
      })
  }

  #object(): ReplicaSet {
    const template = { metadata: { labels: matching }, spec: { containers: [] } }
    return {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace: 'a', uid: ownUid, generation: 1 },
      spec: { replicas: this.model.wanted, minReadySeconds, selector: { matchLabels: matching }, template },
      status: { replicas: 0 },
    }
  }

  #add(owner: string): void {
    this.#names += 1
    this.model.pods.set(`p${this.#names}`, newPod(owner))
  }

  #podHappens(what: string, index: number): void {
    const { pods, nowMs } = this.model
    const [name, pod] = [...pods][index % Math.max(1, pods.size)] ?? []
    if (name === undefined || pod === undefined) return
    const hasEnded = pod.phase === 'Failed' || pod.phase === 'Succeeded'
    switch (what) {
      case 'bind':
        pod.bound = true
        break
      case 'ready':
        if (!hasEnded) Object.assign(pod, { bound: true, phase: 'Running', readySinceMs: pod.readySinceMs ?? nowMs })
        break
      case 'unready':
        pod.readySinceMs = undefined
        break
      case 'fail':
        Object.assign(pod, { phase: 'Failed', readySinceMs: undefined })
        break
      case 'succeed':
        Object.assign(pod, { phase: 'Succeeded', readySinceMs: undefined })
        break
      case 'delete':
        pod.going = true
        break
      case 'relabel':
        pod.matches = !pod.matches
        break
      case 'cost':
        pod.cost = index - 4
        break
      default:
        if (pod.going) pods.delete(name)
    }
  }
}

/** By the first value in which they differ. */
function isWorthMore(left: readonly number[], right: readonly number[]): boolean {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0
    if (value !== other) return value > other
  }
  return false
}

const sequences = Number(process.env.FUZZ_SEQUENCES ?? 30)
const timeout = 30_000 + sequences * 100

it('a ReplicaSet matches a naive model after each reconciliation, whatever happened before', { timeout }, () => {
  fc.assert(
    fc.property(fc.array(happenings, { minLength: 20, maxLength: 80 }), (all) => {
      const world = new World()
      for (const happening of all) world.happens(happening)
      world.reconcile()
      expect(world.model.living()).toHaveLength(world.model.wanted)
      const strangers = [...world.model.pods.values()].filter(({ owner }) => owner === strangerUid)
      const made = all.filter(({ what }) => what === 'foreign').length
      expect(strangers.length).toBeLessThanOrEqual(made)
    }),
    { numRuns: sequences },
  )
})
