import { connectorSecret } from '../api/management/connectors/connector-settings.ts'
import type { Connector as ConnectorObject, ConnectorSpec } from '../api/types/management.ts'
import type { Clock } from '../base/clock.ts'
import { isJsonObject } from '../base/json/member.ts'
import type { Random } from '../base/random.ts'
import type { ResourceContext } from '../registry/context.ts'
import type { Store } from '../storage/contract.ts'
import type { IdentityConnector } from './contract.ts'
import { SignOnFailure } from './failure.ts'
import { UsedOnce } from './stored/used-once.ts'

export interface ConnectorParts {
  readonly connectors: () => ResourceContext
  readonly secrets: () => ResourceContext
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
}

export interface KnownConnector {
  readonly name: string
  readonly uid: string
  readonly spec: ConnectorSpec
}

interface Built {
  /** The version of the object and its Secret: the connector is rebuilt when it changes. */
  readonly version: string
  readonly connector: Promise<IdentityConnector>
}

/** Longer than the requests of one sign-in take, each within its limit. */
const retiredForMs = 60_000

/** The current connectors: a change takes effect at the next sign-in. */
export class Connectors {
  readonly #parts: ConnectorParts
  readonly #built = new Map<string, Built>()
  /** Replaced connectors that may still be in use, and the timers that close them. */
  readonly #retired = new Map<Promise<IdentityConnector>, NodeJS.Timeout>()

  constructor(parts: ConnectorParts) {
    this.#parts = parts
  }

  /** Those that people can choose from, sorted by name. */
  enabled(): readonly KnownConnector[] {
    const all = [...this.#parts.connectors().cache.current().values()].map(({ object }) => known(object))
    return all.filter(({ spec }) => spec.disabled !== true).sort((a, b) => a.name.localeCompare(b.name))
  }

  find(name: string): KnownConnector | undefined {
    const found = this.#parts.connectors().cache.get({ namespace: '', name })
    return found && known(found.object)
  }

  /** Rejects with `SignOnFailure` if its Secret is missing. */
  open({ name, uid, spec }: KnownConnector): Promise<IdentityConnector> {
    const secret = this.#secretOf(spec)
    const version = JSON.stringify([uid, spec, secret?.version])
    const built = this.#built.get(name)
    if (built?.version === version) return built.connector
    if (built !== undefined) this.#retire(built.connector)
    const connector = openConnector({ name, spec, secret: secret?.value }, this.#parts)
    this.#built.set(name, { version, connector })
    return connector
  }

  async close(): Promise<void> {
    for (const timer of this.#retired.values()) clearTimeout(timer)
    const all = [...this.#built.values()].map(({ connector }) => connector)
    const opened = await Promise.all([...all, ...this.#retired.keys()])
    await Promise.all(opened.map((connector) => connector.close()))
  }

  /** Sign-ins in progress continue with it. */
  #retire(connector: Promise<IdentityConnector>): void {
    const timer = setTimeout(() => {
      this.#retired.delete(connector)
      void connector.then((opened) => opened.close()).catch(() => {})
    }, retiredForMs)
    this.#retired.set(connector, timer.unref())
  }

  #secretOf(spec: ConnectorSpec): { readonly value: string; readonly version: string } | undefined {
    const shown = connectorSecret(spec)
    if (shown === undefined) return undefined
    const { namespace, name, entry } = shown
    const found = this.#parts.secrets().cache.get({ namespace, name })
    const data = found?.object.data
    const encoded = isJsonObject(data) && Object.hasOwn(data, entry) ? data[entry] : undefined
    if (found !== undefined && typeof encoded === 'string' && encoded !== '') {
      return { value: Buffer.from(encoded, 'base64').toString('utf8'), version: String(found.resourceVersion) }
    }
    throw new SignOnFailure('misconfigured', `there is no entry ${entry} in the Secret ${namespace}/${name}`)
  }
}

/** The libraries are loaded with the first connector that needs them: most platforms start without. */
async function openConnector(
  { name, spec, secret }: { readonly name: string; readonly spec: ConnectorSpec; readonly secret: string | undefined },
  { store, clock, random }: ConnectorParts,
): Promise<IdentityConnector> {
  switch (spec.type) {
    case 'github': {
      const { GithubProvider } = await import('./github/connector.ts')
      return new GithubProvider({ spec, clientSecret: secret })
    }
    case 'ldap': {
      const { LdapDirectory } = await import('./ldap/connector.ts')
      return new LdapDirectory({ spec, bindPassword: secret, clock })
    }
    case 'saml': {
      const [{ SamlProvider }, { SignatureChecks }] = await Promise.all([
        import('./saml/connector.ts'),
        import('./saml/signature-checks.ts'),
      ])
      const used = new UsedOnce(store, clock, 'assertions')
      return new SamlProvider({ name, spec, used, checks: new SignatureChecks(), clock, random })
    }
    default: {
      const { OidcProvider } = await import('./oidc/connector.ts')
      return new OidcProvider({ spec, clientSecret: secret, clock })
    }
  }
}

function known(object: ConnectorObject): KnownConnector {
  const { metadata, spec = {} } = object
  return { name: metadata.name ?? '', uid: metadata.uid ?? '', spec }
}
