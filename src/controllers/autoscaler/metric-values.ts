import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { thousandths } from './pod-usage.ts'

/** One value of a metric, as its API has answered. */
export interface MetricValue {
  /** What the value is of. */
  readonly name: string
  /** In thousandths. */
  readonly value: number
}

/** Servers of users may answer anything: what is no value counts as none. */
export function metricValueFrom(item: unknown): MetricValue {
  const { describedObject, value } = asMembers(item)
  const name = isJsonObject(describedObject) ? describedObject.name : ''
  return {
    name: asText(name),
    value: typeof value === 'string' || typeof value === 'number' ? thousandths(value) : 0,
  }
}
