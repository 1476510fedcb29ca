import { backupPath } from '../../api/backup-path.ts'
import { isRefusal } from '../../api/error.ts'
import { BackupRefused } from '../../backup/backup-refused.ts'
import { ByteSource } from '../../backup/byte-source.ts'
import type { OpenedState } from '../../backup/create-backup.ts'
import { readRecords } from '../../backup/records/read-records.ts'
import type { StateRecord } from '../../backup/records/record.ts'
import { packageVersion } from '../../base/package-version.ts'
import { systemRandom } from '../../base/random.ts'
import { refusalOf } from '../../client/answer-body.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import type { Transport } from '../../client/transport/contract.ts'
import { usualLimits } from '../../client/transport/limits.ts'
import { createTransport } from '../../client/transport/transport.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** A virtual cluster may be a tenant's own server, which could send without end, or not at all. */
export interface StateLimits {
  readonly bytes: number
  /** Between two chunks. */
  readonly silenceMs: number
}

const usualStateLimits: StateLimits = { bytes: 64 * 1024 ** 3, silenceMs: 120_000 }

/** Requests everything that the API server of a cluster stores. */
export async function openState(
  access: ClusterAccess,
  { env }: Pick<Terminal, 'env'>,
  limits: StateLimits = usualStateLimits,
): Promise<OpenedState> {
  const transport = createTransport({
    access,
    limits: usualLimits,
    userAgent: `tenant/${packageVersion()}`,
    random: systemRandom,
    env,
  })
  try {
    const records = readRecords(new ByteSource(await stateChunks(transport, limits)))
    const first = await records.next()
    if (first.done === true || first.value.type !== 'head') throw new BackupRefused('the server sent no state')
    return { head: first.value.head, records: closing(records, transport) }
  } catch (error) {
    transport.close()
    throw error
  }
}

async function stateChunks(transport: Transport, limits: StateLimits): Promise<AsyncIterable<Buffer>> {
  const request = { method: 'GET', path: backupPath, accept: '*/*' } as const
  const ending = new AbortController()
  const answer = await transport.open(request, ending.signal)
  if (answer.status === 200) return limited(answer.chunks, limits, ending)
  const refusal = refusalOf({ ...answer, body: await answer.body() }, transport.origin)
  throw isRefusal(refusal, 404) ? tooOld(transport.origin) : refusal
}

/** Our own processing time between two chunks does not count. */
async function* limited(
  chunks: AsyncIterable<Buffer>,
  { bytes, silenceMs }: StateLimits,
  ending: AbortController,
): AsyncGenerator<Buffer> {
  const pieces = chunks[Symbol.asyncIterator]()
  const late = () => ending.abort(new BackupRefused(`the server sent nothing more for ${silenceMs / 1000} s`))
  let left = bytes
  try {
    for (;;) {
      const timer = setTimeout(late, silenceMs)
      const next = await pieces.next().finally(() => clearTimeout(timer))
      if (next.done === true) return
      left -= next.value.length
      if (left < 0) throw new BackupRefused(`the server sends more than ${bytes} bytes, the most that is taken`)
      yield next.value
    }
  } finally {
    ending.abort()
  }
}

function tooOld(origin: string): BackupRefused {
  return new BackupRefused(
    `${origin} cannot be backed up: it is not an API server of this program, or its version is too old`,
  )
}

async function* closing(records: AsyncIterable<StateRecord>, transport: Transport): AsyncGenerator<StateRecord> {
  try {
    yield* records
  } finally {
    transport.close()
  }
}
