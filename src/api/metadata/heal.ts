import type { Kind } from '../kind.ts'
import type { ManagedFieldsEntry, ObjectMeta } from '../object.ts'

type Scope = Pick<Kind, 'namespaced'>

/** Nobody fills or keeps this any more, but old files still carry it. */
type Sent = ObjectMeta & { readonly selfLink?: unknown }

/**
 * What an update leaves of the server's own fields: they come from the stored object, whatever the client sent or left
 * out. Only what a client may get wrong on purpose stays as sent, for validation to refuse it: another uid or
 * namespace, and deletion fields on an object that is not being deleted.
 */
export function healMetadata(kind: Scope, sent: Sent, old: ObjectMeta): ObjectMeta {
  const { selfLink: _, generation: __, creationTimestamp: ___, ...others } = sent
  const { namespace, uid, deletionTimestamp, deletionGracePeriodSeconds, managedFields, ...kept } = others
  return present(kept, {
    namespace: kind.namespaced ? namespace || old.namespace : undefined,
    uid: uid || old.uid,
    generation: old.generation,
    creationTimestamp: old.creationTimestamp,
    deletionTimestamp: old.deletionTimestamp ?? deletionTimestamp,
    deletionGracePeriodSeconds: deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds,
    managedFields: healedManagedFields(managedFields, old.managedFields),
  })
}

type Optional<T> = { readonly [Field in keyof T]?: T[Field] | undefined }

function present(kept: ObjectMeta, fields: Optional<ObjectMeta>): ObjectMeta {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { ...kept, ...Object.fromEntries(entries) }
}

/** Clients that know nothing of managedFields leave them out and keep them; one empty entry is the way to drop them. */
function healedManagedFields(
  sent: readonly ManagedFieldsEntry[] | undefined,
  old: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  if (sent === undefined || sent.length === 0) return old
  return isReset(sent) ? undefined : sent
}

function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  const [only, ...others] = entries
  return only !== undefined && others.length === 0 && Object.keys(only).length === 0
}
