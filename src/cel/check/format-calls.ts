import type { SourceError } from '../syntax/source-error.ts'
import type { CallNode, CelNode } from '../syntax/tree.ts'
import type { CelType, CelTypeKind } from '../type.ts'
import type { CheckedExpression } from './check.ts'

interface Clause {
  readonly takes: ReadonlySet<CelTypeKind>
  readonly refusal: string
}

function clause(refusal: string, ...takes: readonly CelTypeKind[]): Clause {
  return { takes: new Set<CelTypeKind>([...takes, 'dyn']), refusal }
}

const simpleKinds = ['int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type'] as const
const text = clause(
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ...simpleKinds,
  'list',
  'map',
  'null',
)
const hexadecimal = clause(
  'only integers, byte buffers, and strings can be formatted as hex',
  ...(['int', 'uint', 'string', 'bytes'] as const),
)
const clauses: Readonly<Record<string, Clause>> = {
  s: text,
  d: clause('decimal clause can only be used on integers', 'int', 'uint'),
  f: clause('fixed-point clause can only be used on doubles', 'double', 'string'),
  e: clause('scientific clause can only be used on doubles', 'double', 'string'),
  b: clause('only integers and bools can be formatted as binary', 'int', 'uint', 'bool'),
  x: hexadecimal,
  X: hexadecimal,
  o: clause('octal clause can only be used on integers', 'int', 'uint'),
}

/** A percent sign with what follows it: another one, or a precision and a verb. */
const parts = /%(%|(\.\d*)?([\s\S]?))/g

/** A literal template is held against the list that is written beside it. */
export function formatErrors(node: CallNode, expression: CheckedExpression): readonly SourceError[] {
  const { target, args } = node
  const [list] = args
  if (node.name !== 'format' || target?.kind !== 'literal' || typeof target.value !== 'string') return []
  if (list?.kind !== 'list' || args.length !== 1) return []
  const items = list.elements.map(({ value }) => value)
  let count = 0
  for (const [, whole = '', precision, verb = ''] of target.value.matchAll(parts)) {
    if (whole === '%') continue
    const problem = clauseError(node, precision, verb, { items, index: count++ }, expression)
    if (problem !== undefined) return [problem]
  }
  if (items.length <= count) return []
  const message = `too many arguments supplied to string.format (expected ${count}, got ${items.length})`
  return [{ at: node.at, message }]
}

interface Argument {
  readonly items: readonly CelNode[]
  readonly index: number
}

function clauseError(
  { at }: CallNode,
  precision: string | undefined,
  verb: string,
  { items, index }: Argument,
  { typeOf }: CheckedExpression,
): SourceError | undefined {
  if (precision === undefined && verb === '') return { at, message: 'unexpected end of string' }
  const item = items[index]
  if (item === undefined) return { at, message: `index ${index} out of range` }
  const unread = 'could not parse formatting clause:'
  if (verb === '') {
    return { at, message: `${unread} error while parsing precision: could not find end of precision specifier` }
  }
  if (precision === '.') {
    const cause = 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
    return { at, message: `${unread} error while parsing precision: ${cause}` }
  }
  const found = clauses[verb]
  if (found === undefined) return { at, message: `${unread} unrecognized formatting clause "${verb}"` }
  const wrong = found === text ? unprintable(item, typeOf) : found.takes.has(typeOf(item).kind) ? undefined : item
  if (wrong === undefined) return undefined
  return { at: wrong.at, message: `error during formatting: ${found.refusal}, was given ${typeOf(wrong).name}` }
}

/** The first in it that has no text. */
function unprintable(node: CelNode, typeOf: (node: CelNode) => CelType): CelNode | undefined {
  if (!text.takes.has(typeOf(node).kind)) return node
  const inner =
    node.kind === 'list'
      ? node.elements.map(({ value }) => value)
      : node.kind === 'map'
        ? node.entries.flatMap(({ key, value }) => [key, value])
        : []
  for (const each of inner) {
    const wrong = unprintable(each, typeOf)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
