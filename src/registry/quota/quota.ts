import { type ApiError, forbidden, refusedBy } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { PlannedWrite, ReserveRoom } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import { relativeKey, storagePrefix } from '../storage-key.ts'
import type { Amount, Ledger, Reservation, Shortage } from './ledger.ts'

export type InternalShortage = (write: PlannedWrite, account: string, wanted: Amount) => Shortage | undefined

export interface QuotaOptions {
  readonly ledger: Ledger
  /** Which account a write is on; undefined: on none. */
  readonly accountOf: (write: Pick<PlannedWrite, 'object' | 'sealed'>) => string | undefined
  /** What the account is called in a refusal. */
  readonly describe: (account: string) => string
  /** What the caller can do about a refusal. */
  readonly advice: string
  /** Asked only of those who would be refused. */
  readonly isExempt: (request: WriteRequest) => boolean | Promise<boolean>
  /** What is missing for what the server itself writes. Absent: that always has room. */
  readonly internalShortage?: InternalShortage
  /** Waits until everything that was acknowledged before is in the ledger. Absent: it always is. */
  readonly caughtUp?: (() => Promise<void>) | undefined
}

/** A limit on what one account holds: a write takes room before it is carried out, or is refused. */
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

/** By which a write and the change that comes of it are the same. */
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

/** Another replica may have made room a moment ago. */
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

/** Only what is added: a change that makes an object no larger needs no room. */
function addedBy({ bytes, old }: PlannedWrite, account: string, accountOf: QuotaOptions['accountOf']): Amount {
  if (old === undefined || accountOf(old) !== account) return { objects: 1, bytes }
  return { objects: 0, bytes: Math.max(0, bytes - old.bytes) }
}

export const noReservation: Reservation = { release: () => {} }

export function quotaExceeded(kind: Kind, name: string, quota: string, shortage: Shortage, advice: string): ApiError {
  const suffix = shortage.unit === 'bytes' ? ' bytes' : ''
  const { requested, used, limit } = shortage
  const amounts = `requested: ${requested}${suffix}, used: ${used}${suffix}, limited: ${limit}${suffix}`
  return refusedBy('quota', forbidden(kind, name, `exceeded quota: ${quota}, ${amounts}; ${advice}`))
}
