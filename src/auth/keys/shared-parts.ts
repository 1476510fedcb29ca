import type { KeyScope } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/management/access-key-types.ts'
import type { KeyOwner, KeyRecord } from './contract.ts'
import { Interner } from './interner.ts'

/** What many keys have in common, held once. */
export interface Parts {
  readonly owner: KeyOwner
  readonly groups: readonly string[]
  readonly type: string
  readonly scope: KeyScope | undefined
}

export class SharedParts {
  readonly #owners = new Interner<KeyOwner>(({ kind, name }) => `${kind}/${name}`)
  readonly #groups = new Interner<readonly string[]>((groups) => JSON.stringify(groups))
  readonly #types = new Interner<string>((type) => type)
  readonly #scopes: Interner<KeyScope>
  readonly #compileScope: (scope: AccessKeyScope) => KeyScope | undefined

  constructor(compileScope: (scope: AccessKeyScope) => KeyScope | undefined) {
    this.#compileScope = compileScope
    this.#scopes = new Interner<KeyScope>(({ source }) => JSON.stringify(source))
  }

  hold({ owner, groups, type, scope }: KeyRecord): Parts {
    const compiled = scope && this.#compileScope(scope)
    return {
      owner: this.#owners.hold(owner),
      groups: this.#groups.hold(groups),
      type: this.#types.hold(type),
      scope: compiled && this.#scopes.hold(compiled),
    }
  }

  release({ owner, groups, type, scope }: Parts): void {
    this.#owners.release(owner)
    this.#groups.release(groups)
    this.#types.release(type)
    if (scope !== undefined) this.#scopes.release(scope)
  }
}
