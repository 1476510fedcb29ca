import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import type { Exchange } from '../exchange.ts'
import { groupDocuments } from '../openapi/foreign-index.ts'
import { type RequestInfo, withoutManagementPrefix } from '../request/request-info.ts'

export type FindAggregatedApi = (group: string, version: string) => AggregatedApi | undefined

/** The API behind an APIService that a request is for. */
export function askedApi({ info, onward }: Pick<Exchange, 'info' | 'onward'>, find: FindAggregatedApi) {
  if (onward !== undefined) return undefined
  if (info.form === 'resource') return info.group === '' ? undefined : find(info.group, info.version)
  const segments = segmentsToPass(info)
  const isDocument = info.path.startsWith(groupDocuments)
  const [root, group, version, ...rest] = isDocument ? segments.slice(2) : segments
  if (root !== 'apis' || group === undefined || version === undefined || rest.length > 0) return undefined
  return find(group, version)
}

/**
 * Passes on exactly what was authorized. The path of a resource is as sent, with escapes and the prefix of the
 * platform's own API. Any other path was authorized as naming no resource, so it must not name one upstream: only
 * discovery of the API and its OpenAPI document are passed on.
 */
export function segmentsToPass({ form, path }: Pick<RequestInfo, 'form' | 'path'>): readonly string[] {
  const read = form === 'resource' ? withoutManagementPrefix(path) : path
  return read.split('/').filter((segment) => segment !== '')
}
