import type { KubeObject } from '../../api/object.ts'
import type { SyncKind } from '../contract.ts'

/** A kind whose functions take objects of its type: they are only called with objects of that kind. */
export function typedKind<T extends KubeObject>(kind: SyncKind<T>): SyncKind {
  return kind as unknown as SyncKind
}
