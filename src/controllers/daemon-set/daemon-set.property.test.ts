import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DaemonSet, RollingUpdateDaemonSet } from '../../api/types/apps-v1.ts'
import type { Taint } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { type PodFacts, podFactsFrom } from '../pods/pod-facts.ts'
import { type DaemonNode, daemonNodeFrom } from './daemon-node.ts'
import { daemonHashLabel, daemonPods } from './daemon-pod.ts'
import { daemonPlacement } from './placement.ts'
import { planDaemonSet } from './plan.ts'
import {
  type DaemonPlace,
  type DaemonSetState,
  daemonLimits,
  isPodAvailable,
  isUpdated,
  placesOf,
  wantedCount,
} from './state.ts'
import { daemonSetStatus } from './status.ts'

/** What may happen to a DaemonSet, in any order. */
type Happening =
  | { readonly what: 'reconcile' }
  /** All Pods under deletion are gone, and all others are ready. */
  | { readonly what: 'catchUp' }
  | { readonly what: 'image'; readonly image: string }
  | { readonly what: 'node'; readonly name: string; readonly state: 'well' | 'full' | 'ill' | 'other' | 'gone' }
  /** A Pod becomes ready, becomes unready, fails, is deleted by a user, or finally disappears. */
  | { readonly what: 'ready' | 'unready' | 'fail' | 'delete' | 'end'; readonly index: number }

const names = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5']

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ what: 'reconcile' } as const) },
  { weight: 5, arbitrary: fc.constant({ what: 'catchUp' } as const) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('image' as const), image: fc.constantFrom('a', 'b', 'c') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('node' as const),
      name: fc.constantFrom(...names),
      state: fc.constantFrom(...(['well', 'well', 'well', 'full', 'ill', 'other', 'gone'] as const)),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      what: fc.constantFrom(...(['ready', 'ready', 'ready', 'end', 'end', 'unready', 'fail', 'delete'] as const)),
      index: fc.nat(11),
    }),
  },
)

const taints: Readonly<Record<string, readonly Taint[]>> = {
  full: [{ key: 'full', effect: 'NoSchedule' }],
  ill: [{ key: 'ill', effect: 'NoExecute' }],
}

/** A DaemonSet, Nodes and Pods, without a server: plans are carried out immediately. */
class World {
  daemonSet: DaemonSet
  nodes: ReadonlyMap<string, DaemonNode>
  pods: readonly PodFacts[] = []
  #made = 0

  constructor(rollingUpdate: RollingUpdateDaemonSet) {
    this.nodes = new Map(names.slice(0, 4).map((name) => [name, nodeOf(name, 'well')]))
    this.daemonSet = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'logs', namespace: 'a', uid: 'logs', generation: 1 },
      spec: {
        selector: { matchLabels: { app: 'logs' } },
        template: templateOf('a'),
        updateStrategy: { type: 'RollingUpdate', rollingUpdate },
      },
      status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
    }
  }

  state(): DaemonSetState {
    const { daemonSet, pods } = this
    const nowMs = Date.UTC(2030, 0, 1)
    const fitOf = daemonPlacement(daemonSet.spec.template.spec)
    const nodes = this.nodes.values()
    return { daemonSet, nodes, fitOf, pods, hash: imageIn(daemonSet), mayReplace: () => true, nowMs }
  }

  places(): readonly DaemonPlace[] {
    return placesOf(this.state()).places
  }

  happens(happening: Happening): void {
    switch (happening.what) {
      case 'reconcile':
        this.reconcile()
        break
      case 'catchUp':
        this.#catchUp()
        break
      case 'image': {
        const { spec } = this.daemonSet
        this.daemonSet = { ...this.daemonSet, spec: { ...spec, template: templateOf(happening.image) } }
        break
      }
      case 'node': {
        const nodes = new Map(this.nodes)
        if (happening.state === 'gone') this.#loseNode(nodes, happening.name)
        else nodes.set(happening.name, nodeOf(happening.name, happening.state))
        this.nodes = nodes
        break
      }
      default:
        this.#podHappens(happening.what, happening.index)
    }
  }

  reconcile(): void {
    const plan = planDaemonSet(this.state())
    const kept = this.pods.map((pod) => (plan.remove.includes(pod) ? { ...pod, isBeingDeleted: true } : pod))
    this.pods = [...kept, ...plan.create.map((node) => this.#podOn(node))]
  }

  /** Nothing else changes, all Pods work, and the rest is up to the controller. */
  settle(): void {
    for (let idle = 0, round = 0; idle < 3 && round < 100; round++) {
      const before = this.pods
      this.reconcile()
      idle = deepEqual(this.pods, before) ? idle + 1 : 0
      this.#catchUp()
    }
  }

  #catchUp(): void {
    const left = this.pods.filter(({ isBeingDeleted }) => !isBeingDeleted)
    this.pods = left.flatMap((pod) => (this.nodes.has(pod.onlyNode) ? (changedPod('ready', pod) ?? []) : [pod]))
  }

  /** Pods bound to the node are collected by other controllers; those only meant for it are not. */
  #loseNode(nodes: Map<string, DaemonNode>, name: string): void {
    nodes.delete(name)
    this.pods = this.pods.filter(({ nodeName }) => nodeName !== name)
  }

  #podOn(node: string): PodFacts {
    this.#made += 1
    const { metadata, spec } = daemonPods(this.daemonSet, imageIn(this.daemonSet))(node)
    const name = `logs-${String(this.#made).padStart(5, '0')}`
    return podFactsFrom({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name, uid: name },
      spec,
      status: { phase: 'Pending' },
    })
  }

  /** No Pod runs without its node. */
  #podHappens(what: string, index: number): void {
    const at = index % this.pods.length
    const isPossible = (pod: PodFacts) => what !== 'ready' || this.nodes.has(pod.onlyNode)
    this.pods = this.pods.flatMap((pod, each) => {
      return each === at && isPossible(pod) ? (changedPod(what, pod) ?? []) : [pod]
    })
  }
}

/** Undefined: the Pod is gone. */
function changedPod(what: string, pod: PodFacts): PodFacts | undefined {
  switch (what) {
    case 'ready':
      return pod.phase === 'Failed' ? pod : { ...pod, phase: 'Running', isReady: true, nodeName: pod.onlyNode }
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

function nodeOf(name: string, state: string): DaemonNode {
  const labels: Readonly<Record<string, string>> = state === 'other' ? {} : { logs: 'yes' }
  return daemonNodeFrom({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { taints: taints[state] ?? [] },
  })
}

function templateOf(image: string) {
  const container = { name: 'c', image, resources: {}, imagePullPolicy: 'Always' }
  const metadata = { labels: { app: 'logs' } }
  return { metadata, spec: { nodeSelector: { logs: 'yes' }, containers: [container] } }
}

/** The revisions of this world are named after their images. */
function imageIn({ spec }: DaemonSet): string {
  return spec.template.spec.containers?.[0]?.image ?? ''
}

function staying({ pods }: DaemonPlace): readonly PodFacts[] {
  return pods.filter(({ isBeingDeleted }) => !isBeingDeleted)
}

/** Invariants of every reconciliation, whatever came before it. */
function checkReconcile(world: World, before: readonly DaemonPlace[]): void {
  const { maxSurge, maxUnavailable } = daemonLimits(world.daemonSet, wantedCount(before))
  const hadOn = new Map(before.map(({ node, pods }) => [node, pods]))
  const after = world.places()
  for (const place of after) checkCreated(place, hadOn.get(place.node) ?? [], maxSurge)
  const works = (pod: PodFacts) => isPodAvailable(world.state(), pod) && !pod.isBeingDeleted
  const isReplaced = ({ node, fit, pods: [first] }: DaemonPlace) => {
    const [only, second] = hadOn.get(node) ?? []
    const isAlone = only !== undefined && second === undefined
    return fit === 'runs' && isAlone && works(only) && first?.isBeingDeleted === true
  }
  if (!after.some(isReplaced)) return
  expect(maxSurge, 'where Pods surge, one that works goes only after another one came').toBe(0)
  const stopped = after.filter(({ fit, pods }) => fit !== 'never' && pods.length > 0 && !pods.some(works))
  expect(stopped.length).toBeLessThanOrEqual(maxUnavailable)
}

function checkCreated(place: DaemonPlace, before: readonly PodFacts[], maxSurge: number): void {
  const isNew = place.pods.some(({ name }) => !before.some((pod) => pod.name === name))
  if (!isNew) return
  expect(place.fit).toBe('runs')
  if (maxSurge === 0) expect(before, 'no second Pod without a surge').toEqual([])
  expect(staying(place).length).toBeLessThanOrEqual(2)
}

const strategies: fc.Arbitrary<RollingUpdateDaemonSet> = fc.constantFrom(
  { maxUnavailable: 1, maxSurge: 0 },
  { maxUnavailable: 2, maxSurge: 0 },
  { maxUnavailable: '30%', maxSurge: 0 },
  { maxUnavailable: 0, maxSurge: 1 },
  { maxUnavailable: 0, maxSurge: '50%' },
)

const sequences = Number(process.env.FUZZ_SEQUENCES ?? 80)
const timeout = 30_000 + sequences * 100

it('each Node gets its Pod, rollouts stay within their limits, and finally all Pods are current', {
  timeout,
}, () => {
  fc.assert(
    fc.property(strategies, fc.array(happenings, { minLength: 40, maxLength: 120 }), (strategy, all) => {
      const world = new World(strategy)
      for (const happening of all) {
        const before = world.places()
        world.happens(happening)
        if (happening.what === 'reconcile') checkReconcile(world, before)
      }
      world.settle()
      const places = world.places()
      expect(world.pods).toHaveLength(places.reduce((sum, { pods }) => sum + pods.length, 0))
      for (const { fit, pods } of places) {
        const hashes = pods.map(({ labels }) => labels[daemonHashLabel])
        expect(hashes).toEqual(
          fit === 'runs' || (fit === 'stays' && hashes.length > 0) ? [imageIn(world.daemonSet)] : [],
        )
      }
      const count = wantedCount(places)
      expect(daemonSetStatus(world.state())).toMatchObject({ desiredNumberScheduled: count, numberReady: count })
      expect(places.every(({ pods }) => pods.every((pod) => isUpdated(pod, imageIn(world.daemonSet))))).toBe(true)
    }),
    { numRuns: sequences },
  )
})
