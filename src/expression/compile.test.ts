import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression } from './compile.ts'
import type { ContextUse, ExpressionProblem } from './contract.ts'

function problemOf(source: string): ExpressionProblem {
  const compiled = compileExpression(source)
  if (compiled.ok) throw new Error(`${source} was let through`)
  return compiled.problem
}

function usesOf(source: string): ContextUse {
  const compiled = compileExpression(source)
  if (!compiled.ok) throw new Error(`${source}: ${compiled.problem.message}`)
  return compiled.expression.uses
}

const nothing: ContextUse = { vcluster: false, path: false, hostObject: [], virtualObject: [] }

describe('compileExpression lets an expression through', () => {
  it.each([
    'value',
    '"a constant"',
    "'a constant'",
    'value ? value + "-x" : undefined',
    'value?.metadata?.name ?? "none"',
    'value && value.startsWith("a") ? atob(value) : btoa(value)',
    'virtualToHostDNS(value)',
    '(v => { const parts = v.split("."); parts.pop(); return parts.join(".") })(value)',
    '(function f(n) { return n < 2 ? 1 : n * f(n - 1) })(value)',
    '(function () { return arguments.length + (this === undefined ? 1 : 0) })(1)',
    '{ a: value }',
    '{ ...value, a: 1 }',
    '({ a, b: [c = 2, ...rest] }) => a + c + rest.length',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the expression that has a template
    '[...value].map((item, index) => `${index}-${item}`)',
    '(() => { outer: for (const a of value) { for (const b of a) { if (b) continue outer; else break outer } } return 1 })()',
    '(() => { try { return JSON.parse(value) } catch { return null } })()',
    '(() => { try { return JSON.parse(value) } catch (error) { return error.message } })()',
    'class Named extends Error { get own() { return super.message } }',
    '(() => { let a; ({ a } = value); return a })()',
    'typeof process === "undefined" ? value : 1',
    'new Date(value).toISOString()',
    'value, 1',
    ' \n\tvalue\n ',
    'value // the rest of the line',
    'value /* a */ // b',
    '/* before */ value',
    '/(?<year>\\d{4})/u.exec(value)?.groups.year',
    '[..."<!-- text -->"].length',
    'value < !(--value.x)',
    'value.x-- > 1',
    '((((value))))',
    '(function* () { yield 1 })()',
    '(function () { return new.target })()',
  ])('%j', (source) => {
    expect(compileExpression(source)).toMatchObject({ ok: true, expression: { source } })
  })
})

describe('compileExpression refuses', () => {
  it.each([
    ['', 0, 'the expression is empty'],
    [' \n ', 0, 'the expression is empty'],
    ['// only a comment', 17, 'the expression ends too early'],
    ['value;', 5, 'an expression has no semicolon; for several steps write (() => { …; return … })()'],
    ['value /* a */ ; value', 14, 'an expression has no semicolon; for several steps write (() => { …; return … })()'],
    ['value value', 6, 'one expression ends before "value", and more follows'],
    ['value) + (1', 5, 'one expression ends before ")", and more follows'],
    ['value\n)\n}, (() => 1)(', 6, 'one expression ends before ")", and more follows'],
    ['value /* swallow', 6, 'unterminated comment'],
    ['(value', 6, 'the expression ends too early'],
    ['value +', 7, 'the expression ends too early'],
    ['value + )', 8, '")" was not expected here'],
    ['/(/', 1, 'invalid regular expression: /(/: Unterminated group'],
    ['await value', 0, "cannot use keyword 'await' outside an async function"],
    ['yield value', 0, "the keyword 'yield' is reserved"],
    ['super.x', 0, "'super' keyword outside a method"],
    ['new.target', 0, "'new.target' can only be used in functions and class static block"],
    ['08', 0, 'invalid number'],
    ['(() => { with (value) return 1 })()', 9, "'with' in strict mode"],
    ['#!value', 0, "unexpected character '#'"],
    ['import("fs")', 0, 'import is not possible in an expression'],
    ['(() => import.meta)()', 7, 'import.meta does not exist in an expression'],
    ['async () => value', 0, 'an expression gives its value at once; nothing in it can be async'],
    ['({ async a() {} })', 10, 'an expression gives its value at once; nothing in it can be async'],
    ['(async function* () {})()', 1, 'an expression gives its value at once; nothing in it can be async'],
    ['this', 0, 'this has no meaning in an expression; use value for the field'],
    ['(() => this)()', 7, 'this has no meaning in an expression; use value for the field'],
    ['arguments[0]', 0, 'arguments exists only inside a function'],
    ['(() => arguments)()', 7, 'arguments exists only inside a function'],
    ['value + 1n', 8, 'a BigInt is not JSON; write the number without n'],
    ['value <!--value', 6, 'put blanks between the signs: <!-- and --> are comments'],
    ['value --> 1', 6, 'put blanks between the signs: <!-- and --> are comments'],
    ['eval("1")', 0, 'eval does not exist here: an expression cannot make code from text'],
    ['Function("return 1")()', 0, 'Function does not exist here: an expression cannot make code from text'],
    ['process.exit()', 0, 'process does not exist here: an expression runs outside of Node.js'],
    ['fetch("http://a")', 0, 'fetch does not exist here: an expression runs without the network'],
    ['globalThis.x', 0, 'globalThis does not exist here: an expression has no global object'],
    ['Promise.resolve(1)', 0, 'Promise does not exist here: an expression has no timers and gives its value at once'],
    ['valu + 1', 0, 'valu is not defined; did you mean value?'],
    ['"a" + vlaue', 6, 'vlaue is not defined; did you mean value?'],
    ['virtualToHostDns(value)', 0, 'virtualToHostDns is not defined; did you mean virtualToHostDNS?'],
    ['{ unknowable }', 2, 'unknowable is not defined'],
    ['context.vclusters.name', 0, 'context has no member vclusters; did you mean vcluster?'],
    ['1 + context.object', 4, 'context has no member object; it has vcluster, hostObject, virtualObject, path'],
    ['context.vcluster.nmae', 0, 'context.vcluster has no member nmae; did you mean name?'],
  ])('%j', (source, offset, message) => {
    expect(problemOf(source)).toMatchObject({ offset, message })
  })

  it.each(['if', 'return', 'const', 'let', 'var', 'for', 'while', 'throw', 'switch', 'export', 'try'])(
    'a statement that begins with %s',
    (word) => {
      const problem = problemOf(`${word} (value) {}`)
      expect(problem.message).toBe(
        `${word} begins a statement where an expression is needed; for statements write (() => { …; return … })()`,
      )
      expect(problem.offset).toBe(0)
    },
  )

  it('an import statement', () => {
    expect(problemOf('import fs from "fs"')).toMatchObject({
      offset: 0,
      message: expect.stringContaining('import begins a statement'),
    })
  })

  it('names line and column', () => {
    expect(problemOf('value\n  ? 1\r\n  : \u2028  vlaue')).toMatchObject({ line: 4, column: 3 })
  })

  it.each([
    ['brackets', '('.repeat(30_000)],
    ['functions', 'a=>'.repeat(20_000)],
    ['signs', '!'.repeat(60_000)],
    ['additions', `1${'+1'.repeat(30_000)}`],
    ['length', `"${'a'.repeat(70_000)}"`],
  ])('too much of everything: %s', (_what, source) => {
    expect(compileExpression(source).ok).toBe(false)
  })

  it('walks deeply nested expressions that still parse', () => {
    expect(compileExpression(`value${'.a'.repeat(30_000)}`).ok).toBe(true)
  })
})

describe('compileExpression notes what of context is used', () => {
  it.each<[string, Partial<ContextUse>]>([
    ['value', {}],
    ['value.context', {}],
    ['({ context: 1 })', {}],
    ['context.path', { path: true }],
    ['context["path"]', { path: true }],
    ['context?.path', { path: true }],
    ['(context).path', { path: true }],
    ['context.vcluster.config.sync.toHost', { vcluster: true }],
    ['context.virtualObject.metadata.name', { virtualObject: ['metadata'] }],
    ['context.virtualObject?.metadata?.labels?.[value]', { virtualObject: ['metadata'] }],
    ['context.hostObject?.spec ?? context.hostObject?.["status"]', { hostObject: ['spec', 'status'] }],
    ['context.virtualObject[value]', { virtualObject: 'all' }],
    ['context.virtualObject.hasOwnProperty("spec")', { virtualObject: 'all' }],
    ['(context.virtualObject.hasOwnProperty)("spec")', { virtualObject: 'all' }],
    ['context.virtualObject.metadata.name.toString()', { virtualObject: ['metadata'] }],
    ['context.virtualObject && context.virtualObject.spec', { virtualObject: 'all' }],
    ['Object.keys(context.hostObject)', { hostObject: 'all' }],
    ['typeof context.hostObject', { hostObject: 'all' }],
    ['context', { vcluster: true, path: true, hostObject: 'all', virtualObject: 'all' }],
    ['context[value]', { vcluster: true, path: true, hostObject: 'all', virtualObject: 'all' }],
    ['context.hasOwnProperty("path")', { vcluster: true, path: true, hostObject: 'all', virtualObject: 'all' }],
    ['(({ path }) => path)(context)', { vcluster: true, path: true, hostObject: 'all', virtualObject: 'all' }],
    ['(context => context.anything)(value)', { vcluster: true, path: true, hostObject: 'all', virtualObject: 'all' }],
  ])('%s', (source, uses) => {
    expect(usesOf(source)).toEqual({ ...nothing, ...uses })
  })
})

describe('compileExpression with any text', () => {
  const pieces = [
    'value',
    'context.',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '`',
    '${',
    '"',
    '/',
    '*',
    '=>',
    '?.',
    '??',
    ';',
    '\n',
  ]
  const noise = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), { maxLength: 20 })

  it('answers with a position inside the text, and never throws', () => {
    fc.assert(
      fc.property(noise, (parts) => {
        const source = parts.join('')
        const compiled = compileExpression(source)
        if (compiled.ok) return
        const { offset, line, column, message } = compiled.problem
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThanOrEqual(source.length)
        expect(line).toBeGreaterThan(0)
        expect(column).toBeGreaterThan(0)
        expect(message).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })

  it('accepts nothing but a complete expression', () => {
    fc.assert(
      fc.property(noise, (parts) => {
        const source = parts.join('')
        if (!compileExpression(source).ok) return
        // An ill-formed text could not fit both of these wrappers.
        expect(() => new Function(`"use strict"; return [\n${source}\n]`)).not.toThrow()
        expect(() => new Function(`"use strict"; return typeof (\n${source}\n)`)).not.toThrow()
      }),
      { numRuns: 500 },
    )
  })
})
