import { describe, expect, it } from 'vitest'
import { body, refusal } from '../../../tests/support/examples/body.ts'
import { customResourceDefinition } from '../custom/definition/definition.ts'
import { readableDefinition } from '../custom/definition/readable-definition.ts'
import type { CustomResourceDefinition } from '../types/apiextensions-v1.ts'
import { decodeObject } from './object.ts'

const place = 'spec.versions.schema.openAPIV3Schema'

function sent(openAPIV3Schema: unknown): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'apples.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'apples', kind: 'Apple' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  })
}

function kept(schema: unknown) {
  const { object, complaints } = decodeObject(customResourceDefinition, body(sent(schema)))
  return { schema: schemaOf(object as CustomResourceDefinition), complaints }
}

function schemaOf({ spec }: CustomResourceDefinition): unknown {
  return spec.versions?.[0]?.schema?.openAPIV3Schema
}

describe('a schema of a definition', () => {
  it.each<[object, string]>([
    [{ type: 5 }, `number into Go struct field JSONSchemaProps.${place}.type of type string`],
    [{ maxItems: 'x' }, `string into Go struct field JSONSchemaProps.${place}.maxItems of type int64`],
    [{ maxItems: 1.5 }, `number 1.5 into Go struct field JSONSchemaProps.${place}.maxItems of type int64`],
    [{ required: 'a' }, `string into Go struct field JSONSchemaProps.${place}.required of type []string`],
    [{ enum: {} }, `object into Go struct field JSONSchemaProps.${place}.enum of type []v1.JSON`],
    [{ nullable: 'no' }, `string into Go struct field JSONSchemaProps.${place}.nullable of type bool`],
    [{ $schema: 5 }, `number into Go struct field JSONSchemaProps.${place}.$schema of type v1.JSONSchemaURL`],
    [
      { properties: { a: 5 } },
      `number into Go struct field JSONSchemaProps.${place}.properties of type v1.JSONSchemaProps`,
    ],
    [
      { properties: { a: { not: { minimum: true } } } },
      `bool into Go struct field JSONSchemaProps.${place}.properties.not.minimum of type float64`,
    ],
    [
      { 'x-kubernetes-validations': { rule: 'true' } },
      `object into Go struct field JSONSchemaProps.${place}.x-kubernetes-validations of type v1.ValidationRules`,
    ],
    [
      { 'x-kubernetes-validations': [{ rule: 1 }] },
      `number into Go struct field ValidationRule.${place}.x-kubernetes-validations.rule of type string`,
    ],
    [
      { properties: { a: { items: { properties: { b: { additionalProperties: { type: 5 } } } } } } },
      `number into Go struct field JSONSchemaProps.${place}.properties.items of type string`,
    ],
    [{ items: [5] }, `number into Go struct field JSONSchemaProps.${place}.items of type v1.JSONSchemaProps`],
    [
      { dependencies: { a: ['b', 5] } },
      `number into Go struct field JSONSchemaProps.${place}.dependencies of type string`,
    ],
  ])('case %#: a member of the wrong type is refused with its path', (schema, problem) => {
    expect(refusal(customResourceDefinition, sent(schema))).toMatchObject({
      code: 400,
      message: `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal ${problem}`,
    })
  })

  it.each([{ additionalProperties: 5 }, { additionalItems: 'x' }, { properties: { a: { additionalProperties: [] } } }])(
    'case %#: a schema or a boolean is accepted',
    (schema) => {
      expect(refusal(customResourceDefinition, sent(schema)).message).toMatch(/: boolean or JSON schema expected$/)
    },
  )

  it('reports an invalid strategic patch as Go does for types with their own decoder', () => {
    const refused = (schema: object) =>
      refusal(customResourceDefinition, sent(schema), { source: 'patch', strategicPatch: {} }).message
    expect(refused({ maxItems: 'x' })).toContain('unrecognized type: int64')
    expect(refused({ items: { maxItems: 'x' } })).toContain(
      'json: cannot unmarshal string into Go struct field JSONSchemaProps.maxItems of type int64',
    )
  })

  it('loses unknown fields, and reports them where Go is strict', () => {
    const schema = { type: 'object', bogus: 1, properties: { a: { 'x-own': 1, items: { other: 1, type: 'string' } } } }
    expect(kept(schema)).toEqual({
      schema: { type: 'object', properties: { a: { items: { type: 'string' } } } },
      complaints: [
        'unknown field "spec.versions[0].schema.openAPIV3Schema.bogus"',
        'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.a.x-own"',
      ],
    })
  })

  it.each<[object, object]>([
    [{ default: { any: [null, 1] }, example: 'x', enum: [null, 1, {}] }, {}],
    [{ dependencies: {} }, {}],
    [{ additionalProperties: false, items: { type: 'string' } }, {}],
    [{ minimum: 0, minItems: 0, 'x-kubernetes-preserve-unknown-fields': false }, {}],
    [{ type: 'object', nullable: false, description: '', required: [], properties: {} }, { type: 'object' }],
    [{ items: [], type: 'array' }, { type: 'array' }],
    [{ items: 5, type: 'array' }, { type: 'array' }],
  ])('case %#: is kept as Go writes it', (schema, written) => {
    expect(kept(schema)).toEqual({ schema: Object.keys(written).length === 0 ? schema : written, complaints: [] })
  })

  it.each<[string, number, (schema: object) => object]>([
    ['items', 980, (schema) => ({ items: schema })],
    ['not', 980, (schema) => ({ not: schema })],
    ['properties', 325, (schema) => ({ properties: { a: { additionalProperties: schema } } })],
  ])('is read as deeply as a body may be nested: %s', (_, depth, around) => {
    let schema: object = { type: 'string' }
    for (let at = 0; at < depth; at++) schema = around(schema)
    expect(kept(schema).complaints).toEqual([])
  })

  it('that an earlier version stored is read without its invalid parts', () => {
    const right = JSON.parse(sent({ type: 'object', properties: { a: { type: 'array', items: {} } } }))
    expect(readableDefinition(right)).toBe(right)
    const wrong = { own: 1, maxItems: 'x', type: 'object', properties: { a: { type: 'array', items: { type: 5 } } } }
    const stored = readableDefinition(JSON.parse(sent(wrong)))
    expect(schemaOf(stored)).toEqual(schemaOf(right))
    expect(decodeObject(customResourceDefinition, body(JSON.stringify(stored))).complaints).toEqual([])
  })

  it('that an earlier version stored keeps the valid neighbors of an invalid item', () => {
    const wrong = { required: ['a', 5], allOf: [5, { properties: { a: 5, b: { type: 'string' } } }] }
    const right = { required: ['a'], allOf: [{ properties: { b: { type: 'string' } } }] }
    expect(schemaOf(readableDefinition(JSON.parse(sent(wrong))))).toEqual(right)
  })
})
