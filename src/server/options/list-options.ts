import { invalid } from '../../api/error.ts'
import { forbiddenField } from '../../api/field-error.ts'
import type { ListRequestOptions, WatchOptions } from '../../registry/contract.ts'
import { goBoolean, goInteger } from '../request/go-values.ts'
import type { Query } from '../request/query.ts'
import type { ResourceInfo } from '../request/request-info.ts'

/** Options as requested; the registry refuses contradictions. */
export function listOptions({ query }: ResourceInfo): Omit<ListRequestOptions, 'user' | 'signal'> {
  goInteger(query.get('timeoutSeconds'))
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: Math.max(0, goInteger(query.get('limit')) ?? 0),
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: sendInitialEvents(query),
  }
}

export interface WatchRequest {
  readonly options: Omit<WatchOptions, 'user' | 'signal' | 'endingSoon'>
  /** Undefined when the server may choose. */
  readonly timeoutSeconds: number | undefined
}

export function watchRequest(info: ResourceInfo): WatchRequest {
  const { query } = info
  refuseContinued(query)
  const options = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: watchedFields(info),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    allowWatchBookmarks: goBoolean(query.get('allowWatchBookmarks')),
    sendInitialEvents: sendInitialEvents(query),
  }
  goInteger(query.get('limit'))
  const timeoutSeconds = goInteger(query.get('timeoutSeconds')) ?? 0
  return { options, timeoutSeconds: timeoutSeconds <= 0 ? undefined : timeoutSeconds }
}

/**
 * A watch that begins with the current state implies a resourceVersionMatch, which must not be combined with
 * `continue`.
 */
function refuseContinued(query: Query): void {
  const isFromState = ['', '0'].includes(query.get('resourceVersion') ?? '')
  const isPlain = (query.get('resourceVersionMatch') ?? '') === '' && !query.has('sendInitialEvents')
  if ((query.get('continue') ?? '') === '' || !isFromState || !isPlain) return
  const problem = 'resourceVersionMatch is forbidden when continue is provided'
  throw invalid({ kind: 'ListOptions', group: 'meta.k8s.io' }, '', [forbiddenField('resourceVersionMatch', problem)])
}

function sendInitialEvents(query: Query): boolean | undefined {
  const value = query.get('sendInitialEvents')
  return value === undefined ? undefined : goBoolean(value)
}

/** The deprecated path for one object is a watch of the collection, narrowed to its name. */
function watchedFields({ query, pathName }: ResourceInfo): string {
  const selector = query.get('fieldSelector') ?? ''
  if (pathName === '') return selector
  const byName = `metadata.name=${pathName}`
  return selector === '' ? byName : `${byName},${selector}`
}
