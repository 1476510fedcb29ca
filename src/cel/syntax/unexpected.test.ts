import { describe, expect, it } from 'vitest'
import { compileEffort } from '../compile-effort.ts'
import { parseCel } from './parse.ts'

const rest = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
const operand = `{'[', '{', '(', '.', '-', '!', ${rest}`

/** As Kubernetes 1.32 answers. */
describe('an unexpected token', () => {
  it.each([
    ['object.foo +', `mismatched input '<EOF>' expecting ${operand}`],
    ['foo(', `mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', ${rest}`],
    ['foo(1', "missing ')' at '<EOF>'"],
    ['foo(1,', `mismatched input '<EOF>' expecting ${operand}`],
    ['[', `mismatched input '<EOF>' expecting {'[', ']', '{', '(', '.', ',', '-', '!', '?', ${rest}`],
    ['{', `mismatched input '<EOF>' expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', ${rest}`],
    ['{1', "mismatched input '<EOF>' expecting ':'"],
    ["{'a' 1}", "missing ':' at '1'"],
    ['(1', "missing ')' at '<EOF>'"],
    ['a ? 1', "mismatched input '<EOF>' expecting ':'"],
    ['a[', `mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', ${rest}`],
    ['a[1', "missing ']' at '<EOF>'"],
    ['1 2', "extraneous input '2' expecting <EOF>"],
    ['a)', "extraneous input ')' expecting <EOF>"],
    ['f(a b)', "extraneous input 'b' expecting ')'"],
    ['a.', "no viable alternative at input '.'"],
    ['&& a', `extraneous input '&&' expecting ${operand}`],
    ['a || || b', `extraneous input '||' expecting ${operand}`],
    ['a.all(x, x > )', `mismatched input ')' expecting ${operand}`],
    ['a ? b : c : d', "mismatched input ':' expecting <EOF>"],
    ["self.x == 'a' and self.y", "mismatched input 'and' expecting <EOF>"],
  ])('%s', (text, problem) => {
    expect(parseCel(text, compileEffort(1000))).toMatchObject({ errors: [{ message: `Syntax error: ${problem}` }] })
  })
})
