import type { CompileEffort } from '../compile-effort.ts'
import { characterCount } from '../value.ts'
import { expandedMacro } from './macros.ts'
import { NodeFactory } from './node-factory.ts'
import type { SourceError } from './source-error.ts'
import { CelSyntaxError } from './syntax-problem.ts'
import { type CelToken, celTokens } from './token.ts'
import { type CallNode, type CelNode, type ElementNode, type EntryNode, operator, type StructNode } from './tree.ts'
import { unexpectedToken } from './unexpected.ts'

export type ParsedCel = { readonly root: CelNode } | { readonly errors: readonly SourceError[] }

/** In code points. */
const longestExpression = 100_000

/** Parses an expression. Stops at the first error. */
export function parseCel(text: string, effort: CompileEffort): ParsedCel {
  effort.spend(1 + text.length / 10)
  if (text.length > longestExpression && characterCount(text) > longestExpression) {
    const size = characterCount(text)
    return failed(0, `expression code point size exceeds limit: size: ${size}, limit ${longestExpression}`)
  }
  const read = celTokens(text)
  if ('message' in read) return { errors: [read] }
  try {
    const root = new Parser(read.tokens, effort).parse()
    return read.unknown.length === 0 ? { root } : { errors: read.unknown }
  } catch (error) {
    if (error instanceof CelSyntaxError) return { errors: [...read.unknown, { at: error.at, message: error.message }] }
    throw error
  }
}

function failed(at: number, message: string): ParsedCel {
  return { errors: [{ at, message }] }
}

export const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop null package namespace return true var void while'.split(
    ' ',
  ),
)

/** The precedence of binary operators, and the names of their functions. */
const binary: ReadonlyMap<string, readonly [number, string]> = new Map<string, readonly [number, string]>([
  ['<', [1, '_<_']],
  ['<=', [1, '_<=_']],
  ['>', [1, '_>_']],
  ['>=', [1, '_>=_']],
  ['==', [1, operator.equals]],
  ['!=', [1, operator.notEquals]],
  ['in', [1, operator.in]],
  ['+', [2, operator.add]],
  ['-', [2, '_-_']],
  ['*', [3, '_*_']],
  ['/', [3, '_/_']],
  ['%', [3, '_%_']],
])

class Parser {
  readonly #tokens: readonly CelToken[]
  readonly #nodes: NodeFactory
  #next = 0
  #nesting = 0

  constructor(tokens: readonly CelToken[], effort: CompileEffort) {
    this.#tokens = tokens
    this.#nodes = new NodeFactory(effort)
  }

  parse(): CelNode {
    const root = this.#expression()
    if (this.#peek().kind !== 'end') throw this.#unexpected('<EOF>')
    return root
  }

  #peek(): CelToken {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '<EOF>', at: 0 }
  }

  #take(): CelToken {
    const token = this.#peek()
    this.#next++
    return token
  }

  #isNext(text: string): boolean {
    const token = this.#peek()
    return token.kind === 'symbol' && token.text === text
  }

  #takeIf(text: string): CelToken | undefined {
    return this.#isNext(text) ? this.#take() : undefined
  }

  #expect(text: string): CelToken {
    return this.#takeIf(text) ?? this.#fail(text)
  }

  #fail(expected: string): never {
    throw this.#unexpected(expected)
  }

  #unexpected(expected: string): CelSyntaxError {
    return new CelSyntaxError(this.#peek().at, unexpectedToken(this.#tokens, this.#next, expected))
  }

  /** A whole expression, such as in brackets or after a question mark. */
  #expression(): CelNode {
    this.#nesting++
    if (this.#nesting > mostNesting) {
      throw new CelSyntaxError(this.#peek().at, `expression recursion limit exceeded: ${mostNesting}`)
    }
    const condition = this.#logical('||', operator.or, () => this.#logical('&&', operator.and, () => this.#binary(1)))
    const question = this.#takeIf('?')
    const whole = question === undefined ? condition : this.#conditional(condition, question.at)
    this.#nesting--
    return whole
  }

  #conditional(condition: CelNode, at: number): CelNode {
    const yes = this.#logical('||', operator.or, () => this.#logical('&&', operator.and, () => this.#binary(1)))
    this.#expect(':')
    return this.#nodes.call(at, operator.conditional, [condition, yes, this.#expression()])
  }

  /** A long chain becomes a tree that is as flat as possible. */
  #logical(symbol: string, name: string, term: () => CelNode): CelNode {
    const terms = [term()]
    const places: number[] = []
    for (let sign = this.#takeIf(symbol); sign !== undefined; sign = this.#takeIf(symbol)) {
      places.push(sign.at)
      terms.push(term())
    }
    return this.#balanced(name, terms, places, 0, terms.length)
  }

  #balanced(name: string, terms: readonly CelNode[], places: readonly number[], from: number, to: number): CelNode {
    const only = terms[from]
    if (only !== undefined && to - from === 1) return only
    const middle = Math.ceil((from + to) / 2)
    const left = this.#balanced(name, terms, places, from, middle)
    const right = this.#balanced(name, terms, places, middle, to)
    return this.#nodes.call(places[middle - 1] ?? 0, name, [left, right])
  }

  #binary(least: number): CelNode {
    let left = this.#unary()
    for (;;) {
      const { kind, text, at } = this.#peek()
      const found = kind === 'symbol' ? binary.get(text) : undefined
      if (found === undefined || found[0] < least) return left
      this.#take()
      left = this.#nodes.call(at, found[1], [left, this.#binary(found[0] + 1)])
    }
  }

  #unary(): CelNode {
    const { kind, text, at } = this.#peek()
    if (kind !== 'symbol' || (text !== '!' && text !== '-')) return this.#member()
    if (text === '-' && this.#tokens[this.#next + 1]?.isNumber === true) return this.#member()
    let count = 0
    while (this.#takeIf(text) !== undefined) count++
    const operand = this.#member()
    return count % 2 === 0 ? operand : this.#nodes.call(at, text === '!' ? operator.not : operator.negate, [operand])
  }

  #member(): CelNode {
    let operand = this.#primary()
    for (;;) {
      const dot = this.#takeIf('.')
      const bracket = dot === undefined ? this.#takeIf('[') : undefined
      if (dot !== undefined) operand = this.#selection(operand, dot.at)
      else if (bracket !== undefined) operand = this.#indexed(operand, bracket.at)
      else return operand
    }
  }

  #selection(operand: CelNode, at: number): CelNode {
    const isOptional = this.#takeIf('?') !== undefined
    const { kind, text, at: nameAt } = this.#peek()
    if (kind !== 'name') throw this.#unexpected('IDENTIFIER')
    this.#take()
    if (isOptional) {
      return this.#nodes.call(at, operator.optionalSelect, [operand, this.#nodes.literal(nameAt, text)])
    }
    const open = this.#takeIf('(')
    if (open === undefined) return this.#nodes.select(at, operand, text)
    return this.#called(this.#nodes.call(open.at, text, this.#until(')'), operand))
  }

  #indexed(operand: CelNode, at: number): CelNode {
    const name = this.#takeIf('?') === undefined ? operator.index : operator.optionalIndex
    const index = this.#expression()
    this.#expect(']')
    return this.#nodes.call(at, name, [operand, index])
  }

  #called(call: CallNode): CelNode {
    return expandedMacro(call, this.#nodes) ?? call
  }

  #until(close: string): readonly CelNode[] {
    const args: CelNode[] = []
    while (!this.#isNext(close)) {
      args.push(this.#expression())
      if (this.#takeIf(',') === undefined) break
      if (this.#isNext(close)) throw this.#unexpected('expression')
    }
    this.#expect(close)
    return args
  }

  #primary(): CelNode {
    const token = this.#take()
    const { kind, text, at } = token
    if (kind === 'literal') return this.#literal(token)
    if (kind === 'name') return this.#named(text, at)
    switch (kind === 'symbol' ? text : '') {
      case '-':
        return this.#negative(at)
      case '(':
        return this.#bracketed()
      case '[':
        return this.#nodes.list(at, this.#elements())
      case '{':
        return this.#nodes.map(at, this.#entries())
      case '.':
        if (this.#peek().kind === 'name') return this.#named(`.${this.#take().text}`, at)
    }
    this.#next--
    throw this.#unexpected('expression')
  }

  #literal({ value = null, at }: CelToken): CelNode {
    if (value === 2n ** 63n) throw new CelSyntaxError(at, 'invalid int literal')
    return this.#nodes.literal(at, value)
  }

  #negative(at: number): CelNode {
    const { value = null } = this.#take()
    if (typeof value === 'bigint' || typeof value === 'number') return this.#nodes.literal(at, -value)
    throw new CelSyntaxError(at, 'invalid int literal')
  }

  #bracketed(): CelNode {
    const inner = this.#expression()
    this.#expect(')')
    return inner
  }

  #named(name: string, at: number): CelNode {
    if (reservedWords.has(name)) throw new CelSyntaxError(at, `reserved identifier: ${name}`)
    const open = this.#takeIf('(')
    if (open !== undefined) return this.#called(this.#nodes.call(open.at, name, this.#until(')')))
    const identifier = this.#nodes.identifier(at, name)
    return this.#struct(name) ?? identifier
  }

  /** `a.b.Name{field: value}`. The name is read ahead, since only the bracket shows what it is. */
  #struct(first: string): CelNode | undefined {
    let ahead = this.#next
    let typeName = first
    while (this.#tokens[ahead]?.text === '.' && this.#tokens[ahead + 1]?.kind === 'name') {
      typeName += `.${this.#tokens[ahead + 1]?.text}`
      ahead += 2
    }
    const open = this.#tokens[ahead]
    if (open?.kind !== 'symbol' || open.text !== '{') return undefined
    this.#next = ahead + 1
    return this.#nodes.struct(open.at, typeName, this.#fields())
  }

  #fields(): StructNode['fields'] {
    const fields: StructNode['fields'][number][] = []
    while (!this.#isNext('}')) {
      const isOptional = this.#takeIf('?') !== undefined
      const { kind, text } = this.#peek()
      if (kind !== 'name') throw this.#unexpected('IDENTIFIER')
      this.#take()
      const { at } = this.#expect(':')
      fields.push({ name: text, at, value: this.#expression(), isOptional })
      if (this.#takeIf(',') === undefined) break
    }
    this.#expect('}')
    return fields
  }

  #elements(): readonly ElementNode[] {
    const elements: ElementNode[] = []
    while (!this.#isNext(']')) {
      const isOptional = this.#takeIf('?') !== undefined
      elements.push({ value: this.#expression(), isOptional })
      if (this.#takeIf(',') === undefined) break
    }
    this.#expect(']')
    return elements
  }

  #entries(): readonly EntryNode[] {
    const entries: EntryNode[] = []
    while (!this.#isNext('}')) {
      const isOptional = this.#takeIf('?') !== undefined
      const key = this.#expression()
      this.#expect(':')
      entries.push({ key, value: this.#expression(), isOptional })
      if (this.#takeIf(',') === undefined) break
    }
    this.#expect('}')
    return entries
  }
}

const mostNesting = 250
