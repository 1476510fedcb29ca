export interface OpenApiParameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly type: 'string' | 'integer' | 'boolean'
  readonly description: string
}

export const pretty = query('pretty', 'string', 'Whether the response is indented for human readers.')

export const nameParameter = path('name', 'Name of the object.')
export const namespaceParameter = path('namespace', 'Namespace of the object.')

const dryRun = query(
  'dryRun',
  'string',
  '`All` processes the request completely but stores nothing. No other value is allowed.',
)
const fieldManager = query(
  'fieldManager',
  'string',
  'Name of the manager that owns the fields that the request writes, in at most 128 printable characters.',
)
const fieldValidation = query(
  'fieldValidation',
  'string',
  'How unknown and duplicate fields are handled: `Ignore` drops them, `Warn` drops them and returns a Warning header, `Strict` refuses the request.',
)
const force = query(
  'force',
  'boolean',
  'Takes ownership of fields that other managers own. Only for server-side apply.',
)
const resourceVersion = query(
  'resourceVersion',
  'string',
  'How recent the response must be: the latest state if absent, any state if 0, otherwise no older than this version.',
)
const labelSelector = query('labelSelector', 'string', 'Returns only objects whose labels match.')
const fieldSelector = query('fieldSelector', 'string', 'Returns only objects whose fields match.')
const limit = query(
  'limit',
  'integer',
  'Maximum number of objects in one response. Use `continue` to request the rest.',
)
const continueToken = query('continue', 'string', 'Token from the previous response, from which the list continues.')
const resourceVersionMatch = query(
  'resourceVersionMatch',
  'string',
  'How resourceVersion is applied: `NotOlderThan` or `Exact`.',
)
const timeoutSeconds = query('timeoutSeconds', 'integer', 'Seconds after which a list or a watch ends.')
const watch = query('watch', 'boolean', 'Keeps the connection open and sends changes as they happen.')
const allowWatchBookmarks = query(
  'allowWatchBookmarks',
  'boolean',
  'Requests events of type BOOKMARK, which report the progress of a watch.',
)
const sendInitialEvents = query(
  'sendInitialEvents',
  'boolean',
  'Starts a watch with an event for every existing object, followed by a bookmark.',
)
const gracePeriodSeconds = query(
  'gracePeriodSeconds',
  'integer',
  'Seconds until the object is removed. 0 removes it immediately.',
)
const orphanDependents = query('orphanDependents', 'boolean', 'Deprecated: use propagationPolicy.')
const propagationPolicy = query(
  'propagationPolicy',
  'string',
  'What happens to objects that depend on this one: `Orphan`, `Background` or `Foreground`.',
)

export const createParameters: readonly OpenApiParameter[] = [dryRun, fieldManager, fieldValidation]
export const updateParameters: readonly OpenApiParameter[] = createParameters
export const patchParameters: readonly OpenApiParameter[] = [...createParameters, force]
export const deleteParameters: readonly OpenApiParameter[] = [
  dryRun,
  gracePeriodSeconds,
  orphanDependents,
  propagationPolicy,
]
export const getParameters: readonly OpenApiParameter[] = [resourceVersion]

const selection: readonly OpenApiParameter[] = [
  continueToken,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  timeoutSeconds,
]
export const listParameters: readonly OpenApiParameter[] = [...selection, allowWatchBookmarks, sendInitialEvents, watch]
export const deleteCollectionParameters: readonly OpenApiParameter[] = [...deleteParameters, ...selection]

function query(name: string, type: OpenApiParameter['type'], description: string): OpenApiParameter {
  return { name, in: 'query', type, description }
}

function path(name: string, description: string): OpenApiParameter {
  return { name, in: 'path', type: 'string', description }
}
