import type { FieldFact, FieldPresence, FieldSchema, JsonForm, Message } from './message.ts'

/**
 * Reads one message of a table:
 *
 *     ServicePort
 *       1 name: string
 *       2 protocol: string (default "TCP", one of TCP UDP SCTP)
 *       3 port: int32! (required)
 *
 * The first line may contain `atomic` and, for messages that are not objects in JSON, `as` and the form. A field has
 * its number in protobuf, its name and its type: a scalar, a message (with its package, unless it is the same one),
 * followed by `[]` for a list, preceded by `map` for a map. `?`: a zero differs from absence. `!`: JSON shows it even
 * if it is zero. In parentheses: `required`; `inline`; `json NAME`, its name in JSON; `merged by KEY`, a list whose
 * items are identified by one member, in apply and in strategic merge; `keyed by KEYS` the same only for apply;
 * `patched [by KEY]` only for strategic merge, optionally with `retain keys`; `set`; `atomic`; `granular`, an object
 * that is atomic elsewhere; `default JSON`; `one of VALUES`; `whole`, objects with apiVersion and kind; `go TYPE`, how
 * Go's errors name its type.
 */
export function parseMessage(name: string, text: string, fullName: (type: string) => string): Message {
  const [head = '', ...lines] = text.split('\n')
  const [, isAtomic, form] = /^\S+( atomic)?(?: as (\S+))?$/.exec(head) ?? []
  return {
    name,
    fields: lines.map((line) => parseField(line, fullName)),
    isAtomic: isAtomic !== undefined,
    form: form as JsonForm | undefined,
  }
}

const fieldLine = /^ {2}(\d+) (\S+): (map )?([^\s[?~!]+)(\[\])?([?~!])?(?: \((.*)\))?$/
const presences: Readonly<Record<string, FieldPresence>> = { '?': 'explicit', '~': 'nullable', '!': 'always' }

function parseField(line: string, fullName: (type: string) => string): FieldFact {
  const match = fieldLine.exec(line)
  if (match === null) throw new Error(`not a field: "${line}"`)
  const [, number, name = '', map, type = '', list, presence = '', text = ''] = match
  const options = text === '' ? [] : text.split(', ')
  return {
    number: Number(number),
    name: optionAfter(options, 'json ') ?? name,
    type: fullName(type),
    shape: list !== undefined ? 'list' : map !== undefined ? 'map' : 'single',
    presence: presences[presence] ?? 'optional',
    isInlined: options.includes('inline'),
    isRequired: options.includes('required'),
    isWhole: options.includes('whole'),
    schema: fieldSchema(options),
  }
}

function fieldSchema(options: readonly string[]): FieldSchema | undefined {
  const schema = {
    ...listSchema(options),
    ...(options.includes('atomic') && { mapType: 'atomic' as const }),
    ...(options.includes('granular') && { mapType: 'granular' as const }),
    ...valueSchema(options),
  }
  return Object.keys(schema).length === 0 ? undefined : schema
}

function listSchema(options: readonly string[]): FieldSchema {
  const merged = optionAfter(options, 'merged by ')
  const keys = optionAfter(options, 'keyed by ')?.split(' ') ?? (merged === undefined ? undefined : [merged])
  const patchMergeKey = merged ?? optionAfter(options, 'patched by ')
  const isPatched = patchMergeKey !== undefined || options.includes('patched')
  const strategies = [
    isPatched && 'merge',
    options.includes('retain keys') && 'retainKeys',
    options.includes('replaced') && 'replace',
  ].filter(Boolean)
  return {
    ...(keys !== undefined && { listType: 'map', listMapKeys: keys }),
    ...(options.includes('set') && { listType: 'set' }),
    ...(strategies.length > 0 && { patchStrategy: strategies.join(',') as NonNullable<FieldSchema['patchStrategy']> }),
    ...(patchMergeKey !== undefined && { patchMergeKey }),
  }
}

function valueSchema(options: readonly string[]): FieldSchema {
  const fallback = optionAfter(options, 'default ')
  const values = optionAfter(options, 'one of ')
  const goType = optionAfter(options, 'go ')
  return {
    ...(goType !== undefined && { goType }),
    ...(fallback !== undefined && { default: JSON.parse(fallback) }),
    ...(values !== undefined && { enum: values.split(' ') }),
  }
}

function optionAfter(options: readonly string[], prefix: string): string | undefined {
  return options.find((option) => option.startsWith(prefix))?.slice(prefix.length)
}
