import { type ApiError, badRequest } from '../error.ts'
import type { FieldError } from '../field-error.ts'
import {
  keyErrors,
  type LabelOperator,
  type LabelRequirement,
  mostRequirements,
  requirementErrors,
} from './label-requirement.ts'
import { labelTokens, type Token } from './label-tokens.ts'

/** Tokens and the current position, the only mutable state here. */
interface Cursor {
  readonly tokens: readonly Token[]
  position: number
}

const binaryOperators: ReadonlySet<string> = new Set(['in', 'notin', '=', '==', '!=', '>', '<'])

/** Reads the text form of a label selector. An invalid one is a 400 in Kubernetes' words. */
export function parseLabelRequirements(text: string): readonly LabelRequirement[] {
  const cursor: Cursor = { tokens: labelTokens(text), position: 0 }
  const requirements: LabelRequirement[] = []
  if (peek(cursor).type === 'end') return requirements
  refuseNonRequirement(peek(cursor))
  for (;;) {
    requirements.push(parseRequirement(cursor))
    if (requirements.length > mostRequirements) {
      throw badRequest(`a label selector may have ${mostRequirements} requirements, and this one has more`)
    }
    const separator = take(cursor)
    if (separator.type === 'end') return requirements
    if (separator.type !== ',') throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`)
    const next = peek(cursor)
    if (!startsRequirement(next)) throw badRequest(`found '${next.text}', expected: identifier after ','`)
  }
}

function refuseNonRequirement(token: Token): void {
  if (startsRequirement(token)) return
  throw badRequest(`found '${token.text}', expected: !, identifier, or 'end of string'`)
}

function startsRequirement(token: Token): boolean {
  return token.type === '!' || isIdentifier(token)
}

function parseRequirement(cursor: Cursor): LabelRequirement {
  const first = take(cursor)
  const negated = first.type === '!'
  const key = parseKey(negated ? take(cursor) : first)
  if (negated) return checked({ key, operator: '!', values: new Set() })
  const { type } = peek(cursor)
  if (type === 'end' || type === ',') return checked({ key, operator: 'exists', values: new Set() })
  const operator = parseOperator(take(cursor))
  const values = operator === 'in' || operator === 'notin' ? parseValues(cursor) : parseExactValue(cursor)
  return checked({ key, operator, values })
}

function parseKey(token: Token): string {
  if (!isIdentifier(token)) throw unreadable(`found '${token.text}', expected: identifier`)
  const [error] = keyErrors('<nil>', token.text)
  if (error !== undefined) throw unreadable(printed([error]))
  return token.text
}

function parseOperator({ type, text }: Token): LabelOperator {
  if (isBinaryOperator(type)) return type
  throw unreadable(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`)
}

function isBinaryOperator(type: string): type is LabelOperator {
  return binaryOperators.has(type)
}

/** `(a,b)`. A missing value counts as the empty value. */
function parseValues(cursor: Cursor): ReadonlySet<string> {
  const open = take(cursor)
  if (open.type !== '(') throw unreadable(`found '${open.text}' expected: '('`)
  const first = peek(cursor)
  if (first.type !== ')' && first.type !== ',' && !isIdentifier(first)) {
    throw unreadable(`found '${first.text}', expected: ',', ')' or identifier`)
  }
  const values = new Set(first.type === ')' ? [''] : [])
  while (peek(cursor).type !== ')') parseListed(cursor, values)
  take(cursor)
  return values
}

/** One identifier, or one or two commas with the empty value that they imply. */
function parseListed(cursor: Cursor, values: Set<string>): void {
  const token = take(cursor)
  const next = peek(cursor)
  if (isIdentifier(token)) {
    values.add(token.text)
    if (next.type !== ',' && next.type !== ')') throw unreadable(`found '${next.text}', expected: ',' or ')'`)
    return
  }
  if (token.type !== ',') throw unreadable(`found '${token.text}', expected: ',', or identifier`)
  if (values.size === 0 || next.type === ',' || next.type === ')') values.add('')
  if (next.type !== ',') return
  take(cursor)
  if (peek(cursor).type === ')') throw unreadable("found ')', expected: ',', or identifier")
}

function parseExactValue(cursor: Cursor): ReadonlySet<string> {
  const { type } = peek(cursor)
  if (type === 'end' || type === ',') return new Set([''])
  const token = take(cursor)
  if (!isIdentifier(token)) throw unreadable(`found '${token.text}', expected: identifier`)
  return new Set([token.text])
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const errors = requirementErrors(requirement)
  if (errors.length > 0) throw unreadable(printed(errors))
  return requirement
}

/** `in` and `notin` are ordinary words where no operator is allowed. */
function isIdentifier({ type }: Token): boolean {
  return type === 'identifier' || type === 'in' || type === 'notin'
}

function peek(cursor: Cursor): Token {
  return cursor.tokens[Math.min(cursor.position, cursor.tokens.length - 1)] ?? { type: 'end', text: '' }
}

function take(cursor: Cursor): Token {
  const token = peek(cursor)
  cursor.position++
  return token
}

function unreadable(problem: string): ApiError {
  return badRequest(`unable to parse requirement: ${problem}`)
}

function printed(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))]
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
}
