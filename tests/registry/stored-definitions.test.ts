import { afterEach, beforeEach, expect, it } from 'vitest'
import { customResourceDefinition } from '../../src/api/custom/definition/definition.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { PatchRequest } from '../../src/registry/contract.ts'
import { editObject } from '../../src/registry/verbs/edit.ts'
import { bodyOf, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

/** Definitions that an earlier version stored, with members of a wrong type in their schema. */

const target = { namespace: '', name: 'apples.example.com' }
const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }
const right = { type: 'object', properties: { a: { type: 'string' } } }
const wrong = { type: 'object', maxItems: 'x', properties: { a: { type: 'string', minimum: 'y' } } }

let world: TestRegistry

beforeEach(async () => {
  world = await startRegistry([customResourceDefinition])
  await world.resource('customresourcedefinitions').create({ namespace: '' }, bodyOf(definition(right)), writeRequest())
  const context = world.registry.engine.find('apiextensions.k8s.io', 'CustomResourceDefinition')
  if (context === undefined) expect.fail('definitions are not served')
  await editObject(context, target, (object) => ({ ...object, spec: definition(wrong).spec }), writeRequest())
})

afterEach(() => world.stop())

function definition(openAPIV3Schema: object): KubeObject {
  return {
    ...type,
    metadata: { name: target.name },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'apples', singular: 'apple', kind: 'Apple', listKind: 'AppleList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      conversion: { strategy: 'None' },
    },
  }
}

const metadata = { name: target.name, labels: { color: 'red' } }

it.each<PatchRequest>([
  { type: 'merge', body: bodyOf({ metadata }) },
  { type: 'strategic', body: bodyOf({ metadata }) },
  { type: 'json', body: bodyOf([{ op: 'add', path: '/metadata/labels', value: metadata.labels }]) },
  { type: 'apply', force: false, body: bodyOf({ ...type, metadata }) },
])('can still be written without them: $type', async (patch) => {
  const { document } = await world.resource('customresourcedefinitions').patch(target, patch, writeRequest())
  expect(document.object.metadata.labels).toEqual(metadata.labels)
  expect(document.object.spec).toMatchObject({ versions: [{ schema: { openAPIV3Schema: right } }] })
  expect(JSON.stringify(document.object.spec)).not.toMatch(/maxItems|minimum/)
})
