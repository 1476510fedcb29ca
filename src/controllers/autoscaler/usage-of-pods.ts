import { isJsonObject } from '../../base/json/member.ts'
import type { ListReading } from '../../registry/aggregation/read-list.ts'
import type { ObjectId } from '../../registry/document.ts'
import { type PodUsage, podUsageFrom } from './pod-usage.ts'

/** The usage of a Pod; undefined: unknown. */
export type UsageOf = (pod: ObjectId) => PodUsage | undefined

/** From the list that a metrics API returned for one namespace. */
export function listedUsage(reading: ListReading | undefined): UsageOf {
  const items = reading?.outcome === 'answered' ? reading.items.filter(isJsonObject) : []
  const listed = new Map(items.map((item) => [nameIn(item), item]))
  return ({ name }) => {
    const found = listed.get(name)
    return found && podUsageFrom(found)
  }
}

function nameIn({ metadata }: Readonly<Record<string, unknown>>): unknown {
  return isJsonObject(metadata) ? metadata.name : undefined
}
