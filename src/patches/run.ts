import type { EvaluationContext, ExpressionEngine } from '../expression/contract.ts'
import type { Direction, LabelTranslator, NameTranslator } from './contract.ts'

/** Everything that patches of one object need besides the object. */
export interface PatchRun {
  readonly direction: Direction
  /** Both objects as they are on their side; null for one that does not exist there yet. */
  readonly context: PatchContext
  readonly names: NameTranslator
  readonly labels: LabelTranslator
  readonly engine: ExpressionEngine
}

/** The part that all matches of an object share. */
export type PatchContext = Omit<EvaluationContext, 'path'>
