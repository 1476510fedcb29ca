import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { thousandths } from './pod-usage.ts'

/** One value of a metric, from its API. */
export interface MetricValue {
  /** The object that the value describes. */
  readonly name: string
  /** In thousandths. */
  readonly value: number
}

/** Users' servers may return anything: an invalid value counts as absent. */
export function metricValueFrom(item: unknown): MetricValue {
  const { describedObject, value } = asMembers(item)
  const name = isJsonObject(describedObject) ? describedObject.name : ''
  return {
    name: asText(name),
    value: typeof value === 'string' || typeof value === 'number' ? thousandths(value) : 0,
  }
}
