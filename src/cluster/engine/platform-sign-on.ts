import { connectorKind } from '../../api/management/connectors/connector.ts'
import { required } from '../../platform/bootstrap.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { createSignOn, type RunningSignOn } from '../../sign-on/sign-on.ts'
import type { ApiEngineOptions } from './engine-contract.ts'

/** For a platform: its users sign in with its connectors. */
export function platformSignOn(
  { enterUser, sessions, oidcGrants: grants }: Platform,
  options: ApiEngineOptions,
  registry: ObjectRegistry,
): RunningSignOn {
  const { clock, random, log } = options
  const { store } = registry.engine
  const kind = connectorKind(options.platform?.domain ?? '')
  const issuer = options.platform?.oidcIssuer
  const clients = () => required(registry, kind.group, 'OIDCClient')
  return createSignOn({
    ...(issuer === undefined ? {} : { provider: { issuer, grants, clients } }),
    kind,
    connectors: () => required(registry, kind.group, kind.kind),
    secrets: () => required(registry, '', 'Secret'),
    trustedIssuers: () => required(registry, kind.group, 'TrustedIssuer'),
    enterUser,
    store,
    clock,
    random,
    log,
    endSignedOn: (logout) => sessions.endSignedOn(logout),
    announcements: {
      begin: (entered, machine) => sessions.announce(entered, machine),
      end: (announced) => sessions.end(announced),
    },
  })
}
