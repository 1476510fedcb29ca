import { Pace } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ExclusiveClaims } from '../allocation/claims.ts'
import { allocationOwner, type ServiceAllocator } from '../allocation/service-allocator.ts'
import type { ResourceContext } from '../context.ts'
import type { ChangeEvent } from '../watch/event.ts'
import type { Controller, ReportError } from './controller.ts'

const manager = 'service-claims'
const repairIntervalMs = 60_000

/**
 * Releases the addresses and ports of deleted services. Claims left behind by a crash are found by comparing claims
 * with services; a claim is released only if it was found unused twice in a row, since its service may just be being
 * written.
 */
export class ServiceClaims implements Controller {
  readonly #services: ResourceContext
  readonly #allocator: ServiceAllocator
  readonly #released = new Map<string, () => Promise<void>>()
  readonly #loop: Reconciler
  #suspects: ReadonlySet<string> = new Set()

  constructor(services: ResourceContext, allocator: ServiceAllocator, report: ReportError) {
    this.#services = services
    this.#allocator = allocator
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => report(manager, name, error),
      workers: 1,
      measured: { metrics: services.engine.metrics, name: manager },
    })
    this.#loop.follow(
      services.cache.listen((events) => {
        for (const event of events) this.#observe(event)
      }),
    )
    this.#loop.every(repairIntervalMs, () => this.#loop.add('repair'))
    this.#loop.add('repair')
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #observe({ type, document, previous }: ChangeEvent): void {
    if (previous === undefined) return
    const before = previous.object
    const after = type === 'DELETED' ? undefined : document.object
    const name = `${allocationOwner(before)}@${document.revision}`
    this.#released.set(name, () => this.#allocator.releaseUnused(before, after))
    this.#loop.add(name)
  }

  async #handle(name: string): Promise<void> {
    if (name === 'repair') return this.#repair()
    await this.#released.get(name)?.()
    this.#released.delete(name)
  }

  async #repair(): Promise<void> {
    const owners = new Set<string>()
    const pace = new Pace()
    for (const service of [...this.#services.cache.current().values()]) {
      await pace.step()
      owners.add(allocationOwner(service.object))
    }
    const idle = [
      ...(await idleClaims(this.#allocator.addresses, owners)),
      ...(await idleClaims(this.#allocator.nodePorts, owners)),
    ]
    for (const { id, release } of idle) if (this.#suspects.has(id)) await release()
    this.#suspects = new Set(idle.map(({ id }) => id))
  }
}

async function idleClaims(
  claims: ExclusiveClaims,
  owners: ReadonlySet<string>,
): Promise<readonly { readonly id: string; readonly release: () => Promise<void> }[]> {
  const all = await claims.all()
  return all
    .filter(({ owner }) => !owners.has(owner))
    .map(({ value, owner }) => ({ id: `${owner}=${value}`, release: () => claims.release(value, owner) }))
}
