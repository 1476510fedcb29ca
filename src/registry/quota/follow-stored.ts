import type { Cache } from '../cache.ts'
import type { StoredDocument } from '../document.ts'
import { type Ledger, negative } from './ledger.ts'
import { ledgerKey } from './quota.ts'

type AccountOf = (document: StoredDocument) => string | undefined

/**
 * Keeps a ledger in step with the stored objects of a kind, starting with the existing ones. Returns a function that
 * stops this.
 */
export function followStored(ledger: Ledger, cache: Cache, accountOf: AccountOf): () => void {
  const change = counting(ledger, cache, accountOf)
  const unsubscribe = cache.listen((events) => {
    for (const { type, document, previous } of events) {
      if (previous !== undefined) cache.attempt(previous, () => change(previous, false))
      if (type !== 'DELETED') cache.attempt(document, () => change(document, true))
    }
  })
  for (const document of cache.current().values()) cache.attempt(document, () => change(document, true))
  return unsubscribe
}

/** Removes all objects of a kind from the ledger, once the kind is no longer followed. */
export function forgetStored(ledger: Ledger, cache: Cache, accountOf: AccountOf): void {
  const change = counting(ledger, cache, accountOf)
  for (const document of cache.current().values()) change(document, false)
}

function counting(ledger: Ledger, cache: Cache, accountOf: AccountOf) {
  return (document: StoredDocument, isThere: boolean): void => {
    const account = accountOf(document)
    if (account === undefined) return
    const amount = { objects: 1, bytes: document.bytes }
    ledger.stored(account, ledgerKey(cache.kind, document), isThere ? amount : negative(amount))
  }
}
