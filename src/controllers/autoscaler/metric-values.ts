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
  const { describedObject, value } = isJsonObject(item) ? item : {}
  const name = isJsonObject(describedObject) ? describedObject.name : ''
  return {
    name: typeof name === 'string' ? name : '',
    value: typeof value === 'string' || typeof value === 'number' ? thousandths(value) : 0,
  }
}
