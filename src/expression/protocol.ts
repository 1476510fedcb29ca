/// <reference path="./sandbox/web-assembly.d.ts" />
import type { MessagePort } from 'node:worker_threads'
import type { Json } from '../api/object.ts'
import type { EvaluationFailureKind } from './contract.ts'

/** What the thread of an engine and the thread of its sandbox tell each other. */

/** Evaluations that follow each other and differ in their values only. */
export interface EvaluationGroup {
  readonly expression: number
  /** -1: none is looked at. */
  readonly context: number
  readonly count: number
  /** Absent where there are no values. */
  readonly values?: unknown[]
  /** Absent if no expression looks at them. */
  readonly paths?: readonly string[]
}

/** What the evaluations of a batch share; only what their expressions look at. */
export interface BatchContext {
  /** Where the description of the virtual cluster is kept; -1 if no expression looks at it. */
  readonly slot: number
  readonly hostObject?: unknown
  readonly virtualObject?: unknown
}

export interface Batch {
  readonly id: number
  /** JSON of `{ contexts: BatchContext[], groups: Group[] }`. */
  readonly text: string
  readonly count: number
  /** The first evaluation that has not been answered. */
  readonly from: number
  /** Whether to forget the definitions and descriptions of earlier batches. */
  readonly fresh: boolean
  /** Expressions that this batch is the first to use. */
  readonly definitions: readonly (readonly [id: number, source: string])[]
  /** Descriptions of virtual clusters that this batch is the first to use, as JSON. */
  readonly kept: readonly (readonly [slot: number, text: string])[]
  /** Evaluations that have broken a sandbox before. */
  readonly doomed: readonly (readonly [index: number, kind: Doom])[]
  /** Whether one of them is known to be trouble, so that each is to be watched by itself. */
  readonly careful: boolean
}

export type Doom = 'timeout' | 'memory' | 'crashed'

/** Text, numbers and booleans are themselves; null means that the field goes; other values are alone in a list. */
export type ResultText = string | number | boolean | null | readonly [Json] | EvaluationFailureText

export interface EvaluationFailureText {
  readonly kind: EvaluationFailureKind
  readonly message?: string
  /** Of the wrapped source, whose first line is number 2. */
  readonly line?: number
  readonly column?: number
}

/** A sandbox as it is before the first expression, ready to be copied. */
export interface SandboxImage {
  readonly module: WebAssembly.Module
  readonly memory: Uint8Array
  readonly stackPointer: number
  readonly runtime: number
  readonly context: number
  /** The functions of the guest, by name. */
  readonly functions: Readonly<Record<string, number>>
  readonly usedBytes: number
}

export interface WorkerSettings {
  /** Absent for the first sandbox of an engine, which makes the image. */
  readonly image: SandboxImage | undefined
  readonly pulse: SharedArrayBuffer
  readonly answers: MessagePort
  readonly maxInterrupts: number
  readonly memoryBytes: number
}

export type WorkerMessage =
  | { readonly type: 'ready'; readonly image: SandboxImage }
  /** The next results of a batch, in order, as JSON. */
  | { readonly type: 'results'; readonly batch: number; readonly text: string }
  /** The sandbox thread waits for the answer. */
  | { readonly type: 'question'; readonly virtualService: string }
