import type { Transaction } from 'lmdb'
import { Pace } from '../../base/pace.ts'
import type { ListResult, RangeOptions, StoredValue } from '../contract.ts'
import type { Environment } from './environment.ts'
import { fitsInKey, type KeyBound, maximumKeyBytes, prefixRange } from './keys.ts'
import { peekPointed, readPointed, revisionAt } from './read.ts'

/** How many keys are read before other work gets a turn. */
const keysPerTurn = 2_000

export interface ListRequest {
  readonly prefix: string
  readonly atRevision: number
  readonly options: RangeOptions
  /** Throws when the listing must stop. */
  readonly checkpoint: () => void
}

/** All items come from one snapshot, although other work runs in between. */
export async function listKeys(environment: Environment, request: ListRequest): Promise<ListResult> {
  if (request.prefix !== '' && !fitsInKey(request.prefix)) {
    return { items: [], revision: request.atRevision, remaining: 0 }
  }
  const transaction = environment.pointers.useReadTransaction()
  try {
    return await listInSnapshot(environment, transaction, request)
  } finally {
    transaction.done()
  }
}

async function listInSnapshot(
  environment: Environment,
  transaction: Transaction,
  request: ListRequest,
): Promise<ListResult> {
  const { limit = Number.POSITIVE_INFINITY, each } = request.options
  const items: StoredValue[] = []
  const take = each ?? ((item: StoredValue) => void items.push(item))
  const read = each === undefined ? readPointed : peekPointed
  let taken = 0
  let remaining = 0
  const pace = new Pace({ stepsPerTurn: keysPerTurn })
  for await (const turn of keysInTurns(environment, transaction, request)) {
    for (const { key, value: pointer } of turn) {
      if (pace.isDue()) {
        await pace.rest()
        request.checkpoint()
      }
      if (taken < limit) {
        const item = read(environment, key, pointer, request.atRevision, { transaction })
        if (item === undefined) continue
        taken++
        const held = take(item)
        if (held === undefined) continue
        await held
        request.checkpoint()
      } else if (revisionAt(environment, pointer, request.atRevision, { transaction }) !== undefined) remaining++
    }
  }
  return { items, revision: request.atRevision, remaining }
}

interface PointedKey {
  readonly key: string
  readonly value: number
}

async function* keysInTurns(
  environment: Environment,
  transaction: Transaction,
  request: ListRequest,
): AsyncGenerator<readonly PointedKey[]> {
  let from: Start = startOf(request)
  const { end } = prefixRange(request.prefix)
  for (;;) {
    const turn = readTurn(environment, transaction, from, end)
    yield turn
    const last = turn.at(-1)
    if (turn.length < keysPerTurn || last === undefined) return
    from = { start: last.key, exclusiveStart: true }
  }
}

interface Start {
  readonly start: KeyBound
  readonly exclusiveStart: boolean
}

function startOf(request: ListRequest): Start {
  const { start } = prefixRange(request.prefix)
  const { afterKey } = request.options
  if (afterKey === undefined) return { start, exclusiveStart: false }
  // No stored key lies between a longer key and its first bytes, so truncating it changes nothing.
  const after = Buffer.from(afterKey).subarray(0, maximumKeyBytes)
  if (Buffer.compare(after, Buffer.from(start)) < 0) return { start, exclusiveStart: false }
  return { start: after, exclusiveStart: true }
}

function readTurn(
  environment: Environment,
  transaction: Transaction,
  from: Start,
  end: KeyBound | undefined,
): readonly PointedKey[] {
  const bounds = end === undefined ? from : { ...from, end }
  const turn: PointedKey[] = []
  for (const entry of environment.pointers.getRange({ ...bounds, limit: keysPerTurn, transaction })) {
    turn.push({ key: String(entry.key), value: entry.value })
  }
  return turn
}
