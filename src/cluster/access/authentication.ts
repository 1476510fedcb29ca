import type { Authenticator, Authorizer } from '../../auth/contract.ts'
import { firstKnown } from '../../auth/first-known.ts'
import { limitFailures } from '../../auth/keys/failure-limit.ts'
import type { TokenIssuer, TokenSigner } from '../../auth/service-account-issuer.ts'
import { createServiceAccountAuthenticator, type FindObject } from '../../auth/service-account-tokens.ts'
import type { StaticTokens } from '../../auth/static-tokens.ts'
import type { Clock } from '../../base/clock.ts'
import type { VerifyingKey } from '../../base/keys/keypair.ts'
import type { Random } from '../../base/random.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { podActions } from '../../server/reviews/pods/pod-actions.ts'
import type { MakeReview } from '../../server/reviews/resources.ts'

export interface AuthenticationOptions {
  readonly registry: ObjectRegistry
  /** Asked before service account tokens. */
  readonly authenticator: StaticTokens
  /** Accepts tokens of an external issuer. */
  readonly oidcTokens?: Authenticator
  readonly tokenSigner: TokenSigner
  readonly verifyingKeys: () => readonly VerifyingKey[]
  readonly clock: Clock
  readonly random: Random
}

/** The issuer of service account tokens in every cluster. */
export const issuer = 'https://kubernetes.default.svc.cluster.local'
export const serverAudiences: readonly string[] = [issuer]

/**
 * Authenticates callers: by access keys on a platform, by the tokens the server was started with, and by service
 * account tokens.
 */
export function createAuthentication(options: AuthenticationOptions, platform: Platform | undefined): Authenticator {
  const { clock, verifyingKeys: keys } = options
  const findObject = findIn(options.registry)
  const known = firstKnown([
    ...(platform === undefined ? [] : [platform.authenticator]),
    options.authenticator,
    createServiceAccountAuthenticator({ issuer, keys, serverAudiences, clock, findObject }),
    ...(options.oidcTokens === undefined ? [] : [options.oidcTokens]),
  ])
  return platform === undefined ? known : limitFailures(known, { clock })
}

/** Reviews with which callers ask about themselves and others. */
export function clusterReviews(
  reviews: readonly MakeReview[],
  { registry, clock }: AuthenticationOptions,
  issueToken: TokenIssuer,
  decisions: { readonly authenticator: Authenticator; readonly authorizer: Authorizer },
): readonly ReviewResource[] {
  const dependencies = { ...decisions, clock, issueToken, findObject: findIn(registry), serverAudiences }
  return [...reviews.map((make) => make(dependencies)), ...podActions(registry)]
}

export function findIn({ engine }: ObjectRegistry): FindObject {
  return (kind, namespace, name) => engine.find('', kind)?.cache.get({ namespace, name })?.object
}
