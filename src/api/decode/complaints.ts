import { membersInOrder } from '../../base/json/precise.ts'
import type { ParsedBody } from './contract.ts'

/** The limit of Kubernetes. */
const mostComplaints = 100

/** The errors of strict decoding: first duplicate fields, then unknown ones. */
export function complaintsOf(body: ParsedBody, unknownFields: readonly string[]): readonly string[] {
  return [...repetitionsOf(body), ...unknownFields.slice(0, mostComplaints).map(unknownField)].slice(0, mostComplaints)
}

/** The same for a builtin kind, whose JSON bodies are decoded while they are read: in the order of the text. */
export function builtinComplaints(
  body: ParsedBody,
  unknownFields: readonly string[],
  source: 'object' | 'patch' = 'object',
): readonly string[] {
  // A patch is applied to an object whose members Kubernetes has sorted, and YAML is treated the same.
  if (source === 'patch' || body.isYaml === true) return complaintsOf(body, unknownFields.toSorted())
  if (unknownFields.length === 0 || body.duplicateFields.length === 0 || body.text === '')
    return complaintsOf(body, unknownFields)
  return inOrder(body.text, unknownFields).slice(0, mostComplaints)
}

/** The messages of a refusal: those about YAML are joined into one sentence. */
export function strictWords(
  { isYaml, repetitions = [] }: ParsedBody,
  complaints: readonly string[],
): readonly string[] {
  if (isYaml !== true || repetitions.length === 0) return complaints
  return [unmarshalErrors(repetitions), ...complaints.slice(repetitions.length)]
}

export function unmarshalErrors(repetitions: readonly string[]): string {
  return `yaml: unmarshal errors:\n  ${repetitions.join('\n  ')}`
}

function repetitionsOf({ repetitions, duplicateFields }: ParsedBody): readonly string[] {
  return repetitions ?? [...new Set(duplicateFields.map(duplicateField))]
}

/** Fields inside an unknown member are not reported. */
function inOrder(text: string, unknownFields: readonly string[]): readonly string[] {
  const unknown = new Set(unknownFields)
  const complaints = new Set<string>()
  let skipped: readonly string[] = []
  for (const { path, isRepeated } of membersInOrder(text)) {
    if (skipped.some((beginning) => path.startsWith(beginning))) continue
    skipped = unknown.has(path) ? [`${path}.`, `${path}[`] : []
    if (skipped.length > 0) complaints.add(unknownField(path))
    else if (isRepeated) complaints.add(duplicateField(path))
  }
  for (const path of unknownFields) complaints.add(unknownField(path))
  return [...complaints]
}

function duplicateField(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`
}

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`
}
