import { collectionPath, configMap, objectName, objectPath } from '../../config-map.ts'
import type { Attack, Ground } from '../contract.ts'
import { keepStreaming, type Streams } from './http2.ts'
import { linkLines } from './link-lines.ts'

const management = '/apis/management.platform.internal/v1'
const json = { 'content-type': 'application/json' }
const review = `${'/apis/authorization.k8s.io/v1'}/selfsubjectaccessreviews`

const head = (method: string, path: string, more = {}) => ({ ':method': method, ':path': path, ...more })
const many = { sessions: 10, streamsEach: 100 }
const few = { sessions: 2, streamsEach: 8 }

/** A flood of requests from the weak user. */
function flood(streams: (ground: Ground) => Omit<Streams, 'token'>): Attack {
  return (ground) => keepStreaming(ground, { token: ground.key, ...streams(ground) })
}

/** By their names in the table. Each once stopped a server, or is a flood of requests that every caller may send. */
export const attacks: ReadonlyMap<string, Attack> = new Map<string, Attack>([
  [
    'silent bodies of strangers, at /auth/session',
    (ground) => keepStreaming(ground, { ...many, head: () => head('POST', '/auth/session', json), body: 'silent' }),
  ],
  ['silent bodies of a user', flood(() => ({ ...many, head: () => head('POST', review, json), body: 'silent' }))],
  [
    'patches that are tried out',
    flood(() => ({ ...few, head: () => head('POST', `${management}/patchevaluations`, json), body: slowPatches() })),
  ],
  [
    'YAML with anchors',
    flood(() => ({
      ...few,
      head: () => head('POST', collectionPath, { 'content-type': 'application/yaml' }),
      body: anchors(),
    })),
  ],
  [
    'JSON Patch of inserts',
    flood(() => ({
      ...few,
      head: () => head('PATCH', objectPath(objectName(1)), { 'content-type': 'application/json-patch+json' }),
      body: inserts(),
    })),
  ],
  ['lines on a link', linkLines],
  [
    'new access keys',
    flood(() => ({
      ...few,
      head: () => head('POST', `${management}/ownedaccesskeys`, json),
      body: JSON.stringify({
        apiVersion: 'management.platform.internal/v1',
        kind: 'OwnedAccessKey',
        metadata: { generateName: 'flood-' },
        spec: {},
      }),
    })),
  ],
  [
    'strangers with bad keys',
    (ground) => keepStreaming(ground, { ...many, token: 'tpk_unknown', head: () => head('GET', collectionPath) }),
  ],
  [
    'strangers with bad keys, each on a connection of its own',
    (ground) => keepStreaming(ground, { sessions: 50, streamsEach: 1, head: () => head('GET', collectionPath) }),
  ],
  [
    'a host cluster with endless Secrets, on rotation',
    flood(({ keyName }) => ({
      sessions: 1,
      streamsEach: 4,
      head: () => head('POST', `${management}/ownedaccesskeys/${keyName}-spare/rotate`, json),
      body: JSON.stringify({ apiVersion: 'management.platform.internal/v1', kind: 'AccessKeyRotation' }),
    })),
  ],
  ['GETs', flood(() => ({ ...many, head: () => head('GET', objectPath(objectName(2))) }))],
  ['GETs that are refused', flood(() => ({ ...many, head: () => head('GET', '/api/v1/secrets') }))],
  ['LISTs of 1,000', flood(() => ({ ...many, head: () => head('GET', collectionPath) }))],
  [
    'LISTs of 1,000 as tables',
    flood(() => ({
      ...many,
      head: () => head('GET', collectionPath, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
    })),
  ],
  ['POSTs', flood(() => ({ ...many, head: () => head('POST', collectionPath, json), body: generated() }))],
  [
    'watches',
    flood(() => ({
      ...many,
      head: (count) => head('GET', `${collectionPath}?watch=1&timeoutSeconds=${1 + (count % 3)}`),
    })),
  ],
])

function generated(): string {
  const { metadata, ...rest } = JSON.parse(configMap('x'))
  return JSON.stringify({ ...rest, metadata: { ...metadata, name: undefined, generateName: 'flood-' } })
}

/** Minutes of work for a sandbox, in 60 KB. */
function slowPatches(): string {
  const expression = 'Array.from({ length: 30000 }, (_, index) => index * value).length'
  const object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"list":[${'1,'.repeat(30_000)}1]}`
  const spec = { resource: 'configMaps', object, patches: [{ path: 'list[*]', expression }] }
  return JSON.stringify({ apiVersion: 'management.platform.internal/v1', kind: 'PatchEvaluation', spec })
}

function anchors(): string {
  return `metadata: {name: a}\na: [${Array.from({ length: 60_000 }, (_, index) => `&a${index} 1`).join()}]`
}

function inserts(): string {
  const operations = Array.from({ length: 30_000 }, () => ({ op: 'add', path: '/metadata/finalizers/0', value: 'a/b' }))
  return JSON.stringify([{ op: 'add', path: '/metadata/finalizers', value: [] }, ...operations])
}
