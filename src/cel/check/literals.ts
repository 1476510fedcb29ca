import type { CompileEffort } from '../compile-effort.ts'
import { compiledPattern } from '../run/regex.ts'
import { celDuration, celTimestamp } from '../standard/time.ts'
import type { SourceError } from '../syntax/source-error.ts'
import type { CallNode, CelNode, ElementNode } from '../syntax/tree.ts'
import { type CelType, firstParameter, isSameType, printType } from '../type.ts'
import type { CheckedExpression } from './check.ts'
import { effortOfPattern, nodesBelow } from './nodes-below.ts'

interface Waiting {
  readonly node: CelNode
  /** The arguments of `format` may have several types. */
  readonly isMixed: boolean
}

/** Literals that can only fail, such as invalid times, and lists and maps whose values have several types. */
export function literalErrors(expression: CheckedExpression, effort: CompileEffort): readonly SourceError[] {
  const errors: SourceError[] = []
  const waiting: Waiting[] = [{ node: expression.root, isMixed: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next
    effort.spend(0.1)
    if (node.kind === 'call') errors.push(...callErrors(node, effort))
    if (!next.isMixed) errors.push(...mixtureErrors(node, expression))
    const isMixed = next.isMixed || (node.kind === 'call' && node.name === 'format')
    for (const each of nodesBelow(node)) waiting.push({ node: each, isMixed })
  }
  return errors
}

function mixtureErrors(node: CelNode, { typeOf }: CheckedExpression): readonly SourceError[] {
  if (node.kind === 'list') return differing(node.elements.map((each) => elementOf(each, typeOf)))
  if (node.kind !== 'map') return []
  const keys = node.entries.map(({ key }) => ({ at: key.at, type: typeOf(key) }))
  return [...differing(keys), ...differing(node.entries.map((each) => elementOf(each, typeOf)))]
}

interface TypedElement {
  readonly at: number
  readonly type: CelType
}

function elementOf({ value, isOptional }: ElementNode, typeOf: CheckedExpression['typeOf']): TypedElement {
  const type = typeOf(value)
  return { at: value.at, type: isOptional ? firstParameter(type) : type }
}

function differing([first, ...others]: readonly TypedElement[]): readonly SourceError[] {
  const other = first === undefined ? undefined : others.find(({ type }) => !isSameType(type, first.type))
  if (first === undefined || other === undefined) return []
  return [{ at: other.at, message: `expected type '${printType(first.type)}' but found '${printType(other.type)}'` }]
}

function callErrors({ name, args: [literal] }: CallNode, effort: CompileEffort): readonly SourceError[] {
  if (literal?.kind !== 'literal' || typeof literal.value !== 'string') return []
  return isValid(name, literal.value, effort) ? [] : [{ at: literal.at, message: `invalid ${name} argument` }]
}

function isValid(name: string, text: string, effort: CompileEffort): boolean {
  switch (name) {
    case 'duration':
      return celDuration(text) !== undefined
    case 'timestamp':
      return celTimestamp(text) !== undefined
    case 'matches':
      return !('kind' in compiledPattern(text, (size) => effort.spend(size * effortOfPattern)))
    default:
      return true
  }
}
