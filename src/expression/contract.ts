import type { Json, KubeObject } from '../api/object.ts'

/** One JavaScript expression that has passed the gate. Plain data, made by `compileExpression` only. */
export interface CompiledExpression {
  readonly source: string
  readonly uses: ContextUse
}

/** What of `context` the expression can look at. Nothing else is sent to the sandbox. */
export interface ContextUse {
  readonly vcluster: boolean
  readonly path: boolean
  readonly hostObject: ObjectUse
  readonly virtualObject: ObjectUse
}

/** All of an object, or the fields of that name at its top; an empty list means that it is not looked at. */
export type ObjectUse = 'all' | readonly string[]

export type Compilation =
  | { readonly ok: true; readonly expression: CompiledExpression }
  | { readonly ok: false; readonly problem: ExpressionProblem }

export interface ExpressionProblem {
  readonly message: string
  /** Into the source, in UTF-16 units, from 0. */
  readonly offset: number
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
}

export interface Evaluation {
  readonly expression: CompiledExpression
  /** JSON. Undefined where there is no value. */
  readonly value: unknown
  readonly context: EvaluationContext
}

export interface EvaluationContext {
  /** Sent once and kept as long as it is the same object; so pass the same object, and never change it. */
  readonly vcluster: VirtualClusterContext
  readonly hostObject: KubeObject | null
  readonly virtualObject: KubeObject | null
  /** The concrete path of the value. */
  readonly path: string
}

export interface VirtualClusterContext {
  readonly name: string
  readonly namespace: string
  /** The configuration of the virtual cluster merged with defaults. JSON. */
  readonly config: unknown
}

export type EvaluationResult =
  | { readonly state: 'value'; readonly value: Json }
  /** The expression gave undefined or null. */
  | { readonly state: 'removed' }
  | EvaluationFailure

export interface EvaluationFailure {
  readonly state: 'failed'
  readonly kind: EvaluationFailureKind
  /** A whole sentence without its full stop, with the line and column if they are known. */
  readonly message: string
  /** Where in the source of the expression, from 1. Absent where that is not known. */
  readonly line?: number
  readonly column?: number
}

/**
 * `thrown` by the expression itself; `not-json`: the result is none; `timeout` and `memory`: it took more than it may;
 * `crashed`: it broke the sandbox, which has been replaced.
 */
export type EvaluationFailureKind = 'thrown' | 'not-json' | 'timeout' | 'memory' | 'crashed'

export interface ExpressionEngine {
  /** One result for each evaluation, in the same order. Rejects only if the engine is closed or cannot be started. */
  evaluate(batch: readonly Evaluation[]): Promise<readonly EvaluationResult[]>
  /** Evaluations under way are rejected. Closing twice is harmless. */
  close(): Promise<void>
}

export interface EngineOptions {
  /** Must give the same answer every time: answers are kept while the engine lives. */
  readonly virtualToHostDNS: (virtualService: string) => ServiceTranslation
  readonly limits?: Partial<EvaluationLimits>
  /** Closes the engine when it aborts; waiting callers get its reason. */
  readonly signal?: AbortSignal
}

export type ServiceTranslation =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly message: string }

export interface EvaluationLimits {
  /**
   * What an evaluation may compute. Counted in steps of the interpreter, about as many as an idle core does in that
   * time, so that a busy machine does not fail what an idle one allows.
   */
  readonly deadlineMs: number
  /**
   * For how long the interpreter may work without a step, inside of one of its own functions. Then its thread is ended,
   * and if the same happens again, the evaluation has failed. Real time, or more where the machine is busy. Five times
   * the deadline by default.
   */
  readonly stallMs: number
  /** What an evaluation may allocate besides its inputs. */
  readonly memoryBytes: number
}

export const defaultEvaluationLimits: EvaluationLimits = { deadlineMs: 50, stallMs: 250, memoryBytes: 16 * 1024 * 1024 }
