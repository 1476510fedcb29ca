import { expect, it } from 'vitest'
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../types/apiextensions-v1.ts'
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

it('a stored definition that a newer rule refuses can still be updated', () => {
  const old = definition([broken])
  expect(fields(validateDefinition(old, undefined))).toEqual(['spec.validation.openAPIV3Schema.properties[a].items'])
  expect(validateDefinition(old, old)).toEqual([])
  const scoped = { ...old, spec: { ...old.spec, scope: 'Cluster' } }
  expect(validateDefinition(scoped, old)).toEqual([])
  expect(fields(validateDefinition({ ...scoped, spec: { ...scoped.spec, scope: 'Planet' } }, old))).toEqual([
    'spec.scope',
  ])
})

it('pruning is declared in the schema, not with preserveUnknownFields', () => {
  const kept = definition([version(0)])
  const found = validateDefinition({ ...kept, spec: { ...kept.spec, preserveUnknownFields: true } }, undefined)
  expect(found).toMatchObject([{ field: 'spec.preserveUnknownFields', reason: 'FieldValueInvalid' }])
  expect(validateDefinition({ ...kept, spec: { ...kept.spec, preserveUnknownFields: false } }, undefined)).toEqual([])
})

it.each<[Partial<CustomResourceDefinition['spec']>, string[]]>([
  [{ conversion: { strategy: '' } }, ['spec.conversion.strategy: Required value']],
  [
    { conversion: { strategy: 'None', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } } },
    [
      'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
      'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
    ],
  ],
  [
    {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://e.com' }, conversionReviewVersions: ['v1', 'v1'] },
      },
    },
    ['spec.conversion.conversionReviewVersions[1]: Invalid value: "v1": duplicate version'],
  ],
  [
    { versions: [{ ...version(0), deprecated: true, deprecationWarning: '' }] },
    ['spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'],
  ],
  [
    { versions: [{ ...version(0), deprecated: true, deprecationWarning: 'a\nb' }] },
    [
      'spec.versions[0].deprecationWarning: Invalid value: "a\\nb": must only contain printable UTF-8 characters; non-printable character found at index 1',
    ],
  ],
  [
    {
      versions: [
        {
          ...version(0),
          subresources: { scale: { specReplicasPath: '.a', statusReplicasPath: 'x', labelSelectorPath: '.b' } },
        },
      ],
    },
    [
      'spec.subresources.scale.specReplicasPath: Invalid value: ".a": should be a json path under .spec',
      'spec.subresources.scale.statusReplicasPath: Invalid value: "x": must be a simple json path starting with .',
      'spec.subresources.scale.labelSelectorPath: Invalid value: ".b": should be a json path under either .spec or .status',
    ],
  ],
])('a definition with %j', (spec, expected) => {
  const given = definition([version(0)])
  const found = validateDefinition({ ...given, spec: { ...given.spec, ...spec } }, undefined)
  expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
})

it('an invalid approval is refused, unless it is stored already', () => {
  const given = definition([version(0)])
  const approved = (text: string): CustomResourceDefinition => ({
    ...given,
    metadata: { name: 'foos.x.k8s.io', annotations: { 'api-approved.kubernetes.io': text } },
    spec: { ...given.spec, group: 'x.k8s.io' },
  })
  const field = 'metadata.annotations[api-approved.kubernetes.io]'
  expect(fields(validateDefinition(approved('yes'), undefined))).toEqual([field])
  expect(fields(validateDefinition(approved('yes'), approved('unapproved')))).toEqual([field])
  expect(validateDefinition(approved('yes'), approved('yes'))).toEqual([])
})

it.each([
  ['.spec.name', []],
  ['.spec.count', []],
  ['.spec.mode', []],
  ['.spec.ratio', ['must point to a field of type string']],
  ['.spec.list', ['must point to a field of type string']],
  ['.spec', ['must point to a field of type string']],
  ['.spec.none', ['is an invalid path: does not refer to a valid field']],
  ['.spec.name.more', ['is an invalid path: does not refer to a valid field']],
])('the selectable field %s gives %j', (jsonPath, messages) => {
  const properties = {
    name: { type: 'string' },
    count: { type: 'integer' },
    mode: { type: 'boolean' },
    ratio: { type: 'number' },
    list: { type: 'array', items: { type: 'string' } },
  }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } }
  const found = validateDefinition(definition([{ ...version(0), schema, selectableFields: [{ jsonPath }] }]), undefined)
  expect(found.map(({ message }) => message)).toEqual(messages.map((text) => expect.stringContaining(text)))
})

it('a definition without versions shows no versions', () => {
  const [first] = validateDefinition(definition([]), undefined)
  expect(first?.message).toBe(
    'Invalid value: []apiextensions.CustomResourceDefinitionVersion(nil): must have exactly one version marked as storage version',
  )
})

it('a definition without a name gets no error about how the name is composed', () => {
  const found = validateDefinition({ ...definition([version(0)]), metadata: {} }, undefined)
  expect(fields(found)).not.toContain('metadata.name')
})

it('selectable fields of all versions need the same schema in all of them', () => {
  const selecting = (index: number, type: string): CustomResourceDefinitionVersion => ({
    ...version(index),
    schema: { openAPIV3Schema: { type: 'object', properties: { a: { type } } } },
    selectableFields: [{ jsonPath: '.a' }],
  })
  expect(validateDefinition(definition([selecting(0, 'string'), selecting(1, 'string')]), undefined)).toEqual([])
  const [found] = validateDefinition(definition([selecting(0, 'string'), selecting(1, 'integer')]), undefined)
  expect(`${found?.field}: ${found?.message}`).toBe(
    'spec.selectableFields: Invalid value: "": selectableFields may only be set when validations.schema is included',
  )
})

it('a status update does not check storedVersions', () => {
  const old = definition([version(0)])
  const migrated = { ...old, status: { ...old.status, storedVersions: ['v9'] } }
  expect(validateDefinition(migrated, old)).toEqual([])
  expect(
    fields(validateDefinition({ ...migrated, spec: { ...old.spec, versions: [version(0), version(1)] } }, old)),
  ).toEqual(['status.storedVersions', 'status.storedVersions[0]'])
})
