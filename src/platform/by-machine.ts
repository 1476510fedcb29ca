import type { UserInfo } from '../api/access.ts'
import type { KeyIndex, KnownKey } from '../auth/keys/contract.ts'

/** Names of the keys that machines get for their tokens begin with it. */
export const machineKeyPrefix = 'exchange-'

/** Other keys may have such a name, but only the platform makes keys of type `Login`. */
export function isMachineKey({ name, type }: Pick<KnownKey, 'name' | 'type'>): boolean {
  return type === 'Login' && name.startsWith(machineKeyPrefix)
}

/** Whether the caller has come with the key of a machine, or by a session that was started with one. */
export function isByMachine({ credential }: UserInfo, index: Pick<KeyIndex, 'find'>): boolean {
  if (credential === undefined) return false
  const { startedWith } = credential
  const inUse = startedWith === undefined ? [credential] : [credential, startedWith]
  // A key that has ended since the request began is still taken for what its name says.
  return inUse.some(({ keyName: name, keyUid }) => isMachineKey({ name, type: index.find(keyUid)?.type ?? 'Login' }))
}
