import { quoted } from '../../api/human/go-syntax.ts'
import type { RoleReference } from './subject.ts'

/** Limit of roles in the message: every refusal contains them, and more would not be read. */
const mostNamed = 100

/** Roles that bindings refer to and that do not exist, the usual cause of a surprising refusal. */
export class MissingRoles {
  readonly #named: string[] = []
  readonly #known: Readonly<Record<RoleReference['kind'], Set<string>>> = { Role: new Set(), ClusterRole: new Set() }

  get isEmpty(): boolean {
    return this.#named.length === 0
  }

  add({ kind, name }: RoleReference): void {
    const known = this.#known[kind]
    if (known.has(name)) return
    known.add(name)
    if (this.#named.length < mostNamed)
      this.#named.push(`${kind.toLowerCase()}.rbac.authorization.k8s.io ${quoted(name)} not found`)
  }

  get text(): string {
    const count = this.#known.Role.size + this.#known.ClusterRole.size
    if (count === 1) return this.#named.join()
    const more = count > mostNamed ? [`and ${count - mostNamed} more`] : []
    return `[${[...this.#named, ...more].join(', ')}]`
  }
}
