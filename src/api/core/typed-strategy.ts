import type { Steps } from '../../base/steps.ts'
import { normalForm } from '../facts/normal-form.ts'
import type { FieldError } from '../field-error.ts'
import type { Strategy } from '../kind.ts'
import type { KubeObject } from '../object.ts'

/**
 * A strategy for one kind. Every object that it sees is in normal form: members that Kubernetes always shows are
 * present.
 */
export interface TypedStrategy<T extends KubeObject> {
  readonly defaults?: (object: T) => T
  readonly prepareForCreate?: (object: T) => T
  readonly prepareForUpdate?: (object: T, old: T) => T
  readonly prepareForStatusUpdate?: (object: T, old: T) => T
  readonly validateFirst?: (object: T, old?: T) => readonly FieldError[]
  readonly validate?: (object: T, old?: T) => readonly FieldError[]
  readonly validateSchema?: (object: T, old: T | undefined) => readonly FieldError[] | Steps<readonly FieldError[]>
  readonly validateUpdate?: (object: T, old: T) => readonly FieldError[]
  readonly validateStatusUpdate?: (object: T, old: T) => readonly FieldError[]
  readonly warnings?: (object: T, old?: T) => readonly string[]
  readonly warningsBefore?: (object: T) => readonly string[]
  readonly readable?: (stored: T) => T
  readonly gracePeriodSeconds?: (object: T, requested: number | undefined) => number
  readonly markDeleted?: (object: T) => T
  readonly holdsDeletion?: (object: T) => boolean
}

/**
 * The strategy of the kind whose protobuf message is `message`. This is the one place where an object is cast to its
 * kind: by now it has been validated against the schema.
 */
export function strategyOf<T extends KubeObject>(message: string, typed: TypedStrategy<T>): Strategy {
  const own = typed.defaults
  const defaults = (object: T) => {
    const normal = normalForm(message, object)
    return own === undefined ? normal : own(normal)
  }
  const prepareForCreate = (object: T) => {
    const whole = withStatus(message, object)
    return typed.prepareForCreate === undefined ? whole : typed.prepareForCreate(whole)
  }
  return { ...typed, defaults, prepareForCreate } as unknown as Strategy
}

/** A new object has the status of an empty one: the sent status was dropped. */
function withStatus<T extends KubeObject>(message: string, object: T): T {
  if (object.status !== undefined) return object
  const { status } = normalForm<KubeObject>(message, { apiVersion: '', kind: '', metadata: {} })
  return status === undefined ? object : { ...object, status }
}
