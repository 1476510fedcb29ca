import fc from 'fast-check'
import type { FuzzRequest } from './fuzz-server.ts'

const oddNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  '.',
  '..',
  '$patch',
  'é',
]
const oddTexts = [...oddNames, 'a'.repeat(300), '\u0000', '\ud800', '<script>', '%2e%2e', 'null', '1e999', '-0']

export const text = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 12 }))
export const memberName = fc.oneof(
  fc.constantFrom(
    'metadata',
    'spec',
    'status',
    'data',
    'name',
    'labels',
    'annotations',
    'ports',
    'rules',
    'finalizers',
  ),
  fc.constantFrom(
    'ownerReferences',
    'managedFields',
    'resourceVersion',
    'uid',
    'kind',
    'apiVersion',
    'subsets',
    'scope',
  ),
  fc.constantFrom(...oddNames),
)

const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(2 ** 53, -(2 ** 63), 1e308),
)

export const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(memberName, tie('value'), { maxKeys: 5 }),
  ),
})).value

/** Objects that are almost valid, so that more than the first check is reached. */
const samples: readonly Record<string, unknown>[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'v' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, type: 'Opaque', data: { k: 'dg==' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a', finalizers: ['x.y/z'] },
    spec: { type: 'NodePort', ports: [{ name: 'p', port: 80, targetPort: 'http' }], selector: { a: 'b' } },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'a' },
    subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }],
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1 }], env: [{ name: 'E', value: 'v' }] }] },
  },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'a' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  },
  {
    apiVersion: 'management.fuzz.example/v1',
    kind: 'OwnedAccessKey',
    metadata: { name: 'a' },
    spec: { user: 'u', ttl: 10, scope: { roles: [{ role: 'tenant', projects: ['*'] }], rules: [{ verbs: ['get'] }] } },
  },
]

interface Edit {
  readonly steps: readonly number[]
  readonly change: 'replace' | 'remove' | 'add'
  readonly value: unknown
  readonly name: string
}

const edit: fc.Arbitrary<Edit> = fc.record({
  steps: fc.array(fc.nat(7), { maxLength: 4 }),
  change: fc.constantFrom('replace', 'remove', 'add'),
  value: json,
  name: memberName,
})

export const nearlyValidObject: fc.Arbitrary<unknown> = fc
  .tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 4 }))
  .map(([sample, edits]) => edits.reduce<unknown>(edited, structuredClone(sample)))

function edited(root: unknown, { steps, change, value, name }: Edit): unknown {
  let place: unknown = root
  for (const step of steps) {
    if (typeof place !== 'object' || place === null) break
    const inner: unknown = Object.values(place)[step % Math.max(1, Object.keys(place).length)]
    if (typeof inner !== 'object' || inner === null) break
    place = inner
  }
  if (typeof place !== 'object' || place === null) return root
  const keys = Object.keys(place)
  const key = change === 'add' ? name : (keys[(steps[0] ?? 0) % Math.max(1, keys.length)] ?? name)
  if (change === 'remove') delete (place as Record<string, unknown>)[key]
  else Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true })
  return root
}

/** Text that is JSON, truncated JSON, or not JSON. */
export const bodyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: nearlyValidObject.map(encoded) },
  { weight: 2, arbitrary: json.map(encoded) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(nearlyValidObject.map(encoded), fc.nat(200))
      .map(([bytes, length]) => bytes.subarray(0, length)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.nat(3000).map((depth) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`)) },
  { weight: 1, arbitrary: fc.nat(2000).map((depth) => Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)) },
  { weight: 1, arbitrary: text.map((key) => Buffer.from(`{"metadata":{"name":"a","${key}":1,"${key}":2}}`)) },
  { weight: 1, arbitrary: yamlText() },
)

function encoded(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value) ?? 'null')
}

function yamlText(): fc.Arbitrary<Uint8Array> {
  const line = fc.constantFrom(
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: &m',
    '  name: a',
    '  <<: *m',
    'data:',
    '  a: |',
    '    text',
    '- 1',
    '? [a]',
    'x: !!binary aGk=',
    '---',
    'y: *m',
    '\tz: 1',
    'on: yes',
    'big: 123456789012345678901234567890',
    '"unclosed',
  )
  return fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(lines.join('\n')))
}

export const jsonPatch = fc.array(
  fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'bogus'),
      path: fc
        .array(fc.oneof(memberName, fc.constantFrom('0', '-', '1', '~0', '~1', '~2')), { maxLength: 4 })
        .map(pointer),
      from: fc.array(memberName, { maxLength: 3 }).map(pointer),
      value: json,
    },
    { requiredKeys: [] },
  ),
  { maxLength: 6 },
)

function pointer(steps: readonly string[]): string {
  return steps.map((step) => `/${step}`).join('')
}

/** A patch that contains directives of strategic merge. */
export const strategicPatch = fc
  .tuple(
    nearlyValidObject,
    fc.constantFrom('$patch', '$retainKeys', '$setElementOrder/ports', '$deleteFromPrimitiveList/finalizers'),
    json,
    edit,
  )
  .map(([object, directive, value, where]) => edited(object, { ...where, change: 'add', name: directive, value }))

export const selector = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        '=',
        '==',
        '!=',
        'in',
        'notin',
        '(',
        ')',
        ',',
        '!',
        '>',
        '<',
        ' ',
        '\\',
        'metadata.name',
      ),
      {
        maxLength: 10,
      },
    )
    .map((tokens) => tokens.join('')),
  text,
)

const queryName = fc.constantFrom(
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'timeout',
  'timeoutSeconds',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'propagationPolicy',
  'gracePeriodSeconds',
  'orphanDependents',
  'includeObject',
)
const queryValue = fc.oneof(
  selector,
  fc.constantFrom(
    '0',
    '1',
    '-1',
    '99999',
    'All',
    'Strict',
    'Ignore',
    'Exact',
    'NotOlderThan',
    'true',
    'Background',
    '1s',
  ),
)

const pathSegment = fc.constantFrom(
  'api',
  'v1',
  'apis',
  'namespaces',
  'default',
  'configmaps',
  'services',
  'a',
  'b',
  'status',
  'finalize',
  'watch',
  'management.fuzz.example',
  'ownedaccesskeys',
  'rbac.authorization.k8s.io',
  'roles',
  'openapi',
  'v3',
  'v2',
  'healthz',
  'version',
  '',
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%ff',
  '%',
  '%2F',
  'proxy',
  'pods',
  'log',
  '__proto__',
  'x'.repeat(300),
)

const knownPath = fc.constantFrom(
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/configmaps/a',
  '/api/v1/namespaces/default/services',
  '/api/v1/namespaces/default/services/a',
  '/api/v1/namespaces/default/services/a/status',
  '/api/v1/namespaces/default/secrets/a',
  '/api/v1/namespaces/default/endpoints/a',
  '/api/v1/namespaces/default/pods/a',
  '/api/v1/namespaces/a',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/a',
  '/apis/management.fuzz.example/v1/ownedaccesskeys',
  '/apis/management.fuzz.example/v1/ownedaccesskeys/a',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/api/v1/namespaces/default/serviceaccounts/default/token',
)

/** Never a watch: those stay open on purpose. */
export const path: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: knownPath },
      { weight: 1, arbitrary: fc.array(pathSegment, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`) },
    ),
    fc.array(fc.tuple(queryName, queryValue), { maxLength: 3 }),
  )
  .map(([base, query]) => base + (query.length === 0 ? '' : `?${query.map(pair).join('&')}`))
  .filter((each) => !each.includes('/watch/') && !each.includes('resourceVersion=99999'))

function pair([name, value]: readonly [string, string]): string {
  return `${name}=${encodeURIComponent(Buffer.from(value).toString())}`
}

const contentType = fc.constantFrom(
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'text/plain',
  'application/json; charset=utf-8; a="b',
  ';',
)
const accept = fc.constantFrom(
  'application/json',
  'application/yaml',
  '*/*',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'text/html;q=0.9,application/json;q=x',
  'application/vnd.kubernetes.protobuf',
  ',,;q=',
)

export const anyRequest: fc.Arbitrary<FuzzRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
    path,
    contentType,
    accept,
    body: bodyBytes,
  })
  .map(({ method, path: target, contentType: type, accept: wanted, body }) => ({
    method,
    path: target,
    headers: { 'content-type': type, accept: wanted },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  }))
