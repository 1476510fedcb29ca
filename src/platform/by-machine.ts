import type { UserInfo } from '../api/access.ts'
import type { KeyIndex, KnownKey } from '../auth/keys/contract.ts'

/** Prefix of the names of keys that machines get in exchange for their tokens. */
export const machineKeyPrefix = 'exchange-'

/** Other keys may have such a name, but only the platform makes keys of type `Login`. */
export function isMachineKey({ name, type }: Pick<KnownKey, 'name' | 'type'>): boolean {
  return type === 'Login' && name.startsWith(machineKeyPrefix)
}

/** Whether the caller uses the key of a machine, or a session that was started with one. */
export function isByMachine({ credential }: UserInfo, index: Pick<KeyIndex, 'find'>): boolean {
  if (credential === undefined) return false
  const { startedWith } = credential
  const inUse = startedWith === undefined ? [credential] : [credential, startedWith]
  // If the key has ended since the request began, its name alone decides.
  return inUse.some(({ keyName: name, keyUid }) => isMachineKey({ name, type: index.find(keyUid)?.type ?? 'Login' }))
}
