import { isJsonObject } from '../../base/json/member.ts'
import { parseJson } from '../../base/json/parse.ts'
import { decodeStruct } from '../decode/typed.ts'
import { badRequest } from '../error.ts'
import { messageSchema } from '../facts/message-schema.ts'
import { normalMessage } from '../facts/normal-form.ts'
import type { ObjectMeta } from '../object.ts'
import type {
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  MetricSpec,
  MetricStatus,
} from '../types/autoscaling-v2.ts'
import { behaviorIn, flatMetric, flatStatus, metricIn, namedBehavior, statusIn } from './flat-metrics.ts'

type Annotations = Readonly<Record<string, string>>

/** Data without a field in `autoscaling/v1`: it is shown as JSON in annotations, and read from there. */
interface More {
  readonly metrics?: readonly MetricSpec[] | undefined
  readonly currentMetrics?: readonly MetricStatus[] | undefined
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[] | undefined
  readonly behavior?: HorizontalPodAutoscalerBehavior | undefined
}

const annotationOf: Readonly<Record<keyof More, string>> = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
}

const v2 = 'k8s.io.api.autoscaling.v2'

export function readMore(annotations: Annotations | undefined): More {
  if (annotations === undefined) return {}
  return {
    metrics: listIn(annotations[annotationOf.metrics], metricIn, `${v2}.MetricSpec`),
    currentMetrics: listIn(annotations[annotationOf.currentMetrics], statusIn, `${v2}.MetricStatus`),
    conditions: listIn(annotations[annotationOf.conditions], asGiven, `${v2}.HorizontalPodAutoscalerCondition`),
    behavior: objectIn(annotations[annotationOf.behavior], behaviorIn, `${v2}.HorizontalPodAutoscalerBehavior`),
  }
}

export function withoutMore(metadata: ObjectMeta): ObjectMeta {
  const { annotations = {}, ...rest } = metadata
  const names: readonly string[] = Object.values(annotationOf)
  const others = Object.entries(annotations).filter(([name]) => !names.includes(name))
  return others.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(others) }
}

export function printedMore(annotations: Annotations | undefined, more: More): Pick<ObjectMeta, 'annotations'> {
  const { metrics, currentMetrics, conditions, behavior } = more
  const shown: Readonly<Record<keyof More, unknown>> = {
    metrics: metrics?.map(flatMetric),
    currentMetrics: currentMetrics?.map(flatStatus),
    conditions: conditions?.map(orderedCondition),
    behavior: behavior && namedBehavior(behavior),
  }
  const printed = Object.entries(shown).flatMap(([member, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0)
      ? []
      : [[annotationOf[member as keyof More], JSON.stringify(value)]],
  )
  return printed.length === 0 ? {} : { annotations: { ...annotations, ...Object.fromEntries(printed) } }
}

function orderedCondition({
  type,
  status,
  lastTransitionTime = null,
  reason,
  message,
}: HorizontalPodAutoscalerCondition): object {
  return { type, status, lastTransitionTime, reason, message }
}

type Reading = (value: unknown) => unknown

const asGiven: Reading = (value) => value

/** An invalid list counts as absent: anyone may write an annotation. */
function listIn<T>(text: string | undefined, read: Reading, message: string): readonly T[] | undefined {
  const value = parsed(text)
  if (!Array.isArray(value)) return undefined
  const items = value.map((item) => decoded<T>(read(item), message))
  return items.every((item) => item !== undefined) ? items : undefined
}

function objectIn<T>(text: string | undefined, read: Reading, message: string): T | undefined {
  const value = parsed(text)
  return value === undefined ? undefined : decoded<T>(read(value), message)
}

/** A hundred metrics have far fewer. What is read is converted to objects several times per request. */
const mostValues = 5_000

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return parseJson(text, mostValues).value
  } catch {
    return undefined
  }
}

/** Members that are absent or null in Go's text. */
function withoutAbsent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, member: unknown) => (member === null ? undefined : member)))
}

function decoded<T>(value: unknown, message: string): T | undefined {
  try {
    const struct = decodeStruct(messageSchema(message), withoutAbsent(value), {
      path: [],
      names: [],
      unknownFields: [],
      refuse: badRequest,
    })
    // Members that every autoscaler has must also exist in what is read from a text.
    return isJsonObject(struct) ? (normalMessage(message, struct) as T) : undefined
  } catch {
    return undefined
  }
}
