import type { Credential, KeyScope } from '../../api/access.ts'
import type { KeyIndex, KeyOwner, KeyValueName, KnownKey, UsedValue } from './contract.ts'
import type { OwnerLookup } from './key-owner.ts'

/**
 * Most requests never use the signal, so it is created on demand. The key may have changed by then: rights of its
 * previous state are already void. Connections opened with a connection key may outlive it, but not the key it was made
 * with.
 */
export class KeyCredential implements Credential {
  readonly #index: KeyIndex
  readonly #ownerOf: OwnerLookup
  readonly #owner: KeyOwner
  readonly #groups: readonly string[]
  readonly keyName: string
  readonly keyUid: string
  readonly keyId: string
  declare readonly scope?: KeyScope
  declare readonly startedWith?: NonNullable<Credential['startedWith']>

  constructor(
    index: KeyIndex,
    ownerOf: OwnerLookup,
    { name, uid, scope, owner, groups }: KnownKey,
    value: UsedValue,
    startedWith?: KnownKey,
  ) {
    this.#index = index
    this.#ownerOf = ownerOf
    this.#owner = owner
    this.#groups = groups
    this.keyName = name
    this.keyUid = uid
    this.keyId = value.keyId
    if (scope !== undefined) this.scope = scope
    if (startedWith !== undefined) this.startedWith = { keyName: startedWith.name, keyUid: startedWith.uid }
  }

  get isRevoked(): boolean {
    const key = this.#index.find(this.keyUid)
    return key === undefined || !this.#isSame(key) || this.#index.isRevoked(this.keyUid, this.keyId, madeWith(key))
  }

  get revoked(): AbortSignal {
    const key = this.#index.find(this.keyUid)
    if (key === undefined || !this.#isSame(key)) return AbortSignal.abort(new Error('The access key has changed.'))
    return this.#index.revokedSignal(this.keyUid, this.keyId, madeWith(key))
  }

  /** Equal parts of keys are the same objects. */
  #isSame(key: KnownKey): boolean {
    const isUnchanged = key.scope === this.scope && key.owner === this.#owner && key.groups === this.#groups
    return isUnchanged && typeof this.#ownerOf(key) !== 'string'
  }
}

/** The key that a connection key ends with. */
function madeWith({ session }: KnownKey): KeyValueName | undefined {
  const startedWith = session?.startedWith
  return session?.connectionWithin !== undefined && startedWith?.kind === 'key' ? startedWith : undefined
}
