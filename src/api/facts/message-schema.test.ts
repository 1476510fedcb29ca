import { describe, expect, it } from 'vitest'
import { coreKinds } from '../core/kinds.ts'
import type { Schema } from '../schema.ts'
import { allTexts } from './descriptions.ts'
import { kindMessageSchema, messageSchema } from './message-schema.ts'
import { messageNamed, messageNames, shortMessageName } from './messages.ts'

const core = 'k8s.io.api.core.v1'

function at(schema: Schema, path: string): Schema | undefined {
  return path
    .split('.')
    .reduce<Schema | undefined>((node, step) => (step === '*' ? node?.items : node?.properties?.[step]), schema)
}

function* nodes(schema: Schema, path: string, seen = new Set<Schema>()): Iterable<[string, Schema]> {
  if (seen.has(schema)) return
  seen.add(schema)
  yield [path, schema]
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* nodes(member, `${path}.${name}`, seen)
  if (schema.items?.properties) yield* nodes(schema.items, `${path}[]`, seen)
}

describe('schemas made from the tables', () => {
  it.each([
    ['Pod', 'spec.volumes.*.emptyDir.sizeLimit', { type: 'string', format: 'quantity' }],
    ['Pod', 'spec.volumes.*.configMap.name', { type: 'string' }],
    ['Pod', 'spec.containers.*.livenessProbe.httpGet.port', { type: 'string', format: 'int-or-string' }],
    ['Pod', 'spec.ephemeralContainers.*.image', { type: 'string' }],
    ['Pod', 'spec.containers.*.env.*.valueFrom.secretKeyRef', { mapType: 'atomic', required: ['key'] }],
    [
      'Pod',
      'spec.volumes',
      { listType: 'map', listMapKeys: ['name'], patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' },
    ],
    ['Pod', 'spec.containers.*.ports', { listMapKeys: ['containerPort', 'protocol'], patchMergeKey: 'containerPort' }],
    ['Pod', 'spec.containers.*.ports.*.protocol', { default: 'TCP' }],
    ['Pod', 'spec.nodeSelector', { type: 'object', mapType: 'atomic' }],
    ['Pod', 'spec.tolerations', { listType: 'atomic' }],
    ['Pod', 'status.startTime', { type: 'string', format: 'date-time' }],
    ['Node', 'status.daemonEndpoints.kubeletEndpoint.Port', { type: 'integer', format: 'int32' }],
    ['Node', 'status.capacity', { type: 'object', additionalProperties: { type: 'string', format: 'quantity' } }],
    ['Node', 'spec.podCIDRs', { listType: 'set', patchStrategy: 'merge' }],
    [
      'Service',
      'spec.ports',
      { listType: 'map', listMapKeys: ['port', 'protocol'], patchStrategy: 'merge', patchMergeKey: 'port' },
    ],
    ['Service', 'spec.ports.*', { name: 'io.k8s.api.core.v1.ServicePort', required: ['port'] }],
    ['Service', 'spec.selector', { mapType: 'atomic' }],
    ['Service', 'status.conditions', { listType: 'map', listMapKeys: ['type'] }],
    ['Secret', 'data', { type: 'object', additionalProperties: { type: 'string', format: 'byte' } }],
    ['Event', 'eventTime', { type: 'string', format: 'micro-time' }],
    ['ServiceAccount', 'secrets.*', { mapType: 'atomic' }],
    ['Service', 'metadata', { name: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
    ['Service', 'apiVersion', { type: 'string' }],
  ])('%s.%s', (kind, path, expected) => {
    expect(at(kindMessageSchema(`${core}.${kind}`), path)).toMatchObject(expected)
  })

  it('include the fields of inlined messages', () => {
    expect(Object.keys(messageSchema(`${core}.Volume`).properties ?? {})).toHaveLength(31)
    expect(messageSchema(`${core}.Volume`).properties).not.toHaveProperty('volumeSource')
    expect(messageSchema(`${core}.Probe`).properties).not.toHaveProperty('handler')
  })

  it('can be made of every message', () => {
    for (const message of messageNames()) expect(messageSchema(message), message).toHaveProperty('type')
  })

  it('are made once', () => {
    expect(kindMessageSchema(`${core}.Pod`)).toBe(kindMessageSchema(`${core}.Pod`))
  })
})

describe('texts', () => {
  const known = new Set(
    messageNames().flatMap((message) => {
      const short = shortMessageName(message)
      return [short, ...messageNamed(message).fields.map(({ name }) => `${short}.${name}`)]
    }),
  )

  it('speak of messages and fields that exist', () => {
    expect(allTexts().filter(([path]) => !known.has(path))).toEqual([])
  })

  it.each(coreKinds().map((kind) => [`${kind.group}/${kind.kind}`, kind] as const))(
    '%s and its main fields have texts',
    (_, kind) => {
      const isData = kind.kind === 'Pod' || kind.kind === 'Node'
      const silent = [...nodes(kind.schema, kind.kind)].filter(([, node]) => node.description === undefined)
      expect(silent.filter(([path]) => !isData || path.split('.').length <= 2)).toEqual([])
    },
  )
})
