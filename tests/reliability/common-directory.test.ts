import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { ApiClient } from './support/api-client.ts'
import { runningEtcd, temporaryDirectory } from './support/running.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'

async function started(store: string, directory: string): Promise<ServerProcess> {
  const server = await startServerProcess({ store, directory })
  onTestFinished(async () => {
    await server.kill()
  })
  return server
}

/** Fails unless the current authority of the directory has signed it. */
function shownBy({ port }: ServerProcess, directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(join(directory, 'pki/ca.crt'), 'utf8')
    const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

async function signedBy(server: ServerProcess): Promise<string> {
  const client = new ApiClient(server, 1)
  try {
    const path = '/api/v1/namespaces/default/serviceaccounts/default/token'
    const { body } = await client.request('POST', path, { spec: {} })
    const { token } = body.status as { readonly token: string }
    return Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
  } finally {
    await client.close()
  }
}

it('replicas that start at once in one data directory have one certificate and one signing key, also after a rotation', {
  timeout: 240_000,
}, async () => {
  const { endpoint } = await runningEtcd()
  const directory = await temporaryDirectory()
  const replicas = await Promise.all([1, 2, 3].map(() => started(`etcd:${endpoint}`, directory)))
  const shown = async () => new Set(await Promise.all(replicas.map((each) => shownBy(each, directory))))
  const signed = async () => new Set(await Promise.all(replicas.map(signedBy)))
  const before = [...(await shown()), ...(await signed())]
  expect(before).toHaveLength(2)

  const [first] = replicas
  const client = new ApiClient(first ?? expect.fail(), 1)
  onTestFinished(() => client.close())
  expect((await client.request('POST', '/certificates/rotate', {})).status).toBe(200)
  await eventually(async () => {
    const after = [...(await shown()), ...(await signed())]
    expect(after).toHaveLength(2)
    for (const each of before) expect(after).not.toContain(each)
  })
})
