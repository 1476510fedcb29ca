import { broughtKey, keyPrefix } from '../../../auth/keys/values/key-value.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import type { Session } from '../session.ts'
import { partsOf } from './shown-once.ts'

const idLength = 12

/** Whether the session uses this key. */
export function isKeyInUse(key: JsonBody, { platform: { accessKey } }: Pick<Session, 'platform'>): boolean {
  const keyId = partsOf(key).status.keyId ?? ''
  return keyId !== '' && [idWithin(accessKey), broughtKey(accessKey).keyId].includes(keyId)
}

/** Keys made by the platform contain their id. For a value chosen by the user, the id is derived from its hash. */
function idWithin(accessKey: string): string {
  return accessKey.startsWith(keyPrefix) ? accessKey.slice(keyPrefix.length, keyPrefix.length + idLength) : ''
}
