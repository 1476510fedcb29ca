import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import type { Exchange } from '../exchange.ts'
import { groupDocuments } from '../openapi/foreign-index.ts'
import { type RequestInfo, withoutManagementPrefix } from '../request-info.ts'

export type FindAggregatedApi = (group: string, version: string) => AggregatedApi | undefined

/** The API of a server behind that a request is for. */
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
 * What is passed on is what was authorized, read as it was there. The path of a resource is as it was sent, with escapes and the prefix of
 * the platform's own API. Any other path names no resource here, and so may name none there: discovery of the API and its OpenAPI document are all it is.
 */
export function segmentsToPass({ form, path }: Pick<RequestInfo, 'form' | 'path'>): readonly string[] {
  const read = form === 'resource' ? withoutManagementPrefix(path) : path
  return read.split('/').filter((segment) => segment !== '')
}
