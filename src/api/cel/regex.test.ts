import { expect, it } from 'vitest'
import { compileCel } from '../../cel/compile.ts'
import { compileEffort } from '../../cel/compile-effort.ts'
import { kubernetesEnvironment, mostExpressionCost } from './environment.ts'

/** As Go finds them. */
it.each([
  ["'123 abc 456'.findAll('[0-9]*')", "['123', '', '', '', '', '456']"],
  ["'baac'.findAll('a*')", "['', 'aa', '']"],
  ["'a1b22'.findAll('[0-9]*', 2)", "['', '1']"],
  ["'äbä'.findAll('b*')", "['', 'b', '']"],
  ["'aXbX'.findAll('X|$')", "['X', 'X']"],
  ["''.findAll('a*')", "['']"],
  ["'aab'.findAll('a*?')", "['', '', '', '']"],
])('%s is %s: no empty match right behind another', (expression, same) => {
  const program = compileCel(`${expression} == ${same}`, kubernetesEnvironment, compileEffort(50_000))
  if ('problem' in program) throw new Error(program.problem)
  expect(program.evaluate({}, mostExpressionCost)).toMatchObject({ value: true })
})
