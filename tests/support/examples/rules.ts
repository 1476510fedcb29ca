import { expect } from 'vitest'
import { schemaErrors } from '../../../src/api/custom/checks/check-schema.ts'
import { compileStructure } from '../../../src/api/custom/compile.ts'
import { evaluateRules } from '../../../src/api/custom/rules/evaluate-rules.ts'
import type { RuleFindings } from '../../../src/api/custom/rules/rule-findings.ts'
import { compileRuleTree } from '../../../src/api/custom/rules/rule-tree.ts'
import type { SchemaNode } from '../../../src/api/custom/schema-node.ts'
import { atOnce } from '../../../src/base/steps.ts'
import { compileEffort } from '../../../src/cel/compile-effort.ts'

export type Json = Readonly<Record<string, unknown>>

export const text = { type: 'string', maxLength: 20 }
export const integer = { type: 'integer' }

/** A schema whose `spec` has these properties, and one rule. */
export function schemaOf(properties: Json, rule: string | Json): SchemaNode {
  const validation = typeof rule === 'string' ? { rule } : rule
  return {
    type: 'object',
    properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': [validation] } },
  }
}

export function findings(schema: SchemaNode, spec: unknown, old?: unknown): RuleFindings {
  expect(schemaErrors(schema, 'schema')).toEqual([])
  return evaluated(schema, spec, old)
}

/** Evaluates a stored schema, whatever its rules. */
export function evaluated(schema: SchemaNode, spec: unknown, old?: unknown): RuleFindings {
  const tree = compileRuleTree(compileStructure(schema), compileEffort(50_000))
  if (tree === undefined) throw new Error('The schema has no rules.')
  const object = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'n' }, spec }
  return atOnce(evaluateRules(tree, object, old === undefined ? undefined : { ...object, spec: old }))
}

export const properties: Json = {
  n: integer,
  m: { ...integer, nullable: true },
  t: text,
  'a-b': integer,
  'a.b': integer,
  'a/b': integer,
  a__b: integer,
  namespace: text,
  d: { type: 'number' },
  on: { type: 'boolean' },
  wait: { type: 'string', format: 'duration' },
  day: { type: 'string', format: 'date' },
  at: { type: 'string', format: 'date-time' },
  raw: { type: 'string', format: 'byte', maxLength: 20 },
  port: { 'x-kubernetes-int-or-string': true },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  part: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  list: { type: 'array', maxItems: 5, items: text },
  other: { type: 'array', maxItems: 5, items: text },
  set: { type: 'array', maxItems: 5, items: text, 'x-kubernetes-list-type': 'set' },
  set2: { type: 'array', maxItems: 5, items: text, 'x-kubernetes-list-type': 'set' },
  keyed: {
    type: 'array',
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: text, v: integer } },
  },
  map: { type: 'object', maxProperties: 5, additionalProperties: integer },
}

export const spec: Json = {
  n: 5,
  m: null,
  t: 'hello',
  'a-b': 1,
  'a.b': 2,
  'a/b': 3,
  a__b: 4,
  namespace: 'ns',
  d: 1,
  on: true,
  wait: '1h',
  day: '2024-02-29',
  at: '2024-02-29T12:00:00Z',
  raw: 'YWJj',
  port: 'http',
  any: { x: 1 },
  part: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} },
  list: ['b', 'a'],
  other: ['a', 'b'],
  set: ['b', 'a'],
  set2: ['a', 'b'],
  keyed: [
    { k: 'x', v: 1 },
    { k: 'y', v: 2 },
  ],
  map: { a: 1, 'b-c': 2 },
}
