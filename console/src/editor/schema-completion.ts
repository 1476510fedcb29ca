import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import type { JsonSchema } from './json-schema.ts'
import { pathAtLine } from './yaml-path.ts'

/** Offers what a schema knows at the cursor: field names, and listed values. */
export function schemaCompletion(root: JsonSchema): CompletionSource {
  return (context) => completeAt(context, root)
}

function completeAt(context: CompletionContext, root: JsonSchema): CompletionResult | null {
  const { state, pos, explicit } = context
  const line = state.doc.lineAt(pos)
  const before = line.text.slice(0, pos - line.from)
  const lines = Array.from({ length: line.number }, (_, index) => state.doc.line(index + 1).text)
  lines[line.number - 1] = before
  const parent = schemaAt(root, root, pathAtLine(lines, line.number - 1))
  const value = /^ *(?:- +)*([\w./-]+): +(\S*)$/.exec(before)
  if (value !== null)
    return valuesOf(resolve(root, parent?.properties?.[value[1] ?? '']), pos - (value[2] ?? '').length)
  const name = /[\w./-]*$/.exec(before)?.[0] ?? ''
  if (!/^ *(?:- +)*[\w./-]*$/.test(before) || (name === '' && !explicit)) return null
  const options = Object.entries(parent?.properties ?? {}).map(([label, field]) =>
    fieldOption(label, resolve(root, field)),
  )
  return options.length === 0 ? null : { from: pos - name.length, options }
}

function fieldOption(label: string, field: JsonSchema | undefined): Completion {
  const isBlock = field?.type === 'object' || field?.type === 'array'
  return {
    label,
    type: 'property',
    apply: isBlock ? `${label}:` : `${label}: `,
    ...(field?.description === undefined ? {} : { info: field.description }),
  }
}

function valuesOf(field: JsonSchema | undefined, from: number): CompletionResult | null {
  const values = field?.type === 'boolean' ? ['true', 'false'] : (field?.enum ?? []).map(String)
  return values.length === 0 ? null : { from, options: values.map((label) => ({ label, type: 'constant' })) }
}

function schemaAt(root: JsonSchema, schema: JsonSchema | undefined, path: readonly string[]): JsonSchema | undefined {
  const here = resolve(root, schema)
  const [name, ...rest] = path
  if (name === undefined || here === undefined) return here
  if (name === '-') return schemaAt(root, here.items, rest)
  const { additionalProperties } = here
  const other = typeof additionalProperties === 'object' ? additionalProperties : undefined
  return schemaAt(root, here.properties?.[name] ?? other, rest)
}

/** Definitions are one step away, and never refer directly to another definition. */
function resolve(root: JsonSchema, schema: JsonSchema | undefined): JsonSchema | undefined {
  const name = schema?.$ref?.replace('#/$defs/', '')
  return name === undefined ? schema : root.$defs?.[name]
}
