import type { WrittenNumber } from '../../base/json/precise.ts'
import type { KubeObject } from '../object.ts'

/** A request body as plain JSON values, whatever its format. */
export interface ParsedBody {
  readonly value: unknown
  /** Paths such as `spec.ttl` that occur more than once; the last occurrence wins. */
  readonly duplicateFields: readonly string[]
  /** How strict decoding reports them, if not as `duplicate field "spec.ttl"`. */
  readonly repetitions?: readonly string[]
  readonly isYaml?: boolean
  /** Integers that are written with a fraction or an exponent. Absent if no number in the JSON is. */
  readonly fractions?: () => readonly WrittenNumber[]
  /** The text as sent, for messages that quote it; empty for protobuf. */
  readonly text: string
}

export interface Decoded {
  readonly object: KubeObject
  /** The errors of strict decoding, such as `unknown field "spec.bogus"`, in the order in which they are reported. */
  readonly complaints: readonly string[]
}
