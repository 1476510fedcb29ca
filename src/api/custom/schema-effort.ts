import { compilingEffort } from '../../base/pattern-effort.ts'
import { type CompileEffort, compileEffort } from '../../cel/compile-effort.ts'
import { type Compiled, nothingCompiled } from './compile.ts'
import { checkPattern, longestPattern, type PatternCheck } from './pattern.ts'
import { mostExpressionSteps } from './rules/rule-tree.ts'
import { type ValidationBudget, validationBudget } from './validation-context.ts'

/** What checking the schemas of one definition may still cost, and what is already known about them. */
export interface SchemaEffort {
  readonly compiled: Compiled
  /** For the defaults of all nodes together. */
  readonly budget: ValidationBudget
  readonly patterns: Map<string, PatternCheck>
  patternSize: number
  /** For the expressions of all rules together. */
  readonly expressions: CompileEffort
}

export function schemaEffort(): SchemaEffort {
  return {
    compiled: nothingCompiled(),
    budget: validationBudget(),
    patterns: new Map(),
    patternSize: 0,
    expressions: compileEffort(mostExpressionSteps),
  }
}

/** The effort of compiling all patterns of one definition, which is needed to check them. */
const mostPatternSize = 100_000
/** Distinct patterns. Compiling one takes a tenth of a millisecond, however short it is. */
const mostPatterns = 1_000

/** A pattern in several places is checked and counted once; one that is invalid counts, too. */
export function checkedPattern(source: string, effort: SchemaEffort): PatternCheck | 'too much' {
  const known = effort.patterns.get(source)
  if (known !== undefined) return known
  if (effort.patterns.size >= mostPatterns || effort.patternSize > mostPatternSize) return 'too much'
  if (source.length <= longestPattern) effort.patternSize += compilingEffort(source)
  if (effort.patternSize > mostPatternSize) return 'too much'
  const checked = checkPattern(source)
  effort.patterns.set(source, checked)
  return checked
}
