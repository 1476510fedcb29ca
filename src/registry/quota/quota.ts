import { type ApiError, forbidden, refusedBy } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { PlannedWrite, ReserveRoom } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import { relativeKey, storagePrefix } from '../storage-key.ts'
import type { Amount, Ledger, Reservation, Shortage } from './ledger.ts'

export type InternalShortage = (write: PlannedWrite, account: string, wanted: Amount) => Shortage | undefined

export interface QuotaOptions {
  readonly ledger: Ledger
  /** The account of a write; undefined: none. */
  readonly accountOf: (write: Pick<PlannedWrite, 'object' | 'sealed'>) => string | undefined
  /** How a refusal names the account. */
  readonly describe: (account: string) => string
  /** What the caller can do about a refusal. */
  readonly advice: string
  /** Called only for requests that would be refused. */
  readonly isExempt: (request: WriteRequest) => boolean | Promise<boolean>
  /** What is missing for the server's own writes. Absent: they always have room. */
  readonly internalShortage?: InternalShortage
  /** Waits until the ledger has everything that was acknowledged before. Absent: it always has. */
  readonly caughtUp?: (() => Promise<void>) | undefined
}

/** Limits what one account holds: a write reserves room before it is carried out, or is refused. */
export function reservingRoom(kind: Kind, options: QuotaOptions): ReserveRoom {
  const { ledger, accountOf } = options
  return (write, request) => {
    const account = accountOf(write)
    if (account === undefined) return noReservation
    const wanted = addedBy(write, account, accountOf)
    const take = () => ledger.reserve(account, ledgerKey(kind, write.id), wanted)
    if (ledger.shortage(account, wanted) === undefined) return take()
    return takenOrRefused(kind, options, { write, request, account, wanted, take })
  }
}

/** Identifies a write and the resulting change. */
export function ledgerKey(kind: Kind, id: PlannedWrite['id']): string {
  return storagePrefix(kind) + relativeKey(id)
}

interface Short {
  readonly write: PlannedWrite
  readonly request: WriteRequest
  readonly account: string
  readonly wanted: Amount
  readonly take: () => Reservation
}

/** Another replica may have just made room. */
async function takenOrRefused(
  kind: Kind,
  { ledger, describe, advice, isExempt, internalShortage, caughtUp }: QuotaOptions,
  { write, request, account, wanted, take }: Short,
): Promise<Reservation> {
  const isInternal = request.isInternal === true
  if (isInternal ? internalShortage === undefined : await isExempt(request)) return take()
  await caughtUp?.()
  const shortage = isInternal ? internalShortage?.(write, account, wanted) : ledger.shortage(account, wanted)
  if (shortage === undefined) return take()
  throw quotaExceeded(kind, write.id.name, describe(account), shortage, advice)
}

/** Only the growth: a change that does not enlarge an object needs no room. */
function addedBy({ bytes, old }: PlannedWrite, account: string, accountOf: QuotaOptions['accountOf']): Amount {
  if (old === undefined || accountOf(old) !== account) return { objects: 1, bytes }
  return { objects: 0, bytes: Math.max(0, bytes - old.bytes) }
}

export const noReservation: Reservation = { release: () => {} }

function quotaExceeded(kind: Kind, name: string, quota: string, shortage: Shortage, advice: string): ApiError {
  const suffix = shortage.unit === 'bytes' ? ' bytes' : ''
  const { requested, used, limit } = shortage
  const amounts = `requested: ${requested}${suffix}, used: ${used}${suffix}, limited: ${limit}${suffix}`
  return refusedBy('quota', forbidden(kind, name, `exceeded quota: ${quota}, ${amounts}; ${advice}`))
}
