import type { MessagePort } from 'node:worker_threads'
import type { FailureKind } from './contract.ts'

/** What the thread of an engine and the thread of its sandbox tell each other. */

/** One evaluation: expression, context (-1: none is looked at), path, and the value if there is one. */
export type Row = readonly [expression: number, context: number, path: string, value?: unknown]

/** What the evaluations of a batch share; only what their expressions look at. */
export interface BatchContext {
  /** Where the description of the virtual cluster is kept; -1 if nobody looks at it. */
  readonly slot: number
  readonly hostObject?: unknown
  readonly virtualObject?: unknown
}

export interface Batch {
  readonly id: number
  /** JSON of `{ contexts: BatchContext[], rows: Row[] }`. */
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
}

export type Doom = 'timeout' | 'crashed'

/** The text of a result is a list with one value, an empty list if the field goes, or this. */
export interface FailureText {
  readonly kind: FailureKind
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
