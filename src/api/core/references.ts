/** Points to an object, or to a part of one. */
export interface ObjectReference {
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly apiVersion?: string
  readonly resourceVersion?: string
  readonly fieldPath?: string
}

/** Points to an object in the same namespace. */
export interface LocalObjectReference {
  readonly name?: string
}
