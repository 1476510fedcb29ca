export interface OpenApiParameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly type: 'string' | 'integer' | 'boolean'
  readonly description: string
}

export const pretty = query('pretty', 'string', 'Whether the answer is indented for people.')

export const nameParameter = path('name', 'Name of the object.')
export const namespaceParameter = path('namespace', 'Namespace of the object.')

const dryRun = query(
  'dryRun',
  'string',
  '`All` goes through every step of the request but stores nothing. No other value is taken.',
)
const fieldManager = query(
  'fieldManager',
  'string',
  'Name under which the caller owns the fields it writes: at most 128 printable characters.',
)
const fieldValidation = query(
  'fieldValidation',
  'string',
  'What happens to unknown and repeated fields: `Ignore` drops them, `Warn` drops them and says so in a Warning header, `Strict` refuses the request.',
)
const force = query('force', 'boolean', 'Takes over fields that others own. Only for server-side apply.')
const resourceVersion = query(
  'resourceVersion',
  'string',
  'How fresh the answer has to be: the newest state when absent, any when 0, otherwise not older than this version.',
)
const labelSelector = query('labelSelector', 'string', 'Keeps only objects whose labels match.')
const fieldSelector = query('fieldSelector', 'string', 'Keeps only objects whose fields match.')
const limit = query('limit', 'integer', 'At most so many objects in one answer; the rest follows by `continue`.')
const continueToken = query('continue', 'string', 'Where the last answer ended, as it said itself.')
const resourceVersionMatch = query(
  'resourceVersionMatch',
  'string',
  'How resourceVersion is meant: `NotOlderThan` or `Exact`.',
)
const timeoutSeconds = query('timeoutSeconds', 'integer', 'Ends a list or a watch after so many seconds.')
const watch = query('watch', 'boolean', 'Keeps the connection open and sends changes as they happen.')
const allowWatchBookmarks = query(
  'allowWatchBookmarks',
  'boolean',
  'Asks for events of type BOOKMARK, which tell how far a watch has come.',
)
const sendInitialEvents = query(
  'sendInitialEvents',
  'boolean',
  'Starts a watch with an event for every object there is, and a bookmark after the last of them.',
)
const gracePeriodSeconds = query('gracePeriodSeconds', 'integer', 'Seconds until the object is removed; 0 is at once.')
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
