import type { KubeObject } from '../../api/object.ts'
import { type LabelSelector, parseLabelSelector } from '../../api/selectors/label-selector.ts'
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerStatus } from '../../api/types/autoscaling-v2.ts'
import { timestamp } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import { errorText } from '../../base/error-text.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ReadList } from '../../registry/aggregation/read-list.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import {
  type AutoscalerStatement,
  ableToScale,
  gotScale,
  scalingActive,
  unableToScale,
  withStatements,
} from './conditions.ts'
import { type AskedAbout, resourceMetricsGroup } from './metric-questions.ts'
import { type MetricReadings, noReadings, readMetrics } from './metric-readings.ts'
import { type AutoscalerMemory, type AutoscalerPlan, dependsOnMetrics, planAutoscaler } from './plan.ts'
import { podRequestsFrom, podUsageFrom } from './pod-usage.ts'
import { ReadOnce } from './read-once.ts'
import { type MetricSources, metricOutcomes, type UsedPod, usageProblemOf } from './resource-metrics.ts'
import { resizedObject, type ScaleTarget, scaleTarget } from './scale-target.ts'
import { SharedSelectors } from './shared-selectors.ts'
import { listedUsage, type UsageOf } from './usage-of-pods.ts'

const controller = 'horizontal-pod-autoscaler'

/** The interval between readings of metrics, as in Kubernetes, and the longest period of any rule. */
const intervalMs = 15_000
const longestPeriodMs = 3_600_000

/** An autoscaler and its target, written together, are reconciled together; kube-controller-manager waits longer. */
const changePauseMs = 3_000

export interface AutoscalerFacts extends Owned {
  readonly spec: unknown
}

export function autoscalerFactsFrom(object: KubeObject): AutoscalerFacts {
  return { ...ownedFrom(object), spec: object.spec }
}

export interface AutoscalerControllerOptions {
  readonly autoscalers: ResourceContext
  readonly autoscalersKnown: OwnedObjects<AutoscalerFacts>
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly events: ResourceContext
  /** Reads from metrics APIs that this server does not serve itself. */
  readonly readMetrics: ReadList
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

const noMemory: AutoscalerMemory = { recommendations: [], scalings: [] }

/** Scales workloads so that their Pods meet the target usage. */
export class AutoscalerController implements Controller {
  readonly #options: AutoscalerControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  readonly #memories = new Map<string, AutoscalerMemory>()
  readonly #selectors = new SharedSelectors()
  readonly #requests = new ReadOnce(podRequestsFrom)
  readonly #usage = new ReadOnce(podUsageFrom)

  constructor(options: AutoscalerControllerOptions) {
    this.#options = options
    const { autoscalers, autoscalersKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({
      controller,
      engine: autoscalers.engine,
      reconcile: (id) => this.#reconcile(id),
      report,
    })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
    this.#loop.follow(
      autoscalersKnown.listen(({ before, after }) => {
        if (after === undefined && before !== undefined) this.#forget(relativeKey(before))
        if (after !== undefined && !deepEqual(before?.spec, after.spec))
          this.#loop.addWithin(relativeKey(after), changePauseMs)
      }),
    )
    for (const each of autoscalersKnown.all()) this.#loop.add(relativeKey(each))
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { autoscalers } = this.#options
    const autoscaler = autoscalers.cache.get(id)?.object as HorizontalPodAutoscaler | undefined
    if (autoscaler === undefined) return
    requeueAfter(this.#loop, relativeKey(id), intervalMs)
    const target = scaleTarget(autoscalers, autoscaler)
    if ('problem' in target) return this.#withoutTarget(autoscaler, target.problem)
    const needsPods = dependsOnMetrics(autoscaler, target.replicas)
    if (needsPods && target.selector === '') return this.#withoutSelector(autoscaler, target)
    const sharing = this.#selectors.note(relativeKey(id), id.namespace, target.selector)
    if (needsPods && sharing.length > 1) return this.#withOthers(autoscaler, target, sharing)
    const memory = this.#memories.get(relativeKey(id)) ?? noMemory
    const sources = await this.#sourcesFor(autoscaler, target)
    const { nowMs } = sources
    const outcomes = () => metricOutcomes(autoscaler.spec.metrics ?? [], sources)
    const steps = planAutoscaler({ autoscaler, current: target.replicas, outcomes, memory, nowMs })
    const plan = await paced(steps, new Pace())
    for (const news of plan.news) this.#recorder.record(autoscaler, news)
    const attempt = await this.#rescale(autoscaler, target, plan)
    const done = { target, plan, attempt, nowMs }
    this.#memories.set(relativeKey(id), memoryAfter(memory, done))
    await this.#writeStatus(autoscaler, statusAfter(autoscaler, done))
  }

  async #sourcesFor(autoscaler: HorizontalPodAutoscaler, target: ScaleTarget): Promise<MetricSources> {
    const { engine } = this.#options.autoscalers
    const { namespace = '' } = autoscaler.metadata
    const { replicas: current, existing, selector } = target
    const own = engine.find(resourceMetricsGroup, 'PodMetrics')
    const { usage, named } = dependsOnMetrics(autoscaler, current)
      ? await this.#readingsFor(autoscaler, { namespace, selector, asksUsage: own === undefined })
      : noReadings
    const usageOf = own === undefined ? listedUsage(usage) : this.#ownUsage(own)
    return {
      namespace,
      current,
      existing,
      pods: () => this.#podsWithUsage(namespace, parseLabelSelector(selector), usageOf),
      usageProblem: usage && usageProblemOf(usage),
      named,
      nowMs: engine.clock.now(),
    }
  }

  #readingsFor(
    { spec }: HorizontalPodAutoscaler,
    about: Omit<AskedAbout, 'pluralOf'> & { readonly asksUsage: boolean },
  ): Promise<MetricReadings> {
    const { autoscalers, readMetrics: read } = this.#options
    const { engine } = autoscalers
    const pluralOf = (group: string, kind: string) => engine.find(group, kind)?.kind.plural
    const { signal } = this.#loop
    return readMetrics(spec.metrics ?? [], { ...about, pluralOf }, { read, clock: engine.clock, signal })
  }

  /** The kind may come from a user's definition. */
  #ownUsage({ cache }: ResourceContext): UsageOf {
    return (id) => {
      const found = cache.get(id)
      return found && this.#usage.of(found)
    }
  }

  *#podsWithUsage(namespace: string, selector: LabelSelector, usageOf: UsageOf): Iterable<UsedPod> {
    const { pods, podsKnown } = this.#options
    for (const known of podsKnown.in(namespace)) {
      const found = selector.matches(known.labels) ? pods.cache.get(known) : undefined
      if (found !== undefined) yield { requests: this.#requests.of(found), usage: usageOf(known) }
    }
  }

  async #withoutTarget(autoscaler: HorizontalPodAutoscaler, problem: string): Promise<void> {
    const reason = 'FailedGetScale'
    this.#recorder.record(autoscaler, { type: 'Warning', reason, message: problem })
    const message = `the HPA controller was unable to get the target's current scale: ${problem}`
    await this.#say(autoscaler, [unableToScale(reason, message)], autoscaler.status)
  }

  #forget(autoscaler: string): void {
    this.#memories.delete(autoscaler)
    this.#selectors.forget(autoscaler)
  }

  /** None of them acts: they would undo each other's changes. */
  async #withOthers(
    autoscaler: HorizontalPodAutoscaler,
    { selector, replicas }: ScaleTarget,
    sharing: readonly string[],
  ): Promise<void> {
    const reason = 'AmbiguousSelector'
    const message = `pods by selector ${selector} are controlled by multiple HPAs: [${sharing.join(' ')}]`
    for (const each of [reason, 'FailedComputeMetricsReplicas']) {
      this.#recorder.record(autoscaler, { type: 'Warning', reason: each, message })
    }
    const said = [gotScale, scalingActive('False', reason, message)]
    await this.#say(autoscaler, said, { ...autoscaler.status, currentMetrics: null, ...counted(replicas) })
  }

  async #withoutSelector(autoscaler: HorizontalPodAutoscaler, { replicas }: ScaleTarget): Promise<void> {
    for (const reason of ['SelectorRequired', 'FailedComputeMetricsReplicas']) {
      this.#recorder.record(autoscaler, { type: 'Warning', reason, message: 'selector is required' })
    }
    const message = "the HPA target's scale is missing a selector"
    const said = [gotScale, scalingActive('False', 'InvalidSelector', message)]
    await this.#say(autoscaler, said, { ...autoscaler.status, currentMetrics: null, ...counted(replicas) })
  }

  async #say(
    autoscaler: HorizontalPodAutoscaler,
    said: readonly AutoscalerStatement[],
    status: HorizontalPodAutoscalerStatus,
  ): Promise<void> {
    const nowMs = this.#options.autoscalers.engine.clock.now()
    const { desiredReplicas = 0, currentMetrics = null, conditions = [] } = status
    await this.#writeStatus(autoscaler, {
      ...status,
      desiredReplicas,
      currentMetrics,
      conditions: withStatements(conditions, said, nowMs),
    })
  }

  /** The conditions that report the attempt; none if there was no attempt. */
  async #rescale(
    autoscaler: HorizontalPodAutoscaler,
    target: ScaleTarget,
    { rescale }: AutoscalerPlan,
  ): Promise<readonly AutoscalerStatement[]> {
    if (rescale === undefined) return []
    const { replicas, reason } = rescale
    const id = { namespace: autoscaler.metadata.namespace ?? '', name: target.name }
    const size = `New size: ${replicas}; reason: ${reason}`
    const resized = resizedObject(target, replicas)
    let isResized = false
    try {
      await this.#writer.edit(target.context, id, (object) => {
        const wanted = resized(object)
        isResized = wanted !== undefined
        return wanted
      })
    } catch (error) {
      const text = errorText(error)
      this.#recorder.record(autoscaler, {
        type: 'Warning',
        reason: 'FailedRescale',
        message: `${size}; error: ${text}`,
      })
      return [unableToScale('FailedUpdateScale', `the HPA controller was unable to update the target scale: ${text}`)]
    }
    if (!isResized) return []
    this.#recorder.record(autoscaler, { type: 'Normal', reason: 'SuccessfulRescale', message: size })
    const message = `the HPA controller was able to update the target scale to ${replicas}`
    return [ableToScale('SucceededRescale', message)]
  }

  async #writeStatus(autoscaler: HorizontalPodAutoscaler, status: HorizontalPodAutoscalerStatus): Promise<void> {
    if (deepEqual(status, autoscaler.status)) return
    await this.#writer.replace(this.#options.autoscalers, autoscaler, { ...autoscaler, status }, 'status')
  }
}

/** Kubernetes omits zero. */
function counted(currentReplicas: number): Pick<HorizontalPodAutoscalerStatus, 'currentReplicas'> {
  return currentReplicas === 0 ? {} : { currentReplicas }
}

/** A plan that was carried out. */
interface DonePlan {
  readonly target: ScaleTarget
  readonly plan: AutoscalerPlan
  /** The conditions that report the attempt to scale; none if there was no attempt. */
  readonly attempt: readonly AutoscalerStatement[]
  readonly nowMs: number
}

function hasScaled({ attempt }: DonePlan): boolean {
  return attempt.some(({ status }) => status === 'True')
}

function memoryAfter({ scalings }: AutoscalerMemory, done: DonePlan): AutoscalerMemory {
  const { target, plan, nowMs } = done
  const change = (plan.rescale?.replicas ?? target.replicas) - target.replicas
  const isRecent = ({ atMs }: { readonly atMs: number }) => atMs > nowMs - longestPeriodMs
  return {
    recommendations: plan.recommendations.filter(isRecent),
    scalings: [...scalings, ...(hasScaled(done) ? [{ atMs: nowMs, change }] : [])].filter(isRecent),
  }
}

function statusAfter({ status }: HorizontalPodAutoscaler, done: DonePlan): HorizontalPodAutoscalerStatus {
  const { target, plan, attempt, nowMs } = done
  const isScaled = hasScaled(done)
  const isRefused = attempt.length > 0 && !isScaled
  const { lastScaleTime, desiredReplicas: before = 0 } = status
  return {
    ...counted(target.replicas),
    desiredReplicas: isRefused ? before : plan.desired,
    currentMetrics: plan.metrics.length === 0 ? null : plan.metrics,
    conditions: withStatements(status.conditions ?? [], [...plan.said, ...attempt], nowMs),
    ...(lastScaleTime !== undefined && { lastScaleTime }),
    ...(isScaled && { lastScaleTime: timestamp(nowMs) }),
  }
}
