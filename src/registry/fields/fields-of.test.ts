import { expect, it } from 'vitest'
import { deployment } from '../../api/apps/deployment.ts'
import type { Schema } from '../../api/schema.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { atOnce } from '../../base/steps.ts'
import type { FieldSet } from './field-set.ts'
import { fieldsBelow } from './fields-of.ts'
import { printFieldsV1 } from './fields-v1.ts'
import { sortedElements } from './path-element.ts'

const web = {
  metadata: { name: 'web', labels: { tier: 'front', app: 'web' } },
  spec: {
    template: {
      spec: {
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
        containers: [
          {
            name: 'web',
            image: 'nginx',
            env: [
              { value: '2', name: 'B' },
              { name: 'A', value: '1' },
              { name: 'A', value: '3' },
              { name: 'a<b>', valueFrom: { fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v1' } } },
            ],
            ports: [
              { protocol: 'TCP', containerPort: 443 },
              { containerPort: 80, protocol: 'TCP' },
              { containerPort: 80, protocol: 'UDP' },
            ],
            resources: { requests: { memory: '1Gi', cpu: '1' }, limits: {} },
          },
          { image: 'sidecar', name: 'log', args: [] },
        ],
      },
    },
    replicas: 2,
  },
}

function below(schema: Schema, value: unknown): FieldSet {
  return atOnce(fieldsBelow(schema, value))
}

/** Sorts every node, even if it is known to be in order. */
function sorted(set: FieldSet): FieldSet {
  return Object.fromEntries(sortedElements(Object.keys(set)).map((element) => [element, sorted(set[element] ?? {})]))
}

/** The same object with its members in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)])
  return Object.fromEntries(members.reverse())
}

it.each([
  ['as written', web],
  ['the other way round', reversed(web)],
])('a set is built in its printed order: %s', (_, object) => {
  const set = below(deployment.schema, object)
  expect(JSON.stringify(set)).toBe(JSON.stringify(sorted(set)))
  expect(printFieldsV1(set)).toBe(set)
})

it('the order of members does not matter', () => {
  const set = below(deployment.schema, web)
  expect(JSON.stringify(below(deployment.schema, reversed(web)))).toBe(JSON.stringify(set))
})

it('items with the same key share a field, and empty values are fields', () => {
  expect(below(deployment.schema, web)['f:spec']?.['f:template']?.['f:spec']?.['f:containers']).toEqual({
    '.': {},
    'k:{"name":"log"}': { '.': {}, 'f:args': {}, 'f:image': {}, 'f:name': {} },
    'k:{"name":"web"}': {
      '.': {},
      'f:env': {
        '.': {},
        'k:{"name":"A"}': {},
        'k:{"name":"B"}': { '.': {}, 'f:name': {}, 'f:value': {} },
        'k:{"name":"a\\u003cb\\u003e"}': {
          '.': {},
          'f:name': {},
          'f:valueFrom': { '.': {}, 'f:fieldRef': {} },
        },
      },
      'f:image': {},
      'f:name': {},
      'f:ports': {
        '.': {},
        'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
        'k:{"containerPort":80,"protocol":"UDP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
        'k:{"containerPort":443,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
      },
      'f:resources': {
        '.': {},
        'f:limits': {},
        'f:requests': { '.': {}, 'f:cpu': {}, 'f:memory': {} },
      },
    },
  })
})

it('missing members are not fields', () => {
  expect(
    below({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }, { b: '', a: undefined }),
  ).toEqual({
    '.': {},
    'f:b': {},
  })
})
