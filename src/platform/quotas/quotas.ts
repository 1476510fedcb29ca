import type { Kind } from '../../api/kind.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import type { Hooks, ReserveRoom, ResourceContext } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { followStored } from '../../registry/quota/follow-stored.ts'
import { Ledger } from '../../registry/quota/ledger.ts'
import { type QuotaOptions, reservingRoom } from '../../registry/quota/quota.ts'
import { specOf } from '../access-keys/record/access-key.ts'
import { accountOfKey, describeAccount } from '../access-keys/record/key-account.ts'
import { creatorIn, withCreator } from './creator.ts'
import { amountOf, type QuotaSettings } from './quota-settings.ts'

export interface QuotaParts {
  readonly settings: QuotaSettings
  readonly contextOf: (kind: string) => ResourceContext
  /** The account that an object created by the request counts against. */
  readonly creatorOf: (request: WriteRequest) => string
}

type Limited = Pick<QuotaOptions, 'ledger' | 'accountOf' | 'describe' | 'advice'>

/** Limits the objects that one owner, one creator or one project may have. */
export class Quotas {
  readonly #parts: QuotaParts
  /** Fed together with the key index: there may be a million keys, and each is read once. */
  readonly keys: Ledger
  readonly #projects: Ledger
  readonly #instances: Readonly<Record<string, { readonly ledger: Ledger; readonly flag: string }>>

  constructor(parts: QuotaParts) {
    const { keysPerOwner, projectsPerCreator, virtualClustersPerProject, spacesPerProject } = parts.settings
    this.#parts = parts
    this.keys = new Ledger(amountOf(keysPerOwner))
    this.#projects = new Ledger(amountOf(projectsPerCreator))
    this.#instances = {
      VirtualClusterInstance: {
        ledger: new Ledger(amountOf(virtualClustersPerProject)),
        flag: '--max-virtual-clusters-per-project',
      },
      SpaceInstance: { ledger: new Ledger(amountOf(spacesPerProject)), flag: '--max-spaces-per-project' },
    }
  }

  limiting(kind: Kind, hooks: Hooks): Hooks {
    const limited = this.#limitOf(kind)
    if (limited === undefined) return hooks
    const counted = kind.kind === 'Project' ? withCreator(hooks, this.#parts.creatorOf) : hooks
    const own = this.#reserving(kind, limited)
    return { ...counted, reserve: hooks.reserve === undefined ? own : bothOf(hooks.reserve, own) }
  }

  /** Follows everything except keys. Returns functions that stop it. */
  connect(): readonly (() => void)[] {
    const { contextOf } = this.#parts
    const byCreator = followStored(this.#projects, contextOf('Project').cache, ({ sealed }) => creatorIn(sealed))
    const byProject = Object.entries(this.#instances).map(([kind, { ledger }]) =>
      followStored(ledger, contextOf(kind).cache, ({ namespace }) => namespace),
    )
    return [byCreator, ...byProject]
  }

  #limitOf(kind: Kind): Limited | undefined {
    if (kind.kind === 'OwnedAccessKey') return keyLimit(this.keys)
    if (kind.kind === 'Project') return projectLimit(this.#projects)
    const instances = this.#instances[kind.kind]
    return instances && instanceLimit(kind, instances.ledger, instances.flag)
  }

  #reserving(kind: Kind, limited: Limited): ReserveRoom {
    const { contextOf } = this.#parts
    return reservingRoom(kind, {
      ...limited,
      isExempt: mayDoEverything,
      caughtUp: () => caughtUp(contextOf(kind.kind).engine),
    })
  }
}

function bothOf(first: ReserveRoom, second: ReserveRoom): ReserveRoom {
  return async (write, request) => {
    const taken = await first(write, request)
    try {
      const room = await second(write, request)
      const release = () => {
        room.release()
        taken.release()
      }
      return { release }
    } catch (error) {
      taken.release()
      throw error
    }
  }
}

/** Administrators are exempt; their keys with a scope are not. */
async function mayDoEverything({ user, authorize }: WriteRequest): Promise<boolean> {
  const everything = { verb: '*', group: '*', version: '*', resource: '*', subresource: '', namespace: '', name: '' }
  return (await authorize({ user, ...everything })).verdict === 'allow'
}

function keyLimit(ledger: Ledger): Limited {
  return {
    ledger,
    accountOf: ({ object }) => accountOfKey(specOf(object)),
    describe: (account) => `access keys of ${describeAccount(account)}`,
    advice: advice('access keys that are no longer needed', '--max-keys-per-owner'),
  }
}

function projectLimit(ledger: Ledger): Limited {
  return {
    ledger,
    accountOf: ({ sealed }) => creatorIn(sealed),
    describe: (account) => `projects made by ${describeAccount(account)}`,
    advice: advice('projects that are no longer needed', '--max-projects-per-user'),
  }
}

function instanceLimit({ plural }: Kind, ledger: Ledger, flag: string): Limited {
  return {
    ledger,
    accountOf: ({ object }) => object.metadata.namespace,
    describe: (namespace) => `${plural} of project ${projectOfNamespace(namespace) ?? namespace}`,
    advice: advice('those that are no longer needed', flag),
  }
}

function advice(what: string, flag: string): string {
  return `delete ${what}, or ask an administrator of the platform to raise ${flag}`
}
