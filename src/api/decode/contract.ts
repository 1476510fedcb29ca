import type { KubeObject } from '../object.ts'

/** A request body turned into plain JSON values, whatever format it came in. */
export interface ParsedBody {
  readonly value: unknown
  /** Paths such as `spec.ttl` that stood more than once; the last one won. */
  readonly duplicateFields: readonly string[]
  /** What strict decoding says of them, where that is not `duplicate field "spec.ttl"`. */
  readonly repetitions?: readonly string[]
  readonly isYaml?: boolean
  /** The text as sent, for messages that quote it; empty for protobuf. */
  readonly text: string
}

export interface Decoded {
  readonly object: KubeObject
  /** What strict decoding objects to, such as `unknown field "spec.bogus"`, in the order in which it is reported. */
  readonly complaints: readonly string[]
}
