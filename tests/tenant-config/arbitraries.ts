import fc, { type Arbitrary } from 'fast-check'
import { Document, isScalar, Scalar, visit } from 'yaml'
import type { ConfigField, ObjectField } from '../../src/api/tenant-config/field.ts'
import { documentField } from '../../src/api/tenant-config/fields.ts'
import type { TextFormat } from '../../src/api/tenant-config/text-format.ts'

/** Texts that are sometimes valid for a format and sometimes not. */
function textFor(format: TextFormat): Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(format.example) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('a', 'team-*', '*', 'ns/name', 'ns/*', 'v1', 'Secret', 'metadata.labels[*]'),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: 'grapheme' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', 'yes', '1', 'null', '~', 'a b', 'tpk_abc', ' # x', 'x: y', '😀', '\u0000'),
    },
  )
}

/** Values of roughly the right shape: most members absent, most of the rest valid. */
function valueFor(field: ConfigField): Arbitrary<unknown> {
  switch (field.type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: field.minimum - 1, max: field.maximum + 1 })
    case 'text':
      return textFor(field.format)
    case 'list':
      return fc.array(nearly(field.items), { maxLength: 3 })
    case 'map':
      return fc.dictionary(textFor(field.keys), nearly(field.values), { maxKeys: 3, noNullPrototype: true })
    case 'object':
      return objectFor(field)
  }
}

/** The required members and a few others. */
function objectFor({ members }: ObjectField): Arbitrary<unknown> {
  const required = Object.keys(members).filter((name) => members[name]?.presence === 'required')
  const others = Object.keys(members).filter((name) => !required.includes(name))
  return fc
    .subarray(others, { minLength: Math.min(1, others.length), maxLength: Math.min(2, others.length) })
    .chain((chosen) => {
      const entries = Object.entries(members).filter(([name]) => required.includes(name) || chosen.includes(name))
      return fc.record(Object.fromEntries(entries.map(([name, member]) => [name, nearly(member)])))
    })
}

const strange = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(null, '', 0, -1, 1e300, [], {}, [[]]))

/** Sometimes something completely different. */
function nearly(field: ConfigField): Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: valueFor(field) }, { weight: 1, arbitrary: strange })
}

const printing = fc.record({
  style: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED', undefined),
  lineWidth: fc.constantFrom(0, 20, 80),
  indent: fc.constantFrom(2, 4),
  flow: fc.boolean(),
})

/** A document printed in any of the equivalent notations of YAML. */
const printedDocument = fc
  .tuple(valueFor(documentField), printing)
  .map(([value, { style, lineWidth, indent, flow }]) => {
    const document = new Document(value, { aliasDuplicateObjects: false })
    visit(document, {
      Scalar: (_key, node) => {
        if (style !== undefined && isScalar(node) && typeof node.value === 'string') node.type = Scalar[style]
      },
      Collection: (_key, node) => {
        if (flow) node.flow = true
      },
    })
    return document.toString({ lineWidth, indent })
  })

const fragments = [
  '\n',
  '  ',
  ' ',
  ': ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '&a ',
  '*a',
  '<<: *a\n',
  '!!str ',
  '|\n',
  '>-\n',
  '"',
  "'",
]
const pieces = [
  ...fragments,
  '#',
  ' #',
  '---\n',
  '? ',
  '\t',
  '\r\n',
  '\ufeff',
  '\\',
  '%YAML 1.1\n',
  '\u0000',
  '😀',
  '\ud800',
  '1',
  'x',
]

interface Edit {
  readonly at: number
  readonly remove: number
  readonly insert: string
}

const edit: Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.constantFrom(0, 0, 1, 5, 30),
  insert: fc.constantFrom('', ...pieces),
})

/** Printed documents with typical editing errors. */
const editedDocument = fc.tuple(printedDocument, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([text, edits]) =>
  edits.reduce((edited, { at, remove, insert }) => {
    const offset = Math.floor(at * edited.length)
    return edited.slice(0, offset) + insert + edited.slice(offset + remove)
  }, text),
)

const known = [
  'sync',
  'toHost',
  'endpoints',
  'patches',
  'path',
  'expression',
  'enabled',
  'platform',
  'mappings',
  'byName',
]
const noise = fc
  .array(fc.constantFrom(...pieces, ...known, ': ', '\n', '  '), { maxLength: 30 })
  .map((parts) => parts.join(''))

/** Half of them are almost valid, because those reach furthest. */
export const configText: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: printedDocument },
  { weight: 4, arbitrary: editedDocument },
  { weight: 1, arbitrary: noise },
)
