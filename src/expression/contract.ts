import type { Json, KubeObject } from '../api/object.ts'

/** One JavaScript expression that has passed the gate. Plain data, made only by `compileExpression`. */
export interface CompiledExpression {
  readonly source: string
  readonly uses: ContextUse
}

/** Which parts of `context` the expression can access. Nothing else is sent to the sandbox. */
export interface ContextUse {
  readonly vcluster: boolean
  readonly path: boolean
  readonly hostObject: ObjectUse
  readonly virtualObject: ObjectUse
}

/** The whole object, or its top-level fields of these names; an empty list means that it is not accessed. */
export type ObjectUse = 'all' | readonly string[]

export type Compilation =
  | { readonly ok: true; readonly expression: CompiledExpression }
  | { readonly ok: false; readonly problem: ExpressionProblem }

export interface ExpressionProblem {
  readonly message: string
  /** An index into the source, in UTF-16 units, from 0. */
  readonly offset: number
  /** Counts from 1. */
  readonly line: number
  /** Counts from 1, in UTF-16 units. */
  readonly column: number
}

export interface Evaluation {
  readonly expression: CompiledExpression
  /** JSON. Undefined if there is no value. */
  readonly value: unknown
  readonly context: EvaluationContext
}

export interface EvaluationContext {
  /** Sent once and kept as long as it is the same object: pass the same object, and never change it. */
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
  /** The expression yielded undefined or null. */
  | { readonly state: 'removed' }
  | EvaluationFailure

export interface EvaluationFailure {
  readonly state: 'failed'
  readonly kind: EvaluationFailureKind
  /** A whole sentence without its full stop, with the line and column if known. */
  readonly message: string
  /** The position in the source of the expression, from 1. Absent if unknown. */
  readonly line?: number
  readonly column?: number
}

/**
 * `thrown` by the expression itself; `not-json`: the result is not JSON; `timeout` and `memory`: it exceeded a limit;
 * `crashed`: it broke the sandbox, which has been replaced.
 */
export type EvaluationFailureKind = 'thrown' | 'not-json' | 'timeout' | 'memory' | 'crashed'

export interface ExpressionEngine {
  /** One result for each evaluation, in the same order. Rejects only if the engine is closed or cannot be started. */
  evaluate(batch: readonly Evaluation[]): Promise<readonly EvaluationResult[]>
  /** Rejects evaluations in progress. Closing twice is harmless. */
  close(): Promise<void>
}

export interface EngineOptions {
  /** Must be deterministic: results are cached while the engine lives. */
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
   * How much an evaluation may compute. Counted in steps of the interpreter, about as many as an idle core does in that
   * time, so that a busy machine does not fail what an idle one allows.
   */
  readonly deadlineMs: number
  /**
   * How long the interpreter may work without a step, inside one of its own functions. Then its thread is terminated,
   * and if it happens again, the evaluation has failed. Real time, or more if the machine is busy. Five times the
   * deadline by default.
   */
  readonly stallMs: number
  /** How much an evaluation may allocate besides its inputs. */
  readonly memoryBytes: number
}

export const defaultEvaluationLimits: EvaluationLimits = { deadlineMs: 50, stallMs: 250, memoryBytes: 16 * 1024 * 1024 }
