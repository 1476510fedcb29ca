import { clusterRoleOfGroup } from '../../api/link.ts'

type Bind = (role: string) => Promise<void>

const bound = Promise.resolve()

/** Ensures that the groups of a request are bound before it is served. Caches what is bound. */
export class RoleBinder {
  readonly #bind: Bind
  readonly #roles = new Map<string, Promise<void>>()

  constructor(bind: Bind) {
    this.#bind = bind
  }

  /** Undefined if everything is bound already. */
  bindRolesIn(rawHeaders: readonly string[]): Promise<unknown> | undefined {
    const unbound = rolesIn(rawHeaders).filter((role) => this.#roles.get(role) !== bound)
    return unbound.length === 0 ? undefined : Promise.all(unbound.map((role) => this.#bindOne(role)))
  }

  /** Requests that need the same role share one binding; a failed one is retried. */
  #bindOne(role: string): Promise<void> {
    const underWay = this.#roles.get(role)
    if (underWay !== undefined) return underWay
    const binding = this.#bind(role)
    this.#roles.set(role, binding)
    binding.then(
      () => this.#roles.set(role, bound),
      () => this.#roles.delete(role),
    )
    return binding
  }
}

function rolesIn(rawHeaders: readonly string[]): readonly string[] {
  const roles: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index] !== 'impersonate-group') continue
    const role = clusterRoleOfGroup(rawHeaders[index + 1] ?? '')
    if (role !== undefined) roles.push(role)
  }
  return roles
}
