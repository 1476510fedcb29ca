import type { Kind } from '../api/kind.ts'
import type { RefreshIdentity } from '../auth/signed-on.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { ResourceContext } from '../registry/context.ts'
import type { SignOn } from '../server/contract.ts'
import type { ReviewResource } from '../server/reviews/contract.ts'
import type { Store } from '../storage/contract.ts'
import { connectorTest } from './connector-test.ts'
import { Connectors } from './connectors.ts'
import type { Announcements } from './device/device-pages.ts'
import { DeviceRequests } from './device/device-requests.ts'
import { readUserCode } from './device/user-code.ts'
import { signOnPages } from './endpoint.ts'
import { TokenExchange } from './exchange/token-exchange.ts'
import type { EnterUser } from './finish-sign-in.ts'
import type { EndSignedOn } from './logout-endpoint.ts'
import { createProvider, type ProviderOptions } from './provider/provider.ts'
import { createRefresh } from './refresh.ts'
import { OneTimeCodes } from './stored/one-time-codes.ts'
import { sealingKey } from './stored/sealing.ts'
import { TriedSignIns } from './tried-sign-ins.ts'

export interface SignOnOptions {
  /** The kind of connectors. */
  readonly kind: Pick<Kind, 'group' | 'version' | 'plural'>
  readonly connectors: () => ResourceContext
  readonly secrets: () => ResourceContext
  readonly trustedIssuers: () => ResourceContext
  readonly enterUser: EnterUser
  readonly endSignedOn: EndSignedOn
  readonly announcements: Announcements
  /** Absent: users cannot sign in to applications here. */
  readonly provider?: Pick<ProviderOptions, 'issuer' | 'grants' | 'clients'> | undefined
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface RunningSignOn extends SignOn {
  readonly reviews: readonly ReviewResource[]
  readonly refresh: RefreshIdentity
  stop(): Promise<void>
}

/** Sign-in through identity providers. The libraries for them are loaded when there is a connector. */
export function createSignOn(options: SignOnOptions): RunningSignOn {
  const { store, clock, random, log, enterUser, endSignedOn, announcements } = options
  const connectors = new Connectors(options)
  const codes = new OneTimeCodes({ store, clock, random })
  const tried = new TriedSignIns({ store, clock, random })
  const devices = new DeviceRequests({ store, clock, random })
  const tokens = new TokenExchange({ issuers: options.trustedIssuers, store, clock, log })
  let key: Promise<Uint8Array> | undefined
  const keyOfAll = () => {
    key ??= sealingKey(store, random).catch((error: unknown) => {
      key = undefined
      throw error
    })
    return key
  }
  const provider = options.provider && createProvider({ ...options, ...options.provider, sealingKey: keyOfAll })
  return {
    reviews: [connectorTest(options.kind, connectors, tried), ...(provider === undefined ? [] : [provider.review])],
    pages: (readBody) => {
      const own = provider?.pages(readBody)
      const pages = signOnPages({
        connectors,
        codes,
        tried,
        devices,
        enterUser,
        endSignedOn,
        announcements,
        readBody,
        store,
        clock,
        random,
        log,
        sealingKey: keyOfAll,
      })
      return (exchange) => own?.(exchange) ?? pages(exchange)
    },
    redeem: (redeemed) => {
      const userCode = redeemed.use === 'key' ? readUserCode(redeemed.code) : undefined
      return userCode === undefined ? codes.redeem(redeemed) : devices.redeem(userCode, redeemed.verifier)
    },
    exchange: (token, address) => tokens.exchange(token, address),
    refresh: createRefresh({ connectors, sealingKey: keyOfAll, log }),
    stop: async () => {
      await connectors.close()
      await tokens.close()
    },
  }
}
