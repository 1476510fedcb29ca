import { expect, it, onTestFinished } from 'vitest'
import { inside, tenantKey } from '../../link/support.ts'
import { startReplicas } from '../../support/clusters/replicas.ts'
import { eventually } from '../../support/eventually.ts'
import { missingEtcd } from '../../support/stores/etcd.ts'
import { frame, type HostileLink, linkHostile, statusOk } from '../identity/hostile-link.ts'

const prefaceBytes = 24
const types = { headers: 1, settings: 4 }
const acknowledged = 0x1
const [endStream, endHeaders] = [0x1, 0x4]
/** The platform opens it first, for messages. */
const controlId = 1

it.skipIf(missingEtcd())(
  'an answer with a status that HTTP does not have is refused alike at each replica',
  async () => {
    const replicas = await startReplicas()
    onTestFinished(() => replicas.remove())
    const direct = await replicas.start()
    const relaying = await replicas.start()
    let head: Buffer = statusOk
    answerAll(await linkHostile(direct, await tenantKey(direct, 'tenants'), 'dev'), () => head)
    const path = `${inside('dev')}/version`
    await eventually(async () => expect((await relaying.ask('GET', path)).status).toBe(200))
    for (const status of ['099', '600', '999']) {
      head = headWith(status)
      const [one, other] = [await direct.ask('GET', path), await relaying.ask('GET', path)]
      expect(one.body).toMatchObject({ code: 503, message: expect.stringContaining('not that of an API server') })
      expect(other.body).toMatchObject({ code: 503, message: one.body.message })
    }
  },
)

/** Node would not send such heads. */
function answerAll({ connection }: HostileLink, head: () => Buffer): void {
  let received: Buffer = Buffer.alloc(0)
  let at = prefaceBytes
  connection.write(frame('settings', 0, 0))
  connection.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let next = endOf(received, at); next <= received.length; next = endOf(received, at)) {
      const [type, flags, id] = [received[at + 3], received[at + 4] ?? 0, received.readUInt32BE(at + 5)]
      if (type === types.settings && (flags & acknowledged) === 0) connection.write(frame('settings', acknowledged, 0))
      if (type === types.headers && id === controlId) connection.write(frame('headers', endHeaders, id, statusOk))
      if (type === types.headers && id !== controlId)
        connection.write(frame('headers', endHeaders | endStream, id, head()))
      at = next
    }
  })
}

function endOf(received: Buffer, at: number): number {
  return received.length < at + 9 ? Number.POSITIVE_INFINITY : at + 9 + received.readUIntBE(at, 3)
}

/** `:status` by its number in the table of HPACK, with a value that is not there. */
function headWith(status: string): Buffer {
  return Buffer.from([0x08, status.length, ...Buffer.from(status)])
}
