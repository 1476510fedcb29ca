import type { Management } from '../api/management.ts'
import { type AccessKey, type AccessKeySpec, nameOf } from '../api/objects.ts'
import { type Answered, answerTo, ask } from '../api/request.ts'
import type { ManagedSecrets } from './managed-secrets.tsx'

const plural = 'ownedaccesskeys'

export function newKey(management: Management, name: string, spec: AccessKeySpec): object {
  return {
    apiVersion: management.apiVersion,
    kind: 'OwnedAccessKey',
    metadata: name === '' ? { generateName: 'key-' } : { generateName: `${name}-` },
    spec,
  }
}

/** Only this answer ever contains the value of the key. */
export function createKey(management: Management, key: object, isTrial = false): Promise<Answered<AccessKey>> {
  const query = isTrial ? { dryRun: 'All' } : undefined
  const path = management.path(plural, query === undefined ? {} : { query })
  return answerTo<AccessKey>(path, { method: 'POST', body: key })
}

export function setDisabled(management: Management, key: AccessKey, disabled: boolean): Promise<AccessKey> {
  return ask(management.path(plural, { name: nameOf(key) }), {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: { spec: { disabled } },
  })
}

/** `managedSecrets`: the Secrets that the user has seen. If the key has others by now, it is not rotated. */
export function rotateKey(
  management: Management,
  key: AccessKey,
  overlapSeconds: number,
  managedSecrets: ManagedSecrets,
): Promise<AccessKey> {
  return ask(management.path(plural, { name: nameOf(key), subresource: 'rotate' }), {
    method: 'POST',
    body: { apiVersion: management.apiVersion, kind: 'AccessKeyRotation', overlapSeconds, managedSecrets },
  })
}

/** Deletes only the key that the user has seen: one created again under the same name is a different key. */
export function deleteKey(management: Management, key: AccessKey): Promise<unknown> {
  const { uid } = key.metadata
  return ask(management.path(plural, { name: nameOf(key) }), {
    method: 'DELETE',
    body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } },
  })
}
