/// <reference path="./sandbox/web-assembly.d.ts" />
import type { MessagePort } from 'node:worker_threads'
import type { Json } from '../api/object.ts'
import type { EvaluationFailureKind } from './contract.ts'

/** The messages between the thread of an engine and the thread of its sandbox. */

/** Consecutive evaluations that differ only in their values. */
export interface EvaluationGroup {
  readonly expression: number
  /** -1: none is accessed. */
  readonly context: number
  readonly count: number
  /** Absent if there are no values. */
  readonly values?: unknown[]
  /** Absent if no expression accesses them. */
  readonly paths?: readonly string[]
}

/** What the evaluations of a batch share; only what their expressions access. */
export interface BatchContext {
  /** The slot of the virtual cluster's description; -1 if no expression accesses it. */
  readonly slot: number
  readonly hostObject?: unknown
  readonly virtualObject?: unknown
}

export interface Batch {
  readonly id: number
  /** JSON of `{ contexts: BatchContext[], groups: Group[] }`. */
  readonly text: string
  readonly count: number
  /** The first evaluation without an answer. */
  readonly from: number
  /** Whether to forget the definitions and descriptions of earlier batches. */
  readonly fresh: boolean
  /** Expressions that this batch is the first to use. */
  readonly definitions: readonly (readonly [id: number, source: string])[]
  /** Descriptions of virtual clusters that this batch is the first to use, as JSON. */
  readonly kept: readonly (readonly [slot: number, text: string])[]
  /** Evaluations that have broken a sandbox before. */
  readonly failures: readonly (readonly [index: number, kind: FatalFailure])[]
  /** Whether one of them is known to cause trouble, so that each must be watched separately. */
  readonly careful: boolean
}

/** Why an evaluation was given up together with its sandbox. */
export type FatalFailure = 'timeout' | 'memory' | 'crashed'

/**
 * Strings, numbers and booleans stand for themselves; null means that the field is removed; other values are wrapped in
 * a list.
 */
export type ResultText = string | number | boolean | null | readonly [Json] | EvaluationFailureText

export interface EvaluationFailureText {
  readonly kind: EvaluationFailureKind
  readonly message?: string
  /** In the wrapped source, whose first line is number 2. */
  readonly line?: number
  readonly column?: number
}

/** A sandbox before its first expression, ready to be copied. */
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
