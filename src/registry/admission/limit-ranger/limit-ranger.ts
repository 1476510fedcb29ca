import { forbidden } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../../api/types/core-v1.ts'
import { largestOf, sumOf } from '../../amounts.ts'
import { documentsIn } from '../../documents-in.ts'
import { type Admission, type AdmissionPlugin, isCore } from '../contract.ts'
import { claimViolations, limitViolations, type Usage } from './constraints.ts'
import { withDefaults } from './defaults.ts'
import { effortProblem, mostLimitRangeBytes, mostLimitRanges } from './limit-effort.ts'

/** Keeps new and resized pods and storage claims within the LimitRanges of their namespace. */
export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  handles: (kind) => isCore(kind, 'Pod') || isCore(kind, 'PersistentVolumeClaim'),
  mutate: (object, admission) => {
    if (admission.old !== undefined || !isCore(admission.kind, 'Pod')) return object
    const ranges = rangesFor(object, admission).map((items) => ofType(items, 'Container'))
    requireFewAmounts(object as Pod, ranges.flat(), admission)
    return ranges.reduce((pod, rules) => (rules.length === 0 ? pod : withDefaults(pod, rules)), object as Pod)
  },
  inspect: (object, admission) => {
    const isPod = isCore(admission.kind, 'Pod')
    if (isPod && admission.old !== undefined && admission.request.subresource !== 'resize') return
    const found = isPod ? podProblems(object as Pod, admission) : claimProblems(object, admission)
    if (found.length === 0) return
    // Containers alike are refused for the same reason, which is told once.
    const problems = [...new Set(found)]
    const told = problems.length === 1 ? `${problems[0]}` : `[${problems.join(', ')}]`
    throw forbidden(admission.kind, object.metadata.name ?? '', told)
  },
}

function podProblems(pod: Pod, admission: Admission): readonly string[] {
  const ranges = rangesFor(pod, admission)
  requireFewAmounts(pod, ofType(ranges.flat(), 'Container'), admission)
  return firstViolated(ranges, (rules) => podViolations(pod, rules))
}

/** As in Kubernetes, an object that one LimitRange refuses is not checked against the others. */
function firstViolated(
  ranges: readonly (readonly LimitRangeItem[])[],
  check: (rules: readonly LimitRangeItem[]) => readonly string[],
): readonly string[] {
  for (const rules of ranges) {
    const violations = check(rules)
    if (violations.length > 0) return violations
  }
  return []
}

function podViolations({ spec }: Pod, rules: readonly LimitRangeItem[]): readonly string[] {
  const containers = spec.containers ?? []
  const initContainers = spec.initContainers ?? []
  const each = ofType(rules, 'Container').flatMap((rule) =>
    [...containers, ...initContainers].flatMap((container) => limitViolations(usageOf(container), rule)),
  )
  const whole = podUsage(containers, initContainers)
  return [...each, ...ofType(rules, 'Pod').flatMap((rule) => limitViolations(whole, rule))]
}

/** Checked first: a Pod may have thousands of containers, and a LimitRange thousands of amounts. */
function requireFewAmounts({ metadata, spec }: Pod, rules: readonly LimitRangeItem[], { kind }: Admission): void {
  const problem = effortProblem(rules, (spec.containers ?? []).length + (spec.initContainers ?? []).length)
  if (problem !== undefined) throw forbidden(kind, metadata.name ?? '', problem)
}

function claimProblems(object: KubeObject, admission: Admission): readonly string[] {
  const { spec } = object as PersistentVolumeClaim
  const requests = spec.resources?.requests ?? {}
  return firstViolated(rangesFor(object, admission), (rules) =>
    ofType(rules, 'PersistentVolumeClaim').flatMap((rule) => claimViolations(requests, rule)),
  )
}

/** Containers run side by side; init containers run before them, one after the other. */
function podUsage(containers: readonly Container[], initContainers: readonly Container[]): Usage {
  const [running, preparing] = [containers.map(usageOf), initContainers.map(usageOf)]
  return {
    requests: largestOf([sumOf(running.map(({ requests }) => requests)), ...preparing.map(({ requests }) => requests)]),
    limits: largestOf([sumOf(running.map(({ limits }) => limits)), ...preparing.map(({ limits }) => limits)]),
  }
}

function usageOf({ resources: { requests = {}, limits = {} } }: Container): Usage {
  return { requests, limits }
}

function ofType(rules: readonly LimitRangeItem[], type: string): readonly LimitRangeItem[] {
  return rules.filter((rule) => rule.type === type)
}

const noRules: readonly (readonly LimitRangeItem[])[] = []

/** The rules of each LimitRange of the namespace. */
function rangesFor({ metadata }: KubeObject, { engine, kind }: Admission): readonly (readonly LimitRangeItem[])[] {
  const ranges = engine.find('', 'LimitRange')
  const documents = ranges === undefined ? [] : documentsIn(ranges, metadata.namespace ?? '')
  if (documents.length === 0) return noRules
  if (documents.length > mostLimitRanges) {
    const problem = `the namespace has ${documents.length} LimitRanges, and ${mostLimitRanges} is the most that is looked at: delete some`
    throw forbidden(kind, metadata.name ?? '', problem)
  }
  const bytes = documents.reduce((sum, document) => sum + document.bytes, 0)
  if (bytes > mostLimitRangeBytes) {
    const problem = `the LimitRanges of the namespace take ${bytes} bytes, and ${mostLimitRangeBytes} is the most that is looked at: make them shorter`
    throw forbidden(kind, metadata.name ?? '', problem)
  }
  return documents.map(({ object }) => (object as LimitRange).spec.limits ?? [])
}
