import { type CelFlaw, type CelProgram, compileCel } from '../../cel/compile.ts'
import { type CompileEffort, EffortSpent } from '../../cel/compile-effort.ts'
import type { CelEnvironment } from '../../cel/environment.ts'
import { type CelType, isSameType, printType } from '../../cel/type.ts'
import { type FieldError, internalField, invalidField } from '../field-error.ts'

/** An expression, or the problem that prevents its evaluation. */
export type CelExpression = { readonly text: string } & (
  | { readonly program: CelProgram }
  | { readonly problem: string }
)

/** `wanted`: the allowed result types. Absent: any. */
export function compiledExpression(
  text: string,
  environment: CelEnvironment,
  effort: CompileEffort,
  wanted?: readonly CelType[],
): CelExpression {
  try {
    const program = compileCel(text, environment, effort)
    if ('problem' in program) return { text, problem: `compilation failed: ${program.problem}` }
    const { resultType } = program
    if (wanted === undefined || wanted.some((type) => isSameType(resultType, type))) return { text, program }
    return { text, problem: `must evaluate to ${wantedText(wanted)} but got ${printType(resultType)}` }
  } catch (error) {
    if (error instanceof EffortSpent) return { text, problem: error.message }
    throw error
  }
}

function wantedText(wanted: readonly CelType[]): string {
  const names = wanted.map((type) => (type.kind === 'null' ? 'null_type' : printType(type)))
  return names.length === 1 ? names.join('') : `one of [${names.join(' ')}]`
}

/** For a new expression. */
export function newExpressionErrors(field: string, compiled: CelExpression): readonly FieldError[] {
  if ('problem' in compiled) return [invalidField(field, compiled.text, compiled.problem)]
  const flaw = flawOf(compiled.program)
  if (flaw === undefined) return []
  return flaw.stage === 'compilation'
    ? [invalidField(field, compiled.text, `compilation failed: ${flaw.text}`)]
    : [internalField(field, `program instantiation failed: ${flaw.text}`)]
}

function flawOf(program: CelProgram): CelFlaw | undefined {
  try {
    return program.flaw()
  } catch (error) {
    if (error instanceof EffortSpent) return { stage: 'compilation', text: error.message }
    throw error
  }
}
