import { expect, it } from 'vitest'
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../types/apiextensions-v1.ts'
import { validateDefinition } from './validate-definition.ts'

function version(index: number): CustomResourceDefinitionVersion {
  return {
    name: `v${index + 1}`,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: { type: 'object' } },
  }
}

function definition(versions: readonly CustomResourceDefinitionVersion[]): CustomResourceDefinition {
  const names = { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
  }
}

const fields = (found: ReturnType<typeof validateDefinition>) => found.map(({ field }) => field)

const broken: CustomResourceDefinitionVersion = {
  ...version(0),
  schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'array' } } } },
}

it('a definition has at most 20 versions', () => {
  const versions = (count: number) => Array.from({ length: count }, (_, index) => version(index))
  expect(validateDefinition(definition(versions(20)), undefined)).toEqual([])
  expect(fields(validateDefinition(definition(versions(21)), undefined))).toEqual(['spec.versions'])
})

it('what a rule of today objects to was stored before it, and holds nothing up', () => {
  const old = definition([broken])
  expect(fields(validateDefinition(old, undefined))).toEqual(['spec.validation.openAPIV3Schema.properties[a].items'])
  expect(validateDefinition(old, old)).toEqual([])
  const scoped = { ...old, spec: { ...old.spec, scope: 'Cluster' } }
  expect(validateDefinition(scoped, old)).toEqual([])
  expect(fields(validateDefinition({ ...scoped, spec: { ...scoped.spec, scope: 'Planet' } }, old))).toEqual([
    'spec.scope',
  ])
})
