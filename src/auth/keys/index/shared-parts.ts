import type { KeyScope } from '../../../api/access.ts'
import type { AccessKeyScope } from '../../../api/types/management.ts'
import type { KeyOwner, KeyRecord } from '../contract.ts'
import { Interner } from './interner.ts'

/** Parts that many keys have in common, stored once. */
export interface Parts {
  readonly owner: KeyOwner
  readonly groups: readonly string[]
  readonly type: string
  readonly scope: KeyScope | undefined
}

type CompileScope = (scope: AccessKeyScope) => KeyScope | undefined

export class SharedParts {
  /** By name, so that no separate text is kept. */
  readonly #owners: Readonly<Record<KeyOwner['kind'], Interner<KeyOwner>>> = {
    user: new Interner(),
    team: new Interner(),
    subject: new Interner(),
  }
  readonly #groups = new Interner<readonly string[]>()
  readonly #types = new Interner<string>()
  readonly #scopes = new Interner<KeyScope>()
  readonly #compileScope: CompileScope

  constructor(compileScope: CompileScope) {
    this.#compileScope = compileScope
  }

  hold({ owner, groups, type, scope }: KeyRecord): Parts {
    return {
      owner: this.#owners[owner.kind].hold(owner.name, () => owner),
      groups: this.#groups.hold(listText(groups), () => groups),
      type: this.#types.hold(type, () => type),
      scope: scope && this.#scopes.hold(JSON.stringify(scope), () => this.#compileScope(scope)),
    }
  }

  release({ owner, groups, type, scope }: Parts): void {
    this.#owners[owner.kind].release(owner.name)
    this.#groups.release(listText(groups))
    this.#types.release(type)
    if (scope !== undefined) this.#scopes.release(JSON.stringify(scope.source))
  }
}

/** Most keys have no groups. */
function listText(texts: readonly string[]): string {
  return texts.length === 0 ? '[]' : JSON.stringify(texts)
}
